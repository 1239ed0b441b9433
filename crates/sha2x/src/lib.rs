#![no_std]
//! SHA-2.
