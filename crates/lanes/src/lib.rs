#![no_std]
#![doc = include_str!("../README.md")]

mod backend;
pub mod batch;
mod blocks;
pub mod portable;
mod words;

// Soft-float targets cannot even compile vector instructions, so there these modules do not exist.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod cpu;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub mod x86_64;

pub use blocks::Blocks;
pub use words::{Words32, Words64};
