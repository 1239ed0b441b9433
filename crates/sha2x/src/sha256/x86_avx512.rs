//! The compression function of SHA-224 and SHA-256 in plain Rust, compiled for a CPU with everything that comes with AVX-512.

use ::lanes::{
    Blocks,
    cpu::Avx512,
    x86_64::avx512::{U32x8, U32x16},
};

use super::{lanes, portable};

/// Compresses the blocks of `first`, then those of `last`.
#[inline]
pub(crate) fn compress(proof: Avx512, state: &mut [u32; 8], first: &[[u8; 64]], last: &[[u8; 64]]) {
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
pub(crate) fn compress8(proof: Avx512, states: &mut [[u32; 8]; 8], blocks: Blocks<'_, 8, 64>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U32x8, 8>(proof, states, blocks),
    );
}

/// Compresses the blocks of every lane; word i of the state of lane l is `states[i][l]`.
#[inline(never)]
pub(crate) fn compress16(proof: Avx512, states: &mut [[u32; 16]; 8], blocks: Blocks<'_, 16, 64>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U32x16, 16>(proof, states, blocks),
    );
}
