//! The compression function of SHA-224 and SHA-256 by the SHA extensions, for one stream of blocks or several.
//!
//! The instructions want the state as two vectors, ABEF and CDGH; `sha256rnds2` makes two rounds and takes the sums
//! W + K from the low half of its third operand (Intel SDM, volume 2, SHA256RNDS2, SHA256MSG1, SHA256MSG2). A chain of
//! `sha256rnds2` is all latency, so that other messages fit between its links.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::{
    Blocks,
    cpu::{Avx, ShaNi},
};

use crate::consts::K32;

/// The round constants where an aligned load finds four of them.
#[repr(align(64))]
struct Aligned([u32; 64]);

static K: Aligned = Aligned(K32);

/// Compresses the blocks of `first`, then those of `last`, all in one pass with the state in registers.
#[inline]
pub(crate) fn compress(_: ShaNi, avx: Option<Avx>, state: &mut [u32; 8], first: &[[u8; 64]], last: &[[u8; 64]]) {
    clean(avx);
    // SAFETY: the caller's `ShaNi` proves SHA, SSE4.1, SSSE3 and SSE3.
    unsafe { one(state, first, last) }
}

/// Compresses a message to its end: its blocks, and the rest of it padded; `before` bytes came before the message.
#[inline]
pub(crate) fn finish(_: ShaNi, avx: Option<Avx>, state: &mut [u32; 8], message: &[u8], before: u64) {
    clean(avx);
    // SAFETY: the caller's `ShaNi` proves SHA, SSE4.1, SSSE3 and SSE3.
    unsafe { whole(state, message, before) }
}

// Not generic: an instance in another crate would reach `K` through a pointer, and LLVM then copies it to the stack.
macro_rules! side_by_side {
    ($($name:ident $n:literal $count:literal)+) => {$(
        #[doc = concat!("Compresses one block after the other of ", $count, " streams side by side.")]
        #[inline(never)]
        pub(crate) fn $name(_: ShaNi, avx: Option<Avx>, states: [&mut [u32; 8]; $n], blocks: Blocks<'_, $n, 64>) {
            clean(avx);
            // SAFETY: the caller's `ShaNi` proves SHA, SSE4.1, SSSE3 and SSE3.
            unsafe { together(states, blocks) }
        }
    )+};
}

side_by_side! {
    compress2 2 "two"
    compress3 3 "three"
}

