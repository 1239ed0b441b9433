//! The hashers with output of any length, and the readers of it.

use core::fmt;

use digest::{
    CollisionResistance, ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update, XofReader,
    block_api::{AlgorithmName, BlockSizeUser, Buffer, CoreProxy, UpdateCore},
    block_buffer::{BlockBuffer, Eager, SerializedBufferSize},
    common::hazmat::{DeserializeStateError, SerializableState, SerializedState},
    consts::U201,
    typenum::Sum,
};

use crate::{Backend, block_api, consts, hasher::hasher, many, permutation::State, sponge};

macro_rules! xof {
    ($($Hasher:ident $Reader:ident $Core:ident $title:literal $iv:ident $rate:literal $n:literal $($doc:literal)+;)+) => {$(
        hasher! { $Hasher $Core $title, $($doc)+ }

        impl $Hasher {
            /// Bytes that one squeeze gives: a longer output costs a permutation for each squeeze more.
            pub const SQUEEZE_BYTES: usize = $n;

            /// Output for the first `bits` bits of `bytes`: the most significant bit of a byte comes first, and the bits
            /// of the last byte that do not belong to the message are ignored.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits(bytes: impl AsRef<[u8]>, bits: u64, out: &mut [u8]) {
                Self::digest_bits_with(Backend::detect(), bytes, bits, out);
            }

            /// [`digest_bits`](Self::digest_bits) on the given backend.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits.
            pub fn digest_bits_with(backend: Backend, bytes: impl AsRef<[u8]>, bits: u64, out: &mut [u8]) {
                sponge::hash_bits_into::<$rate, $n>(backend, &consts::$iv, bytes.as_ref(), bits, out);
            }

            /// [`digest_bits`](Self::digest_bits) with `out_bits` bits of output: in the last byte of `out` they are the
            /// most significant ones, and the others are zero.
            ///
            /// # Panics
            /// If `bytes` has fewer than `bits` bits, or `out` is not of `out_bits.div_ceil(8)` bytes.
            pub fn digest_bits_to_bits(bytes: impl AsRef<[u8]>, bits: u64, out: &mut [u8], out_bits: u64) {
                let fits = out.len() as u64 == out_bits.div_ceil(8);
                assert!(fits, "{} bytes for an output of {out_bits} bits", out.len());
                Self::digest_bits(bytes, bits, out);
                if let Some(last) = out.last_mut().filter(|_| out_bits % 8 != 0) {
                    *last &= !(0xff >> (out_bits % 8));
                }
            }

            /// Outputs for many messages of any lengths, in their order, on this thread and without allocation; each
            /// `out` asks for as many bytes as it has.
            ///
            /// The kernels are chosen by the number of messages among all that this CPU runs.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many<M: AsRef<[u8]>, O: AsMut<[u8]>>(messages: &[M], out: &mut [O]) {
                Self::digest_many_with(Backend::detect(), messages, out);
            }

            /// [`digest_many`](Self::digest_many) with the kernels of the given backend alone.
            ///
            /// # Panics
            /// If `messages` and `out` differ in length.
            #[track_caller]
            pub fn digest_many_with<M: AsRef<[u8]>, O: AsMut<[u8]>>(backend: Backend, messages: &[M], out: &mut [O]) {
                many::check(messages.len(), out.len());
                many::digest::<M, O, $rate, $n>(backend, &consts::$iv, messages, out);
            }
        }

        impl ExtendableOutput for $Hasher {
            type Reader = $Reader;

            #[inline]
            fn finalize_xof(mut self) -> $Reader {
                $Reader { state: *self.core.finish(&mut self.buffer), taken: 0, backend: self.backend() }
            }
        }

        impl ExtendableOutputReset for $Hasher {
            #[inline]
            fn finalize_xof_reset(&mut self) -> $Reader {
                let reader = $Reader { state: *self.core.finish(&mut self.buffer), taken: 0, backend: self.backend() };
                self.reset();
                reader
            }
        }

        #[doc = concat!("Reader of the output of ", $title, ".")]
        #[derive(Clone)]
        pub struct $Reader {
            state: State,
            /// Bytes of this squeeze that have been read.
            taken: u8,
            backend: Backend,
        }

        impl $Reader {
            /// The backend that does the work.
            #[inline]
            pub fn backend(&self) -> Backend {
                self.backend
            }

            /// Uses another backend from here on; the output goes on where it was.
            #[inline]
            pub fn switch_backend(&mut self, backend: Backend) {
                self.backend = backend;
            }
        }

        impl XofReader for $Reader {
            fn read(&mut self, out: &mut [u8]) {
                let mut rest = out;
                while !rest.is_empty() {
                    if self.taken == $n {
                        sponge::next::<$rate>(self.backend, &mut self.state);
                        self.taken = 0;
                    }
                    let squeezed: [u8; $n] = sponge::output(&self.state);
                    let left = &squeezed[usize::from(self.taken)..];
                    let (now, later) = rest.split_at_mut(left.len().min(rest.len()));
                    now.copy_from_slice(&left[..now.len()]);
                    // At most the bytes of a squeeze, and these fit.
                    self.taken += now.len() as u8;
                    rest = later;
                }
            }
        }

        impl fmt::Debug for $Reader {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($Reader), " { ... }"))
            }
        }

        /// The bytes are the same on every platform and backend: the 25 lanes, lane 0 first, little-endian; the number
        /// of bytes of this squeeze that have been read. A restored reader uses the best backend.
        impl SerializableState for $Reader {
            type SerializedStateSize = U201;

            fn serialize(&self) -> SerializedState<Self> {
                let mut out = SerializedState::<Self>::default();
                let (state, taken) = out.split_at_mut(200);
                state.copy_from_slice(&sponge::to_bytes(&self.state));
                taken[0] = self.taken;
                out
            }

            fn deserialize(serialized: &SerializedState<Self>) -> Result<Self, DeserializeStateError> {
                let (state, taken) = serialized.0.split_first_chunk().ok_or(DeserializeStateError)?;
                match *taken {
                    [taken] if taken <= $n => {
                        Ok(Self { state: sponge::from_bytes(state), taken, backend: Backend::detect() })
                    }
                    _ => Err(DeserializeStateError),
                }
            }
        }

        #[cfg(feature = "zeroize")]
        impl Drop for $Reader {
            #[inline]
            fn drop(&mut self) {
                use zeroize::Zeroize;

                self.state.zeroize();
                self.taken.zeroize();
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $Reader {}

        #[cfg(feature = "std")]
        impl std::io::Read for $Reader {
            #[inline]
            fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
                XofReader::read(self, out);
                Ok(out.len())
            }
        }
    )+};
}

xof! {
    ThunderXof256 ThunderXof256Reader ThunderXof256Core "Thunder-XOF-256" XOF256 128 160
        "Security level of 256 bits, blocks of 1024 bits, 1280 bits of output a squeeze, capacity of 576 bits.";
    ThunderXof384 ThunderXof384Reader ThunderXof384Core "Thunder-XOF-384" XOF384 96 144
        "Security level of 384 bits, blocks of 768 bits, 1152 bits of output a squeeze, capacity of 832 bits.";
    ThunderXof512 ThunderXof512Reader ThunderXof512Core "Thunder-XOF-512" XOF512 64 128
        "Security level of 512 bits, blocks of 512 bits, 1024 bits of output a squeeze, capacity of 1088 bits.";
}
