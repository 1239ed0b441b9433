//! What the kernels that keep the state in rows make of the constants. All of it is worked out when the crate is compiled.

use crate::consts::{ROUNDS_256, ROUNDS_512, SHIFTS_256, SHIFTS_512, round_constant};

/// First row of the circulant matrix of MixBytes (section 3.4.5).
const MIX: [u8; 8] = [2, 2, 3, 4, 5, 3, 5, 7];

/// Product in the field of the AES, GF(2)[x] / (x^8 + x^4 + x^3 + x + 1).
pub(crate) const fn multiply(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = (a << 1) ^ (if a >> 7 == 1 { 0x1b } else { 0 });
        b >>= 1;
    }
    product
}

/// `a` to the power of `n`.
const fn power(a: u8, n: u32) -> u8 {
    let mut product = 1;
    let mut i = 0;
    while i < n {
        product = multiply(product, a);
        i += 1;
    }
    product
}

/// MixBytes of one column.
pub(crate) const fn mix(column: [u8; 8]) -> [u8; 8] {
    let mut out = [0; 8];
    let mut i = 0;
    while i < 64 {
        out[i / 8] ^= multiply(MIX[i % 8], column[(i / 8 + i) % 8]);
        i += 1;
    }
    out
}

/// First row of the inverse of the matrix of MixBytes. That matrix is a polynomial in the rotation by one row, whose eighth
/// power is the identity; so in characteristic 2 its own eighth power is the eighth power of the sum of its row, a number.
const UNMIX: [u8; 8] = {
    // 254 = -1 modulo the order of the field's group.
    let scale = power(power(SUM, 8), 254);
    let mut column = [scale, 0, 0, 0, 0, 0, 0, 0];
    let mut i = 0;
    while i < 7 {
        column = mix(column);
        i += 1;
    }
    let mut row = [0; 8];
    i = 0;
    while i < 8 {
        row[i] = column[(8 - i) % 8];
        i += 1;
    }
    row
};

/// What MixBytes multiplies a column of equal bytes by.
const SUM: u8 = mix([1; 8])[0];
const UNSUM: u8 = power(SUM, 254);

/// Where a kernel adds what AddRoundConstant adds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Added {
    /// At the start of a round, as defined.
    AtTheStart,
    /// Before the MixBytes of the round before, together with `offset`, which that kernel's MixBytes adds to every byte.
    BeforeMixBytes {
        /// The same for all bytes.
        offset: u8,
    },
}

/// The byte that is added in place of a round's constant.
const fn added(how: Added, q: bool, rounds: usize, round: usize, row: usize, column: usize) -> u8 {
    match how {
        Added::BeforeMixBytes { offset } if round > 0 => {
            // The constants are the same in all rows but one.
            let odd = if q { 7 } else { 0 };
            let same = round_constant(q, rounds, round, 1, column);
            let counter = round_constant(q, rounds, round, odd, column) ^ same;
            multiply(same ^ offset, UNSUM) ^ multiply(counter, UNMIX[(8 + odd - row) % 8])
        }
        _ => round_constant(q, rounds, round, row, column),
    }
}

/// `[round][row]`: what is added to the rows of P (first eight bytes) and of Q (last eight) of Groestl-256.
pub(crate) const fn keys_256(how: Added) -> [[[u8; 16]; 8]; ROUNDS_256 + 1] {
    let mut keys = [[[0; 16]; 8]; ROUNDS_256 + 1];
    let mut i = 0;
    while i < 16 * (ROUNDS_256 + 1) {
        let (round, at) = (i / 16, i % 16);
        let mut row = 0;
        while row < 8 {
            keys[round][row][at] = added(how, at >= 8, ROUNDS_256, round, row, at % 8);
            row += 1;
        }
        i += 1;
    }
    keys
}

/// The constants of the first round of P and of Q, two rows in sixteen bytes.
pub(crate) const fn starts_256() -> [[[u8; 16]; 4]; 2] {
    let mut starts = [[[0; 16]; 4]; 2];
    let mut i = 0;
    while i < 128 {
        let (q, row, column) = (i / 64, i / 8 % 8, i % 8);
        starts[q][row / 2][i % 16] = round_constant(q == 1, ROUNDS_256, 0, row, column);
        i += 1;
    }
    starts
}

