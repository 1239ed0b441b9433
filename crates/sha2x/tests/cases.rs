//! Faults that other implementations really had, as tests.

#[macro_use]
mod common;

use common::{Hasher, pattern, report};
use hex_literal::hex;
use sha2x::{
    Backend, Digest, Sha224, Sha256, Sha384, Sha512,
    digest::common::hazmat::{SerializableState, SerializedState},
};

/// A hasher in its first state that believes it has absorbed so many blocks already.
fn after_blocks<H: Hasher>(backend: Backend, blocks: u128) -> H {
    let mut state: SerializedState<H> = H::default().serialize();
    let words = state.len() - H::block();
    let count = &mut state[H::block() / 2..words];
    count.copy_from_slice(&blocks.to_le_bytes()[..count.len()]);
    let mut hasher = H::deserialize(&state).expect("any count is a state");
    hasher.switch_backend(backend);
    hasher
}

fn digest_after<H: Hasher>(backend: Backend, blocks: u128, data: &[u8]) -> Vec<u8> {
    let mut hasher = after_blocks::<H>(backend, blocks);
    Digest::update(&mut hasher, data);
    Digest::finalize(hasher).to_vec()
}

/// The bit length does not fit 32 bits, then the byte length does not (isa-l_crypto #3, pico-sdk #3176).
#[test]
#[ignore = "hashes 6 GiB"]
fn more_than_512_mib() {
    let zeros = vec![0; 1 << 20];
    for backend in Sha256::backends().filter(|backend| backend.name() != "portable" || cfg!(not(debug_assertions))) {
        let mut hasher = Sha256::with_backend(backend);
        for _ in 0..511 {
            hasher.update(&zeros);
        }
        let mut short = hasher.clone();
        short.update(&zeros[1..]);
        hasher.update(&zeros);
        let long = hasher.clone().chain_update([0]);
        assert_eq!(short.finalize()[..], hex!("bf7f45d9df691bd277948d7f124b87a9f76e16ddb5d8fb25a49df939798f0a01"));
        assert_eq!(hasher.finalize()[..], hex!("9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767"));
        assert_eq!(long.finalize()[..], hex!("7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137"));
    }
    let zeros = vec![0; (1 << 32) + 1];
    let digest = hex!("fbb82f7b353676bb562eb82157fcf0ea42c36492ca13ee56dbf82c08b6802c5c");
    assert_eq!(Sha256::digest(&zeros)[..], digest, "in one update");
    assert_eq!(sha2x::sha256(&zeros), digest, "one-shot");
    let mut out = [[0; 32]; 3];
    Sha256::digest_many(&[&zeros[..0], &zeros, &zeros[..1]], &mut out);
    assert_eq!(out, [sha2x::sha256([]), digest, sha2x::sha256([0])], "in a batch");
}

/// Carries into words of the length that no real message reaches (bc-java #214, RustCrypto/hashes #759).
#[test]
fn length_counters() {
    for backend in Sha256::backends() {
        assert_eq!(
            digest_after::<Sha256>(backend, 1 << 23, b"abc"),
            hex!("4db189445d5fecccbe1560cc399d53b96bd1191f668f98cb193167f8aa2a00eb"),
            "{backend}: 2^29 bytes and 3"
        );
        assert_eq!(
            digest_after::<Sha256>(backend, (1 << 55) - 1, &pattern(61)),
            hex!("3bf1d4cc40e007d045d75ae4c78296f9bf23a20feb53a1bbeb5aaeb215828e1c"),
            "{backend}: 2^61 bytes less 3"
        );
        // 2^61 bytes are too many; the length wraps to 0, in every build.
        assert_eq!(
            digest_after::<Sha256>(backend, (1 << 55) - 1, &pattern(64)),
            digest_after::<Sha256>(backend, u128::from(u64::MAX), &pattern(64)),
            "{backend}: 2^61 bytes"
        );
    }
    for backend in Sha512::backends() {
        assert_eq!(
            digest_after::<Sha512>(backend, (1 << 54) - 1, &pattern(130)),
            hex!(
                "f7b45eafb9c6c4281499c2b732d81b8ee8724e554aeb91af9b06c7ee5ba3b7b6"
                "c8baa754ce1a3e037044019a47715b3766d4178e39be8b9b337d8232a98b34b8"
            ),
            "{backend}: 2^61 bytes and 2"
        );
        assert_eq!(
            digest_after::<Sha512>(backend, (1 << 118) - 1, &pattern(128)),
            digest_after::<Sha512>(backend, u128::MAX, &pattern(128)),
            "{backend}: 2^125 bytes"
        );
    }
}

