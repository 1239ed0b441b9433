//! What the tests share: the six hashers behind one trait, and messages.

#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test uses a part of it")]

use thunder::{
    Backend, Digest,
    digest::{
        CollisionResistance, ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Reset,
        Update,
        block_api::{AlgorithmName, BlockSizeUser, CoreProxy},
        common::hazmat::SerializableState,
        typenum::Unsigned,
    },
};

/// A hasher with what fixed and extendable output have in common; outputs are vectors of [`BYTES`](Self::BYTES) bytes.
pub trait Hasher:
    Update
    + Reset
    + Clone
    + Default
    + std::fmt::Debug
    + AlgorithmName
    + BlockSizeUser
    + CoreProxy
    + SerializableState
    + CollisionResistance
    + HashMarker
    + std::io::Write
    + Send
    + Sync
    + Unpin
    + 'static
{
    const ID: &'static str;
    const NAME: &'static str;
    /// Bytes of one squeeze; of the digest, where that has a fixed length.
    const BYTES: usize;
    fn with_backend(backend: Backend) -> Self;
    fn backend(&self) -> Backend;
    fn switch_backend(&mut self, backend: Backend);
    fn lanes(backend: Backend) -> usize;
    fn oneshot(data: &[u8]) -> Vec<u8>;
    fn oneshot_with(backend: Backend, data: &[u8]) -> Vec<u8>;
    fn bits(data: &[u8], bits: u64) -> Vec<u8>;
    fn bits_with(backend: Backend, data: &[u8], bits: u64) -> Vec<u8>;
    /// `None`: whatever is best.
    fn many(backend: Option<Backend>, messages: &[&[u8]]) -> Vec<Vec<u8>>;
    fn finish(self) -> Vec<u8>;
    fn finish_reset(&mut self) -> Vec<u8>;

    fn streamed(backend: Backend, data: &[u8]) -> Vec<u8> {
        let mut hasher = Self::with_backend(backend);
        Update::update(&mut hasher, data);
        hasher.finish()
    }

    fn block() -> usize {
        Self::BlockSize::USIZE
    }
}

/// What only fixed output has.
pub trait Fixed: Hasher + Digest + FixedOutput + FixedOutputReset {
    fn constant(data: &[u8]) -> Vec<u8>;
}

/// What only extendable output has.
pub trait Xof:
    Hasher + ExtendableOutput<Reader: Clone + SerializableState + std::io::Read + std::fmt::Debug> + ExtendableOutputReset
{
    fn into_slice(backend: Backend, data: &[u8], out: &mut [u8]);
    fn many_of(backend: Backend, messages: &[&[u8]], out: &mut [Vec<u8>]);
    fn bits_into(data: &[u8], bits: u64, out: &mut [u8]);
    fn bits_to_bits(data: &[u8], bits: u64, out: &mut [u8], out_bits: u64);
    fn switch_reader(reader: &mut Self::Reader, backend: Backend);
}

macro_rules! shared {
    ($Hasher:ident $id:literal $name:literal $bytes:literal) => {
        const ID: &'static str = $id;
        const NAME: &'static str = $name;
        const BYTES: usize = $bytes;
        fn with_backend(backend: Backend) -> Self {
            Self::with_backend(backend)
        }
        fn backend(&self) -> Backend {
            self.backend()
        }
        fn switch_backend(&mut self, backend: Backend) {
            self.switch_backend(backend);
        }
        fn lanes(backend: Backend) -> usize {
            Self::lanes(backend)
        }
        fn many(backend: Option<Backend>, messages: &[&[u8]]) -> Vec<Vec<u8>> {
            let mut out = vec![[0; $bytes]; messages.len()];
            match backend {
                Some(backend) => Self::digest_many_with(backend, messages, &mut out),
                None => Self::digest_many(messages, &mut out),
            }
            out.iter().map(|digest| digest.to_vec()).collect()
        }
    };
}

macro_rules! fixed {
    ($($Hasher:ident $f:ident $with:ident $id:literal $name:literal $bytes:literal;)+) => {
        $(
            impl Hasher for thunder::$Hasher {
                shared!($Hasher $id $name $bytes);
                fn oneshot(data: &[u8]) -> Vec<u8> {
                    thunder::$f(data).to_vec()
                }
                fn oneshot_with(backend: Backend, data: &[u8]) -> Vec<u8> {
                    thunder::$with(backend, data).to_vec()
                }
                fn bits(data: &[u8], bits: u64) -> Vec<u8> {
                    Self::digest_bits(data, bits).to_vec()
                }
                fn bits_with(backend: Backend, data: &[u8], bits: u64) -> Vec<u8> {
                    Self::digest_bits_with(backend, data, bits).to_vec()
                }
                fn finish(self) -> Vec<u8> {
                    Digest::finalize(self).to_vec()
                }
                fn finish_reset(&mut self) -> Vec<u8> {
                    Digest::finalize_reset(self).to_vec()
                }
            }

            impl Fixed for thunder::$Hasher {
                fn constant(data: &[u8]) -> Vec<u8> {
                    thunder::const_hash::$f(data).to_vec()
                }
            }
        )+

        /// Calls a generic function for each hasher of fixed output.
        #[allow(unused_macros)]
        macro_rules! for_fixed {
            ($function:ident) => {
                $($function::<thunder::$Hasher>();)+
            };
        }
        #[allow(unused_imports)]
        pub(crate) use for_fixed;
    };
}

