//! Measures hash functions and reports what it measured.

pub mod machine;
pub mod protocol;
pub mod record;
pub mod rsp;
pub mod suite;
