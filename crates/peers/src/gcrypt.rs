//! GnuPG's libgcrypt.
//!
//! Contracts: `gcrypt.h` and the manual, "Initializing the library" and "Hashing", of version 1.8 and later.

#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::{NonNull, null, null_mut};
use std::sync::OnceLock;

use benchkit::suite::{Absent, Implementation, Stream};

use crate::dynamic::{Library, Wanted, absent, functions, string};
use crate::peer::{Peer, check_output, row};

const PROVIDER: &str = "gcrypt";
const BACKEND: &str = "default";

const WANTED: Wanted = Wanted {
    title: "libgcrypt",
    variable: "HASHMATRIX_LIBGCRYPT",
    names: if cfg!(target_os = "macos") {
        &["libgcrypt.20.dylib", "/opt/homebrew/lib/libgcrypt.20.dylib", "/usr/local/lib/libgcrypt.20.dylib"]
    } else if cfg!(windows) {
        &["libgcrypt-20.dll"]
    } else {
        &["libgcrypt.so.20", "libgcrypt.so"]
    },
    packages: "the package libgcrypt20 (Debian, Ubuntu) or libgcrypt (Fedora, RHEL, Homebrew)",
};

/// Numbers of `enum gcry_md_algos`.
fn number(id: &str) -> Option<c_int> {
    Some(match id {
        "sha224" => 11,
        "sha256" => 8,
        "sha384" => 9,
        "sha512" => 10,
        "sha512-224" => 328,
        "sha512-256" => 327,
        _ => return None,
    })
}

/// The rows of an algorithm: one, if libgcrypt has it.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    static OPENED: OnceLock<Result<Gcrypt, Absent>> = OnceLock::new();
    let Some(algorithm) = number(id) else { return Vec::new() };
    let opened = OPENED.get_or_init(|| WANTED.open().and_then(Gcrypt::new)).as_ref();
    vec![
        opened
            .map_err(Absent::clone)
            .and_then(|gcrypt| default(gcrypt, algorithm))
            .unwrap_or_else(|missing| absent(PROVIDER, BACKEND, missing)),
    ]
}

functions! {
    /// gcrypt.h. `gcry_md_hd_t` is a pointer to `void` here, `gcry_error_t` an `unsigned int`.
    struct Functions {
        algo_info: "gcry_md_algo_info" => fn(c_int, c_int, *mut c_void, *mut usize) -> c_uint;
        digest_bytes: "gcry_md_get_algo_dlen" => fn(c_int) -> c_uint;
        hash_buffer: "gcry_md_hash_buffer" => fn(c_int, *mut c_void, *const c_void, usize);
        open: "gcry_md_open" => fn(*mut *mut c_void, c_int, c_uint) -> c_uint;
        close: "gcry_md_close" => fn(*mut c_void);
        reset: "gcry_md_reset" => fn(*mut c_void);
        write: "gcry_md_write" => fn(*mut c_void, *const c_void, usize);
        read: "gcry_md_read" => fn(*mut c_void, c_int) -> *const u8;
        strerror: "gcry_strerror" => fn(c_uint) -> *const c_char;
    }
}

functions! {
    /// gcrypt.h.
    struct Start {
        check_version: "gcry_check_version" => fn(*const c_char) -> *const c_char;
    }
}

/// `GCRYCTL_TEST_ALGO`: whether an algorithm may be used.
const TEST_ALGO: c_int = 8;
/// `GCRYCTL_DISABLE_SECMEM`: no locked pool for secrets.
const DISABLE_SECMEM: c_int = 37;
/// `GCRYCTL_INITIALIZATION_FINISHED`.
const INITIALIZATION_FINISHED: c_int = 38;

struct Gcrypt {
    functions: Functions,
    version: String,
}

