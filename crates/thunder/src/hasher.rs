//! What the six hashers have in common: a block-level core, and the bytes that do not fill a block yet.

/// The hasher, and all that does not depend on how its output is taken.
macro_rules! hasher {
    ($Hasher:ident $Core:ident $title:literal, $($doc:literal)+) => {
        #[doc = concat!($title, " hasher.")]
        ///
        $(#[doc = $doc])+
        #[derive(Clone, Default)]
        pub struct $Hasher {
            core: block_api::$Core,
            buffer: Buffer<block_api::$Core>,
        }

        impl $Hasher {
            /// Names of the backends, on any CPU, slowest first.
            pub const BACKENDS: &[&str] = Backend::NAMES;

            /// The backends that this CPU runs, slowest first.
            pub fn backends() -> impl Iterator<Item = Backend> + Clone {
                Backend::available()
            }

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

            /// The most messages that `digest_many_with` hashes side by side.
            pub fn lanes(backend: Backend) -> usize {
                many::lanes(backend)
            }
        }

        impl HashMarker for $Hasher {}

        impl BlockSizeUser for $Hasher {
            type BlockSize = <block_api::$Core as BlockSizeUser>::BlockSize;
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

        impl Reset for $Hasher {
            #[inline]
            fn reset(&mut self) {
                self.core.reset();
                self.buffer.reset();
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

        /// The bytes are the same on every platform and backend: the 25 lanes, lane 0 first, little-endian; the number
        /// of buffered bytes; those bytes, and zeros up to a block in all. A restored hasher uses the best backend.
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
    };
}

pub(crate) use hasher;
