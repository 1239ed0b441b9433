//! The permutation of 25 lanes of 64 bits, and the loop over blocks around it.
//!
//! Lane (x, y) has index 5 y + x. A block of `RATE` bytes is added to the highest `RATE / 8` lanes, its first eight bytes
//! to lane 24; the lanes below, the capacity, are added to themselves again behind the permutation (feed-forward).

use crate::{
    backend::{Backend, Kind},
    consts,
};

/// An `absorb` made of one function for each rate. These are not generic: what is generic is compiled in the crate that
/// calls it, with the settings of that crate, and would reach constants through pointers.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! rates {
    ($Proof:ident by $body:ident: $($name:ident $rate:literal;)+) => {
        /// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's
        /// last.
        #[inline]
        pub(crate) fn absorb<const RATE: usize>(
            proof: $Proof,
            state: &mut State,
            first: &[[u8; RATE]],
            end: &[[u8; RATE]],
        ) {
            let (first, end) = (first.as_flattened(), end.as_flattened());
            match RATE {
                $($rate => $name(proof, state, first.as_chunks().0, end.as_chunks().0),)+
                _ => unreachable!("no instance has blocks of {RATE} bytes"),
            }
        }

        $(
            #[inline(never)]
            fn $name(proof: $Proof, state: &mut State, first: &[[u8; $rate]], end: &[[u8; $rate]]) {
                $body(proof, state, first, end);
            }
        )+
    };
    ($Proof:ident by $body:ident) => {
        rates! { $Proof by $body: absorb128 128; absorb96 96; absorb64 64; }
    };
}

/// The same for `$lanes` messages side by side.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! rates_side_by_side {
    ($absorb:ident: $Proof:ident $V:ident $lanes:literal) => {
        rates_side_by_side! { $absorb: $Proof $V $lanes, 128 16, 96 12, 64 8 }
    };
    ($absorb:ident: $Proof:ident $V:ident $lanes:literal, $($rate:literal $words:literal),+) => {
        /// Absorbs the blocks of every lane; lane i of the state of message l is `states[i][l]`.
        #[inline]
        pub(crate) fn $absorb<const RATE: usize>(
            proof: $Proof,
            states: &mut [[u64; $lanes]; 25],
            blocks: Blocks<'_, $lanes, RATE>,
        ) {
            let lanes = core::array::from_fn(|lane| blocks.lane(lane));
            match RATE {
                $($rate => {
                    #[inline(never)]
                    fn absorb(
                        proof: $Proof,
                        states: &mut [[u64; $lanes]; 25],
                        blocks: Blocks<'_, $lanes, $rate>,
                    ) {
                        proof.enter(
                            #[inline(always)]
                            || lanes::absorb::<$V, $lanes, $rate, $words>(proof, states, blocks),
                        );
                    }
                    absorb(proof, states, Blocks::new(lanes, blocks.len()));
                })+
                _ => unreachable!("no instance has blocks of {RATE} bytes"),
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod lanes;
pub(crate) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[allow(unsafe_code)]
mod x86_avx512_planes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86_bmi2;

/// The 25 lanes.
pub(crate) type State = [u64; consts::LANES];

/// Lanes of the capacity of a sponge whose blocks have `rate` bytes.
pub(crate) const fn capacity(rate: usize) -> usize {
    consts::LANES - rate / 8
}

/// The bare permutation.
#[inline]
pub(crate) fn permute(backend: Backend, state: &mut State) {
    match backend.0 {
        Kind::Portable => portable::permute(state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Bmi2(proof) => x86_bmi2::permute(proof, state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86_avx2::permute(proof, state),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86_avx512::permute(proof, state),
    }
}

/// Absorbs the blocks of `first`, then those of `end`, of which the last one, if there is any, is the message's last.
#[inline]
pub(crate) fn absorb<const RATE: usize>(backend: Backend, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    match backend.0 {
        Kind::Portable => portable::absorb(state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Bmi2(proof) => x86_bmi2::absorb(proof, state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx2(proof) => x86_avx2::absorb(proof, state, first, end),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Kind::Avx512(proof) => x86_avx512::absorb(proof, state, first, end),
    }
}
