//! The permutation in plain Rust: what every other kernel is compared with (specification, section 2.5).

use super::{State, capacity};
use crate::consts::{LANES, LAST, R, RC, ROUNDS, S, TAU, U, add_back, relative};

/// Of theta's second parity: the row that is not rotated.
const BASE: usize = 0;

/// The bare permutation.
pub(crate) const fn permute(state: &mut State) {
    *state = rounds(*state);
}

/// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's last.
pub(crate) const fn absorb<const RATE: usize>(state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    absorb_inlined(state, first, end);
}

/// [`absorb`], inlined so that a caller with more instructions gets its own copy, compiled for them.
#[inline(always)]
pub(super) const fn absorb_inlined<const RATE: usize>(state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    blocks(state, first);
    if let [before @ .., last] = end {
        blocks(state, before);
        state[0] ^= LAST;
        block(state, last);
    }
}

/// The loop over blocks.
#[inline(always)]
const fn blocks<const RATE: usize>(state: &mut State, blocks: &[[u8; RATE]]) {
    let mut i = 0;
    while i < blocks.len() {
        block(state, &blocks[i]);
        i += 1;
    }
}

/// One block with its feed-forward.
#[inline(always)]
const fn block<const RATE: usize>(state: &mut State, block: &[u8; RATE]) {
    let mut words = *state;
    add_block(&mut words, block);
    words = rounds(words);
    let mut i = 0;
    while i < LANES {
        state[i] = if i < const { capacity(RATE) } { state[i] ^ words[i] } else { words[i] };
        i += 1;
    }
}

/// Adds a block to the highest lanes.
#[inline(always)]
const fn add_block<const RATE: usize>(state: &mut State, block: &[u8; RATE]) {
    let (words, _) = block.as_chunks();
    let mut k = 0;
    while k < words.len() {
        state[24 - k] ^= u64::from_be_bytes(words[k]);
        k += 1;
    }
}

/// All rounds.
#[inline(always)]
pub(super) const fn rounds(mut a: State) -> State {
    let mut i = 0;
    while i < ROUNDS {
        a[0] ^= RC[i];
        a = round(a);
        a[0] ^= RC[i + 1];
        a = round(a);
        i += 2;
    }
    a
}

/// rho, theta, pi and psi.
#[inline(always)]
const fn round(a: State) -> State {
    let mut b = [0; 25];
    let (mut p, mut q) = ([0; 5], [0; 5]);
    // rho, and the two parities of theta, column by column.
    macro_rules! column {
        ($x:literal: $($y:literal)+) => {
            $(
                b[5 * $y + $x] = a[5 * $y + $x].rotate_right(const { TAU[5 * $y + $x] });
                p[$x] ^= b[5 * $y + $x];
                q[$x] ^= b[5 * $y + $x].rotate_right(const { relative($y, BASE) });
            )+
        };
    }
    column!(0: 0 1 2 3 4);
    column!(1: 0 1 2 3 4);
    column!(2: 0 1 2 3 4);
    column!(3: 0 1 2 3 4);
    column!(4: 0 1 2 3 4);

    let (mut e, mut f) = ([0; 5], [0; 5]);
    macro_rules! effects {
        ($($x:literal)+) => {
            $(
                e[$x] = (p[$x] ^ p[($x + 4) % 5].rotate_right(R)).rotate_right(U);
                f[$x] = q[($x + 1) % 5] ^ q[($x + 3) % 5].rotate_right(S);
            )+
        };
    }
    effects!(0 1 2 3 4);

    // Row y of the old state is column y of the new one: the end of theta, pi and psi.
    let mut out = [0; 25];
    macro_rules! row {
        ($y:literal: $($x:literal)+) => {
            let mut column = [0; 5];
            $(
                column[(2 * $x + 3 * $y + 2) % 5] =
                    b[5 * $y + $x] ^ e[$x] ^ f[$x].rotate_right(const { add_back($y, BASE) });
            )+
            // psi: x stands for the new y here.
            $(
                out[5 * $x + $y] = column[($x + 3) % 5]
                    ^ (!(column[($x + 1) % 5] | column[($x + 4) % 5]) & column[($x + 2) % 5]);
            )+
        };
    }
    row!(0: 0 1 2 3 4);
    row!(1: 0 1 2 3 4);
    row!(2: 0 1 2 3 4);
    row!(3: 0 1 2 3 4);
    row!(4: 0 1 2 3 4);
    out
}
