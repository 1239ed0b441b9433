//! Whether a new build is slower than an old one: pure functions of what two interleaved workers measured.

use std::collections::BTreeSet;

use crate::stats;

/// Slower by less than this is no regression.
pub const SHARE: f64 = 0.01;
/// Nor is slower by fewer cycles than this.
pub const CYCLES: f64 = 12.0;
/// Nor by less than this many times the A/A.
const TIMES_NOISE: f64 = 2.0;
/// Fewer processes only warn.
const PROCESSES: usize = 6;

/// New against old in one block of one process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The process: the n-th of the one build with the n-th of the other.
    pub process: u32,
    /// ln(new / old) of the StQ2 of the two visits.
    pub logarithm: f64,
}

/// What is to be said of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is not slower, as far as can be told.
    Steady,
    /// It looks slower, but there is not enough to say so: fewer than 6 processes, or no A/A.
    Warning,
    /// It is slower. It counts if a second measurement with twice the rounds says so too, see [`confirm`].
    Regression,
}

/// A cell of a new build judged by that of the old one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// How much longer the new one takes: 0.02 is 2 %.
    pub slower: f64,
    /// 95 % interval by bootstrap over (process, block); `None`: there was one block.
    pub interval: Option<[f64; 2]>,
    /// What [`slower`](Self::slower) has to exceed, and the lower end of the interval half of: the largest of 1 %, 12 cycles
    /// and twice the A/A.
    pub threshold: f64,
    /// Processes it comes from.
    pub processes: usize,
    /// What follows.
    pub verdict: Verdict,
}

/// Judges a cell: `old` is what a call of the old build takes, in cycles; `noise` the A/A beside. `None` without a
/// difference, or if a figure is no number.
pub fn judge(differences: &[Difference], old: f64, noise: Option<f64>, seed: u64) -> Option<Judgement> {
    let logarithms: Vec<f64> = differences.iter().map(|difference| difference.logarithm).collect();
    let slower = stats::median(&logarithms)?.exp_m1();
    let threshold = [CYCLES / old, TIMES_NOISE * noise.unwrap_or(0.0)].into_iter().fold(SHARE, f64::max);
    if !(threshold.is_finite() && old > 0.0) {
        return None;
    }
    let interval =
        stats::bootstrap_median(&logarithms, seed).map(|interval| [interval.lower.exp_m1(), interval.upper.exp_m1()]);
    let processes = differences.iter().map(|difference| difference.process).collect::<BTreeSet<_>>().len();
    // One block alone has no interval that could speak against it.
    let beyond = slower > threshold && interval.is_none_or(|[lower, _]| lower > threshold / 2.0);
    let verdict = match (beyond, processes >= PROCESSES && interval.is_some() && noise.is_some()) {
        (false, _) => Verdict::Steady,
        (true, false) => Verdict::Warning,
        (true, true) => Verdict::Regression,
    };
    Some(Judgement { slower, interval, threshold, processes, verdict })
}

/// The last word on a cell that was flagged and measured again: only a repeated flag counts; one that came alone is a
/// warning.
pub const fn confirm(first: &Judgement, again: &Judgement) -> Verdict {
    match (first.verdict, again.verdict) {
        (Verdict::Regression, Verdict::Regression) => Verdict::Regression,
        (Verdict::Steady, Verdict::Steady) => Verdict::Steady,
        _ => Verdict::Warning,
    }
}

#[cfg(test)]
mod tests;