/// A backend that mixes blocks up passes tests whose blocks are all equal (RustCrypto/hashes #314).
#[test]
fn blocks_that_differ() {
    fn aggregate<H: Hasher>(backend: Backend, longest: usize) -> Vec<u8> {
        let mut all = Sha256::with_backend(Backend::PORTABLE);
        for n in 0..=longest {
            Digest::update(&mut all, H::oneshot_with(backend, &pattern(n)));
        }
        Digest::finalize(all).to_vec()
    }
    for backend in report::<Sha512>() {
        assert_eq!(
            sha2x::sha512_with(backend, pattern(256)),
            hex!(
                "7ff1cd1e9773a4b7ba1f40e642db0d879bd5f6cc151a7d3401a0bc7778b8270c"
                "108b530fb195f2383f4cec8cf05778e6af4db56811673371674cec1524488f83"
            ),
            "{backend}"
        );
        assert_eq!(
            sha2x::sha384_with(backend, pattern(300)),
            hex!(
                "81f37398a358948c72eae8400060522a95f3b6a1bb8607270f64087346d7644f"
                "1ba945c6bd2976f1cb5d8eb7a5469b10"
            ),
            "{backend}"
        );
        assert_eq!(
            aggregate::<Sha512>(backend, 1024),
            hex!("4e9cf2cdf87912f840d84d87d78e3cad2c9365ff5a9e798f46383b785343b6bc"),
            "{backend}"
        );
    }
    for backend in report::<Sha256>() {
        assert_eq!(
            aggregate::<Sha256>(backend, 1024),
            hex!("519deb94c1301df549b1fc29841731b0ae12767da3cbddcd499f644ee77d4789"),
            "{backend}"
        );
    }
}

/// An empty part at the end, unequal lanes, the order of results (isa-l_crypto #156).
#[test]
fn batches() {
    let known = [
        (4, hex!("8f90170a155ca62fa824958ed989fa2cea5da44ddbc96bb6c164cba915aefaa8")),
        (7, hex!("d5544d8e8263b0ad14d61928c339a47c8245030def5d4450822be12daa201ef4")),
        (8, hex!("0282f582c7a3cd2492ed3d674e0acfa7f69248d5f7b205c853b1284736e1d435")),
        (15, hex!("146ad0d79abb26129e1bea7ec1044bdac787021bb3f82ae2a7302eceb0589054")),
        (16, hex!("fdc4c50e43f5a6385399a5d9560b8bd1fa6819c76da6b2d9d93717a5a66e5a3c")),
        (17, hex!("7396d7625d7d481f7f582e3edcaa35e45c2ce2683f31765720dee1b788185edb")),
    ];
    let data = pattern(37 * 17);
    for backend in report::<Sha256>().into_iter().map(Some).chain([None]) {
        for (n, digest) in known {
            let messages: Vec<_> = (0..n).map(|i| &data[..37 * i]).collect();
            let all = Sha256::many(backend, &messages).concat();
            assert_eq!(sha2x::sha256(all), digest, "{backend:?}, {n} messages");
        }
    }
    let long = pattern(1 << 20);
    fn one_long_among_empty<H: Hasher>(long: &[u8]) {
        for backend in H::backends().into_iter().map(Some).chain([None]) {
            assert!(H::many(backend, &[]).is_empty());
            for place in [0, 5, 19] {
                let mut messages = [&long[..0]; 20];
                messages[place] = long;
                let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
                assert_eq!(H::many(backend, &messages), expected, "{} {backend:?}, place {place}", H::ID);
            }
        }
    }
    for_all!(one_long_among_empty(&long));

    for backend in Sha256::backends() {
        let mut hasher = Sha256::with_backend(backend);
        hasher.update(pattern(64));
        hasher.update([]);
        let digest = hex!("fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108");
        assert_eq!(hasher.finalize()[..], digest, "{backend}");
    }
}

/// Reads behind the end of the message (golang/go #15617).
#[cfg(unix)]
mod past_the_end {
    use super::*;
    use benchkit::fence::{Fenced, PAGE};

    #[test]
    fn nothing_is_read_there() {
        fn check<H: Hasher>() {
            let mut fenced = Fenced::new();
            fenced.page().fill(0x5a);
            let page = &*fenced.page();
            for backend in report::<H>() {
                for n in 0..=PAGE {
                    let message = &page[PAGE - n..];
                    let digest = H::oneshot_with(backend, message);
                    if n % 61 == 0 || n < 300 {
                        assert_eq!(
                            digest,
                            H::oneshot_with(Backend::PORTABLE, &vec![0x5a; n]),
                            "{} {backend} {n}",
                            H::ID
                        );
                        assert_eq!(digest, H::streamed(backend, message), "{} {backend} {n}", H::ID);
                        // A short lane beside a long one, all of them at the fence.
                        let messages: Vec<_> = (0..20).map(|i| &message[n - n * (i % 7) / 6..]).collect();
                        let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
                        assert_eq!(H::many(Some(backend), &messages), expected, "{} {backend} {n}", H::ID);
                    }
                }
            }
        }
        for_all!(check);
    }

    #[test]
    fn a_whole_page() {
        let mut fenced = Fenced::new();
        fenced.page().fill(0x5a);
        for backend in Sha256::backends() {
            let digest = hex!("f302957da5220938a7e3e51a8718c79b9e00dc13ab2119e8cfc978f041720382");
            assert_eq!(sha2x::sha256_with(backend, fenced.page()), digest, "{backend}");
        }
    }
}

