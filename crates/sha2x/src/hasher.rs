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

use crate::{Backend, block_api, consts, many, sha256, sha512};

macro_rules! hasher {
    ($(
        $(#[$doc:meta])*
        $Hasher:ident $Core:ident $title:literal $primitive:ident $iv:ident $resolve:ident $n:literal $oid:literal;
    )+) => {$(
        #[doc = concat!($title, " hasher.")]
        ///
        $(#[$doc])*
        #[derive(Clone, Default)]
        pub struct $Hasher {
            core: block_api::$Core,
            buffer: Buffer<block_api::$Core>,
        }

        impl $Hasher {
            #[doc = concat!("Names of the backends that have a kernel of their own for ", $title, ", on any CPU, slowest first.")]
            pub const BACKENDS: &[&str] = $primitive::BACKENDS;

            #[doc = concat!("The backends that have a kernel of their own for ", $title, " and that this CPU runs, slowest first.")]
            pub fn backends() -> impl Iterator<Item = Backend> + Clone {
                Backend::available().filter(|backend| Self::BACKENDS.contains(&backend.name()))
            }

            #[doc = concat!("A hasher that uses the given backend, or its own best one where ", $title, " has no kernel for it.")]
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

            /// Digest of the first `bits` bits of `bytes`, in the order of FIPS 180-4: the most significant bit of a
            /// byte comes first, and the bits of the last byte that do not belong to the message are ignored.
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
                $primitive::output(&$primitive::digest_bits(backend.$resolve(), &consts::$iv, bytes.as_ref(), bits))
            }

            /// Digests of many messages of any lengths, in their order, on this thread and without allocation.
            ///
            /// The kernels are chosen by the number of messages among all that this CPU runs.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many<M: AsRef<[u8]>>(messages: &[M], out: &mut [[u8; $n]]) {
                many::check(messages.len(), out.len());
                many::$primitive::digest_any(None, &consts::$iv, messages, out);
            }

            /// [`digest_many`](Self::digest_many) with the kernels of the given backend alone.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many_with<M: AsRef<[u8]>>(backend: Backend, messages: &[M], out: &mut [[u8; $n]]) {
                many::check(messages.len(), out.len());
                many::$primitive::digest_any(Some(backend.$resolve()), &consts::$iv, messages, out);
            }

            /// The most messages that [`digest_many_with`](Self::digest_many_with) hashes side by side.
            pub fn lanes(backend: Backend) -> usize {
                many::$primitive::lanes(backend.$resolve())
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

        /// The bytes are the same on every platform and backend, and those of RustCrypto's `sha2` 0.11: the words of
        /// the state and the number of whole blocks, little-endian; the number of buffered bytes; those bytes, and zeros
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

        #[cfg(feature = "oid")]
        impl digest::const_oid::AssociatedOid for $Hasher {
            const OID: digest::const_oid::ObjectIdentifier = digest::const_oid::ObjectIdentifier::new_unwrap($oid);
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
    /// Longest message: 2^61 - 1 bytes.
    Sha224 Sha224Core "SHA-224" sha256 SHA224 for256 28 "2.16.840.1.101.3.4.2.4";
    /// Longest message: 2^61 - 1 bytes.
    Sha256 Sha256Core "SHA-256" sha256 SHA256 for256 32 "2.16.840.1.101.3.4.2.1";
    /// Longest message: 2^125 - 1 bytes.
    Sha384 Sha384Core "SHA-384" sha512 SHA384 for512 48 "2.16.840.1.101.3.4.2.2";
    /// Longest message: 2^125 - 1 bytes.
    Sha512 Sha512Core "SHA-512" sha512 SHA512 for512 64 "2.16.840.1.101.3.4.2.3";
    /// Longest message: 2^125 - 1 bytes.
    Sha512_224 Sha512_224Core "SHA-512/224" sha512 SHA512_224 for512 28 "2.16.840.1.101.3.4.2.5";
    /// Longest message: 2^125 - 1 bytes.
    Sha512_256 Sha512_256Core "SHA-512/256" sha512 SHA512_256 for512 32 "2.16.840.1.101.3.4.2.6";
}
