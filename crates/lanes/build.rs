//! Refuses an unknown `--cfg hashmatrix_backend=".."`: a typing error would build the other kernels without a word.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_CFG_HASHMATRIX_BACKEND");
    if let Ok(values) = std::env::var("CARGO_CFG_HASHMATRIX_BACKEND")
        && values != "portable"
    {
        println!("cargo::error=unknown hashmatrix_backend {values:?}; the only value is \"portable\"");
    }
}
