#![no_std]
#![deny(unsafe_code)]
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

pub use digest::{self, Digest};

mod backend;
pub mod block_api;
pub mod const_hash;
mod consts;
mod hasher;
pub mod hazmat;
mod many;
mod oneshot;
mod sha256;
mod sha512;

pub use backend::{Backend, BackendError};
pub use hasher::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
pub use oneshot::{
    sha224, sha224_with, sha256, sha256_with, sha384, sha384_with, sha512, sha512_224, sha512_224_with, sha512_256,
    sha512_256_with, sha512_with,
};
