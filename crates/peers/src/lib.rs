//! Other libraries.
