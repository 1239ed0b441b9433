//! Every backend against `portable`, in every way to call it. What cannot run here is named in the output.

#[macro_use]
mod common;

use common::{Hasher, Random, pattern, report};
use groestlx::{Backend, BackendError, Digest, Groestl256, hazmat};

/// Cases of each random test and hasher.
const CASES: usize = if cfg!(debug_assertions) { 1_000 } else { 100_000 };

#[test]
fn every_length_up_to_four_blocks() {
    fn check<H: Hasher>() {
        let data = Random(1).bytes(4 * H::block() + 1);
        for n in 0..=data.len() {
            let expected = H::oneshot_with(Backend::PORTABLE, &data[..n]);
            assert_eq!(H::constant(&data[..n]), expected, "{} const_hash, {n} bytes", H::ID);
            assert_eq!(H::oneshot(&data[..n]), expected, "{}, {n} bytes", H::ID);
            for backend in report_once::<H>(n) {
                assert_eq!(H::oneshot_with(backend, &data[..n]), expected, "{} {backend}, {n} bytes", H::ID);
                assert_eq!(H::streamed(backend, &data[..n]), expected, "{} {backend}, {n} bytes, streamed", H::ID);
                assert_eq!(H::bits_with(backend, &data[..n], 8 * n as u64), expected, "{} {backend}, {n} bytes", H::ID);
                for bits in (8 * n).saturating_sub(7)..8 * n {
                    let expected = H::bits_with(Backend::PORTABLE, &data[..n], bits as u64);
                    assert_eq!(
                        H::bits_with(backend, &data[..n], bits as u64),
                        expected,
                        "{} {backend}, {bits} bits",
                        H::ID
                    );
                }
            }
        }
    }
    fn report_once<H: Hasher>(n: usize) -> Vec<Backend> {
        if n == 0 { report::<H>() } else { H::backends() }
    }
    for_all!(check);
}

#[test]
fn random_splits_misaligned_and_moved_between_backends() {
    fn check<H: Hasher>() {
        let backends = report::<H>();
        let mut random = Random(2);
        let longest = 5 * H::block();
        let mut room = random.bytes(longest + 64);
        for case in 0..CASES / 20 {
            let (offset, n) = (random.below(64), random.below(longest + 1));
            let at = random.below(room.len());
            room[at] ^= random.next() as u8;
            let data = &room[offset..offset + n];
            let expected = H::oneshot_with(Backend::PORTABLE, data);
            for &backend in &backends {
                assert_eq!(H::oneshot_with(backend, data), expected, "case {case}: {} {backend}", H::ID);
                let mut hasher = H::with_backend(backend);
                let mut moving = hasher.clone();
                let mut rest = data;
                while !rest.is_empty() {
                    let (piece, behind) = rest.split_at(random.below(rest.len()) + 1);
                    Digest::update(&mut hasher, piece);
                    moving.switch_backend(backends[random.below(backends.len())]);
                    Digest::update(&mut moving, piece);
                    rest = behind;
                }
                let restored = H::deserialize(&hasher.serialize()).expect("a state of our own");
                assert_eq!(hasher.backend(), backend, "forced, but not used");
                assert_eq!(Digest::finalize(hasher).as_slice(), expected, "case {case}: {} {backend}", H::ID);
                assert_eq!(Digest::finalize(moving).as_slice(), expected, "case {case}: {} moved", H::ID);
                assert_eq!(Digest::finalize(restored).as_slice(), expected, "case {case}: {} restored", H::ID);

                let mut out = [0; 64 + 15];
                let to = random.below(16);
                let size = expected.len();
                let mut hasher = H::with_backend(backend);
                Digest::update(&mut hasher, data);
                Digest::finalize_into_reset(&mut hasher, (&mut out[to..to + size]).try_into().unwrap());
                assert_eq!(out[to..to + size], expected, "case {case}: {} {backend}, output at {to}", H::ID);
                assert!(out[..to].iter().chain(&out[to + size..]).all(|byte| *byte == 0));
            }
        }
    }
    for_all!(check);
}

