//! The permutation on a CPU with AVX-512: two, four or eight states in vectors.

use ::lanes::{
    Blocks,
    cpu::Avx512,
    x86_64::avx512::{U64x2, U64x4, U64x8},
};

use super::{State, lanes, x86_bmi2};

/// The bare permutation.
#[inline]
pub(crate) fn permute(proof: Avx512, state: &mut State) {
    x86_bmi2::permute(proof.bmi2(), state);
}

/// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's last.
#[inline]
pub(crate) fn absorb<const RATE: usize>(proof: Avx512, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    x86_bmi2::absorb(proof.bmi2(), state, first, end);
}

macro_rules! width {
    ($($permute:ident $absorb:ident $V:ident $lanes:literal;)+) => {$(
        /// The bare permutation of every lane; lane i of state l is `states[i][l]`.
        #[inline(never)]
        pub(crate) fn $permute(proof: Avx512, states: &mut [[u64; $lanes]; 25]) {
            proof.enter(
                #[inline(always)]
                || lanes::permute::<$V>(proof, states),
            );
        }

        /// Absorbs the blocks of every lane; lane i of the state of message l is `states[i][l]`, a block has `WORDS`
        /// words.
        #[inline(never)]
        pub(crate) fn $absorb<const RATE: usize, const WORDS: usize>(
            proof: Avx512,
            states: &mut [[u64; $lanes]; 25],
            blocks: Blocks<'_, $lanes, RATE>,
        ) {
            proof.enter(
                #[inline(always)]
                || lanes::absorb::<$V, $lanes, RATE, WORDS>(proof, states, blocks),
            );
        }
    )+};
}

width! {
    permute2 absorb2 U64x2 2;
    permute4 absorb4 U64x4 4;
    permute8 absorb8 U64x8 8;
}
