//! What is said between `cargo xtask` and a worker.
//!
//! A worker is the program that a family's `benches/matrix.rs` becomes. It is started as `WORKER worker COMMAND JSON` and
//! answers with one JSON value a line on standard output; whatever is wrong goes to standard error, with exit status 1.
//!
//! | command | JSON argument | standard output |
//! |---|---|---|
//! | `list` | none | one [`List`] |
//! | `verify` | [`Verify`] | one [`Kat`](crate::record::Kat) record a cell; status 2 if one failed |
//! | `measure` | [`Measure`] | records as they arise |
//! | `digest` | [`Digest`] | `HEX  NAME` lines (not JSON); standard input is the user's |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::clock::choose::Choice;
use crate::profile::Profile;
use crate::suite::{Absent, BitOrder, Operation, Options, OutputLength, Pages};

/// Both sides refuse another number.
pub const VERSION: u32 = 1;

/// Answer to `list`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct List {
    /// [`VERSION`].
    pub protocol: u32,
    /// The family crate.
    pub family: String,
    /// What it offers.
    pub algorithms: Vec<AlgorithmInfo>,
}

/// One algorithm, described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmInfo {
    /// Workspace-wide id.
    pub id: String,
    /// Names on published pages.
    pub pages: Pages,
    /// Bytes that one compression takes in.
    pub block_bytes: usize,
    /// Digest lengths.
    pub output: OutputLength,
    /// Bit order of bit-level input; `None`: whole bytes only.
    pub bits: Option<BitOrder>,
    /// Optional inputs.
    pub options: Options,
    /// Everything that implements it, present or not.
    pub implementations: Vec<ImplementationInfo>,
}

/// One implementation, described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImplementationInfo {
    /// `provider/backend`.
    pub name: String,
    /// Whose code.
    pub provider: String,
    /// Which kernel.
    pub backend: String,
    /// Version of the code.
    pub version: String,
    /// Whether it is this workspace's own.
    pub ours: bool,
    /// Whether it can run here.
    pub available: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<Absent>,
    /// What it can be measured with.
    pub operations: Vec<Operation>,
    /// Messages that its widest kernel hashes at once; 0: no batch.
    pub lanes: usize,
    /// Environment that its process needs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// Argument of `verify`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verify {
    /// The cells to check.
    pub cells: Vec<Cell>,
    /// Lengths that will be timed; they are compared with `portable` besides those around the block edges.
    pub lengths: Vec<usize>,
}

/// An algorithm in one implementation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`.
    pub implementation: String,
}

/// Argument of `measure`: what one process measures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// Number of this process in the run.
    pub process: u32,
    /// From which every random choice of the process follows.
    pub seed: u64,
    /// CPU to stay on; `None`: where the system puts it.
    pub cpu: Option<usize>,
    /// The only clock to use; `None`: the best that passes its self-test.
    #[serde(default)]
    pub clock: Option<Choice>,
    /// Timed calls a visit (16).
    pub samples: usize,
    /// What to measure, in any order: the process shuffles.
    pub plan: Vec<Planned>,
    /// `false`: no two anchors in each block.
    pub anchors: bool,
}

/// The cells of one algorithm under one operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Planned {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend` names; all of them are visited in each block.
    pub implementations: Vec<String>,
    /// What is measured.
    pub operation: Operation,
    /// How it is timed.
    #[serde(default)]
    pub profile: Profile,
    /// The profile's own time, where it has one.
    #[serde(default)]
    pub seconds: f64,
    /// Messages a call for `batch` and `ragged`; 1 otherwise.
    pub messages: usize,
    /// Bytes of a message, and how many visits each cell gets in this process.
    pub lengths: Vec<PlannedLength>,
}

/// One length of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedLength {
    /// Bytes of a message.
    pub bytes: usize,
    /// Visits of each cell.
    pub visits: u32,
}

/// Argument of `digest`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Digest {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`, or a bare backend of ours; `None`: ours, the best.
    pub backend: Option<String>,
    /// Bytes of output.
    pub output_length: Option<usize>,
    /// Hexadecimal, as typed.
    pub key: Option<String>,
    /// Hexadecimal, as typed.
    pub salt: Option<String>,
    /// Hexadecimal, as typed.
    pub personalization: Option<String>,
    /// Hexadecimal, as typed.
    pub customization: Option<String>,
    /// Standard input holds a message a line, in hex.
    pub lines: bool,
    /// Lines go through `digest_many`.
    pub batch: bool,
    /// Files; `-` or none: standard input. Absolute, or relative to the worker's folder.
    pub files: Vec<String>,
}
