//! Reading time, and turning ticks into core cycles by measurement.
//!
//! The counter of a virtual machine ticks at a rate of its own, often far from the core's. What a core cycle is worth in
//! ticks is therefore measured, beside every visit, with a chain of operations that take one cycle each and must follow
//! one another. Reads are fenced on both sides: without, the processor moves work across them.

mod chain;
pub mod choose;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub mod counter;
pub mod here;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod perf;
pub mod system;

use core::fmt;

pub(crate) use chain::dependent;

use crate::stats;

/// The clock that is used where none is asked for.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub type Hardware = counter::Counter;
/// The clock that is used where none is asked for.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub type Hardware = system::System;

/// Dependent operations in one step of the chain.
pub const CHAIN_OPERATIONS: u32 = 64;
/// Steps of the two chains of a calibration; their difference is free of what a read costs.
const SHORT: u32 = 64;
const LONG: u32 = 256;
/// Operations between the two: `ticks / DIFFERENCE` is ticks a cycle.
pub const DIFFERENCE: f64 = ((LONG - SHORT) * CHAIN_OPERATIONS) as f64;
/// Steps of the two wide loops, and groups between the two.
const WIDE_SHORT: u32 = 16;
const WIDE_LONG: u32 = 48;
const WIDE_DIFFERENCE: f64 = ((WIDE_LONG - WIDE_SHORT) * CHAIN_OPERATIONS) as f64;
/// Repetitions of the wide loop in a calibration.
pub const WIDE: usize = 8;
/// A core whose width is above its own by more than this factor is shared.
pub const SHARED: f64 = 1.05;
/// Repetitions of a full calibration.
pub const CALIBRATION: usize = 16;
/// Repetitions of the quick look that tells whether the CPU has settled.
pub const GLANCE: usize = 4;

/// Where time comes from: the machine, or a test that simulates one.
pub trait Clock {
    /// Ticks since some moment. Everything before it has ended when it reads; nothing after it has begun.
    fn read(&self) -> u64;
    /// Runs `steps` x [`CHAIN_OPERATIONS`] dependent operations of one cycle.
    fn chain(&self, steps: u32);
    /// The same with multiplications, of three cycles.
    fn multiply_chain(&self, steps: u32);
    /// Runs `steps` x [`CHAIN_OPERATIONS`] groups of four operations of one cycle; the four do not wait for one another.
    fn wide(&self, steps: u32);
    /// How often the system took the CPU away from this thread so far.
    fn switches(&self) -> u64;
    /// For the record: `tsc`.
    fn name(&self) -> &'static str;
}

/// Ticks of the chain's difference, `repetitions` times.
pub fn calibrate(clock: &impl Clock, repetitions: usize) -> Vec<u64> {
    (0..repetitions)
        .map(|_| {
            let start = clock.read();
            clock.chain(SHORT);
            let middle = clock.read();
            clock.chain(LONG);
            let end = clock.read();
            end.wrapping_sub(middle).saturating_sub(middle.wrapping_sub(start))
        })
        .collect()
}

/// Ticks of the wide loop's difference, `repetitions` times.
pub fn widths(clock: &impl Clock, repetitions: usize) -> Vec<u64> {
    (0..repetitions)
        .map(|_| {
            let start = clock.read();
            clock.wide(WIDE_SHORT);
            let middle = clock.read();
            clock.wide(WIDE_LONG);
            let end = clock.read();
            end.wrapping_sub(middle).saturating_sub(middle.wrapping_sub(start))
        })
        .collect()
}

/// Cycles that the wide loop takes for a group of four operations, from its ticks and the ticks of a cycle.
///
/// It is 1 where four units take them at once. When another hardware thread of the core takes some of the units it rises,
/// to nearly 2, while a chain of dependent operations, which needs one unit, does not notice.
pub fn width(ticks: &[u64], ticks_per_cycle: f64) -> Option<f64> {
    let ticks: Vec<f64> = ticks.iter().map(|&ticks| ticks as f64).collect();
    let [_, middle, _] = stats::stabilized_quartiles(&ticks)?;
    let width = middle / (ticks_per_cycle * WIDE_DIFFERENCE);
    (width > 0.0 && width.is_finite()).then_some(width)
}

/// The width of a core that nobody else uses, from widths that were seen on it: their lower end, because others only
/// add to it. Not the least, which a change of frequency can falsify.
pub fn own_width(seen: &[f64]) -> Option<f64> {
    let mut seen = seen.to_vec();
    seen.sort_by(f64::total_cmp);
    Some(seen.get(seen.len() / 20)?.max(1.0))
}

