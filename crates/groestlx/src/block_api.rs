//! The hashers without their buffers: what `hmac::Hmac` and other constructions over blocks are built from.
//!
//! A core counts whole blocks. It runs on the best backend unless it is told otherwise, so that whatever is built from
//! it does so too.

use core::fmt;

use digest::{
    CollisionResistance, HashMarker, Output,
    array::Array,
    block_api::{
        AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, Eager, FixedOutputCore, OutputSizeUser, Reset,
        UpdateCore,
    },
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::{U14, U16, U24, U28, U32, U48, U64, U72, U128, U136},
};

use crate::{Backend, consts, groestl256, groestl512};

macro_rules! core {
    ($(
        $Core:ident $title:literal $primitive:ident $digest:literal
        $BlockSize:ty, $OutputSize:ty, $StateSize:ty, $Resistance:ty;
    )+) => {$(
        #[doc = concat!("Block-level core of ", $title, ".")]
        #[derive(Clone)]
        pub struct $Core {
            state: $primitive::State,
            blocks: u64,
            backend: Backend,
        }

        impl $Core {
            /// A core that has taken in nothing and uses the given backend.
            #[inline]
            pub fn with_backend(backend: Backend) -> Self {
                Self { state: consts::iv(8 * $digest), blocks: 0, backend }
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

            #[inline]
            pub(crate) fn finish<const N: usize>(&mut self, buffer: &mut Buffer<Self>) -> [u8; N] {
                $primitive::finish(self.backend, &mut self.state, buffer.get_data(), self.blocks);
                buffer.reset();
                $primitive::output(&self.state)
            }
        }

        impl Default for $Core {
            #[inline]
            fn default() -> Self {
                Self { state: consts::iv(8 * $digest), blocks: 0, backend: Backend::detect() }
            }
        }

        impl HashMarker for $Core {}

        impl BlockSizeUser for $Core {
            type BlockSize = $BlockSize;
        }

        impl OutputSizeUser for $Core {
            type OutputSize = $OutputSize;
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
                self.blocks = self.blocks.wrapping_add(blocks.len() as u64);
                $primitive::run(self.backend, &mut self.state, Array::cast_slice_to_core(blocks), &[], false);
            }
        }

        impl FixedOutputCore for $Core {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                *out = Array(self.finish(buffer));
            }
        }

        impl Reset for $Core {
            #[inline]
            fn reset(&mut self) {
                self.state = consts::iv(8 * $digest);
                self.blocks = 0;
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
            type SerializedStateSize = $StateSize;

            fn serialize(&self) -> SerializedState<Self> {
                let mut out = SerializedState::<Self>::default();
                let (columns, blocks) = out.split_at_mut($primitive::BLOCK);
                columns.copy_from_slice(&turned(self.state));
                blocks.copy_from_slice(&self.blocks.to_le_bytes());
                out
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (columns, blocks) = serialized.split_at($primitive::BLOCK);
                let mut core = Self::default();
                core.state = turned(columns.try_into().map_err(|_| DeserializeStateError)?);
                core.blocks = u64::from_le_bytes(blocks.try_into().map_err(|_| DeserializeStateError)?);
                Ok(core)
            }
        }

        #[cfg(feature = "zeroize")]
        impl Drop for $Core {
            #[inline]
            fn drop(&mut self) {
                use zeroize::Zeroize;

                self.state.zeroize();
                self.blocks.zeroize();
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $Core {}
    )+};
}

/// A state with each of its columns upside down: as RustCrypto's crate writes them.
fn turned<const N: usize>(mut state: [u8; N]) -> [u8; N] {
    for column in state.as_chunks_mut::<8>().0 {
        column.reverse();
    }
    state
}

core! {
    Groestl224Core "Groestl-224" groestl256 28 U64, U28, U72, U14;
    Groestl256Core "Groestl-256" groestl256 32 U64, U32, U72, U16;
    Groestl384Core "Groestl-384" groestl512 48 U128, U48, U136, U24;
    Groestl512Core "Groestl-512" groestl512 64 U128, U64, U136, U32;
}
