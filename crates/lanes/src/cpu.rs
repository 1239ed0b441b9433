//! Proof that this CPU, under this operating system, has certain instructions.
//!
//! A token is a zero-sized value that only [`detect`](Avx2::detect) (or a stronger token) hands out, so whoever holds
//! one may run its instructions. Detection looks at CPUID and at XCR0 (does the system save these registers?) once;
//! after that it is one relaxed load, and none where the target has the features anyway. On targets without an
//! operating system, UEFI and SGX it finds nothing but what the target itself enables.
//!
//! `--cfg hashmatrix_backend="portable"` makes every `detect` return `None` without executing CPUID. In debug builds
//! with feature `std` the variable `HASHMATRIX_DENY=avx512,shani` does the same for the tokens named, and for all
//! that imply them; an unknown name panics at the first detection.

#[cfg(any(test, all(feature = "std", debug_assertions)))]
mod deny;

/// VAES and GFNI as bits 9 and 8 of CPUID leaf 7: `cpufeatures` knows them for 512-bit registers only, and some CPUs have
/// them without AVX-512 (VAES Zen 3, both Alder Lake).
#[cfg(not(hashmatrix_backend = "portable"))]
mod leaf7 {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const GFNI: u8 = 1;
    const VAES: u8 = 2;
    const UNKNOWN: u8 = u8::MAX;
    static BITS: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// Asked only where AVX2 was found, so leaf 7 exists and the system saves the registers.
    #[inline]
    fn has(bits: u8) -> bool {
        #[cold]
        fn ask() -> u8 {
            #[allow(unused_unsafe, reason = "a safe function since Rust 1.94")]
            // SAFETY: CPUID exists on every x86-64 CPU.
            let bits = unsafe { core::arch::x86_64::__cpuid_count(7, 0) }.ecx >> 8 & u32::from(GFNI | VAES);
            BITS.store(bits as u8, Relaxed);
            bits as u8
        }
        let known = BITS.load(Relaxed);
        (if known == UNKNOWN { ask() } else { known }) & bits == bits
    }

    pub(super) mod vaes {
        #[inline]
        pub(in super::super) fn get() -> bool {
            cfg!(target_feature = "vaes") || super::has(super::VAES)
        }
    }

    pub(super) mod vaes_gfni {
        #[inline]
        pub(in super::super) fn get() -> bool {
            cfg!(all(target_feature = "vaes", target_feature = "gfni")) || super::has(super::VAES | super::GFNI)
        }
    }
}