/// Ticks a core cycle, from the ticks of a calibration; `None` if there are none or the clock stood still.
///
/// It is the middle stabilized quartile: the smallest reading would favour the moments in which the core ran faster than
/// it did during the measurement.
pub fn ticks_per_cycle(ticks: &[u64]) -> Option<f64> {
    let ticks: Vec<f64> = ticks.iter().map(|&ticks| ticks as f64).collect();
    let [_, middle, _] = stats::stabilized_quartiles(&ticks)?;
    (middle > 0.0).then_some(middle / DIFFERENCE)
}

/// What the self-test of a clock read.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Ticks of one operation of the chain; 1 within 0.5 % if the clock itself counts core cycles.
    pub ticks_per_cycle: f64,
    /// Time of a chain of three-cycle operations over that of the one-cycle chain; 3 within 0.3 %.
    pub multiply_ratio: f64,
    /// Largest relative deviation of chain(n), n = 64 .. 1024, from a line; at most 0.5 %.
    pub nonlinearity: f64,
    /// How many of 32 calibrations in a row lie within 0.2 % of their median; at least 30.
    pub agreeing: usize,
}

impl SelfTest {
    /// Runs it: some ten milliseconds.
    pub fn run(clock: &impl Clock) -> Self {
        let timed = |steps: u32, multiply: bool| {
            let start = clock.read();
            if multiply {
                clock.multiply_chain(steps)
            } else {
                clock.chain(steps)
            }
            clock.read().wrapping_sub(start) as f64
        };
        let difference = |multiply| timed(LONG, multiply) - timed(SHORT, multiply);
        let ratios: Vec<f64> = (0..32).map(|_| difference(true) / difference(false)).collect();

        // Per n the middle of several readings, all less the shortest one's, against the line through the longest.
        let middles: Vec<(f64, f64)> = [64, 128, 256, 512, 1024]
            .map(|steps| {
                let readings: Vec<f64> = (0..16).map(|_| timed(steps, false)).collect();
                (f64::from(steps), middle(&readings))
            })
            .to_vec();
        let (first, last) = (middles[0], middles[middles.len() - 1]);
        let slope = (last.1 - first.1) / (last.0 - first.0);
        let nonlinearity = middles[1..]
            .iter()
            .map(|(steps, ticks)| ((ticks - first.1) / (slope * (steps - first.0)) - 1.0).abs())
            .fold(0.0, f64::max);

        let k: Vec<f64> =
            (0..32).map(|_| ticks_per_cycle(&calibrate(clock, CALIBRATION)).unwrap_or(f64::NAN)).collect();
        let median = stats::median(&k).unwrap_or(f64::NAN);
        let agreeing = k.iter().filter(|&&k| (k / median - 1.0).abs() <= 0.002).count();
        Self { ticks_per_cycle: median, multiply_ratio: middle(&ratios), nonlinearity, agreeing }
    }

    /// Whether ticks are core cycles as they are.
    pub fn counts_cycles(&self) -> bool {
        (self.ticks_per_cycle - 1.0).abs() <= 0.005
    }

    /// Whether ticks may be called cycles after calibration. A reading that is no number fails.
    pub fn passed(&self) -> bool {
        (self.multiply_ratio / 3.0 - 1.0).abs() <= 0.003 && self.nonlinearity <= 0.005 && self.agreeing >= 30
    }
}

impl fmt::Display for SelfTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.4} ticks a cycle, multiply/add chain {:.4} (3 +- 0.3 %), chain linear within {:.2} % (0.5 %), {} of 32 calibrations agree (30)",
            self.ticks_per_cycle,
            self.multiply_ratio,
            self.nonlinearity * 100.0,
            self.agreeing
        )
    }
}

fn middle(values: &[f64]) -> f64 {
    stats::stabilized_quartiles(values).map_or(f64::NAN, |[_, middle, _]| middle)
}

/// Ticks a second, against the system's monotonic clock, over about 20 ms.
pub fn ticks_per_second(clock: &impl Clock) -> f64 {
    let (wall, start) = (std::time::Instant::now(), clock.read());
    while wall.elapsed().as_millis() < 20 {
        core::hint::spin_loop();
    }
    let (elapsed, end) = (wall.elapsed(), clock.read());
    end.wrapping_sub(start) as f64 / elapsed.as_secs_f64()
}
