//! OpenSSL's libcrypto: the EVP interface, and the older functions of each hash.
//!
//! Contracts: `openssl/evp.h`, `openssl/sha.h`, `openssl/err.h` and the manual pages EVP_DigestInit(3), SHA256_Init(3),
//! ERR_get_error(3), of OpenSSL 1.1.1 and 3.

#![allow(unsafe_code)]

mod forced;
mod ia32cap;
mod oneshot;

use core::ffi::{c_char, c_int, c_uint, c_ulong, c_void};
use core::ptr::{NonNull, null, null_mut};
use std::ffi::CStr;
use std::rc::Rc;
use std::sync::OnceLock;

use benchkit::suite::{Absent, Implementation, Stream};

use crate::dynamic::{Library, Memory, Wanted, absent, functions, string};
use crate::peer::{Peer, check_output, row};

const PROVIDER: &str = "openssl";

/// On macOS only names with a version: the system ends a process that opens its own `libcrypto.dylib`.
const WANTED: Wanted = Wanted {
    title: "OpenSSL's libcrypto",
    variable: "HASHMATRIX_LIBCRYPTO",
    names: if cfg!(target_os = "macos") {
        &[
            "libcrypto.4.dylib",
            "libcrypto.3.dylib",
            "/opt/homebrew/opt/openssl/lib/libcrypto.dylib",
            "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
            "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
        ]
    } else if cfg!(windows) {
        &["libcrypto-4-x64.dll", "libcrypto-3-x64.dll", "libcrypto-1_1-x64.dll"]
    } else {
        &["libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]
    },
    packages: "the package libssl3t64 (Debian 13, Ubuntu 24.04 and later), libssl3 (Debian 12, Ubuntu 22.04), \
               openssl-libs (Fedora, RHEL) or openssl@3 (Homebrew)",
};

/// One algorithm, under the names that libcrypto has for it.
struct Names {
    /// For EVP_MD_fetch and EVP_get_digestbyname alike.
    evp: &'static CStr,
    low_level: Option<LowLevelNames>,
}

/// The functions of one hash, and what its header says of their context.
#[derive(Clone, Copy)]
struct LowLevelNames {
    init: &'static str,
    update: &'static str,
    finish: &'static str,
    context_bytes: usize,
    digest_bytes: usize,
}

/// `SHA256_CTX`: 8 + 2 + 16 words of 32 bits and two `unsigned int`.
const SHA256_CTX: usize = 112;
/// `SHA512_CTX`: 8 + 2 + 16 words of 64 bits and two `unsigned int`.
const SHA512_CTX: usize = 216;

macro_rules! low_level {
    ($name:literal, $context:expr, $digest:expr) => {
        Some(LowLevelNames {
            init: concat!($name, "_Init"),
            update: concat!($name, "_Update"),
            finish: concat!($name, "_Final"),
            context_bytes: $context,
            digest_bytes: $digest,
        })
    };
}

fn names(id: &str) -> Option<Names> {
    let (evp, low_level) = match id {
        "sha224" => (c"SHA224", low_level!("SHA224", SHA256_CTX, 28)),
        "sha256" => (c"SHA256", low_level!("SHA256", SHA256_CTX, 32)),
        "sha384" => (c"SHA384", low_level!("SHA384", SHA512_CTX, 48)),
        "sha512" => (c"SHA512", low_level!("SHA512", SHA512_CTX, 64)),
        "sha512-224" => (c"SHA512-224", None),
        "sha512-256" => (c"SHA512-256", None),
        _ => return None,
    };
    Some(Names { evp, low_level })
}

/// The rows of an algorithm: `evp`, `oneshot`, `lowlevel`, and one for each piece of code that [`forced`] can lead to.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    static OPENED: OnceLock<Result<Libcrypto, Absent>> = OnceLock::new();
    let Some(names) = names(id) else { return Vec::new() };
    let opened = OPENED.get_or_init(|| WANTED.open().and_then(Libcrypto::new)).as_ref();
    let row = |backend, make: &dyn Fn(&Libcrypto) -> Result<Implementation, Absent>| {
        opened.map_err(Absent::clone).and_then(make).unwrap_or_else(|missing| absent(PROVIDER, backend, missing))
    };
    let mut rows = vec![
        row("evp", &|libcrypto| evp(libcrypto, "evp", names.evp)),
        row("oneshot", &|libcrypto| oneshot::row(libcrypto, names.evp)),
        row("lowlevel", &|libcrypto| low_level(libcrypto, "lowlevel", names.low_level)),
    ];
    rows.extend(forced::rows(opened, id, &names));
    rows
}

