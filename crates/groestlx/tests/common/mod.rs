//! What the tests share: the four hashers behind one trait, and messages.

#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test uses a part of it")]

pub mod definition;

use groestlx::{
    Backend, Digest,
    digest::{
        CollisionResistance, DynDigest, FixedOutput, FixedOutputReset, HashMarker, Reset, Update,
        block_api::{AlgorithmName, BlockSizeUser, CoreProxy, EagerHash, OutputSizeUser},
        common::hazmat::SerializableState,
        typenum::Unsigned,
    },
};

/// A hasher with everything that it offers besides the traits of `digest`, its arrays as vectors.
pub trait Hasher:
    Digest
    + DynDigest
    + Update
    + FixedOutput
    + FixedOutputReset
    + Reset
    + Clone
    + Default
    + std::fmt::Debug
    + AlgorithmName
    + BlockSizeUser
    + OutputSizeUser
    + CoreProxy
    + EagerHash
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
    fn backends() -> Vec<Backend> {
        Backend::available().collect()
    }
    fn with_backend(backend: Backend) -> Self;
    fn backend(&self) -> Backend;
    fn switch_backend(&mut self, backend: Backend);
    fn lanes(backend: Backend) -> usize;
    fn oneshot(data: &[u8]) -> Vec<u8>;
    fn oneshot_with(backend: Backend, data: &[u8]) -> Vec<u8>;
    fn constant(data: &[u8]) -> Vec<u8>;
    fn bits(data: &[u8], bits: u64) -> Vec<u8>;
    fn bits_with(backend: Backend, data: &[u8], bits: u64) -> Vec<u8>;
    /// `None`: whatever is best.
    fn many(backend: Option<Backend>, messages: &[&[u8]]) -> Vec<Vec<u8>>;

    fn streamed(backend: Backend, data: &[u8]) -> Vec<u8> {
        let mut hasher = Self::with_backend(backend);
        Digest::update(&mut hasher, data);
        Digest::finalize(hasher).to_vec()
    }

    fn block() -> usize {
        Self::BlockSize::USIZE
    }
}

macro_rules! hashers {
    ($($Hasher:ident $f:ident $with:ident $id:literal;)+) => {
        $(impl Hasher for groestlx::$Hasher {
            const ID: &'static str = $id;
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
            fn oneshot(data: &[u8]) -> Vec<u8> {
                groestlx::$f(data).to_vec()
            }
            fn oneshot_with(backend: Backend, data: &[u8]) -> Vec<u8> {
                groestlx::$with(backend, data).to_vec()
            }
            fn constant(data: &[u8]) -> Vec<u8> {
                groestlx::const_hash::$f(data).to_vec()
            }
            fn bits(data: &[u8], bits: u64) -> Vec<u8> {
                Self::digest_bits(data, bits).to_vec()
            }
            fn bits_with(backend: Backend, data: &[u8], bits: u64) -> Vec<u8> {
                Self::digest_bits_with(backend, data, bits).to_vec()
            }
            fn many(backend: Option<Backend>, messages: &[&[u8]]) -> Vec<Vec<u8>> {
                let mut out = vec![[0; _]; messages.len()];
                match backend {
                    Some(backend) => Self::digest_many_with(backend, messages, &mut out),
                    None => Self::digest_many(messages, &mut out),
                }
                out.iter().map(|digest| digest.to_vec()).collect()
            }
        })+

        /// Calls a generic function for each of the four hashers.
        #[allow(unused_macros)]
        macro_rules! for_all {
            ($function:ident) => {
                $($function::<groestlx::$Hasher>();)+
            };
            ($function:ident($argument:expr)) => {
                $($function::<groestlx::$Hasher>($argument);)+
            };
        }
        #[allow(unused_imports)]
        pub(crate) use for_all;
    };
}

hashers! {
    Groestl224 groestl224 groestl224_with "groestl224";
    Groestl256 groestl256 groestl256_with "groestl256";
    Groestl384 groestl384 groestl384_with "groestl384";
    Groestl512 groestl512 groestl512_with "groestl512";
}

/// Prints which backends a test runs, and which it cannot run here.
pub fn report<H: Hasher>() -> Vec<Backend> {
    let ran: Vec<_> = H::backends().iter().map(|backend| backend.name()).collect();
    let skipped: Vec<_> = Backend::NAMES.iter().filter(|name| !ran.contains(name)).collect();
    println!("{}: ran {ran:?}, skipped {skipped:?}", H::ID);
    assert_eq!(ran[0], "portable");
    for backend in H::backends() {
        assert_eq!(H::with_backend(backend).backend(), backend, "forced, but not used");
    }
    H::backends()
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
