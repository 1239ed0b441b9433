//! What proves the bench itself, on the machine it runs on.
//!
//! The same function is measured as if it were two, and no difference may be found; then one of the two is made 2 %
//! slower, and the difference must be found; mistakes that a bench could overlook are made on purpose, and it must not;
//! and the tables must follow from the records alone. Everything goes through the code that measures hash functions:
//! [`measure`], [`Tables`](crate::table::Tables), [`regression`](crate::table::regression),
//! [`verify`](crate::verify). What is measured is RustCrypto's SHA-2; no family takes part.

mod clocks;
mod pairs;
mod rebuilt;
mod scaled;
mod toy;
mod traps;

use core::fmt;

use serde::{Deserialize, Serialize};

pub use clocks::Readings;
pub use toy::{FOLDED, NEW, OLD, PORTABLE, suite};

use crate::measure;
use crate::protocol::Measure;
use crate::record::Record;

/// One proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What is proved.
    pub name: String,
    /// What was measured.
    pub measured: String,
    /// What it had to be.
    pub bound: String,
    /// Whether it was.
    pub passed: bool,
    /// Whether the machine is refused if it was not: its clock counts no cycles.
    pub refuses: bool,
}

impl Proof {
    fn new(name: impl Into<String>, measured: impl Into<String>, bound: impl Into<String>, passed: bool) -> Self {
        Self { name: name.into(), measured: measured.into(), bound: bound.into(), passed, refuses: false }
    }
}

/// What one process measures for a proof.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// As for every worker.
    pub measure: Measure,
    /// By how much [`NEW`] is slower than [`OLD`].
    pub delays: Vec<Delay>,
}

/// How much longer a call takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    /// Algorithm id.
    pub algorithm: String,
    /// Bytes of a message.
    pub length: usize,
    /// Cycles a call.
    pub cycles: u32,
}

/// Where the proofs are made: on this machine, or on one that a test simulates.
pub trait Rig {
    /// Reads the clock that is used here, on the CPU that is measured on.
    ///
    /// # Errors
    ///
    /// A sentence: there is no clock, or the CPU cannot be had.
    fn clock(&mut self) -> Result<Readings, String>;

    /// Measures in this process, see [`process`].
    ///
    /// # Errors
    ///
    /// A sentence.
    fn here(&mut self, request: &Request) -> Result<Vec<Record>, String>;

    /// Measures in a fresh process, see [`process`].
    ///
    /// # Errors
    ///
    /// A sentence; it ends the proofs.
    fn process(&mut self, request: &Request) -> Result<Vec<Record>, String>;
}

/// Why the proofs came to no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The clock failed its self-test in the processes that measure: the machine is not fit.
    Refused(String),
    /// Anything else.
    Failed(String),
}

impl From<String> for Stop {
    fn from(sentence: String) -> Self {
        Self::Failed(sentence)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Refused(sentence) | Self::Failed(sentence)) = self;
        f.write_str(sentence)
    }
}

/// How much is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// Repetitions of the comparison of a function with itself.
    pub repeats: u64,
    /// Processes of each.
    pub processes: u32,
    /// Visits of each cell in a process.
    pub visits: u32,
    /// Lengths, in bytes, of the two hash functions that are compared with themselves. 576 must be among them.
    pub lengths: Vec<usize>,
    /// Lengths at which eight messages a call are.
    pub batched: Vec<usize>,
    /// Times that a slower copy is looked for.
    pub searches: u64,
    /// How much slower it is.
    pub slower: f64,
}

impl Default for Effort {
    /// 20 repetitions over 51 cells in 6 processes, 10 searches for 2 %.
    fn default() -> Self {
        let all = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 576, 1024, 1536, 2048, 4096, 8192, 16_384, 32_768, 65_536];
        Self {
            repeats: 20,
            processes: 6,
            visits: 4,
            lengths: all.to_vec(),
            batched: all[..13].to_vec(),
            searches: 10,
            slower: 0.02,
        }
    }
}

/// Makes the proofs. `tell` hears what share is done and what is going on.
///
/// If the clock counts no cycles, its own proofs are the only ones: nothing else could be trusted.
///
/// # Errors
///
/// What the rig says, or that no process has a clock that counts cycles.
pub fn prove(
    rig: &mut impl Rig,
    effort: &Effort,
    seed: u64,
    tell: &mut dyn FnMut(f64, &str),
) -> Result<Vec<Proof>, Stop> {
    let mut proofs = Vec::new();
    prove_into(rig, effort, seed, tell, &mut proofs)?;
    Ok(proofs)
}

/// The same; the proofs that were made before an error are there.
///
/// # Errors
///
/// As [`prove`].
pub fn prove_into(
    rig: &mut impl Rig,
    effort: &Effort,
    seed: u64,
    tell: &mut dyn FnMut(f64, &str),
    proofs: &mut Vec<Proof>,
) -> Result<(), Stop> {
    tell(0.0, "the clock");
    let readings = rig.clock()?;
    proofs.extend(readings.proofs());
    if !readings.probe.passed() {
        return Ok(());
    }
    tell(0.01, "traps");
    proofs.extend(traps::all(rig, seed)?);
    tell(0.02, "tables from records");
    proofs.push(rebuilt::prove(rig, seed)?);
    proofs.extend(pairs::prove(rig, effort, seed, tell)?);
    tell(1.0, "done");
    Ok(())
}

/// What a process of a proof does, on this machine's best clock: each record goes to `sink` as it arises.
///
/// # Errors
///
/// As [`measure::run`].
pub fn process(request: &Request, sink: &mut impl FnMut(Record)) -> Result<(), String> {
    measure::run(&suite(&request.delays), &request.measure, sink)
}
