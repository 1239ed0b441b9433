//! The random numbers of the NGCC submissions: a generator in the shape of Hash_DRBG (NIST SP 800-90A, section 10.1.1)
//! over SM3.

use sm3::{Digest, Sm3};

/// Bytes of V and C.
const SEED: usize = 55;

/// The generator.
#[derive(Clone, Debug)]
pub(crate) struct Drng {
    v: [u8; SEED],
    c: [u8; SEED],
    requests: u64,
}

impl Drng {
    /// One that begins with the given seed.
    pub(crate) fn new(seed: &[u8]) -> Self {
        let v = derive(&[seed]);
        Self { v, c: derive(&[&[0], &v]), requests: 1 }
    }

    /// Hands out so many bits in pieces, whole bytes of which the last has zeros behind the last bit; then goes on to
    /// the next request.
    pub(crate) fn request(&mut self, bits: u64, mut sink: impl FnMut(&[u8])) {
        let mut left = bits.div_ceil(8);
        let mut counter = self.v;
        while left > 0 {
            let mut piece: [u8; 32] = Sm3::digest(counter).into();
            add(&mut counter, &[1]);
            let now = left.min(32);
            left -= now;
            if left == 0 && !bits.is_multiple_of(8) {
                piece[now as usize - 1] &= !(0xff >> (bits % 8));
            }
            sink(&piece[..now as usize]);
        }
        let next = Sm3::new().chain_update([3]).chain_update(self.v).finalize();
        add(&mut self.v, &next);
        let c = self.c;
        add(&mut self.v, &c);
        add(&mut self.v, &self.requests.to_be_bytes());
        self.requests += 1;
    }

    /// So many bits at once.
    pub(crate) fn bits(&mut self, bits: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.request(bits, |piece| bytes.extend_from_slice(piece));
        bytes
    }
}

/// The derivation function: 440 bits.
fn derive(input: &[&[u8]]) -> [u8; SEED] {
    let mut out = [0; SEED];
    for (counter, piece) in (1..).zip(out.chunks_mut(32)) {
        let mut hash = Sm3::new().chain_update([counter]).chain_update((8 * SEED as u32).to_be_bytes());
        for bytes in input {
            hash.update(bytes);
        }
        piece.copy_from_slice(&hash.finalize()[..piece.len()]);
    }
    out
}

/// Adds a big-endian number to another, modulo 2^440.
fn add(sum: &mut [u8; SEED], number: &[u8]) {
    let mut carry = 0;
    for (i, byte) in sum.iter_mut().rev().enumerate() {
        let other = number.len().checked_sub(i + 1).map_or(0, |at| number[at]);
        let total = u16::from(*byte) + u16::from(other) + carry;
        *byte = total as u8;
        carry = total >> 8;
    }
}
