//! Groestl-224 and Groestl-256 by Galois-field instructions and AVX-512. One message: all columns of a permutation in one
//! vector of 512 bits. Two or four messages: a row of P and of Q of each in every vector.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::{Blocks, cpu::Gfni};

use super::State;
use crate::{
    x86_rows,
    x86_tables::{
        Added, S_BOX, S_BOX_DOUBLED, S_BOX_QUADRUPLED, columns_256, keys_256, shuffles_256, starts_256, turns_256,
    },
    x86_vectors::{self, Aligned},
};

static KEYS: Aligned<[[[u8; 16]; 8]; 11]> = Aligned(keys_256(Added::AtTheStart));
static STARTS: Aligned<[[[u8; 16]; 4]; 2]> = Aligned(starts_256());
static SHUFFLES: Aligned<[[u8; 16]; 8]> = Aligned(shuffles_256(false));
static COLUMN_KEYS: Aligned<[[[u8; 64]; 2]; 11]> = Aligned(columns_256());
static TURNS: Aligned<[[[u8; 64]; 2]; 2]> = Aligned(turns_256());

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
#[inline]
pub(crate) fn run(_: Gfni, state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
    // SAFETY: the caller's token proves the features.
    unsafe { one::run(state, first, last, end) }
}

/// Compresses the blocks of both messages.
#[inline]
pub(crate) fn compress2(_: Gfni, states: &mut [State; 2], blocks: Blocks<'_, 2, 64>) {
    // SAFETY: the caller's token proves the features.
    unsafe { two::run(states, blocks) }
}

/// Compresses the blocks of all four messages.
#[inline]
pub(crate) fn compress4(_: Gfni, states: &mut [State; 4], blocks: Blocks<'_, 4, 64>) {
    // SAFETY: the caller's token proves the features.
    unsafe { four::run(states, blocks) }
}

/// A whole permutation in one vector, one column after the other.
///
/// With `affineinv` S, 2 S and 4 S of the S-box take one instruction each, and the sum of MixBytes falls into a part over
/// u = S + (2 S three rows on), five rows of it, and one over 4 S, four rows. Every row of that sum is wanted three rows
/// further up; the byte permutation of the next round does this, too.
mod one {
    use super::*;

    /// The vectors that stay in registers.
    struct Fixed {
        /// Byte shuffles that move every row up by 1, 2, 3 and 6.
        up: [__m512i; 4],
        /// `[permutation]`: ShiftBytes of the first round.
        first: [__m512i; 2],
        /// Of the others.
        turn: [__m512i; 2],
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    pub(super) fn run(state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
        let fixed = Fixed {
            up: [up(1), up(2), up(3), up(6)],
            first: [load(&TURNS.0[0][0]), load(&TURNS.0[0][1])],
            turn: [load(&TURNS.0[1][0]), load(&TURNS.0[1][1])],
        };
        let mut h = load(state);
        for blocks in [first, last] {
            for block in blocks {
                h = compress(&fixed, h, load(block));
            }
        }
        if end {
            h = output(&fixed, h);
        }
        // SAFETY: 64 writable bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(state.as_mut_ptr().cast(), h) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: 64 readable bytes; the load needs no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    /// The byte shuffle that moves every row up by so many. The compiler must not know it, or it makes a rotation of it,
    /// which competes with `affineinv` for a port.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn up(rows: u64) -> __m512i {
        let low = 0x0706_0504_0302_0100_u64.rotate_right(8 * rows as u32).cast_signed();
        let mut by = _mm512_broadcast_i32x4(_mm_set_epi64x(low + 0x0808_0808_0808_0808, low));
        // SAFETY: no instruction at all; the value goes through a register unchanged.
        unsafe { core::arch::asm!("/* {0} */", inout(zmm_reg) by, options(pure, nomem, nostack, preserves_flags)) }
        by
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0b1001_0110>(a, b, c)
    }

