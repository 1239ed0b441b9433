//! The compression function of SHA-224 and SHA-256 in plain Rust, compiled for a CPU with BMI1 and BMI2 (`rorx`, `andn`).

use ::lanes::{Blocks, cpu::Avx2, x86_64::avx2::U32x8};

use super::{lanes, portable};

/// Compresses the blocks of `first`, then those of `last`.
#[inline]
pub(crate) fn compress(proof: Avx2, state: &mut [u32; 8], first: &[[u8; 64]], last: &[[u8; 64]]) {
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
pub(crate) fn compress8(proof: Avx2, states: &mut [[u32; 8]; 8], blocks: Blocks<'_, 8, 64>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U32x8, 8>(proof, states, blocks),
    );
}
