//! Many messages in vectors.

use core::marker::PhantomData;

use ::lanes::{
    Blocks,
    batch::{self, BlockHash},
    cpu::{Avx2, Avx512},
};

use crate::{
    consts::{LANES as WORDS_A_STATE, LAST},
    permutation::{State, x86_avx2, x86_avx512},
    sponge,
};

/// Lane i of the state of message l is `states[i][l]`.
type States<const L: usize> = [[u64; L]; WORDS_A_STATE];

/// The messages on their way through `L` lanes.
struct Batch<K, E, O, const L: usize, const FEW: usize, const RATE: usize, const N: usize> {
    /// Absorbs blocks into every lane.
    kernel: K,
    /// Absorbs blocks into a few states, as many in each.
    each: E,
    iv: State,
    states: States<L>,
    outputs: PhantomData<fn(O)>,
}

impl<K, E, O, const L: usize, const FEW: usize, const RATE: usize, const N: usize> Batch<K, E, O, L, FEW, RATE, N>
where
    K: FnMut(&mut States<L>, Blocks<'_, L, RATE>),
    E: FnMut(&mut [State], &[&[[u8; RATE]]]),
    O: AsMut<[u8]>,
{
    #[inline]
    fn run<M: AsRef<[u8]>>(iv: &State, messages: &[M], out: &mut [O], kernel: K, each: E) {
        let states = [[0; L]; WORDS_A_STATE];
        let mut lanes = Self { kernel, each, iv: *iv, states, outputs: PhantomData };
        batch::run(&mut lanes, messages, out);
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut lanes.states);
    }
}

impl<K, E, O, const L: usize, const FEW: usize, const RATE: usize, const N: usize> BlockHash<L, RATE, RATE>
    for Batch<K, E, O, L, FEW, RATE, N>
where
    K: FnMut(&mut States<L>, Blocks<'_, L, RATE>),
    E: FnMut(&mut [State], &[&[[u8; RATE]]]),
    O: AsMut<[u8]>,
{
    type Output = O;
    const FEW: usize = FEW;

    #[inline]
    fn start(&mut self, lane: usize, _: usize, _: &[u8]) {
        put(&mut self.states, lane, &self.iv);
    }

    #[inline]
    fn compress(&mut self, blocks: Blocks<'_, L, RATE>) {
        (self.kernel)(&mut self.states, blocks);
    }

    #[inline]
    fn compress_few(&mut self, few: &[(usize, &[u8])]) {
        let mut states = [[0; WORDS_A_STATE]; FEW];
        let mut blocks = [&[][..]; FEW];
        for (i, (lane, bytes)) in few.iter().enumerate() {
            states[i] = take(&self.states, *lane);
            blocks[i] = bytes.as_chunks().0;
        }
        (self.each)(&mut states[..few.len()], &blocks[..few.len()]);
        for (state, (lane, _)) in states.iter().zip(few) {
            put(&mut self.states, *lane, state);
        }
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut states);
    }

    /// Stage 0 is the padded end; each of the others takes a squeeze, and asks for the next one with a block of zeros.
    #[inline]
    fn stage(&mut self, lane: usize, stage: usize, rest: &[u8], tail: &mut [u8; RATE], out: &mut O) -> usize {
        let Some(squeezed) = stage.checked_sub(1) else {
            *tail = [0; RATE];
            tail[..rest.len()].copy_from_slice(rest);
            tail[rest.len()] = 0x80;
            self.states[0][lane] ^= LAST;
            return 1;
        };
        *tail = [0; RATE];
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(tail);
        let out = &mut out.as_mut()[squeezed * N..];
        let now = out.len().min(N);
        let bytes: [u8; N] = sponge::output(&take(&self.states, lane));
        out[..now].copy_from_slice(&bytes[..now]);
        usize::from(out.len() > N)
    }
}

#[inline]
fn take<const L: usize>(states: &States<L>, lane: usize) -> State {
    states.map(
        #[inline(always)]
        |words| words[lane],
    )
}

#[inline]
fn put<const L: usize>(states: &mut States<L>, lane: usize, state: &State) {
    for (words, word) in states.iter_mut().zip(state) {
        words[lane] = *word;
    }
}

