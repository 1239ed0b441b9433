//! The compression function of SHA-224 and SHA-256 in plain Rust, compiled for a CPU with BMI1 and BMI2 (`rorx`, `andn`).

use lanes::cpu::Avx2;

use super::portable;

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
