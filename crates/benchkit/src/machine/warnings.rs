//! What spoils a measurement, and how to mend it.

use super::Machine;

/// Something about the machine that spoils a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is, and what it does to figures.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
    /// Whether figures taken in spite of it are not to be trusted at all. The others are made up for by the way of
    /// measuring, or widen the spread that is shown.
    pub blocking: bool,
}

fn warning(what: impl Into<String>, remedy: impl Into<String>) -> Warning {
    Warning { what: what.into(), remedy: remedy.into(), blocking: false }
}

impl Machine {
    /// What is wrong with this machine for measuring, worst first; empty if nothing that it tells of is.
    pub fn warnings(&self) -> Vec<Warning> {
        [
            self.busy(),
            self.governed(),
            self.boosted(),
            self.shared_cores(),
            self.unsteady_clock(),
            self.uncounted(),
            self.forbidden(),
            self.stolen(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn busy(&self) -> Option<Warning> {
        let now = self.load?[0];
        // With half a CPU less than that to spare, there is none for the measurement alone.
        let full = self.cpus.is_some_and(|cpus| now > cpus as f64 - 0.5);
        (now > 0.5).then(|| Warning {
            blocking: full,
            ..warning(
                format!("the load is {now:.2}: other processes take the CPU and the caches away"),
                "stop what else runs, or wait until the load is below 0.5",
            )
        })
    }

    fn governed(&self) -> Option<Warning> {
        let governor = self.governor.as_ref().filter(|governor| *governor != "performance")?;
        Some(warning(
            format!("the frequency governor is {governor}: the CPU slows down between calls"),
            "sudo cpupower frequency-set --governor performance",
        ))
    }

    fn boosted(&self) -> Option<Warning> {
        self.boost.filter(|boost| *boost)?;
        let intel = self.driver.as_ref().is_some_and(|driver| driver.starts_with("intel_pstate"));
        let remedy = if intel {
            "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
        } else {
            "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
        };
        Some(warning("boost is on: the frequency depends on temperature and on the other cores", remedy))
    }

    fn shared_cores(&self) -> Option<Warning> {
        self.smt.filter(|smt| *smt)?;
        Some(warning(
            "SMT is on: whatever runs on the other half of a core takes part of it",
            "echo off | sudo tee /sys/devices/system/cpu/smt/control",
        ))
    }

    fn unsteady_clock(&self) -> Option<Warning> {
        if self.architecture != "x86_64" || self.system != "linux" || self.features.is_empty() {
            return None;
        }
        let lacking: Vec<_> = ["constant_tsc", "nonstop_tsc"]
            .into_iter()
            .filter(|wanted| !self.features.iter().any(|feature| feature == wanted))
            .collect();
        if !lacking.is_empty() {
            let what = format!("the time stamp counter is not steady: this CPU lacks {}", lacking.join(" and "));
            let blocking = self.counters != Some(true);
            return Some(Warning { blocking, ..warning(what, "measure on another machine") });
        }
        // A guest's clock is its hypervisor's affair, and its counter is fine.
        let clock = self.clocksource.as_ref().filter(|clock| *clock != "tsc" && !self.is_guest())?;
        Some(warning(
            format!("the kernel keeps time by {clock}: it found the time stamp counter wanting"),
            "look for `tsc` in the kernel's log (dmesg); a new firmware often mends it",
        ))
    }

    fn uncounted(&self) -> Option<Warning> {
        self.counters.filter(|counters| !counters)?;
        let what = "there is no cycle counter: cycles are derived from the time stamp counter by calibration";
        let remedy = if self.is_guest() {
            "give the guest a virtual counter unit (vPMU), or measure on the host"
        } else {
            "use a kernel with perf events"
        };
        Some(warning(what, remedy))
    }

    fn forbidden(&self) -> Option<Warning> {
        let level = self.perf_event_paranoid.filter(|level| *level > 2 && self.counters != Some(false))?;
        Some(warning(
            format!("kernel.perf_event_paranoid is {level}: cycle counters may not be used"),
            "sudo sysctl kernel.perf_event_paranoid=2",
        ))
    }

    fn stolen(&self) -> Option<Warning> {
        let name = self.hypervisor.as_ref()?;
        Some(warning(
            format!("this is a guest ({name}): its neighbours share caches, and CPU time may be taken away unseen"),
            "measure on a machine of your own; or look at the spread between processes before trusting small differences",
        ))
    }
}
