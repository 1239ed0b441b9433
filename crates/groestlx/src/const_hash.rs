//! The hash functions as `const fn`: plain Rust, for digests of what is known when the program is compiled.
//!
//! The compiler takes its time over them: keep the messages to a few blocks.

use crate::consts;

macro_rules! const_hash {
    ($($name:ident $title:literal $primitive:ident $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`.")]
        pub const fn $name(data: &[u8]) -> [u8; $n] {
            crate::$primitive::output(&crate::$primitive::digest_const(&consts::iv(8 * $n), data))
        }
    )+};
}

const_hash! {
    groestl224 "Groestl-224" groestl256 28;
    groestl256 "Groestl-256" groestl256 32;
    groestl384 "Groestl-384" groestl512 48;
    groestl512 "Groestl-512" groestl512 64;
}
