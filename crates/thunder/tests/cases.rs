//! Faults that implementations of other hash functions really had, as tests.

#[macro_use]
mod common;

use common::{Hasher, Xof, backends, pattern, report};
use thunder::{
    Backend, Digest, Thunder512, ThunderXof384,
    digest::{Update, XofReader, common::hazmat::SerializableState},
};

/// Update in pieces gave another digest than all at once (ePrint 2017/891).
#[test]
fn every_split_of_every_length() {
    fn check<H: Hasher>() {
        for backend in report::<H>() {
            let data = pattern(3 * H::block() + 1);
            let step = if cfg!(debug_assertions) { 7 } else { 1 };
            for n in (0..data.len()).step_by(step) {
                let expected = H::oneshot_with(backend, &data[..n]);
                for first in (0..=n).step_by(step) {
                    let mut hasher = H::with_backend(backend);
                    hasher.update(&data[..first]);
                    hasher.update(&data[first..n]);
                    assert_eq!(hasher.finish(), expected, "{} {backend}, {first} and {} bytes", H::ID, n - first);
                }
            }
        }
    }
    for_all!(check);
}

/// Bits that did not count, and bits that should not have (the same).
#[test]
fn every_bit_counts_and_no_other() {
    fn check<H: Hasher>() {
        for backend in backends() {
            let bits = 8 * H::block() + 13;
            let message = pattern(H::block() + 2);
            let digest = H::bits_with(backend, &message, bits as u64);
            for bit in 0..8 * message.len() {
                let mut other = message.clone();
                other[bit / 8] ^= 0x80 >> (bit % 8);
                let same = H::bits_with(backend, &other, bits as u64) == digest;
                assert_eq!(same, bit >= bits, "{} {backend}, bit {bit} of {bits}", H::ID);
            }
            let longer = [message.clone(), vec![0xff; 9]].concat();
            assert_eq!(H::bits_with(backend, &longer, bits as u64), digest, "{}: bytes behind the message", H::ID);
        }
    }
    for_all!(check);
}

#[test]
#[should_panic(expected = "17 bits asked for, but 2 bytes given")]
fn more_bits_than_bytes() {
    thunder::Thunder768::digest_bits([0; 2], 17);
}

#[test]
#[should_panic(expected = "1 bytes for an output of 9 bits")]
fn more_bits_of_output_than_room() {
    ThunderXof384::digest_bits_to_bits([0; 2], 16, &mut [0], 9);
}

/// An empty part at the end, unequal lanes, the order of results (isa-l_crypto #156).
#[test]
fn batches() {
    fn check<H: Hasher>() {
        let long = pattern(1 << 18);
        for backend in backends().into_iter().map(Some).chain([None]) {
            assert!(H::many(backend, &[]).is_empty());
            for place in [0, 5, 19] {
                let mut messages = [&long[..0]; 20];
                messages[place] = &long;
                let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
                assert_eq!(H::many(backend, &messages), expected, "{} {backend:?}, place {place}", H::ID);
            }
        }
        for backend in backends() {
            let mut hasher = H::with_backend(backend);
            hasher.update(&pattern(H::block()));
            hasher.update(&[]);
            assert_eq!(hasher.finish(), H::oneshot(&pattern(H::block())), "{} {backend}", H::ID);
        }
    }
    for_all!(check);
}

/// Output of nothing, and a long output among short ones.
#[test]
fn batches_of_unequal_outputs() {
    fn check<H: Xof>() {
        let data = pattern(200);
        for backend in backends() {
            for place in [0, 4, 8] {
                let mut out = vec![Vec::new(); 9];
                out[place] = vec![0; 10 * H::BYTES];
                H::many_of(backend, &[&data[..]; 9], &mut out);
                let mut expected = vec![0; 10 * H::BYTES];
                H::into_slice(Backend::PORTABLE, &data, &mut expected);
                assert_eq!(out[place], expected, "{} {backend}, place {place}", H::ID);
            }
        }
    }
    for_xof!(check);
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
                for n in (0..400).chain((400..=PAGE).step_by(61)) {
                    let message = &page[PAGE - n..];
                    let digest = H::oneshot_with(backend, message);
                    assert_eq!(digest, H::oneshot_with(Backend::PORTABLE, &vec![0x5a; n]), "{} {backend} {n}", H::ID);
                    assert_eq!(digest, H::streamed(backend, message), "{} {backend} {n}", H::ID);
                    // A short lane beside a long one, all of them at the fence.
                    let messages: Vec<_> = (0..11).map(|i| &message[n - n * (i % 7) / 6..]).collect();
                    let expected: Vec<_> = messages.iter().map(|message| H::oneshot(message)).collect();
                    assert_eq!(H::many(Some(backend), &messages), expected, "{} {backend} {n}", H::ID);
                }
            }
        }
        for_all!(check);
    }

    #[test]
    fn nothing_is_written_there() {
        fn check<H: Xof>() {
            let mut fenced = Fenced::new();
            for backend in report::<H>() {
                for n in 0..3 * H::BYTES {
                    let page = fenced.page();
                    page.fill(0x5a);
                    H::into_slice(backend, b"abc", &mut page[PAGE - n..]);
                    assert!(page[..PAGE - n].iter().all(|byte| *byte == 0x5a), "{} {backend} {n}", H::ID);
                }
            }
        }
        for_xof!(check);
    }
}

