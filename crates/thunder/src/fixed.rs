//! The hashers with a fixed output length.

use core::fmt;

use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    array::Array,
    block_api::{AlgorithmName, BlockSizeUser, Buffer, CoreProxy, UpdateCore},
    block_buffer::{BlockBuffer, Eager, SerializedBufferSize},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    typenum::Sum,
};

use crate::{Backend, block_api, consts, hasher::hasher, many, sponge};

macro_rules! fixed {
    ($($Hasher:ident $Core:ident $title:literal $iv:ident $rate:literal $n:literal $($doc:literal)+;)+) => {$(
        hasher! { $Hasher $Core $title, $($doc)+ }

        impl $Hasher {
            /// Digest of the first `bits` bits of `bytes`: the most significant bit of a byte comes first, and the bits
            /// of the last byte that do not belong to the message are ignored.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits(bytes: impl AsRef<[u8]>, bits: u64) -> [u8; $n] {
                Self::digest_bits_with(Backend::detect(), bytes, bits)
            }

            /// [`digest_bits`](Self::digest_bits) on the given backend.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits_with(backend: Backend, bytes: impl AsRef<[u8]>, bits: u64) -> [u8; $n] {
                sponge::hash_bits::<$rate, $n>(backend, &consts::$iv, bytes.as_ref(), bits)
            }

            /// Digests of many messages of any lengths, in their order, on this thread and without allocation.
            ///
            /// The kernels are chosen by the number of messages among all that this CPU runs.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many<M: AsRef<[u8]>>(messages: &[M], out: &mut [[u8; $n]]) {
                Self::digest_many_with(Backend::detect(), messages, out);
            }

            /// [`digest_many`](Self::digest_many) with the kernels of the given backend alone.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many_with<M: AsRef<[u8]>>(backend: Backend, messages: &[M], out: &mut [[u8; $n]]) {
                many::check(messages.len(), out.len());
                many::digest::<M, _, $rate, $n>(backend, &consts::$iv, messages, out);
            }
        }

        impl OutputSizeUser for $Hasher {
            type OutputSize = <block_api::$Core as OutputSizeUser>::OutputSize;
        }

        impl FixedOutput for $Hasher {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                *out = Array(sponge::output(self.core.finish(&mut self.buffer)));
            }
        }

        impl FixedOutputReset for $Hasher {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                *out = Array(sponge::output(self.core.finish(&mut self.buffer)));
                self.reset();
            }
        }
    )+};
}

fixed! {
    Thunder512 Thunder512Core "Thunder-512" H512 128 64
        "Digest of 512 bits, blocks of 1024 bits, capacity of 576 bits.";
    Thunder768 Thunder768Core "Thunder-768" H768 96 96
        "Digest of 768 bits, blocks of 768 bits, capacity of 832 bits.";
    Thunder1024 Thunder1024Core "Thunder-1024" H1024 64 128
        "Digest of 1024 bits, blocks of 512 bits, capacity of 1088 bits.";
}