/// Saved states: the same bytes everywhere, and nothing bad accepted (RustCrypto/hashes #385, BLAKE3 #84).
mod saved_states {
    use super::*;

    #[test]
    fn go_on_where_they_stopped() {
        fn check<H: Hasher>() {
            let block = H::block();
            for backend in H::backends() {
                for n in [0, 1, block - 1, block, block + 1, 3 * block + 7] {
                    let mut hasher = H::with_backend(backend);
                    Digest::update(&mut hasher, pattern(n));
                    let state = hasher.serialize();
                    let mut portable = H::with_backend(Backend::PORTABLE);
                    Digest::update(&mut portable, pattern(n));
                    assert_eq!(state, portable.serialize(), "{} {backend}", H::ID);
                    let mut restored = H::deserialize(&state).expect("a state of our own");
                    assert_eq!(restored.backend(), H::default().backend());
                    Digest::update(&mut restored, pattern(100));
                    let whole = [pattern(n), pattern(100)].concat();
                    assert_eq!(Digest::finalize(restored).to_vec(), H::oneshot(&whole), "{} {backend}, {n}", H::ID);
                }
            }
        }
        for_all!(check);
    }

    #[test]
    fn damaged_ones_are_refused_or_harmless() {
        fn check<H: Hasher>() {
            let block = H::block();
            for n in [0, 1, block - 1, block + 1] {
                let mut hasher = H::default();
                Digest::update(&mut hasher, pattern(n));
                let state = hasher.serialize();
                let position = state.len() - block;
                for at in 0..state.len() {
                    for value in [state[at] ^ 1, state[at] ^ 0x80, !state[at], 0xff, block as u8] {
                        let mut damaged = state.clone();
                        damaged[at] = value;
                        match H::deserialize(&damaged) {
                            Ok(mut hasher) => {
                                assert!(at != position || usize::from(value) < block, "{}: position {value}", H::ID);
                                Digest::update(&mut hasher, pattern(300));
                                Digest::finalize(hasher);
                            }
                            Err(_) => assert!(at >= position, "{}: byte {at} refused", H::ID),
                        }
                    }
                }
                if n % block < block - 1 {
                    let mut behind = state.clone();
                    *behind.last_mut().unwrap() = 1;
                    assert!(H::deserialize(&behind).is_err(), "{}: a byte behind the position", H::ID);
                }
            }
        }
        for_all!(check);
    }

    #[test]
    fn are_those_of_rustcrypto() {
        fn check<H: Hasher, R>()
        where
            R: Digest + Clone + SerializableState<SerializedStateSize = H::SerializedStateSize>,
        {
            for n in [0, 1, 63, 64, 65, 127, 128, 129, 1000] {
                let (mut ours, mut theirs) = (H::default(), R::new());
                Digest::update(&mut ours, pattern(n));
                theirs.update(pattern(n));
                assert_eq!(ours.serialize(), theirs.serialize(), "{}, {n} bytes", H::ID);
                let mut moved = H::deserialize(&theirs.serialize()).expect("a state of theirs");
                Digest::update(&mut moved, b"more");
                theirs.update(b"more");
                assert_eq!(Digest::finalize(moved).to_vec(), theirs.finalize().to_vec(), "{}, {n} bytes", H::ID);
            }
        }
        check::<Sha224, sha2::Sha224>();
        check::<Sha256, sha2::Sha256>();
        check::<Sha384, sha2::Sha384>();
        check::<Sha512, sha2::Sha512>();
        check::<sha2x::Sha512_224, sha2::Sha512_224>();
        check::<sha2x::Sha512_256, sha2::Sha512_256>();
    }

    /// Saved by version 0.1.0 after 70 bytes (SHA-256) and 135 bytes (SHA-512) of the pattern.
    #[test]
    fn of_the_first_version_still_load() {
        let state = GOLDEN256;
        let mut hasher = Sha256::deserialize(&state.into()).expect("the state of 0.1.0");
        assert_eq!(hasher.serialize()[..], state);
        hasher.update(b"more");
        assert_eq!(hasher.finalize()[..], sha2x::sha256([&pattern(70)[..], b"more"].concat()));

        let state = GOLDEN512;
        let mut hasher = Sha512::deserialize(&state.into()).expect("the state of 0.1.0");
        assert_eq!(hasher.serialize()[..], state);
        hasher.update(b"more");
        assert_eq!(hasher.finalize()[..], sha2x::sha512([&pattern(135)[..], b"more"].concat()));
    }
}
const GOLDEN256: [u8; 104] = hex!(
    "dfa299fc7a2af48880d1b97ba2c6cd335f755602509a5b9d31cca944a784be5a"
    "0100000000000000064041424344450000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000"
);

const GOLDEN512: [u8; 208] = hex!(
    "87d67cd53c95038e82c570fa0a272193018f9ae59bb6b57b7bdfaef2947e1430"
    "a83c34926cc501dc5a8f20f0b77b83bdf1b616456955e12351b1301a499d0947"
    "0100000000000000000000000000000007808182838485860000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000"
);
