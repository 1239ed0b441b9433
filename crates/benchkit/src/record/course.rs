//! How a run went: which process did which part of it, and where it was taken up again.

use serde::{Deserialize, Serialize};

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
