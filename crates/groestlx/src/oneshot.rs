//! One message to one digest, without a hasher in between.

use crate::{Backend, consts};

macro_rules! oneshot {
    ($($name:ident $with:ident $title:literal $primitive:ident $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, on the best backend.")]
        #[inline]
        pub fn $name(data: impl AsRef<[u8]>) -> [u8; $n] {
            $with(Backend::detect(), data)
        }

        #[doc = concat!($title, " of `data`, on the given backend.")]
        #[inline]
        pub fn $with(backend: Backend, data: impl AsRef<[u8]>) -> [u8; $n] {
            fn run(backend: Backend, data: &[u8]) -> [u8; $n] {
                crate::$primitive::output(&crate::$primitive::digest(backend, &const { consts::iv(8 * $n) }, data))
            }
            run(backend, data.as_ref())
        }
    )+};
}

oneshot! {
    groestl224 groestl224_with "Groestl-224" groestl256 28;
    groestl256 groestl256_with "Groestl-256" groestl256 32;
    groestl384 groestl384_with "Groestl-384" groestl512 48;
    groestl512 groestl512_with "Groestl-512" groestl512 64;
}
