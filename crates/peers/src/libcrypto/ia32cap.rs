//! Which code OpenSSL takes for SHA-2 on x86-64, and how its environment variable changes that.
//!
//! Contracts: OPENSSL_ia32cap(3) of OpenSSL 1.1.1, 3.0 and 3.5 for the bits and for the variable (`crypto/cpuid.c` reads
//! it), and the first instructions of `sha256_block_data_order` and `sha512_block_data_order`
//! (`crypto/sha/asm/sha512-x86_64.pl`) for the choice. SHA-224 is SHA-256 in this, SHA-384 and SHA-512/t are SHA-512.

/// The variable. libcrypto reads it once, when it is loaded.
pub(super) const VARIABLE: &str = "OPENSSL_ia32cap";

/// The two hashes that have code of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// SHA-224 and SHA-256.
    Sha256,
    /// SHA-384, SHA-512 and SHA-512/t.
    Sha512,
}

/// One piece of OpenSSL's code, under the name of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Generic,
    Ssse3,
    Avx,
    Xop,
    Avx2,
    Shani,
    Sha512,
}

impl Family {
    /// What a row can be had for, slowest first. XOP is left out: only AMD's CPUs of 2011 to 2015 have it, and there
    /// `openssl/lowlevel` runs it.
    pub(super) const fn codes(self) -> &'static [Code] {
        match self {
            Self::Sha256 => &[Code::Generic, Code::Ssse3, Code::Avx, Code::Avx2, Code::Shani],
            Self::Sha512 => &[Code::Generic, Code::Avx, Code::Avx2, Code::Sha512],
        }
    }

    /// The code that an OpenSSL of this version (major, minor) takes when its capabilities are these.
    pub(super) const fn dispatch(self, version: (u32, u32), capabilities: &Capabilities) -> Code {
        let avx2 = capabilities.all(&[AVX2, BMI1, BMI2]);
        match self {
            Self::Sha256 if capabilities.has(SHA) => Code::Shani,
            Self::Sha512 if capabilities.has(XOP) => Code::Xop,
            Self::Sha512 if knows_sha512(version) && capabilities.all(&[AVX2, SHA512]) => Code::Sha512,
            _ if avx2 => Code::Avx2,
            _ if capabilities.all(&[INTEL, AVX, SSSE3]) => Code::Avx,
            Self::Sha256 if capabilities.has(SSSE3) => Code::Ssse3,
            _ => Code::Generic,
        }
    }
}

/// Whether it has code for the SHA512 instructions.
const fn knows_sha512((major, minor): (u32, u32)) -> bool {
    major > 3 || (major == 3 && minor >= 6)
}

/// One capability: a name, and its place among the bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bit {
    name: &'static str,
    at: u32,
}

const fn bit(name: &'static str, at: u32) -> Bit {
    Bit { name, at }
}

/// Set by OpenSSL, not by the CPU, on all of Intel's.
const INTEL: Bit = bit("Intel", 30);
const SSSE3: Bit = bit("SSSE3", 32 + 9);
const XOP: Bit = bit("XOP", 32 + 11);
const AVX: Bit = bit("AVX", 32 + 28);
const BMI1: Bit = bit("BMI1", 64 + 3);
const AVX2: Bit = bit("AVX2", 64 + 5);
const BMI2: Bit = bit("BMI2", 64 + 8);
const SHA: Bit = bit("SHA-NI", 64 + 29);
/// OpenSSL looks at it since 3.5, and has code for it since 3.6.
const SHA512: Bit = bit("SHA512", 128 + 32);

