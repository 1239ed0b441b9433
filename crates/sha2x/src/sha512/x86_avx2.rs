//! The compression function of the SHA-512 family in plain Rust, compiled for a CPU with BMI1 and BMI2 (`rorx`, `andn`).

use ::lanes::{Blocks, cpu::Avx2, x86_64::avx2::U64x4};

use super::{lanes, portable};

/// Compresses the blocks of `first`, then those of `last`.
#[inline]
pub(crate) fn compress(proof: Avx2, state: &mut [u64; 8], first: &[[u8; 128]], last: &[[u8; 128]]) {
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
pub(crate) fn compress4(proof: Avx2, states: &mut [[u64; 4]; 8], blocks: Blocks<'_, 4, 128>) {
    proof.enter(
        #[inline(always)]
        || lanes::compress::<U64x4, 4>(proof, states, blocks),
    );
}
