#![no_std]
#![doc = include_str!("../README.md")]

#[cfg(target_arch = "x86_64")]
pub mod cpu;
