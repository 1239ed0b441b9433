//! Which instructions do the work.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use lanes::cpu::{Avx, Avx2, Avx512, ShaNi};

/// A kernel family that this CPU can run: a value exists only if it can.
///
/// A backend belongs to a value, not to the program: hashers with different backends live side by side. One backend
/// stands for its kernels for one message and for many.
///
/// | name | needs | one message | many messages at once |
/// |---|---|---|---|
/// | `portable` | nothing | plain Rust | one after the other |
/// | `avx2` | AVX2, BMI1, BMI2 | plain Rust, compiled with them | SHA-256: 8, SHA-512: 4 |
/// | `avx512` | the above and AVX-512 F, BW, DQ, VL | plain Rust, compiled with them | SHA-256: 8 or 16, SHA-512: 8 |
/// | `shani` | the SHA extensions, SSE4.1 | their rounds (SHA-224 and SHA-256 only) | 3 |
///
/// ```
/// use sha2x::{Backend, Digest, Sha256};
///
/// for backend in Backend::available() {
///     let mut hasher = Sha256::with_backend(backend);
///     hasher.update(b"abc");
///     println!("{}: {:02x?}", hasher.backend(), hasher.finalize());
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(pub(crate) Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Portable,
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(Avx512),
    /// With the proof of AVX, if there is AVX: then the upper halves of its registers may be dirty.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    ShaNi(ShaNi, Option<Avx>),
}

impl Backend {
    /// Plain Rust, on any CPU.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// Names of all backends that the crate has on any CPU, slowest first.
    pub const NAMES: &[&str] = &["portable", "avx2", "avx512", "shani"];

    /// Plain Rust, on any CPU.
    pub const fn portable() -> Self {
        Self::PORTABLE
    }

    /// AVX2 with BMI1 and BMI2; `None` if this CPU or its operating system lacks them.
    #[inline]
    pub fn avx2() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Avx2::detect() {
            return Some(Self(Kind::Avx2(proof)));
        }
        None
    }

    /// AVX-512 F, BW, DQ and VL; `None` if this CPU or its operating system lacks them.
    #[inline]
    pub fn avx512() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Avx512::detect() {
            return Some(Self(Kind::Avx512(proof)));
        }
        None
    }

    /// The SHA extensions of x86; `None` if this CPU lacks them.
    ///
    /// They have no SHA-512: the hashers of that family take their own best backend in its place, and say so when
    /// asked for `backend()`.
    #[inline]
    pub fn shani() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = ShaNi::detect() {
            return Some(Self(Kind::ShaNi(proof, Avx::detect())));
        }
        None
    }

    /// Every backend that this CPU runs, slowest first (for one message of SHA-256).
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        [Some(Self::PORTABLE), Self::avx2(), Self::avx512(), Self::shani()].into_iter().flatten()
    }

    /// The fastest for one message of SHA-224 or SHA-256.
    ///
    /// The CPU is asked once in the life of the program; after that, this is a load or two.
    #[inline]
    pub fn detect() -> Self {
        Self::shani().unwrap_or_else(Self::detect512)
    }

    /// The fastest for one message of the SHA-512 family.
    #[inline]
    pub(crate) fn detect512() -> Self {
        Self::avx512().or_else(Self::avx2).unwrap_or(Self::PORTABLE)
    }

    /// The backend that SHA-224 and SHA-256 use when told to use this one.
    #[inline]
    pub(crate) const fn for256(self) -> Self {
        self
    }

    /// The backend that the SHA-512 family uses when told to use this one.
    #[inline]
    pub(crate) fn for512(self) -> Self {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::ShaNi(..) => Self::detect512(),
            _ => self,
        }
    }

    /// The name that it has everywhere: one of [`NAMES`](Self::NAMES).
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Avx2(_) => "avx2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Avx512(_) => "avx512",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::ShaNi(..) => "shani",
        }
    }

    /// The backend of that name.
    ///
    /// # Errors
    /// [`BackendError::Unknown`] if there is none of that name, [`BackendError::Unavailable`] if this CPU cannot run it.
    pub fn named(name: &str) -> Result<Self, BackendError> {
        let (backend, lacks) = match name {
            "portable" => return Ok(Self::PORTABLE),
            "avx2" => (Self::avx2(), "AVX2 with BMI1 and BMI2"),
            "avx512" => (Self::avx512(), "AVX-512 F, BW, DQ and VL"),
            "shani" => (Self::shani(), "the SHA extensions"),
            _ => return Err(BackendError::Unknown),
        };
        backend.ok_or(BackendError::Unavailable(lacks))
    }
}

lanes::backend_traits!();
