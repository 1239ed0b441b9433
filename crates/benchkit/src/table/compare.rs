//! One implementation against another, within the same blocks of the same processes.

use std::collections::BTreeMap;

use super::evidence::Timed;
use super::{CellKey, MachineTable, Place, Row, State, Work};
use crate::stats;

/// How long one implementation takes by another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Algorithm id.
    pub algorithm: String,
    /// What both did.
    pub work: Work,
    /// Bytes of a message.
    pub length: usize,
    /// The one whose cycles are divided.
    pub ours: String,
    /// The one by whose cycles they are divided.
    pub peer: String,
    /// Cycles of `ours` by those of `peer`: below 1, ours is faster. Median over (process, block) of the ratio of the
    /// StQ2 of the two visits, overhead subtracted where it is known.
    pub ratio: f64,
    /// 95 % interval by bootstrap over (process, block); `None`: there was one pair. See
    /// [`stats::bootstrap_median`] for fewer than six.
    pub interval: Option<[f64; 2]>,
    /// Blocks that both were visited in.
    pub pairs: usize,
    /// |median of ln(second anchor / first anchor)| in the same blocks.
    pub noise: Option<f64>,
}

impl MachineTable {
    /// Compares two implementations of an algorithm at one length; `None`: they were in no block together, or one of
    /// them does not count.
    pub fn compare(&self, algorithm: &str, work: Work, length: usize, ours: &str, peer: &str) -> Option<Comparison> {
        let key = |implementation: &str| CellKey {
            algorithm: algorithm.to_owned(),
            implementation: implementation.to_owned(),
            work,
            length,
        };
        let (a, b) = (self.middles.get(&key(ours))?, self.middles.get(&key(peer))?);
        let logarithms: Vec<f64> = a
            .iter()
            .filter_map(|(place, a)| Some((a / b.get(place)?).ln()))
            .filter(|logarithm| logarithm.is_finite())
            .collect();
        // The seed follows from what is compared, so that the same records give the same interval.
        let seed = fnv(&[algorithm, &work.to_string(), &length.to_string(), ours, peer]);
        let noise = self.row(algorithm, ours, work).and_then(|row| row.cell(length)?.noise);
        Some(Comparison {
            algorithm: algorithm.to_owned(),
            work,
            length,
            ours: ours.to_owned(),
            peer: peer.to_owned(),
            ratio: stats::median(&logarithms)?.exp(),
            interval: stats::bootstrap_median(&logarithms, seed)
                .map(|interval| [interval.lower.exp(), interval.upper.exp()]),
            pairs: logarithms.len(),
            noise,
        })
    }

    /// The row of an implementation that does some work.
    pub fn row(&self, algorithm: &str, implementation: &str, work: Work) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| row.algorithm == algorithm && row.implementation == implementation && row.work == Some(work))
    }

    /// The best of ours against the best of the others, at every length of every algorithm and work.
    pub(super) fn compare_best(&self) -> Vec<Comparison> {
        let mut groups: Vec<(&str, Work)> = Vec::new();
        for row in &self.rows {
            if let Some(work) = row.work
                && groups.last() != Some(&(&row.algorithm, work))
            {
                groups.push((&row.algorithm, work));
            }
        }
        let mut comparisons = Vec::new();
        for (algorithm, work) in groups {
            for length in self.lengths() {
                let best = |ours: bool| {
                    self.rows
                        .iter()
                        .filter(|row| row.algorithm == algorithm && row.work == Some(work) && row.ours == Some(ours))
                        .filter(|row| row.state == State::Measured)
                        .filter_map(|row| Some((row, row.cell(length)?.best_known().middle())))
                        .min_by(|a, b| a.1.total_cmp(&b.1))
                        .map(|(row, _)| row.implementation.as_str())
                };
                if let (Some(ours), Some(peer)) = (best(true), best(false)) {
                    comparisons.extend(self.compare(algorithm, work, length, ours, peer));
                }
            }
        }
        comparisons
    }
}

/// |median of ln(second / first)| of the two anchors, by algorithm, work and length.
pub(super) fn noise(visits: &[Timed], unsteady: impl Fn(&Timed) -> bool) -> BTreeMap<(String, Work, usize), f64> {
    type Pairs = BTreeMap<Place, [Option<f64>; 2]>;
    let mut anchors: BTreeMap<(String, Work, usize), Pairs> = BTreeMap::new();
    for visit in visits.iter().filter(|visit| !unsteady(visit)) {
        if let Some(which @ (1 | 2)) = visit.anchor {
            let key = (visit.key.algorithm.clone(), visit.key.work, visit.key.length);
            anchors.entry(key).or_default().entry(visit.place).or_default()[usize::from(which) - 1] =
                Some(visit.middle);
        }
    }
    let median = |blocks: Pairs| {
        let logarithms: Vec<f64> = blocks.into_values().filter_map(|[a, b]| Some((b? / a?).ln())).collect();
        stats::median(&logarithms).map(f64::abs)
    };
    anchors.into_iter().filter_map(|(key, blocks)| Some((key, median(blocks)?))).collect()
}

/// FNV-1a over the words, each closed by a byte that none contains.
fn fnv(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
