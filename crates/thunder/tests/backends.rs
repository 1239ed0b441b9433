//! Every backend against `portable`, in every way to call it. What cannot run here is named in the output.

#[macro_use]
mod common;

use common::{Fixed, Hasher, Random, Xof, backends, pattern, report};
use thunder::{Backend, BackendError, Digest, Thunder512, digest::XofReader, hazmat};

/// Cases of each random test and hasher.
const CASES: usize = if cfg!(debug_assertions) { 400 } else { 40_000 };

#[test]
fn every_length_up_to_four_blocks() {
    fn check<H: Hasher>() {
        report::<H>();
        let data = Random(1).bytes(4 * H::block() + 1);
        for n in 0..=data.len() {
            let expected = H::oneshot_with(Backend::PORTABLE, &data[..n]);
            assert_eq!(H::oneshot(&data[..n]), expected, "{}, {n} bytes", H::ID);
            for backend in backends() {
                assert_eq!(H::oneshot_with(backend, &data[..n]), expected, "{} {backend}, {n} bytes", H::ID);
                assert_eq!(H::streamed(backend, &data[..n]), expected, "{} {backend}, {n} bytes, streamed", H::ID);
                assert_eq!(H::bits_with(backend, &data[..n], 8 * n as u64), expected, "{} {backend}, {n} bytes", H::ID);
                for bits in (8 * n).saturating_sub(7)..8 * n {
                    let expected = H::bits_with(Backend::PORTABLE, &data[..n], bits as u64);
                    let got = H::bits_with(backend, &data[..n], bits as u64);
                    assert_eq!(got, expected, "{} {backend}, {bits} bits", H::ID);
                }
            }
        }
    }
    for_all!(check);
}

#[test]
fn constants_are_those_of_portable() {
    fn check<H: Fixed>() {
        let data = Random(9).bytes(3 * H::block() + 1);
        for n in 0..=data.len() {
            assert_eq!(H::constant(&data[..n]), H::oneshot_with(Backend::PORTABLE, &data[..n]), "{}, {n} bytes", H::ID);
        }
    }
    for_fixed!(check);
}

#[test]
fn random_splits_misaligned_and_moved_between_backends() {
    fn check<H: Hasher>() {
        let backends = report::<H>();
        let mut random = Random(2);
        let longest = 5 * H::block();
        let mut room = random.bytes(longest + 64);
        for case in 0..CASES / 8 {
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
                    hasher.update(piece);
                    moving.switch_backend(backends[random.below(backends.len())]);
                    moving.update(piece);
                    rest = behind;
                }
                let restored = H::deserialize(&hasher.serialize()).expect("a state of our own");
                assert_eq!(hasher.backend(), backend, "forced, but not used");
                assert_eq!(hasher.finish(), expected, "case {case}: {} {backend}", H::ID);
                assert_eq!(moving.finish(), expected, "case {case}: {} moved", H::ID);
                assert_eq!(restored.finish(), expected, "case {case}: {} restored", H::ID);
            }
        }
    }
    for_all!(check);
}

/// Output in odd pieces, over several squeezes, moved between backends, and saved and restored on the way.
#[test]
fn output_in_pieces() {
    fn check<H: Xof>() {
        let mut random = Random(10);
        for case in 0..CASES / 8 {
            let data = pattern(random.below(2 * H::block()));
            let mut expected = vec![0; random.below(6 * H::BYTES)];
            H::into_slice(Backend::PORTABLE, &data, &mut expected);
            for backend in backends() {
                let mut whole = vec![0; expected.len()];
                H::into_slice(backend, &data, &mut whole);
                assert_eq!(whole, expected, "case {case}: {} {backend}, one-shot", H::ID);
                let mut hasher = H::with_backend(backend);
                hasher.update(&data);
                let mut reader = hasher.finalize_xof();
                let mut out = vec![0; expected.len()];
                let mut rest = &mut out[..];
                while !rest.is_empty() {
                    let longest = [1, 9, H::BYTES, 3 * H::BYTES][random.below(4)].min(rest.len());
                    let (piece, behind) = rest.split_at_mut(random.below(longest + 1));
                    reader.read(piece);
                    rest = behind;
                    match random.below(8) {
                        0 => H::switch_reader(&mut reader, backends()[random.below(backends().len())]),
                        1 => reader = restored(&reader),
                        2 => reader = reader.clone(),
                        _ => {}
                    }
                }
                assert_eq!(out, expected, "case {case}: {} {backend}, {} bytes", H::ID, expected.len());
            }
        }
    }
    fn restored<R: thunder::digest::common::hazmat::SerializableState>(reader: &R) -> R {
        R::deserialize(&reader.serialize()).expect("a state of our own")
    }
    for_xof!(check);
}