functions! {
    /// What both interfaces need (openssl/crypto.h, openssl/err.h).
    struct General {
        version: "OpenSSL_version" => fn(c_int) -> *const c_char;
        get_error: "ERR_get_error" => fn() -> c_ulong;
        error_string: "ERR_error_string_n" => fn(c_ulong, *mut c_char, usize);
    }
}

struct Libcrypto {
    library: Library,
    general: General,
    version: String,
}

impl Libcrypto {
    fn new(library: Library) -> Result<Self, Absent> {
        // SAFETY: openssl/crypto.h and openssl/err.h declare them so since 1.1.0.
        let general = unsafe { General::load(&library)? };
        // SAFETY: OpenSSL_version(3): any number is allowed, 0 is OPENSSL_VERSION; the string is static.
        let version = unsafe { string((general.version)(0)) };
        Ok(Self { library, general, version })
    }
}

impl General {
    /// The oldest error of this thread, in OpenSSL's words; the others are dropped.
    fn reason(&self) -> String {
        let mut text = [0; 256];
        // SAFETY: ERR_get_error(3): may be called at any time.
        let first = unsafe { (self.get_error)() };
        if first == 0 {
            return "no reason given".to_owned();
        }
        // SAFETY: as above.
        while unsafe { (self.get_error)() } != 0 {}
        // SAFETY: ERR_error_string(3): at most as many bytes as given are written, with a zero byte at the end.
        unsafe {
            (self.error_string)(first, text.as_mut_ptr(), text.len());
            string(text.as_ptr())
        }
    }

    #[cold]
    #[inline(never)]
    fn fail(&self, function: &str) -> ! {
        panic!("OpenSSL: {function} failed: {}", self.reason())
    }
}

functions! {
    /// Digests by EVP (openssl/evp.h). `EVP_MD`, `EVP_MD_CTX`, `OSSL_LIB_CTX`, `ENGINE` and `OSSL_PARAM` are `void` here.
    struct Evp {
        digest_bytes: "EVP_MD_get_size" | "EVP_MD_size" => fn(*const c_void) -> c_int;
        new: "EVP_MD_CTX_new" => fn() -> *mut c_void;
        free: "EVP_MD_CTX_free" => fn(*mut c_void);
        init: "EVP_DigestInit_ex2" | "EVP_DigestInit_ex" => fn(*mut c_void, *const c_void, *const c_void) -> c_int;
        update: "EVP_DigestUpdate" => fn(*mut c_void, *const c_void, usize) -> c_int;
        finish: "EVP_DigestFinal_ex" => fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
    }
}

functions! {
    /// Digests from providers, since OpenSSL 3 (openssl/evp.h).
    struct Fetch {
        fetch: "EVP_MD_fetch" => fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
        free: "EVP_MD_free" => fn(*mut c_void);
    }
}

functions! {
    /// Digests from the table of 1.1, which are static (openssl/evp.h).
    struct Lookup {
        by_name: "EVP_get_digestbyname" => fn(*const c_char) -> *const c_void;
    }
}

/// An `EVP_MD`, looked up once.
struct Digest {
    md: NonNull<c_void>,
    fetch: Option<Fetch>,
}

impl Digest {
    /// By `fetch` if there is such a thing, else from the table.
    fn new(libcrypto: &Libcrypto, fetch: Option<Fetch>, name: &CStr) -> Result<Self, Absent> {
        let md = match fetch {
            // SAFETY: EVP_MD_fetch(3): null for the default library context and for no properties; the name is a C
            // string. What is returned is ours to free.
            Some(fetch) => unsafe { (fetch.fetch)(null_mut(), name.as_ptr(), null()) },
            None => {
                // SAFETY: openssl/evp.h declares it so (1.1.0).
                let lookup = unsafe { Lookup::load(&libcrypto.library)? };
                // SAFETY: EVP_get_digestbyname(3): the name is a C string; what is returned is static.
                unsafe { (lookup.by_name)(name.as_ptr()) }.cast_mut()
            }
        };
        match NonNull::new(md) {
            Some(md) => Ok(Self { md, fetch }),
            None => {
                let name = name.to_string_lossy();
                let reason = format!("{} has no digest {name}: {}", libcrypto.version, libcrypto.general.reason());
                Err(Absent { reason, remedy: None })
            }
        }
    }

    /// Bytes of its output.
    fn bytes(&self, libcrypto: &Libcrypto, functions: &Evp, name: &CStr) -> Result<usize, Absent> {
        // SAFETY: EVP_MD_get_size(3): a valid digest.
        usize::try_from(unsafe { (functions.digest_bytes)(self.md.as_ptr()) })
            .ok()
            .filter(|&bytes| bytes > 0)
            .ok_or_else(|| libcrypto.library.lacks(&format!("length for the digest {}", name.to_string_lossy())))
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        if let Some(fetch) = self.fetch {
            // SAFETY: EVP_MD_free(3): it was fetched, and each context that uses it counts its own reference.
            unsafe { (fetch.free)(self.md.as_ptr()) }
        }
    }
}

