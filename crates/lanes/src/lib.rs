#![no_std]
//! Vectors of machine words.