#[test]
fn ragged_batches() {
    fn check<H: Hasher>() {
        let backends = report::<H>();
        let mut random = Random(3);
        let pool = random.bytes(1 << 16);
        for case in 0..CASES {
            let count = 1 + random.below(25);
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

/// Messages and outputs of unequal lengths: some lanes still squeeze while others absorb.
#[test]
fn ragged_outputs() {
    fn check<H: Xof>() {
        let mut random = Random(11);
        let pool = random.bytes(1 << 12);
        for case in 0..CASES / 4 {
            let count = random.below(20);
            let messages: Vec<_> = (0..count).map(|_| &pool[..random.below(4 * H::block())]).collect();
            let lengths: Vec<_> = (0..count).map(|_| random.below([2, H::BYTES + 2, 5 * H::BYTES][case % 3])).collect();
            let expected: Vec<_> = messages
                .iter()
                .zip(&lengths)
                .map(|(message, length)| {
                    let mut out = vec![0; *length];
                    H::into_slice(Backend::PORTABLE, message, &mut out);
                    out
                })
                .collect();
            for backend in backends() {
                let mut out: Vec<_> = lengths.iter().map(|length| vec![0; *length]).collect();
                H::many_of(backend, &messages, &mut out);
                assert_eq!(out, expected, "case {case}: {} {backend}, {count} messages", H::ID);
            }
        }
    }
    for_xof!(check);
}

#[test]
fn batches_of_every_count() {
    fn check<H: Hasher>() {
        let data = pattern(300);
        for count in 0..=2 * 8 + 1 {
            let messages: Vec<_> = (0..count).map(|i| &data[..(i * 37) % 300]).collect();
            let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
            for backend in backends().into_iter().map(Some).chain([None]) {
                assert_eq!(H::many(backend, &messages), expected, "{} {backend:?}, {count} messages", H::ID);
            }
        }
    }
    for_all!(check);
}

#[test]
fn a_batch_reports_its_lanes() {
    fn check<H: Hasher>() {
        for backend in backends() {
            let lanes = match backend.name() {
                "portable" | "bmi2" => 1,
                "avx2" => 4,
                "avx512" => 8,
                other => panic!("{other} is not expected here"),
            };
            assert_eq!(H::lanes(backend), lanes, "{} {backend}", H::ID);
        }
    }
    for_all!(check);
}

#[test]
#[should_panic(expected = "3 messages, but room for 2 digests")]
fn a_batch_wants_as_many_digests_as_messages() {
    Thunder512::digest_many(&["a", "b", "c"], &mut [[0; 64]; 2]);
}

#[test]
fn backends_are_named_and_listed() {
    let available = backends();
    assert_eq!(available[0], Backend::PORTABLE);
    assert_eq!(Backend::portable(), Backend::PORTABLE);
    assert_eq!(*available.last().unwrap(), Backend::detect());
    assert_eq!(Backend::default(), Backend::detect());
    assert_eq!(Thunder512::BACKENDS, Backend::NAMES);
    assert!(Thunder512::backends().eq(Backend::available()));
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
    for (name, backend) in [("bmi2", Backend::bmi2()), ("avx2", Backend::avx2()), ("avx512", Backend::avx512())] {
        assert_eq!(backend.is_some(), available.iter().any(|backend| backend.name() == name));
    }
    let unknown = Backend::named("avx99").unwrap_err();
    assert_eq!(unknown, BackendError::Unknown);
    assert_eq!(unknown.to_string(), "no such backend; there are portable, bmi2, avx2, avx512");
}

#[test]
fn two_backends_side_by_side() {
    let mut hashers: Vec<_> = Backend::available().map(Thunder512::with_backend).collect();
    for piece in pattern(1000).chunks(77) {
        for hasher in &mut hashers {
            hasher.update(piece);
        }
    }
    for hasher in hashers {
        assert_eq!(hasher.finalize()[..], thunder::thunder512(pattern(1000)));
    }
}

#[cfg(hashmatrix_backend = "portable")]
#[test]
fn a_portable_build_has_nothing_else() {
    assert_eq!(Backend::available().count(), 1);
    assert_eq!(Thunder512::default().backend(), Backend::PORTABLE);
}

#[test]
fn bare_permutation() {
    let mut random = Random(4);
    for n in 0..=20 {
        let states: Vec<[u64; 25]> = (0..n).map(|_| std::array::from_fn(|_| random.next())).collect();
        let mut expected = states.clone();
        for state in &mut expected {
            hazmat::permute_with(Backend::PORTABLE, state);
        }
        for backend in backends() {
            let mut one_by_one = states.clone();
            for state in &mut one_by_one {
                hazmat::permute_with(backend, state);
            }
            assert_eq!(one_by_one, expected, "{backend}");
            let mut many = states.clone();
            hazmat::permute_many_with(backend, &mut many);
            assert_eq!(many, expected, "{backend}, {n} states");
        }
        let mut many = states.clone();
        hazmat::permute_many(&mut many);
        assert_eq!(many, expected, "{n} states");
    }
}
