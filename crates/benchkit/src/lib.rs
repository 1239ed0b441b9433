//! Measures hash functions and reports what it measured.

pub mod machine;
pub mod pages;
pub mod protocol;
pub mod random;
pub mod record;
pub mod stats;
pub mod suite;
pub mod system;
pub mod table;
