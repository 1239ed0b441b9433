//! Groestl-384 and Groestl-512 by AES-NI: a row in each vector of 128 bits, P first and Q after it.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::cpu::{AesNi, Avx};

use super::State;
use crate::{
    x86_rows,
    x86_tables::{Added, keys_512, shuffles_512},
    x86_vectors::{self, AES_OFFSET, Aligned},
};

static KEYS: Aligned<[[[u8; 32]; 8]; 15]> = Aligned(keys_512(Added::BeforeMixBytes { offset: AES_OFFSET }));
static SHUFFLES: Aligned<[[u8; 32]; 8]> = Aligned(shuffles_512(true));

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
#[inline]
pub(crate) fn run(_: AesNi, avx: Option<Avx>, state: &mut State, first: &[[u8; 128]], last: &[[u8; 128]], end: bool) {
    if avx.is_some() {
        // SAFETY: the caller's tokens prove AES-NI and AVX.
        unsafe { vex::run(state, first, last, end) }
    } else {
        // SAFETY: the caller's `AesNi` proves AES-NI, SSE4.1 and SSSE3.
        unsafe { legacy::run(state, first, last, end) }
    }
}

macro_rules! kernel {
    ($features:literal) => {
        use super::*;

        x86_vectors::vector!(xmm $features);
        x86_vectors::aes!($features _mm_aesenclast_si128 _mm_shuffle_epi8 _mm_add_epi8 _mm_set1_epi8);
        x86_rows::mix_bytes!($features);
        x86_rows::transpose!($features);
        x86_rows::transpose_wide!($features);

        #[target_feature(enable = $features)]
        pub(super) fn run(state: &mut State, first: &[[u8; 128]], last: &[[u8; 128]], end: bool) {
            let mut h = to_rows(load(state));
            for blocks in [first, last] {
                for block in blocks {
                    compress(&mut h, block);
                }
            }
            if end {
                let rows = permute::<0>(h);
                for i in 0..8 {
                    h[i] = xor(h[i], rows[i]);
                }
            }
            let h = to_columns(h);
            for (to, from) in state.as_chunks_mut::<16>().0.iter_mut().zip(h) {
                // SAFETY: 16 writable bytes; the store needs no alignment.
                unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), from) }
            }
        }

        /// h + P(h + m) + Q(m).
        #[inline]
        #[target_feature(enable = $features)]
        fn compress(h: &mut [Vector; 8], block: &[u8; 128]) {
            let m = to_rows(load(block));
            let mut p = m;
            for i in 0..8 {
                p[i] = xor(m[i], h[i]);
            }
            let p = permute::<0>(p);
            for i in 0..8 {
                h[i] = xor(h[i], p[i]);
            }
            let q = permute::<1>(m);
            for i in 0..8 {
                h[i] = xor(h[i], q[i]);
            }
        }

        /// All rounds, of P (0) or of Q (1).
        #[inline]
        #[target_feature(enable = $features)]
        fn permute<const Q: usize>(mut rows: [Vector; 8]) -> [Vector; 8] {
            for i in 0..8 {
                if Q == 1 || i == 0 {
                    rows[i] = xor(rows[i], half::<Q>(&KEYS.0[0][i]));
                }
            }
            for keys in &KEYS.0[1..] {
                let mut a = rows;
                for i in 0..8 {
                    a[i] = enter(rows[i], half::<Q>(&SHUFFLES.0[i]), half::<Q>(&keys[i]));
                }
                rows = mix_bytes(a, a);
            }
            rows
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn half<const Q: usize>(bytes: &[u8; 32]) -> Vector {
            each(&bytes.as_chunks().0[Q])
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(bytes: &[u8; 128]) -> [Vector; 8] {
            let (vectors, _) = bytes.as_chunks();
            let mut out = [each(&vectors[0]); 8];
            for i in 1..8 {
                out[i] = each(&vectors[i]);
            }
            out
        }
    };
}

mod legacy {
    kernel!("aes,sse4.1,ssse3");
}

mod vex {
    kernel!("aes,avx");
}
