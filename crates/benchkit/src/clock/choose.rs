//! Which clock a process uses: the first of the list that passes its self-test.

use serde::{Deserialize, Serialize};

use super::{Clock, SelfTest};
use crate::record::Unit;

/// A kind of clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Core cycles counted by the processor.
    Perf,
    /// The counter that every program may read; calibrated.
    Tsc,
    /// The system's clock; calibrated.
    Time,
}

impl Choice {
    /// Best first.
    pub const ALL: [Self; 3] = [Self::Perf, Self::Tsc, Self::Time];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Perf => "perf",
            Self::Tsc => "tsc",
            Self::Time => "time",
        }
    }
}

/// Runs of the self-test before a clock has failed it: a busy machine spoils one now and then.
const TRIES: usize = 30;

/// What was found out about one clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Which.
    pub choice: Choice,
    /// Its self-test, or why there is no such clock here.
    pub test: Result<SelfTest, String>,
}

impl Probe {
    /// Tests a clock until it passes, a few times.
    pub fn of<C: Clock>(choice: Choice, clock: Result<&C, String>) -> Self {
        let test = clock.map(|clock| {
            let mut test = SelfTest::run(clock);
            for _ in 1..TRIES {
                if passed(choice, &test) {
                    break;
                }
                test = SelfTest::run(clock);
            }
            test
        });
        Self { choice, test }
    }

    /// Whether its calibrated ticks may be called cycles.
    pub fn passed(&self) -> bool {
        self.test.as_ref().is_ok_and(|test| passed(self.choice, test))
    }
}

fn passed(choice: Choice, test: &SelfTest) -> bool {
    match choice {
        Choice::Perf => test.counts_cycles(),
        Choice::Tsc | Choice::Time => test.passed(),
    }
}

/// The clock to use, what its readings may be called, and why, in words.
///
/// The first that passes gives cycles. If none does, the first that is there gives ticks. With `wanted` there is no other.
///
/// # Errors
///
/// If no clock is there: what each lacks.
pub fn decide(wanted: Option<Choice>, probes: &[Probe]) -> Result<(Choice, Unit, String), String> {
    let probes: Vec<_> = probes.iter().filter(|probe| wanted.is_none_or(|wanted| probe.choice == wanted)).collect();
    let mut story = Vec::new();
    for probe in &probes {
        match &probe.test {
            Ok(test) if passed(probe.choice, test) => {
                story.push(format!("{}: {test}", probe.choice.name()));
                return Ok((probe.choice, Unit::Cycles, story.join("; ")));
            }
            Ok(test) => story.push(format!("{}: failed: {test}", probe.choice.name())),
            Err(why) => story.push(format!("{}: {why}", probe.choice.name())),
        }
    }
    match probes.iter().find(|probe| probe.test.is_ok()) {
        Some(probe) => Ok((probe.choice, Unit::Ticks, story.join("; "))),
        None => Err(story.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> SelfTest {
        SelfTest { ticks_per_cycle: 1.0, multiply_ratio: 3.0, nonlinearity: 0.001, agreeing: 32 }
    }

    #[test]
    fn the_first_that_passes_is_used() {
        let scaled = SelfTest { ticks_per_cycle: 0.725, ..good() };
        let bent = SelfTest { multiply_ratio: 3.02, ..scaled.clone() };
        let dead = SelfTest { ticks_per_cycle: f64::NAN, multiply_ratio: f64::NAN, ..good() };
        let missing = || Err("not here".to_owned());
        use Choice::{Perf, Time, Tsc};
        use Unit::{Cycles, Ticks};
        for (wanted, perf, tsc, time, want) in [
            (None, Ok(good()), Ok(scaled.clone()), Ok(scaled.clone()), Some((Perf, Cycles))),
            // A "cycle counter" that does not count core cycles is none.
            (None, Ok(scaled.clone()), Ok(scaled.clone()), Ok(scaled.clone()), Some((Tsc, Cycles))),
            (None, missing(), Ok(scaled.clone()), missing(), Some((Tsc, Cycles))),
            (None, missing(), Ok(bent.clone()), Ok(scaled.clone()), Some((Time, Cycles))),
            (None, missing(), Ok(bent.clone()), Ok(dead.clone()), Some((Tsc, Ticks))),
            (None, missing(), missing(), Ok(dead), Some((Time, Ticks))),
            (None, missing(), missing(), missing(), None),
            (Some(Perf), missing(), Ok(scaled.clone()), Ok(scaled.clone()), None),
            (Some(Time), Ok(good()), Ok(scaled.clone()), Ok(scaled.clone()), Some((Time, Cycles))),
            (Some(Tsc), Ok(good()), Ok(bent), Ok(scaled), Some((Tsc, Ticks))),
        ] {
            let probes = [(Perf, perf), (Tsc, tsc), (Time, time)].map(|(choice, test)| Probe { choice, test });
            let got = decide(wanted, &probes);
            assert_eq!(got.clone().ok().map(|(choice, unit, _)| (choice, unit)), want, "{got:?}");
        }
    }

    #[test]
    fn the_story_tells_why_the_better_ones_were_not_used() {
        let probes = [
            Probe { choice: Choice::Perf, test: Err("this machine has no cycle counter".to_owned()) },
            Probe { choice: Choice::Tsc, test: Ok(good()) },
        ];
        let (_, _, story) = decide(None, &probes).expect("a clock");
        assert!(story.starts_with("perf: this machine has no cycle counter; tsc: "), "{story}");
    }
}
