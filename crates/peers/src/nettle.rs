//! Nettle, through the table that it has for each hash.
//!
//! Contracts: `nettle/nettle-meta.h`, `nettle/nettle-types.h`, `nettle/version.h` and the manual, "Hash functions", of
//! version 3.

#![allow(unsafe_code)]

use core::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use benchkit::suite::{Absent, Implementation, Stream};

use crate::dynamic::{Library, Memory, Wanted, absent, functions};
use crate::peer::{Peer, check_output, row};

const PROVIDER: &str = "nettle";
const BACKEND: &str = "default";

/// The sonames of version 3 only: version 4 has digest functions with other arguments.
const WANTED: Wanted = Wanted {
    title: "Nettle 3",
    variable: "HASHMATRIX_LIBNETTLE",
    names: if cfg!(target_os = "macos") {
        &["libnettle.8.dylib", "/opt/homebrew/lib/libnettle.8.dylib", "/usr/local/lib/libnettle.8.dylib"]
    } else if cfg!(windows) {
        &["libnettle-8.dll"]
    } else {
        &["libnettle.so.8", "libnettle.so.7", "libnettle.so.6", "libnettle.so"]
    },
    packages: "the package libnettle8t64 (Debian 13, Ubuntu 24.04), libnettle8 (Debian 12, Ubuntu 22.04) or nettle \
               (Fedora, RHEL, Homebrew)",
};

/// Symbols of type `const struct nettle_hash`.
fn symbol(id: &str) -> Option<&'static str> {
    Some(match id {
        "sha224" => "nettle_sha224",
        "sha256" => "nettle_sha256",
        "sha384" => "nettle_sha384",
        "sha512" => "nettle_sha512",
        "sha512-224" => "nettle_sha512_224",
        "sha512-256" => "nettle_sha512_256",
        _ => return None,
    })
}

/// The rows of an algorithm: one, if Nettle has it.
pub(crate) fn rows(id: &str) -> Vec<Implementation> {
    static OPENED: OnceLock<Result<Nettle, Absent>> = OnceLock::new();
    let Some(symbol) = symbol(id) else { return Vec::new() };
    let opened = OPENED.get_or_init(|| WANTED.open().and_then(Nettle::new)).as_ref();
    vec![
        opened
            .map_err(Absent::clone)
            .and_then(|nettle| default(nettle, symbol))
            .unwrap_or_else(|missing| absent(PROVIDER, BACKEND, missing)),
    ]
}

functions! {
    /// nettle/version.h.
    struct Version {
        major: "nettle_version_major" => fn() -> c_int;
        minor: "nettle_version_minor" => fn() -> c_int;
    }
}

struct Nettle {
    library: Library,
    version: String,
}

impl Nettle {
    fn new(library: Library) -> Result<Self, Absent> {
        // SAFETY: nettle/version.h declares them so.
        let version = unsafe { Version::load(&library)? };
        // SAFETY: they have no conditions.
        let (major, minor) = unsafe { ((version.major)(), (version.minor)()) };
        if major != 3 {
            return Err(library.lacks(&format!("interface of version 3: it is Nettle {major}.{minor}")));
        }
        Ok(Self { library, version: format!("Nettle {major}.{minor}") })
    }
}

/// `struct nettle_hash` (nettle/nettle-meta.h) of version 3.
#[repr(C)]
struct Hash {
    name: *const c_char,
    context_bytes: c_uint,
    digest_bytes: c_uint,
    block_bytes: c_uint,
    init: unsafe extern "C" fn(*mut c_void),
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

fn default(nettle: &Nettle, symbol: &str) -> Result<Implementation, Absent> {
    // SAFETY: nettle/nettle-meta.h declares each of them as a constant of this type; the version was checked.
    let hash: &'static Hash = unsafe { nettle.library.get(&[symbol])? };
    Ok(row(PROVIDER, BACKEND, &nettle.version, move || {
        let mut made = Context { memory: Memory::new(hash.context_bytes as usize), hash };
        made.reset();
        Ok(made)
    }))
}

/// A `struct sha256_ctx` or the like, initialised.
struct Context {
    memory: Memory,
    hash: &'static Hash,
}

impl Stream for Context {
    fn reset(&mut self) {
        // SAFETY: manual, "nettle_hash abstraction": memory of context_size bytes, aligned.
        unsafe { (self.hash.init)(self.memory.pointer()) }
    }

    fn update(&mut self, piece: &[u8]) {
        // SAFETY: the same: an initialised context, and as many readable bytes as given.
        unsafe { (self.hash.update)(self.memory.pointer(), piece.len(), piece.as_ptr()) }
    }

    fn finish(&mut self, output: &mut [u8]) {
        check_output(output, self.digest_bytes());
        // SAFETY: the same: an initialised context, and room for at most digest_size bytes. In version 3 the function
        // also makes the context ready for the next message.
        unsafe { (self.hash.digest)(self.memory.pointer(), output.len(), output.as_mut_ptr()) }
    }
}

impl Peer for Context {
    fn digest_bytes(&self) -> usize {
        self.hash.digest_bytes as usize
    }
}
