#![no_std]
#![deny(unsafe_code)]
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

pub use digest::{self, Digest};

mod backend;
mod bitslice;
pub mod block_api;
pub mod const_hash;
mod consts;
mod end;
mod groestl256;
mod groestl512;
mod hasher;
pub mod hazmat;
mod many;
mod oneshot;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_folded;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_rows;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_tables;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_vectors;

pub use backend::{Backend, BackendError};
pub use hasher::{Groestl224, Groestl256, Groestl384, Groestl512};
pub use oneshot::{
    groestl224, groestl224_with, groestl256, groestl256_with, groestl384, groestl384_with, groestl512, groestl512_with,
};
