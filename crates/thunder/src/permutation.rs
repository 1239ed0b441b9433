//! The permutation of 25 lanes of 64 bits, and the loop over blocks around it.
//!
//! Lane (x, y) has index 5 y + x. A block of `RATE` bytes is added to the highest `RATE / 8` lanes, its first eight bytes
//! to lane 24; the lanes below, the capacity, are added to themselves again behind the permutation (feed-forward).

use crate::{
    backend::{Backend, Kind},
    consts,
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod lanes;
pub(crate) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_bmi2;

/// The 25 lanes.
pub(crate) type State = [u64; consts::LANES];

/// Lanes of the capacity of a sponge whose blocks have `rate` bytes.
pub(crate) const fn capacity(rate: usize) -> usize {
    consts::LANES - rate / 8
}

/// The bare permutation.
#[inline]
pub(crate) fn permute(backend: Backend, state: &mut State) {
    match backend.0 {
        Kind::Portable => portable::permute(state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Bmi2(proof) => x86_bmi2::permute(proof, state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86_avx2::permute(proof, state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86_avx512::permute(proof, state),
    }
}

/// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's last.
#[inline]
pub(crate) fn absorb<const RATE: usize>(backend: Backend, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    match backend.0 {
        Kind::Portable => portable::absorb(state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Bmi2(proof) => x86_bmi2::absorb(proof, state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86_avx2::absorb(proof, state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86_avx512::absorb(proof, state, first, end),
    }
}