macro_rules! xof {
    ($($Hasher:ident $f:ident $with:ident $id:literal $name:literal $bytes:literal;)+) => {
        $(
            impl Hasher for thunder::$Hasher {
                shared!($Hasher $id $name $bytes);
                fn oneshot(data: &[u8]) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    thunder::$f(data, &mut out);
                    out
                }
                fn oneshot_with(backend: Backend, data: &[u8]) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    thunder::$with(backend, data, &mut out);
                    out
                }
                fn bits(data: &[u8], bits: u64) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    Self::digest_bits(data, bits, &mut out);
                    out
                }
                fn bits_with(backend: Backend, data: &[u8], bits: u64) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    Self::digest_bits_with(backend, data, bits, &mut out);
                    out
                }
                fn finish(self) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    self.finalize_xof_into(&mut out);
                    out
                }
                fn finish_reset(&mut self) -> Vec<u8> {
                    let mut out = vec![0; $bytes];
                    self.finalize_xof_reset_into(&mut out);
                    out
                }
            }

            impl Xof for thunder::$Hasher {
                fn into_slice(backend: Backend, data: &[u8], out: &mut [u8]) {
                    thunder::$with(backend, data, out);
                }
                fn many_of(backend: Backend, messages: &[&[u8]], out: &mut [Vec<u8>]) {
                    Self::digest_many_with(backend, messages, out);
                }
                fn bits_into(data: &[u8], bits: u64, out: &mut [u8]) {
                    Self::digest_bits(data, bits, out);
                }
                fn bits_to_bits(data: &[u8], bits: u64, out: &mut [u8], out_bits: u64) {
                    Self::digest_bits_to_bits(data, bits, out, out_bits);
                }
                fn switch_reader(reader: &mut Self::Reader, backend: Backend) {
                    reader.switch_backend(backend);
                    assert_eq!(reader.backend(), backend);
                }
            }
        )+

        /// Calls a generic function for each hasher of extendable output.
        #[allow(unused_macros)]
        macro_rules! for_xof {
            ($function:ident) => {
                $($function::<thunder::$Hasher>();)+
            };
        }
        #[allow(unused_imports)]
        pub(crate) use for_xof;
    };
}

fixed! {
    Thunder512 thunder512 thunder512_with "thunder-512" "Thunder-512" 64;
    Thunder768 thunder768 thunder768_with "thunder-768" "Thunder-768" 96;
    Thunder1024 thunder1024 thunder1024_with "thunder-1024" "Thunder-1024" 128;
}

xof! {
    ThunderXof256 thunder_xof256 thunder_xof256_with "thunder-xof-256" "Thunder-XOF-256" 160;
    ThunderXof384 thunder_xof384 thunder_xof384_with "thunder-xof-384" "Thunder-XOF-384" 144;
    ThunderXof512 thunder_xof512 thunder_xof512_with "thunder-xof-512" "Thunder-XOF-512" 128;
}

/// Calls a generic function for each of the six hashers.
#[allow(unused_macros)]
macro_rules! for_all {
    ($function:ident) => {
        common::for_fixed!($function);
        common::for_xof!($function);
    };
}
#[allow(unused_imports)]
pub(crate) use for_all;

/// The backends that this CPU runs.
pub fn backends() -> Vec<Backend> {
    Backend::available().collect()
}

/// Prints which backends a test runs, and which it cannot run here.
pub fn report<H: Hasher>() -> Vec<Backend> {
    let ran: Vec<_> = backends().iter().map(|backend| backend.name()).collect();
    let skipped: Vec<_> = Backend::NAMES.iter().filter(|name| !ran.contains(name)).collect();
    println!("{}: ran {ran:?}, skipped {skipped:?}", H::ID);
    assert_eq!(ran[0], "portable");
    for backend in backends() {
        assert_eq!(H::with_backend(backend).backend(), backend, "forced, but not used");
    }
    backends()
}

/// `n` bytes, byte i is i mod 251.
pub fn pattern(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i % 251) as u8).collect()
}

/// Random numbers that are the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ (b >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }
}