impl Code {
    /// The backend's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Ssse3 => "ssse3",
            Self::Avx => "avx",
            Self::Xop => "xop",
            Self::Avx2 => "avx2",
            Self::Shani => "shani",
            Self::Sha512 => "sha512",
        }
    }

    /// What it needs of the CPU.
    const fn needs(self) -> &'static [Bit] {
        match self {
            Self::Generic => &[],
            Self::Ssse3 => &[SSSE3],
            Self::Avx => &[AVX, SSSE3],
            Self::Xop => &[XOP],
            Self::Avx2 => &[AVX2, BMI1, BMI2],
            Self::Shani => &[SHA],
            Self::Sha512 => &[AVX2, SHA512],
        }
    }

    /// Why a CPU with these capabilities and an OpenSSL of this version never run it, as a sentence without a stop.
    pub(super) fn refused(self, family: Family, version: (u32, u32), natural: &Capabilities) -> Option<String> {
        if self == Self::Sha512 && !knows_sha512(version) {
            return Some("OpenSSL has this code since 3.6".to_owned());
        }
        let missing: Vec<_> = self.needs().iter().filter(|&&bit| !natural.has(bit)).map(|bit| bit.name).collect();
        if !missing.is_empty() {
            return Some(format!("this CPU lacks {}", missing.join(", ")));
        }
        if self == Self::Avx && !natural.has(INTEL) {
            return Some("OpenSSL runs its AVX code on Intel's CPUs only".to_owned());
        }
        let takes = family.dispatch(version, &self.switches().of(natural));
        (takes != self).then(|| format!("OpenSSL takes its {} code on this CPU instead", takes.name()))
    }

    /// What leads to it on a CPU that can run it.
    pub(super) const fn switches(self) -> Switches {
        Switches(match self {
            Self::Generic => &[],
            Self::Ssse3 => &[1 << 60, 0x2000_0128],
            Self::Avx => &[0, 0x2000_0128],
            Self::Avx2 => &[0, 0x2000_0000],
            Self::Xop | Self::Shani => &[0, 0],
            Self::Sha512 => &[0, 0, 0],
        })
    }
}

/// Bits to switch off in each group of 64; groups behind the last one are switched off altogether.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switches(&'static [u64]);

impl Switches {
    /// The value of the variable.
    pub(super) fn value(self) -> String {
        match self.0 {
            // An empty value switches everything off. On Windows libcrypto does not see an empty one; this is the same.
            [] => if cfg!(windows) { "0" } else { "" }.to_owned(),
            [first, rest @ ..] => {
                let mut value = if *first == 0 { String::new() } else { format!("~{first:#x}") };
                for mask in rest {
                    value.push_str(&format!(":~{mask:#x}"));
                }
                value
            }
        }
    }

    /// What libcrypto makes of the CPU's own capabilities under that value.
    pub(super) const fn of(self, natural: &Capabilities) -> Capabilities {
        let mut left = [0; GROUPS];
        let mut at = 0;
        while at < self.0.len() {
            left[at] = natural.0[at] & !self.0[at];
            at += 1;
        }
        Capabilities(left)
    }
}

/// Groups of 64 bits: two until OpenSSL 3.4, five since 3.5.
const GROUPS: usize = 5;

/// OpenSSL's capability vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capabilities([u64; GROUPS]);

impl Capabilities {
    const fn has(&self, bit: Bit) -> bool {
        self.0[bit.at as usize / 64] >> (bit.at % 64) & 1 == 1
    }

    const fn all(&self, bits: &[Bit]) -> bool {
        let mut at = 0;
        while at < bits.len() {
            if !self.has(bits[at]) {
                return false;
            }
            at += 1;
        }
        true
    }

    /// From what OPENSSL_info(3) tells of OPENSSL_INFO_CPU_SETTINGS:
    /// `OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x1c2fbb` and perhaps ` env:` with the value of the variable.
    pub(super) fn parse(settings: &str) -> Option<Self> {
        let words = settings.strip_prefix("OPENSSL_ia32cap=")?.split(' ').next()?;
        let mut groups = [0; GROUPS];
        for (at, word) in words.split(':').enumerate() {
            *groups.get_mut(at)? = u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()?;
        }
        Some(Self(groups))
    }

