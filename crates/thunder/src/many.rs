//! Many messages on one thread.
//!
//! Which kernel takes how many messages:
//!
//! | | |
//! |---|---|
//! | AVX-512 | 1: one; 2: xmm x 2; 3 or 4: ymm x 4; from 5: zmm x 8 |
//! | AVX2 | 1: one; from 2: ymm x 4 |
//! | neither | one after the other |
//!
//! The same figures hold at the end of a batch, when no message waits any more and fewer and fewer lanes are busy.

use crate::{
    backend::{Backend, Kind},
    permutation::{self, State},
    sponge,
};

/// Panics unless there is room for exactly one digest a message.
#[track_caller]
#[inline]
pub(crate) fn check(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages, but room for {digests} digests");
}

/// The most messages that a backend hashes at once.
pub(crate) const fn lanes(backend: Backend) -> usize {
    match backend.0 {
        Kind::Portable => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Bmi2(_) => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(_) => 4,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(_) => 8,
    }
}

fn serially<M: AsRef<[u8]>, O: AsMut<[u8]>, const RATE: usize, const N: usize>(
    backend: Backend,
    iv: &State,
    messages: &[M],
    out: &mut [O],
) {
    for (message, out) in messages.iter().zip(out) {
        sponge::hash_into::<RATE, N>(backend, iv, message.as_ref(), out.as_mut());
    }
}

/// As many bytes for each message as its place in `out` has; a squeeze gives `N`.
#[inline]
pub(crate) fn digest<M: AsRef<[u8]>, O: AsMut<[u8]>, const RATE: usize, const N: usize>(
    backend: Backend,
    iv: &State,
    messages: &[M],
    out: &mut [O],
) {
    match backend.0 {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) if messages.len() > 1 => x86::avx2::<M, O, RATE, N>(proof, iv, messages, out),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) if messages.len() > 1 => x86::avx512::<M, O, RATE, N>(proof, iv, messages, out),
        _ => serially::<M, O, RATE, N>(backend, iv, messages, out),
    }
}

/// The bare permutation of each state.
pub(crate) fn permute(backend: Backend, states: &mut [State]) {
    match backend.0 {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86::permute_avx2(proof, states),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86::permute_avx512(proof, states),
        _ => states.iter_mut().for_each(|state| permutation::permute(backend, state)),
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;
