//! Known answers: NIST CAVP, RFC 6234 and patterned messages from `vectors/`, and a few short ones inline.

#[macro_use]
mod common;

use benchkit::rsp::{self, Item};
use common::{Hasher, report};
use hex_literal::hex;
use sha2x::{Digest, Sha256, const_hash};

const MANIFEST: &str = include_str!("../vectors/SHA256SUMS");

fn vectors(id: &str) -> &'static str {
    match id {
        "sha224" => include_str!("../vectors/sha224.rsp"),
        "sha256" => include_str!("../vectors/sha256.rsp"),
        "sha384" => include_str!("../vectors/sha384.rsp"),
        "sha512" => include_str!("../vectors/sha512.rsp"),
        "sha512-224" => include_str!("../vectors/sha512-224.rsp"),
        "sha512-256" => include_str!("../vectors/sha512-256.rsp"),
        _ => panic!("no vectors for {id}"),
    }
}

#[test]
fn every_answer_on_every_backend() {
    fn check<H: Hasher>() {
        let items = rsp::read(H::ID, vectors(H::ID)).expect("the vectors are readable");
        let mut whole = Vec::new();
        let (mut answers, mut chains) = (0, 0);
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
                Item::Monte(monte) => {
                    chains += 1;
                    for backend in H::backends() {
                        let ran = monte.run(|data, out| out.copy_from_slice(&H::oneshot_with(backend, data)));
                        assert_eq!(ran, Ok(()), "{} {backend}", H::ID);
                    }
                }
            }
        }
        assert!(answers > 300 && chains == 1, "{}: {answers} answers, {chains} Monte Carlo tests", H::ID);

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
    assert_eq!(MANIFEST.lines().count(), 6);
}

// The examples of FIPS 180-4 as NIST publishes them with the standard.
const ABC: [u8; 32] = const_hash::sha256(b"abc");
const TWO_BLOCKS: [u8; 32] = const_hash::sha256(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
const ABC_224: [u8; 28] = const_hash::sha224(b"abc");
const ABC_384: [u8; 48] = const_hash::sha384(b"abc");
const ABC_512: [u8; 64] = const_hash::sha512(b"abc");
const ABC_512_224: [u8; 28] = const_hash::sha512_224(b"abc");
const ABC_512_256: [u8; 32] = const_hash::sha512_256(b"abc");

#[test]
fn published_examples() {
    let abc = hex!("ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad");
    assert_eq!(ABC, abc);
    assert_eq!(sha2x::sha256("abc"), abc);
    assert_eq!(Sha256::digest(b"abc")[..], abc);
    assert_eq!(TWO_BLOCKS, hex!("248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"));
    assert_eq!(ABC_224, hex!("23097d22 3405d822 8642a477 bda255b3 2aadbce4 bda0b3f7 e36c9da7"));
    assert_eq!(
        ABC_384,
        hex!(
            "cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163 1a8b605a43ff5bed"
            "8086072ba1e7cc23 58baeca134c825a7"
        )
    );
    assert_eq!(
        ABC_512,
        hex!(
            "ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a"
            "2192992a274fc1a8 36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f"
        )
    );
    assert_eq!(ABC_512_224, hex!("4634270f707b6a54 daae7530460842e2 0e37ed265ceee9a4 3e8924aa"));
    assert_eq!(ABC_512_256, hex!("53048e2681941ef9 9b2e29b76b4c7dab e4c2d0c634fc6d46 e0e2f13107e7af23"));
}

#[test]
fn a_million_a_on_every_backend() {
    let message = vec![b'a'; 1_000_000];
    let digest = hex!("cdc76e5c 9914fb92 81a1c7e2 84d73e67 f1809a48 a497200e 046d39cc c7112cd0");
    for backend in Sha256::backends() {
        assert_eq!(sha2x::sha256_with(backend, &message), digest, "{backend}");
    }
}
