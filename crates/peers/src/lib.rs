//! Other people's hash libraries, as implementations that the bench can measure.
//!
//! Each of them is called as a careful user of that library would call it where speed counts: what can be looked up or
//! allocated once is, contexts are used again, and a call allocates nothing of its own.
//!
//! | row | hash | stream |
//! |---|---|---|
//! | `rustcrypto/default` | a fresh value, then `finalize_into` | `finalize_into_reset` |
//! | `openssl/evp` | prefetched `EVP_MD`, kept `EVP_MD_CTX` | the same |
//! | `openssl/lowlevel` | `SHA256_Update`, `_Final`, `_Init` on a kept context | the same |
//! | `gcrypt/default` | `gcry_md_hash_buffer` | a kept handle |
//! | `nettle/default` | the functions of `struct nettle_hash` on a kept context | the same |
//! | `sodium/default` | `crypto_hash_sha256` | a kept state |
//!
//! The C libraries are opened when they are first asked for, so that nothing but Rust is needed to build. One that is
//! not installed, or that lacks a function, keeps its rows; they say why and what to install. Another file can be named
//! in `HASHMATRIX_LIBCRYPTO`, `HASHMATRIX_LIBGCRYPT`, `HASHMATRIX_LIBNETTLE` and `HASHMATRIX_LIBSODIUM`. Where a library
//! never had an algorithm there is no row, except that OpenSSL's two interfaces always stand together.
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
    [rustcrypto::rows, libcrypto::rows, gcrypt::rows, nettle::rows, sodium::rows, external::rows]
        .into_iter()
        .flat_map(|rows| rows(id))
        .collect()
}
