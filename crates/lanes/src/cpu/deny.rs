//! `HASHMATRIX_DENY`: run a test suite again as if the CPU lacked something.

use super::NAMES;

/// The tokens that a list such as `avx512,shani` names, a bit each. Panics on an unknown name.
pub(super) fn listed(list: &str) -> u32 {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.fold(0, |mask, name| match NAMES.iter().position(|known| *known == name) {
        Some(bit) => mask | 1 << bit,
        None => unknown(name),
    })
}

fn unknown(name: &str) -> ! {
    extern crate std;
    panic!("HASHMATRIX_DENY: unknown `{name}`; known: {}", NAMES.join(", "))
}

/// What the environment denies, read once.
#[cfg(all(feature = "std", debug_assertions))]
pub(super) fn denied() -> u32 {
    extern crate std;
    static DENIED: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *DENIED.get_or_init(|| std::env::var_os("HASHMATRIX_DENY").map_or(0, |list| listed(&list.to_string_lossy())))
}
