//! SHA-224 and SHA-256: one compression function and one padding; they differ in the initial value and in how much
//! of the state they give out (FIPS 180-4, sections 5.1.1 and 6.2).

use crate::backend::{Backend, Kind};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod lanes;
pub(crate) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_shani;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// Bytes of the length at the end of the last block.
const LENGTH: usize = 8;

/// The state between blocks.
pub(crate) type State = [u32; 8];

/// Names of the backends that have a kernel of their own, slowest first.
pub(crate) const BACKENDS: &[&str] = &["portable", "avx2", "avx512", "shani"];

/// Compresses the blocks of `first`, then those of `last`: a message's own blocks, and the padded end of it, in one call.
#[inline]
pub(crate) fn compress(backend: Backend, state: &mut State, first: &[[u8; BLOCK]], last: &[[u8; BLOCK]]) {
    match backend.0 {
        Kind::Portable => portable::compress(state, first, last),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86_avx2::compress(proof, state, first, last),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86_avx512::compress(proof, state, first, last),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::ShaNi(proof, avx) => x86_shani::compress(proof, avx, state, first, last),
    }
}

/// The last one or two blocks of a message: what is left of it, the bit 1, zeros, the length.
pub(crate) struct End {
    blocks: [[u8; BLOCK]; 2],
    long: bool,
}

impl End {
    /// `rest`: the bytes behind the last whole block, fewer than a block. `marker`: the byte behind them, which holds
    /// the bit 1 and before it the bits of an incomplete last byte. `bits`: length of the whole message.
    #[inline(always)]
    pub(crate) const fn new(rest: &[u8], marker: u8, bits: u64) -> Self {
        let mut blocks = [[0; BLOCK]; 2];
        let long = rest.len() >= BLOCK - LENGTH;
        blocks.as_flattened_mut().split_at_mut(rest.len()).0.copy_from_slice(rest);
        blocks[0][rest.len()] = marker;
        *blocks[long as usize].last_chunk_mut().expect("a block is longer than the length") = bits.to_be_bytes();
        Self { blocks, long }
    }

    /// The same bytes as [`new`](Self::new), into `room`; the number of blocks.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline]
    pub(crate) fn write(room: &mut [u8; 2 * BLOCK], rest: &[u8], marker: u8, bits: u64) -> usize {
        let long = rest.len() >= BLOCK - LENGTH;
        *room = [0; 2 * BLOCK];
        room[..rest.len()].copy_from_slice(rest);
        room[rest.len()] = marker;
        let used = BLOCK * (1 + usize::from(long));
        room[used - LENGTH..used].copy_from_slice(&bits.to_be_bytes());
        used / BLOCK
    }

    #[inline(always)]
    pub(crate) const fn blocks(&self) -> &[[u8; BLOCK]] {
        if self.long { &self.blocks } else { self.blocks.split_at(1).0 }
    }

    /// With feature `zeroize`, wipes the copy of the message's end.
    #[inline(always)]
    fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.blocks);
    }
}

/// Bits of a message of so many bytes; the length field counts modulo 2^64.
#[inline(always)]
pub(crate) const fn bits(bytes: u64) -> u64 {
    bytes.wrapping_mul(8)
}

/// Compresses a message to its end: its blocks, and the rest of it padded; `before` bytes came before the message.
#[inline]
pub(crate) fn finish(backend: Backend, state: &mut State, message: &[u8], before: u64) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if let Kind::ShaNi(proof, avx) = backend.0 {
        return x86_shani::finish(proof, avx, state, message, before);
    }
    let (blocks, rest) = message.as_chunks();
    let mut end = End::new(rest, 0x80, bits(before.wrapping_add(message.len() as u64)));
    compress(backend, state, blocks, end.blocks());
    end.wipe();
}

/// The state after a whole message.
#[inline]
pub(crate) fn digest(backend: Backend, iv: &State, message: &[u8]) -> State {
    let mut state = *iv;
    finish(backend, &mut state, message, 0);
    state
}

/// The state after the first `bits` bits of `bytes`, most significant bit of a byte first.
pub(crate) fn digest_bits(backend: Backend, iv: &State, bytes: &[u8], bits: u64) -> State {
    let enough = bits.div_ceil(8) <= bytes.len() as u64;
    assert!(enough, "{bits} bits asked for, but {} bytes given", bytes.len());
    let whole = (bits / 8) as usize;
    let (blocks, rest) = bytes[..whole].as_chunks();
    let marker = match bits % 8 {
        0 => 0x80,
        n => (bytes[whole] & !(0xff >> n)) | (0x80 >> n),
    };
    let mut end = End::new(rest, marker, bits);
    let mut state = *iv;
    compress(backend, &mut state, blocks, end.blocks());
    end.wipe();
    state
}

/// The first `N` bytes of the state, as a digest.
#[inline(always)]
pub(crate) const fn output<const N: usize>(state: &State) -> [u8; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = state[i / 4].to_be_bytes()[i % 4];
        i += 1;
    }
    out
}