/// `[round][row]`: what is added to the rows of P (first sixteen bytes) and of Q (last sixteen) of Groestl-512.
pub(crate) const fn keys_512(how: Added) -> [[[u8; 32]; 8]; ROUNDS_512 + 1] {
    let mut keys = [[[0; 32]; 8]; ROUNDS_512 + 1];
    let mut i = 0;
    while i < 32 * (ROUNDS_512 + 1) {
        let (round, at) = (i / 32, i % 32);
        let mut row = 0;
        while row < 8 {
            keys[round][row][at] = added(how, at >= 16, ROUNDS_512, round, row, at % 16);
            row += 1;
        }
        i += 1;
    }
    keys
}

/// Where a byte of the result of `aesenclast` comes from: ShiftRows on a matrix of four by four, column after column.
const fn aes_shift_rows(to: usize) -> usize {
    let (column, row) = (to / 4, to % 4);
    (column + row) % 4 * 4 + row
}

/// The byte shuffle of one row of Groestl-256, P in the first half and Q in the second: ShiftBytes, and with `aes` also
/// what undoes the ShiftRows of `aesenclast`.
pub(crate) const fn shuffles_256(aes: bool) -> [[u8; 16]; 8] {
    let mut shuffles = [[0; 16]; 8];
    let mut i = 0;
    while i < 128 {
        let (row, to) = (i / 16, i % 16);
        let from = to / 8 * 8 + (to + SHIFTS_256[to / 8][row]) % 8;
        shuffles[row][if aes { aes_shift_rows(to) } else { to }] = from as u8;
        i += 1;
    }
    shuffles
}

/// The byte shuffles of one row of Groestl-512: P in the first sixteen bytes, Q in the last.
pub(crate) const fn shuffles_512(aes: bool) -> [[u8; 32]; 8] {
    let mut shuffles = [[0; 32]; 8];
    let mut i = 0;
    while i < 256 {
        let (row, q, to) = (i / 32, i / 16 % 2, i % 16);
        let from = (to + SHIFTS_512[q][row]) % 16;
        shuffles[row][16 * q + if aes { aes_shift_rows(to) } else { to }] = from as u8;
        i += 1;
    }
    shuffles
}

/// The affine part of the S-box times `factor`, as `gf2p8affineinvqb` wants it: byte 7 - i says which bits of the inverse
/// make up bit i (FIPS 197, section 5.1.1).
const fn s_box_matrix(factor: u8) -> u64 {
    let mut matrix = 0;
    let mut i = 0;
    while i < 64 {
        let (bit, from) = (i / 8, i % 8);
        let unit = 1_u8 << from;
        let image = unit ^ unit.rotate_left(1) ^ unit.rotate_left(2) ^ unit.rotate_left(3) ^ unit.rotate_left(4);
        matrix |= ((multiply(image, factor) >> bit & 1) as u64) << (8 * (7 - bit) + from);
        i += 1;
    }
    matrix
}

/// Matrices of the S-box and of its double and quadruple; the constants to them are 0x63, 0xc6 and 0x97.
pub(crate) const S_BOX: u64 = s_box_matrix(1);
pub(crate) const S_BOX_DOUBLED: u64 = s_box_matrix(2);
pub(crate) const S_BOX_QUADRUPLED: u64 = s_box_matrix(4);
const _: () = assert!(multiply(0x63, 2) == 0xc6 && multiply(0x63, 4) == 0x97);

/// `[round][permutation]`: the constants of Groestl-256 column by column, from the second round on three rows further
/// down.
pub(crate) const fn columns_256() -> [[[u8; 64]; 2]; ROUNDS_256 + 1] {
    let mut keys = [[[0; 64]; 2]; ROUNDS_256 + 1];
    let mut i = 0;
    while i < 128 * (ROUNDS_256 + 1) {
        let (round, q, column, row) = (i / 128, i / 64 % 2, i / 8 % 8, i % 8);
        let to = if round == 0 { row } else { (row + 3) % 8 };
        keys[round][q][8 * column + to] = round_constant(q == 1, ROUNDS_256, round, row, column);
        i += 1;
    }
    keys
}

