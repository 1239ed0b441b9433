//! Groestl-384 and Groestl-512: one compression function, one padding and one output transformation; they differ in the
//! initial value and in how much of the state they give out (round-3 specification, sections 3.1 to 3.6).

use crate::{
    backend::{Backend, Kind},
    end,
};

mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_aesni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_gfni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_gfni256;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_vaes;

/// Bytes of a block, and of the state.
pub(crate) const BLOCK: usize = 128;

/// The state between blocks: column after column.
pub(crate) type State = [u8; BLOCK];

/// Q of the block of zeros: with it, an output transformation is a compression. P(h + 0) + Q(0) + h is one away from
/// P(h) + h.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) const Q_OF_ZERO: State = {
    let mut state = [0; BLOCK];
    portable::compress_const(&mut state, &[0; BLOCK]);
    let mut output = [0; BLOCK];
    portable::output_const(&mut output);
    let mut i = 0;
    while i < BLOCK {
        state[i] ^= output[i];
        i += 1;
    }
    state
};

/// Compresses the blocks of `first`, then those of `last`: a message's own blocks, and the padded end of it, in one
/// call. With `end` the output transformation follows.
#[inline]
pub(crate) fn run(backend: Backend, state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]], end: bool) {
    match backend.0 {
        Kind::Portable => portable::run(state, first, last, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::AesNi(proof, avx) => x86_aesni::run(proof, avx, state, first, last, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Vaes(proof) => x86_vaes::run(proof, state, first, last, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Gfni256(proof) => x86_gfni256::run(proof, state, first, last, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Gfni(proof) => x86_gfni::run(proof, state, first, last, end),
    }
}

end::primitive!(BLOCK);
