//! Vector types over the instructions of x86-64.
//!
//! | module | proof | types |
//! |---|---|---|
//! | [`ssse3`] | [`Ssse3`](crate::cpu::Ssse3) | `U32x4`, `U64x2` |
//! | [`avx2`] | [`Avx2`](crate::cpu::Avx2) | `U32x8`, `U64x4` |
//! | [`avx512`] | [`Avx512`](crate::cpu::Avx512) | `U32x4`, `U32x8`, `U32x16`, `U64x2`, `U64x4`, `U64x8`: rotations and three-operand logic in one instruction at every width |
//!
//! Each instruction is a safe function that enables its features, so the compiler rejects one that they do not cover.
//! The `unsafe` calls of those functions stand in the macro `run`, whose proof is that the vector or the token exists.

use crate::{Words32, Words64};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Safe functions with the given features: `name<R>(arguments) -> result = body;`.
macro_rules! ops {
    ($features:literal; $($(#[$attribute:meta])* $name:ident $(<$R:ident>)? ($($a:ident: $t:ty),*) -> $out:ty = $body:expr;)*) => {$(
        $(#[$attribute])*
        #[target_feature(enable = $features)]
        #[inline]
        pub(in crate::x86_64) fn $name $(<const $R: i32>)? ($($a: $t),*) -> $out {
            $body
        }
    )*};
}

/// Functions that read or write memory: unsafe, because they trust their pointers.
macro_rules! unsafe_ops {
    ($features:literal; $($name:ident($($a:ident: $t:ty),*) -> $out:ty = $body:expr;)*) => {$(
        #[target_feature(enable = $features)]
        #[inline]
        pub(in crate::x86_64) unsafe fn $name($($a: $t),*) -> $out {
            // SAFETY: the caller's pointers are good for all the bytes; these instructions need no alignment.
            unsafe { $body }
        }
    )*};
}

/// Calls a function made by `ops`.
macro_rules! run {
    ($op:ident::$($call:tt)+) => {
        // SAFETY: a vector of this type or its token exists here, so the CPU has every feature that `$op` enables.
        unsafe { $op::$($call)+ }
    };
}

macro_rules! operator {
    ($Type:ident, $op:ident: $Op:ident $name:ident) => {
        impl $Op for $Type {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(run!($op::$name(self.0, other.0)))
            }
        }
    };
}

/// A vector type over the functions of module `$op`; `three` for those that it has three-operand logic of.
macro_rules! vector {
    ($(#[$doc:meta])* $Type:ident($V:ty, $lanes:literal lanes of $word:ident by $Proof:ident in $op:ident)
     is $Words:ident, $tile:literal words a tile $(, three $($three:ident)+)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $Type($V);

        operator!($Type, $op: BitAnd bitand);
        operator!($Type, $op: BitOr bitor);
        operator!($Type, $op: BitXor bitxor);

        impl Not for $Type {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self(run!($op::not(self.0)))
            }
        }

        impl core::fmt::Debug for $Type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut words = Self::ZERO;
                self.store(&mut words);
                f.debug_tuple(stringify!($Type)).field(&words).finish()
            }
        }

        impl $Words for $Type {
            type Proof = $Proof;
            type Array = [$word; $lanes];
            const LANES: usize = $lanes;
            const ZERO: [$word; $lanes] = [0; $lanes];

            #[inline(always)]
            fn splat(_: $Proof, word: $word) -> Self {
                Self(run!($op::splat(word)))
            }

            #[inline(always)]
            fn load(_: $Proof, words: &[$word; $lanes]) -> Self {
                // SAFETY: the token exists, so the CPU has the features; the array is as long as the vector.
                Self(unsafe { $op::load(words.as_ptr().cast()) })
            }

            #[inline(always)]
            fn store(self, words: &mut [$word; $lanes]) {
                // SAFETY: the vector exists, so the CPU has the features; the array is as long as the vector.
                unsafe { $op::store(self.0, words.as_mut_ptr().cast()) }
            }

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(run!($op::add(self.0, other.0)))
            }

            #[inline(always)]
            fn andn(self, other: Self) -> Self {
                Self(run!($op::andn(self.0, other.0)))
            }

            #[inline(always)]
            fn rotl<const R: i32>(self) -> Self {
                const { assert!(R >= 0 && R < $word::BITS as i32) }
                Self(run!($op::rotl::<R>(self.0)))
            }

            #[inline(always)]
            fn rotr<const R: i32>(self) -> Self {
                const { assert!(R >= 0 && R < $word::BITS as i32) }
                Self(run!($op::rotr::<R>(self.0)))
            }

            #[inline(always)]
            fn shl<const R: i32>(self) -> Self {
                const { assert!(R >= 0 && R < $word::BITS as i32) }
                Self(run!($op::shl(self.0, R)))
            }

            #[inline(always)]
            fn shr<const R: i32>(self) -> Self {
                const { assert!(R >= 0 && R < $word::BITS as i32) }
                Self(run!($op::shr(self.0, R)))
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Self(run!($op::shuffle(self.0, const { byte_swaps(size_of::<$word>()) })))
            }

            // Sixteen bytes of every lane, whatever the width: row r of a tile holds, in its k-th 128-bit piece, the bytes
            // of lane k * tile + r. Transposing each piece then puts word w of every lane into vector w. Pieces are joined
            // on the way from memory, which costs no shuffle.
            #[inline(always)]
            fn load_tile<const BIG: bool, const L: usize, const B: usize>(
                _: $Proof,
                block: &[&[u8; B]; L],
                at: usize,
            ) -> [Self; $tile] {
                const { assert!(L == $lanes && B >= 16) }
                assert!(at <= B - 16, "outside of the block");
                const PIECES: usize = size_of::<$V>() / 16;
                let row = |r: usize| {
                    let mut pieces = [block[r].as_ptr(); PIECES];
                    let mut k = 0;
                    while k < PIECES {
                        pieces[k] = block[k * $tile + r].as_ptr().wrapping_add(at);
                        k += 1;
                    }
                    // SAFETY: the token exists, so the CPU has the features; 16 bytes at `at` lie inside the block.
                    let row = unsafe { $op::join(pieces) };
                    // Before the transposition: the compiler would merge a later shuffle with it, for the worse.
                    if BIG { run!($op::shuffle(row, const { byte_swaps(size_of::<$word>()) })) } else { row }
                };
                let mut rows = [row(0); $tile];
                let mut r = 1;
                while r < $tile {
                    rows[r] = row(r);
                    r += 1;
                }
                run!($op::transpose(rows)).map(#[inline(always)] |word| Self(word))
            }

            #[inline(always)]
            fn store_tile<const BIG: bool, const L: usize, const B: usize>(tile: [Self; $tile], out: &mut [&mut [u8; B]; L], at: usize) {
                const { assert!(L == $lanes && B >= 16) }
                assert!(at <= B - 16, "outside of the block");
                const PIECES: usize = size_of::<$V>() / 16;
                let swap = |word: Self| if BIG { word.swap_bytes().0 } else { word.0 };
                let rows = run!($op::transpose(tile.map(swap)));
                let mut r = 0;
                while r < $tile {
                    let mut pieces = [core::ptr::null_mut(); PIECES];
                    let mut k = 0;
                    while k < PIECES {
                        pieces[k] = out[k * $tile + r].as_mut_ptr().wrapping_add(at);
                        k += 1;
                    }
                    // SAFETY: the vectors exist, so the CPU has the features; 16 bytes at `at` lie inside the block.
                    unsafe { $op::split(rows[r], pieces) }
                    r += 1;
                }
            }

            $($(
                #[inline(always)]
                fn $three(self, b: Self, c: Self) -> Self {
                    Self(run!($op::$three(self.0, b.0, c.0)))
                }
            )+)?
        }
    };
}

