//! The permutation in plain Rust, compiled for a CPU with BMI1 and BMI2: `rorx` rotates and moves at once, `andn` saves
//! the complements of psi.

use ::lanes::cpu::Bmi2;

use super::{State, portable};

/// The bare permutation.
#[inline(never)]
pub(crate) fn permute(proof: Bmi2, state: &mut State) {
    proof.enter(
        #[inline(always)]
        || *state = portable::rounds(*state),
    );
}

rates!(Bmi2 by blocks);

#[inline(always)]
fn blocks<const RATE: usize>(proof: Bmi2, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    proof.enter(
        #[inline(always)]
        || portable::absorb_inlined(state, first, end),
    );
}
