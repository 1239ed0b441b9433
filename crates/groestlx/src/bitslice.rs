//! P and Q in plain Rust, bit-sliced: no memory access and no branch depends on data.
//!
//! A word holds one bit of each of 64 bytes: bit 8 r + c belongs to row r and column c of eight columns. Plane b is made of
//! bit b of every byte of the state; it has `N` words. With `W` words for a permutation (1 for eight columns, 2 for
//! sixteen), word n belongs to the columns from 8 (n mod W) on of a permutation: number `FIRST` + n / W, 0 being P and 1 Q.

use crate::consts::{SHIFTS_256, SHIFTS_512, round_constant};

/// `[plane][word]`.
pub(crate) type Planes<const N: usize> = [[u64; N]; 8];

/// What the words of a layout need: `[word]` of each.
pub(crate) struct Layout<const N: usize, const W: usize, const FIRST: usize>;

/// Masks that rotate some of the rows of eight columns by a fixed number of columns.
#[derive(Clone, Copy)]
struct Rotation {
    /// Rows that stay.
    stay: u64,
    /// Columns that come from the right within the word.
    inside: u64,
    /// Columns that come from the start of the next word (of the same, if it is the only one).
    outside: u64,
}

impl<const N: usize, const W: usize, const FIRST: usize> Layout<N, W, FIRST> {
    /// Rotations by 1, 2 and 4 columns.
    const ROTATIONS: [[Rotation; N]; 3] = Self::rotations();

    /// Rows that go to the other word: rotation by 8 of sixteen columns.
    const EXCHANGES: [u64; N] = Self::rows(3);

    /// Rows of whose shift this bit is set.
    const fn rows(bit: usize) -> [u64; N] {
        let mut rows = [0; N];
        let mut n = 0;
        while n < N {
            let shifts = if W == 1 { SHIFTS_256[FIRST + n / W] } else { SHIFTS_512[FIRST + n / W] };
            let mut row = 0;
            while row < 8 {
                if shifts[row] >> bit & 1 == 1 {
                    rows[n] |= 0xff << (8 * row);
                }
                row += 1;
            }
            n += 1;
        }
        rows
    }

    const fn rotations() -> [[Rotation; N]; 3] {
        let mut rotations = [[Rotation { stay: 0, inside: 0, outside: 0 }; N]; 3];
        let mut bit = 0;
        while bit < 3 {
            let rows = Self::rows(bit);
            let inside = 0x0101_0101_0101_0101 * (0xff >> (1 << bit));
            let mut n = 0;
            while n < N {
                rotations[bit][n] = Rotation { stay: !rows[n], inside: rows[n] & inside, outside: rows[n] & !inside };
                n += 1;
            }
            bit += 1;
        }
        rotations
    }

    /// The constants of every round.
    pub(crate) const fn constants<const ROUNDS: usize>() -> [Planes<N>; ROUNDS] {
        let mut constants = [[[0; N]; 8]; ROUNDS];
        let mut i = 0;
        while i < ROUNDS * N * 64 {
            let (round, n, at) = (i / 64 / N, i / 64 % N, i % 64);
            let byte = round_constant(FIRST + n / W == 1, ROUNDS, round, at / 8, 8 * (n % W) + at % 8);
            let mut plane = 0;
            while plane < 8 {
                constants[round][plane][n] |= (byte as u64 >> plane & 1) << at;
                plane += 1;
            }
            i += 1;
        }
        constants
    }

    /// ShiftBytes of one plane.
    #[inline(always)]
    const fn shift_bytes(mut x: [u64; N]) -> [u64; N] {
        if W == 2 {
            let mut n = 0;
            while n < N {
                let swapped = (x[n] ^ x[n + 1]) & Self::EXCHANGES[n];
                x[n] ^= swapped;
                x[n + 1] ^= swapped;
                n += 2;
            }
        }
        let mut bit = 0;
        while bit < 3 {
            let by = 1 << bit;
            let mut out = [0; N];
            let mut n = 0;
            while n < N {
                let Rotation { stay, inside, outside } = Self::ROTATIONS[bit][n];
                let next = x[if W == 2 { n ^ 1 } else { n }];
                out[n] = (x[n] & stay) | ((x[n] >> by) & inside) | ((next << (8 - by)) & outside);
                n += 1;
            }
            x = out;
            bit += 1;
        }
        x
    }

    /// All rounds.
    #[inline(always)]
    pub(crate) const fn permute<const ROUNDS: usize>(planes: &mut Planes<N>, constants: &[Planes<N>; ROUNDS]) {
        let mut round = 0;
        while round < ROUNDS {
            let mut plane = 0;
            while plane < 8 {
                planes[plane] = xor(planes[plane], constants[round][plane]);
                plane += 1;
            }
            sub_bytes(planes);
            plane = 0;
            while plane < 8 {
                planes[plane] = Self::shift_bytes(planes[plane]);
                plane += 1;
            }
            mix_bytes(planes);
            round += 1;
        }
    }
}

