//! The compression function of SHA-224 and SHA-256 by the SHA extensions, for one stream of blocks or two at once.
//!
//! The instructions want the state as two vectors, ABEF and CDGH; `sha256rnds2` makes two rounds and takes the sums
//! W + K from the low half of its third operand (Intel SDM, volume 2, SHA256RNDS2, SHA256MSG1, SHA256MSG2). A chain of
//! `sha256rnds2` is all latency, so that a second message fits between its links.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use lanes::cpu::{Avx, ShaNi};

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

/// Compresses one block after the other of two streams; block i of the one stands beside block i of the other.
#[inline]
pub(crate) fn compress2(_: ShaNi, avx: Option<Avx>, states: &mut [[u32; 8]; 2], blocks: [&[[u8; 64]]; 2]) {
    clean(avx);
    // SAFETY: the caller's `ShaNi` proves SHA, SSE4.1, SSSE3 and SSE3.
    unsafe { two(states, blocks) }
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
    let mut s = Stream::load(state);
    for blocks in [first, last] {
        for block in blocks {
            let before = s;
            let mut w = load(block);
            rounds(&mut [&mut s], &mut [&mut w]);
            s.add(before);
        }
    }
    s.store(state);
}

#[target_feature(enable = "sha,sse4.1,ssse3")]
fn two(states: &mut [[u32; 8]; 2], blocks: [&[[u8; 64]]; 2]) {
    let [mut s, mut t] = [Stream::load(&states[0]), Stream::load(&states[1])];
    for (a, b) in blocks[0].iter().zip(blocks[1]) {
        let before = [s, t];
        let [mut v, mut w] = [load(a), load(b)];
        rounds(&mut [&mut s, &mut t], &mut [&mut v, &mut w]);
        s.add(before[0]);
        t.add(before[1]);
    }
    s.store(&mut states[0]);
    t.store(&mut states[1]);
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
        let [dcba, hgfe] = unsafe {
            [_mm_loadu_si128(state.as_ptr().cast()), _mm_loadu_si128(state.as_ptr().add(4).cast())]
        };
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
    let at = block.as_ptr().cast::<__m128i>();
    // SAFETY: 64 readable bytes; the loads need no alignment.
    let raw = unsafe {
        [_mm_loadu_si128(at), _mm_loadu_si128(at.add(1)), _mm_loadu_si128(at.add(2)), _mm_loadu_si128(at.add(3))]
    };
    raw.map(|v| _mm_shuffle_epi8(v, swap))
}

/// All rounds of one block in each of `N` streams, four rounds of each stream in turn.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn rounds<const N: usize>(s: &mut [&mut Stream; N], w: &mut [&mut [__m128i; 4]; N]) {
    macro_rules! four {
        ($t:expr) => {
            // SAFETY: four words of 64 at a multiple of four, so aligned to 16 bytes.
            let k = unsafe { _mm_load_si128(K.0.as_ptr().add(4 * $t).cast()) };
            for n in 0..N {
                let Stream { abef, cdgh } = &mut *s[n];
                let wk = _mm_add_epi32(w[n][$t % 4], k);
                *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, wk);
                *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32::<0x0e>(wk));
            }
        };
    }
    macro_rules! schedule {
        ($t:expr) => {
            for n in 0..N {
                let w = &mut *w[n];
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
