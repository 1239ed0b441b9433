//! The compression function and the output transformation of Groestl-384 and Groestl-512 in plain Rust: the definition
//! that every other kernel is compared with. P and Q come one after the other: both at once need twice the registers.

use super::{BLOCK, State};
use crate::{
    bitslice::{Layout, Planes, columns, transpose},
    consts::ROUNDS_512,
};

type P = Layout<2, 2, 0>;
type Q = Layout<2, 2, 1>;

static CONSTANTS_OF_P: [Planes<2>; ROUNDS_512] = P::constants();
static CONSTANTS_OF_Q: [Planes<2>; ROUNDS_512] = Q::constants();

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
pub(crate) fn run(state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]], end: bool) {
    for block in first.iter().chain(last) {
        compress(state, block, &CONSTANTS_OF_P, &CONSTANTS_OF_Q);
    }
    if end {
        output(state, &CONSTANTS_OF_P);
    }
}

/// [`run`] with an end, at compile time.
pub(crate) const fn run_const(state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]]) {
    let (p, q) = (P::constants(), Q::constants());
    let mut i = 0;
    while i < first.len() {
        compress(state, &first[i], &p, &q);
        i += 1;
    }
    i = 0;
    while i < last.len() {
        compress(state, &last[i], &p, &q);
        i += 1;
    }
    output(state, &p);
}

/// One compression, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn compress_const(state: &mut State, block: &[u8; BLOCK]) {
    compress(state, block, &P::constants(), &Q::constants());
}

/// The output transformation, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn output_const(state: &mut State) {
    output(state, &P::constants());
}

/// h + P(h + m) + Q(m) (section 3.2).
#[inline(always)]
const fn compress(
    state: &mut State,
    block: &[u8; BLOCK],
    constants_of_p: &[Planes<2>; ROUNDS_512],
    constants_of_q: &[Planes<2>; ROUNDS_512],
) {
    let mut input = *state;
    let mut i = 0;
    while i < BLOCK {
        input[i] ^= block[i];
        i += 1;
    }
    let mut p = planes(&input);
    P::permute(&mut p, constants_of_p);
    let mut q = planes(block);
    Q::permute(&mut q, constants_of_q);
    add(state, &p);
    add(state, &q);
}

/// P(h) + h (section 3.3).
#[inline(always)]
const fn output(state: &mut State, constants: &[Planes<2>; ROUNDS_512]) {
    let mut p = planes(state);
    P::permute(&mut p, constants);
    add(state, &p);
}

#[inline(always)]
const fn planes(state: &State) -> Planes<2> {
    let (left, right) = (transpose(columns(state, 0)), transpose(columns(state, 8)));
    let mut planes = [[0; 2]; 8];
    let mut i = 0;
    while i < 8 {
        planes[i] = [left[i], right[i]];
        i += 1;
    }
    planes
}

#[inline(always)]
const fn add(state: &mut State, planes: &Planes<2>) {
    let mut half = 0;
    while half < 2 {
        let mut words = [0; 8];
        let mut i = 0;
        while i < 8 {
            words[i] = planes[i][half];
            i += 1;
        }
        words = transpose(words);
        i = 0;
        while i < 64 {
            state[64 * half + i] ^= (words[i / 8] >> (8 * (i % 8))) as u8;
            i += 1;
        }
        half += 1;
    }
}
