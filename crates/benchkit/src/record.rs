//! The evidence: one JSON object a line, written as it arises.
//!
//! Every number is as read: ticks of the clock, never converted. Whatever a table shows follows from the `visit` and
//! `cal` lines alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::profile::Profile;
use crate::suite::Operation;

mod append;
mod course;
mod read;

pub use append::Appender;
pub use course::{Repeat, RepeatCell, Resume, Start};
pub use read::{Problem, ReadOutcome, read, read_lines};

/// Version of the records. A reader refuses a newer one and says so.
pub const SCHEMA: u32 = 1;

/// One line of a record file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Record {
    /// First line: the machine, the arguments, the seeds.
    Run(Box<Run>),
    /// An algorithm as its family's worker described it: names on pages, block length, whose implementations are ours.
    Algorithm(Box<crate::protocol::AlgorithmInfo>),
    /// A process of the run is about to be started.
    Start(Start),
    /// A process of the run began.
    Process(Process),
    /// An implementation that cannot run here keeps its row.
    Absent(AbsentRow),
    /// What the known-answer gate found.
    Kat(Kat),
    /// One calibration of the clock.
    Cal(Cal),
    /// A process ended of itself.
    ProcessEnd(ProcessEnd),
    /// Timed calls that do nothing.
    Overhead(Overhead),
    /// Timed calls of one implementation at one length.
    Visit(Visit),
    /// From here on cells are measured again.
    Repeat(Repeat),
    /// The run had been cut short and goes on.
    Resume(Resume),
    /// Last line of a run that was not cut short.
    End(End),
}

/// The head of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Unique: machine folder and file name follow from it.
    pub run: String,
    /// UTC, RFC 3339.
    pub started: String,
    /// The command line after `cargo xtask`.
    pub arguments: Vec<String>,
    /// From which every random choice of the run follows.
    pub seed: u64,
    /// Processes each cell is measured in.
    pub rounds: u32,
    /// CPU the workers are pinned to.
    pub cpu: Option<usize>,
    /// What machine this is.
    pub machine: crate::machine::Machine,
    /// How the workers were built.
    pub build: Build,
}

/// How the workers were built.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// `rustc -vV`.
    pub rustc: String,
    /// Cargo profile.
    pub profile: String,
    /// `RUSTFLAGS` in force.
    pub rustflags: String,
    /// `RUSTFLAGS` of the second build, whose rows are `+native`; empty: there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub native_rustflags: String,
    /// SHA-256 of Cargo.lock.
    pub lock: String,
    /// SHA-256 of each worker, by family.
    pub workers: BTreeMap<String, String>,
    /// Commit of the workspace; empty outside git.
    pub commit: String,
    /// Whether the work tree differed from it.
    pub dirty: bool,
}

/// A worker process began to measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// Number in the run.
    pub process: u32,
    /// The family whose worker it is.
    pub family: String,
    /// Its seed.
    pub seed: u64,
    /// Name of the clock: `tsc`.
    pub clock: String,
    /// Ticks a second, measured against the system's clock.
    pub ticks_per_second: f64,
    /// What calibrated ticks may be called: decided by the clock's self-test.
    pub unit: Unit,
    /// What the self-test read, in words.
    pub self_test: String,
    /// CPU it is pinned to.
    pub cpu: Option<usize>,
    /// Whether the buffers are locked in memory.
    pub locked: bool,
    /// Environment it was started with besides the usual.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// What calibrated ticks may be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Core cycles: the self-test passed.
    Cycles,
    /// Ticks of the clock: it failed.
    #[default]
    Ticks,
}

/// A worker process ended of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessEnd {
    /// Number in the run.
    pub process: u32,
    /// Visits it wrote.
    pub visits: u64,
    /// Visits that were tried again because the CPU had been taken away.
    pub repeated_for_switch: u64,
    /// Time that the hypervisor gave to others meanwhile, in clock ticks over all CPUs.
    pub steal: Option<u64>,
}

/// An implementation that is not here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AbsentRow {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`.
    pub implementation: String,
    /// Why.
    pub reason: String,
    /// What would mend it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// Result of the known-answer gate for one implementation of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kat {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`.
    pub implementation: String,
    /// Version of the code.
    pub version: String,
    /// Whether everything agreed.
    pub ok: bool,
    /// Digests that were compared.
    pub checks: u64,
    /// Known answers that it takes no part in: bit-level ones, or ones with a parameter that it lacks.
    #[serde(default)]
    pub skipped: u64,
    /// The first thing that did not agree, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// SHA-256 of each vector file that was used, by name.
    pub vectors: BTreeMap<String, String>,
}

/// One calibration: ticks of 192 x 64 dependent one-cycle operations, several times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cal {
    /// Number in the process.
    pub cal: u32,
    /// Process it belongs to.
    pub process: u32,
    /// Ticks as read.
    pub ticks: Vec<u64>,
    /// How often the CPU had to settle before it.
    pub settled: u32,
    /// Ticks of 32 x 64 groups of four independent one-cycle operations, several times: whether the core is shared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wide: Vec<u64>,
}

/// Timed calls that do nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// Process it belongs to.
    pub process: u32,
    /// Ticks as read.
    pub ticks: Vec<u64>,
    /// Calibrations before and after.
    pub cal: [u32; 2],
}

/// Timed calls of one implementation at one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Process it belongs to.
    pub process: u32,
    /// Block in the process; all of a block stand side by side in time.
    pub block: u32,
    /// Place in the block.
    pub position: u32,
    /// Try of the same visit, from 0.
    pub attempt: u32,
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`.
    pub implementation: String,
    /// What was measured.
    pub operation: Operation,
    /// How it was timed.
    #[serde(default)]
    pub profile: Profile,
    /// Bytes of a message.
    pub length: usize,
    /// Messages a call.
    pub messages: usize,
    /// Seed of the message.
    pub seed: u64,
    /// Calls that each of the ticks holds.
    #[serde(default = "one")]
    pub calls: u64,
    /// Ticks of each timed call, or loop of `calls` calls, as read.
    pub ticks: Vec<u64>,
    /// For `threads`, where a call is one message of each thread: for each of the ticks, the messages that each thread
    /// finished within it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finished: Vec<Vec<u64>>,
    /// Ticks of each call before them.
    pub untimed: Vec<u64>,
    /// Calibrations before and after.
    pub cal: [u32; 2],
    /// Involuntary context switches during the visit.
    pub switches: u64,
    /// Whether the digest of the last timed call was right.
    pub digest_ok: bool,
    /// Which of the two registrations of the anchor it is (1 or 2), if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<u8>,
    /// Why it does not count, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarded: Option<Discarded>,
}

const fn one() -> u64 {
    1
}

/// Why a visit does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Discarded {
    /// It opened its block.
    Opening,
    /// Its calibrations differed and a later or earlier try was better.
    Frequency,
    /// The CPU was taken away and a later or earlier try was better.
    Switch,
    /// Somebody else used the core's units and a later or earlier try was better.
    Shared,
}

/// The run was not cut short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// UTC, RFC 3339.
    pub ended: String,
    /// Visits that were written.
    pub visits: u64,
    /// `complete`, or why it stopped.
    pub outcome: String,
}
