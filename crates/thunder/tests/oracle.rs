//! The crate against the slow implementation of `common/oracle.rs`.

#[macro_use]
mod common;
#[path = "common/oracle.rs"]
mod oracle;

use common::{Hasher, Random, Xof, backends};
use oracle::Instance;
use thunder::hazmat;

/// The initial value of an instance, from a fresh hasher's state, and its other parameters.
fn with_instance<H: Hasher, T>(run: impl FnOnce(Instance<'_>) -> T) -> T {
    let state = H::default().serialize();
    let (words, _) = state.as_chunks();
    let lanes: Vec<_> = words[..25].iter().map(|word| u64::from_le_bytes(*word)).collect();
    let capacity = 1600 - 8 * H::block();
    assert!(lanes[capacity / 64..].iter().all(|lane| *lane == 0), "{}: the rate begins as zeros", H::ID);
    run(Instance { capacity, squeeze: 8 * H::BYTES, iv: &lanes[..capacity / 64] })
}

#[test]
fn initial_values() {
    fn check<H: Hasher>() {
        let known = match H::ID {
            "thunder-512" => (0xbf6f0f35e3b4b690, 0x385ec0e6c2c9262c),
            "thunder-768" => (0x1ee2c8609716e1fd, 0xe1f7c9010e8ec178),
            "thunder-1024" => (0xf40ba520bf2176af, 0x24503f60bf3ca4c8),
            "thunder-xof-256" => (0x9e812da2738fe002, 0x4980f7d439055835),
            "thunder-xof-384" => (0xf45c092fac272ecd, 0x12213c610d4668bf),
            _ => (0xc2884d525c702b64, 0x9aeeef2b632aa55e_u64),
        };
        with_instance::<H, _>(|instance| {
            assert_eq!((instance.iv[0], *instance.iv.last().expect("some lanes")), known, "{}", H::ID);
        });
    }
    for_all!(check);
}

/// The oracle itself: the steps of the first round and all rounds, as an independent implementation gives them.
#[test]
fn the_steps_are_known() {
    let text = include_str!("../vectors/permutation.txt");
    let mut checked = 0;
    let mut a = [[[false; 64]; 5]; 5];
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (name, words) = line.split_once(' ').expect("a name and lanes");
        let words: Vec<_> = words.split(' ').map(|word| u64::from_str_radix(word, 16).expect("a lane")).collect();
        let expected: [u64; 25] = words.try_into().expect("25 lanes");
        a = match name {
            "in" => oracle::bits_of(&expected),
            "rho" => oracle::rho(&oracle::iota(a, 0)),
            "theta" => oracle::theta(&a),
            "pi" => oracle::pi(&a),
            "psi" => oracle::psi(&a),
            "round0" | "out" => a,
            _ => oracle::round(a, name["round".len()..].parse().expect("a round")),
        };
        assert_eq!(oracle::lanes_of(&a), expected, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 3 * 18);
}

#[test]
fn the_permutation_of_random_states() {
    let mut random = Random(5);
    for case in 0..20 {
        let states: Vec<[u64; 25]> = (0..9).map(|_| std::array::from_fn(|_| random.next())).collect();
        let expected: Vec<_> =
            states.iter().map(|state| oracle::lanes_of(&oracle::permutation(oracle::bits_of(state)))).collect();
        for backend in backends() {
            for count in 1..=9 {
                let mut many = states[..count].to_vec();
                hazmat::permute_many_with(backend, &mut many);
                assert_eq!(many, expected[..count], "case {case}: {backend}, {count} states");
            }
            let mut one = states[0];
            hazmat::permute_with(backend, &mut one);
            assert_eq!(one, expected[0], "case {case}: {backend}");
        }
    }
}

/// Every bit length around block edges, and random ones.
#[test]
fn messages_of_any_number_of_bits() {
    fn check<H: Hasher>() {
        let rate = 8 * H::block();
        let mut random = Random(6);
        let message = random.bytes(3 * H::block() + 9);
        let edges = [0, rate, 2 * rate].into_iter().flat_map(|edge: usize| edge.saturating_sub(10)..edge + 10);
        let lengths: Vec<_> = edges.chain((0..40).map(|_| random.below(3 * rate))).collect();
        with_instance::<H, _>(|instance| {
            for bits in lengths {
                let expected = oracle::hash(instance, &message, bits, 8 * H::BYTES);
                let bytes = &message[..bits.div_ceil(8)];
                for backend in backends() {
                    assert_eq!(H::bits_with(backend, bytes, bits as u64), expected, "{} {backend}, {bits} bits", H::ID);
                    if bits % 8 == 0 {
                        assert_eq!(H::oneshot_with(backend, bytes), expected, "{} {backend}, {bits} bits", H::ID);
                        assert_eq!(H::streamed(backend, bytes), expected, "{} {backend}, {bits} bits", H::ID);
                    }
                }
            }
        });
    }
    for_all!(check);
}

#[test]
fn outputs_of_any_number_of_bits() {
    fn check<H: Xof>() {
        let squeeze = 8 * H::BYTES;
        let mut random = Random(7);
        let message = random.bytes(2 * H::block());
        with_instance::<H, _>(|instance| {
            for edge in [0, squeeze, 2 * squeeze] {
                for out_bits in [edge, edge + 1, edge + 7, edge + 8, edge + random.below(squeeze)] {
                    let bits = random.below(8 * message.len());
                    let expected = oracle::hash(instance, &message, bits, out_bits);
                    let mut out = vec![0xff; out_bits.div_ceil(8)];
                    H::bits_to_bits(&message, bits as u64, &mut out, out_bits as u64);
                    assert_eq!(out, expected, "{}, {bits} bits, {out_bits} bits of output", H::ID);
                }
            }
        });
    }
    for_xof!(check);
}

/// All bit lengths up to three blocks.
#[test]
#[ignore = "takes a minute"]
fn every_number_of_bits() {
    fn check<H: Hasher>() {
        let message = Random(8).bytes(3 * H::block());
        with_instance::<H, _>(|instance| {
            for bits in 0..=8 * message.len() {
                let expected = oracle::hash(instance, &message, bits, 8 * H::BYTES);
                assert_eq!(H::bits(&message, bits as u64), expected, "{}, {bits} bits", H::ID);
            }
        });
    }
    for_all!(check);
}
