//! From records to the figures that pages show.
//!
//! A [`Cell`] pools every timed call that counts: those of visits that were not discarded and whose digest was right,
//! over all processes and runs. Each sample is divided by the calibration of its own visit before anything is pooled.
//! Machines, clocks and units are never merged: each combination is a [`MachineTable`] of its own. The order of the
//! records does not matter.

use std::collections::BTreeMap;
use std::fmt;

use crate::machine::Machine;
use crate::profile::Profile;
use crate::protocol::AlgorithmInfo;
use crate::record::{End, ReadOutcome, Run, Unit};
use crate::suite::Operation;

mod again;
mod cell;
mod compare;
mod evidence;
mod judge;
pub mod regression;
mod rows;

pub use again::{Again, again};
pub use compare::Comparison;

/// Everything that the records say, ready for a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// One for each machine, clock and unit.
    pub machines: Vec<MachineTable>,
}

impl Tables {
    /// Derives the tables from what was read.
    pub fn build(outcomes: &[ReadOutcome]) -> Self {
        rows::build(outcomes)
    }

    /// Whether that holds of every machine: [`MachineTable::whole`].
    pub fn are_whole(&self) -> bool {
        self.machines.iter().all(|machine| machine.whole)
    }

    /// Rows that failed the known answers, or gave a wrong digest while they were timed.
    pub fn failures(&self) -> usize {
        self.machines.iter().flat_map(|machine| &machine.rows).filter(|row| row.state.failed()).count()
    }
}

/// What was measured on one machine with one clock in one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineTable {
    /// As the newest run describes it.
    pub machine: Machine,
    /// Name of the clock; `None`: nothing was measured.
    pub clock: Option<String>,
    /// What its calibrated ticks may be called. Wherever a field below says cycles and this says ticks, it is ticks.
    pub unit: Unit,
    /// Ticks of the clock a second: median over the processes.
    pub ticks_per_second: Option<f64>,
    /// Ticks of the clock in one core cycle: median over the visits.
    pub ticks_per_cycle: Option<f64>,
    /// The runs that took part, oldest first.
    pub runs: Vec<RunInfo>,
    /// More than 8 % of the visits had to be repeated because the system took the CPU away.
    pub contended: bool,
    /// The algorithms of the rows, in their order.
    pub algorithms: Vec<AlgorithmInfo>,
    /// By algorithm (families together), then by operation and messages, then in the family's order.
    pub rows: Vec<Row>,
    /// The best of ours against the best of the others, wherever both stood in the same blocks. Which of the others is
    /// best is decided by its ratio to ours within these blocks, so that one that needs a process of its own takes part.
    pub comparisons: Vec<Comparison>,
    /// What a reader must know besides the rows.
    pub warnings: Vec<String>,
    /// No process was left out because its records contradict each other, and no visit for want of its calibration; the
    /// warnings name those that were.
    pub whole: bool,
    /// StQ2 of each visit, overhead subtracted where it is known.
    middles: Middles,
    /// ln(second anchor / first anchor) of each block.
    anchors: compare::Anchors,
    /// The process of a run from which on cells were measured again.
    repeats: BTreeMap<usize, u32>,
}

type Middles = BTreeMap<CellKey, BTreeMap<Place, cell::Middle>>;

/// A run that took part.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its head.
    pub run: Run,
    /// Its last line; `None`: it was cut short.
    pub end: Option<End>,
    /// Processes that measured with this table's clock.
    pub processes: usize,
}

/// What one call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work {
    /// The operation.
    pub operation: Operation,
    /// Messages a call.
    pub messages: usize,
    /// How it was timed.
    pub profile: Profile,
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.messages {
            0 | 1 => self.operation.fmt(f)?,
            many => write!(f, "{} x{many}", self.operation)?,
        }
        match self.profile {
            Profile::Native => Ok(()),
            other => write!(f, ", {other}"),
        }
    }
}

/// One implementation of one algorithm, doing one kind of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`.
    pub implementation: String,
    /// Version of the code, where it is known.
    pub version: Option<String>,
    /// Whether it is this workspace's own, where it is known.
    pub ours: Option<bool>,
    /// What was measured; `None`: the row is about the implementation as a whole, which was not timed.
    pub work: Option<Work>,
    /// Whether there are figures, and if not, why.
    pub state: State,
    /// By length.
    pub cells: Vec<Cell>,
    /// The further cost of 2048 bytes beyond 2048, from pairs (4096 minus 2048 bytes) within a process: the j-th block
    /// of the one length with the j-th of the other, the t-th timed call with the t-th. Its `length` is 2048.
    pub long: Option<Cell>,
    /// The line through the long lengths.
    pub slope: Option<Slope>,
}