    /// One round without its constants; `key` are those of the next, three rows further down, like the result.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn round(fixed: &Fixed, x: __m512i, turn: __m512i, key: __m512i) -> __m512i {
        let [up1, up2, up3, up6] = fixed.up;
        let x = _mm512_permutexvar_epi8(turn, x);
        let s1 = _mm512_gf2p8affineinv_epi64_epi8::<0x63>(x, _mm512_set1_epi64(S_BOX.cast_signed()));
        let s2 = _mm512_gf2p8affineinv_epi64_epi8::<0xc6>(x, _mm512_set1_epi64(S_BOX_DOUBLED.cast_signed()));
        let s4 = _mm512_gf2p8affineinv_epi64_epi8::<0x97>(x, _mm512_set1_epi64(S_BOX_QUADRUPLED.cast_signed()));
        let u = _mm512_xor_si512(s1, _mm512_shuffle_epi8(s2, up3));
        let t = _mm512_xor_si512(u, _mm512_shuffle_epi8(u, up1));
        let y = three(t, _mm512_shuffle_epi8(t, up2), _mm512_shuffle_epi8(u, up6));
        let t4 = _mm512_xor_si512(s4, _mm512_shuffle_epi8(s4, up1));
        let x4 = three(t4, _mm512_shuffle_epi8(t4, up3), key);
        _mm512_xor_si512(x4, _mm512_shuffle_epi8(y, up1))
    }

    /// h + P(h + m) + Q(m).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn compress(fixed: &Fixed, h: __m512i, m: __m512i) -> __m512i {
        let keys = &COLUMN_KEYS.0;
        let mut p = three(h, m, load(&keys[0][0]));
        let mut q = _mm512_xor_si512(m, load(&keys[0][1]));
        p = round(fixed, p, fixed.first[0], load(&keys[1][0]));
        q = round(fixed, q, fixed.first[1], load(&keys[1][1]));
        for key in &keys[2..] {
            p = round(fixed, p, fixed.turn[0], load(&key[0]));
            q = round(fixed, q, fixed.turn[1], load(&key[1]));
        }
        _mm512_xor_si512(h, _mm512_shuffle_epi8(_mm512_xor_si512(p, q), fixed.up[2]))
    }

    /// h + P(h).
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn output(fixed: &Fixed, h: __m512i) -> __m512i {
        let keys = &COLUMN_KEYS.0;
        let mut p = _mm512_xor_si512(h, load(&keys[0][0]));
        p = round(fixed, p, fixed.first[0], load(&keys[1][0]));
        for key in &keys[2..] {
            p = round(fixed, p, fixed.turn[0], load(&key[0]));
        }
        _mm512_xor_si512(h, _mm512_shuffle_epi8(p, fixed.up[2]))
    }
}

mod two {
    use super::*;

    x86_vectors::vector!(ymm "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_vectors::gfni!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" _mm256_gf2p8affineinv_epi64_epi8 _mm256_gf2p8mul_epi8 _mm256_set1_epi8 _mm256_set1_epi64x);
    x86_rows::mix_bytes!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::rows_256!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" 2 KEYS STARTS SHUFFLES);
    x86_rows::two_256!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
}

mod four {
    use super::*;

    x86_vectors::vector!(zmm "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_vectors::gfni!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" _mm512_gf2p8affineinv_epi64_epi8 _mm512_gf2p8mul_epi8 _mm512_set1_epi8 _mm512_set1_epi64);
    x86_rows::mix_bytes!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::rows_256!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" 4 KEYS STARTS SHUFFLES);

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    pub(super) fn run(states: &mut [State; 4], blocks: Blocks<'_, 4, 64>) {
        let mut h = transpose(load(states.each_ref()));
        for row in blocks.iter() {
            compress(&mut h, row);
        }
        for (i, v) in transpose(h).into_iter().enumerate() {
            let parts = [
                _mm512_castsi512_si128(v),
                _mm512_extracti32x4_epi32::<1>(v),
                _mm512_extracti32x4_epi32::<2>(v),
                _mm512_extracti32x4_epi32::<3>(v),
            ];
            for (state, part) in states.iter_mut().zip(parts) {
                let to = &mut state.as_chunks_mut::<16>().0[i];
                // SAFETY: 16 writable bytes; the store needs no alignment.
                unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), part) }
            }
        }
    }

    /// Sixteen bytes of every message a vector.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn load(blocks: [&[u8; 64]; 4]) -> [Vector; 4] {
        let [(a, _), (b, _), (c, _), (d, _)] = [
            blocks[0].as_chunks::<16>(),
            blocks[1].as_chunks::<16>(),
            blocks[2].as_chunks::<16>(),
            blocks[3].as_chunks::<16>(),
        ];
        let mut out = [each(&a[0]); 4];
        for i in 0..4 {
            let low = _mm512_mask_blend_epi64(0x0c, each(&a[i]), each(&b[i]));
            let high = _mm512_mask_blend_epi64(0xc0, each(&c[i]), each(&d[i]));
            out[i] = _mm512_mask_blend_epi64(0xf0, low, high);
        }
        out
    }
}
