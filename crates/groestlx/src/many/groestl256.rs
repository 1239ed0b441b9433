//! Many messages of Groestl-224 and Groestl-256.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::end;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::groestl256::{x86_gfni, x86_gfni256, x86_vaes};
use crate::{
    backend::{Backend, Kind},
    groestl256::{self, BLOCK, State},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
super::family!(Batch groestl256 64);

/// The most messages that a backend hashes at once.
pub(crate) const fn lanes(backend: Backend) -> usize {
    match backend.0 {
        Kind::Portable => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::AesNi(..) => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Vaes(_) | Kind::Gfni256(_) => 2,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Gfni(_) => 4,
    }
}

fn serially<M: AsRef<[u8]>, const N: usize>(backend: Backend, iv: &State, messages: &[M], out: &mut [[u8; N]]) {
    for (message, digest) in messages.iter().zip(out) {
        *digest = groestl256::output(&groestl256::digest(backend, iv, message.as_ref()));
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
    match (backend.0, messages.len()) {
        (_, 0 | 1) | (Kind::Portable | Kind::AesNi(..), _) => serially(backend, iv, messages, out),
        (Kind::Vaes(proof), _) => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 2, BLOCK>| x86_vaes::compress2(proof, states, blocks);
            Batch::<_, _, 2, 1, N>::run(iv, messages, out, kernel, each);
        }
        (Kind::Gfni256(proof), _) => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 2, BLOCK>| x86_gfni256::compress2(proof, states, blocks);
            Batch::<_, _, 2, 1, N>::run(iv, messages, out, kernel, each);
        }
        (Kind::Gfni(proof), 2) => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 2, BLOCK>| x86_gfni::compress2(proof, states, blocks);
            Batch::<_, _, 2, 1, N>::run(iv, messages, out, kernel, each);
        }
        (Kind::Gfni(proof), _) => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 4, BLOCK>| x86_gfni::compress4(proof, states, blocks);
            Batch::<_, _, 4, 2, N>::run(iv, messages, out, kernel, each);
        }
    }
}

/// Compresses as many blocks into each state, two states at a time where the backend can.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn few(backend: Backend, states: &mut [State], blocks: &[&[[u8; BLOCK]]]) {
    let (pairs, one) = states.as_chunks_mut();
    let (sources, last) = blocks.as_chunks();
    for (states, [a, b]) in pairs.iter_mut().zip(sources) {
        let blocks = Blocks::new([a.as_flattened(), b.as_flattened()], a.len());
        match backend.0 {
            Kind::Vaes(proof) => x86_vaes::compress2(proof, states, blocks),
            Kind::Gfni256(proof) => x86_gfni256::compress2(proof, states, blocks),
            Kind::Gfni(proof) => x86_gfni::compress2(proof, states, blocks),
            Kind::Portable | Kind::AesNi(..) => {
                groestl256::run(backend, &mut states[0], a, &[], false);
                groestl256::run(backend, &mut states[1], b, &[], false);
            }
        }
    }
    for (state, blocks) in one.iter_mut().zip(last) {
        groestl256::run(backend, state, blocks, &[], false);
    }
}

/// Compresses one block into each state.
pub(crate) fn compress(backend: Backend, mut states: &mut [State], mut blocks: &[[u8; BLOCK]]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        if let Kind::Gfni(proof) = backend.0 {
            let ((fours, rest), (sources, last)) = (states.as_chunks_mut(), blocks.as_chunks::<4>());
            for (states, sources) in fours.iter_mut().zip(sources) {
                x86_gfni::compress4(proof, states, Blocks::new(sources.each_ref().map(|block| &block[..]), 1));
            }
            (states, blocks) = (rest, last);
        }
        let ((pairs, rest), (sources, last)) = (states.as_chunks_mut::<2>(), blocks.as_chunks::<2>());
        for (states, [a, b]) in pairs.iter_mut().zip(sources) {
            few(backend, states, &[core::slice::from_ref(a), core::slice::from_ref(b)]);
        }
        (states, blocks) = (rest, last);
    }
    for (state, block) in states.iter_mut().zip(blocks) {
        groestl256::run(backend, state, core::slice::from_ref(block), &[], false);
    }
}
