//! Statistics: pure functions of numbers, in no unit.
//!
//! None of them exists for an empty slice, or where a sample is infinite or no number: the result is `None`, which
//! pages print as `n/a`. Nothing here returns a NaN. The order of the samples does not matter.

use crate::random::Random;

/// Draws of a bootstrap.
pub const DRAWS: usize = 2000;

/// Sorted copy; `None` if there is nothing to say about the samples.
fn sorted(samples: &[f64]) -> Option<Vec<f64>> {
    if samples.is_empty() || !samples.iter().all(|sample| sample.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some(sorted)
}

/// Weight of sorted sample `i` of `n` in stabilized quartile `j` (0, 1, 2). The weights of a quartile sum to 2 n.
fn weight(i: usize, n: usize, j: usize) -> usize {
    let (from, to) = (8 * i, 8 * i + 8);
    let (first, end) = ((2 * j + 1) * n, (2 * j + 3) * n);
    to.min(end).saturating_sub(from.max(first))
}

/// The stabilized quartiles StQ1, StQ2, StQ3 of SUPERCOP (since 20260214): of the n sorted samples, each taken eight
/// times, the means of places n to 3 n, 3 n to 5 n, and 5 n to 7 n. StQ2 is what tables call the median.
///
/// Each lies between samples that it is a mean of, so that StQ1 <= StQ2 <= StQ3 holds exactly.
pub fn stabilized_quartiles(samples: &[f64]) -> Option<[f64; 3]> {
    let sorted = sorted(samples)?;
    let n = sorted.len();
    Some([0, 1, 2].map(|j| {
        let (first, last) = ((2 * j + 1) * n / 8, ((2 * j + 3) * n - 1) / 8);
        // Relative to the first: a mean of equal samples is that sample, without rounding.
        let base = sorted[first];
        let sum: f64 = (first..=last).map(|i| weight(i, n, j) as f64 * (sorted[i] - base)).sum();
        (base + sum / (2 * n) as f64).clamp(base, sorted[last])
    }))
}

/// StQ2 of [`stabilized_quartiles`].
pub fn stabilized_median(samples: &[f64]) -> Option<f64> {
    stabilized_quartiles(samples).map(|quartiles| quartiles[1])
}

/// Quartiles by linear interpolation between order statistics at place (n - 1) p (type 7 of Hyndman and Fan 1996, the
/// one that R and NumPy take by default).
pub fn quartiles(samples: &[f64]) -> Option<[f64; 3]> {
    let sorted = sorted(samples)?;
    Some([0.25, 0.5, 0.75].map(|p| quantile(&sorted, p)))
}

fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * p;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    (low + (high - low) * place.fract()).clamp(low, high)
}

/// The middle sample, or the mean of the two middle ones.
pub fn median(samples: &[f64]) -> Option<f64> {
    Some(quantile(&sorted(samples)?, 0.5))
}

/// The smallest sample.
pub fn min(samples: &[f64]) -> Option<f64> {
    sorted(samples).map(|sorted| sorted[0])
}

/// The largest sample.
pub fn max(samples: &[f64]) -> Option<f64> {
    sorted(samples).map(|sorted| sorted[sorted.len() - 1])
}

/// Arithmetic mean.
pub fn mean(samples: &[f64]) -> Option<f64> {
    // Sorted, so that the rounding does not depend on the order either.
    let sorted = sorted(samples)?;
    Some((sorted.iter().sum::<f64>() / sorted.len() as f64).clamp(sorted[0], sorted[sorted.len() - 1]))
}

/// Standard deviation of a sample (divisor n - 1); `None` for fewer than two.
pub fn deviation(samples: &[f64]) -> Option<f64> {
    let mean = mean(samples)?;
    let sorted = sorted(samples)?;
    if sorted.len() < 2 {
        return None;
    }
    let squares: f64 = sorted.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
    Some((squares / (sorted.len() - 1) as f64).sqrt())
}

/// A straight line y = `slope` x + `intercept`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Change of y for a step of 1 in x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
}

/// The line through points (x, y) whose slope is the median of the slopes of all pairs, and whose intercept is the
/// median of y - slope x (Theil, Sen). `None` without two different x.
pub fn theil_sen(points: &[(f64, f64)]) -> Option<Line> {
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[i + 1..].iter().filter(|b| b.0 != a.0).map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let slope = median(&slopes)?;
    let rest: Vec<f64> = points.iter().map(|(x, y)| y - slope * x).collect();
    Some(Line { slope, intercept: median(&rest)? })
}

/// A median and the interval in which the bootstrap finds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Median of the samples.
    pub estimate: f64,
    /// 2.5 % of the drawn medians lie below.
    pub lower: f64,
    /// 2.5 % of the drawn medians lie above.
    pub upper: f64,
}

/// The median with its 95 % percentile interval from [`DRAWS`] resamplings; `None` for fewer than two samples.
///
/// Fewer than six samples cannot carry 95 %: even the whole of their range misses the true median with probability
/// 2^(1 - n). Whoever prints the interval says how many samples it comes from.
pub fn bootstrap_median(samples: &[f64], seed: u64) -> Option<Interval> {
    let sorted = sorted(samples)?;
    let n = sorted.len();
    if n < 2 {
        return None;
    }
    let mut random = Random::new(seed);
    let mut places = vec![0; n];
    let mut medians: Vec<f64> = (0..DRAWS)
        .map(|_| {
            places.iter_mut().for_each(|place| *place = random.below(n));
            // Places sort like the sorted samples at them, and faster.
            places.sort_unstable();
            let (low, high) = (sorted[places[(n - 1) / 2]], sorted[places[n / 2]]);
            (low + (high - low) / 2.0).clamp(low, high)
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    Some(Interval {
        estimate: quantile(&sorted, 0.5),
        lower: quantile(&medians, 0.025),
        upper: quantile(&medians, 0.975),
    })
}

#[cfg(test)]
mod tests;
