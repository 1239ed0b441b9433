//! What a kernel may do with a vector of words.

use core::ops::{BitAnd, BitOr, BitXor, Index, IndexMut, Not};

/// The same trait for 32-bit and for 64-bit words.
macro_rules! words {
    ($Words:ident, $word:ident, $bits:literal, $tile:literal, tiles $($i:literal)*) => {
        #[doc = concat!("A vector of `LANES` words of ", $bits, " bits, or one plain word.")]
        ///
        /// A kernel written once over this trait runs in every width: lane *i* belongs to message *i*. Values come only
        /// from a [`Proof`](Self::Proof) and from other values, so arithmetic on them is safe. All arithmetic wraps.
        #[doc = concat!("Amounts of shifts and rotations are 0..", $bits, ", or the program does not compile.")]
        pub trait $Words:
            Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
        {
            /// Proof that this CPU has the instructions; zero-sized.
            type Proof: Copy;

            /// The words in memory: `[word; LANES]`.
            type Array: Copy
                + AsRef<[$word]>
                + AsMut<[$word]>
                + Index<usize, Output = $word>
                + IndexMut<usize, Output = $word>;

            /// Words per vector.
            const LANES: usize;

            /// All words zero, in memory.
            const ZERO: Self::Array;

            /// The same word in every lane.
            fn splat(proof: Self::Proof, word: $word) -> Self;

            /// Lane *i* is `words[i]`.
            fn load(proof: Self::Proof, words: &Self::Array) -> Self;

            /// `words[i]` becomes lane *i*.
            fn store(self, words: &mut Self::Array);

            /// `self + other`.
            fn add(self, other: Self) -> Self;

            /// `!self & other`.
            fn andn(self, other: Self) -> Self;

            /// Rotates left by `R` bits.
            fn rotl<const R: i32>(self) -> Self;

            /// Rotates right by `R` bits.
            fn rotr<const R: i32>(self) -> Self;

            /// Shifts left by `R` bits.
            fn shl<const R: i32>(self) -> Self;

            /// Shifts right by `R` bits, filling with zeros.
            fn shr<const R: i32>(self) -> Self;

            /// Reverses the bytes of each word.
            fn swap_bytes(self) -> Self;

            #[doc = concat!("The ", $tile, " words at byte `at` of every lane's block, big-endian if `BIG`.")]
            #[doc(hidden)]
            fn load_tile<const BIG: bool, const L: usize, const B: usize>(
                proof: Self::Proof,
                block: &[&[u8; B]; L],
                at: usize,
            ) -> [Self; $tile];

            /// The inverse of `load_tile`.
            #[doc(hidden)]
            fn store_tile<const BIG: bool, const L: usize, const B: usize>(tile: [Self; $tile], out: &mut [&mut [u8; B]; L], at: usize);

            /// `self ^ b ^ c`.
            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                self ^ b ^ c
            }

            /// `(self & f) | (!self & g)`: `self` chooses between `f` and `g`, bit by bit.
            #[inline(always)]
            fn ch(self, f: Self, g: Self) -> Self {
                g ^ (self & (f ^ g))
            }

            /// `(self & b) | (self & c) | (b & c)`: what most of the three say, bit by bit.
            #[inline(always)]
            fn maj(self, b: Self, c: Self) -> Self {
                // In this form the next round of SHA-2 finds `self ^ b` already computed, as its own `b ^ c`.
                b ^ ((self ^ b) & (b ^ c))
            }

            /// `self ^ (b & c)`.
            #[inline(always)]
            fn xor_and(self, b: Self, c: Self) -> Self {
                self ^ (b & c)
            }

            /// `self ^ (!b & c)`.
            #[inline(always)]
            fn xor_andn(self, b: Self, c: Self) -> Self {
                self ^ b.andn(c)
            }

            /// `self ^ (b | c)`.
            #[inline(always)]
            fn xor_or(self, b: Self, c: Self) -> Self {
                self ^ (b | c)
            }

            #[doc(hidden)]
            #[inline(always)]
            fn load_block<const BIG: bool, const L: usize, const B: usize, const N: usize>(
                proof: Self::Proof,
                block: [&[u8; B]; L],
            ) -> [Self; N] {
                const { assert!(L == Self::LANES && N * size_of::<$word>() == B && N >= $tile && N <= 13 * $tile) }
                let mut words = [Self::splat(proof, 0); N];
                // Written out rather than a loop, so that the words stay in registers.
                $(
                    if $i * $tile < N {
                        // The last tile may begin early, and load a word again.
                        let first = if ($i + 1) * $tile <= N { $i * $tile } else { N - $tile };
                        let tile = Self::load_tile::<BIG, L, B>(proof, &block, first * size_of::<$word>());
                        let mut w = 0;
                        while w < $tile {
                            words[first + w] = tile[w];
                            w += 1;
                        }
                    }
                )*
                words
            }

            #[doc(hidden)]
            #[inline(always)]
            fn store_block<const BIG: bool, const L: usize, const B: usize, const N: usize>(
                words: [Self; N],
                mut out: [&mut [u8; B]; L],
            ) {
                const { assert!(L == Self::LANES && N * size_of::<$word>() == B && N >= $tile) }
                let mut i = 0;
                while i < N {
                    // The last tile may begin early, and store a word again.
                    let first = if i + $tile <= N { i } else { N - $tile };
                    let mut tile = [words[first]; $tile];
                    let mut w = 1;
                    while w < $tile {
                        tile[w] = words[first + w];
                        w += 1;
                    }
                    Self::store_tile::<BIG, L, B>(tile, &mut out, first * size_of::<$word>());
                    i += $tile;
                }
            }

            /// Word *w* of the result holds the little-endian word *w* of every lane's block, lane *i* from `block[i]`.
            ///
            /// Compiles only if `L` is `LANES` and `N` words fill the block of `B` bytes (16 to 208).
            #[inline(always)]
            fn load_le<const L: usize, const B: usize, const N: usize>(
                proof: Self::Proof,
                block: [&[u8; B]; L],
            ) -> [Self; N] {
                Self::load_block::<false, L, B, N>(proof, block)
            }

            /// [`load_le`](Self::load_le) for big-endian words.
            #[inline(always)]
            fn load_be<const L: usize, const B: usize, const N: usize>(
                proof: Self::Proof,
                block: [&[u8; B]; L],
            ) -> [Self; N] {
                Self::load_block::<true, L, B, N>(proof, block)
            }

            /// Lane *i* of `words`, in order and little-endian, into `out[i]`: the inverse of [`load_le`](Self::load_le).
            ///
            /// Compiles only if `L` is `LANES` and `N` words fill the block of `B` bytes (at least 16).
            #[inline(always)]
            fn store_le<const L: usize, const B: usize, const N: usize>(words: [Self; N], out: [&mut [u8; B]; L]) {
                Self::store_block::<false, L, B, N>(words, out);
            }

            /// [`store_le`](Self::store_le) for big-endian words.
            #[inline(always)]
            fn store_be<const L: usize, const B: usize, const N: usize>(words: [Self; N], out: [&mut [u8; B]; L]) {
                Self::store_block::<true, L, B, N>(words, out);
            }
        }
    };
}

words!(Words32, u32, "32", 4, tiles 0 1 2 3 4 5 6 7 8 9 10 11 12);
words!(Words64, u64, "64", 2, tiles 0 1 2 3 4 5 6 7 8 9 10 11 12);