impl Gcrypt {
    fn new(library: Library) -> Result<Self, Absent> {
        // SAFETY: gcrypt.h declares them so.
        let (start, functions) = unsafe { (Start::load(&library)?, Functions::load(&library)?) };
        // SAFETY: gcrypt.h declares `gcry_error_t gcry_control (enum gcry_ctl_cmds CMD, ...)`.
        let control: unsafe extern "C" fn(c_int, ...) -> c_uint = unsafe { library.get(&["gcry_control"])? };
        // SAFETY: manual, "Initializing the library": gcry_check_version comes first, then the controls, each with one
        // more argument, an int, that is not used. All of it happens once: the caller keeps the result.
        let version = unsafe {
            let version = string((start.check_version)(null()));
            control(DISABLE_SECMEM, 0 as c_int);
            control(INITIALIZATION_FINISHED, 0 as c_int);
            version
        };
        Ok(Self { functions, version: format!("libgcrypt {version}") })
    }
}

impl Functions {
    fn reason(&self, error: c_uint) -> String {
        // SAFETY: gcry_strerror takes any value, and its string is static.
        unsafe { string((self.strerror)(error)) }
    }
}

fn default(gcrypt: &Gcrypt, algorithm: c_int) -> Result<Implementation, Absent> {
    let functions = gcrypt.functions;
    // SAFETY: manual, gcry_md_test_algo, which is this call; any number may be asked for.
    let error = unsafe { (functions.algo_info)(algorithm, TEST_ALGO, null_mut(), null_mut()) };
    if error != 0 {
        let reason = format!("{} does not offer this algorithm: {}", gcrypt.version, functions.reason(error));
        return Err(Absent { reason, remedy: None });
    }
    // SAFETY: manual, gcry_md_get_algo_dlen: any number; 0 for what it does not know.
    let digest_bytes = unsafe { (functions.digest_bytes)(algorithm) } as usize;
    Ok(row(PROVIDER, BACKEND, &gcrypt.version, move || Handle::new(functions, algorithm, digest_bytes)))
}

/// A `gcry_md_hd_t` with one algorithm enabled.
struct Handle {
    handle: NonNull<c_void>,
    functions: Functions,
    algorithm: c_int,
    digest_bytes: usize,
}

impl Handle {
    fn new(functions: Functions, algorithm: c_int, digest_bytes: usize) -> Result<Self, String> {
        let mut handle = null_mut();
        // SAFETY: manual, gcry_md_open: a place for the handle, and no flags.
        let error = unsafe { (functions.open)(&raw mut handle, algorithm, 0) };
        match NonNull::new(handle) {
            Some(handle) if error == 0 => Ok(Self { handle, functions, algorithm, digest_bytes }),
            _ => Err(format!("libgcrypt: gcry_md_open failed: {}", functions.reason(error))),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: manual, gcry_md_close: it is ours, and this is its last use.
        unsafe { (self.functions.close)(self.handle.as_ptr()) }
    }
}

impl Stream for Handle {
    fn reset(&mut self) {
        // SAFETY: manual, gcry_md_reset: an open handle, in any state.
        unsafe { (self.functions.reset)(self.handle.as_ptr()) }
    }

    fn update(&mut self, piece: &[u8]) {
        // SAFETY: manual, gcry_md_write: an open handle that was not read since its reset, and as many readable bytes as
        // given.
        unsafe { (self.functions.write)(self.handle.as_ptr(), piece.as_ptr().cast(), piece.len()) }
    }

    fn finish(&mut self, output: &mut [u8]) {
        check_output(output, self.digest_bytes);
        // SAFETY: manual, gcry_md_read: an open handle with this algorithm enabled; null is returned otherwise.
        let digest = unsafe { (self.functions.read)(self.handle.as_ptr(), self.algorithm) };
        assert!(!digest.is_null(), "libgcrypt: gcry_md_read failed");
        // SAFETY: as above: it points to gcry_md_get_algo_dlen bytes until the handle is used again, and the output has
        // just as many.
        unsafe { digest.copy_to_nonoverlapping(output.as_mut_ptr(), output.len()) };
        self.reset();
    }
}

impl Peer for Handle {
    fn digest_bytes(&self) -> usize {
        self.digest_bytes
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        check_output(output, self.digest_bytes);
        // SAFETY: manual, gcry_md_hash_buffer: an algorithm that gcry_md_test_algo allowed (the function ends the process
        // otherwise), room for gcry_md_get_algo_dlen bytes, and as many readable bytes as given.
        unsafe {
            (self.functions.hash_buffer)(
                self.algorithm,
                output.as_mut_ptr().cast(),
                message.as_ptr().cast(),
                message.len(),
            );
        }
    }
}
