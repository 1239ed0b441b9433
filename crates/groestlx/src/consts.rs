//! Constants of the Groestl specification (round 3, section 3).

/// By how many columns ShiftBytes rotates each row to the left: P, then Q (section 3.4.4).
pub(crate) const SHIFTS_256: [[usize; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [1, 3, 5, 7, 0, 2, 4, 6]];

/// The same for Groestl-384 and Groestl-512, with sixteen columns.
pub(crate) const SHIFTS_512: [[usize; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 11], [1, 3, 5, 11, 0, 2, 4, 6]];

/// Rounds of the permutations of 512 and of 1024 bits.
pub(crate) const ROUNDS_256: usize = 10;
pub(crate) const ROUNDS_512: usize = 14;

/// The initial value (section 3.5): zeros, and the length of the digest in bits as a number of `N` bytes.
pub(crate) const fn iv<const N: usize>(digest_bits: u16) -> [u8; N] {
    let mut iv = [0; N];
    [iv[N - 2], iv[N - 1]] = digest_bits.to_be_bytes();
    iv
}

/// What AddRoundConstant adds to one byte (section 3.4.2); nothing when the rounds are over.
pub(crate) const fn round_constant(q: bool, rounds: usize, round: usize, row: usize, column: usize) -> u8 {
    let counter = ((column << 4) ^ round) as u8;
    match (q, row) {
        _ if round == rounds => 0,
        (false, 0) => counter,
        (false, _) => 0,
        (true, 7) => 0xff ^ counter,
        (true, _) => 0xff,
    }
}
