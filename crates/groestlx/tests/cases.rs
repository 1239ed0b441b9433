//! Faults that other implementations really had, as tests.

#[macro_use]
mod common;

use common::{Hasher, definition, pattern, report};
use groestlx::{
    Backend, Digest, Groestl224, Groestl256, Groestl384, Groestl512,
    digest::common::hazmat::{SerializableState, SerializedState},
};
use hex_literal::hex;

/// A hasher in its first state that believes it has absorbed so many blocks already.
fn after_blocks<H: Hasher>(backend: Backend, blocks: u64) -> H {
    let mut state: SerializedState<H> = H::default().serialize();
    state[H::block()..][..8].copy_from_slice(&blocks.to_le_bytes());
    let mut hasher = H::deserialize(&state).expect("any count is a state");
    hasher.switch_backend(backend);
    hasher
}

fn digest_after<H: Hasher>(backend: Backend, blocks: u64, data: &[u8]) -> Vec<u8> {
    let mut hasher = after_blocks::<H>(backend, blocks);
    Digest::update(&mut hasher, data);
    Digest::finalize(hasher).to_vec()
}

/// Numbers of blocks that no real message reaches (bc-java #214, RustCrypto/hashes #759).
#[test]
fn block_counters() {
    fn check<H: Hasher>() {
        let bits = 8 * H::oneshot(b"").len();
        for before in [(1 << 32) - 2, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40, (1 << 56) - 1, u64::MAX - 2] {
            for n in [0, 3, H::block() - 9, H::block() - 8, H::block() - 1, 2 * H::block() + 5] {
                let data = pattern(n);
                let expected = definition::groestl(bits, &data, 8 * n as u64, before);
                for backend in H::backends() {
                    assert_eq!(
                        digest_after::<H>(backend, before, &data),
                        expected,
                        "{} {backend}: {before} blocks",
                        H::ID
                    );
                }
            }
        }
        // 2^64 blocks are too many; the count wraps, in every build.
        let data = pattern(2 * H::block());
        let expected = definition::groestl(bits, &data, 8 * data.len() as u64, u64::MAX);
        for backend in H::backends() {
            assert_eq!(digest_after::<H>(backend, u64::MAX, &data), expected, "{} {backend}", H::ID);
        }
    }
    for_all!(check);
    let known = hex!("5c83baad288e1702a9997058ca2eae304dea74a8cc1233cd300eca9c87a81cd7");
    for backend in Backend::available() {
        assert_eq!(digest_after::<Groestl256>(backend, 1 << 32, b"abc")[..], known, "{backend}");
    }
}

/// A backend that mixes blocks up passes tests whose blocks are all equal (RustCrypto/hashes #314).
#[test]
fn blocks_that_differ() {
    fn aggregate<H: Hasher>(backend: Backend, longest: usize) -> Vec<u8> {
        let mut all = sha2::Sha256::new();
        for n in 0..=longest {
            Digest::update(&mut all, H::oneshot_with(backend, &pattern(n)));
        }
        Digest::finalize(all).to_vec()
    }
    for backend in report::<Groestl512>() {
        let digest = hex!("467bbb8843cd035e28eecb8fbf20f5f02a16761961fb2c59e59cf5c77947fea9");
        assert_eq!(aggregate::<Groestl512>(backend, 600), digest, "{backend}");
    }
    for backend in report::<Groestl256>() {
        let digest = hex!("e34ba002e09a950b31f0ca45743a0cdcb4804bc80bcab7ce8f54033372d70839");
        assert_eq!(aggregate::<Groestl256>(backend, 600), digest, "{backend}");
    }
}

