//! The submission's KAT files of short and long messages, byte for byte; the program of `examples/kat` does the others.

#[path = "../examples/kat/drng.rs"]
mod drng;
#[path = "../examples/kat/files.rs"]
#[allow(dead_code, reason = "the program uses the rest")]
mod files;

use files::{INSTANCES, Kind, canonical, published};
use sha2::{Digest, Sha256};

fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check(kind: Kind, plain_too: bool) {
    for (instance, file) in INSTANCES.iter().zip(kind.files(INSTANCES)) {
        let name = format!("{}_{}.txt", kind.label(), instance.name);
        let published = published(&name).expect("its digests are published");
        assert_eq!(sha256(&canonical(&file)), published.canonical, "{name}, canonical");
        assert_eq!(published.plain.is_some(), plain_too, "{name}");
        if let Some(plain) = published.plain {
            assert_eq!(sha256(&file), plain, "{name}");
        }
    }
}

#[test]
fn every_length_up_to_4096_bits() {
    check(Kind::Short, true);
}

#[test]
fn messages_of_a_mebibyte() {
    check(Kind::Long, false);
}
