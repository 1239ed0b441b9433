//! The compression function and the output transformation of Groestl-384 and Groestl-512 in plain Rust: the definition
//! that every other kernel is compared with.

use super::{BLOCK, State};
use crate::{
    bitslice::{Layout, Planes, columns, transpose},
    consts::ROUNDS_512,
};

static BOTH: [Planes<4>; ROUNDS_512] = Layout::<4, 2>::constants();
static P: [Planes<2>; ROUNDS_512] = Layout::<2, 2>::constants();

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
pub(crate) fn run(state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]], end: bool) {
    for block in first.iter().chain(last) {
        compress(state, block, &BOTH);
    }
    if end {
        output(state, &P);
    }
}

/// [`run`] with an end, at compile time.
pub(crate) const fn run_const(state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]]) {
    let both = Layout::<4, 2>::constants();
    let mut i = 0;
    while i < first.len() {
        compress(state, &first[i], &both);
        i += 1;
    }
    i = 0;
    while i < last.len() {
        compress(state, &last[i], &both);
        i += 1;
    }
    output(state, &Layout::<2, 2>::constants());
}

/// One compression, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn compress_const(state: &mut State, block: &[u8; BLOCK]) {
    compress(state, block, &Layout::<4, 2>::constants());
}

/// The output transformation, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn output_const(state: &mut State) {
    output(state, &Layout::<2, 2>::constants());
}

/// h + P(h + m) + Q(m) (section 3.2).
#[inline(always)]
const fn compress(state: &mut State, block: &[u8; BLOCK], constants: &[Planes<4>; ROUNDS_512]) {
    let mut planes = [[0; 4]; 8];
    let mut half = 0;
    while half < 2 {
        let (h, m) = (columns(state, 8 * half), columns(block, 8 * half));
        let mut p = h;
        let mut i = 0;
        while i < 8 {
            p[i] ^= m[i];
            i += 1;
        }
        let (p, q) = (transpose(p), transpose(m));
        i = 0;
        while i < 8 {
            planes[i][half] = p[i];
            planes[i][2 + half] = q[i];
            i += 1;
        }
        half += 1;
    }
    Layout::<4, 2>::permute(&mut planes, constants);
    let mut sums = [[0; 8]; 2];
    let mut i = 0;
    while i < 8 {
        sums[0][i] = planes[i][0] ^ planes[i][2];
        sums[1][i] = planes[i][1] ^ planes[i][3];
        i += 1;
    }
    add(state, sums);
}

/// P(h) + h (section 3.3).
#[inline(always)]
const fn output(state: &mut State, constants: &[Planes<2>; ROUNDS_512]) {
    let (low, high) = (transpose(columns(state, 0)), transpose(columns(state, 8)));
    let mut planes = [[0; 2]; 8];
    let mut i = 0;
    while i < 8 {
        planes[i] = [low[i], high[i]];
        i += 1;
    }
    Layout::<2, 2>::permute(&mut planes, constants);
    let mut sums = [[0; 8]; 2];
    i = 0;
    while i < 8 {
        sums[0][i] = planes[i][0];
        sums[1][i] = planes[i][1];
        i += 1;
    }
    add(state, sums);
}

/// Adds what the permutations gave, as planes.
#[inline(always)]
const fn add(state: &mut State, sums: [[u64; 8]; 2]) {
    let mut half = 0;
    while half < 2 {
        let sum = transpose(sums[half]);
        let mut i = 0;
        while i < 64 {
            state[64 * half + i] ^= (sum[i / 8] >> (8 * (i % 8))) as u8;
            i += 1;
        }
        half += 1;
    }
}
