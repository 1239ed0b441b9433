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
/// Twenties before they count as apart: a busy machine spoils one now and then, as it does a self-test.
const TRIES: usize = 5;

/// Twenty in a row, until they agree: each twenty.
fn calibrations(clock: &impl Clock) -> Vec<Vec<f64>> {
    let calibration = |_| clock::ticks_per_cycle(&clock::calibrate(clock, CALIBRATION)).unwrap_or(f64::NAN);
    let mut twenties: Vec<Vec<f64>> = Vec::new();
    while twenties.len() < TRIES && twenties.last().is_none_or(|last| worst(last) > AGREE) {
        twenties.push((0..CALIBRATIONS).map(calibration).collect());
    }
    twenties
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
    /// Ticks a cycle by each of twenty calibrations in a row; several twenties if those of the first do not agree.
    pub calibrations: Vec<Vec<f64>>,
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

        let best = self.calibrations.iter().map(|twenty| worst(twenty)).fold(f64::INFINITY, f64::min);
        let agree = Proof::new(
            format!("clock {name}: {CALIBRATIONS} calibrations"),
            match self.calibrations.len() {
                1 => format!("{:.3} % from their median at most", best * 100.0),
                tries => format!("{:.3} % from their median at most, the best of {tries} tries", best * 100.0),
            },
            format!("0.5 %, in one of {TRIES} tries"),
            best <= AGREE,
        );
        vec![counts, agree]
    }
}
