//! A second implementation, bit by bit and slow, written from the text of the specification alone. It shares nothing
//! with the crate but the initial values, which it is given.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses a part of it")]

/// Bit z of lane (x, y) is `state[x][y][z]`.
pub type Bits = [[[bool; 64]; 5]; 5];

const RC: [u64; 12] = [0x0001, 0x0003, 0x000A, 0x0088, 0x8081, 0x8002, 0x0009, 0x0083, 0x800A, 0x0089, 0x8083, 0x800B];

/// Row y of the table of rho, x = 0..4.
const TAU: [[usize; 5]; 5] =
    [[45, 33, 13, 1, 27], [40, 52, 19, 47, 9], [34, 5, 0, 2, 37], [48, 30, 61, 8, 38], [6, 18, 49, 17, 43]];

const T: [usize; 5] = [41, 50, 6, 10, 27];
const U: usize = 26;
const R: usize = 1;
const S: usize = 36;

pub fn bits_of(lanes: &[u64; 25]) -> Bits {
    let mut a = [[[false; 64]; 5]; 5];
    for (i, lane) in lanes.iter().enumerate() {
        a[i % 5][i / 5] = std::array::from_fn(|z| lane >> z & 1 == 1);
    }
    a
}

pub fn lanes_of(a: &Bits) -> [u64; 25] {
    std::array::from_fn(|i| (0..64).map(|z| u64::from(a[i % 5][i / 5][z]) << z).sum())
}

/// A state made by a rule for each bit.
fn each(rule: impl Fn(usize, usize, usize) -> bool) -> Bits {
    std::array::from_fn(|x| std::array::from_fn(|y| std::array::from_fn(|z| rule(x, y, z))))
}

pub fn iota(mut a: Bits, round: usize) -> Bits {
    for (z, bit) in a[0][0].iter_mut().enumerate() {
        *bit ^= RC[round] >> z & 1 == 1;
    }
    a
}

pub fn rho(a: &Bits) -> Bits {
    each(|x, y, z| a[x][y][(z + TAU[y][x]) % 64])
}

pub fn theta(a: &Bits) -> Bits {
    let parity = |rotated: bool| -> [[bool; 64]; 5] {
        std::array::from_fn(|x| {
            std::array::from_fn(|z| {
                (0..5).fold(false, |sum, y| sum ^ a[x][y][(z + if rotated { T[y] } else { 0 }) % 64])
            })
        })
    };
    let (p, q) = (parity(false), parity(true));
    let e = |x: usize, z: usize| p[x][z % 64] ^ p[(x + 4) % 5][(z + R) % 64];
    let f = |x: usize, z: usize| q[(x + 1) % 5][z % 64] ^ q[(x + 3) % 5][(z + S) % 64];
    each(|x, y, z| a[x][y][z] ^ e(x, z + U) ^ f(x, z + U + T[y]))
}

pub fn pi(a: &Bits) -> Bits {
    let mut b = [[[false; 64]; 5]; 5];
    for x in 0..5 {
        for y in 0..5 {
            b[y][(2 * x + 3 * y + 2) % 5] = a[x][y];
        }
    }
    b
}

pub fn psi(a: &Bits) -> Bits {
    each(|x, y, z| a[x][(y + 3) % 5][z] ^ (!a[x][(y + 1) % 5][z] & a[x][(y + 2) % 5][z] & !a[x][(y + 4) % 5][z]))
}

pub fn round(a: Bits, i: usize) -> Bits {
    psi(&pi(&theta(&rho(&iota(a, i)))))
}

pub fn permutation(mut a: Bits) -> Bits {
    for i in 0..12 {
        a = round(a, i);
    }
    a
}

/// An instance: capacity in bits, bits of one squeeze, lanes of the initial value.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    pub capacity: usize,
    pub squeeze: usize,
    pub iv: &'a [u64],
}

/// `out_bits` bits for the first `bits` bits of `message`.
pub fn hash(instance: Instance<'_>, message: &[u8], bits: usize, out_bits: usize) -> Vec<u8> {
    let rate = 1600 - instance.capacity;
    let inner = instance.capacity / 64;
    let mut padded: Vec<bool> = (0..bits).map(|i| message[i / 8] >> (7 - i % 8) & 1 == 1).collect();
    let remainder = bits % rate;
    padded.push(true);
    if remainder == rate - 1 {
        padded.extend(vec![false; rate]);
    }
    while !padded.len().is_multiple_of(rate) {
        padded.push(false);
    }

    let mut lanes = [0; 25];
    lanes[..inner].copy_from_slice(instance.iv);
    let blocks = padded.len() / rate;
    for (i, block) in padded.chunks(rate).enumerate() {
        for (k, word) in block.chunks(64).enumerate() {
            // The first bit of a word is its most significant one; the first word goes to the highest lane.
            for (j, bit) in word.iter().enumerate() {
                lanes[24 - k] ^= u64::from(*bit) << (63 - j);
            }
        }
        if i == blocks - 1 {
            lanes[0] ^= 1;
        }
        lanes = forward(lanes, inner);
    }

    let mut out: Vec<bool> = Vec::new();
    loop {
        for lane in lanes[..instance.squeeze / 64].iter().rev() {
            out.extend((0..64).rev().map(|z| lane >> z & 1 == 1));
        }
        if out.len() >= out_bits {
            break;
        }
        lanes = forward(lanes, inner);
    }
    let mut bytes = vec![0; out_bits.div_ceil(8)];
    for (i, bit) in out[..out_bits].iter().enumerate() {
        bytes[i / 8] |= u8::from(*bit) << (7 - i % 8);
    }
    bytes
}

fn forward(lanes: [u64; 25], inner: usize) -> [u64; 25] {
    let mut after = lanes_of(&permutation(bits_of(&lanes)));
    for j in 0..inner {
        after[j] ^= lanes[j];
    }
    after
}
