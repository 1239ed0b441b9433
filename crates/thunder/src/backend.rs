//! Which instructions do the work.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use lanes::cpu::{Avx2, Avx512, Bmi2};

/// A kernel family that this CPU can run: a value exists only if it can.
///
/// A backend belongs to a value, not to the program: hashers with different backends live side by side. One backend
/// stands for its kernels for one message and for many.
///
/// | name | needs | one message | many messages at once |
/// |---|---|---|---|
/// | `portable` | nothing | plain Rust | one after the other |
/// | `bmi2` | BMI1, BMI2 | plain Rust, compiled with them | one after the other |
/// | `avx2` | the above and AVX2 | as `bmi2` | 4 |
/// | `avx512` | the above and AVX-512 F, BW, DQ, VL | a plane of five lanes in each vector | 2, 4 or 8 |
///
/// ```
/// use thunder::{Backend, Digest, Thunder512};
///
/// for backend in Backend::available() {
///     let mut hasher = Thunder512::with_backend(backend);
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
    Bmi2(Bmi2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(Avx512),
}

impl Backend {
    /// Plain Rust, on any CPU.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// Names of all backends that the crate has on any CPU, slowest first.
    pub const NAMES: &[&str] = &["portable", "bmi2", "avx2", "avx512"];

    /// Plain Rust, on any CPU.
    pub const fn portable() -> Self {
        Self::PORTABLE
    }

    /// BMI1 and BMI2; `None` if this CPU lacks them.
    #[inline]
    pub fn bmi2() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(proof) = Bmi2::detect() {
            return Some(Self(Kind::Bmi2(proof)));
        }
        None
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

    /// Every backend that this CPU runs, slowest first.
    pub fn available() -> impl Iterator<Item = Self> + Clone {
        [Some(Self::PORTABLE), Self::bmi2(), Self::avx2(), Self::avx512()].into_iter().flatten()
    }

    /// The fastest.
    ///
    /// The CPU is asked once in the life of the program; after that, this is a load or two.
    #[inline]
    pub fn detect() -> Self {
        Self::avx512().or_else(Self::avx2).or_else(Self::bmi2).unwrap_or(Self::PORTABLE)
    }

    /// The name that it has everywhere: one of [`NAMES`](Self::NAMES).
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Bmi2(_) => "bmi2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Avx2(_) => "avx2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kind::Avx512(_) => "avx512",
        }
    }

    /// The backend of that name.
    ///
    /// # Errors
    /// [`BackendError::Unknown`] if there is none of that name, [`BackendError::Unavailable`] if this CPU cannot run it.
    pub fn named(name: &str) -> Result<Self, BackendError> {
        let (backend, lacks) = match name {
            "portable" => return Ok(Self::PORTABLE),
            "bmi2" => (Self::bmi2(), "BMI1 and BMI2"),
            "avx2" => (Self::avx2(), "AVX2 with BMI1 and BMI2"),
            "avx512" => (Self::avx512(), "AVX-512 F, BW, DQ and VL"),
            _ => return Err(BackendError::Unknown),
        };
        backend.ok_or(BackendError::Unavailable(lacks))
    }
}

lanes::backend_traits!();
