//! The permutation of one state on a CPU with AVX-512: a plane, which is five lanes of one y, in each of five vectors.
//!
//! Lane x of vector y is lane (x, y); the upper three lanes of a vector hold nothing of use. rho is one variable rotation
//! a plane, theta's neighbours are lane permutations of its two parities, pi is a transposition by two-source
//! permutations, and psi is two three-operand instructions a plane.
//!
//! What limits it: rotations run on one port and permutations on another, about 17 of each a round.

use core::{arch::x86_64::*, hint::black_box};

use ::lanes::cpu::Avx512;

use super::{State, capacity};
use crate::consts::{LAST, R, RC, ROUNDS, S, TAU, U, add_back, relative};

/// Of theta's second parity: the row that is not rotated. With this one, another is rotated by whole bytes.
const BASE: usize = 3;

/// The lanes of a plane.
const PLANE: __mmask8 = 0b11111;

/// A vector of constants.
#[repr(align(64))]
struct Lanes([u64; 8]);

/// The old x of what pi moves from row `from` to row `to`.
const fn source(from: usize, to: usize) -> u64 {
    (3 * (to + 13 - 3 * from) % 5) as u64
}

/// Constants of the kernel. It reaches them by a pointer that the compiler knows nothing of: where it knows the
/// selectors of permutations, it replaces those by more permutations.
struct Tables {
    /// rho's rotations of plane y.
    rho: [Lanes; 5],
    /// iota's constants as planes; the one behind the last is zero.
    iota: [Lanes; ROUNDS + 1],
    /// The constant of a message's last block as a plane, behind that of all others, zero.
    constant: [Lanes; 2],
    /// The lane to the right, around a plane; that to the left; that two to the left.
    right: Lanes,
    left: Lanes,
    two_left: Lanes,
    /// For pi: the lanes of rows 0 and 1, and of rows 2 and 3, that go to rows 0 to 3, in pairs.
    pairs: [Lanes; 2],
    /// For pi: the lanes of the same rows that go to row 4, each where it goes.
    last: [Lanes; 2],
    /// For pi: what rows 0 to 3 take from the pairs.
    rows: [Lanes; 4],
    /// For pi: the lane of row 4 that goes to row y.
    fourth: [Lanes; 5],
    /// Masks: lanes 0 to 3, and lane 4. They are here for the same reason.
    lower: __mmask8,
    upper: __mmask8,
    /// For a plane of a block: the words in reverse, and the bytes of each word in reverse.
    words: Lanes,
    bytes: Lanes,
}

static TABLES: Tables = Tables {
    rho: {
        let mut all = [const { Lanes([0; 8]) }; 5];
        let mut i = 0;
        while i < 25 {
            all[i / 5].0[i % 5] = TAU[i] as u64;
            i += 1;
        }
        all
    },
    iota: {
        let mut all = [const { Lanes([0; 8]) }; ROUNDS + 1];
        let mut i = 0;
        while i < ROUNDS {
            all[i].0[0] = RC[i];
            i += 1;
        }
        all
    },
    constant: [Lanes([0; 8]), Lanes([LAST, 0, 0, 0, 0, 0, 0, 0])],
    right: neighbour(1),
    left: neighbour(4),
    two_left: neighbour(3),
    pairs: [pairs(0), pairs(2)],
    last: [
        Lanes([source(0, 4), 8 + source(1, 4), 0, 0, 0, 0, 0, 0]),
        Lanes([0, 0, source(2, 4), 8 + source(3, 4), 0, 0, 0, 0]),
    ],
    rows: [row(0), row(1), row(2), row(3)],
    fourth: [fourth(0), fourth(1), fourth(2), fourth(3), fourth(4)],
    lower: 0b01111,
    upper: 0b10000,
    words: Lanes([4, 3, 2, 1, 0, 5, 6, 7]),
    bytes: {
        let (low, high) = (0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
        Lanes([low, high, low, high, low, high, low, high])
    },
};

/// The lane `by` places to the right, around a plane.
const fn neighbour(by: usize) -> Lanes {
    let mut lanes = [0; 8];
    let mut x = 0;
    while x < 5 {
        lanes[x] = ((x + by) % 5) as u64;
        x += 1;
    }
    Lanes(lanes)
}

/// The lanes of rows `first` and `first + 1` that go to rows 0 to 3.
const fn pairs(first: usize) -> Lanes {
    let mut lanes = [0; 8];
    let mut to = 0;
    while to < 4 {
        lanes[2 * to] = source(first, to);
        lanes[2 * to + 1] = 8 + source(first + 1, to);
        to += 1;
    }
    Lanes(lanes)
}

/// Pair `to` of the first vector, and of the second.
const fn row(to: usize) -> Lanes {
    let pair = 2 * to as u64;
    Lanes([pair, pair + 1, 8 + pair, 9 + pair, 0, 0, 0, 0])
}

/// The lane of row 4 that goes to row `to`, everywhere.
const fn fourth(to: usize) -> Lanes {
    Lanes([source(4, to); 8])
}

/// The bare permutation.
#[inline(never)]
pub(crate) fn permute(proof: Avx512, state: &mut State) {
    proof.enter(
        #[inline(always)]
        || {
            let kernel = Kernel { proof, tables: black_box(&TABLES) };
            kernel.store(state, kernel.rounds(kernel.load(state)));
        },
    );
}

rates!(Avx512 by blocks);

#[inline(always)]
fn blocks<const RATE: usize>(proof: Avx512, state: &mut State, first: &[[u8; RATE]], end: &[[u8; RATE]]) {
    proof.enter(
        #[inline(always)]
        || {
            let kernel = Kernel { proof, tables: black_box(&TABLES) };
            let mut planes = kernel.load(state);
            let all = first.len() + end.len();
            // One loop for both, so that the rounds stand there once.
            for i in 0..all {
                let block = if i < first.len() { &first[i] } else { &end[i - first.len()] };
                planes = kernel.absorb(planes, block, i + 1 == all && !end.is_empty());
            }
            kernel.store(state, planes);
        },
    );
}

/// The instructions and their constants. Its methods are inlined into a region where the instructions are enabled.
#[derive(Clone, Copy)]
struct Kernel<'a> {
    /// That the CPU has what `Avx512` stands for.
    #[allow(dead_code, reason = "a proof: it is enough that it exists")]
    proof: Avx512,
    tables: &'a Tables,
}

