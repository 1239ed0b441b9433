//! One message to one digest, without a hasher in between.

use crate::{Backend, consts};

macro_rules! oneshot {
    ($($name:ident $with:ident $title:literal $primitive:ident $resolve:ident $detect:ident $iv:ident $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, on the best backend.")]
        #[inline]
        pub fn $name(data: impl AsRef<[u8]>) -> [u8; $n] {
            fn run(data: &[u8]) -> [u8; $n] {
                crate::$primitive::output(&crate::$primitive::digest(Backend::$detect(), &consts::$iv, data))
            }
            run(data.as_ref())
        }

        #[doc = concat!($title, " of `data`, on the given backend (or on the one that the hasher takes in its place).")]
        #[inline]
        pub fn $with(backend: Backend, data: impl AsRef<[u8]>) -> [u8; $n] {
            fn run(backend: Backend, data: &[u8]) -> [u8; $n] {
                crate::$primitive::output(&crate::$primitive::digest(backend.$resolve(), &consts::$iv, data))
            }
            run(backend, data.as_ref())
        }
    )+};
}

oneshot! {
    sha224 sha224_with "SHA-224" sha256 for256 detect SHA224 28;
    sha256 sha256_with "SHA-256" sha256 for256 detect SHA256 32;
    sha384 sha384_with "SHA-384" sha512 for512 detect512 SHA384 48;
    sha512 sha512_with "SHA-512" sha512 for512 detect512 SHA512 64;
    sha512_224 sha512_224_with "SHA-512/224" sha512 for512 detect512 SHA512_224 28;
    sha512_256 sha512_256_with "SHA-512/256" sha512 for512 detect512 SHA512_256 32;
}