fn evp(libcrypto: &Libcrypto, backend: &'static str, name: &CStr) -> Result<Implementation, Absent> {
    // SAFETY: openssl/evp.h declares them so; the third argument of the two init functions differs in type only (a
    // pointer to parameters or to an engine), and is always null here.
    let functions = unsafe { Evp::load(&libcrypto.library)? };
    // SAFETY: openssl/evp.h declares them so (3.0).
    let fetch = unsafe { Fetch::load(&libcrypto.library) }.ok();
    let general = libcrypto.general;
    let digest = Rc::new(Digest::new(libcrypto, fetch, name)?);
    let digest_bytes = digest.bytes(libcrypto, &functions, name)?;
    Ok(row(PROVIDER, backend, &libcrypto.version, move || {
        EvpContext::new(functions, general, Rc::clone(&digest), digest_bytes)
    }))
}

/// An `EVP_MD_CTX`, initialised.
struct EvpContext {
    context: NonNull<c_void>,
    functions: Evp,
    general: General,
    digest: Rc<Digest>,
    digest_bytes: usize,
}

impl EvpContext {
    fn new(functions: Evp, general: General, digest: Rc<Digest>, digest_bytes: usize) -> Result<Self, String> {
        // SAFETY: EVP_MD_CTX_new(3) has no conditions.
        let context = NonNull::new(unsafe { (functions.new)() })
            .ok_or_else(|| format!("OpenSSL: EVP_MD_CTX_new failed: {}", general.reason()))?;
        let mut made = Self { context, functions, general, digest, digest_bytes };
        made.reset();
        Ok(made)
    }
}

impl Drop for EvpContext {
    fn drop(&mut self) {
        // SAFETY: EVP_MD_CTX_free(3): it is ours, and this is its last use.
        unsafe { (self.functions.free)(self.context.as_ptr()) }
    }
}

impl Stream for EvpContext {
    fn reset(&mut self) {
        // SAFETY: EVP_DigestInit_ex2(3): a valid context, in any state, and a valid digest; null for no parameters, or
        // for no engine.
        if unsafe { (self.functions.init)(self.context.as_ptr(), self.digest.md.as_ptr(), null()) } != 1 {
            self.general.fail("EVP_DigestInit_ex");
        }
    }

    fn update(&mut self, piece: &[u8]) {
        // SAFETY: EVP_DigestUpdate(3): an initialised context, and as many readable bytes as given.
        if unsafe { (self.functions.update)(self.context.as_ptr(), piece.as_ptr().cast(), piece.len()) } != 1 {
            self.general.fail("EVP_DigestUpdate");
        }
    }

    fn finish(&mut self, output: &mut [u8]) {
        check_output(output, self.digest_bytes);
        // SAFETY: EVP_DigestFinal_ex(3): an initialised context; as many bytes are written as EVP_MD_get_size said, and
        // that is the length of the output; null: the length is not asked for.
        if unsafe { (self.functions.finish)(self.context.as_ptr(), output.as_mut_ptr(), null_mut()) } != 1 {
            self.general.fail("EVP_DigestFinal_ex");
        }
        self.reset();
    }
}

impl Peer for EvpContext {
    fn digest_bytes(&self) -> usize {
        self.digest_bytes
    }
}

fn low_level(
    libcrypto: &Libcrypto,
    backend: &'static str,
    names: Option<LowLevelNames>,
) -> Result<Implementation, Absent> {
    let Some(names) = names else {
        return Err(Absent { reason: "OpenSSL has this algorithm by EVP only".to_owned(), remedy: None });
    };
    let general = libcrypto.general;
    // SAFETY: openssl/sha.h declares the three functions of each hash so.
    let functions = unsafe {
        LowLevel {
            init: libcrypto.library.get(&[names.init])?,
            update: libcrypto.library.get(&[names.update])?,
            finish: libcrypto.library.get(&[names.finish])?,
        }
    };
    Ok(row(PROVIDER, backend, &libcrypto.version, move || {
        let mut made = LowLevelContext { memory: Memory::new(names.context_bytes), functions, general, names };
        made.reset();
        Ok(made)
    }))
}

/// The functions of one hash; its context is `void` here.
#[derive(Clone, Copy)]
struct LowLevel {
    init: unsafe extern "C" fn(*mut c_void) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> c_int,
    finish: unsafe extern "C" fn(*mut u8, *mut c_void) -> c_int,
}

/// A `SHA256_CTX` or the like, initialised.
struct LowLevelContext {
    memory: Memory,
    functions: LowLevel,
    general: General,
    names: LowLevelNames,
}

