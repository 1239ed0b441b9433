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
mod fixed;
mod hasher;
pub mod hazmat;
mod many;
mod oneshot;
mod permutation;
mod sponge;
mod xof;

pub use backend::{Backend, BackendError};
pub use fixed::{Thunder512, Thunder768, Thunder1024};
pub use oneshot::{
    thunder_xof256, thunder_xof256_with, thunder_xof384, thunder_xof384_with, thunder_xof512, thunder_xof512_with,
    thunder512, thunder512_with, thunder768, thunder768_with, thunder1024, thunder1024_with,
};
pub use xof::{
    ThunderXof256, ThunderXof256Reader, ThunderXof384, ThunderXof384Reader, ThunderXof512, ThunderXof512Reader,
};
