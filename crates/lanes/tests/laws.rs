//! Every operation of every vector type is that operation on each word.
//!
//! Types that this CPU lacks are skipped, and named on stderr.

use lanes::portable::{Scalar, U32s, U64s};
use lanes::{Words32, Words64};
use proptest::prelude::*;
use std::io::Write;

/// Every operation: its name, on the vectors `x y z`, and on the single words `a b c`.
macro_rules! table {
    ($row:ident: $x:ident $y:ident $z:ident, $a:ident $b:ident $c:ident, $($r:literal)*) => {
        [
            $row!("load", $x, $a),
            $row!("and", $x & $y, $a & $b),
            $row!("or", $x | $y, $a | $b),
            $row!("xor", $x ^ $y, $a ^ $b),
            $row!("not", !$x, !$a),
            $row!("add", $x.add($y), $a.wrapping_add($b)),
            $row!("andn", $x.andn($y), !$a & $b),
            $row!("swap_bytes", $x.swap_bytes(), $a.swap_bytes()),
            $row!("xor3", $x.xor3($y, $z), $a ^ $b ^ $c),
            $row!("ch", $x.ch($y, $z), ($a & $b) | (!$a & $c)),
            $row!("maj", $x.maj($y, $z), ($a & $b) | ($a & $c) | ($b & $c)),
            $row!("xor_and", $x.xor_and($y, $z), $a ^ ($b & $c)),
            $row!("xor_andn", $x.xor_andn($y, $z), $a ^ (!$b & $c)),
            $row!("xor_or", $x.xor_or($y, $z), $a ^ ($b | $c)),
            $(
                $row!(concat!("rotl ", $r), $x.rotl::<$r>(), $a.rotate_left($r)),
                $row!(concat!("rotr ", $r), $x.rotr::<$r>(), $a.rotate_right($r)),
                $row!(concat!("shl ", $r), $x.shl::<$r>(), $a << $r),
                $row!(concat!("shr ", $r), $x.shr::<$r>(), $a >> $r),
            )*
        ]
    };
}

