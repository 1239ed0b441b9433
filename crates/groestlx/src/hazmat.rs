//! The bare compression functions and output transformations, for building other things.
//!
//! There is no padding, no length and no protection against misuse here: whoever wants a hash wants the types in the
//! [crate's root](crate). A state, like a block, is a matrix of eight rows, one column after the other.

use crate::{Backend, groestl256, groestl512, many};

macro_rules! bare {
    ($($compress:ident $compress_with:ident $many:ident $many_with:ident $transform:ident $transform_with:ident
        $bytes:literal $primitive:ident $family:literal;)+) => {$(
        #[doc = concat!("Compresses `blocks` one after the other into a state of ", $family, ", on the best backend:")]
        /// P(h + m) + Q(m) + h (round-3 specification, section 3.2).
        #[inline]
        pub fn $compress(state: &mut [u8; $bytes], blocks: &[[u8; $bytes]]) {
            $compress_with(Backend::detect(), state, blocks);
        }

        #[doc = concat!("[`", stringify!($compress), "`] on the given backend.")]
        #[inline]
        pub fn $compress_with(backend: Backend, state: &mut [u8; $bytes], blocks: &[[u8; $bytes]]) {
            $primitive::run(backend, state, blocks, &[], false);
        }

        #[doc = concat!("Compresses one block into each state of ", $family, ", side by side: `blocks[i]` into `states[i]`.")]
        ///
        /// # Panics
        /// If there are more or fewer blocks than states.
        #[inline]
        pub fn $many(states: &mut [[u8; $bytes]], blocks: &[[u8; $bytes]]) {
            $many_with(Backend::detect(), states, blocks);
        }

        #[doc = concat!("[`", stringify!($many), "`] with the kernels of the given backend alone.")]
        ///
        /// # Panics
        /// If there are more or fewer blocks than states.
        #[inline]
        pub fn $many_with(backend: Backend, states: &mut [[u8; $bytes]], blocks: &[[u8; $bytes]]) {
            let (states_given, blocks_given) = (states.len(), blocks.len());
            assert!(states_given == blocks_given, "{states_given} states, but {blocks_given} blocks");
            many::$primitive::compress(backend, states, blocks);
        }

        #[doc = concat!("The output transformation of ", $family, ", on the best backend: P(h) + h (section 3.3), all of it.")]
        #[inline]
        pub fn $transform(state: &mut [u8; $bytes]) {
            $transform_with(Backend::detect(), state);
        }

        #[doc = concat!("[`", stringify!($transform), "`] on the given backend.")]
        #[inline]
        pub fn $transform_with(backend: Backend, state: &mut [u8; $bytes]) {
            $primitive::run(backend, state, &[], &[], true);
        }
    )+};
}

bare! {
    compress256 compress256_with compress256_many compress256_many_with transform256 transform256_with
        64 groestl256 "Groestl-224 and Groestl-256";
    compress512 compress512_with compress512_many compress512_many_with transform512 transform512_with
        128 groestl512 "Groestl-384 and Groestl-512";
}