/// `[turned][permutation]`: ShiftBytes of Groestl-256 as one byte permutation; `turned`: of rows that stand three further
/// down, which it moves up.
pub(crate) const fn turns_256() -> [[[u8; 64]; 2]; 2] {
    let mut turns = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 256 {
        let (turned, q, column, row) = (i / 128, i / 64 % 2, i / 8 % 8, i % 8);
        let from = (column + SHIFTS_256[q][row]) % 8;
        turns[turned][q][i % 64] = (8 * from + (row + 3 * turned) % 8) as u8;
        i += 1;
    }
    turns
}

/// In which round which row comes first in the folded form of Groestl-256: see `folded` in `x86_folded`.
const fn first_row(round: usize) -> usize {
    5 * round % 8
}

/// Row, permutation (0 for P, 1 for Q) and column that byte `at` of vector `k` belongs to in the folded form, with `N`
/// bytes a vector: 16 for P alone, 32 for P and Q.
const fn place<const N: usize>(round: usize, k: usize, at: usize) -> (usize, usize, usize) {
    let half = N / 2;
    ((first_row(round) + k + 4 * (at / half)) % 8, at % half / 8, at % 8)
}

/// `[round][vector]`: what is added before the MixBytes of the round.
pub(crate) const fn keys_folded<const N: usize>(how: Added) -> [[[u8; N]; 4]; ROUNDS_256] {
    let mut keys = [[[0; N]; 4]; ROUNDS_256];
    let mut i = 0;
    while i < 4 * N * ROUNDS_256 {
        let (round, k, at) = (i / N / 4, i / N % 4, i % N);
        let (row, q, column) = place::<N>(round, k, at);
        keys[round][k][at] = added(how, q == 1, ROUNDS_256, round + 1, row, column);
        i += 1;
    }
    keys
}

/// `[round][vector]`: the byte shuffles of ShiftBytes, and what undoes the ShiftRows of `aesenclast`.
pub(crate) const fn shuffles_folded<const N: usize>() -> [[[u8; N]; 4]; ROUNDS_256] {
    let mut shuffles = [[[0; N]; 4]; ROUNDS_256];
    let mut i = 0;
    while i < 4 * N * ROUNDS_256 {
        let (round, k, to) = (i / N / 4, i / N % 4, i % N);
        let (row, q, column) = place::<N>(round, k, to);
        let from = to % 16 / 8 * 8 + (column + SHIFTS_256[q][row]) % 8;
        shuffles[round][k][to / 16 * 16 + aes_shift_rows(to % 16)] = from as u8;
        i += 1;
    }
    shuffles
}

/// The constants of the first round of P and of Q, in the order of the rows of two vectors: 0, 1, 4, 5 and 2, 3, 6, 7.
pub(crate) const fn starts_folded() -> [[[u8; 32]; 2]; 2] {
    let mut starts = [[[0; 32]; 2]; 2];
    let mut i = 0;
    while i < 128 {
        let (q, vector, at) = (i / 64, i / 32 % 2, i % 32);
        let row = 2 * vector + at / 16 * 4 + at / 8 % 2;
        starts[q][vector][at] = round_constant(q == 1, ROUNDS_256, 0, row, at % 8);
        i += 1;
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_the_constants() {
        for (q, round, offset) in [(false, 1, 0x2d), (true, 9, 0x2d), (true, 3, 0), (false, 10, 0), (true, 10, 0x2d)] {
            for column in 0..8 {
                let how = Added::BeforeMixBytes { offset };
                let keys = core::array::from_fn(|row| added(how, q, 10, round, row, column));
                let constants = core::array::from_fn(|row| round_constant(q, 10, round, row, column) ^ offset);
                assert_eq!(mix(keys), constants, "{q} {round} {column}");
            }
        }
    }

    #[test]
    fn products_of_fips_197() {
        // FIPS 197, sections 4.2 and 4.2.1.
        assert_eq!([multiply(0x57, 0x83), multiply(0x57, 0x13)], [0xc1, 0xfe]);
    }

    #[test]
    fn shift_rows_is_undone() {
        let mut seen = [false; 16];
        for to in 0..16 {
            seen[aes_shift_rows(to)] = true;
        }
        assert_eq!(seen, [true; 16]);
        assert_eq!([0, 1, 2, 3, 4].map(aes_shift_rows), [0, 5, 10, 15, 4]);
    }
}
