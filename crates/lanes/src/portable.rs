//! Plain words and arrays of them: no instructions asked for, and the oracle of the vector types.

use crate::{Words32, Words64};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Proof for plain words: every CPU has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar;

/// `N` words of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct U32s<const N: usize>([u32; N]);

/// `N` words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct U64s<const N: usize>([u64; N]);

/// The part of the trait that is the same for one word as for an array, given `map` and `zip`.
macro_rules! each_word {
    ($word:ident) => {
        type Proof = Scalar;

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            zip(self, other, $word::wrapping_add)
        }

        #[inline(always)]
        fn andn(self, other: Self) -> Self {
            zip(self, other, |a, b| !a & b)
        }

        #[inline(always)]
        fn rotl<const R: i32>(self) -> Self {
            const { assert!(R >= 0 && R < $word::BITS as i32) }
            map(self, |a| a.rotate_left(R as u32))
        }

        #[inline(always)]
        fn rotr<const R: i32>(self) -> Self {
            const { assert!(R >= 0 && R < $word::BITS as i32) }
            map(self, |a| a.rotate_right(R as u32))
        }

        #[inline(always)]
        fn shl<const R: i32>(self) -> Self {
            const { assert!(R >= 0 && R < $word::BITS as i32) }
            map(self, |a| a << R)
        }

        #[inline(always)]
        fn shr<const R: i32>(self) -> Self {
            const { assert!(R >= 0 && R < $word::BITS as i32) }
            map(self, |a| a >> R)
        }

        #[inline(always)]
        fn swap_bytes(self) -> Self {
            map(self, $word::swap_bytes)
        }
    };
}

macro_rules! operator {
    ($Array:ident: $Op:ident $op:ident) => {
        impl<const N: usize> $Op for $Array<N> {
            type Output = Self;

            #[inline(always)]
            fn $op(mut self, other: Self) -> Self {
                let mut i = 0;
                while i < N {
                    self.0[i] = self.0[i].$op(other.0[i]);
                    i += 1;
                }
                self
            }
        }
    };
}

macro_rules! portable {
    ($Array:ident, $Words:ident, $word:ident, $tile:literal) => {
        operator!($Array: BitAnd bitand);
        operator!($Array: BitOr bitor);
        operator!($Array: BitXor bitxor);

        impl<const N: usize> Not for $Array<N> {
            type Output = Self;

            #[inline(always)]
            fn not(mut self) -> Self {
                let mut i = 0;
                while i < N {
                    self.0[i] = !self.0[i];
                    i += 1;
                }
                self
            }
        }

        const _: () = {
            #[inline(always)]
            fn map<const N: usize>(mut a: $Array<N>, f: impl Fn($word) -> $word) -> $Array<N> {
                let mut i = 0;
                while i < N {
                    a.0[i] = f(a.0[i]);
                    i += 1;
                }
                a
            }

            #[inline(always)]
            fn zip<const N: usize>(mut a: $Array<N>, b: $Array<N>, f: impl Fn($word, $word) -> $word) -> $Array<N> {
                let mut i = 0;
                while i < N {
                    a.0[i] = f(a.0[i], b.0[i]);
                    i += 1;
                }
                a
            }

            impl<const N: usize> $Words for $Array<N> {
                type Array = [$word; N];
                const LANES: usize = N;
                const ZERO: [$word; N] = [0; N];
                each_word!($word);

                #[inline(always)]
                fn splat(_: Scalar, word: $word) -> Self {
                    Self([word; N])
                }

                #[inline(always)]
                fn load(_: Scalar, words: &[$word; N]) -> Self {
                    Self(*words)
                }

                #[inline(always)]
                fn store(self, words: &mut [$word; N]) {
                    *words = self.0;
                }

                #[inline(always)]
                fn load_tile<const BIG: bool, const L: usize, const B: usize>(
                    _: Scalar,
                    block: &[&[u8; B]; L],
                    at: usize,
                ) -> [Self; $tile] {
                    let mut tile = [Self([0; N]); $tile];
                    for (lane, block) in block.iter().enumerate() {
                        for (word, bytes) in tile.iter_mut().zip(block[at..].as_chunks().0) {
                            let from = if BIG { $word::from_be_bytes } else { $word::from_le_bytes };
                            word.0[lane] = from(*bytes);
                        }
                    }
                    tile
                }

                #[inline(always)]
                fn store_tile<const BIG: bool, const L: usize, const B: usize>(
                    tile: [Self; $tile],
                    out: &mut [&mut [u8; B]; L],
                    at: usize,
                ) {
                    for (lane, out) in out.iter_mut().enumerate() {
                        for (word, bytes) in tile.iter().zip(out[at..].as_chunks_mut().0) {
                            *bytes = if BIG { word.0[lane].to_be_bytes() } else { word.0[lane].to_le_bytes() };
                        }
                    }
                }
            }
        };

        const _: () = {
            #[inline(always)]
            fn map(a: $word, f: impl Fn($word) -> $word) -> $word {
                f(a)
            }

            #[inline(always)]
            fn zip(a: $word, b: $word, f: impl Fn($word, $word) -> $word) -> $word {
                f(a, b)
            }

            impl $Words for $word {
                type Array = [$word; 1];
                const LANES: usize = 1;
                const ZERO: [$word; 1] = [0];
                each_word!($word);

                #[inline(always)]
                fn splat(_: Scalar, word: $word) -> Self {
                    word
                }

                #[inline(always)]
                fn load(_: Scalar, words: &[$word; 1]) -> Self {
                    words[0]
                }

                #[inline(always)]
                fn store(self, words: &mut [$word; 1]) {
                    words[0] = self;
                }

                #[inline(always)]
                fn load_tile<const BIG: bool, const L: usize, const B: usize>(
                    proof: Scalar,
                    block: &[&[u8; B]; L],
                    at: usize,
                ) -> [Self; $tile] {
                    $Array::<1>::load_tile::<BIG, L, B>(proof, block, at).map(|word| word.0[0])
                }

                #[inline(always)]
                fn store_tile<const BIG: bool, const L: usize, const B: usize>(
                    tile: [Self; $tile],
                    out: &mut [&mut [u8; B]; L],
                    at: usize,
                ) {
                    $Array::<1>::store_tile::<BIG, L, B>(tile.map(|word| $Array([word])), out, at);
                }
            }
        };
    };
}

portable!(U32s, Words32, u32, 4);
portable!(U64s, Words64, u64, 2);
