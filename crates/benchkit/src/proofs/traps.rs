//! Mistakes made on purpose: each must be caught, and what is right beside it must not be.

use sha2::{Digest as _, Sha256};

use super::pairs::{self, Cell, Measurement};
use super::toy::{self, FOLDED, OLD, PORTABLE};
use super::{Proof, Rig, Stop};
use crate::record::{Kat, Record};
use crate::suite::{Implementation, Operation, VectorFile};
use crate::table::State;
use crate::verify;

/// The empty message, "abc", and the two-block message of FIPS 180-2, appendix B.
const VECTORS: &str = "[L = 32]\n
Len = 0\nMsg = 00\nMD = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n
Len = 24\nMsg = 616263\nMD = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n
Len = 448\nMsg = 6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c6a6b6c6d6b6c6d6e6c6d6e6f\
6d6e6f706e6f7071\nMD = 248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1\n";
/// The same with one digit of a digest changed.
const CORRUPTED: &str = "[L = 32]\n
Len = 0\nMsg = 00\nMD = e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n
Len = 24\nMsg = 616263\nMD = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ae\n";

pub(super) fn all(rig: &mut impl Rig, seed: u64) -> Result<Vec<Proof>, Stop> {
    let wrong = toy::implementation("toy/fast", |_| toy::delayed::<Sha256>("portable", Vec::new()));
    Ok(vec![folding(rig, seed)?, backend(wrong, seed), vectors(CORRUPTED, seed)])
}

/// A digest that is not computed for each message, timed beside one that is.
fn folding(rig: &mut impl Rig, seed: u64) -> Result<Proof, Stop> {
    let cells = [Cell { algorithm: "sha256", operation: Operation::Hash, messages: 1, length: 64 }];
    let measurement = Measurement { implementations: &[OLD, FOLDED], processes: 1, visits: 4, delays: &[] };
    let records = measurement.records(rig, &cells, seed)?;
    let wrong = |name: &str| {
        let visits = records.iter().filter_map(|record| match record {
            Record::Visit(visit) if visit.implementation == name && visit.anchor.is_none() => Some(visit),
            _ => None,
        });
        visits.filter(|visit| !visit.digest_ok).count()
    };
    let tables = pairs::tables(records.clone(), seed);
    let state = |name: &str| {
        let mut rows = tables.machines.iter().flat_map(|machine| &machine.rows);
        rows.find(|row| row.implementation == name).map(|row| row.state.clone())
    };
    let caught = matches!(state(FOLDED), Some(State::DigestFail { .. }));
    let passed = caught && state(OLD) == Some(State::Measured);
    let measured = format!("{} wrong digests timed, {} in the honest one", wrong(FOLDED), wrong(OLD));
    Ok(Proof::new("trap: constant folding", measured, "the row has no figure, the honest one has", passed))
}

fn gate(implementation: &Implementation, text: &'static str, manifest: &str, seed: u64) -> Kat {
    let mut algorithm = toy::algorithm::<Sha256>("sha256", 64, &[]);
    // The gate keeps what a family hands over, which is static; these few bytes stay as well.
    let manifest: &'static str = manifest.to_owned().leak();
    algorithm.vectors = vec![VectorFile { name: "sha256.rsp", text, manifest }];
    verify::verify(&algorithm, implementation, &[576], seed)
}

fn manifest(text: &str) -> String {
    format!("{}  sha256.rsp\n", hex::encode(Sha256::digest(text)))
}

/// A backend that is not the one that was asked for.
fn backend(wrong: Implementation, seed: u64) -> Proof {
    let right = toy::implementation(PORTABLE, |name| toy::delayed::<Sha256>(name, Vec::new()));
    let good = gate(&right, VECTORS, &manifest(VECTORS), seed);
    let bad = gate(&wrong, VECTORS, &manifest(VECTORS), seed);
    let passed = good.ok && bad.failure.as_ref().is_some_and(|failure| failure.contains("asked for"));
    Proof::new("trap: wrong backend", said(&bad), "a KAT FAIL, none of the right one", passed)
}

/// Known answers that someone touched: without and with a manifest that fits.
fn vectors(corrupted: &'static str, seed: u64) -> Proof {
    let right = toy::implementation(PORTABLE, |name| toy::delayed::<Sha256>(name, Vec::new()));
    let good = gate(&right, VECTORS, &manifest(VECTORS), seed);
    let by_manifest = gate(&right, corrupted, &manifest(VECTORS), seed);
    let by_digest = gate(&right, corrupted, &manifest(corrupted), seed);
    let passed = good.ok && !by_manifest.ok && !by_digest.ok;
    let measured = format!("{}; with a manifest that fits: {}", said(&by_manifest), said(&by_digest));
    Proof::new("trap: corrupted vector", measured, "two KAT FAILs, none of the intact file", passed)
}

/// What the gate said, without what it was doing, in one short line.
fn said(kat: &Kat) -> String {
    let sentence = kat.failure.as_deref().unwrap_or("not caught");
    let sentence = sentence.split_once("): ").map_or(sentence, |(_, rest)| rest);
    match sentence.char_indices().nth(60) {
        Some((end, _)) => format!("{} ..", &sentence[..end]),
        None => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traps_of_the_gate_are_caught() {
        let wrong = toy::implementation("toy/fast", |_| toy::delayed::<Sha256>("portable", Vec::new()));
        let proof = backend(wrong, 1);
        assert!(proof.passed && proof.measured.contains("portable ran"), "{proof:?}");
        let proof = vectors(CORRUPTED, 1);
        assert!(proof.passed && !proof.measured.contains("not caught"), "{proof:?}");
    }

    #[test]
    fn a_trap_that_is_not_caught_is_no_proof() {
        let honest = toy::implementation("toy/fast", |name| toy::delayed::<Sha256>(name, Vec::new()));
        let proof = backend(honest, 1);
        assert!(!proof.passed && proof.measured == "not caught", "{proof:?}");
        assert!(!vectors(VECTORS, 1).passed);
    }
}
