//! Rows of OpenSSL's separate pieces of SHA-2 code, each in a process of its own.
//!
//! libcrypto chooses once a process, by its capability vector, which the environment can cut down before libcrypto is
//! loaded. So a row here has the variable in its `environment`, and its hashers can be made only where it is set.
//!
//! What ran is told from the vector that libcrypto itself reports in this very process (OPENSSL_info(3), since 3.0),
//! by the rule of its dispatch. That the vector is the one in force is certain; that this build of libcrypto has the
//! standard dispatch is not seen from outside (a distribution could patch it; an assembler of before 2013 leaves out
//! AVX2). OpenSSL 1.1.1 reports no vector: there it is computed from CPUID and the variable.

use core::ffi::{c_char, c_int, c_ulong};

use benchkit::suite::{Absent, Implementation, Parameters, State};

use super::ia32cap::{Capabilities, Code, Family, VARIABLE};
use super::{Libcrypto, Names, PROVIDER, evp, low_level};
use crate::dynamic::{absent, functions, string};

/// `OPENSSL_INFO_CPU_SETTINGS`.
const CPU_SETTINGS: c_int = 1008;

functions! {
    /// openssl/crypto.h since 1.1.0.
    struct Number {
        number: "OpenSSL_version_num" => fn() -> c_ulong;
    }
}

functions! {
    /// openssl/crypto.h since 3.0.
    struct Info {
        info: "OPENSSL_info" => fn(c_int) -> *const c_char;
    }
}

/// The family of an algorithm of SHA-2; no other has rows here.
fn family(id: &str) -> Option<Family> {
    match id {
        "sha224" | "sha256" => Some(Family::Sha256),
        "sha384" | "sha512" | "sha512-224" | "sha512-256" => Some(Family::Sha512),
        _ => None,
    }
}

/// A row for each piece of code of that algorithm.
pub(super) fn rows(libcrypto: Result<&Libcrypto, &Absent>, id: &str, names: &Names) -> Vec<Implementation> {
    let Some(family) = family(id) else { return Vec::new() };
    let facts = libcrypto.map_err(Absent::clone).and_then(|libcrypto| Ok((libcrypto, Facts::new(libcrypto)?)));
    let row = |&code: &Code| {
        let made = facts.as_ref().map_err(Absent::clone).and_then(|(libcrypto, facts)| {
            if let Some(reason) = code.refused(family, facts.version, &facts.natural) {
                return Err(Absent { reason, remedy: None });
            }
            forced(libcrypto, facts, names, family, code)
        });
        made.unwrap_or_else(|missing| absent(PROVIDER, code.name(), missing))
    };
    family.codes().iter().map(row).collect()
}

/// What decides.
struct Facts {
    /// Major, minor.
    version: (u32, u32),
    /// The CPU's.
    natural: Capabilities,
    /// Those in force in this process; `None`: libcrypto does not tell.
    reported: Option<Capabilities>,
}

impl Facts {
    fn new(libcrypto: &Libcrypto) -> Result<Self, Absent> {
        let refused = |reason: String| Absent { reason, remedy: None };
        let natural = Capabilities::natural()
            .ok_or_else(|| refused("OpenSSL has several pieces of code to choose from on x86-64 only".to_owned()))?;
        if !libcrypto.version.starts_with("OpenSSL ") {
            return Err(refused(format!("how {} chooses its code is not known", libcrypto.version)));
        }
        // SAFETY: openssl/crypto.h declares it so.
        let number = unsafe { Number::load(&libcrypto.library)? };
        // SAFETY: OpenSSL_version_num(3): no conditions.
        let number = unsafe { (number.number)() };
        // Four bits of major version, eight of minor version, then fix and patch.
        let version = ((number >> 28) as u32 & 0xf, (number >> 20) as u32 & 0xff);
        // SAFETY: openssl/crypto.h declares it so.
        let reported = match unsafe { Info::load(&libcrypto.library) } {
            Err(_) => None,
            Ok(info) => {
                // SAFETY: OPENSSL_info(3): any number; the string is static, or null if there is no such thing.
                let settings = unsafe { string((info.info)(CPU_SETTINGS)) };
                let parsed = Capabilities::parse(&settings);
                Some(
                    parsed
                        .ok_or_else(|| refused(format!("{} was built without its assembly code", libcrypto.version)))?,
                )
            }
        };
        Ok(Self { version, natural, reported })
    }
}

fn forced(
    libcrypto: &Libcrypto,
    facts: &Facts,
    names: &Names,
    family: Family,
    code: Code,
) -> Result<Implementation, Absent> {
    let backend = code.name();
    // The older functions are the faster interface.
    let plain = match names.low_level {
        Some(names) => low_level(libcrypto, backend, Some(names)),
        None => evp(libcrypto, backend, names.evp),
    }?;
    let State::Ready(make) = plain.state else { return Ok(plain) };
    let value = code.switches().value();
    let capabilities = facts.reported.unwrap_or_else(|| code.switches().of(&facts.natural));
    let takes = family.dispatch(facts.version, &capabilities);
    let version = plain.version;
    let (expected, library) = (value.clone(), version.clone());
    let mut row = Implementation::ready(PROVIDER, backend, version, move |parameters: &Parameters| {
        if std::env::var_os(VARIABLE).is_none_or(|set| set != *expected) {
            return Err(format!("{PROVIDER}/{backend} needs a process that was started with {VARIABLE}={expected}"));
        }
        if takes != code {
            return Err(format!("{library} takes its {} code under {VARIABLE}={expected}", takes.name()));
        }
        let mut hasher = make(parameters)?;
        hasher.ran = Box::new(move || takes.name().to_owned());
        Ok(hasher)
    });
    row.environment.insert(VARIABLE.to_owned(), value);
    Ok(row)
}
