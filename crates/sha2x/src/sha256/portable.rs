//! The compression function of SHA-224 and SHA-256 in plain Rust: what every other kernel is compared with.

use crate::consts::K32;

/// Compresses the blocks of `first`, then those of `last` (FIPS 180-4, sections 4.1.2 and 6.2.2).
pub(crate) const fn compress(state: &mut [u32; 8], first: &[[u8; 64]], last: &[[u8; 64]]) {
    blocks(state, first);
    blocks(state, last);
}

/// The loop over blocks; inlined so that a caller with more instructions gets its own copy, compiled for them.
#[inline(always)]
pub(super) const fn blocks(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let mut i = 0;
    while i < blocks.len() {
        block(state, &blocks[i]);
        i += 1;
    }
}

#[inline(always)]
const fn load(block: &[u8; 64], i: usize) -> u32 {
    u32::from_be_bytes([block[4 * i], block[4 * i + 1], block[4 * i + 2], block[4 * i + 3]])
}

#[inline(always)]
const fn block(state: &mut [u32; 8], block: &[u8; 64]) {
    // The last sixteen words of the message schedule; word t is in place t mod 16.
    let mut w = [0; 16];
    let mut i = 0;
    while i < 16 {
        w[i] = load(block, i);
        i += 1;
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and a ^ b is the next round's b ^ c.
    let mut b_xor_c = b ^ c;

    // The names move on by one place a round, not the values.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $k:expr, $w:expr) => {
            let sigma1 = $e.rotate_right(6) ^ $e.rotate_right(11) ^ $e.rotate_right(25);
            let ch = $g ^ ($e & ($f ^ $g));
            let t1 = $h.wrapping_add(K32[$k]).wrapping_add($w).wrapping_add(ch).wrapping_add(sigma1);
            let sigma0 = $a.rotate_right(2) ^ $a.rotate_right(13) ^ $a.rotate_right(22);
            let a_xor_b = $a ^ $b;
            let maj = $b ^ (a_xor_b & b_xor_c);
            b_xor_c = a_xor_b;
            $d = $d.wrapping_add(t1);
            $h = t1.wrapping_add(maj).wrapping_add(sigma0);
        };
    }
    macro_rules! schedule {
        ($i:expr) => {{
            let x = w[($i + 1) % 16];
            let y = w[($i + 14) % 16];
            let sigma0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let sigma1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w[$i % 16] = w[$i % 16].wrapping_add(w[($i + 9) % 16]).wrapping_add(sigma0).wrapping_add(sigma1);
            w[$i % 16]
        }};
    }
    macro_rules! eight {
        ($t:expr, $word:ident) => {
            round!(a b c d e f g h, $t, $word!($t));
            round!(h a b c d e f g, $t + 1, $word!($t + 1));
            round!(g h a b c d e f, $t + 2, $word!($t + 2));
            round!(f g h a b c d e, $t + 3, $word!($t + 3));
            round!(e f g h a b c d, $t + 4, $word!($t + 4));
            round!(d e f g h a b c, $t + 5, $word!($t + 5));
            round!(c d e f g h a b, $t + 6, $word!($t + 6));
            round!(b c d e f g h a, $t + 7, $word!($t + 7));
        };
    }
    macro_rules! message {
        ($i:expr) => {
            w[$i]
        };
    }
    eight!(0, message);
    eight!(8, message);
    let mut t = 16;
    while t < 64 {
        eight!(t, schedule);
        eight!(t + 8, schedule);
        t += 16;
    }
    let _ = b_xor_c;

    let out = [a, b, c, d, e, f, g, h];
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].wrapping_add(out[i]);
        i += 1;
    }
}