/// Zeroes the upper halves of the vector registers. The SHA instructions have no VEX form, and each switch between
/// legacy and VEX encoding costs hundreds of cycles while upper halves are dirty.
#[inline]
fn clean(avx: Option<Avx>) {
    if avx.is_some() {
        // SAFETY: `Avx` proves the instruction; every register that it changes is declared.
        unsafe {
            core::arch::asm!(
                "vzeroupper",
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _, out("ymm5") _,
                out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
                out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn one(state: &mut [u32; 8], first: &[[u8; 64]], last: &[[u8; 64]]) {
    let mut s = [Stream::load(state)];
    for blocks in [first, last] {
        for block in blocks {
            let [before] = s;
            rounds(&mut s, &mut [load(block)]);
            s[0].add(before);
        }
    }
    s[0].store(state);
}

/// The padded end is put together in whole vectors, because a vector cannot be loaded quickly from where shorter
/// pieces have just been stored.
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn whole(state: &mut [u32; 8], message: &[u8], before: u64) {
    let (blocks, rest) = message.as_chunks::<64>();
    let (vectors, part) = rest.as_chunks::<16>();
    let mut end = [[_mm_setzero_si128(); 4]; 2];
    for (to, from) in end[0].iter_mut().zip(vectors) {
        *to = vector(from);
    }
    end[0][vectors.len() % 4] = last_bytes(message, part.len());
    let bits = (message.len() as u64).wrapping_add(before).wrapping_mul(8);
    let length = _mm_set_epi64x(bits.swap_bytes().cast_signed(), 0);
    let long = rest.len() >= 56;
    if long {
        end[1][3] = length;
    } else {
        end[0][3] = _mm_or_si128(end[0][3], length);
    }
    // SAFETY: two times four vectors are 128 bytes, and any byte is a `u8`.
    let padded: &[[u8; 64]; 2] = unsafe { &*(&raw const end).cast() };
    one(state, blocks, &padded[..1 + usize::from(long)]);
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(&mut end);
}

/// The last `n` bytes of a message, the bit 1, zeros; the message has `n` bytes or at least 16, and `n` is less.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn last_bytes(message: &[u8], n: usize) -> __m128i {
    // At 16 - n stands the shuffle that moves the last n bytes to the front, and the bit 1 in byte n.
    static SHIFT: [u8; 32] = {
        let mut table = [0x80; 32];
        let mut i = 0;
        while i < 16 {
            table[i] = i as u8;
            i += 1;
        }
        table
    };
    static MARK: [u8; 32] = {
        let mut table = [0; 32];
        table[16] = 0x80;
        table
    };
    let at = |table: &'static [u8; 32]| table[16 - n % 16..].first_chunk().expect("at most 16 from the start of 32");
    let bytes = match message.last_chunk() {
        Some(last) => _mm_shuffle_epi8(vector(last), vector(at(&SHIFT))),
        None => {
            let (low, high) = short(message);
            _mm_set_epi64x(high.cast_signed(), low.cast_signed())
        }
    };
    _mm_or_si128(bytes, vector(at(&MARK)))
}

/// Fewer than 16 bytes as two little-endian words, filled with zeros: no loop, and nothing stored.
#[inline]
fn short(bytes: &[u8]) -> (u64, u64) {
    let n = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        // The last eight, less those that the first eight have already; in two steps, as 8 of them are 64 bits.
        let over = 4 * (16 - n as u32);
        (u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> over >> over)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (n - 4)), 0)
    } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
        let half = n / 2;
        let word = u64::from(*first) | u64::from(bytes[half]) << (8 * half) | u64::from(*last) << (8 * (n - 1));
        (word, 0)
    } else {
        (0, 0)
    }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn vector(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 readable bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn together<const N: usize>(states: [&mut [u32; 8]; N], blocks: Blocks<'_, N, 64>) {
    let mut s: [Stream; N] = core::array::from_fn(|n| Stream::load(states[n]));
    for row in blocks.iter() {
        let before = s;
        rounds(&mut s, &mut row.map(|block| load(block)));
        for (s, before) in s.iter_mut().zip(before) {
            s.add(before);
        }
    }
    for (s, state) in s.into_iter().zip(states) {
        s.store(state);
    }
}

/// A state in the order of the instructions, highest word first.
#[derive(Clone, Copy)]
struct Stream {
    abef: __m128i,
    cdgh: __m128i,
}

impl Stream {
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn load(state: &[u32; 8]) -> Self {
        // SAFETY: 32 readable bytes; the loads need no alignment.
        let [dcba, hgfe] =
            unsafe { [_mm_loadu_si128(state.as_ptr().cast()), _mm_loadu_si128(state.as_ptr().add(4).cast())] };
        let badc = _mm_shuffle_epi32::<0xb1>(dcba);
        let efgh = _mm_shuffle_epi32::<0x1b>(hgfe);
        Self { abef: _mm_alignr_epi8::<8>(badc, efgh), cdgh: _mm_blend_epi16::<0xf0>(efgh, badc) }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn store(self, state: &mut [u32; 8]) {
        let feba = _mm_shuffle_epi32::<0x1b>(self.abef);
        let dchg = _mm_shuffle_epi32::<0xb1>(self.cdgh);
        let dcba = _mm_blend_epi16::<0xf0>(feba, dchg);
        let hgfe = _mm_alignr_epi8::<8>(dchg, feba);
        // SAFETY: 32 writable bytes; the stores need no alignment.
        unsafe {
            _mm_storeu_si128(state.as_mut_ptr().cast(), dcba);
            _mm_storeu_si128(state.as_mut_ptr().add(4).cast(), hgfe);
        }
    }

    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn add(&mut self, before: Self) {
        self.abef = _mm_add_epi32(self.abef, before.abef);
        self.cdgh = _mm_add_epi32(self.cdgh, before.cdgh);
    }
}

/// The sixteen words of a block, four a vector.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load(block: &[u8; 64]) -> [__m128i; 4] {
    let swap = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
    let (vectors, _) = block.as_chunks();
    [&vectors[0], &vectors[1], &vectors[2], &vectors[3]].map(|v| _mm_shuffle_epi8(vector(v), swap))
}

/// Keeps the compiler from moving rounds across it. Left alone, it puts several quads of one stream before the first of
/// the next, further apart than the CPU looks ahead: 80 cycles a block with three streams instead of 63 (Zen 3).
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn in_turn(v: &mut __m128i) {
    // SAFETY: no instruction at all; the value goes through a register unchanged.
    unsafe { core::arch::asm!("/* {0} */", inout(xmm_reg) * v, options(nomem, nostack, preserves_flags)) }
}

/// All rounds of one block in each of `N` streams, four rounds of each stream in turn.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds<const N: usize>(s: &mut [Stream; N], w: &mut [[__m128i; 4]; N]) {
    macro_rules! four {
        ($t:expr) => {
            // SAFETY: four words of 64 at a multiple of four, so aligned to 16 bytes.
            let k = unsafe { _mm_load_si128(K.0.as_ptr().add(4 * $t).cast()) };
            for n in 0..N {
                let Stream { abef, cdgh } = &mut s[n];
                let wk = _mm_add_epi32(w[n][$t % 4], k);
                *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, wk);
                *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0x0e>(wk));
                if N > 1 {
                    in_turn(abef);
                }
            }
        };
    }
    macro_rules! schedule {
        ($t:expr) => {
            for n in 0..N {
                let w = &mut w[n];
                let w9 = _mm_alignr_epi8::<4>(w[($t + 3) % 4], w[($t + 2) % 4]);
                let sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[$t % 4], w[($t + 1) % 4]), w9);
                w[$t % 4] = _mm_sha256msg2_epu32(sum, w[($t + 3) % 4]);
            }
        };
    }
    macro_rules! schedule_four {
        ($($t:expr)+) => {$(
            schedule!($t);
            four!($t);
        )+};
    }
    four!(0);
    four!(1);
    four!(2);
    four!(3);
    schedule_four!(4 5 6 7 8 9 10 11 12 13 14 15);
}
