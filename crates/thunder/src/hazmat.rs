//! The bare permutation, for building other things.
//!
//! There is no padding, no feed-forward and no protection against misuse here: whoever wants a hash wants the types in
//! the [crate's root](crate).
//!
//! A state is 25 lanes of 64 bits; lane (x, y) is word 5 y + x, and bit z of a lane is the one of value 2^z.

use crate::{Backend, many, permutation};

/// Permutes a state (twelve rounds), on the best backend.
#[inline]
pub fn permute(state: &mut [u64; 25]) {
    permute_with(Backend::detect(), state);
}

/// [`permute`] on the given backend.
#[inline]
pub fn permute_with(backend: Backend, state: &mut [u64; 25]) {
    permutation::permute(backend, state);
}

/// Permutes each state, side by side.
#[inline]
pub fn permute_many(states: &mut [[u64; 25]]) {
    permute_many_with(Backend::detect(), states);
}

/// [`permute_many`] with the kernels of the given backend alone.
#[inline]
pub fn permute_many_with(backend: Backend, states: &mut [[u64; 25]]) {
    many::permute(backend, states);
}
