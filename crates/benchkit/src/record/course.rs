//! How a run went: which process did which part of it, and where it was taken up again.

use serde::{Deserialize, Serialize};

use crate::profile::Profile;
use crate::suite::Operation;

/// A worker process is about to be started: which part of the run it does. Where its records stand without its end, it
/// was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Number of the process in the run.
    pub process: u32,
    /// Round, from 1.
    pub round: u32,
    /// Part of the round: several processes do one part where it was cut short.
    pub part: u32,
}

/// The run had been cut short and goes on from here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// UTC, RFC 3339.
    pub resumed: String,
    /// Blocks that were cut short: process, block. They do not count, and are measured again in another process.
    pub cut: Vec<[u32; 2]>,
    /// Bytes of a line that was cut short. They are no longer in the file.
    pub cut_bytes: u64,
}

/// Cells whose figures were noisy or undecided are measured again, in processes from that one on. Their figures are those
/// of the later processes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// Number of the first process that measures again.
    pub process: u32,
    /// Processes each cell is measured in again.
    pub rounds: u32,
    /// The cells.
    pub cells: Vec<RepeatCell>,
    /// Cells that deserved it as well, and for which there was no time.
    pub left_out: u32,
}

/// A cell that is measured again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RepeatCell {
    /// Algorithm id.
    pub algorithm: String,
    /// `provider/backend`; `None`: all of that algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<String>,
    /// What is measured.
    pub operation: Operation,
    /// How it is timed.
    #[serde(default)]
    pub profile: Profile,
    /// Messages a call.
    pub messages: usize,
    /// Bytes of a message.
    pub length: usize,
}
