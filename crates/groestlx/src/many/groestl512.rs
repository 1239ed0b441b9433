//! Many messages of Groestl-384 and Groestl-512.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::end;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::groestl512::x86_gfni;
use crate::{
    backend::{Backend, Kind},
    groestl512::{self, BLOCK, State},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
super::family!(Batch groestl512 128);

/// The most messages that a backend hashes at once.
pub(crate) const fn lanes(backend: Backend) -> usize {
    match backend.0 {
        Kind::Portable => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::AesNi(..) => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Vaes(_) | Kind::Gfni256(_) => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Gfni(_) => 2,
    }
}

fn serially<M: AsRef<[u8]>, const N: usize>(backend: Backend, iv: &State, messages: &[M], out: &mut [[u8; N]]) {
    for (message, digest) in messages.iter().zip(out) {
        *digest = groestl512::output(&groestl512::digest(backend, iv, message.as_ref()));
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) fn digest_any<M: AsRef<[u8]>, const N: usize>(
    backend: Backend,
    iv: &State,
    messages: &[M],
    out: &mut [[u8; N]],
) {
    serially(backend, iv, messages, out);
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(crate) fn digest_any<M: AsRef<[u8]>, const N: usize>(
    backend: Backend,
    iv: &State,
    messages: &[M],
    out: &mut [[u8; N]],
) {
    let each = |states: &mut [State], blocks: &[&[[u8; BLOCK]]]| few(backend, states, blocks);
    match backend.0 {
        Kind::Gfni(proof) if messages.len() >= 2 => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 2, BLOCK>| x86_gfni::compress2(proof, states, blocks);
            Batch::<_, _, 2, 1, N>::run(iv, messages, out, kernel, each);
        }
        _ => serially(backend, iv, messages, out),
    }
}

/// Compresses as many blocks into each state.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn few(backend: Backend, states: &mut [State], blocks: &[&[[u8; BLOCK]]]) {
    for (state, blocks) in states.iter_mut().zip(blocks) {
        groestl512::run(backend, state, blocks, &[], false);
    }
}

/// Compresses one block into each state.
pub(crate) fn compress(backend: Backend, mut states: &mut [State], mut blocks: &[[u8; BLOCK]]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if let Kind::Gfni(proof) = backend.0 {
        let ((pairs, rest), (sources, last)) = (states.as_chunks_mut(), blocks.as_chunks());
        for (states, [a, b]) in pairs.iter_mut().zip(sources) {
            x86_gfni::compress2(proof, states, Blocks::new([a, b], 1));
        }
        (states, blocks) = (rest, last);
    }
    for (state, block) in states.iter_mut().zip(blocks) {
        groestl512::run(backend, state, core::slice::from_ref(block), &[], false);
    }
}
