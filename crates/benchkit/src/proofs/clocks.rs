//! The clock: its self-test, and whether it says the same twenty times.

use super::Proof;
use crate::clock::choose::{self, Choice, Probe};
use crate::clock::here::Here;
use crate::clock::{self, CALIBRATION, Clock};
use crate::stats;

/// Calibrations in a row.
const CALIBRATIONS: usize = 20;
/// How far from their median each may be.
const AGREE: f64 = 0.005;

/// Twenty in a row. They are not tried again: the best of several twenties would prove little of a machine that is busy.
fn calibrations(clock: &impl Clock) -> Vec<f64> {
    let calibration = |_| clock::ticks_per_cycle(&clock::calibrate(clock, CALIBRATION)).unwrap_or(f64::NAN);
    (0..CALIBRATIONS).map(calibration).collect()
}

/// How far the one that is farthest from their median is; what is no number is infinitely far away.
fn worst(calibrations: &[f64]) -> f64 {
    let Some(median) = stats::median(calibrations) else { return f64::INFINITY };
    calibrations.iter().map(|k| (k / median - 1.0).abs()).fold(0.0, f64::max)
}

/// What was read from a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    /// Its self-test.
    pub probe: Probe,
    /// Ticks a cycle by each of twenty calibrations in a row.
    pub calibrations: Vec<f64>,
}

impl Readings {
    /// Reads a clock.
    pub fn take(choice: Choice, clock: &impl Clock) -> Self {
        Self { probe: Probe::of(choice, Ok(clock)), calibrations: calibrations(clock) }
    }

    /// Reads the clock that measurements use here.
    ///
    /// # Errors
    ///
    /// There is none: what each lacks.
    pub fn here() -> Result<Self, String> {
        let here = Here::open();
        let mut probes = Vec::new();
        for choice in Choice::ALL {
            let probe = here.probe(choice);
            let passed = probe.passed();
            probes.push(probe);
            if passed {
                break;
            }
        }
        let (choice, _, _) = choose::decide(None, &probes)?;
        let probe = probes.into_iter().find(|probe| probe.choice == choice).ok_or("there is no clock")?;
        let calibrations = match (choice, &here.perf, &here.counter) {
            (Choice::Perf, Ok(perf), _) => calibrations(perf),
            (Choice::Tsc, _, Ok(counter)) => calibrations(counter),
            _ => calibrations(&here.system),
        };
        Ok(Self { probe, calibrations })
    }

    /// What follows.
    pub(super) fn proofs(&self) -> Vec<Proof> {
        let name = self.probe.choice.name();
        let test = self.probe.test.as_ref();
        let measured = test.map_or_else(Clone::clone, |test| {
            format!(
                "{:.4} ticks a cycle, multiply/add {:.4}, linear within {:.2} %, {} of 32 agree",
                test.ticks_per_cycle,
                test.multiply_ratio,
                test.nonlinearity * 100.0,
                test.agreeing
            )
        });
        let bound = match self.probe.choice {
            Choice::Perf => "1 tick a cycle +- 0.5 %",
            Choice::Tsc | Choice::Time => "3 +- 0.3 %, 0.5 %, 30 of 32",
        };
        let mut counts = Proof::new(format!("clock {name}: self-test"), measured, bound, self.probe.passed());
        counts.refuses = true;

        let worst = worst(&self.calibrations);
        let agree = Proof::new(
            format!("clock {name}: {CALIBRATIONS} calibrations"),
            format!("{:.3} % from their median at most", worst * 100.0),
            "0.5 %",
            self.calibrations.len() == CALIBRATIONS && worst <= AGREE,
        );
        vec![counts, agree]
    }
}
