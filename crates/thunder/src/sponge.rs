//! The sponge around the permutation: padding, absorbing, squeezing (specification, sections 2.2 to 2.4).
//!
//! The instances differ in the rate, in the initial value and in how many lanes a squeeze gives.

use crate::{
    backend::Backend,
    consts,
    permutation::{self, State, capacity, portable},
};

/// The last one or two blocks of a message: what is left of it, the bit 1, zeros.
struct End<const RATE: usize> {
    blocks: [[u8; RATE]; 2],
    two: bool,
}

impl<const RATE: usize> End<RATE> {
    /// `rest`: the bytes behind the last whole block, fewer than a block. `marker`: the byte behind them, which holds
    /// the bit 1 and before it the bits of an incomplete last byte.
    ///
    /// If the bit 1 is the last one of its block, a block of zeros follows, and that is the last one. With whole bytes
    /// this does not happen.
    #[inline(always)]
    const fn new(rest: &[u8], marker: u8) -> Self {
        let mut blocks = [[0; RATE]; 2];
        blocks[0].split_at_mut(rest.len()).0.copy_from_slice(rest);
        blocks[0][rest.len()] = marker;
        Self { blocks, two: rest.len() == RATE - 1 && marker & 1 == 1 }
    }

    #[inline(always)]
    const fn blocks(&self) -> &[[u8; RATE]] {
        if self.two { &self.blocks } else { self.blocks.split_at(1).0 }
    }

    /// With feature `zeroize`, wipes the copy of the message's end.
    #[inline(always)]
    fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.blocks);
    }
}

/// Absorbs a message to its end: its blocks, and the rest of it padded.
#[inline]
pub(crate) fn finish<const RATE: usize>(backend: Backend, state: &mut State, message: &[u8]) {
    let (blocks, rest) = message.as_chunks::<RATE>();
    let mut end = End::new(rest, 0x80);
    permutation::absorb(backend, state, blocks, end.blocks());
    end.wipe();
}

/// The state after a whole message, in a constant.
pub(crate) const fn const_digest<const RATE: usize>(iv: &State, message: &[u8]) -> State {
    let mut state = *iv;
    let (blocks, rest) = message.as_chunks::<RATE>();
    portable::absorb(&mut state, blocks, End::new(rest, 0x80).blocks());
    state
}

/// With feature `zeroize`, wipes a state.
#[inline(always)]
fn wipe(state: &mut State) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(state);
    #[cfg(not(feature = "zeroize"))]
    let _ = state;
}

/// A whole message to one squeeze.
#[inline]
pub(crate) fn hash<const RATE: usize, const N: usize>(backend: Backend, iv: &State, message: &[u8]) -> [u8; N] {
    let mut state = *iv;
    finish::<RATE>(backend, &mut state, message);
    let out = output(&state);
    wipe(&mut state);
    out
}

/// A whole message to as many bytes as `out` has, `N` a squeeze.
#[inline]
pub(crate) fn hash_into<const RATE: usize, const N: usize>(
    backend: Backend,
    iv: &State,
    message: &[u8],
    out: &mut [u8],
) {
    let mut state = *iv;
    finish::<RATE>(backend, &mut state, message);
    squeeze::<RATE, N>(backend, &mut state, out);
    wipe(&mut state);
}

/// [`hash`] of the first `bits` bits of `bytes`, most significant bit of a byte first.
pub(crate) fn hash_bits<const RATE: usize, const N: usize>(
    backend: Backend,
    iv: &State,
    bytes: &[u8],
    bits: u64,
) -> [u8; N] {
    let mut state = *iv;
    finish_bits::<RATE>(backend, &mut state, bytes, bits);
    let out = output(&state);
    wipe(&mut state);
    out
}

/// [`hash_into`] of the first `bits` bits of `bytes`, most significant bit of a byte first.
pub(crate) fn hash_bits_into<const RATE: usize, const N: usize>(
    backend: Backend,
    iv: &State,
    bytes: &[u8],
    bits: u64,
    out: &mut [u8],
) {
    let mut state = *iv;
    finish_bits::<RATE>(backend, &mut state, bytes, bits);
    squeeze::<RATE, N>(backend, &mut state, out);
    wipe(&mut state);
}

/// Absorbs the first `bits` bits of `bytes` to their end.
fn finish_bits<const RATE: usize>(backend: Backend, state: &mut State, bytes: &[u8], bits: u64) {
    let enough = bits.div_ceil(8) <= bytes.len() as u64;
    assert!(enough, "{bits} bits asked for, but {} bytes given", bytes.len());
    let whole = (bits / 8) as usize;
    let (blocks, rest) = bytes[..whole].as_chunks::<RATE>();
    let marker = match bits % 8 {
        0 => 0x80,
        n => (bytes[whole] & !(0xff >> n)) | (0x80 >> n),
    };
    let mut end = End::new(rest, marker);
    permutation::absorb(backend, state, blocks, end.blocks());
    end.wipe();
}

/// One squeeze: the lowest `N / 8` lanes, the highest of them first, big-endian.
#[inline(always)]
pub(crate) const fn output<const N: usize>(state: &State) -> [u8; N] {
    let mut out = [0; N];
    let (words, _) = out.as_chunks_mut();
    let mut k = 0;
    while k < words.len() {
        words[k] = state[N / 8 - 1 - k].to_be_bytes();
        k += 1;
    }
    out
}

/// From one squeeze to the next: the permutation with its feed-forward, and nothing added.
#[inline]
pub(crate) fn next<const RATE: usize>(backend: Backend, state: &mut State) {
    let before = *state;
    permutation::permute(backend, state);
    for (lane, added) in state.iter_mut().zip(before).take(const { capacity(RATE) }) {
        *lane ^= added;
    }
}

/// The first bytes of the output, `N` a squeeze, of a message that has been absorbed to its end.
#[inline]
fn squeeze<const RATE: usize, const N: usize>(backend: Backend, state: &mut State, out: &mut [u8]) {
    let mut rest = out;
    while rest.len() > N {
        let (now, later) = rest.split_at_mut(N);
        now.copy_from_slice(&output::<N>(state));
        rest = later;
        next::<RATE>(backend, state);
    }
    rest.copy_from_slice(&output::<N>(state)[..rest.len()]);
}

/// A state as bytes: its lanes, lane 0 first, little-endian.
pub(crate) fn to_bytes(state: &State) -> [u8; 8 * consts::LANES] {
    let mut bytes = [0; 8 * consts::LANES];
    for (bytes, lane) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = lane.to_le_bytes();
    }
    bytes
}

/// The inverse of [`to_bytes`].
pub(crate) fn from_bytes(bytes: &[u8; 8 * consts::LANES]) -> State {
    let (words, _) = bytes.as_chunks();
    core::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
