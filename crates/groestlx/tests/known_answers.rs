//! Known answers: the submission, SUPERCOP and patterned messages from `vectors/`, and a few short ones inline.

#[macro_use]
mod common;

use benchkit::rsp::{self, Item};
use common::{Hasher, definition, report};
use groestlx::{Digest, Groestl256, const_hash};
use hex_literal::hex;

const MANIFEST: &str = include_str!("../vectors/SHA256SUMS");

fn vectors(id: &str) -> &'static str {
    match id {
        "groestl224" => include_str!("../vectors/groestl224.rsp"),
        "groestl256" => include_str!("../vectors/groestl256.rsp"),
        "groestl384" => include_str!("../vectors/groestl384.rsp"),
        "groestl512" => include_str!("../vectors/groestl512.rsp"),
        _ => panic!("no vectors for {id}"),
    }
}

#[test]
fn every_answer_on_every_backend() {
    fn check<H: Hasher>() {
        let items = rsp::read(H::ID, vectors(H::ID)).expect("the vectors are readable");
        let mut whole = Vec::new();
        let mut answers = 0;
        for item in &items {
            match item {
                Item::Answer(answer) => {
                    answers += 1;
                    for backend in H::backends() {
                        let at = format!("{} {backend}, line {}", H::ID, answer.line);
                        assert_eq!(H::bits_with(backend, &answer.message, answer.bits), answer.digest, "{at}, bits");
                        if answer.bits % 8 == 0 {
                            assert_eq!(H::oneshot_with(backend, &answer.message), answer.digest, "{at}, one-shot");
                            assert_eq!(H::streamed(backend, &answer.message), answer.digest, "{at}, streamed");
                        }
                    }
                    if answer.bits % 8 == 0 {
                        assert_eq!(H::oneshot(&answer.message), answer.digest, "line {}", answer.line);
                        assert_eq!(H::constant(&answer.message), answer.digest, "line {}, const_hash", answer.line);
                        whole.push(answer);
                    }
                    assert_eq!(H::bits(&answer.message, answer.bits), answer.digest, "line {}, bits", answer.line);
                }
                Item::Monte(monte) => panic!("line {}: there is no such test of Groestl", monte.line),
            }
        }
        assert!(answers > 500, "{}: {answers} answers", H::ID);

        let messages: Vec<_> = whole.iter().map(|answer| &answer.message[..]).collect();
        for backend in H::backends().into_iter().map(Some).chain([None]) {
            for (digest, answer) in H::many(backend, &messages).iter().zip(&whole) {
                assert_eq!(*digest, answer.digest, "{} {backend:?}, line {}, batch", H::ID, answer.line);
            }
        }
        report::<H>();
    }
    for_all!(check);
}

#[test]
fn vectors_are_those_of_the_manifest() {
    fn check<H: Hasher>() {
        let name = format!("{}.rsp", H::ID);
        let listed = MANIFEST.lines().find_map(|line| line.strip_suffix(&name)?.strip_suffix("  "));
        let text: String = vectors(H::ID).to_owned();
        let digest: String = sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(listed, Some(&digest[..]), "{name}");
    }
    for_all!(check);
    assert_eq!(MANIFEST.lines().count(), 4);
}

// The empty message, from the round-3 submission's ShortMsgKAT.
const EMPTY_224: [u8; 28] = const_hash::groestl224(b"");
const EMPTY_256: [u8; 32] = const_hash::groestl256(b"");
const EMPTY_384: [u8; 48] = const_hash::groestl384(b"");
const EMPTY_512: [u8; 64] = const_hash::groestl512(b"");

#[test]
fn published_examples() {
    assert_eq!(EMPTY_224, hex!("f2e180fb5947be964cd584e22e496242c6a329c577fc4ce8c36d34c3"));
    assert_eq!(EMPTY_256, hex!("1a52d11d550039be16107f9c58db9ebcc417f16f736adb2502567119f0083467"));
    assert_eq!(
        EMPTY_384,
        hex!(
            "ac353c1095ace21439251007862d6c62f829ddbe6de4f78e68d310a9205a736d"
            "8b11d99bffe448f57a1cfa2934f044a5"
        )
    );
    assert_eq!(
        EMPTY_512,
        hex!(
            "6d3ad29d279110eef3adbd66de2a0345a77baede1557f5d099fce0c03d6dc2ba"
            "8e6d4a6633dfbd66053c20faa87d1a11f39a7fbe4a6c2f009801370308fc4ad8"
        )
    );
    let message = b"my message";
    assert_eq!(
        Groestl256::digest(message)[..],
        hex!("dc0283ca481efa76b7c19dd5a0b763dff0e867451bd9488a9c59f6c8b8047a86")
    );
}

#[test]
fn every_answer_follows_from_the_definition() {
    fn check<H: Hasher>() {
        let items = rsp::read(H::ID, vectors(H::ID)).expect("the vectors are readable");
        for item in &items {
            if let Item::Answer(answer) = item
                && answer.bits < 3 * 8 * 128
            {
                let computed = definition::groestl(8 * answer.digest.len(), &answer.message, answer.bits, 0);
                assert_eq!(computed, answer.digest, "{}, line {}", H::ID, answer.line);
            }
        }
    }
    for_all!(check);
}
