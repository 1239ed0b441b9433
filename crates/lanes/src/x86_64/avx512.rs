//! Vectors of all three widths with the instructions of AVX-512.

use super::*;
use crate::cpu::Avx512;
use core::arch::x86_64::*;

/// What both word sizes share.
pub(super) mod zmm {
    use super::*;

    ops! { "avx512f,avx512bw,avx512vl";
        bitand(a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        bitor(a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        bitxor(a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        andn(a: __m512i, b: __m512i) -> __m512i = _mm512_andnot_si512(a, b);
        not(a: __m512i) -> __m512i = _mm512_xor_si512(a, _mm512_set1_epi32(-1));
        shuffle(a: __m512i, from: [i64; 2]) -> __m512i = _mm512_shuffle_epi8(a, _mm512_broadcast_i32x4(_mm_set_epi64x(from[1], from[0])));
    }

    unsafe_ops! { "avx512f,avx512bw,avx512vl";
        load(words: *const u8) -> __m512i = _mm512_loadu_si512(words.cast());
        store(a: __m512i, words: *mut u8) -> () = _mm512_storeu_si512(words.cast(), a);
        join(pieces: [*const u8; 4]) -> __m512i = {
            let low = _mm512_castsi256_si512(_mm256_loadu2_m128i(pieces[1].cast(), pieces[0].cast()));
            let three = _mm512_inserti32x4::<2>(low, _mm_loadu_si128(pieces[2].cast()));
            _mm512_inserti32x4::<3>(three, _mm_loadu_si128(pieces[3].cast()))
        };
        split(a: __m512i, pieces: [*mut u8; 4]) -> () = {
            _mm_storeu_si128(pieces[0].cast(), _mm512_castsi512_si128(a));
            _mm_storeu_si128(pieces[1].cast(), _mm512_extracti32x4_epi32::<1>(a));
            _mm_storeu_si128(pieces[2].cast(), _mm512_extracti32x4_epi32::<2>(a));
            _mm_storeu_si128(pieces[3].cast(), _mm512_extracti32x4_epi32::<3>(a));
        };
    }
}

/// 32-bit words.
pub(super) mod zmm32 {
    use super::*;

    ops! { "avx512f,avx512bw,avx512vl";
        splat(word: u32) -> __m512i = _mm512_set1_epi32(word as i32);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        shl(a: __m512i, by: i32) -> __m512i = _mm512_sll_epi32(a, _mm_cvtsi32_si128(by));
        shr(a: __m512i, by: i32) -> __m512i = _mm512_srl_epi32(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m512i; 4]) -> [__m512i; 4] = {
            let [a, b, c, d] = rows;
            let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
            let (ab2, cd2) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
            [
                _mm512_unpacklo_epi64(ab, cd),
                _mm512_unpackhi_epi64(ab, cd),
                _mm512_unpacklo_epi64(ab2, cd2),
                _mm512_unpackhi_epi64(ab2, cd2),
            ]
        };
    }
}

/// 64-bit words.
pub(super) mod zmm64 {
    use super::*;

    ops! { "avx512f,avx512bw,avx512vl";
        splat(word: u64) -> __m512i = _mm512_set1_epi64(word as i64);
        add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi64(a, b);
        shl(a: __m512i, by: i32) -> __m512i = _mm512_sll_epi64(a, _mm_cvtsi32_si128(by));
        shr(a: __m512i, by: i32) -> __m512i = _mm512_srl_epi64(a, _mm_cvtsi32_si128(by));
        transpose(rows: [__m512i; 2]) -> [__m512i; 2] =
            [_mm512_unpacklo_epi64(rows[0], rows[1]), _mm512_unpackhi_epi64(rows[0], rows[1])];
    }
}

/// Three-operand logic and rotations, one instruction each.
macro_rules! rotate_and_three {
    ($V:ty, $rotl:ident, $rotr:ident, $ternary:ident) => {
        ops! { "avx512f,avx512bw,avx512vl";
            rotl<R>(a: $V) -> $V = $rotl::<R>(a);
            rotr<R>(a: $V) -> $V = $rotr::<R>(a);
            // The constants are the columns of the truth tables, for a b c from 111 down to 000.
            xor3(a: $V, b: $V, c: $V) -> $V = $ternary::<0b1001_0110>(a, b, c);
            ch(a: $V, b: $V, c: $V) -> $V = $ternary::<0b1100_1010>(a, b, c);
            maj(a: $V, b: $V, c: $V) -> $V = $ternary::<0b1110_1000>(a, b, c);
            xor_and(a: $V, b: $V, c: $V) -> $V = $ternary::<0b0111_1000>(a, b, c);
            xor_andn(a: $V, b: $V, c: $V) -> $V = $ternary::<0b1101_0010>(a, b, c);
            xor_or(a: $V, b: $V, c: $V) -> $V = $ternary::<0b0001_1110>(a, b, c);
        }
    };
}

mod u32x4 {
    use super::*;
    pub(super) use crate::x86_64::ssse3::{xmm::*, xmm32::*};

    rotate_and_three!(__m128i, _mm_rol_epi32, _mm_ror_epi32, _mm_ternarylogic_epi32);
}

mod u32x8 {
    use super::*;
    pub(super) use crate::x86_64::avx2::{ymm::*, ymm32::*};

    rotate_and_three!(__m256i, _mm256_rol_epi32, _mm256_ror_epi32, _mm256_ternarylogic_epi32);
}

mod u32x16 {
    use super::*;
    pub(super) use super::{zmm::*, zmm32::*};

    rotate_and_three!(__m512i, _mm512_rol_epi32, _mm512_ror_epi32, _mm512_ternarylogic_epi32);
}

mod u64x2 {
    use super::*;
    pub(super) use crate::x86_64::ssse3::{xmm::*, xmm64::*};

    rotate_and_three!(__m128i, _mm_rol_epi64, _mm_ror_epi64, _mm_ternarylogic_epi64);
}

mod u64x4 {
    use super::*;
    pub(super) use crate::x86_64::avx2::{ymm::*, ymm64::*};

    rotate_and_three!(__m256i, _mm256_rol_epi64, _mm256_ror_epi64, _mm256_ternarylogic_epi64);
}

mod u64x8 {
    use super::*;
    pub(super) use super::{zmm::*, zmm64::*};

    rotate_and_three!(__m512i, _mm512_rol_epi64, _mm512_ror_epi64, _mm512_ternarylogic_epi64);
}

vector! {
    /// Four 32-bit words.
    U32x4(__m128i, 4 lanes of u32 by Avx512 in u32x4) is Words32, 4 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}

vector! {
    /// Eight 32-bit words.
    U32x8(__m256i, 8 lanes of u32 by Avx512 in u32x8) is Words32, 4 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}

vector! {
    /// Sixteen 32-bit words.
    U32x16(__m512i, 16 lanes of u32 by Avx512 in u32x16) is Words32, 4 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}

vector! {
    /// Two 64-bit words.
    U64x2(__m128i, 2 lanes of u64 by Avx512 in u64x2) is Words64, 2 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}

vector! {
    /// Four 64-bit words.
    U64x4(__m256i, 4 lanes of u64 by Avx512 in u64x4) is Words64, 2 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}

vector! {
    /// Eight 64-bit words.
    U64x8(__m512i, 8 lanes of u64 by Avx512 in u64x8) is Words64, 2 words a tile,
    three xor3 ch maj xor_and xor_andn xor_or
}
