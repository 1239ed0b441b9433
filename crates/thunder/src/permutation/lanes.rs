//! The permutation on as many states at once as a vector has lanes.

use ::lanes::{Blocks, Words64};

use super::capacity;
use crate::consts::{LANES, R, RC, ROUNDS, S, TAU, U, add_back, relative};

/// Of theta's second parity: the row that is not rotated. With this one, another is rotated by whole bytes.
const BASE: usize = 3;

/// Absorbs the blocks of every lane; lane i of the state of message l is `states[i][l]`, a block has `WORDS` words.
///
/// Inlined into a region where the instructions of `V` are enabled; without one it is correct and slow.
#[inline(always)]
pub(crate) fn absorb<V: Words64, const L: usize, const RATE: usize, const WORDS: usize>(
    proof: V::Proof,
    states: &mut [V::Array; LANES],
    blocks: Blocks<'_, L, RATE>,
) {
    for block in blocks.iter() {
        let mut a = load::<V>(proof, states);
        let words: [V; WORDS] = V::load_be(proof, block);
        let mut k = 0;
        while k < WORDS {
            a[24 - k] = a[24 - k] ^ words[k];
            k += 1;
        }
        let mut i = 0;
        while i < const { capacity(RATE) } {
            a[i].store(&mut states[i]);
            i += 1;
        }
        a = rounds(proof, a);
        let mut i = 0;
        while i < LANES {
            if i < const { capacity(RATE) } {
                a[i] = a[i] ^ V::load(proof, &states[i]);
            }
            a[i].store(&mut states[i]);
            i += 1;
        }
    }
}

/// The bare permutation of every lane.
#[inline(always)]
pub(crate) fn permute<V: Words64>(proof: V::Proof, states: &mut [V::Array; LANES]) {
    let a = rounds(proof, load::<V>(proof, states));
    let mut i = 0;
    while i < LANES {
        a[i].store(&mut states[i]);
        i += 1;
    }
}

#[inline(always)]
fn load<V: Words64>(proof: V::Proof, states: &[V::Array; LANES]) -> [V; LANES] {
    let mut a = [V::splat(proof, 0); LANES];
    let mut i = 0;
    while i < LANES {
        a[i] = V::load(proof, &states[i]);
        i += 1;
    }
    a
}

/// All rounds; two at a time, so that the lanes need not move.
#[inline(always)]
fn rounds<V: Words64>(proof: V::Proof, mut a: [V; LANES]) -> [V; LANES] {
    let mut i = 0;
    while i < ROUNDS {
        a = round(proof, a, RC[i]);
        a = round(proof, a, RC[i + 1]);
        i += 2;
    }
    a
}

/// All five steps of one round.
#[inline(always)]
fn round<V: Words64>(proof: V::Proof, mut a: [V; LANES], rc: u64) -> [V; LANES] {
    let zero = V::splat(proof, 0);
    a[0] = a[0] ^ V::splat(proof, rc);
    let mut b = [zero; LANES];
    let (mut p, mut q) = ([zero; 5], [zero; 5]);
    // rho, and the two parities of theta, column by column.
    macro_rules! column {
        ($x:literal: $($y:literal)+) => {
            $(b[5 * $y + $x] = a[5 * $y + $x].rotr::<{ TAU[5 * $y + $x] as i32 }>();)+
            p[$x] = b[$x].xor3(b[5 + $x], b[10 + $x]).xor3(b[15 + $x], b[20 + $x]);
            let turned = [$(b[5 * $y + $x].rotr::<{ relative($y, BASE) as i32 }>()),+];
            q[$x] = turned[0].xor3(turned[1], turned[2]).xor3(turned[3], turned[4]);
        };
    }
    column!(0: 0 1 2 3 4);
    column!(1: 0 1 2 3 4);
    column!(2: 0 1 2 3 4);
    column!(3: 0 1 2 3 4);
    column!(4: 0 1 2 3 4);

    let (mut e, mut f) = ([zero; 5], [zero; 5]);
    macro_rules! effects {
        ($($x:literal)+) => {
            $(
                e[$x] = (p[$x] ^ p[($x + 4) % 5].rotr::<{ R as i32 }>()).rotr::<{ U as i32 }>();
                f[$x] = q[($x + 1) % 5] ^ q[($x + 3) % 5].rotr::<{ S as i32 }>();
            )+
        };
    }
    effects!(0 1 2 3 4);

    // Row y of the old state is column y of the new one: the end of theta, pi and psi.
    let mut out = [zero; LANES];
    macro_rules! row {
        ($y:literal: $($x:literal)+) => {
            let mut column = [zero; 5];
            $(
                column[(2 * $x + 3 * $y + 2) % 5] =
                    b[5 * $y + $x].xor3(e[$x], f[$x].rotr::<{ add_back($y, BASE) as i32 }>());
            )+
            // psi: x stands for the new y here.
            $(
                out[5 * $x + $y] = column[($x + 3) % 5]
                    .xor_andn(column[($x + 1) % 5] | column[($x + 4) % 5], column[($x + 2) % 5]);
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
