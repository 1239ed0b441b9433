//! The compression function of the SHA-512 family in plain Rust, compiled for a CPU with BMI1 and BMI2 (`rorx`, `andn`).

use lanes::cpu::Avx2;

use super::portable;

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
