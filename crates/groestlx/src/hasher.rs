//! The hashers: a block-level core and the bytes that do not fill a block yet.

use core::fmt;

use digest::{
    CollisionResistance, FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
    array::Array,
    block_api::{AlgorithmName, BlockSizeUser, Buffer, CoreProxy, UpdateCore},
    block_buffer::{BlockBuffer, Eager, SerializedBufferSize},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    typenum::Sum,
};

use crate::{Backend, block_api, consts, groestl256, groestl512, many};

macro_rules! hasher {
    ($(
        $Hasher:ident $Core:ident $title:literal $primitive:ident $n:literal;
    )+) => {$(
        #[doc = concat!($title, " hasher.")]
        ///
        /// Longest message: 2^64 - 1 blocks, less what the padding takes.
        #[derive(Clone, Default)]
        pub struct $Hasher {
            core: block_api::$Core,
            buffer: Buffer<block_api::$Core>,
        }

        impl $Hasher {
            /// A hasher that uses the given backend.
            #[inline]
            pub fn with_backend(backend: Backend) -> Self {
                Self { core: block_api::$Core::with_backend(backend), buffer: Default::default() }
            }

            /// The backend that does the work.
            #[inline]
            pub fn backend(&self) -> Backend {
                self.core.backend()
            }

            /// Uses another backend from here on; what was absorbed stays absorbed.
            #[inline]
            pub fn switch_backend(&mut self, backend: Backend) {
                self.core.switch_backend(backend);
            }

            /// Digest of the first `bits` bits of `bytes`, as the specification takes them: the most significant bit of a byte
            /// comes first, and the bits of the last byte that do not belong to the message are ignored.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits(bytes: impl AsRef<[u8]>, bits: u64) -> [u8; $n] {
                Self::digest_bits_with(Self::default().backend(), bytes, bits)
            }

            /// [`digest_bits`](Self::digest_bits) on the given backend.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits_with(backend: Backend, bytes: impl AsRef<[u8]>, bits: u64) -> [u8; $n] {
                $primitive::output(&$primitive::digest_bits(backend, &consts::iv(8 * $n), bytes.as_ref(), bits))
            }

            /// Digests of many messages of any lengths, in their order, on this thread and without allocation.
            ///
            /// The kernels are those of the best backend, chosen by the number of messages.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many<M: AsRef<[u8]>>(messages: &[M], out: &mut [[u8; $n]]) {
                many::check(messages.len(), out.len());
                many::$primitive::digest_any(Backend::detect(), &consts::iv(8 * $n), messages, out);
            }

            /// [`digest_many`](Self::digest_many) with the kernels of the given backend alone.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many_with<M: AsRef<[u8]>>(backend: Backend, messages: &[M], out: &mut [[u8; $n]]) {
                many::check(messages.len(), out.len());
                many::$primitive::digest_any(backend, &consts::iv(8 * $n), messages, out);
            }

            /// The most messages that [`digest_many_with`](Self::digest_many_with) hashes side by side.
            pub fn lanes(backend: Backend) -> usize {
                many::$primitive::lanes(backend)
            }
        }

        impl HashMarker for $Hasher {}

        impl BlockSizeUser for $Hasher {
            type BlockSize = <block_api::$Core as BlockSizeUser>::BlockSize;
        }

        impl OutputSizeUser for $Hasher {
            type OutputSize = <block_api::$Core as OutputSizeUser>::OutputSize;
        }

        impl CollisionResistance for $Hasher {
            type CollisionResistance = <block_api::$Core as CollisionResistance>::CollisionResistance;
        }

        impl CoreProxy for $Hasher {
            type Core = block_api::$Core;

            fn compose(core: Self::Core, buffer: Buffer<Self::Core>) -> Self {
                Self { core, buffer }
            }

            fn decompose(self) -> (Self::Core, Buffer<Self::Core>) {
                (self.core, self.buffer)
            }
        }

        impl Update for $Hasher {
            #[inline]
            fn update(&mut self, data: &[u8]) {
                let Self { core, buffer } = self;
                buffer.digest_blocks(data, |blocks| core.update_blocks(blocks));
            }
        }

        impl FixedOutput for $Hasher {
            #[inline]
            fn finalize_into(mut self, out: &mut Output<Self>) {
                *out = Array(self.core.finish(&mut self.buffer));
            }
        }

        impl Reset for $Hasher {
            #[inline]
            fn reset(&mut self) {
                self.core.reset();
                self.buffer.reset();
            }
        }

        impl FixedOutputReset for $Hasher {
            #[inline]
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                *out = Array(self.core.finish(&mut self.buffer));
                self.reset();
            }
        }

        impl AlgorithmName for $Hasher {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($title)
            }
        }

        impl fmt::Debug for $Hasher {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Hasher), " { ... }"))
            }
        }

        /// The bytes are the same on every platform and backend, and those of RustCrypto's `groestl` 0.11: the
        /// columns of the state, last row first; the number of whole blocks, little-endian; the number of buffered bytes; those bytes, and zeros
        /// up to a block in all. A restored hasher uses the best backend.
        impl SerializableState for $Hasher {
            type SerializedStateSize = Sum<
                <block_api::$Core as SerializableState>::SerializedStateSize,
                SerializedBufferSize<<block_api::$Core as BlockSizeUser>::BlockSize, Eager>,
            >;

            fn serialize(&self) -> SerializedState<Self> {
                self.core.serialize().concat(self.buffer.serialize())
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (core, buffer) = serialized.split_ref();
                let core = block_api::$Core::deserialize(core)?;
                let buffer = BlockBuffer::deserialize(buffer).map_err(|_| DeserializeStateError)?;
                Ok(Self { core, buffer })
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $Hasher {}

        #[cfg(feature = "zeroize")]
        const _: () = {
            const fn wiped<T: zeroize::ZeroizeOnDrop>() {}
            wiped::<block_api::$Core>();
            wiped::<Buffer<block_api::$Core>>();
        };

        #[cfg(feature = "std")]
        impl std::io::Write for $Hasher {
            #[inline]
            fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
                Update::update(self, data);
                Ok(data.len())
            }

            #[inline]
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    )+};
}

hasher! {
    Groestl224 Groestl224Core "Groestl-224" groestl256 28;
    Groestl256 Groestl256Core "Groestl-256" groestl256 32;
    Groestl384 Groestl384Core "Groestl-384" groestl512 48;
    Groestl512 Groestl512Core "Groestl-512" groestl512 64;
}
