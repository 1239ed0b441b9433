//! The compression function of SHA-224 and SHA-256 in plain Rust, compiled for a CPU with everything that comes with AVX-512.

use lanes::cpu::Avx512;

use super::portable;

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
