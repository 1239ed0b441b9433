//! The bare compression functions, for building other things.
//!
//! There is no padding, no length and no protection against misuse here: whoever wants a hash wants the types in the
//! [crate's root](crate).

use crate::{Backend, many, sha256, sha512};

macro_rules! compress {
    ($($name:ident $with:ident $many:ident $many_with:ident $word:ident $bytes:literal $primitive:ident $resolve:ident $detect:ident $family:literal;)+) => {$(
        #[doc = concat!("Compresses `blocks` one after the other into a state of ", $family, ", on the best backend.")]
        #[inline]
        pub fn $name(state: &mut [$word; 8], blocks: &[[u8; $bytes]]) {
            $primitive::compress(Backend::$detect(), state, blocks, &[]);
        }

        #[doc = concat!("[`", stringify!($name), "`] on the given backend (or on the one that the hashers take in its place).")]
        #[inline]
        pub fn $with(backend: Backend, state: &mut [$word; 8], blocks: &[[u8; $bytes]]) {
            $primitive::compress(backend.$resolve(), state, blocks, &[]);
        }

        #[doc = concat!("Compresses one block into each state of ", $family, ", side by side: `blocks[i]` into `states[i]`.")]
        ///
        /// # Panics
        /// If there are more or fewer blocks than states.
        #[inline]
        pub fn $many(states: &mut [[$word; 8]], blocks: &[[u8; $bytes]]) {
            check(states.len(), blocks.len());
            many::$primitive::compress(None, states, blocks);
        }

        #[doc = concat!("[`", stringify!($many), "`] with the kernels of the given backend alone.")]
        ///
        /// # Panics
        /// If there are more or fewer blocks than states.
        #[inline]
        pub fn $many_with(backend: Backend, states: &mut [[$word; 8]], blocks: &[[u8; $bytes]]) {
            check(states.len(), blocks.len());
            many::$primitive::compress(Some(backend.$resolve()), states, blocks);
        }
    )+};
}

#[inline]
fn check(states: usize, blocks: usize) {
    assert!(states == blocks, "{states} states, but {blocks} blocks");
}

compress! {
    compress256 compress256_with compress256_many compress256_many_with u32 64 sha256 for256 detect "SHA-224 and SHA-256";
    compress512 compress512_with compress512_many compress512_many_with u64 128 sha512 for512 detect512 "the SHA-512 family";
}
