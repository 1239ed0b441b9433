//! The gate before timing: an implementation whose digests are wrong gets no figure.
//!
//! For one implementation of one algorithm:
//!
//! 1. the files of known answers are those of their manifest;
//! 2. every known answer comes out one-shot, in random pieces, in one ragged batch of all messages in random order, and
//!    bit by bit where the implementation takes bits; Monte Carlo chains come out;
//! 3. it agrees with the family's `portable` at every length from 0 to four blocks and a byte and at every length that
//!    will be timed: at a 64-byte boundary and one byte behind it, twice, streamed, and in batches of every size up to
//!    twice its lanes and one;
//! 4. it leaves its message and the bytes around message and output alone;
//! 5. the backend that ran is the one that was asked for.
//!
//! A panic counts as a failure. Whatever is random follows from the seed.

mod check;
mod guarded;

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sha2::{Digest as _, Sha256};

use self::check::Check;
pub(crate) use self::check::unused_bits;
use crate::random::Random;
use crate::record::Kat;
use crate::rsp::{self, Answer, Item, Monte};
use crate::suite::{Algorithm, Hasher, Implementation, Parameters, VectorFile};

/// Messages of one length that differ from each other, for batches of equal messages.
const EQUAL: usize = 64;

/// Checks one implementation. To check several of one algorithm, make the [`Gate`] once.
pub fn verify(algorithm: &Algorithm, implementation: &Implementation, timed_lengths: &[usize], seed: u64) -> Kat {
    Gate::new(algorithm, timed_lengths, seed).verify(implementation)
}

/// What the implementations of one algorithm are compared with.
#[derive(Debug)]
pub struct Gate<'a> {
    algorithm: &'a Algorithm,
    seed: u64,
    /// SHA-256 of each file by name.
    vectors: BTreeMap<String, String>,
    /// What the files and `portable` say, or why they say nothing.
    expected: Result<Expected, String>,
}

/// The right digests.
#[derive(Debug)]
struct Expected {
    groups: Vec<Group>,
    monte: Vec<(&'static str, Monte)>,
    /// Random bytes; a message of `portable` begins at an offset of less than [`EQUAL`].
    bytes: Vec<u8>,
    /// By length: those from 0 to four blocks and a byte, then those that will be timed.
    lengths: BTreeMap<usize, Vec<u8>>,
    /// Lengths up to here are in `lengths` without a gap.
    dense: usize,
    /// A length, and the digests of so many bytes from each offset.
    equal: (usize, Vec<Vec<u8>>),
    /// By length in bits; empty if the algorithm takes whole bytes only.
    bits: Vec<Vec<u8>>,
}

/// Known answers with the same parameters.
#[derive(Debug)]
struct Group {
    parameters: Parameters,
    answers: Vec<(&'static str, Answer)>,
}

impl<'a> Gate<'a> {
    /// Reads the known answers and has `portable` compute the digests that the others are compared with.
    ///
    /// `timed_lengths`: bytes. What is wrong with the files or with `portable` fails every implementation later.
    pub fn new(algorithm: &'a Algorithm, timed_lengths: &[usize], seed: u64) -> Self {
        let vectors = algorithm.vectors.iter().map(|file| (file.name.to_owned(), sha256(file.text))).collect();
        Self { algorithm, seed, vectors, expected: Expected::new(algorithm, timed_lengths, seed) }
    }