/// Turns eight columns, a word each, into eight planes, or back: bit b of byte r of word c trades places with bit c of
/// byte r of word b.
#[inline(always)]
pub(crate) const fn transpose(mut words: [u64; 8]) -> [u64; 8] {
    let masks = [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f];
    let mut level = 0;
    while level < 3 {
        let by = 1 << level;
        let mut i = 0;
        while i < 8 {
            if i & by == 0 {
                let swapped = ((words[i] >> by) ^ words[i + by]) & masks[level];
                words[i + by] ^= swapped;
                words[i] ^= swapped << by;
            }
            i += 1;
        }
        level += 1;
    }
    words
}

/// Eight columns of a state, as words.
#[inline(always)]
pub(crate) const fn columns<const BYTES: usize>(state: &[u8; BYTES], first: usize) -> [u64; 8] {
    let mut words = [0; 8];
    let mut i = 0;
    while i < 8 {
        let (column, _) = state.split_at(8 * (first + i)).1.split_at(8);
        words[i] = match column.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => panic!("eight bytes were split off"),
        };
        i += 1;
    }
    words
}

#[inline(always)]
const fn xor<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut n = 0;
    while n < N {
        out[n] = a[n] ^ b[n];
        n += 1;
    }
    out
}

#[inline(always)]
const fn and<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut n = 0;
    while n < N {
        out[n] = a[n] & b[n];
        n += 1;
    }
    out
}

#[inline(always)]
const fn xnor<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    let mut out = [0; N];
    let mut n = 0;
    while n < N {
        out[n] = !(a[n] ^ b[n]);
        n += 1;
    }
    out
}

/// The planes of the bytes `R` rows further down.
#[inline(always)]
const fn down<const R: u32, const N: usize>(mut a: [u64; N]) -> [u64; N] {
    let mut n = 0;
    while n < N {
        a[n] = a[n].rotate_right(8 * R);
        n += 1;
    }
    a
}

/// Doubles every byte in the field of the AES.
#[inline(always)]
const fn double<const N: usize>(a: &Planes<N>) -> Planes<N> {
    let top = a[7];
    [top, xor(a[0], top), a[1], xor(a[2], top), xor(a[3], top), a[4], a[5], a[6]]
}

/// MixBytes. With t = a_i + a_(i+1), x = t_i + t_(i+3) and y = t_i + t_(i+2) + a_(i+6), row i of the result is
/// 2 (2 x_(i+3) + y_(i+7)) + y_(i+4).
#[inline(always)]
const fn mix_bytes<const N: usize>(a: &mut Planes<N>) {
    let mut x = [[0; N]; 8];
    let mut y = [[0; N]; 8];
    let mut plane = 0;
    while plane < 8 {
        let t = xor(a[plane], down::<1, N>(a[plane]));
        x[plane] = xor(t, down::<3, N>(t));
        y[plane] = down::<4, N>(xor(xor(t, down::<2, N>(t)), down::<6, N>(a[plane])));
        plane += 1;
    }
    let mut z = double(&x);
    plane = 0;
    while plane < 8 {
        z[plane] = xor(z[plane], y[plane]);
        plane += 1;
    }
    let z = double(&z);
    plane = 0;
    while plane < 8 {
        a[plane] = xor(down::<3, N>(z[plane]), y[plane]);
        plane += 1;
    }
}

