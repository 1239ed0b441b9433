extern crate std;

use super::*;
use crate::portable::{Scalar, U32s};
use crate::{Words32, batch};
use proptest::prelude::*;
use std::{string::String, vec, vec::Vec};

const LANES: usize = 4;
const BLOCK: usize = 16;

/// What differs between the families, in a function just strong enough to notice a block that is lost, doubled,
/// swapped, or compressed with the wrong counter or flag.
#[derive(Clone, Copy)]
struct Toy<const LAZY: bool, const FEW: usize> {
    state: [[u32; LANES]; 4],
    counter: [u32; LANES],
    flag: [u32; LANES],
    length: [usize; LANES],
    index: [usize; LANES],
    /// Calls of `compress`, and block steps in them.
    calls: usize,
    steps: usize,
    /// Blocks per lane named in `compress_few`.
    few: usize,
}

type Digest = (usize, [u32; 4]);

impl<const LAZY: bool, const FEW: usize> Toy<LAZY, FEW> {
    fn new() -> Self {
        Self {
            state: [[0; LANES]; 4],
            counter: [0; LANES],
            flag: [0; LANES],
            length: [0; LANES],
            index: [0; LANES],
            calls: 0,
            steps: 0,
            few: 0,
        }
    }
}

/// One block: the words, and the bytes so far and a flag as BLAKE2 has them.
fn round<W: Words32>(proof: W::Proof, state: &mut [W; 4], words: [W; 4], counter: u32, flags: W) {
    let [a, b, c, d] = *state;
    let [w, x, y, z] = words;
    let t = W::splat(proof, counter);
    let a = a.add(w).xor3(b.rotl::<7>(), flags);
    let b = b.add(x).ch(c, a).add(t);
    let c = c.add(y).maj(d, a.rotr::<9>()).add(b);
    let d = (d.add(z) ^ c).add(a).rotl::<13>();
    *state = [b, c, d, a];
}

impl<const LAZY: bool, const FEW: usize> BlockHash<LANES, BLOCK, 32> for Toy<LAZY, FEW> {
    type Output = Digest;
    const LAZY: bool = LAZY;
    const FEW: usize = FEW;

    fn start(&mut self, lane: usize, index: usize, message: &[u8]) {
        for (word, row) in self.state.iter_mut().enumerate() {
            row[lane] = word as u32 + 1;
        }
        (self.counter[lane], self.flag[lane]) = (0, 0);
        (self.length[lane], self.index[lane]) = (message.len(), index);
    }

    fn compress(&mut self, blocks: Blocks<'_, LANES, BLOCK>) {
        self.calls += 1;
        self.steps += blocks.len();
        for (lane, counter) in self.counter.iter_mut().enumerate() {
            let bytes = blocks.lane(lane);
            let mut state = self.state.map(|row| row[lane]);
            for block in bytes.as_chunks::<BLOCK>().0 {
                *counter = counter.wrapping_add(1);
                round(Scalar, &mut state, u32::load_le(Scalar, [block]), *counter, self.flag[lane]);
            }
            for (row, word) in self.state.iter_mut().zip(state) {
                row[lane] = word;
            }
        }
    }

    fn compress_few(&mut self, few: &[(usize, &[u8])]) {
        assert!(!few.is_empty() && few.len() <= FEW);
        for &(lane, bytes) in few {
            assert_eq!(bytes.len(), few[0].1.len());
            self.few += bytes.len() / BLOCK;
            let mut state = self.state.map(|row| row[lane]);
            for block in bytes.as_chunks::<BLOCK>().0 {
                self.counter[lane] += 1;
                round(Scalar, &mut state, u32::load_le(Scalar, [block]), self.counter[lane], self.flag[lane]);
            }
            for (row, word) in self.state.iter_mut().zip(state) {
                row[lane] = word;
            }
        }
    }

    /// Not lazy: one or two blocks of padding. Lazy: the last block, flagged, then two "output" blocks.
    fn stage(&mut self, lane: usize, stage: usize, rest: &[u8], tail: &mut [u8; 32], out: &mut Digest) -> usize {
        assert!(rest.len() < BLOCK || LAZY && rest.len() == BLOCK);
        let state = self.state.map(|row| row[lane]);
        let blocks = pad::<LAZY>(stage, self.length[lane], rest, tail);
        if blocks == 0 {
            *out = (self.index[lane], state);
        }
        self.flag[lane] = stage as u32 + 1;
        blocks
    }
}

fn pad<const LAZY: bool>(stage: usize, length: usize, rest: &[u8], tail: &mut [u8; 32]) -> usize {
    match (LAZY, stage) {
        (_, 0) => {
            let end = if LAZY || rest.len() < 12 { 16 } else { 32 };
            tail.fill(0);
            tail[..rest.len()].copy_from_slice(rest);
            if !LAZY {
                tail[rest.len()] = 0x80;
                tail[end - 4..end].copy_from_slice(&(length as u32).to_le_bytes());
            }
            end / 16
        }
        (true, 1) => {
            tail.fill(7);
            2
        }
        _ => 0,
    }
}

