//! Remembers the compiler flags in force.
//!
//! They come from the environment or from any of cargo's configuration files; only cargo knows the outcome, and it tells
//! build scripts. `cargo xtask` and the workers are built from the same folder with the same configuration, and cargo
//! runs this again whenever the flags change.

fn main() {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    println!("cargo::rustc-env=XTASK_RUSTFLAGS={flags}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
}