impl Kernel<'_> {
    /// One block with its feed-forward.
    #[inline(always)]
    fn absorb<const RATE: usize>(self, mut planes: [__m512i; 5], block: &[u8; RATE], last: bool) -> [__m512i; 5] {
        // SAFETY: `proof` exists, so the CPU has the features of every instruction. A load under a mask reads the words
        // of the mask only, and so many of the block follow word 20 - 5 y.
        unsafe {
            let constant = self.vector(&self.tables.constant[usize::from(last)]);
            planes[0] = _mm512_xor_si512(planes[0], constant);
            let before = planes;
            let mut y = 0;
            while y < 5 {
                // Lane x takes word 24 - 5 y - x of the block: five words, or fewer at the border of the capacity, in
                // reverse.
                let words = (RATE / 8).saturating_sub(20 - 5 * y);
                if words > 0 {
                    let mask = if words < 5 { (1 << words) - 1 } else { PLANE };
                    let words = _mm512_maskz_loadu_epi64(mask, block.as_ptr().add(8 * (20 - 5 * y)).cast());
                    let words = _mm512_shuffle_epi8(words, self.vector(&self.tables.bytes));
                    let words = _mm512_permutexvar_epi64(self.vector(&self.tables.words), words);
                    planes[y] = _mm512_xor_si512(planes[y], words);
                }
                y += 1;
            }
            let mut after = self.rounds(planes);
            let inner = const { capacity(RATE) };
            let mut y = 0;
            while y < 5 {
                if inner >= 5 * (y + 1) {
                    after[y] = _mm512_xor_si512(after[y], before[y]);
                } else if inner > 5 * y {
                    after[y] = _mm512_mask_xor_epi64(after[y], (1 << (inner - 5 * y)) - 1, after[y], before[y]);
                }
                y += 1;
            }
            after
        }
    }

    #[inline(always)]
    fn rounds(self, mut a: [__m512i; 5]) -> [__m512i; 5] {
        // SAFETY: `proof` exists, so the CPU has the features of every instruction.
        a[0] = unsafe { _mm512_xor_si512(a[0], self.vector(&self.tables.iota[0])) };
        let mut i = 1;
        while i < ROUNDS {
            a = self.round(a, &self.tables.iota[i]);
            a = self.round(a, &self.tables.iota[i + 1]);
            i += 2;
        }
        a
    }

    /// A round without its iota, and `next`, which is the iota of the round that follows.
    #[inline(always)]
    fn round(self, a: [__m512i; 5], next: &Lanes) -> [__m512i; 5] {
        const XOR: i32 = 0x96;
        // !a & b & !c.
        const AND_OF_NEITHER: i32 = 0x04;
        let Tables { rho, left, right, two_left, pairs, last, rows, fourth, lower, upper, .. } = self.tables;

        // SAFETY: `proof` exists, so the CPU has the features of every instruction.
        unsafe {
            // rho.
            let b0 = _mm512_rorv_epi64(a[0], self.vector(&rho[0]));
            let b1 = _mm512_rorv_epi64(a[1], self.vector(&rho[1]));
            let b2 = _mm512_rorv_epi64(a[2], self.vector(&rho[2]));
            let b3 = _mm512_rorv_epi64(a[3], self.vector(&rho[3]));
            let b4 = _mm512_rorv_epi64(a[4], self.vector(&rho[4]));

            // The two parities of theta.
            let p = _mm512_ternarylogic_epi64::<XOR>(b0, b1, b2);
            let p = _mm512_ternarylogic_epi64::<XOR>(p, b3, b4);
            let q0 = _mm512_ror_epi64::<{ relative(0, BASE) as i32 }>(b0);
            let q1 = _mm512_ror_epi64::<{ relative(1, BASE) as i32 }>(b1);
            let q2 = _mm512_ror_epi64::<{ relative(2, BASE) as i32 }>(b2);
            let q4 = _mm512_ror_epi64::<{ relative(4, BASE) as i32 }>(b4);
            let q = _mm512_ternarylogic_epi64::<XOR>(b3, q1, q0);
            let q = _mm512_ternarylogic_epi64::<XOR>(q, q2, q4);

            let e = _mm512_permutexvar_epi64(self.vector(left), _mm512_ror_epi64::<{ (U + R) as i32 }>(p));
            let e = _mm512_xor_si512(_mm512_ror_epi64::<{ U as i32 }>(p), e);
            let f = _mm512_permutexvar_epi64(self.vector(two_left), _mm512_ror_epi64::<{ S as i32 }>(q));
            let f = _mm512_xor_si512(_mm512_permutexvar_epi64(self.vector(right), q), f);

            let c0 = _mm512_ternarylogic_epi64::<XOR>(b0, e, _mm512_ror_epi64::<{ add_back(0, BASE) as i32 }>(f));
            let c1 = _mm512_ternarylogic_epi64::<XOR>(b1, e, _mm512_ror_epi64::<{ add_back(1, BASE) as i32 }>(f));
            let c4 = _mm512_ternarylogic_epi64::<XOR>(b4, e, _mm512_ror_epi64::<{ add_back(4, BASE) as i32 }>(f));
            let c2 = _mm512_ternarylogic_epi64::<XOR>(b2, e, _mm512_ror_epi64::<{ add_back(2, BASE) as i32 }>(f));
            let c3 = _mm512_ternarylogic_epi64::<XOR>(b3, e, _mm512_ror_epi64::<{ add_back(3, BASE) as i32 }>(f));

            // pi: pairs of rows 0 and 1, 2 and 3 for the new rows 0 to 3; lane 4, from row 4, waits in the selector, which
            // a permutation under a mask leaves there.
            let u = _mm512_permutex2var_epi64(c0, self.vector(&pairs[0]), c1);
            let v = _mm512_permutex2var_epi64(c2, self.vector(&pairs[1]), c3);
            macro_rules! row {
                ($to:literal) => {{
                    let selector = self.vector(&rows[$to]);
                    let selector = _mm512_mask_permutexvar_epi64(selector, *upper, self.vector(&fourth[$to]), c4);
                    _mm512_mask2_permutex2var_epi64(u, selector, *lower, v)
                }};
            }
            let (d0, d1, d2, d3) = (row!(0), row!(1), row!(2), row!(3));
            let d4 = _mm512_permutex2var_epi64(c2, self.vector(&last[1]), c3);
            let d4 = _mm512_mask_permutexvar_epi64(d4, *upper, self.vector(&fourth[4]), c4);
            let d4 = _mm512_mask_blend_epi64(0b00011, d4, _mm512_permutex2var_epi64(c0, self.vector(&last[0]), c1));

            // psi.
            let n0 = _mm512_ternarylogic_epi64::<AND_OF_NEITHER>(d1, d2, d4);
            let n1 = _mm512_ternarylogic_epi64::<AND_OF_NEITHER>(d2, d3, d0);
            let n2 = _mm512_ternarylogic_epi64::<AND_OF_NEITHER>(d3, d4, d1);
            let n3 = _mm512_ternarylogic_epi64::<AND_OF_NEITHER>(d4, d0, d2);
            let n4 = _mm512_ternarylogic_epi64::<AND_OF_NEITHER>(d0, d1, d3);
            [
                _mm512_ternarylogic_epi64::<XOR>(d3, n0, self.vector(next)),
                _mm512_xor_si512(d4, n1),
                _mm512_xor_si512(d0, n2),
                _mm512_xor_si512(d1, n3),
                _mm512_xor_si512(d2, n4),
            ]
        }
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> __m512i {
        // SAFETY: `proof` exists, so the CPU has AVX-512; sixty-four bytes, aligned to as many.
        unsafe { _mm512_load_si512((&raw const lanes.0).cast()) }
    }

    #[inline(always)]
    fn load(self, state: &State) -> [__m512i; 5] {
        // SAFETY: `proof` exists, so the CPU has AVX-512. A load under a mask reads the words of the mask only: five from
        // word 5 y on, of 25.
        let plane = |y: usize| unsafe { _mm512_maskz_loadu_epi64(PLANE, state.as_ptr().add(5 * y).cast()) };
        [plane(0), plane(1), plane(2), plane(3), plane(4)]
    }

    #[inline(always)]
    fn store(self, state: &mut State, planes: [__m512i; 5]) {
        for (y, plane) in planes.into_iter().enumerate() {
            // SAFETY: `proof` exists, so the CPU has AVX-512. A store under a mask writes the words of the mask only: five
            // from word 5 y on, of 25.
            unsafe { _mm512_mask_storeu_epi64(state.as_mut_ptr().add(5 * y).cast(), PLANE, plane) }
        }
    }
}