#[test]
fn ragged_batches() {
    fn check<H: Hasher>() {
        let backends = report::<H>();
        let mut random = Random(3);
        let pool = random.bytes(1 << 16);
        for case in 0..CASES {
            let count = 1 + random.below(40);
            // Mostly short messages, some of many blocks, a few much longer than the others.
            let longest = [16, 200, 1000, 3000][(random.next() & 7).saturating_sub(4) as usize];
            let messages: Vec<_> = (0..count)
                .map(|_| {
                    let n = random.below(longest + 1) * if random.below(64) == 0 { 8 } else { 1 };
                    let at = random.below(pool.len() - n);
                    &pool[at..at + n]
                })
                .collect();
            let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
            // All of them in the first cases, and one in turn later.
            let turn = case % (backends.len() + 1);
            for (i, backend) in backends.iter().copied().map(Some).chain([None]).enumerate() {
                if case < CASES / 10 || i == turn {
                    let got = H::many(backend, &messages);
                    assert_eq!(got, expected, "case {case}: {} {backend:?}, {count} messages", H::ID);
                }
            }
        }
    }
    for_all!(check);
}

#[test]
fn batches_of_every_count() {
    fn check<H: Hasher>() {
        let data = pattern(300);
        for count in 0..=2 * 16 + 1 {
            let messages: Vec<_> = (0..count).map(|i| &data[..(i * 37) % 300]).collect();
            let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
            for backend in H::backends().into_iter().map(Some).chain([None]) {
                assert_eq!(H::many(backend, &messages), expected, "{} {backend:?}, {count} messages", H::ID);
            }
        }
    }
    for_all!(check);
}

#[test]
fn a_batch_reports_its_lanes() {
    fn check<H: Hasher>() {
        let wide = H::block() == 128;
        for backend in H::backends() {
            let lanes = match (backend.name(), wide) {
                ("portable" | "aesni", _) => 1,
                ("vaes" | "gfni256", true) => 1,
                ("vaes" | "gfni256", false) => 2,
                ("gfni", false) => 4,
                ("gfni", true) => 2,
                other => panic!("{other:?} is not expected here"),
            };
            assert_eq!(H::lanes(backend), lanes, "{} {backend}", H::ID);
        }
    }
    for_all!(check);
}

#[test]
#[should_panic(expected = "3 messages, but room for 2 digests")]
fn a_batch_wants_as_many_digests_as_messages() {
    Groestl256::digest_many(&["a", "b", "c"], &mut [[0; 32]; 2]);
}

#[test]
fn backends_are_named_and_listed() {
    let available: Vec<_> = Backend::available().collect();
    assert_eq!(available[0], Backend::PORTABLE);
    assert_eq!(Backend::portable(), Backend::PORTABLE);
    assert_eq!(*available.last().unwrap(), Backend::detect());
    assert_eq!(Backend::default(), Backend::detect());
    for name in Backend::NAMES {
        match Backend::named(name) {
            Ok(backend) => {
                assert_eq!(backend.name(), *name);
                assert_eq!(name.parse(), Ok(backend));
                assert!(available.contains(&backend));
                assert_eq!(format!("{backend} {backend:?} {backend:>9}"), format!("{name} Backend({name}) {name:>9}"));
            }
            Err(error) => {
                assert!(matches!(error, BackendError::Unavailable(_)), "{name}: {error}");
                assert!(available.iter().all(|backend| backend.name() != *name));
                let reason = error.to_string();
                let says = if cfg!(hashmatrix_backend = "portable") { "this build has" } else { "this CPU lacks" };
                assert!(reason.starts_with(says), "{reason}");
            }
        }
    }
    for (named, name) in [
        (Backend::aesni(), "aesni"),
        (Backend::vaes(), "vaes"),
        (Backend::gfni256(), "gfni256"),
        (Backend::gfni(), "gfni"),
    ] {
        assert_eq!(named.is_some(), available.iter().any(|backend| backend.name() == name), "{name}");
    }
    let unknown = Backend::named("avx99").unwrap_err();
    assert_eq!(unknown, BackendError::Unknown);
    assert_eq!(unknown.to_string(), "no such backend; there are portable, aesni, vaes, gfni256, gfni");
}