/// The laws for one size of words: amounts of shifts and rotations; words per block loaded and stored.
///
/// Inside the region of the instructions there are only the operations and the stores of their results (`operations`,
/// `through_vectors`); what is right is worked out word by word and byte by byte outside.
macro_rules! laws {
    ($laws:ident, $Words:ident, $word:ident, amounts $($r:literal)*, blocks $($n:literal)*) => {
        mod $laws {
            use super::*;

            #[inline(always)]
            fn operations<W: $Words<Array = [$word; L]>, const L: usize>(
                proof: W::Proof,
                [a, b, c]: &[[$word; L]; 3],
            ) -> Vec<[$word; L]> {
                let [x, y, z] = [W::load(proof, a), W::load(proof, b), W::load(proof, c)];
                let stored = |vector: W| {
                    let mut words = W::ZERO;
                    vector.store(&mut words);
                    words
                };
                macro_rules! vector {
                    ($name:expr, $vector:expr, $single:expr) => {
                        stored($vector)
                    };
                }
                let mut results = table!(vector: x y z, a b c, $($r)*).to_vec();
                results.push(stored(W::splat(proof, a[0])));
                results
            }

            pub(super) fn check_operations<const L: usize>(words: &[[$word; L]; 3], got: &[[$word; L]]) {
                for lane in 0..L {
                    let [a, b, c] = words.map(|words| words[lane]);
                    macro_rules! single {
                        ($name:expr, $vector:expr, $single:expr) => {
                            ($name, $single)
                        };
                    }
                    let want = table!(single: x y z, a b c, $($r)*).into_iter().chain([("splat", words[0][0])]);
                    assert_eq!(got.len(), want.clone().count());
                    for ((name, want), got) in want.zip(got) {
                        assert_eq!(got[lane], want, "{name} of {a:x} {b:x} {c:x}, lane {lane} of {L}");
                    }
                }
            }

            /// The words of a block as loaded, both ways, and the bytes as stored again, both ways.
            #[inline(always)]
            fn through_vectors<W: $Words<Array = [$word; L]>, const L: usize, const B: usize, const N: usize>(
                proof: W::Proof,
                block: [&[u8; B]; L],
                words: &mut [[[$word; L]; N]; 2],
                [little, big]: [[&mut [u8; B]; L]; 2],
            ) {
                let vectors: [[W; N]; 2] = [W::load_le(proof, block), W::load_be(proof, block)];
                for (vector, words) in vectors.iter().flatten().zip(words.iter_mut().flatten()) {
                    vector.store(words);
                }
                W::store_le(vectors[0], little);
                W::store_be(vectors[1], big);
            }

            /// Is that right, and nothing written beside the blocks of `B` bytes?
            fn check_blocks<const L: usize>(
                block: [&[u8]; L],
                [little, big]: [&[[$word; L]]; 2],
                stored: &[[Vec<u8>; L]; 2],
                at: &[usize; L],
            ) {
                for lane in 0..L {
                    for (w, bytes) in block[lane].as_chunks::<{ size_of::<$word>() }>().0.iter().enumerate() {
                        assert_eq!(little[w][lane], $word::from_le_bytes(*bytes), "load_le, word {w}, lane {lane} of {L}");
                        assert_eq!(big[w][lane], $word::from_be_bytes(*bytes), "load_be, word {w}, lane {lane} of {L}");
                    }
                    let (at, size) = (at[lane] % 64, block[lane].len());
                    for (order, got) in ["store_le", "store_be"].iter().zip(stored) {
                        let (before, rest) = got[lane].split_at(at);
                        let (got, after) = rest.split_at(size);
                        assert_eq!(got, block[lane], "{order}, lane {lane} of {L}");
                        assert!([before, after].concat().iter().all(|byte| *byte == MARK), "{order} writes elsewhere");
                    }
                }
            }

            pub(super) fn all<W: $Words<Array = [$word; L], Proof: Region>, const L: usize>(name: &str, proof: W::Proof) {
                assert_eq!(W::LANES, L);
                let run = |words: &[[$word; L]; 3]| {
                    let got = proof.enter(#[inline(always)] || operations::<W, L>(proof, words));
                    check_operations(words, &got);
                };
                // The corners first: no bit, all bits, one bit.
                let [none, all] = [[0; L], [$word::MAX; L]];
                for bit in 0..$word::BITS {
                    let one = [1 << bit; L];
                    run(&[one, none, all]);
                    run(&[all, one, one]);
                }
                proptest!(|(words: [[$word; L]; 3],
                            memory in prop::collection::vec(any::<u8>(), MEMORY),
                            at: [prop::sample::Index; L])| {
                    run(&words);
                    let at = at.map(|at| at.index(MEMORY - BLOCK + 1));
                    $(
                        let block: [&[u8; $n * size_of::<$word>()]; L] = at.map(|at| memory[at..].first_chunk().unwrap());
                        let mut words = [[[0; L]; $n]; 2];
                        let mut stored = [(); 2].map(|()| at.map(|at| vec![MARK; at % 64 + BLOCK + 64]));
                        let out = stored.each_mut().map(|stored| {
                            let mut at = at.iter();
                            stored.each_mut().map(|out| out[at.next().unwrap() % 64..].first_chunk_mut().unwrap())
                        });
                        proof.enter(
                            #[inline(always)]
                            || through_vectors::<W, L, _, $n>(proof, block, &mut words, out),
                        );
                        check_blocks(block.map(|block| &block[..]), [&words[0], &words[1]], &stored, &at);
                    )*
                });
                tell(name, "ran");
            }
        }
    };
}

laws!(laws32, Words32, u32,
    amounts 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31,
    blocks 4 5 16 52);
laws!(laws64, Words64, u64,
    amounts 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63,
    blocks 2 3 9 16 17 26);

/// Longest block above, and room for it at any offset.
const BLOCK: usize = 208;
const MEMORY: usize = 4096;

/// What nothing may overwrite.
const MARK: u8 = 0xa5;

fn tell(name: &str, what: &str) {
    // At once, or other threads come between.
    std::io::stderr().write_all(format!("laws: {name} {what}\n").as_bytes()).unwrap();
}

/// Runs code with a proof's instructions.
trait Region: Copy {
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;
}

impl Region for Scalar {
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// A test for each type.
macro_rules! types {
    ($laws:ident: $($test:ident $Type:ty, $lanes:literal lanes, $proof:expr;)*) => {$(
        #[test]
        fn $test() {
            match $proof {
                Some(proof) => $laws::all::<$Type, $lanes>(stringify!($test), proof),
                None => tell(stringify!($test), "skipped: this CPU lacks the instructions, or they are denied"),
            }
        }
    )*};
}

types! { laws32:
    portable_u32 u32, 1 lanes, Some(Scalar);
    portable_u32s_3 U32s<3>, 3 lanes, Some(Scalar);
    portable_u32s_8 U32s<8>, 8 lanes, Some(Scalar);
}

types! { laws64:
    portable_u64 u64, 1 lanes, Some(Scalar);
    portable_u64s_5 U64s<5>, 5 lanes, Some(Scalar);
    portable_u64s_8 U64s<8>, 8 lanes, Some(Scalar);
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64 {
    use super::*;
    use lanes::cpu::{Avx2, Avx512, Ssse3};
    use lanes::x86_64::{avx2, avx512, ssse3};

    macro_rules! region {
        ($($Proof:ident)*) => {$(
            impl Region for $Proof {
                #[inline(always)]
                fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                    self.enter(f)
                }
            }
        )*};
    }

    region!(Ssse3 Avx2 Avx512);

    types! { laws32:
        ssse3_u32x4 ssse3::U32x4, 4 lanes, Ssse3::detect();
        avx2_u32x8 avx2::U32x8, 8 lanes, Avx2::detect();
        avx512_u32x4 avx512::U32x4, 4 lanes, Avx512::detect();
        avx512_u32x8 avx512::U32x8, 8 lanes, Avx512::detect();
        avx512_u32x16 avx512::U32x16, 16 lanes, Avx512::detect();
    }

    types! { laws64:
        ssse3_u64x2 ssse3::U64x2, 2 lanes, Ssse3::detect();
        avx2_u64x4 avx2::U64x4, 4 lanes, Avx2::detect();
        avx512_u64x2 avx512::U64x2, 2 lanes, Avx512::detect();
        avx512_u64x4 avx512::U64x4, 4 lanes, Avx512::detect();
        avx512_u64x8 avx512::U64x8, 8 lanes, Avx512::detect();
    }
}
