//! What the proofs measure: RustCrypto's SHA-2, registered several times.

use std::hint::black_box;

use sha2::{Digest, Sha256, Sha512};

use super::Delay;
use crate::clock;
use crate::suite::{Algorithm, Hasher, Implementation, Options, OutputLength, Pages, Suite};

/// What digests are compared with.
pub const PORTABLE: &str = "toy/portable";
/// The function.
pub const OLD: &str = "toy/old";
/// The same function again, slower where that is asked for.
pub const NEW: &str = "toy/new";
/// One that computes the digest of its first message only.
pub const FOLDED: &str = "toy/folded";

/// SHA-256 and SHA-512 as [`PORTABLE`], [`OLD`], [`NEW`] and [`FOLDED`].
pub fn suite(delays: &[Delay]) -> Suite {
    let algorithms = vec![
        algorithm::<Sha256>("sha256", 64, delays),
        algorithm::<Sha512>("sha512", 128, delays), //
    ];
    Suite { family: "proofs", algorithms }
}

pub(super) fn algorithm<D: Digest + 'static>(id: &'static str, block_bytes: usize, delays: &[Delay]) -> Algorithm {
    let delays: Vec<(usize, u32)> =
        delays.iter().filter(|delay| delay.algorithm == id).map(|delay| (delay.length, delay.cycles)).collect();
    // The old one looks its delays up as well and finds none: both are the same code with other data.
    let none: Vec<_> = delays.iter().map(|&(length, _)| (length, 0)).collect();
    Algorithm {
        id,
        pages: Pages::default(),
        block_bytes,
        output: OutputLength::fixed(<D as Digest>::output_size()),
        bits: None,
        options: Options::default(),
        vectors: Vec::new(),
        implementations: vec![
            implementation(PORTABLE, |name| delayed::<D>(name, Vec::new())),
            implementation(OLD, move |name| delayed::<D>(name, none.clone())),
            implementation(NEW, move |name| delayed::<D>(name, delays.clone())),
            implementation(FOLDED, folded::<D>),
        ],
    }
}

/// One of ours, made by `make` from the name of its backend.
pub(super) fn implementation(name: &'static str, make: impl Fn(&'static str) -> Hasher + 'static) -> Implementation {
    let (provider, backend) = name.split_once('/').unwrap_or(("toy", name));
    Implementation::ready(provider, backend, "1", move |_| Ok(make(backend))).ours()
}

/// Hashes, and where a delay is known for the length, does that many operations that wait for the digest.
pub(super) fn delayed<D: Digest>(ran: &'static str, delays: Vec<(usize, u32)>) -> Hasher {
    let hash = move |message: &[u8], output: &mut [u8]| {
        output.copy_from_slice(&D::digest(message));
        if let Some(&(_, cycles)) = delays.iter().find(|(length, _)| *length == message.len())
            && let Some(start) = output.first_chunk()
        {
            black_box(clock::dependent(u64::from_le_bytes(*start), cycles));
        }
    };
    Hasher::new(Box::new(hash), || ran.to_owned())
}

/// What a compiler may make of a loop whose message does not change.
fn folded<D: Digest>(ran: &'static str) -> Hasher {
    let mut once: Option<Vec<u8>> = None;
    let hash = move |message: &[u8], output: &mut [u8]| {
        output.copy_from_slice(once.get_or_insert_with(|| D::digest(message).to_vec()));
    };
    Hasher::new(Box::new(hash), || ran.to_owned())
}
