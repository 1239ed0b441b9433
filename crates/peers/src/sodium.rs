//! libsodium, which has SHA-256 and SHA-512 of the SHA-2 family.
//!
//! Contracts: `sodium/core.h`, `sodium/version.h`, `sodium/crypto_hash_sha256.h`, `sodium/crypto_hash_sha512.h` and the
//! documentation, "SHA-2", of version 1.0.

#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_ulonglong, c_void};
use std::sync::OnceLock;

use benchkit::suite::{Absent, Implementation, Stream};

use crate::dynamic::{Library, Memory, Wanted, absent, functions, string};
use crate::peer::{Peer, check_output, row};

const PROVIDER: &str = "sodium";
const BACKEND: &str = "default";

const WANTED: Wanted = Wanted {
    title: "libsodium",
    variable: "HASHMATRIX_LIBSODIUM",
    names: if cfg!(target_os = "macos") {
        &["libsodium.dylib", "/opt/homebrew/lib/libsodium.dylib", "/usr/local/lib/libsodium.dylib"]
    } else if cfg!(windows) {
        &["libsodium.dll"]
    } else {
        &["libsodium.so.26", "libsodium.so.23", "libsodium.so"]
    },
    packages: "the package libsodium23 (Debian, Ubuntu) or libsodium (Fedora, EPEL, Homebrew)",
};

/// The functions of one hash share the first part of their names.
#[derive(Clone, Copy)]
struct Names {
    whole: &'static str,
    init: &'static str,
    update: &'static str,
    finish: &'static str,
    state_bytes: &'static str,
    digest_bytes: &'static str,
}

macro_rules! names {
    ($name:literal) => {
        Names {
            whole: $name,
            init: concat!($name, "_init"),
            update: concat!($name, "_update"),
            finish: concat!($name, "_final"),
            state_bytes: concat!($name, "_statebytes"),
            digest_bytes: concat!($name, "_bytes"),
        }
    };
}

fn names(id: &str) -> Option<Names> {
    Some(match id {
        "sha256" => names!("crypto_hash_sha256"),
        "sha512" => names!("crypto_hash_sha512"),
        _ => return None,
    })
}

/// The rows of an algorithm: one, if libsodium has it.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    static OPENED: OnceLock<Result<Sodium, Absent>> = OnceLock::new();
    let Some(names) = names(id) else { return Vec::new() };
    let opened = OPENED.get_or_init(|| WANTED.open().and_then(Sodium::new)).as_ref();
    vec![
        opened
            .map_err(Absent::clone)
            .and_then(|sodium| default(sodium, names))
            .unwrap_or_else(|missing| absent(PROVIDER, BACKEND, missing)),
    ]
}

functions! {
    /// sodium/core.h, sodium/version.h.
    struct Start {
        init: "sodium_init" => fn() -> c_int;
        version: "sodium_version_string" => fn() -> *const c_char;
    }
}

struct Sodium {
    library: Library,
    version: String,
}

impl Sodium {
    fn new(library: Library) -> Result<Self, Absent> {
        // SAFETY: the headers declare them so.
        let start = unsafe { Start::load(&library)? };
        // SAFETY: documentation, "Usage": may be called more than once and by several threads; -1 is failure.
        if unsafe { (start.init)() } < 0 {
            return Err(Absent { reason: "libsodium: sodium_init failed".to_owned(), remedy: None });
        }
        // SAFETY: no conditions; the string is static.
        let version = unsafe { string((start.version)()) };
        Ok(Self { library, version: format!("libsodium {version}") })
    }
}

/// The functions of one hash; its state is `void` here. All but the sizes return 0, or -1 for failure.
#[derive(Clone, Copy)]
struct Functions {
    whole: unsafe extern "C" fn(*mut u8, *const u8, c_ulonglong) -> c_int,
    init: unsafe extern "C" fn(*mut c_void) -> c_int,
    update: unsafe extern "C" fn(*mut c_void, *const u8, c_ulonglong) -> c_int,
    finish: unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int,
}

type Size = unsafe extern "C" fn() -> usize;

fn default(sodium: &Sodium, names: Names) -> Result<Implementation, Absent> {
    let library = &sodium.library;
    // SAFETY: sodium/crypto_hash_sha256.h and crypto_hash_sha512.h declare them so; the sizes have no conditions.
    let (functions, state_bytes, digest_bytes) = unsafe {
        let functions = Functions {
            whole: library.get(&[names.whole])?,
            init: library.get(&[names.init])?,
            update: library.get(&[names.update])?,
            finish: library.get(&[names.finish])?,
        };
        let state_bytes: Size = library.get(&[names.state_bytes])?;
        let digest_bytes: Size = library.get(&[names.digest_bytes])?;
        (functions, state_bytes(), digest_bytes())
    };
    Ok(row(PROVIDER, BACKEND, &sodium.version, move || {
        let mut made = State { memory: Memory::new(state_bytes), functions, names, digest_bytes };
        made.reset();
        Ok(made)
    }))
}

/// A `crypto_hash_sha256_state` or the like, initialised.
struct State {
    memory: Memory,
    functions: Functions,
    names: Names,
    digest_bytes: usize,
}

#[inline]
fn check(result: c_int, function: &str) {
    assert!(result == 0, "libsodium: {function} failed");
}

impl Stream for State {
    fn reset(&mut self) {
        // SAFETY: documentation, "SHA-2": memory of _statebytes bytes, aligned.
        check(unsafe { (self.functions.init)(self.memory.pointer()) }, self.names.init);
    }

    fn update(&mut self, piece: &[u8]) {
        let length = piece.len() as c_ulonglong;
        // SAFETY: the same: an initialised state, and as many readable bytes as given.
        check(unsafe { (self.functions.update)(self.memory.pointer(), piece.as_ptr(), length) }, self.names.update);
    }

    fn finish(&mut self, output: &mut [u8]) {
        check_output(output, self.digest_bytes);
        // SAFETY: the same: an initialised state, and room for _bytes bytes.
        check(unsafe { (self.functions.finish)(self.memory.pointer(), output.as_mut_ptr()) }, self.names.finish);
        self.reset();
    }
}

impl Peer for State {
    fn digest_bytes(&self) -> usize {
        self.digest_bytes
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        check_output(output, self.digest_bytes);
        let length = message.len() as c_ulonglong;
        // SAFETY: the same: room for _bytes bytes, and as many readable bytes as given.
        check(unsafe { (self.functions.whole)(output.as_mut_ptr(), message.as_ptr(), length) }, self.names.whole);
    }
}
