//! The hashers without their buffers: what `hmac::Hmac` and other constructions over blocks are built from.
//!
//! A core runs on the best backend unless it is told otherwise, so that whatever is built from it does so too.

use core::fmt;

use digest::{
    CollisionResistance, HashMarker, Output,
    array::Array,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, ExtendableOutputCore, FixedOutputCore,
        OutputSizeUser, Reset, UpdateCore, XofReaderCore,
    },
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U32, U48, U64, U96, U128, U144, U160, U200},
};

use crate::{
    Backend, consts,
    permutation::{self, State},
    sponge,
};

/// What all six have in common.
macro_rules! core {
    ($($Core:ident $title:literal $iv:ident $rate:literal $BlockSize:ty, $Resistance:ty;)+) => {$(
        #[doc = concat!("Block-level core of ", $title, ".")]
        #[derive(Clone)]
        pub struct $Core {
            state: State,
            backend: Backend,
        }

        impl $Core {
            /// A core that has taken in nothing and uses the given backend.
            #[inline]
            pub fn with_backend(backend: Backend) -> Self {
                Self { state: consts::$iv, backend }
            }

            /// The backend that does the work.
            #[inline]
            pub fn backend(&self) -> Backend {
                self.backend
            }

            /// Uses another backend from here on.
            #[inline]
            pub fn switch_backend(&mut self, backend: Backend) {
                self.backend = backend;
            }

            /// The state after the message's end, which the buffer holds.
            #[inline]
            pub(crate) fn finish(&mut self, buffer: &mut Buffer<Self>) -> &State {
                sponge::finish::<$rate>(self.backend, &mut self.state, buffer.get_data());
                buffer.reset();
                &self.state
            }
        }

        impl Default for $Core {
            #[inline]
            fn default() -> Self {
                Self::with_backend(Backend::detect())
            }
        }

        impl HashMarker for $Core {}

        impl BlockSizeUser for $Core {
            type BlockSize = $BlockSize;
        }

        impl BufferKindUser for $Core {
            type BufferKind = Eager;
        }

        impl CollisionResistance for $Core {
            type CollisionResistance = $Resistance;
        }

        impl UpdateCore for $Core {
            #[inline]
            fn update_blocks(&mut self, blocks: &[Block<Self>]) {
                permutation::absorb::<$rate>(self.backend, &mut self.state, Array::cast_slice_to_core(blocks), &[]);
            }
        }

        impl Reset for $Core {
            #[inline]
            fn reset(&mut self) {
                self.state = consts::$iv;
            }
        }

        impl AlgorithmName for $Core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($title)
            }
        }

        impl fmt::Debug for $Core {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Core), " { ... }"))
            }
        }

        impl SerializableState for $Core {
            type SerializedStateSize = U200;

            fn serialize(&self) -> SerializedState<Self> {
                Array(sponge::to_bytes(&self.state))
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                Ok(Self { state: sponge::from_bytes(&serialized.0), backend: Backend::detect() })
            }
        }

        #[cfg(feature = "zeroize")]
        impl Drop for $Core {
            #[inline]
            fn drop(&mut self) {
                zeroize::Zeroize::zeroize(&mut self.state);
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $Core {}
    )+};
}

macro_rules! fixed {
    ($($Core:ident $OutputSize:ty;)+) => {$(
        impl OutputSizeUser for $Core {
            type OutputSize = $OutputSize;
        }

        impl FixedOutputCore for $Core {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                *out = Array(sponge::output(self.finish(buffer)));
            }
        }
    )+};
}

macro_rules! xof {
    ($($Core:ident $Reader:ident $title:literal $rate:literal $SqueezeSize:ty;)+) => {$(
        impl ExtendableOutputCore for $Core {
            type ReaderCore = $Reader;

            #[inline]
            fn finalize_xof_core(&mut self, buffer: &mut Buffer<Self>) -> $Reader {
                $Reader { state: *self.finish(buffer), backend: self.backend, begun: false }
            }
        }

        #[doc = concat!("Reader of the output of ", $title, ", a squeeze at a time.")]
        #[derive(Clone)]
        pub struct $Reader {
            state: State,
            backend: Backend,
            /// Whether the squeeze that the state holds has been read.
            begun: bool,
        }

        impl BlockSizeUser for $Reader {
            type BlockSize = $SqueezeSize;
        }

        impl XofReaderCore for $Reader {
            #[inline]
            fn read_block(&mut self) -> Block<Self> {
                if self.begun {
                    sponge::next::<$rate>(self.backend, &mut self.state);
                }
                self.begun = true;
                Array(sponge::output(&self.state))
            }
        }

        impl fmt::Debug for $Reader {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Reader), " { ... }"))
            }
        }

        #[cfg(feature = "zeroize")]
        impl Drop for $Reader {
            #[inline]
            fn drop(&mut self) {
                zeroize::Zeroize::zeroize(&mut self.state);
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $Reader {}
    )+};
}

core! {
    Thunder512Core "Thunder-512" H512 128 U128, U32;
    Thunder768Core "Thunder-768" H768 96 U96, U48;
    Thunder1024Core "Thunder-1024" H1024 64 U64, U64;
    ThunderXof256Core "Thunder-XOF-256" XOF256 128 U128, U32;
    ThunderXof384Core "Thunder-XOF-384" XOF384 96 U96, U48;
    ThunderXof512Core "Thunder-XOF-512" XOF512 64 U64, U64;
}

fixed! {
    Thunder512Core U64;
    Thunder768Core U96;
    Thunder1024Core U128;
}

xof! {
    ThunderXof256Core ThunderXof256ReaderCore "Thunder-XOF-256" 128 U160;
    ThunderXof384Core ThunderXof384ReaderCore "Thunder-XOF-384" 96 U144;
    ThunderXof512Core ThunderXof512ReaderCore "Thunder-XOF-512" 64 U128;
}
