//! One-shot digests that a constant can be made of.
//!
//! They run the portable kernel, in constants and at run time alike: no `const fn` can choose a backend. At run time
//! the functions of the same names in the [crate's root](crate) are faster.
//!
//! ```
//! const EMPTY: [u8; 32] = sha2x::const_hash::sha256(b"");
//! assert_eq!(EMPTY, sha2x::sha256(b""));
//! ```

macro_rules! const_hash {
    ($($name:ident $title:literal $primitive:ident $iv:ident $count:ident $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, in a constant if need be.")]
        pub const fn $name(data: &[u8]) -> [u8; $n] {
            use crate::{consts, $primitive as primitive};

            let (blocks, rest) = data.as_chunks();
            let mut state = consts::$iv;
            let end = primitive::End::new(rest, 0x80, primitive::bits(data.len() as $count));
            primitive::portable::compress(&mut state, blocks, end.blocks());
            primitive::output(&state)
        }
    )+};
}

const_hash! {
    sha224 "SHA-224" sha256 SHA224 u64 28;
    sha256 "SHA-256" sha256 SHA256 u64 32;
    sha384 "SHA-384" sha512 SHA384 u128 48;
    sha512 "SHA-512" sha512 SHA512 u128 64;
    sha512_224 "SHA-512/224" sha512 SHA512_224 u128 28;
    sha512_256 "SHA-512/256" sha512 SHA512_256 u128 32;
}
