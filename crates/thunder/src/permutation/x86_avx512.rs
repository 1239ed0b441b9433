//! The permutation on a CPU with AVX-512: one state by planes; two, four or eight side by side.

use ::lanes::{
    Blocks,
    cpu::Avx512,
    x86_64::avx512::{U64x2, U64x4, U64x8},
};

use super::lanes;

pub(crate) use super::x86_avx512_planes::{absorb, permute};

macro_rules! permute {
    ($($permute:ident $V:ident $lanes:literal;)+) => {$(
        /// The bare permutation of every lane; lane i of state l is `states[i][l]`.
        #[inline(never)]
        pub(crate) fn $permute(proof: Avx512, states: &mut [[u64; $lanes]; 25]) {
            proof.enter(
                #[inline(always)]
                || lanes::permute::<$V>(proof, states),
            );
        }
    )+};
}

permute! {
    permute2 U64x2 2;
    permute4 U64x4 4;
    permute8 U64x8 8;
}

rates_side_by_side!(absorb2: Avx512 U64x2 2);
rates_side_by_side!(absorb4: Avx512 U64x4 4);
rates_side_by_side!(absorb8: Avx512 U64x8 8);
