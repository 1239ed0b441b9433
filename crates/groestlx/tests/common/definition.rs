//! Groestl straight from its specification (round 3), as plainly as possible: a matrix of bytes, one step at a time.

type Matrix = Vec<[u8; 8]>;

fn double(a: u8) -> u8 {
    if a < 0x80 { a << 1 } else { (a << 1) ^ 0x1b }
}

fn product(a: u8, b: u8) -> u8 {
    (0..8).filter(|bit| b >> bit & 1 == 1).map(|bit| (0..bit).fold(a, |a, _| double(a))).fold(0, |sum, term| sum ^ term)
}

/// FIPS 197, section 5.1.1.
fn s_box() -> &'static [u8; 256] {
    static TABLE: std::sync::OnceLock<[u8; 256]> = std::sync::OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|byte| {
            let inverse = (1..=255).find(|other| product(byte as u8, *other) == 1).unwrap_or(0_u8);
            let bit = |i: usize| {
                [0, 4, 5, 6, 7].iter().fold(0x63 >> i & 1, |sum, step| sum ^ (inverse >> ((i + step) % 8) & 1))
            };
            (0..8).fold(0, |sum, i| sum | bit(i) << i)
        })
    })
}

/// Section 3.4. `state[column][row]`.
fn permute(mut state: Matrix, q: bool) -> Matrix {
    let columns = state.len();
    let rounds = if columns == 8 { 10 } else { 14 };
    let shifts = match (columns, q) {
        (8, false) => [0, 1, 2, 3, 4, 5, 6, 7],
        (8, true) => [1, 3, 5, 7, 0, 2, 4, 6],
        (_, false) => [0, 1, 2, 3, 4, 5, 6, 11],
        (_, true) => [1, 3, 5, 11, 0, 2, 4, 6],
    };
    for round in 0..rounds {
        for (j, column) in state.iter_mut().enumerate() {
            let counter = (j as u8) << 4 ^ round;
            if q {
                for byte in column.iter_mut() {
                    *byte ^= 0xff;
                }
                column[7] ^= counter;
            } else {
                column[0] ^= counter;
            }
            for byte in column {
                *byte = s_box()[usize::from(*byte)];
            }
        }
        let shifted: Matrix =
            (0..columns).map(|j| std::array::from_fn(|i| state[(j + shifts[i]) % columns][i])).collect();
        let circulant = [2, 2, 3, 4, 5, 3, 5, 7];
        state = shifted
            .iter()
            .map(|column| {
                std::array::from_fn(|i| (0..8).fold(0, |sum, k| sum ^ product(column[k], circulant[(k + 8 - i) % 8])))
            })
            .collect();
    }
    state
}

fn matrix(bytes: &[u8]) -> Matrix {
    bytes.as_chunks().0.to_vec()
}

fn sum(a: Matrix, b: Matrix) -> Matrix {
    a.iter().zip(&b).map(|(a, b)| std::array::from_fn(|i| a[i] ^ b[i])).collect()
}

/// The digest of so many bits of the first `bits` bits of a message, as if `before` blocks had come before it and left the
/// initial value as it is.
pub fn groestl(digest_bits: usize, message: &[u8], bits: u64, before: u64) -> Vec<u8> {
    let block = if digest_bits <= 256 { 64 } else { 128 };
    // Section 3.6: a bit 1, zeros until 64 bits are missing, the number of blocks.
    let mut padded: Vec<bool> = (0..bits).map(|i| message[(i / 8) as usize] >> (7 - i % 8) & 1 == 1).collect();
    padded.push(true);
    while padded.len() % (8 * block) != 8 * block - 64 {
        padded.push(false);
    }
    let count = before.wrapping_add((padded.len() as u64 + 64) / (8 * block as u64));
    padded.extend((0..64).rev().map(|i| count >> i & 1 == 1));
    let bytes: Vec<u8> =
        padded.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();

    let mut iv = vec![0; block];
    iv[block - 2..].copy_from_slice(&(digest_bits as u16).to_be_bytes());
    let mut h = matrix(&iv);
    for m in bytes.chunks(block).map(matrix) {
        let p = permute(sum(h.clone(), m.clone()), false);
        h = sum(h, sum(p, permute(m, true)));
    }
    let out = sum(permute(h.clone(), false), h).concat();
    out[block - digest_bits / 8..].to_vec()
}
