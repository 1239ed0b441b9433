//! Which cells deserve to be measured again, with twice the rounds.

use std::collections::BTreeSet;

use super::compare::NOISY;
use super::{Cell, Comparison, Mark, Row, Tables, Work};

/// An interval around "neither is faster" that is wider than this decides nothing.
const WIDE: f64 = 0.02;

/// A cell to be measured again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Again {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`; `None`: all of that algorithm, because the block as a whole was noisy.
    pub implementation: Option<String>,
    /// What was measured.
    pub work: Work,
    /// Bytes of a message.
    pub length: usize,
}

/// The cells that deserve it, each once, in order: those whose A/A is above 1 %, those marked `F!` or `~`, and both sides of
/// a comparison of best and best whose interval holds 1 and is wider than 2 %.
///
/// Only cells that stand in blocks with anchors: a figure of the others says nothing about its noise. Where the whole block is
/// to be measured, its implementations are not named one by one. One that is named has to stand beside ours and the anchors
/// again, as before, or the new visits are compared with nothing.
pub fn again(tables: &Tables) -> Vec<Again> {
    let mut list = BTreeSet::new();
    for table in &tables.machines {
        for row in &table.rows {
            let Some(work) = row.work.filter(|work| work.profile.interleaved()) else { continue };
            for cell in &row.cells {
                if let Some(whole) = deserves(cell) {
                    list.insert(Again {
                        algorithm: row.algorithm.clone(),
                        implementation: (!whole).then(|| row.implementation.clone()),
                        work,
                        length: cell.length,
                    });
                }
            }
        }
        for comparison in table.comparisons.iter().filter(|comparison| undecided(comparison)) {
            list.extend([&comparison.ours, &comparison.peer].map(|implementation| Again {
                algorithm: comparison.algorithm.clone(),
                implementation: Some(implementation.clone()),
                work: comparison.work,
                length: comparison.length,
            }));
        }
    }
    let whole = |one: &Again| Again { implementation: None, ..one.clone() };
    list.iter().filter(|one| one.implementation.is_none() || !list.contains(&whole(one))).cloned().collect()
}

/// Whether the cell deserves it, and if so, whether all of its block does.
fn deserves(cell: &Cell) -> Option<bool> {
    let noisy = cell.noise.is_some_and(|noise| noise > NOISY);
    let marked = cell.marks.iter().any(|mark| matches!(mark, Mark::FrequencyChanged | Mark::Processes));
    (noisy || marked).then_some(noisy)
}

fn undecided(comparison: &Comparison) -> bool {
    comparison.interval.is_some_and(|[lower, upper]| lower < 1.0 && upper > 1.0 && upper - lower > WIDE)
}

impl Again {
    /// Whether it means that row.
    pub fn means(&self, row: &Row) -> bool {
        self.algorithm == row.algorithm
            && row.work == Some(self.work)
            && self.implementation.as_ref().is_none_or(|implementation| *implementation == row.implementation)
    }
}
