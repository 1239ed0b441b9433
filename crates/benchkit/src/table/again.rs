//! Which cells deserve to be measured again, with twice the rounds.

use std::collections::BTreeSet;
use std::fmt;

use super::compare::NOISY;
use super::evidence::Evidence;
use super::{Cell, Comparison, MachineTable, Mark, Row, Tables, Work};
use crate::record::RepeatCell;

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
    let list: BTreeSet<Again> = tables.machines.iter().flat_map(of).collect();
    let whole = |one: &Again| Again { implementation: None, ..one.clone() };
    list.iter().filter(|one| one.implementation.is_none() || !list.contains(&whole(one))).cloned().collect()
}

fn of(table: &MachineTable) -> BTreeSet<Again> {
    let mut list = BTreeSet::new();
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
    list
}

/// What a table says of the cells of a run that were measured again: which of them are noisy or undecided still. `None`:
/// there are none.
pub(super) fn repeated(run: &Evidence<'_>, table: &MachineTable) -> Option<String> {
    const NAMED: usize = 6;
    let cells: BTreeSet<Again> = run.repeats.iter().flat_map(|repeat| &repeat.cells).map(Again::of).collect();
    let left_out: u32 = run.repeats.iter().map(|repeat| repeat.left_out).sum();
    let rounds = run.repeats.iter().map(|repeat| repeat.rounds).max()?;
    let now = of(table);
    // A block that was noisy as a whole may be so again, or only one of those in it.
    let still = |cell: &&Again| {
        now.iter().any(|one| {
            let named = cell.implementation.is_none() || one.implementation.is_none();
            (&one.algorithm, one.work, one.length) == (&cell.algorithm, cell.work, cell.length)
                && (named || one.implementation == cell.implementation)
        })
    };
    let noisy: Vec<String> = cells.iter().filter(still).map(Again::to_string).collect();
    let mut text = format!(
        "run {}: {} noisy or undecided cells were measured again in {rounds} processes instead of {}, and their figures are \
         the later ones; ",
        run.run.run,
        cells.len(),
        run.run.rounds
    );
    match noisy.len() {
        0 => text.push_str("none is noisy or undecided still"),
        many => {
            let more = if many > NAMED { format!(" and {} more", many - NAMED) } else { String::new() };
            let named = noisy.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
            text.push_str(&format!("{many} are so still: {named}{more}"));
        }
    }
    if left_out > 0 {
        text.push_str(&format!("; for {left_out} others there was no time"));
    }
    Some(text)
}

impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.implementation.as_deref().unwrap_or("(all)");
        write!(f, "{} {all} {} {}", self.algorithm, self.work, self.length)
    }
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
    /// As a record says it.
    fn of(cell: &RepeatCell) -> Self {
        Self {
            algorithm: cell.algorithm.clone(),
            implementation: cell.implementation.clone(),
            work: cell.work(),
            length: cell.length,
        }
    }

    /// What a record says of it.
    pub fn record(&self) -> RepeatCell {
        RepeatCell {
            algorithm: self.algorithm.clone(),
            implementation: self.implementation.clone(),
            operation: self.work.operation,
            profile: self.work.profile,
            messages: self.work.messages,
            length: self.length,
        }
    }

    /// Whether it means that row.
    pub fn means(&self, row: &Row) -> bool {
        self.algorithm == row.algorithm
            && row.work == Some(self.work)
            && self.implementation.as_ref().is_none_or(|implementation| *implementation == row.implementation)
    }
}
