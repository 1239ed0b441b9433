//! Groestl-224 and Groestl-256 by AES-NI: a row of P and of Q in each vector of 128 bits.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::cpu::{AesNi, Avx};

use super::State;
use crate::{
    x86_folded, x86_rows,
    x86_tables::{Added, keys_256, keys_folded, shuffles_256, shuffles_folded, starts_256},
    x86_vectors::{self, AES_OFFSET, Aligned},
};

const ADDED: Added = Added::BeforeMixBytes { offset: AES_OFFSET };
static KEYS: Aligned<[[[u8; 16]; 8]; 11]> = Aligned(keys_256(ADDED));
static STARTS: Aligned<[[[u8; 16]; 4]; 2]> = Aligned(starts_256());
static SHUFFLES: Aligned<[[u8; 16]; 8]> = Aligned(shuffles_256(true));
static OUTPUT_KEYS: Aligned<[[[u8; 16]; 4]; 10]> = Aligned(keys_folded(ADDED));
static OUTPUT_SHUFFLES: Aligned<[[[u8; 16]; 4]; 10]> = Aligned(shuffles_folded());

/// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
#[inline]
pub(crate) fn run(_: AesNi, avx: Option<Avx>, state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
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
        x86_rows::rows_256!($features 1 KEYS STARTS SHUFFLES);

        #[inline]
        #[target_feature(enable = $features)]
        fn load([bytes]: [&[u8; 64]; 1]) -> [Vector; 4] {
            let (vectors, _) = bytes.as_chunks();
            [each(&vectors[0]), each(&vectors[1]), each(&vectors[2]), each(&vectors[3])]
        }

        #[target_feature(enable = $features)]
        pub(super) fn run(state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
            let mut h = output::load(state);
            for blocks in [first, last] {
                for block in blocks {
                    compress(&mut h, [block]);
                }
            }
            if end {
                output::output(&mut h);
            }
            output::store(h, state);
        }

        mod output {
            use super::*;

            x86_folded::folded!($features OUTPUT_KEYS OUTPUT_SHUFFLES);
            x86_folded::output_256!($features STARTS);
            x86_folded::edges!($features);
        }
    };
}

mod legacy {
    kernel!("aes,sse4.1,ssse3");
}

mod vex {
    kernel!("aes,avx");
}