/// The S-box of the AES on every byte, as the circuit of Boyar and Peralta (A small depth-16 circuit for the AES S-box):
/// a linear layer, the inversion, a linear layer.
#[inline(always)]
const fn sub_bytes<const N: usize>(s: &mut Planes<N>) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *s;

    let y14 = xor(u3, u5);
    let y13 = xor(u0, u6);
    let y9 = xor(u0, u3);
    let y8 = xor(u0, u5);
    let t0 = xor(u1, u2);
    let y1 = xor(t0, u7);
    let y4 = xor(y1, u3);
    let y12 = xor(y13, y14);
    let y2 = xor(y1, u0);
    let y5 = xor(y1, u6);
    let y3 = xor(y5, y8);
    let t1 = xor(u4, y12);
    let y15 = xor(t1, u5);
    let y20 = xor(t1, u1);
    let y6 = xor(y15, u7);
    let y10 = xor(y15, t0);
    let y11 = xor(y20, y9);
    let y7 = xor(u7, y11);
    let y17 = xor(y10, y11);
    let y19 = xor(y10, y8);
    let y16 = xor(t0, y11);
    let y21 = xor(y13, y16);
    let y18 = xor(u0, y16);

    let t2 = and(y12, y15);
    let t4 = xor(and(y3, y6), t2);
    let t6 = xor(and(y4, u7), t2);
    let t7 = and(y13, y16);
    let t9 = xor(and(y5, y1), t7);
    let t11 = xor(and(y2, y7), t7);
    let t12 = and(y9, y11);
    let t14 = xor(and(y14, y17), t12);
    let t16 = xor(and(y8, y10), t12);
    let t21 = xor(xor(t4, t14), y20);
    let t22 = xor(xor(t6, t16), y19);
    let t23 = xor(xor(t9, t14), y21);
    let t24 = xor(xor(t11, t16), y18);

    let t25 = xor(t21, t22);
    let t26 = and(t21, t23);
    let t27 = xor(t24, t26);
    let t29 = xor(and(t25, t27), t22);
    let t30 = xor(t23, t24);
    let t31 = xor(t22, t26);
    let t33 = xor(and(t31, t30), t24);
    let t34 = xor(t23, t33);
    let t35 = xor(t27, t33);
    let t36 = and(t24, t35);
    let t37 = xor(t36, t34);
    let t38 = xor(t27, t36);
    let t40 = xor(t25, and(t29, t38));
    let t41 = xor(t40, t37);
    let t42 = xor(t29, t33);
    let t43 = xor(t29, t40);
    let t44 = xor(t33, t37);
    let t45 = xor(t42, t41);

    let z0 = and(t44, y15);
    let z1 = and(t37, y6);
    let z2 = and(t33, u7);
    let z3 = and(t43, y16);
    let z4 = and(t40, y1);
    let z5 = and(t29, y7);
    let z6 = and(t42, y11);
    let z7 = and(t45, y17);
    let z8 = and(t41, y10);
    let z9 = and(t44, y12);
    let z10 = and(t37, y3);
    let z11 = and(t33, y4);
    let z12 = and(t43, y13);
    let z13 = and(t40, y5);
    let z14 = and(t29, y2);
    let z15 = and(t42, y9);
    let z16 = and(t45, y14);
    let z17 = and(t41, y8);

    let t46 = xor(z15, z16);
    let t47 = xor(z10, z11);
    let t48 = xor(z5, z13);
    let t49 = xor(z9, z10);
    let t50 = xor(z2, z12);
    let t51 = xor(z2, z5);
    let t52 = xor(z7, z8);
    let t53 = xor(z0, z3);
    let t54 = xor(z6, z7);
    let t55 = xor(z16, z17);
    let t56 = xor(z12, t48);
    let t57 = xor(t50, t53);
    let t58 = xor(z4, t46);
    let t59 = xor(z3, t54);
    let t60 = xor(t46, t57);
    let t61 = xor(z14, t57);
    let t62 = xor(t52, t58);
    let t63 = xor(t49, t58);
    let t64 = xor(z4, t59);
    let t65 = xor(t61, t62);
    let t66 = xor(z1, t63);
    let t67 = xor(t64, t65);

    let s3 = xor(t53, t66);
    let s0 = xor(t59, t63);
    let s6 = xnor(t56, t62);
    let s7 = xnor(t48, t60);
    let s4 = xor(t51, t66);
    let s5 = xor(t47, t65);
    let s1 = xnor(t64, s3);
    let s2 = xnor(t55, t67);
    *s = [s7, s6, s5, s4, s3, s2, s1, s0];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Product in the field of the AES (FIPS 197, section 4.2).
    fn multiply(a: u8, b: u8) -> u8 {
        let double = |a: u8| (a << 1) ^ (0x1b * (a >> 7));
        (0..8).rev().fold(0, |sum, bit| double(sum) ^ (a * (b >> bit & 1)))
    }

    /// FIPS 197, section 5.1.1: the inverse in the field, then an affine map.
    fn s_box(byte: u8) -> u8 {
        let inverse = (0..=255).find(|other| multiply(byte, *other) == 1).unwrap_or(0);
        (0..5).fold(0x63, |sum, by| sum ^ inverse.rotate_left(by))
    }

    #[test]
    fn circuit_is_the_s_box() {
        assert_eq!([s_box(0), s_box(0x53)], [0x63, 0xed]);
        for first in (0..=255).step_by(64) {
            let bytes: [u8; 64] = core::array::from_fn(|i| first + i as u8);
            let mut planes = transpose(columns(&bytes, 0)).map(|plane| [plane]);
            sub_bytes(&mut planes);
            let out = transpose(planes.map(|[plane]| plane));
            for (i, byte) in out.iter().flat_map(|column| column.to_le_bytes()).enumerate() {
                assert_eq!(byte, s_box(bytes[i]), "{:02x}", bytes[i]);
            }
        }
    }
}