impl Stream for LowLevelContext {
    fn reset(&mut self) {
        // SAFETY: SHA256_Init(3): memory as large as the context, aligned.
        if unsafe { (self.functions.init)(self.memory.pointer()) } != 1 {
            self.general.fail(self.names.init);
        }
    }

    fn update(&mut self, piece: &[u8]) {
        // SAFETY: SHA256_Init(3): an initialised context, and as many readable bytes as given.
        if unsafe { (self.functions.update)(self.memory.pointer(), piece.as_ptr().cast(), piece.len()) } != 1 {
            self.general.fail(self.names.update);
        }
    }

    fn finish(&mut self, output: &mut [u8]) {
        check_output(output, self.names.digest_bytes);
        // SAFETY: SHA256_Init(3): an initialised context, and room for the digest (SHA256_DIGEST_LENGTH and so on).
        if unsafe { (self.functions.finish)(output.as_mut_ptr(), self.memory.pointer()) } != 1 {
            self.general.fail(self.names.finish);
        }
        self.reset();
    }
}

impl Peer for LowLevelContext {
    fn digest_bytes(&self) -> usize {
        self.names.digest_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library of this machine; `None`, with a note, where there is none.
    fn libcrypto() -> Option<Libcrypto> {
        WANTED.open().and_then(Libcrypto::new).map_err(|missing| eprintln!("not tested: {}", missing.reason)).ok()
    }

    #[test]
    fn digest_from_the_table_is_the_fetched_one() {
        let Some(libcrypto) = libcrypto() else { return };
        // SAFETY: openssl/evp.h declares them so.
        let (functions, fetch) = unsafe { (Evp::load(&libcrypto.library), Fetch::load(&libcrypto.library)) };
        let functions = functions.expect("every libcrypto has EVP");
        let digest = |fetch, name| {
            let digest = Rc::new(Digest::new(&libcrypto, fetch, name).expect("every libcrypto has SHA-2"));
            let mut output = [0; 28];
            let mut context = EvpContext::new(functions, libcrypto.general, digest, 28).expect("memory suffices");
            context.hash(b"abc", &mut output);
            output
        };
        for name in [c"SHA224", c"SHA512-224"] {
            assert_eq!(digest(None, name), digest(fetch.as_ref().ok().copied(), name), "{name:?}");
        }
        assert_eq!(digest(None, c"SHA224")[..4], [0x23, 0x09, 0x7d, 0x22]);
    }

    #[test]
    fn digest_that_it_does_not_have_is_absent_in_its_own_words() {
        let Some(libcrypto) = libcrypto() else { return };
        let missing = evp(&libcrypto, "evp", c"HASHMATRIX-NONE").expect_err("no such digest");
        assert!(missing.reason.starts_with(&libcrypto.version), "{}", missing.reason);
        assert!(missing.reason.contains("HASHMATRIX-NONE"), "{}", missing.reason);
        // The queue of errors is left empty.
        assert_eq!(libcrypto.general.reason(), "no reason given");
    }

    #[test]
    fn missing_low_level_function_is_named() {
        let Some(libcrypto) = libcrypto() else { return };
        let names = LowLevelNames {
            init: "HASHMATRIX_Init",
            update: "SHA256_Update",
            finish: "SHA256_Final",
            context_bytes: SHA256_CTX,
            digest_bytes: 32,
        };
        let missing = low_level(&libcrypto, "lowlevel", Some(names)).expect_err("no such function");
        assert!(missing.reason.ends_with("has no HASHMATRIX_Init"), "{}", missing.reason);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn another_library_is_refused() {
        let library = WANTED.open_file(Some("libc.so.6".into())).expect("the C library is here");
        let Err(missing) = Libcrypto::new(library) else { panic!("libc is no libcrypto") };
        assert_eq!(missing.reason, "libc.so.6 has no OpenSSL_version");
    }

    #[test]
    fn failure_is_a_panic_with_the_reason_of_openssl() {
        let Some(libcrypto) = libcrypto() else { return };
        // SAFETY: openssl/evp.h declares it so.
        let functions = unsafe { Evp::load(&libcrypto.library) }.expect("every libcrypto has EVP");
        // SAFETY: EVP_DigestInit(3): a new context and no digest is an error; then the context is freed.
        let result = unsafe {
            let context = (functions.new)();
            let result = (functions.init)(context, null(), null());
            (functions.free)(context);
            result
        };
        assert_ne!(result, 1);
        let call = std::panic::AssertUnwindSafe(|| libcrypto.general.fail("EVP_DigestInit_ex"));
        let Err(said) = std::panic::catch_unwind(call);
        let said = said.downcast_ref::<String>().expect("a formatted message");
        assert!(said.contains("EVP_DigestInit_ex failed: error:") && said.contains("no digest set"), "{said}");
    }
}