/// Calls a kernel of `L` lanes for at most so many states; lanes to spare do the first one's work again.
#[inline]
fn side_by_side<const L: usize>(states: &mut [State], kernel: impl FnOnce(&mut States<L>)) {
    let lane = |l: usize| if l < states.len() { l } else { 0 };
    let mut words: States<L> = core::array::from_fn(|i| core::array::from_fn(|l| states[lane(l)][i]));
    kernel(&mut words);
    for (l, state) in states.iter_mut().enumerate() {
        *state = take(&words, l);
    }
}

/// The blocks of a few states for a kernel of `L` lanes.
#[inline]
fn blocks_of<'a, const L: usize, const RATE: usize>(blocks: &[&'a [[u8; RATE]]]) -> Blocks<'a, L, RATE> {
    let lane = |l: usize| if l < blocks.len() { l } else { 0 };
    Blocks::new(core::array::from_fn(|l| blocks[lane(l)].as_flattened()), blocks[0].len())
}

/// See [`digest`](super::digest); for at least two messages.
#[inline]
pub(super) fn avx2<M: AsRef<[u8]>, O: AsMut<[u8]>, const RATE: usize, const N: usize>(
    proof: Avx2,
    iv: &State,
    messages: &[M],
    out: &mut [O],
) {
    let kernel = |states: &mut _, blocks: Blocks<'_, 4, RATE>| {
        x86_avx2::absorb4::<RATE>(proof, states, blocks);
    };
    let each = |states: &mut [State], blocks: &[&[[u8; RATE]]]| {
        for (state, blocks) in states.iter_mut().zip(blocks) {
            x86_avx2::absorb(proof, state, blocks, &[]);
        }
    };
    Batch::<_, _, O, 4, 1, RATE, N>::run(iv, messages, out, kernel, each);
}

/// See [`digest`](super::digest); for at least two messages.
#[inline]
pub(super) fn avx512<M: AsRef<[u8]>, O: AsMut<[u8]>, const RATE: usize, const N: usize>(
    proof: Avx512,
    iv: &State,
    messages: &[M],
    out: &mut [O],
) {
    let each = |states: &mut [State], blocks: &[&[[u8; RATE]]]| match states {
        [one] => x86_avx512::absorb(proof, one, blocks[0], &[]),
        [_, _] => side_by_side(states, |states| {
            x86_avx512::absorb2::<RATE>(proof, states, blocks_of(blocks));
        }),
        _ => side_by_side(states, |states| {
            x86_avx512::absorb4::<RATE>(proof, states, blocks_of(blocks));
        }),
    };
    match messages.len() {
        2 => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 2, RATE>| {
                x86_avx512::absorb2::<RATE>(proof, states, blocks);
            };
            Batch::<_, _, O, 2, 1, RATE, N>::run(iv, messages, out, kernel, each);
        }
        3 | 4 => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 4, RATE>| {
                x86_avx512::absorb4::<RATE>(proof, states, blocks);
            };
            Batch::<_, _, O, 4, 2, RATE, N>::run(iv, messages, out, kernel, each);
        }
        _ => {
            let kernel = |states: &mut _, blocks: Blocks<'_, 8, RATE>| {
                x86_avx512::absorb8::<RATE>(proof, states, blocks);
            };
            Batch::<_, _, O, 8, 4, RATE, N>::run(iv, messages, out, kernel, each);
        }
    }
}

/// The bare permutation of each state.
pub(super) fn permute_avx2(proof: Avx2, states: &mut [State]) {
    for states in states.chunks_mut(4) {
        match states {
            [one] => x86_avx2::permute(proof, one),
            _ => side_by_side(states, |states| x86_avx2::permute4(proof, states)),
        }
    }
}

/// The bare permutation of each state.
pub(super) fn permute_avx512(proof: Avx512, states: &mut [State]) {
    for states in states.chunks_mut(8) {
        match states.len() {
            1 => x86_avx512::permute(proof, &mut states[0]),
            2 => side_by_side(states, |states| x86_avx512::permute2(proof, states)),
            3 | 4 => side_by_side(states, |states| x86_avx512::permute4(proof, states)),
            _ => side_by_side(states, |states| x86_avx512::permute8(proof, states)),
        }
    }
}