impl Row {
    /// The cell of a length.
    pub fn cell(&self, length: usize) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.length == length)
    }

    /// The cell of a column; the line has none.
    pub fn at(&self, column: Column) -> Option<&Cell> {
        match column {
            Column::Length(length) => self.cell(length),
            Column::Long => self.long.as_ref(),
            Column::Slope | Column::Fixed => None,
        }
    }
}

/// Whether a row has figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It has.
    Measured,
    /// It failed the known answers and was not timed, or its times do not count.
    KatFail {
        /// The first thing that did not agree.
        reason: String,
    },
    /// A digest was wrong while it was timed: none of its times count.
    DigestFail {
        /// Where.
        reason: String,
    },
    /// It cannot run on that machine.
    Absent {
        /// Why.
        reason: String,
        /// What would mend it.
        remedy: Option<String>,
    },
}

impl State {
    /// Whether something computed a wrong digest.
    pub const fn failed(&self) -> bool {
        matches!(self, Self::KatFail { .. } | Self::DigestFail { .. })
    }
}

/// Behind the names of implementations of the second build, `-C target-cpu=native`.
pub const NATIVE: &str = "+native";

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// Bytes of a message.
    Length(usize),
    /// [`Row::long`].
    Long,
    /// [`Slope::cycles_per_byte`].
    Slope,
    /// [`Slope::fixed_cycles`].
    Fixed,
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "{length}"),
            Self::Long => write!(f, "long"),
            Self::Slope => write!(f, "slope"),
            Self::Fixed => write!(f, "fixed"),
        }
    }
}

/// What was measured at one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Bytes of a message (the mean for `ragged`).
    pub length: usize,
    /// Bytes of all messages of a call.
    pub bytes: usize,
    /// Cycles a call, nothing subtracted.
    pub raw: Summary,
    /// Cycles a call less those of a call that does nothing; `None`: that was not measured.
    pub net: Option<Summary>,
    /// Cycles of each of the first 16 calls of a visit, the cold ones among them, nothing subtracted: what SUPERCOP times.
    /// `None`: they were not stored, as in every profile but `native`.
    pub first: Option<Summary>,
    /// The figure of the profile's own page; `None`: its figures are quartiles.
    pub own: Option<Own>,
    /// Timed calls, or loops of calls.
    pub samples: usize,
    /// Visits they come from (pairs of visits for `long`).
    pub visits: usize,
    /// Processes they come from.
    pub processes: usize,
    /// Runs they come from.
    pub runs: usize,
    /// Largest minus smallest StQ2 of a process, in cycles a call; `None`: there was one process.
    pub process_spread: Option<f64>,
    /// Ticks a cycle during these visits by those of the process: above 1, the code runs at a lower frequency.
    pub slowdown: Option<f64>,
    /// Visits that were left out because the frequency changed by more than 1 % within them.
    pub left_out: usize,
    /// |median of ln(second anchor / first anchor)| in the same blocks.
    pub noise: Option<f64>,
    /// What to be careful about.
    pub marks: Vec<Mark>,
}

impl Cell {
    /// Net if it is known, else raw.
    pub fn best_known(&self) -> &Summary {
        self.net.as_ref().unwrap_or(&self.raw)
    }

    /// A figure in cycles a call as cycles a byte; `None` without bytes.
    pub fn per_byte(&self, cycles_per_call: f64) -> Option<f64> {
        (self.bytes > 0).then(|| cycles_per_call / self.bytes as f64)
    }
}

/// The figure that a published page takes, see [`Profile::figure`]: the median of those of the visits. Nothing is
/// subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// Cycles a call.
    pub cycles: f64,
    /// Seconds a call by the rate of the clock, whatever the core did meanwhile.
    pub seconds: f64,
}

/// Statistics of the samples of a cell, in cycles a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Stabilized quartiles.
    pub quartiles: [f64; 3],
    /// Classic quartiles.
    pub classic: [f64; 3],
    /// Smallest.
    pub min: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation; `None` for one sample.
    pub deviation: Option<f64>,
}