/// One token a row: its name in lower case, the features it stands for, the weaker tokens that it implies.
macro_rules! tokens {
    ($($(#[$doc:meta])* $Token:ident $name:ident [$($feature:tt),+] $(plus $extra:tt by $also:path)? => [$($Weaker:ident $weaker:ident),*];)+) => {
        #[allow(dead_code, reason = "only the deny list looks at it")]
        #[derive(Clone, Copy)]
        enum Row { $($Token),+ }

        /// The names of all tokens, in the order of `Row`.
        #[cfg(any(test, all(feature = "std", debug_assertions)))]
        const NAMES: &[&str] = &[$($Token::NAME),+];

        #[cfg(test)]
        const MASKS: &[u32] = &[$($Token::MASK),+];

        $(
            #[cfg(not(hashmatrix_backend = "portable"))]
            cpufeatures::new!($name, $($feature),+);

            $(#[$doc])*
            ///
            #[doc = concat!("Features: ", $($feature, " "),+, $($extra,)? ".")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $Token(());

            impl $Token {
                /// The token's name in messages and in `HASHMATRIX_DENY`.
                pub const NAME: &str = stringify!($name);

                /// This token and the weaker ones: to deny any of them is to deny this one.
                #[allow(dead_code, reason = "only the deny list looks at it")]
                const MASK: u32 = 1 << Row::$Token as u32 $(| 1 << Row::$Weaker as u32)*;

                /// `Some` exactly when this CPU and its operating system run all the features.
                ///
                /// # Panics
                /// In debug builds with feature `std`, when `HASHMATRIX_DENY` holds an unknown name.
                #[inline]
                pub fn detect() -> Option<Self> {
                    #[cfg(all(feature = "std", debug_assertions))]
                    if deny::denied() & Self::MASK != 0 {
                        return None;
                    }
                    #[cfg(not(hashmatrix_backend = "portable"))]
                    if $name::get() $(&& $also())? {
                        return Some(Self(()));
                    }
                    None
                }

                /// Runs `f` with the features enabled for everything that is inlined into it.
                ///
                /// Enter once per call, around the loop over the blocks. Mark the closure `#[inline(always)]`, and the
                /// kernel that it calls: what is not inlined is correct, but compiled without the features.
                #[inline]
                pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                    #[target_feature($(enable = $feature),+)]
                    $(#[target_feature(enable = $extra)])?
                    #[inline]
                    fn inner<R>(f: impl FnOnce() -> R) -> R {
                        f()
                    }
                    // SAFETY: `self` exists, so `detect` found every one of these features.
                    unsafe { inner(f) }
                }

                $(
                    #[doc = concat!("Every CPU with `", stringify!($name), "` has `", stringify!($weaker), "`.")]
                    #[inline]
                    pub const fn $weaker(self) -> $Weaker {
                        $Weaker(())
                    }
                )*
            }
        )+
    };
}

tokens! {
    /// SSSE3: byte shuffles of 128-bit vectors.
    Ssse3 ssse3 ["sse3", "ssse3"] => [];
    /// SSE4.1: blends and 32-bit multiplies.
    Sse41 sse41 ["sse3", "ssse3", "sse4.1"] => [Ssse3 ssse3];
    /// AVX: three-operand forms of all the above.
    Avx avx ["sse3", "ssse3", "sse4.1", "sse4.2", "avx"] => [Ssse3 ssse3, Sse41 sse41];
    /// BMI1 and BMI2: scalar `andn`, `rorx`, `mulx`.
    Bmi2 bmi2 ["bmi1", "bmi2"] => [];
    /// AVX2 with BMI1 and BMI2, which every AVX2 CPU of note has, so that scalar and vector code can be mixed.
    Avx2 avx2 ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2"]
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2];
    /// AVX-512 as every such CPU but the Xeon Phi has it: F, BW, DQ and VL.
    Avx512 avx512 ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2", "fma",
        "avx512f", "avx512bw", "avx512dq", "avx512vl"]
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2, Avx2 avx2];
    /// AVX-512 VBMI: byte permutations across a whole vector.
    Avx512Vbmi avx512vbmi ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2", "fma",
        "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi"]
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2, Avx2 avx2, Avx512 avx512];
    /// The SHA extensions (SHA-1 and SHA-256 rounds).
    ShaNi shani ["sse3", "ssse3", "sse4.1", "sha"] => [Ssse3 ssse3, Sse41 sse41];
    /// AES rounds on 128-bit vectors.
    AesNi aesni ["sse3", "ssse3", "sse4.1", "aes"] => [Ssse3 ssse3, Sse41 sse41];
    /// AES rounds on 256-bit vectors; on 512-bit ones together with [`Avx512`].
    Vaes vaes ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2", "aes"]
        plus "vaes" by leaf7::vaes::get
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2, Avx2 avx2, AesNi aesni];
    /// Affine maps and products of bytes on 256-bit vectors, and AES rounds: every CPU with AVX2 and GFNI has VAES.
    Gfni256 gfni256 ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2", "aes"]
        plus "vaes,gfni" by leaf7::vaes_gfni::get
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2, Avx2 avx2, AesNi aesni, Vaes vaes];
    /// Affine maps of bytes on 512-bit vectors, with the byte permutations of VBMI: no CPU has one without the other.
    Gfni gfni ["sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2", "bmi1", "bmi2", "fma",
        "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "gfni"]
        => [Ssse3 ssse3, Sse41 sse41, Avx avx, Bmi2 bmi2, Avx2 avx2, Avx512 avx512, Avx512Vbmi avx512vbmi];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection_agrees_with_the_standard_library() {
        extern crate std;
        use std::is_x86_feature_detected as has;
        let on = cfg!(not(hashmatrix_backend = "portable"));
        let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2");
        let avx512 = avx2 && has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
        for (name, got, want) in [
            (Ssse3::NAME, Ssse3::detect().is_some(), has!("ssse3")),
            (Sse41::NAME, Sse41::detect().is_some(), has!("sse4.1")),
            (Avx::NAME, Avx::detect().is_some(), has!("avx")),
            (Bmi2::NAME, Bmi2::detect().is_some(), has!("bmi1") && has!("bmi2")),
            (Avx2::NAME, Avx2::detect().is_some(), avx2),
            (Avx512::NAME, Avx512::detect().is_some(), avx512),
            (Avx512Vbmi::NAME, Avx512Vbmi::detect().is_some(), avx512 && has!("avx512vbmi")),
            (ShaNi::NAME, ShaNi::detect().is_some(), has!("sha") && has!("sse4.1")),
            (AesNi::NAME, AesNi::detect().is_some(), has!("aes") && has!("sse4.1")),
            (Vaes::NAME, Vaes::detect().is_some(), has!("vaes") && has!("aes") && avx2),
            (Gfni256::NAME, Gfni256::detect().is_some(), has!("gfni") && has!("vaes") && has!("aes") && avx2),
            (Gfni::NAME, Gfni::detect().is_some(), avx512 && has!("avx512vbmi") && has!("gfni")),
        ] {
            let denied = deny::listed(&std::env::var("HASHMATRIX_DENY").unwrap_or_default());
            let row = NAMES.iter().position(|known| *known == name).unwrap();
            let denied = cfg!(all(feature = "std", debug_assertions)) && denied & MASKS[row] != 0;
            assert_eq!(got, want && on && !denied, "{name}");
        }
    }

    #[test]
    fn tokens_take_no_space() {
        assert_eq!(size_of::<Avx512>(), 0);
        assert_eq!(size_of::<Option<Avx512>>(), 1);
    }

    #[test]
    fn denying_a_token_denies_those_that_imply_it() {
        let denied = |list, mask: u32| deny::listed(list) & mask != 0;
        assert!(denied("avx2", Avx512::MASK) && denied("avx2", Vaes::MASK) && denied("avx2", Avx2::MASK));
        assert!(denied("bmi2", Avx2::MASK) && denied("ssse3", ShaNi::MASK) && denied("avx512", Gfni::MASK));
        assert!(!denied("avx512", Avx2::MASK) && !denied("avx512,shani", AesNi::MASK) && !denied("avx", ShaNi::MASK));
        assert!(!denied("", Ssse3::MASK) && !denied(" , ", Ssse3::MASK));
        assert!(denied("avx512, shani", ShaNi::MASK));
    }

    #[test]
    #[should_panic(expected = "HASHMATRIX_DENY: unknown `avx3`; known: ssse3, sse41, avx, bmi2, avx2, avx512")]
    fn an_unknown_name_is_told() {
        deny::listed("avx512,avx3");
    }
}
