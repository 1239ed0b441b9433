//! Which instructions do the work.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use lanes::cpu::{AesNi, Avx, Gfni, Gfni256, Vaes};

/// A kernel family that this CPU can run: a value exists only if it can.
///
/// A backend belongs to a value, not to the program: hashers with different backends live side by side. One backend
/// stands for its kernels for one message and for many, and for both primitives. All of them take the same time whatever
/// the message says.
///
/// | name | needs | one message | many messages at once |
/// |---|---|---|---|
/// | `portable` | nothing | plain Rust, bit-sliced | one after the other |
/// | `aesni` | AES-NI, SSE4.1 | a row of P and of Q in 128 bits (AVX forms where there is AVX) | one after the other |
/// | `vaes` | VAES, AVX2 | 256 bits | Groestl-224 and -256: 2 |
/// | `gfni256` | GFNI, VAES, AVX2 | 256 bits | Groestl-224 and -256: 2 |
/// | `gfni` | GFNI, AVX-512 F, BW, DQ, VL, VBMI | 512 bits (Groestl-384 and -512: 256) | 4 (Groestl-384 and -512: 2) |
///
/// ```
/// use groestlx::{Backend, Digest, Groestl256};
///
/// for backend in Backend::available() {
///     let mut hasher = Groestl256::with_backend(backend);
///     hasher.update(b"abc");
///     println!("{}: {:02x?}", hasher.backend(), hasher.finalize());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(pub(crate) Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Portable,
    /// With the proof of AVX, if there is AVX: its forms of the same instructions need fewer moves.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    AesNi(AesNi, Option<Avx>),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Vaes(Vaes),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Gfni256(Gfni256),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Gfni(Gfni),
}

impl Backend {
    /// Plain Rust, on any CPU.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// Names of all backends that the crate has on any CPU, slowest first.
    pub const NAMES: &[&str] = &["portable", "aesni", "vaes", "gfni256", "gfni"];

    /// Plain Rust, on any CPU.
    pub const fn portable() -> Self {
        Self::PORTABLE
    }

    /// AES-NI on 128-bit vectors, with SSE4.1; `None` if this CPU lacks them.
    #[inline]
    pub fn aesni() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = AesNi::detect() {
            return Some(Self(Kind::AesNi(proof, Avx::detect())));
        }
        None
    }

    /// AES instructions on 256-bit vectors, with AVX2; `None` if this CPU or its operating system lacks them.
    #[inline]
    pub fn vaes() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Vaes::detect() {
            return Some(Self(Kind::Vaes(proof)));
        }
        None
    }

    /// Galois-field instructions on 256-bit vectors, with VAES and AVX2; `None` if this CPU or its operating system
    /// lacks them.
    #[inline]
    pub fn gfni256() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Gfni256::detect() {
            return Some(Self(Kind::Gfni256(proof)));
        }
        None
    }

    /// Galois-field instructions on 512-bit vectors, with AVX-512 F, BW, DQ, VL and VBMI; `None` if this CPU or its
    /// operating system lacks them.
    #[inline]
    pub fn gfni() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Gfni::detect() {
            return Some(Self(Kind::Gfni(proof)));
        }
        None
    }

    /// Every backend that this CPU runs, slowest first.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        [Some(Self::PORTABLE), Self::aesni(), Self::vaes(), Self::gfni256(), Self::gfni()].into_iter().flatten()
    }

    /// The fastest for one message.
    ///
    /// The CPU is asked once in the life of the program; after that, this is a load or two.
    #[inline]
    pub fn detect() -> Self {
        Self::gfni().or_else(Self::gfni256).or_else(Self::vaes).or_else(Self::aesni).unwrap_or(Self::PORTABLE)
    }

    /// The name that it has everywhere: one of [`NAMES`](Self::NAMES).
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::AesNi(..) => "aesni",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Vaes(_) => "vaes",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Gfni256(_) => "gfni256",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Gfni(_) => "gfni",
        }
    }

    /// The backend of that name.
    ///
    /// # Errors
    /// [`BackendError::Unknown`] if there is none of that name, [`BackendError::Unavailable`] if this CPU cannot run it.
    pub fn named(name: &str) -> Result<Self, BackendError> {
        let (backend, lacks) = match name {
            "portable" => return Ok(Self::PORTABLE),
            "aesni" => (Self::aesni(), "AES-NI with SSE4.1"),
            "vaes" => (Self::vaes(), "VAES with AVX2"),
            "gfni256" => (Self::gfni256(), "GFNI with VAES and AVX2"),
            "gfni" => (Self::gfni(), "GFNI with AVX-512 F, BW, DQ, VL and VBMI"),
            _ => return Err(BackendError::Unknown),
        };
        backend.ok_or(BackendError::Unavailable(lacks))
    }
}

lanes::backend_traits!();
