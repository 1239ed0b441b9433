//! One message to one digest, without a hasher in between.

use crate::{Backend, consts, sponge};

macro_rules! fixed {
    ($($name:ident $with:ident $title:literal $iv:ident $rate:literal $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, on the best backend.")]
        #[inline]
        pub fn $name(data: impl AsRef<[u8]>) -> [u8; $n] {
            $with(Backend::detect(), data)
        }

        #[doc = concat!($title, " of `data`, on the given backend.")]
        #[inline]
        pub fn $with(backend: Backend, data: impl AsRef<[u8]>) -> [u8; $n] {
            fn run(backend: Backend, data: &[u8]) -> [u8; $n] {
                sponge::hash::<$rate, $n>(backend, &consts::$iv, data)
            }
            run(backend, data.as_ref())
        }
    )+};
}

macro_rules! xof {
    ($($name:ident $with:ident $title:literal $iv:ident $rate:literal $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, as many bytes as `out` has, on the best backend.")]
        #[inline]
        pub fn $name(data: impl AsRef<[u8]>, out: &mut [u8]) {
            $with(Backend::detect(), data, out);
        }

        #[doc = concat!($title, " of `data`, as many bytes as `out` has, on the given backend.")]
        #[inline]
        pub fn $with(backend: Backend, data: impl AsRef<[u8]>, out: &mut [u8]) {
            fn run(backend: Backend, data: &[u8], out: &mut [u8]) {
                sponge::hash_into::<$rate, $n>(backend, &consts::$iv, data, out);
            }
            run(backend, data.as_ref(), out);
        }
    )+};
}

fixed! {
    thunder512 thunder512_with "Thunder-512" H512 128 64;
    thunder768 thunder768_with "Thunder-768" H768 96 96;
    thunder1024 thunder1024_with "Thunder-1024" H1024 64 128;
}

xof! {
    thunder_xof256 thunder_xof256_with "Thunder-XOF-256" XOF256 128 160;
    thunder_xof384 thunder_xof384_with "Thunder-XOF-384" XOF384 96 144;
    thunder_xof512 thunder_xof512_with "Thunder-XOF-512" XOF512 64 128;
}
