//! 128-bit vectors.

use super::*;
use crate::cpu::Ssse3;
use core::arch::x86_64::*;

/// What both word sizes share.
pub(super) mod xmm {
    use super::*;

    ops! { "sse2,ssse3";
        bitand(a: __m128i, b: __m128i) -> __m128i = _mm_and_si128(a, b);
        bitor(a: __m128i, b: __m128i) -> __m128i = _mm_or_si128(a, b);
        bitxor(a: __m128i, b: __m128i) -> __m128i = _mm_xor_si128(a, b);
        andn(a: __m128i, b: __m128i) -> __m128i = _mm_andnot_si128(a, b);
        not(a: __m128i) -> __m128i = _mm_xor_si128(a, _mm_set1_epi32(-1));
        shuffle(a: __m128i, from: [i64; 2]) -> __m128i = _mm_shuffle_epi8(a, _mm_set_epi64x(from[1], from[0]));
    }

    unsafe_ops! { "sse2,ssse3";
        load(words: *const u8) -> __m128i = _mm_loadu_si128(words.cast());
        store(a: __m128i, words: *mut u8) -> () = _mm_storeu_si128(words.cast(), a);
        join(pieces: [*const u8; 1]) -> __m128i = _mm_loadu_si128(pieces[0].cast());
        split(a: __m128i, pieces: [*mut u8; 1]) -> () = _mm_storeu_si128(pieces[0].cast(), a);
    }
}

/// 32-bit words.
pub(super) mod xmm32 {
    use super::*;

    ops! { "sse2,ssse3";
        splat(word: u32) -> __m128i = _mm_set1_epi32(word as i32);
        add(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi32(a, b);
        shl(a: __m128i, by: i32) -> __m128i = _mm_sll_epi32(a, _mm_cvtsi32_si128(by));
        shr(a: __m128i, by: i32) -> __m128i = _mm_srl_epi32(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m128i; 4]) -> [__m128i; 4] = {
            let [a, b, c, d] = rows;
            let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (ab2, cd2) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            [
                _mm_unpacklo_epi64(ab, cd),
                _mm_unpackhi_epi64(ab, cd),
                _mm_unpacklo_epi64(ab2, cd2),
                _mm_unpackhi_epi64(ab2, cd2),
            ]
        };
    }
}

/// 64-bit words.
pub(super) mod xmm64 {
    use super::*;

    ops! { "sse2,ssse3";
        splat(word: u64) -> __m128i = _mm_set1_epi64x(word as i64);
        add(a: __m128i, b: __m128i) -> __m128i = _mm_add_epi64(a, b);
        shl(a: __m128i, by: i32) -> __m128i = _mm_sll_epi64(a, _mm_cvtsi32_si128(by));
        shr(a: __m128i, by: i32) -> __m128i = _mm_srl_epi64(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m128i; 2]) -> [__m128i; 2] =
            [_mm_unpacklo_epi64(rows[0], rows[1]), _mm_unpackhi_epi64(rows[0], rows[1])];
    }
}

mod u32x4 {
    use super::*;
    pub(super) use super::{xmm::*, xmm32::*};

    ops! { "sse2,ssse3";
        rotl<R>(a: __m128i) -> __m128i = rotate(a, R);
        rotr<R>(a: __m128i) -> __m128i = rotate(a, (32 - R) % 32);
        rotate(a: __m128i, left: i32) -> __m128i = match left % 8 {
            0 => shuffle(a, ROTATE32[left as usize / 8]),
            _ => bitor(shl(a, left), shr(a, 32 - left)),
        };
    }
}

mod u64x2 {
    use super::*;
    pub(super) use super::{xmm::*, xmm64::*};

    ops! { "sse2,ssse3";
        rotl<R>(a: __m128i) -> __m128i = rotate(a, R);
        rotr<R>(a: __m128i) -> __m128i = rotate(a, (64 - R) % 64);
        rotate(a: __m128i, left: i32) -> __m128i = match left % 8 {
            0 => shuffle(a, ROTATE64[left as usize / 8]),
            _ => bitor(shl(a, left), shr(a, 64 - left)),
        };
    }
}

vector! {
    /// Four 32-bit words.
    U32x4(__m128i, 4 lanes of u32 by Ssse3 in u32x4) is Words32, 4 words a tile
}

vector! {
    /// Two 64-bit words.
    U64x2(__m128i, 2 lanes of u64 by Ssse3 in u64x2) is Words64, 2 words a tile
}