    /// What libcrypto finds on this CPU when nothing is switched off, as far as SHA-2 goes.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn natural() -> Option<Self> {
        use std::arch::is_x86_feature_detected as detected;

        let vendor = cpuid(0);
        let vendor: Vec<u8> = [vendor.ebx, vendor.edx, vendor.ecx].iter().flat_map(|word| word.to_le_bytes()).collect();
        let xop = cpuid(0x8000_0000).eax > 0x8000_0000 && cpuid(0x8000_0001).ecx >> 11 & 1 == 1;
        let found = [
            (INTEL, vendor == b"GenuineIntel"),
            (SSSE3, detected!("ssse3")),
            (XOP, vendor == b"AuthenticAMD" && xop && detected!("avx")),
            (AVX, detected!("avx")),
            (BMI1, detected!("bmi1")),
            (AVX2, detected!("avx2")),
            (BMI2, detected!("bmi2")),
            (SHA, detected!("sha")),
            (SHA512, detected!("sha512")),
        ];
        let mut groups = [0; GROUPS];
        for (bit, _) in found.iter().filter(|(_, here)| *here) {
            groups[bit.at as usize / 64] |= 1 << (bit.at % 64);
        }
        Some(Self(groups))
    }

    /// There is nothing to be found on another architecture.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn natural() -> Option<Self> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe, reason = "the function became safe after Rust 1.89")]