impl Summary {
    /// StQ2.
    pub const fn middle(&self) -> f64 {
        self.quartiles[1]
    }
}

/// Theil-Sen line through StQ2 (net where it is known) of the lengths from 2048 to 65536.
#[derive(Clone, Debug, PartialEq)]
pub struct Slope {
    /// Cycles for each further byte.
    pub cycles_per_byte: f64,
    /// Cycles a call costs besides.
    pub fixed_cycles: f64,
    /// The lengths.
    pub lengths: Vec<usize>,
    /// Whether all of them are multiples of the algorithm's block; if not, the line runs through the steps of the
    /// padding too.
    pub aligned: bool,
}

/// A warning about one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// `?`
    Spread,
    /// `~`
    Processes,
    /// `f`
    OwnFrequency,
    /// `F`
    Frequency,
    /// `F!`
    FrequencyChanged,
    /// `s`
    Steal,
    /// `c`
    Shared,
    /// `o`
    Overhead,
    /// `r`
    Runs,
    /// `u`
    Ticks,
}

impl Mark {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 10] = [
        Self::Spread,
        Self::Processes,
        Self::OwnFrequency,
        Self::Frequency,
        Self::FrequencyChanged,
        Self::Steal,
        Self::Shared,
        Self::Overhead,
        Self::Runs,
        Self::Ticks,
    ];

    /// As printed behind a figure.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Spread => "?",
            Self::Processes => "~",
            Self::OwnFrequency => "f",
            Self::Frequency => "F",
            Self::FrequencyChanged => "F!",
            Self::Steal => "s",
            Self::Shared => "c",
            Self::Overhead => "o",
            Self::Runs => "r",
            Self::Ticks => "u",
        }
    }

    /// What it means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Spread => "wide spread: StQ3 - StQ1 above 5 % of StQ2 and above 48 cycles",
            Self::Processes => "processes differ by more than 3 % and 32 cycles",
            Self::OwnFrequency => {
                "the code changes the frequency of the core by more than 1 %; cycles, not time, compare"
            }
            Self::Frequency => "the frequency changed by more than 0.2 % within a visit",
            Self::FrequencyChanged => "the frequency changed by more than 1 % within every visit",
            Self::Steal => "the hypervisor took CPU time away during half of the processes or more",
            Self::Shared => "somebody else used the core's units beside every visit: too large a figure, most likely",
            Self::Overhead => "the overhead that was subtracted is uncertain by more than 2 % of the figure",
            Self::Runs => "runs differ by more than 1 % and the noise; the newest is shown",
            Self::Ticks => "ticks of the clock, which failed its self-test: no core cycles",
        }
    }
}

/// What a cell is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CellKey {
    algorithm: String,
    implementation: String,
    work: Work,
    length: usize,
}

/// Where in time a visit stood: run, process, block.
type Place = (usize, u32, u32);

impl MachineTable {
    /// Lengths that some row has a cell for.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// The marks that occur, in the order of [`Mark::ALL`].
    pub fn marks(&self) -> Vec<Mark> {
        let cells = || self.rows.iter().flat_map(|row| row.cells.iter().chain(&row.long));
        Mark::ALL.into_iter().filter(|mark| cells().any(|cell| cell.marks.contains(mark))).collect()
    }

    /// The marks that every figure bears, if there are several figures: said once, they need not stand behind each.
    pub fn common_marks(&self) -> Vec<Mark> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let common = |mark: &Mark| cells().nth(1).is_some() && cells().all(|cell| cell.marks.contains(mark));
        Mark::ALL.into_iter().filter(common).collect()
    }

    /// The kinds of work that were measured.
    pub fn works(&self) -> Vec<Work> {
        let mut works: Vec<Work> = self.rows.iter().filter_map(|row| row.work).collect();
        works.sort_unstable();
        works.dedup();
        works
    }

    /// What a record says of an algorithm.
    pub fn algorithm(&self, id: &str) -> Option<&AlgorithmInfo> {
        self.algorithms.iter().find(|algorithm| algorithm.id == id)
    }

    /// Frequency of the core as measured, in hertz.
    pub fn core_hertz(&self) -> Option<f64> {
        Some(self.ticks_per_second? / self.ticks_per_cycle?)
    }
}

#[cfg(test)]
pub(crate) mod simulated;
#[cfg(test)]
mod tests;
