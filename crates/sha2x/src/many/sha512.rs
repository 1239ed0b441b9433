//! Many messages of the SHA-512 family.

use crate::{
    backend::{Backend, Kind},
    sha512::{self, State},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
super::family!(Batch sha512 128 u64 u128);

/// The most messages that a backend hashes at once.
pub(crate) const fn lanes(backend: Backend) -> usize {
    match backend.0 {
        Kind::Portable => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(_) => 4,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(_) => 8,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::ShaNi(..) => 1,
    }
}

fn serially<M: AsRef<[u8]>, const N: usize>(backend: Backend, iv: &State, messages: &[M], out: &mut [[u8; N]]) {
    for (message, digest) in messages.iter().zip(out) {
        *digest = sha512::output(&sha512::digest(backend, iv, message.as_ref()));
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use portable::{compress, digest_any};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use x86::{compress, digest_any};

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
mod portable {
    use super::*;

    pub(crate) fn digest_any<M: AsRef<[u8]>, const N: usize>(
        backend: Option<Backend>,
        iv: &State,
        messages: &[M],
        out: &mut [[u8; N]],
    ) {
        serially(backend.unwrap_or(Backend::PORTABLE), iv, messages, out);
    }

    pub(crate) fn compress(backend: Option<Backend>, states: &mut [State], blocks: &[[u8; 128]]) {
        for (state, block) in states.iter_mut().zip(blocks) {
            sha512::compress(backend.unwrap_or(Backend::PORTABLE), state, &[*block], &[]);
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use ::lanes::{
        Blocks,
        cpu::{Avx2, Avx512},
    };

    use super::*;
    use crate::sha512::{x86_avx2, x86_avx512};

    /// Lanes of the widest vectors, and of those half as wide.
    const WIDE: usize = 8;
    const HALF: usize = 4;

    /// The kernel of `HALF` lanes.
    #[derive(Clone, Copy)]
    enum Half {
        Avx2(Avx2),
        Avx512(Avx512),
    }

    impl Half {
        #[inline]
        fn compress(self, states: &mut [[u64; HALF]; 8], blocks: Blocks<'_, HALF, 128>) {
            match self {
                Self::Avx2(proof) => x86_avx2::compress4(proof, states, blocks),
                Self::Avx512(proof) => x86_avx512::compress4(proof, states, blocks),
            }
        }
    }

    /// What may be used.
    #[derive(Clone, Copy)]
    struct Tools {
        one: Backend,
        half: Option<Half>,
        wide: Option<Avx512>,
    }

    impl Tools {
        #[inline]
        fn of(backend: Option<Backend>) -> Self {
            let one = backend.unwrap_or_else(Backend::detect512);
            let none = Self { one, half: None, wide: None };
            match one.0 {
                Kind::Portable | Kind::ShaNi(..) => none,
                Kind::Avx2(proof) => Self { half: Some(Half::Avx2(proof)), ..none },
                Kind::Avx512(proof) => Self { half: Some(Half::Avx512(proof)), wide: Some(proof), ..none },
            }
        }

        /// Compresses as many blocks into each state, at most `WIDE` states, by the kernels that are best for so many.
        fn compress(self, states: &mut [State], blocks: &[&[[u8; 128]]]) {
            if let Some(proof) = self.wide
                && states.len() > HALF
            {
                return side_by_side(states, blocks, |states, blocks| x86_avx512::compress8(proof, states, blocks));
            }
            if let Some(half) = self.half
                && states.len() > 1
            {
                for (states, blocks) in states.chunks_mut(HALF).zip(blocks.chunks(HALF)) {
                    side_by_side(states, blocks, |states, blocks| half.compress(states, blocks));
                }
                return;
            }
            for (state, blocks) in states.iter_mut().zip(blocks) {
                sha512::compress(self.one, state, blocks, &[]);
            }
        }
    }

    /// Calls a kernel of `LANES` lanes for at most so many states; lanes to spare do the first one's work again.
    fn side_by_side<const LANES: usize>(
        states: &mut [State],
        blocks: &[&[[u8; 128]]],
        kernel: impl FnOnce(&mut [[u64; LANES]; 8], Blocks<'_, LANES, 128>),
    ) {
        let lane = |l: usize| if l < states.len() { l } else { 0 };
        let mut words: [[u64; LANES]; 8] = core::array::from_fn(|i| core::array::from_fn(|l| states[lane(l)][i]));
        let sources = core::array::from_fn(|l| blocks[lane(l)].as_flattened());
        kernel(&mut words, Blocks::new(sources, blocks[0].len()));
        for (l, state) in states.iter_mut().enumerate() {
            *state = words.map(|word| word[l]);
        }
    }

    #[inline]
    pub(crate) fn digest_any<M: AsRef<[u8]>, const N: usize>(
        backend: Option<Backend>,
        iv: &State,
        messages: &[M],
        out: &mut [[u8; N]],
    ) {
        let tools = Tools::of(backend);
        let each = |states: &mut [State], blocks: &[&[[u8; 128]]]| tools.compress(states, blocks);
        let n = messages.len();
        if let Some(proof) = tools.wide
            && n > HALF
        {
            let kernel = |states: &mut _, blocks: Blocks<'_, WIDE, 128>| x86_avx512::compress8(proof, states, blocks);
            return Batch::<_, _, WIDE, HALF, N>::run(iv, messages, out, kernel, each);
        }
        if let Some(half) = tools.half
            && n > 1
        {
            let kernel = |states: &mut _, blocks: Blocks<'_, HALF, 128>| half.compress(states, blocks);
            return Batch::<_, _, HALF, 1, N>::run(iv, messages, out, kernel, each);
        }
        serially(tools.one, iv, messages, out);
    }

    pub(crate) fn compress(backend: Option<Backend>, states: &mut [State], blocks: &[[u8; 128]]) {
        let tools = Tools::of(backend);
        for (states, blocks) in states.chunks_mut(WIDE).zip(blocks.chunks(WIDE)) {
            let mut each = [&[][..]; WIDE];
            for (one, block) in each.iter_mut().zip(blocks) {
                *one = core::slice::from_ref(block);
            }
            tools.compress(states, &each[..blocks.len()]);
        }
    }
}