fn cpuid(leaf: u32) -> core::arch::x86_64::CpuidResult {
    // SAFETY: every x86-64 CPU has the instruction; it changes nothing.
    unsafe { core::arch::x86_64::__cpuid(leaf) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: (u32, u32) = (1, 1);
    const NEW: (u32, u32) = (3, 6);

    /// Settings as OpenSSL printed them on the CPU of that name.
    fn settings(text: &str) -> Capabilities {
        Capabilities::parse(text).expect("OpenSSL printed this")
    }

    fn with(bits: &[Bit]) -> Capabilities {
        let mut groups = [0; GROUPS];
        bits.iter().for_each(|bit| groups[bit.at as usize / 64] |= 1 << (bit.at % 64));
        Capabilities(groups)
    }

    #[test]
    fn settings_are_read() {
        let zen3 = settings("OPENSSL_ia32cap=0xfffa3203078bffff:0x400684219c07ab");
        assert!(zen3.all(&[SSSE3, AVX, AVX2, BMI1, BMI2, SHA]) && !zen3.has(INTEL) && !zen3.has(XOP));
        let masked = settings("OPENSSL_ia32cap=0xfffa3203078bffff:0x400684019c0683 env::~0x20000128");
        assert!(masked.has(AVX) && !masked.has(AVX2) && !masked.has(SHA));
        let off = settings("OPENSSL_ia32cap=0x400:0x0 env:");
        assert_eq!(off, Capabilities([0x400, 0, 0, 0, 0]));
        let arrow_lake = settings(
            "OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x9bc007bc239cb7ab:0x00c0009700145030:0x0000000200000430:0x0000000000000000",
        );
        assert!(arrow_lake.all(&[INTEL, AVX2, SHA512]));
        for text in [
            "",
            "OPENSSL_armcap=0x7d",
            "OPENSSL_ia32cap=",
            "OPENSSL_ia32cap=7:0x1",
            "OPENSSL_ia32cap=0x1:0x1:0x1:0x1:0x1:0x1",
        ] {
            assert_eq!(Capabilities::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_those_of_the_manual_page() {
        assert_eq!(Code::Avx.switches().value(), ":~0x20000128");
        assert_eq!(Code::Avx2.switches().value(), ":~0x20000000");
        assert_eq!(Code::Shani.switches().value(), ":~0x0");
        assert_eq!(Code::Sha512.switches().value(), ":~0x0:~0x0");
        assert_eq!(Code::Ssse3.switches().value(), "~0x1000000000000000:~0x20000128");
        assert_eq!(Code::Generic.switches().value(), if cfg!(windows) { "0" } else { "" });
    }

    #[test]
    fn natural_choice() {
        let zen3 = settings("OPENSSL_ia32cap=0xfffa3203078bffff:0x400684219c07ab");
        let haswell = with(&[INTEL, SSSE3, AVX, BMI1, AVX2, BMI2]);
        let sandy_bridge = with(&[INTEL, SSSE3, AVX]);
        let piledriver = with(&[SSSE3, AVX, XOP, BMI1]);
        let core2 = with(&[INTEL, SSSE3]);
        let lunar_lake = with(&[INTEL, SSSE3, AVX, BMI1, AVX2, BMI2, SHA, SHA512]);
        for (version, cpu, sha256, sha512) in [
            (OLD, zen3, Code::Shani, Code::Avx2),
            (NEW, zen3, Code::Shani, Code::Avx2),
            (OLD, haswell, Code::Avx2, Code::Avx2),
            (OLD, sandy_bridge, Code::Avx, Code::Avx),
            (OLD, piledriver, Code::Ssse3, Code::Xop),
            (NEW, piledriver, Code::Ssse3, Code::Xop),
            (OLD, core2, Code::Ssse3, Code::Generic),
            ((3, 5), lunar_lake, Code::Shani, Code::Avx2),
            (NEW, lunar_lake, Code::Shani, Code::Sha512),
            ((4, 0), lunar_lake, Code::Shani, Code::Sha512),
            (OLD, with(&[]), Code::Generic, Code::Generic),
        ] {
            assert_eq!(Family::Sha256.dispatch(version, &cpu), sha256, "{version:?} {cpu:x?}");
            assert_eq!(Family::Sha512.dispatch(version, &cpu), sha512, "{version:?} {cpu:x?}");
        }
    }

    #[test]
    fn every_code_is_reached_or_refused_on_every_cpu() {
        let bits = [INTEL, SSSE3, XOP, AVX, BMI1, AVX2, BMI2, SHA, SHA512];
        for set in 0_u32..1 << bits.len() {
            let chosen: Vec<_> = (0..bits.len()).filter(|at| set >> at & 1 == 1).map(|at| bits[at]).collect();
            let cpu = with(&chosen);
            for (family, version) in [Family::Sha256, Family::Sha512].into_iter().flat_map(|f| [(f, OLD), (f, NEW)]) {
                for &code in family.codes() {
                    let takes = family.dispatch(version, &code.switches().of(&cpu));
                    match code.refused(family, version, &cpu) {
                        None => assert_eq!(takes, code, "{family:?} {version:?} {chosen:?}"),
                        Some(reason) => assert_ne!(takes, code, "{reason} {family:?} {version:?} {chosen:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn refusals_name_what_is_missing() {
        let refused = |code: Code, family, version, bits: &[Bit]| code.refused(family, version, &with(bits));
        let said = refused(Code::Avx2, Family::Sha256, OLD, &[AVX, AVX2]).expect("no BMI");
        assert_eq!(said, "this CPU lacks BMI1, BMI2");
        let said = refused(Code::Avx, Family::Sha512, OLD, &[SSSE3, AVX]).expect("not Intel");
        assert!(said.contains("Intel"), "{said}");
        let said = refused(Code::Sha512, Family::Sha512, OLD, &[AVX2, SHA512]).expect("too old");
        assert!(said.contains("3.6"), "{said}");
        let said = refused(Code::Avx2, Family::Sha512, OLD, &[AVX2, BMI1, BMI2, XOP]).expect("XOP goes first");
        assert!(said.contains("xop"), "{said}");
        assert_eq!(refused(Code::Generic, Family::Sha256, OLD, &[]), None);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn natural_capabilities_are_consistent() {
        let natural = Capabilities::natural().expect("this is x86-64");
        assert!(!natural.has(XOP) || !natural.has(INTEL));
        assert!(!natural.has(AVX2) || natural.has(AVX));
    }
}
