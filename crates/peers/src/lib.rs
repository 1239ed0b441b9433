//! Other people's hash libraries, as implementations that the bench can measure.
//!
//! Each of them is called as a careful user of that library would call it where speed counts: what can be looked up or
//! allocated once is, contexts are used again, and a call allocates nothing of its own.
//!
//! | row | hash | stream |
//! |---|---|---|
//! | `rustcrypto/default` | a fresh value, then `finalize_into` | `finalize_into_reset` |
//! | `openssl/evp` | prefetched `EVP_MD`, kept `EVP_MD_CTX` | the same |
//! | `openssl/oneshot` | `EVP_Digest`, which allocates a context each time: what `openssl speed` calls | none |
//! | `openssl/lowlevel` | `SHA256_Update`, `_Final`, `_Init` on a kept context | the same |
//! | `openssl/generic`, `/avx2`, .. | as `lowlevel` if there is such a thing, else as `evp` | the same |
//! | `gcrypt/default` | `gcry_md_hash_buffer` | a kept handle |
//! | `nettle/default` | the functions of `struct nettle_hash` on a kept context | the same |
//! | `sodium/default` | `crypto_hash_sha256` | a kept state |
//! | `cryptocorrosion/default` | a fresh value of `groestl-aesni`, then `finalize_into_dirty` | a kept value |
//! | `NAME/external` | a function that the user names | none |
//!
//! The C libraries are opened when they are first asked for, so that nothing but Rust is needed to build. One that is
//! not installed, or that lacks a function, keeps its rows; they say why and what to install. Another file can be named
//! in `HASHMATRIX_LIBCRYPTO`, `HASHMATRIX_LIBGCRYPT`, `HASHMATRIX_LIBNETTLE` and `HASHMATRIX_LIBSODIUM`. Where a library
//! never had an algorithm there is no row, except that OpenSSL's rows always stand together.
//!
//! # One piece of OpenSSL's code
//!
//! On x86-64 OpenSSL has several pieces of code for SHA-2 and takes the best for the CPU, once a process. The variable
//! `OPENSSL_ia32cap` hides instructions from it, so these rows have an
//! [`environment`](benchkit::suite::Implementation::environment), and their hashers are made in a process that was started
//! with it and nowhere else; in any other the attempt is an error.
//!
//! | row | SHA-224, SHA-256 | SHA-384, SHA-512, SHA-512/t | value |
//! |---|---|---|---|
//! | `openssl/generic` | yes | yes | empty |
//! | `openssl/ssse3` | SSSE3 | no such code | `~0x1000000000000000:~0x20000128` |
//! | `openssl/avx` | AVX, SSSE3; Intel only | AVX, SSSE3; Intel only | `:~0x20000128` |
//! | `openssl/avx2` | AVX2, BMI1, BMI2 | AVX2, BMI1, BMI2 | `:~0x20000000` |
//! | `openssl/shani` | SHA-NI | no such code | `:~0x0` |
//! | `openssl/sha512` | no such code | AVX2, SHA512; since OpenSSL 3.6 | `:~0x0:~0x0` |
//!
//! A row whose instructions the CPU lacks is absent and names them. What ran is read back from libcrypto's own report of
//! its capabilities in that process, by the rule that its assembly code follows; a build of libcrypto with another rule
//! would not be noticed. OpenSSL 1.1.1 gives no report: there CPUID and the variable stand for it.
//!
//! # A library by hand
//!
//! `HASHMATRIX_PEERS` names functions `int f(unsigned char *out, const unsigned char *in, unsigned long long inlen)` in
//! shared libraries (the shape of SUPERCOP's `crypto_hash`), as JSON:
//!
//! ```json
//! [{"name": "mine", "file": "/home/me/libmine.so", "symbol": "crypto_hash", "algorithm": "sha256"}]
//! ```
//!
//! `symbol` may be left out if it is `crypto_hash`. `file` is a whole path, or a name without a slash for the system's
//! search path. Each entry is a row `NAME/external` of its algorithm, last among the peers; the version holds the start
//! of the file's SHA-256. A variable that cannot be read is a row `HASHMATRIX_PEERS/external` that says what is wrong.
//! The function returns 0, and always writes as many bytes; both are checked, the latter by first calls into a large
//! buffer, so that the calls that are timed carry nothing extra. The function is trusted not to crash.
//!
//! # How to add an algorithm
//!
//! One line in the `match` of every module whose library has it (`src/rustcrypto.rs`, `src/libcrypto.rs`, ..), and its
//! known answers in `tests/peers.rs`.
//!
//! # How to add a library
//!
//! 1. A module with `rows(id) -> Vec<Implementation>`, empty for ids that the library does not have.
//! 2. In it, a type that implements [`Stream`](benchkit::suite::Stream) and the crate's `Peer`: reset, update, finish, and
//!    `hash` where the library has something better than update and finish.
//! 3. A C library: a `Wanted` with its file names and packages, and a `functions!` table taken from its header.
//! 4. A line in [`implementations`], at the end, so that tables keep their order.

#![deny(unsafe_code)]

mod dynamic;
mod external;
mod gcrypt;
mod groestl_aesni;
mod libcrypto;
mod nettle;
mod peer;
mod rustcrypto;
mod sodium;

use benchkit::suite::Implementation;

/// Every peer of the algorithm with that id, present here or not, always in the same order; none for an unknown id.
///
/// # Panics
///
/// This function does not. The hashers panic if the output has not exactly the length of the digest, or if the library
/// reports an error; the message then holds the library's own reason.
pub fn implementations(id: &str) -> Vec<Implementation> {
    let libraries: &[fn(&str) -> Vec<Implementation>] = &[
        rustcrypto::rows, //
        libcrypto::rows,
        gcrypt::rows,
        nettle::rows,
        sodium::rows,
        groestl_aesni::rows,
        external::rows,
    ];
    libraries.iter().flat_map(|rows| rows(id)).collect()
}
