//! Groestl-224 and Groestl-256 by AES instructions on vectors of 256 bits: one message in the folded form, or a row of P
//! and of Q of two messages in each vector.

#![allow(unsafe_code)]

use core::arch::x86_64::*;

use ::lanes::{Blocks, cpu::Vaes};

use super::State;
use crate::{
    x86_folded, x86_rows,
    x86_tables::{Added, keys_256, keys_folded, shuffles_256, shuffles_folded, starts_256, starts_folded},
    x86_vectors::{self, AES_OFFSET, Aligned},
};

const ADDED: Added = Added::BeforeMixBytes { offset: AES_OFFSET };
static KEYS: Aligned<[[[u8; 16]; 8]; 11]> = Aligned(keys_256(ADDED));
static STARTS: Aligned<[[[u8; 16]; 4]; 2]> = Aligned(starts_256());
static SHUFFLES: Aligned<[[u8; 16]; 8]> = Aligned(shuffles_256(true));
static FOLDED_KEYS: Aligned<[[[u8; 32]; 4]; 10]> = Aligned(keys_folded(ADDED));
static FOLDED_STARTS: Aligned<[[[u8; 32]; 2]; 2]> = Aligned(starts_folded());
static FOLDED_SHUFFLES: Aligned<[[[u8; 32]; 4]; 10]> = Aligned(shuffles_folded());
static OUTPUT_KEYS: Aligned<[[[u8; 16]; 4]; 10]> = Aligned(keys_folded(ADDED));
static OUTPUT_SHUFFLES: Aligned<[[[u8; 16]; 4]; 10]> = Aligned(shuffles_folded());

x86_folded::kernels_256!(Vaes "aes,vaes,avx2");

mod output {
    use super::*;

    x86_vectors::vector!(xmm "aes,vaes,avx2");
    x86_vectors::aes!("aes,vaes,avx2" _mm_aesenclast_si128 _mm_shuffle_epi8 _mm_add_epi8 _mm_set1_epi8);
    x86_rows::transpose!("aes,vaes,avx2");
    x86_folded::folded!("aes,vaes,avx2" OUTPUT_KEYS OUTPUT_SHUFFLES);
    x86_folded::output_256!("aes,vaes,avx2" STARTS);
    x86_folded::edges!("aes,vaes,avx2");
}

mod one {
    use super::*;

    x86_vectors::vector!(ymm "aes,vaes,avx2");
    x86_vectors::aes!("aes,vaes,avx2" _mm256_aesenclast_epi128 _mm256_shuffle_epi8 _mm256_add_epi8 _mm256_set1_epi8);
    x86_folded::folded!("aes,vaes,avx2" FOLDED_KEYS FOLDED_SHUFFLES);
    x86_folded::one_256!("aes,vaes,avx2");
}

mod two {
    use super::*;

    x86_vectors::vector!(ymm "aes,vaes,avx2");
    x86_vectors::aes!("aes,vaes,avx2" _mm256_aesenclast_epi128 _mm256_shuffle_epi8 _mm256_add_epi8 _mm256_set1_epi8);
    x86_rows::mix_bytes!("aes,vaes,avx2");
    x86_rows::transpose!("aes,vaes,avx2");
    x86_rows::rows_256!("aes,vaes,avx2" 2 KEYS STARTS SHUFFLES);
    x86_rows::two_256!("aes,vaes,avx2");
}