#[test]
fn two_backends_side_by_side() {
    let mut hashers: Vec<_> = Backend::available().map(Groestl256::with_backend).collect();
    for piece in pattern(1000).chunks(77) {
        for hasher in &mut hashers {
            hasher.update(piece);
        }
    }
    for hasher in hashers {
        assert_eq!(hasher.finalize()[..], groestlx::groestl256(pattern(1000)));
    }
}

#[cfg(hashmatrix_backend = "portable")]
#[test]
fn a_portable_build_has_nothing_else() {
    assert_eq!(Backend::available().count(), 1);
    assert_eq!(groestlx::Groestl512::default().backend(), Backend::PORTABLE);
}

#[test]
fn bare_compression() {
    let bytes = Random(4).bytes(12 * 128);
    let (blocks256, _) = bytes.as_chunks::<64>();
    let (blocks512, _) = bytes.as_chunks::<128>();
    for n in 0..=12 {
        let (mut want256, mut want512) = ([1; 64], [2; 128]);
        for i in 0..n {
            hazmat::compress256_with(Backend::PORTABLE, &mut want256, &[blocks256[i]]);
            hazmat::compress512_with(Backend::PORTABLE, &mut want512, &[blocks512[i]]);
        }
        let (mut out256, mut out512) = (want256, want512);
        hazmat::transform256_with(Backend::PORTABLE, &mut out256);
        hazmat::transform512_with(Backend::PORTABLE, &mut out512);
        for backend in Backend::available() {
            let (mut got256, mut got512) = ([1; 64], [2; 128]);
            hazmat::compress256_with(backend, &mut got256, &blocks256[..n]);
            hazmat::compress512_with(backend, &mut got512, &blocks512[..n]);
            assert_eq!((got256, got512), (want256, want512), "{backend}, {n} blocks");
            hazmat::transform256_with(backend, &mut got256);
            hazmat::transform512_with(backend, &mut got512);
            assert_eq!((got256, got512), (out256, out512), "{backend}, {n} blocks, transformed");
        }
        let (mut got256, mut got512) = ([1; 64], [2; 128]);
        hazmat::compress256(&mut got256, &blocks256[..n]);
        hazmat::compress512(&mut got512, &blocks512[..n]);
        hazmat::transform256(&mut got256);
        hazmat::transform512(&mut got512);
        assert_eq!((got256, got512), (out256, out512));
    }
}

#[test]
fn bare_compression_of_many_states() {
    let mut random = Random(5);
    for n in 0..=11 {
        let bytes = random.bytes(4 * 128 * n);
        let (halves, _) = bytes.as_chunks::<64>();
        let (wholes, _) = bytes.as_chunks::<128>();
        let (states256, blocks256) = (halves[..n].to_vec(), &halves[n..2 * n]);
        let (states512, blocks512) = (wholes[..n].to_vec(), &wholes[n..2 * n]);
        let (mut want256, mut want512) = (states256.clone(), states512.clone());
        for i in 0..n {
            hazmat::compress256_with(Backend::PORTABLE, &mut want256[i], &[blocks256[i]]);
            hazmat::compress512_with(Backend::PORTABLE, &mut want512[i], &[blocks512[i]]);
        }
        for backend in Backend::available() {
            let (mut got256, mut got512) = (states256.clone(), states512.clone());
            hazmat::compress256_many_with(backend, &mut got256, blocks256);
            hazmat::compress512_many_with(backend, &mut got512, blocks512);
            assert!((got256, got512) == (want256.clone(), want512.clone()), "{backend}, {n} states");
        }
        let (mut got256, mut got512) = (states256, states512);
        hazmat::compress256_many(&mut got256, blocks256);
        hazmat::compress512_many(&mut got512, blocks512);
        assert!((got256, got512) == (want256, want512), "{n} states");
    }
}

#[test]
#[should_panic(expected = "2 states, but 1 blocks")]
fn many_states_want_as_many_blocks() {
    hazmat::compress512_many(&mut [[0; 128]; 2], &[[0; 128]]);
}