/// The same function, one message and one block after another, from the definition.
fn serial<const LAZY: bool>(index: usize, message: &[u8]) -> Digest {
    let mut state = [1, 2, 3, 4];
    let mut counter = 0;
    let mut eat = |bytes: &[u8], flag: u32| {
        for block in bytes.as_chunks::<BLOCK>().0 {
            counter += 1;
            round(Scalar, &mut state, u32::load_le(Scalar, [block]), counter, flag);
        }
    };
    let whole = match message.len() {
        0 => 0,
        n if LAZY => (n - 1) / BLOCK * BLOCK,
        n => n / BLOCK * BLOCK,
    };
    eat(&message[..whole], 0);
    for stage in 0.. {
        let mut tail = [0; 32];
        match pad::<LAZY>(stage, message.len(), &message[whole..], &mut tail) {
            0 => break,
            blocks => eat(&tail[..blocks * BLOCK], stage as u32 + 1),
        }
    }
    (index, state)
}

fn check<const LAZY: bool, const FEW: usize>(messages: &[Vec<u8>]) -> Toy<LAZY, FEW> {
    let mut toy = Toy::<LAZY, FEW>::new();
    let mut got = vec![(usize::MAX, [0; 4]); messages.len()];
    run(&mut toy, messages, &mut got);
    let want: Vec<_> = messages.iter().enumerate().map(|(i, message)| serial::<LAZY>(i, message)).collect();
    assert_eq!(got, want);
    toy
}

fn check_all(messages: &[Vec<u8>]) {
    check::<false, 0>(messages);
    check::<false, 2>(messages);
    check::<true, 0>(messages);
    check::<true, 4>(messages);
}

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + length) as u8).collect()
}

/// The blocks that a message takes in the function that is not lazy.
fn blocks(message: &[u8]) -> usize {
    (message.len() + 4) / BLOCK + 1
}

proptest! {
    #[test]
    fn any_messages(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 0..24)) {
        check_all(&messages);
    }
}

#[test]
fn corners() {
    check_all(&[]);
    for count in [1, LANES - 1, LANES, LANES + 1, 3 * LANES] {
        for length in [0, 1, 11, 12, 15, 16, 17, 32, 48] {
            check_all(&vec![bytes(length); count]);
        }
    }
    let mut one_long = vec![Vec::new(); 9];
    one_long[4] = bytes(1 << 20);
    check_all(&one_long);
}

#[test]
fn equal_messages_take_one_call_for_all_whole_blocks() {
    let toy = check::<false, 0>(&vec![bytes(10 * BLOCK); 2 * LANES]);
    assert_eq!((toy.calls, toy.steps), (4, 22), "ten whole blocks in one call, and the padding, twice");
}

#[test]
fn lanes_are_kept_full() {
    let messages: Vec<_> = (0..40).map(|i| bytes(i * i * 37 % 400)).collect();
    let work: usize = messages.iter().map(|message| blocks(message)).sum();
    let longest = messages.iter().map(|message| blocks(message)).max().unwrap();
    let toy = check::<false, 0>(&messages);
    // Greedy refilling leaves a lane idle only at the end, while the last messages finish.
    assert!(toy.steps >= work.div_ceil(LANES), "{} steps for {work} blocks", toy.steps);
    assert!(toy.steps <= work.div_ceil(LANES) + longest, "{} steps for {work} blocks", toy.steps);
    // A call ends with a lane's whole blocks or stage: at most two a message.
    assert!(toy.calls <= 2 * messages.len(), "{} calls", toy.calls);
}

#[test]
fn the_last_lanes_are_taken_over() {
    let mut messages = vec![bytes(0); 6];
    messages[1] = bytes(100 * BLOCK);
    let toy = check::<false, 1>(&messages);
    assert_eq!((toy.steps, toy.few), (2, 101 - 2), "two steps with the short ones, then alone");
    assert_eq!(check::<false, 0>(&messages).steps, 101);
}

#[test]
#[should_panic(expected = "2 messages but 1 outputs")]
fn outputs_must_match() {
    batch::run(&mut Toy::<false, 0>::new(), &["a", "b"], &mut [(0, [0; 4])]);
}

#[test]
fn any_kind_of_message() {
    let mut out = [(0, [0; 4]); 2];
    batch::run(&mut Toy::<false, 0>::new(), &[String::from("a"), String::from("bc")], &mut out);
    assert_eq!(out, [serial::<false>(0, b"a"), serial::<false>(1, b"bc")]);
}

/// A kernel over vectors, as families write them: the scheduler's blocks load into any width.
#[test]
fn blocks_feed_a_vertical_kernel() {
    let messages: [Vec<u8>; 3] = [bytes(48), bytes(50), bytes(64)];
    let blocks = Blocks::<3, 16>::new([&messages[0], &messages[1], &messages[2]], 3);
    let mut state = [1, 2, 3, 4].map(|word| U32s::<3>::splat(Scalar, word));
    for (block, counter) in blocks.iter().zip(1..) {
        round(Scalar, &mut state, U32s::load_le(Scalar, block), counter, U32s::splat(Scalar, 0));
    }
    for lane in 0..3 {
        let mut one = [1, 2, 3, 4];
        for (block, counter) in messages[lane].as_chunks::<BLOCK>().0[..3].iter().zip(1..) {
            round(Scalar, &mut one, u32::load_le(Scalar, [block]), counter, 0);
        }
        let column = state.map(|word| {
            let mut words = U32s::<3>::ZERO;
            word.store(&mut words);
            words[lane]
        });
        assert_eq!(column, one);
    }
}

#[test]
#[should_panic(expected = "shorter than 2 blocks of 16 bytes")]
fn blocks_must_be_there() {
    Blocks::<2, 16>::new([&[0; 40], &[0; 31]], 2);
}
