//! One-shot digests that a constant can be made of.
//!
//! They run the portable kernel, in constants and at run time alike: no `const fn` can choose a backend. At run time
//! the functions of the same names in the [crate's root](crate) are faster.
//!
//! ```
//! const EMPTY: [u8; 64] = thunder::const_hash::thunder512(b"");
//! assert_eq!(EMPTY, thunder::thunder512(b""));
//! ```

use crate::{consts, sponge};

macro_rules! const_hash {
    ($($name:ident $title:literal $iv:ident $rate:literal $n:literal;)+) => {$(
        #[doc = concat!($title, " of `data`, in a constant if need be.")]
        pub const fn $name(data: &[u8]) -> [u8; $n] {
            sponge::output(&sponge::const_digest::<$rate>(&consts::$iv, data))
        }
    )+};
}

const_hash! {
    thunder512 "Thunder-512" H512 128 64;
    thunder768 "Thunder-768" H768 96 96;
    thunder1024 "Thunder-1024" H1024 64 128;
}
