//! Measures hash functions and reports what it measured.

pub mod adapter;
pub mod cargo_bench;
pub mod clock;
pub mod digest;
#[cfg(unix)]
pub mod fence;
pub mod machine;
pub mod measure;
pub mod pages;
pub mod profile;
pub mod proofs;
pub mod protocol;
pub mod random;
pub mod record;
pub mod remains;
pub mod rsp;
pub mod sample;
pub mod stats;
pub mod suite;
pub mod system;
pub mod table;
pub mod verify;
pub mod worker;
