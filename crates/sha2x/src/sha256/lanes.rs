//! The compression function of SHA-224 and SHA-256 on as many messages at once as a vector has lanes.

use ::lanes::{Blocks, Words32};

use crate::consts::K32;

/// Compresses the blocks of every lane; word i of the state of lane l is `states[i][l]`.
///
/// Inlined into a region where the instructions of `V` are enabled; without one it is correct and slow.
#[inline(always)]
pub(crate) fn compress<V: Words32, const LANES: usize>(
    proof: V::Proof,
    states: &mut [V::Array; 8],
    blocks: Blocks<'_, LANES, 64>,
) {
    let mut state = [V::splat(proof, 0); 8];
    let mut i = 0;
    while i < 8 {
        state[i] = V::load(proof, &states[i]);
        i += 1;
    }
    for block in blocks.iter() {
        rounds(proof, &mut state, V::load_be(proof, block));
    }
    let mut i = 0;
    while i < 8 {
        state[i].store(&mut states[i]);
        i += 1;
    }
}

#[inline(always)]
fn rounds<V: Words32>(proof: V::Proof, state: &mut [V; 8], mut w: [V; 16]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

    // The names move on by one place a round, not the values.
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $k:expr, $w:expr) => {
            let sigma1 = $e.rotr::<6>().xor3($e.rotr::<11>(), $e.rotr::<25>());
            let t1 = $h.add(V::splat(proof, K32[$k]).add($w)).add($e.ch($f, $g)).add(sigma1);
            let sigma0 = $a.rotr::<2>().xor3($a.rotr::<13>(), $a.rotr::<22>());
            $d = $d.add(t1);
            $h = t1.add($a.maj($b, $c)).add(sigma0);
        };
    }
    macro_rules! message {
        ($t:expr, $i:expr) => {
            w[$i]
        };
    }
    macro_rules! schedule {
        ($t:expr, $i:expr) => {{
            let x = w[($i + 1) % 16];
            let y = w[($i + 14) % 16];
            let sigma0 = x.rotr::<7>().xor3(x.rotr::<18>(), x.shr::<3>());
            let sigma1 = y.rotr::<17>().xor3(y.rotr::<19>(), y.shr::<10>());
            w[$i] = w[$i].add(w[($i + 9) % 16]).add(sigma0).add(sigma1);
            w[$i]
        }};
    }
    macro_rules! sixteen {
        ($t:expr, $word:ident) => {
            round!(a b c d e f g h, $t, $word!($t, 0));
            round!(h a b c d e f g, $t + 1, $word!($t, 1));
            round!(g h a b c d e f, $t + 2, $word!($t, 2));
            round!(f g h a b c d e, $t + 3, $word!($t, 3));
            round!(e f g h a b c d, $t + 4, $word!($t, 4));
            round!(d e f g h a b c, $t + 5, $word!($t, 5));
            round!(c d e f g h a b, $t + 6, $word!($t, 6));
            round!(b c d e f g h a, $t + 7, $word!($t, 7));
            round!(a b c d e f g h, $t + 8, $word!($t, 8));
            round!(h a b c d e f g, $t + 9, $word!($t, 9));
            round!(g h a b c d e f, $t + 10, $word!($t, 10));
            round!(f g h a b c d e, $t + 11, $word!($t, 11));
            round!(e f g h a b c d, $t + 12, $word!($t, 12));
            round!(d e f g h a b c, $t + 13, $word!($t, 13));
            round!(c d e f g h a b, $t + 14, $word!($t, 14));
            round!(b c d e f g h a, $t + 15, $word!($t, 15));
        };
    }
    sixteen!(0, message);
    let mut t = 16;
    while t < 64 {
        sixteen!(t, schedule);
        t += 16;
    }

    let after = [a, b, c, d, e, f, g, h];
    let mut i = 0;
    while i < 8 {
        state[i] = state[i].add(after[i]);
        i += 1;
    }
}
