//! The compression function of the SHA-512 family in plain Rust, compiled for a CPU with everything that comes with AVX-512.

use ::lanes::{
    Blocks,
    cpu::Avx512,
    x86_64::avx512::{U64x4, U64x8},
};

use super::{lanes, portable};

/// Compresses the blocks of `first`, then those of `last`.
#[inline]
pub(crate) fn compress(proof: Avx512, state: &mut [u64; 8], first: &[[u8; 128]], last: &[[u8; 128]]) {
    proof.enter(
        #[inline(always)]
        || {
            for blocks in [first, last] {
                portable::blocks(state, blocks);
            }
        },
    );
}

/// Compresses the blocks of every lane; word i of the state of lane l is `states[i][l]`.
#[inline(never)]
pub(crate) fn compress4(proof: Avx512, states: &mut [[u64; 4]; 8], blocks: Blocks<'_, 4, 128>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U64x4, 4>(proof, states, blocks),
    );
}

/// Compresses the blocks of every lane; word i of the state of lane l is `states[i][l]`.
#[inline(never)]
pub(crate) fn compress8(proof: Avx512, states: &mut [[u64; 8]; 8], blocks: Blocks<'_, 8, 128>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U64x8, 8>(proof, states, blocks),
    );
}
