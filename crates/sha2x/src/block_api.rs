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
    consts::{U14, U16, U24, U28, U32, U40, U48, U64, U80, U128},
};

use crate::{Backend, consts, sha256, sha512};

pub use crate::hazmat::{compress256, compress512};

macro_rules! core {
    ($(
        $Core:ident $title:literal $primitive:ident $iv:ident $word:ty, $count:ty, $resolve:ident $detect:ident
        $BlockSize:ty, $OutputSize:ty, $StateSize:ty, $Resistance:ty;
    )+) => {$(
        #[doc = concat!("Block-level core of ", $title, ".")]
        #[derive(Clone)]
        pub struct $Core {
            state: $primitive::State,
            blocks: $count,
            backend: Backend,
        }

        impl $Core {
            #[doc = concat!("A core that has taken in nothing and uses the given backend (or the one that ", $title, " takes in its place).")]
            #[inline]
            pub fn with_backend(backend: Backend) -> Self {
                Self { state: consts::$iv, blocks: 0, backend: backend.$resolve() }
            }

            /// The backend that does the work.
            #[inline]
            pub fn backend(&self) -> Backend {
                self.backend
            }

            /// Uses another backend from here on.
            #[inline]
            pub fn switch_backend(&mut self, backend: Backend) {
                self.backend = backend.$resolve();
            }

            #[inline]
            pub(crate) fn finish<const N: usize>(&mut self, buffer: &mut Buffer<Self>) -> [u8; N] {
                let before = self.blocks.wrapping_mul($primitive::BLOCK as $count);
                $primitive::finish(self.backend, &mut self.state, buffer.get_data(), before);
                buffer.reset();
                $primitive::output(&self.state)
            }
        }

        impl Default for $Core {
            #[inline]
            fn default() -> Self {
                Self { state: consts::$iv, blocks: 0, backend: Backend::$detect() }
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
                self.blocks = self.blocks.wrapping_add(blocks.len() as $count);
                $primitive::compress(self.backend, &mut self.state, Array::cast_slice_to_core(blocks), &[]);
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
                self.state = consts::$iv;
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
                let (words, blocks) = out.split_at_mut(size_of::<$primitive::State>());
                for (bytes, word) in words.chunks_exact_mut(size_of::<$word>()).zip(self.state) {
                    bytes.copy_from_slice(&word.to_le_bytes());
                }
                blocks.copy_from_slice(&self.blocks.to_le_bytes());
                out
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (words, blocks) = serialized.split_at(size_of::<$primitive::State>());
                let mut core = Self::default();
                for (word, bytes) in core.state.iter_mut().zip(words.chunks_exact(size_of::<$word>())) {
                    *word = <$word>::from_le_bytes(bytes.try_into().map_err(|_| DeserializeStateError)?);
                }
                core.blocks = <$count>::from_le_bytes(blocks.try_into().map_err(|_| DeserializeStateError)?);
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

core! {
    Sha224Core "SHA-224" sha256 SHA224 u32, u64, for256 detect U64, U28, U40, U14;
    Sha256Core "SHA-256" sha256 SHA256 u32, u64, for256 detect U64, U32, U40, U16;
    Sha384Core "SHA-384" sha512 SHA384 u64, u128, for512 detect512 U128, U48, U80, U24;
    Sha512Core "SHA-512" sha512 SHA512 u64, u128, for512 detect512 U128, U64, U80, U32;
    Sha512_224Core "SHA-512/224" sha512 SHA512_224 u64, u128, for512 detect512 U128, U28, U80, U14;
    Sha512_256Core "SHA-512/256" sha512 SHA512_256 u64, u128, for512 detect512 U128, U32, U80, U16;
}