pub mod avx2;
pub mod avx512;
pub mod ssse3;

/// The byte shuffle of 16 bytes, as two halves, that rotates words of `word` bytes left by `left` bytes.
const fn byte_rotation(word: usize, left: usize) -> [i64; 2] {
    let mut from = [0; 16];
    let mut to = 0;
    while to < 16 {
        from[to] = (to / word * word + (to + word - left) % word) as u8;
        to += 1;
    }
    halves(from)
}

/// The byte shuffle that reverses words of `word` bytes.
const fn byte_swaps(word: usize) -> [i64; 2] {
    let mut from = [0; 16];
    let mut to = 0;
    while to < 16 {
        from[to] = (to / word * word + word - 1 - to % word) as u8;
        to += 1;
    }
    halves(from)
}

const fn halves(bytes: [u8; 16]) -> [i64; 2] {
    let both = u128::from_le_bytes(bytes);
    [both as i64, (both >> 64) as i64]
}

/// Rotations of a 32-bit word by whole bytes.
const ROTATE32: [[i64; 2]; 4] = [byte_rotation(4, 0), byte_rotation(4, 1), byte_rotation(4, 2), byte_rotation(4, 3)];

/// Rotations of a 64-bit word by whole bytes.
const ROTATE64: [[i64; 2]; 8] = [
    byte_rotation(8, 0),
    byte_rotation(8, 1),
    byte_rotation(8, 2),
    byte_rotation(8, 3),
    byte_rotation(8, 4),
    byte_rotation(8, 5),
    byte_rotation(8, 6),
    byte_rotation(8, 7),
];
