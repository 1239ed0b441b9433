//! Groestl-384 and Groestl-512 by Galois-field instructions and AVX-512: a row of P and the same row of Q in 256 bits, so
//! that one message takes vectors of 256 bits, of which such a CPU works on three at a time, and two messages of 512.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::{Blocks, cpu::Gfni};

use super::State;
use crate::{
    x86_rows,
    x86_tables::{Added, S_BOX, keys_512, shuffles_512},
    x86_vectors::{self, Aligned},
};

static KEYS: Aligned<[[[u8; 32]; 8]; 15]> = Aligned(keys_512(Added::AtTheStart));
static SHUFFLES: Aligned<[[u8; 32]; 8]> = Aligned(shuffles_512(false));

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
#[inline]
pub(crate) fn run(_: Gfni, state: &mut State, first: &[[u8; 128]], last: &[[u8; 128]], end: bool) {
    // SAFETY: the caller's token proves the features.
    unsafe { one::run(state, first, last, end) }
}

/// Compresses the blocks of both messages.
#[inline]
pub(crate) fn compress2(_: Gfni, states: &mut [State; 2], blocks: Blocks<'_, 2, 128>) {
    // SAFETY: the caller's token proves the features.
    unsafe { two::run(states, blocks) }
}

mod one {
    use super::*;

    x86_vectors::vector!(ymm "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_vectors::gfni!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" _mm256_gf2p8affineinv_epi64_epi8 _mm256_gf2p8mul_epi8 _mm256_set1_epi8 _mm256_set1_epi64x);
    x86_rows::mix_bytes!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose_wide!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::rows_512!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" 1 KEYS SHUFFLES);
    x86_rows::one_512!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
}

mod two {
    use super::*;

    x86_vectors::vector!(zmm "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_vectors::gfni!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" _mm512_gf2p8affineinv_epi64_epi8 _mm512_gf2p8mul_epi8 _mm512_set1_epi8 _mm512_set1_epi64);
    x86_rows::mix_bytes!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::transpose_wide!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni");
    x86_rows::rows_512!("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni" 2 KEYS SHUFFLES);

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    pub(super) fn run(states: &mut [State; 2], blocks: Blocks<'_, 2, 128>) {
        let [a, b] = states;
        let mut h = load_both([a, b]);
        for column in &mut h {
            *column = keep_p(*column);
        }
        let mut h = to_rows(h);
        for row in blocks.iter() {
            compress(&mut h, row);
        }
        for (i, v) in to_columns(h).into_iter().enumerate() {
            let parts = [_mm512_castsi512_si128(v), _mm512_extracti32x4_epi32::<2>(v)];
            for (state, part) in states.iter_mut().zip(parts) {
                let to = &mut state.as_chunks_mut::<16>().0[i];
                // SAFETY: 16 writable bytes; the store needs no alignment.
                unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), part) }
            }
        }
    }

    /// The blocks in the places of P and in those of Q.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn load_both([a, b]: [&[u8; 128]; 2]) -> [Vector; 8] {
        let ((a, _), (b, _)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
        let mut out = [each(&a[0]); 8];
        for i in 0..8 {
            out[i] = _mm512_mask_blend_epi64(0xf0, each(&a[i]), each(&b[i]));
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn keep_p(a: Vector) -> Vector {
        _mm512_maskz_mov_epi64(0x33, a)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn swap(a: Vector) -> Vector {
        _mm512_shuffle_i64x2::<0b10_11_00_01>(a, a)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni")]
    fn both(bytes: &[u8; 32]) -> Vector {
        // SAFETY: 32 readable bytes; the load needs no alignment.
        _mm512_broadcast_i64x4(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }
}
