//! The compression function and the output transformation of Groestl-224 and Groestl-256 in plain Rust: the definition
//! that every other kernel is compared with.

use super::{BLOCK, State};
use crate::{
    bitslice::{Layout, Planes, columns, transpose},
    consts::ROUNDS_256,
};

static BOTH: [Planes<2>; ROUNDS_256] = Layout::<2, 1, 0>::constants();
static P: [Planes<1>; ROUNDS_256] = Layout::<1, 1, 0>::constants();

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
    let both = Layout::<2, 1, 0>::constants();
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
    output(state, &Layout::<1, 1, 0>::constants());
}

/// One compression, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn compress_const(state: &mut State, block: &[u8; BLOCK]) {
    compress(state, block, &Layout::<2, 1, 0>::constants());
}

/// The output transformation, at compile time.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const fn output_const(state: &mut State) {
    output(state, &Layout::<1, 1, 0>::constants());
}

/// h + P(h + m) + Q(m) (section 3.2).
#[inline(always)]
const fn compress(state: &mut State, block: &[u8; BLOCK], constants: &[Planes<2>; ROUNDS_256]) {
    let (h, m) = (columns(state, 0), columns(block, 0));
    let mut p = h;
    let mut i = 0;
    while i < 8 {
        p[i] ^= m[i];
        i += 1;
    }
    let (p, q) = (transpose(p), transpose(m));
    let mut planes = [[0; 2]; 8];
    i = 0;
    while i < 8 {
        planes[i] = [p[i], q[i]];
        i += 1;
    }
    Layout::<2, 1, 0>::permute(&mut planes, constants);
    let mut sum = [0; 8];
    i = 0;
    while i < 8 {
        sum[i] = planes[i][0] ^ planes[i][1];
        i += 1;
    }
    add(state, h, transpose(sum));
}

/// P(h) + h (section 3.3).
#[inline(always)]
const fn output(state: &mut State, constants: &[Planes<1>; ROUNDS_256]) {
    let h = columns(state, 0);
    let p = transpose(h);
    let mut planes = [[0; 1]; 8];
    let mut i = 0;
    while i < 8 {
        planes[i] = [p[i]];
        i += 1;
    }
    Layout::<1, 1, 0>::permute(&mut planes, constants);
    let mut sum = [0; 8];
    i = 0;
    while i < 8 {
        sum[i] = planes[i][0];
        i += 1;
    }
    add(state, h, transpose(sum));
}

/// h plus the columns of the permutations.
#[inline(always)]
const fn add(state: &mut State, h: [u64; 8], sum: [u64; 8]) {
    let mut i = 0;
    while i < 64 {
        state[i] = ((h[i / 8] ^ sum[i / 8]) >> (8 * (i % 8))) as u8;
        i += 1;
    }
}