    /// Checks one implementation.
    pub fn verify(&self, implementation: &Implementation) -> Kat {
        let mut kat = Kat {
            algorithm: self.algorithm.id.to_owned(),
            implementation: implementation.name(),
            version: implementation.version.clone(),
            ok: false,
            checks: 0,
            skipped: 0,
            failure: None,
            vectors: self.vectors.clone(),
        };
        let verdict = match &self.expected {
            Err(reason) => Err(reason.clone()),
            Ok(expected) => {
                let mut check = Check::new(self.algorithm, implementation, self.seed);
                let verdict = caught(|| check.everything(expected))
                    .unwrap_or_else(|panic| Err(format!("{}: panicked: {panic}", check.doing())));
                (kat.checks, kat.skipped) = (check.checks, check.skipped);
                verdict
            }
        };
        kat.failure = verdict.err();
        kat.ok = kat.failure.is_none();
        kat
    }
}

impl Expected {
    fn new(algorithm: &Algorithm, timed_lengths: &[usize], seed: u64) -> Result<Self, String> {
        let mut groups: Vec<Group> = Vec::new();
        let mut monte = Vec::new();
        for file in &algorithm.vectors {
            listed(file)?;
            for item in rsp::read(file.name, file.text).map_err(|error| error.to_string())? {
                match item {
                    Item::Monte(chain) => monte.push((file.name, chain)),
                    Item::Answer(answer) => {
                        let parameters = parameters(algorithm, file.name, &answer)?;
                        let found = groups.iter().position(|group| group.parameters == parameters);
                        let at = found.unwrap_or_else(|| {
                            groups.push(Group { parameters, answers: Vec::new() });
                            groups.len() - 1
                        });
                        groups[at].answers.push((file.name, answer));
                    }
                }
            }
        }
        if groups.is_empty() {
            return Err(format!("{} has no known answers", algorithm.id));
        }
        caught(|| Self::computed(algorithm, timed_lengths, seed, groups, monte))
            .unwrap_or_else(|panic| Err(format!("portable, which it is compared with, panicked: {panic}")))
    }

    /// The digests of `portable`.
    fn computed(
        algorithm: &Algorithm,
        timed_lengths: &[usize],
        seed: u64,
        groups: Vec<Group>,
        monte: Vec<(&'static str, Monte)>,
    ) -> Result<Self, String> {
        let reference =
            algorithm.reference().ok_or_else(|| format!("{} has no portable to compare with", algorithm.id))?;
        let mut hasher = reference.make(&Parameters::default())?;
        let mut digest = |message: &[u8]| {
            let mut output = vec![0; algorithm.output.default];
            (hasher.hash)(message, &mut output);
            output
        };
        let dense = 4 * algorithm.block_bytes + 1;
        let longest = timed_lengths.iter().copied().max().unwrap_or(0).max(dense);
        let mut bytes = vec![0; longest + EQUAL];
        Random::new(seed).fill(&mut bytes);
        let lengths = (0..=dense).chain(timed_lengths.iter().copied());
        let lengths: BTreeMap<_, _> = lengths.map(|length| (length, digest(&bytes[..length]))).collect();
        // Two blocks of padding, no two, one: what is equal in all lanes may still be any of them.
        let equal = 1 + Random::new(seed ^ 1).below(dense);
        let equal = (equal, (0..EQUAL).map(|offset| digest(&bytes[offset..][..equal])).collect());
        let mut bits = Vec::new();
        if algorithm.bits.is_some() {
            let call = hasher.bits.as_mut().ok_or("portable takes no bits, though the algorithm does")?;
            for length in 0..=2 * 8 * algorithm.block_bytes as u64 + 9 {
                let mut output = vec![0; algorithm.output.default];
                call(&bytes[..length.div_ceil(8) as usize], length, &mut output);
                bits.push(output);
            }
        }
        Ok(Self { groups, monte, bytes, lengths, dense, equal, bits })
    }
}

/// Refuses a file that is not the one of its manifest.
fn listed(file: &VectorFile) -> Result<(), String> {
    let computed = sha256(file.text);
    let line = file.manifest.lines().find_map(|line| {
        let (digest, name) = line.split_once("  ")?;
        (name == file.name).then_some(digest)
    });
    match line {
        None => Err(format!("{} is not in its manifest", file.name)),
        Some(digest) if digest != computed => Err(format!(
            "{} is not the file of its manifest: SHA-256 {}, not {}",
            file.name,
            shortened(&computed),
            shortened(digest)
        )),
        Some(_) => Ok(()),
    }
}

/// What an entry asks for; the digest's length only if it is not the usual one.
fn parameters(algorithm: &Algorithm, file: &str, answer: &Answer) -> Result<Parameters, String> {
    let length = answer.digest.len();
    if !algorithm.output.allows(length) {
        return Err(format!("{file}, line {}: {} has no digest of {length} bytes", answer.line, algorithm.id));
    }
    let output_length = (length != algorithm.output.default).then_some(length);
    Ok(Parameters { output_length, ..answer.parameters.clone() })
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// Runs it; a panic becomes its message.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
    })
}

/// The first digits of a digest.
fn shortened(hex: &str) -> String {
    match hex.get(..16) {
        Some(first) if hex.len() > 18 => format!("{first}.."),
        _ => hex.to_owned(),
    }
}

#[cfg(test)]
mod tests;
