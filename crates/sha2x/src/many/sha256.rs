//! Many messages of SHA-224 and SHA-256.

use crate::{
    backend::{Backend, Kind},
    sha256::{self, State},
};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
super::family!(Batch sha256 64 u32 u64);

/// The most messages that a backend hashes at once.
pub(crate) const fn lanes(backend: Backend) -> usize {
    match backend.0 {
        Kind::Portable => 1,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(_) => 8,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(_) => 16,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::ShaNi(..) => 3,
    }
}

fn serially<M: AsRef<[u8]>, const N: usize>(backend: Backend, iv: &State, messages: &[M], out: &mut [[u8; N]]) {
    for (message, digest) in messages.iter().zip(out) {
        *digest = sha256::output(&sha256::digest(backend, iv, message.as_ref()));
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

    pub(crate) fn compress(backend: Option<Backend>, states: &mut [State], blocks: &[[u8; 64]]) {
        for (state, block) in states.iter_mut().zip(blocks) {
            sha256::compress(backend.unwrap_or(Backend::PORTABLE), state, &[*block], &[]);
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use ::lanes::{
        Blocks,
        cpu::{Avx, Avx2, Avx512, ShaNi},
    };

    use super::*;
    use crate::sha256::{x86_avx2, x86_avx512, x86_shani};

    /// Lanes of the widest vectors, and of those half as wide.
    const WIDE: usize = 16;
    const HALF: usize = 8;

    /// Streams of SHA instructions side by side. On Zen 3 a block then takes 63 cycles (128 alone, 71 with two streams,
    /// 67 with four, whose registers do not suffice): its 170 or so vector operations share four pipes. On Intel's cores
    /// two streams fill the unit of `sha256rnds2`, and a third does no harm.
    const STREAMS: usize = 3;

    /// The kernel of `HALF` lanes.
    #[derive(Clone, Copy)]
    enum Half {
        Avx2(Avx2),
        Avx512(Avx512),
    }

    impl Half {
        #[inline]
        fn compress(self, states: &mut [[u32; HALF]; 8], blocks: Blocks<'_, HALF, 64>) {
            match self {
                Self::Avx2(proof) => x86_avx2::compress8(proof, states, blocks),
                Self::Avx512(proof) => x86_avx512::compress8(proof, states, blocks),
            }
        }
    }

    /// What may be used.
    #[derive(Clone, Copy)]
    struct Tools {
        one: Backend,
        half: Option<Half>,
        wide: Option<Avx512>,
        shani: Option<(ShaNi, Option<Avx>)>,
    }

    impl Tools {
        #[inline]
        fn of(backend: Option<Backend>) -> Self {
            let one = backend.unwrap_or_else(Backend::detect);
            let none = Self { one, half: None, wide: None, shani: None };
            let wide = |proof| (Some(Half::Avx512(proof)), Some(proof));
            match (one.0, backend) {
                (Kind::Portable, _) => none,
                (Kind::Avx2(proof), _) => Self { half: Some(Half::Avx2(proof)), ..none },
                (Kind::Avx512(proof), _) => {
                    let (half, wide) = wide(proof);
                    Self { half, wide, ..none }
                }
                (Kind::ShaNi(proof, avx), Some(_)) => Self { shani: Some((proof, avx)), ..none },
                // Without AVX-512, streams of SHA instructions beat eight lanes of AVX2.
                (Kind::ShaNi(proof, avx), None) => {
                    let (half, wide) = Avx512::detect().map_or((None, None), wide);
                    Self { half, wide, shani: Some((proof, avx)), ..none }
                }
            }
        }

        /// With fewer messages than this, `half` loses to the kernel for one or two.
        #[inline]
        fn half_from(self) -> usize {
            if self.shani.is_some() { 6 } else { 2 }
        }

        /// With fewer messages than this, `wide` loses to `half`.
        #[inline]
        fn wide_from(self) -> usize {
            if self.shani.is_some() { 12 } else { HALF + 1 }
        }

        /// Compresses as many blocks into each state, at most `WIDE` states, by the kernels that are best for so many.
        fn compress(self, mut states: &mut [State], mut blocks: &[&[[u8; 64]]]) {
            if let Some(proof) = self.wide
                && states.len() >= self.wide_from()
            {
                return side_by_side(states, blocks, |states, blocks| x86_avx512::compress16(proof, states, blocks));
            }
            if let Some(half) = self.half {
                while states.len() >= self.half_from() {
                    let n = states.len().min(HALF);
                    let ((now, later), (first, rest)) = (states.split_at_mut(n), blocks.split_at(n));
                    side_by_side(now, first, |states, blocks| half.compress(states, blocks));
                    (states, blocks) = (later, rest);
                }
            }
            if let Some((proof, avx)) = self.shani {
                let ((threes, few), (sources, rest)) = (states.as_chunks_mut(), blocks.as_chunks());
                for (states, sources) in threes.iter_mut().zip(sources) {
                    x86_shani::compress3(proof, avx, states.each_mut(), rows(*sources));
                }
                match (few, rest) {
                    ([a, b], &[x, y]) => return x86_shani::compress2(proof, avx, [a, b], rows([x, y])),
                    one => (states, blocks) = one,
                }
            }
            for (state, blocks) in states.iter_mut().zip(blocks) {
                sha256::compress(self.one, state, blocks, &[]);
            }
        }
    }

    /// The blocks of every lane, as many of each.
    #[inline]
    fn rows<'a, const LANES: usize>(sources: [&'a [[u8; 64]]; LANES]) -> Blocks<'a, LANES, 64> {
        Blocks::new(sources.map(|blocks| blocks.as_flattened()), sources[0].len())
    }

    /// Calls a kernel of `LANES` lanes for at most so many states; lanes to spare do the first one's work again.
    fn side_by_side<const LANES: usize>(
        states: &mut [State],
        blocks: &[&[[u8; 64]]],
        kernel: impl FnOnce(&mut [[u32; LANES]; 8], Blocks<'_, LANES, 64>),
    ) {
        let lane = |l: usize| if l < states.len() { l } else { 0 };
        let mut words: [[u32; LANES]; 8] = core::array::from_fn(|i| core::array::from_fn(|l| states[lane(l)][i]));
        kernel(&mut words, rows(core::array::from_fn(|l| blocks[lane(l)])));
        for (l, state) in states.iter_mut().enumerate() {
            *state = words.map(|word| word[l]);
        }
    }

    /// Calls a kernel of `LANES` streams for states that lie word by word.
    #[inline]
    fn streams<const LANES: usize>(words: &mut [[u32; LANES]; 8], kernel: impl FnOnce([&mut State; LANES])) {
        let mut states: [State; LANES] = core::array::from_fn(|l| words.map(|word| word[l]));
        kernel(states.each_mut());
        *words = core::array::from_fn(|i| states.map(|state| state[i]));
    }

    #[inline]
    pub(crate) fn digest_any<M: AsRef<[u8]>, const N: usize>(
        backend: Option<Backend>,
        iv: &State,
        messages: &[M],
        out: &mut [[u8; N]],
    ) {
        let tools = Tools::of(backend);
        let each = |states: &mut [State], blocks: &[&[[u8; 64]]]| tools.compress(states, blocks);
        let n = messages.len();
        if let Some(proof) = tools.wide
            && n >= tools.wide_from()
        {
            let kernel = |states: &mut _, blocks: Blocks<'_, WIDE, 64>| x86_avx512::compress16(proof, states, blocks);
            return Batch::<_, _, WIDE, HALF, N>::run(iv, messages, out, kernel, each);
        }
        if let Some(half) = tools.half
            && n >= tools.half_from()
        {
            let kernel = |states: &mut _, blocks: Blocks<'_, HALF, 64>| half.compress(states, blocks);
            return match tools.shani {
                Some(_) => Batch::<_, _, HALF, 5, N>::run(iv, messages, out, kernel, each),
                None => Batch::<_, _, HALF, 1, N>::run(iv, messages, out, kernel, each),
            };
        }
        if let Some((proof, avx)) = tools.shani
            && n >= 2
        {
            // Two pairs rather than three and a straggler.
            let three = |words: &mut _, blocks: Blocks<'_, STREAMS, 64>| {
                streams(words, |states| x86_shani::compress3(proof, avx, states, blocks));
            };
            let two = |words: &mut _, blocks: Blocks<'_, 2, 64>| {
                streams(words, |states| x86_shani::compress2(proof, avx, states, blocks));
            };
            return match n {
                // Two pairs rather than three and a straggler.
                4 => Batch::<_, _, 2, 1, N>::run(iv, messages, out, two, each),
                _ => Batch::<_, _, STREAMS, { STREAMS - 1 }, N>::run(iv, messages, out, three, each),
            };
        }
        serially(tools.one, iv, messages, out);
    }

    pub(crate) fn compress(backend: Option<Backend>, states: &mut [State], blocks: &[[u8; 64]]) {
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
