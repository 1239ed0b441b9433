//! 256-bit vectors.

use super::*;
use crate::cpu::Avx2;
use core::arch::x86_64::*;

/// What both word sizes share.
pub(super) mod ymm {
    use super::*;

    ops! { "avx,avx2";
        bitand(a: __m256i, b: __m256i) -> __m256i = _mm256_and_si256(a, b);
        bitor(a: __m256i, b: __m256i) -> __m256i = _mm256_or_si256(a, b);
        bitxor(a: __m256i, b: __m256i) -> __m256i = _mm256_xor_si256(a, b);
        andn(a: __m256i, b: __m256i) -> __m256i = _mm256_andnot_si256(a, b);
        not(a: __m256i) -> __m256i = _mm256_xor_si256(a, _mm256_set1_epi32(-1));
        shuffle(a: __m256i, from: [i64; 2]) -> __m256i = _mm256_shuffle_epi8(a, _mm256_set_epi64x(from[1], from[0], from[1], from[0]));
    }

    unsafe_ops! { "avx,avx2";
        load(words: *const u8) -> __m256i = _mm256_loadu_si256(words.cast());
        store(a: __m256i, words: *mut u8) -> () = _mm256_storeu_si256(words.cast(), a);
        join(pieces: [*const u8; 2]) -> __m256i = _mm256_loadu2_m128i(pieces[1].cast(), pieces[0].cast());
        split(a: __m256i, pieces: [*mut u8; 2]) -> () = _mm256_storeu2_m128i(pieces[1].cast(), pieces[0].cast(), a);
    }
}

/// 32-bit words.
pub(super) mod ymm32 {
    use super::*;

    ops! { "avx,avx2";
        splat(word: u32) -> __m256i = _mm256_set1_epi32(word as i32);
        add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        shl(a: __m256i, by: i32) -> __m256i = _mm256_sll_epi32(a, _mm_cvtsi32_si128(by));
        shr(a: __m256i, by: i32) -> __m256i = _mm256_srl_epi32(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m256i; 4]) -> [__m256i; 4] = {
            let [a, b, c, d] = rows;
            let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
            let (ab2, cd2) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
            [
                _mm256_unpacklo_epi64(ab, cd),
                _mm256_unpackhi_epi64(ab, cd),
                _mm256_unpacklo_epi64(ab2, cd2),
                _mm256_unpackhi_epi64(ab2, cd2),
            ]
        };
    }
}

/// 64-bit words.
pub(super) mod ymm64 {
    use super::*;

    ops! { "avx,avx2";
        splat(word: u64) -> __m256i = _mm256_set1_epi64x(word as i64);
        add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi64(a, b);
        shl(a: __m256i, by: i32) -> __m256i = _mm256_sll_epi64(a, _mm_cvtsi32_si128(by));
        shr(a: __m256i, by: i32) -> __m256i = _mm256_srl_epi64(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m256i; 2]) -> [__m256i; 2] =
            [_mm256_unpacklo_epi64(rows[0], rows[1]), _mm256_unpackhi_epi64(rows[0], rows[1])];
    }
}

mod u32x8 {
    use super::*;
    pub(super) use super::{ymm::*, ymm32::*};

    ops! { "avx,avx2";
        rotl<R>(a: __m256i) -> __m256i = rotate(a, R);
        rotr<R>(a: __m256i) -> __m256i = rotate(a, (32 - R) % 32);
        rotate(a: __m256i, left: i32) -> __m256i = match left % 8 {
            0 => shuffle(a, ROTATE32[left as usize / 8]),
            _ => bitor(shl(a, left), shr(a, 32 - left)),
        };
    }
}

mod u64x4 {
    use super::*;
    pub(super) use super::{ymm::*, ymm64::*};

    ops! { "avx,avx2";
        rotl<R>(a: __m256i) -> __m256i = rotate(a, R);
        rotr<R>(a: __m256i) -> __m256i = rotate(a, (64 - R) % 64);
        rotate(a: __m256i, left: i32) -> __m256i = match left % 8 {
            0 => shuffle(a, ROTATE64[left as usize / 8]),
            _ => bitor(shl(a, left), shr(a, 64 - left)),
        };
    }
}

vector! {
    /// Eight 32-bit words.
    U32x8(__m256i, 8 lanes of u32 by Avx2 in u32x8) is Words32, 4 words a tile
}

vector! {
    /// Four 64-bit words.
    U64x4(__m256i, 4 lanes of u64 by Avx2 in u64x4) is Words64, 2 words a tile
}