/// An empty part at the end, unequal lanes, the order of results (isa-l_crypto #156).
#[test]
fn batches() {
    let known = [
        (2, hex!("c2b95fdeebaefbf232e82a1cac3ee407e007d0ee350495899e7e29a28677ec6e")),
        (3, hex!("93ed1eb558fcd03f72368e976c5566646e05a1c3adb80da21d1bcf23714a0666")),
        (4, hex!("e0104ac50134a91ec905c861b79fa9404ca4181a49b905ff00cc4819a2eef832")),
        (5, hex!("e2dab98f9a67a7791e0e7ab78d31d32a003eb83257661d10713d6f84901ad768")),
        (7, hex!("2f978f926dbbb58b51320291774d60b34f49331c48e591af95603aac9460da69")),
        (8, hex!("fb783962666d8e507c28573f0a13f6b3cb19a9d9552dfaa917adba8e66eb5f51")),
        (9, hex!("e49d68adaeaa89535b35f01a95e48ac04a9d3b368c50276cf2c8230d035d1d34")),
        (17, hex!("32423e9e4f2ca2b0864132d7c27a6a988b1fdb48717d440f667981aa2fada933")),
    ];
    let data = pattern(37 * 17);
    for backend in report::<Groestl256>().into_iter().map(Some).chain([None]) {
        for (n, digest) in known {
            let messages: Vec<_> = (0..n).map(|i| &data[..37 * i]).collect();
            let all = Groestl256::many(backend, &messages).concat();
            assert_eq!(sha2::Sha256::digest(all)[..], digest, "{backend:?}, {n} messages");
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

    for backend in Backend::available() {
        let mut hasher = Groestl256::with_backend(backend);
        hasher.update(pattern(64));
        hasher.update([]);
        let digest = hex!("aa3f0b70ae7e022644ed5bd29af4f66e2e9ebd10ef98bf50cd4680ac5ef1aaf4");
        assert_eq!(hasher.finalize()[..], digest, "{backend}");
    }
}

/// Pieces are not the whole, bits do not matter, or bits behind the message do (ePrint 2017/891).
mod metamorphic {
    use super::*;

    #[test]
    fn every_split() {
        fn check<H: Hasher>() {
            let data = pattern(3 * H::block() + 1);
            for backend in H::backends() {
                // Where portable code is slow, the edges are enough.
                let step = if cfg!(debug_assertions) || backend == Backend::PORTABLE { 29 } else { 1 };
                for n in (0..=data.len()).filter(|n| n % step == 0 || (n + 9) % H::block() < 18) {
                    let whole = H::oneshot_with(backend, &data[..n]);
                    for i in (0..=n).step_by(step) {
                        let mut hasher = H::with_backend(backend);
                        Digest::update(&mut hasher, &data[..i]);
                        Digest::update(&mut hasher, &data[i..n]);
                        assert_eq!(Digest::finalize(hasher).as_slice(), whole, "{} {backend}, {i} of {n} bytes", H::ID);
                    }
                }
            }
        }
        for_all!(check);
    }

    #[test]
    fn every_bit_counts_and_none_behind_the_end() {
        fn check<H: Hasher>() {
            for backend in H::backends() {
                let n = H::block() + 7;
                let mut data = pattern(n + 3);
                let whole = H::oneshot_with(backend, &data[..n]);
                let part = H::bits_with(backend, &data[..n], 8 * n as u64 - 3);
                assert_ne!(whole, part);
                for bit in 0..8 * data.len() {
                    data[bit / 8] ^= 0x80 >> (bit % 8);
                    assert_eq!(
                        H::oneshot_with(backend, &data[..n]) == whole,
                        bit >= 8 * n,
                        "{} {backend}, {bit}",
                        H::ID
                    );
                    let same = H::bits_with(backend, &data[..n], 8 * n as u64 - 3) == part;
                    assert_eq!(same, bit >= 8 * n - 3, "{} {backend}, {bit} of {} bits", H::ID, 8 * n - 3);
                    data[bit / 8] ^= 0x80 >> (bit % 8);
                }
            }
        }
        for_all!(check);
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
        for backend in Backend::available() {
            let digest = hex!("4c80aee3b55c1c5f0406cb86f3399e61541c62ec44cced5c0ffea23e204b03d0");
            assert_eq!(groestlx::groestl256_with(backend, fenced.page()), digest, "{backend}");
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
        check::<Groestl224, groestl::Groestl224>();
        check::<Groestl256, groestl::Groestl256>();
        check::<Groestl384, groestl::Groestl384>();
        check::<Groestl512, groestl::Groestl512>();
    }

    /// Saved by version 0.1.0 after 70 bytes (Groestl-256) and 135 bytes (Groestl-512) of the pattern.
    #[test]
    fn of_the_first_version_still_load() {
        let state = GOLDEN256;
        let mut hasher = Groestl256::deserialize(&state.into()).expect("the state of 0.1.0");
        assert_eq!(hasher.serialize()[..], state);
        hasher.update(b"more");
        assert_eq!(hasher.finalize()[..], groestlx::groestl256([&pattern(70)[..], b"more"].concat()));

        let state = GOLDEN512;
        let mut hasher = Groestl512::deserialize(&state.into()).expect("the state of 0.1.0");
        assert_eq!(hasher.serialize()[..], state);
        hasher.update(b"more");
        assert_eq!(hasher.finalize()[..], groestlx::groestl512([&pattern(135)[..], b"more"].concat()));
    }
}
const GOLDEN256: [u8; 136] = hex!(
    "44a5f56902a77cd306b90eaf5198444d7acc6853ae29e0090e5722c6a080a480"
    "fc5d43a3b031b96fe5069f5b86b2ed31818f931c6fb306ae9e7f445632af4d7f"
    "0100000000000000064041424344450000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000"
);

const GOLDEN512: [u8; 264] = hex!(
    "691c38b0d7a50a267de0141a8704baac83975dd6683dce5d4b66e3cd970a8a9c"
    "1bb75e9f635a7550e3ea079cfa112b1044d215d8c79c20741e11208a625f9f6a"
    "f9e3f4eb93a0a27391062da3a5c5d0679f70cfa09be499ba26d2d0f21f4b90d9"
    "e08233264fb3ffe97ae6d1f381f78b02f9a39fde1330fddf4eb8a492de0352e9"
    "0100000000000000078081828384858600000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000"
);