/// Saved states: the same bytes everywhere, and nothing bad accepted (RustCrypto/hashes #385, BLAKE3 #84).
mod saved_states {
    use super::*;

    #[test]
    fn go_on_where_they_stopped() {
        fn check<H: Hasher>() {
            let block = H::block();
            for backend in backends() {
                for n in [0, 1, block - 1, block, block + 1, 3 * block + 7] {
                    let mut hasher = H::with_backend(backend);
                    hasher.update(&pattern(n));
                    let state = hasher.serialize();
                    let mut portable = H::with_backend(Backend::PORTABLE);
                    portable.update(&pattern(n));
                    assert_eq!(state, portable.serialize(), "{} {backend}", H::ID);
                    let mut restored = H::deserialize(&state).expect("a state of our own");
                    assert_eq!(restored.backend(), H::default().backend());
                    restored.update(&pattern(100));
                    let whole = [pattern(n), pattern(100)].concat();
                    assert_eq!(restored.finish(), H::oneshot(&whole), "{} {backend}, {n}", H::ID);
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
                hasher.update(&pattern(n));
                let state = hasher.serialize();
                let position = state.len() - block;
                for at in 0..state.len() {
                    for value in [state[at] ^ 1, state[at] ^ 0x80, !state[at], 0xff, block as u8] {
                        let mut damaged = state.clone();
                        damaged[at] = value;
                        match H::deserialize(&damaged) {
                            Ok(mut hasher) => {
                                assert!(at != position || usize::from(value) < block, "{}: position {value}", H::ID);
                                hasher.update(&pattern(300));
                                hasher.finish();
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
    fn of_readers_are_refused_beyond_a_squeeze() {
        fn check<H: Xof>() {
            let mut reader = H::default().finalize_xof();
            reader.read(&mut vec![0; H::BYTES]);
            let state = reader.serialize();
            assert_eq!(usize::from(state[200]), H::BYTES);
            for taken in 0..=u8::MAX {
                let mut other = state.clone();
                other[200] = taken;
                let fits = usize::from(taken) <= H::BYTES;
                match H::Reader::deserialize(&other) {
                    Ok(mut reader) => {
                        assert!(fits, "{}: {taken} bytes taken", H::ID);
                        reader.read(&mut [0; 300]);
                    }
                    Err(_) => assert!(!fits, "{}: {taken} bytes taken", H::ID),
                }
            }
        }
        for_xof!(check);
    }

    /// Saved by version 0.1.0 after 128 bytes of the pattern and three more.
    #[test]
    fn of_the_first_version_still_load() {
        let mut state = [0; 200 + 128];
        for (bytes, lane) in state.as_chunks_mut().0.iter_mut().zip(GOLDEN) {
            *bytes = lane.to_le_bytes();
        }
        state[200..204].copy_from_slice(&[3, 128, 129, 130]);
        let mut hasher = Thunder512::deserialize(&state.into()).expect("the state of 0.1.0");
        assert_eq!(hasher.serialize()[..], state);
        Update::update(&mut hasher, b"more");
        assert_eq!(hasher.finalize()[..], thunder::thunder512([&pattern(131)[..], b"more"].concat()));
    }

    const GOLDEN: [u64; 25] = [
        0x56c2_0275_c13b_7b46,
        0x4dca_184e_b1c1_01d2,
        0x24e3_309e_b679_5eed,
        0xaf24_22a9_1915_128f,
        0xbcb0_3545_22b3_39a2,
        0xe97d_d0da_930c_e558,
        0x29b6_4f01_5644_c2e9,
        0x3f83_ebfb_5dc7_69fa,
        0xb80a_ee24_4d33_272a,
        0x4d86_1620_1329_0133,
        0x9294_3ea0_3638_309b,
        0xbade_7329_b46b_a155,
        0x1671_7ab3_8ee2_bc10,
        0xa863_279a_3755_e94a,
        0x4be7_b736_4057_7a49,
        0x3774_61db_ce63_c6ee,
        0xccb1_2c6d_900e_433c,
        0x5b3e_70c6_8918_2342,
        0xe7bd_a4f7_22c3_df9e,
        0x3ccd_0bfc_e2f5_e088,
        0x6a6d_6393_fbc4_95b9,
        0x853d_33b8_fd10_d2a2,
        0xedf7_e1aa_3db6_b208,
        0xaa99_46ec_e1ca_53b9,
        0xf6ae_ffcf_5a06_97c1,
    ];
}
