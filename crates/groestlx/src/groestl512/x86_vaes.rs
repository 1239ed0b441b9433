//! Groestl-384 and Groestl-512 by AES instructions on vectors of 256 bits: a row of P and the same row of Q in each.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::cpu::Vaes;

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
pub(crate) fn run(_: Vaes, state: &mut State, first: &[[u8; 128]], last: &[[u8; 128]], end: bool) {
    // SAFETY: the caller's token proves the features.
    unsafe { one::run(state, first, last, end) }
}

mod one {
    use super::*;

    x86_vectors::vector!(ymm "aes,vaes,avx2");
    x86_vectors::aes!("aes,vaes,avx2" _mm256_aesenclast_epi128 _mm256_shuffle_epi8 _mm256_add_epi8 _mm256_set1_epi8);
    x86_rows::mix_bytes!("aes,vaes,avx2");
    x86_rows::transpose!("aes,vaes,avx2");
    x86_rows::transpose_wide!("aes,vaes,avx2");
    x86_rows::rows_512!("aes,vaes,avx2" 1 KEYS SHUFFLES);
    x86_rows::one_512!("aes,vaes,avx2");
}
