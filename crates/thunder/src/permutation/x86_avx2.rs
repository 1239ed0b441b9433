//! The permutation on a CPU with AVX2: one state in scalar registers, four in vectors.

use ::lanes::{Blocks, cpu::Avx2, x86_64::avx2::U64x4};

use super::{State, lanes, x86_bmi2};

/// The bare permutation.
#[inline]
pub(crate) fn permute(proof: Avx2, state: &mut State) {
    x86_bmi2::permute(proof.bmi2(), state);
}

/// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's last.
#[inline]
pub(crate) fn absorb<const RATE: usize>(proof: Avx2, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    x86_bmi2::absorb(proof.bmi2(), state, first, end);
}

/// The bare permutation of every lane; lane i of state l is `states[i][l]`.
#[inline(never)]
pub(crate) fn permute4(proof: Avx2, states: &mut [[u64; 4]; 25]) {
    proof.enter(
        #[inline(always)]
        || lanes::permute::<U64x4>(proof, states),
    );
}

rates_side_by_side!(absorb4: Avx2 U64x4 4);
