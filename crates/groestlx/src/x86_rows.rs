//! What the kernels that keep the state in rows share, whatever the width of their vectors.
//!
//! A vector holds one row of P and of Q, of one message or of several side by side. ShiftBytes is then a byte shuffle,
//! and MixBytes is arithmetic between whole vectors.
//!
//! The macros make functions in the module that calls them, with that module's features. They expect there what
//! `x86_vectors` makes: `enter(row, shuffle, key)` for ShiftBytes and SubBytes, `double_add(z, y)` for 2 z + y (perhaps plus
//! a constant), and `leave(z, y, key)` for the last such sum of a round.

macro_rules! mix_bytes {
    ($features:literal) => {
        /// MixBytes. With t = a_i + a_(i+1), x = t_i + t_(i+3) and y = t_i + t_(i+2) + a_(i+6), row i of the result is
        /// 2 (2 x_(i+3) + y_(i+7)) + y_(i+4).
        #[inline]
        #[target_feature(enable = $features)]
        fn mix_bytes(a: [Vector; 8], keys: [Vector; 8]) -> [Vector; 8] {
            let mut t = a;
            for i in 0..8 {
                t[i] = xor(a[i], a[(i + 1) % 8]);
            }
            let mut y = a;
            for i in 0..8 {
                y[i] = three(t[i], t[(i + 2) % 8], a[(i + 6) % 8]);
            }
            let mut z = a;
            for i in 0..8 {
                z[i] = double_add(xor(t[i], t[(i + 3) % 8]), y[(i + 4) % 8]);
            }
            let mut out = a;
            for i in 0..8 {
                out[i] = leave(z[(i + 3) % 8], y[(i + 4) % 8], keys[i]);
            }
            out
        }
    };
}

/// Eight columns of eight bytes, two in sixteen bytes of a vector, to eight rows of eight bytes, or back.
macro_rules! transpose {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn transpose(columns: [Vector; 4]) -> [Vector; 4] {
            // Were the compiler to know this shuffle, it would join it with others to `vpermt2b`, which is slower.
            let pairs = opaque(each(&[0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]));
            let [a, b, c, d] = [
                shuffle(columns[0], pairs),
                shuffle(columns[1], pairs),
                shuffle(columns[2], pairs),
                shuffle(columns[3], pairs),
            ];
            let (ab, cd) = (low16(a, b), low16(c, d));
            let (ab2, cd2) = (high16(a, b), high16(c, d));
            [low32(ab, cd), high32(ab, cd), low32(ab2, cd2), high32(ab2, cd2)]
        }
    };
}

/// Sixteen columns of eight bytes, two in sixteen bytes of a vector, to eight rows of sixteen bytes; and back.
macro_rules! transpose_wide {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn to_rows(columns: [Vector; 8]) -> [Vector; 8] {
            let [a, b, c, d, e, f, g, h] = columns;
            let (left, right) = (transpose([a, b, c, d]), transpose([e, f, g, h]));
            let mut rows = columns;
            for i in 0..4 {
                rows[2 * i] = low64(left[i], right[i]);
                rows[2 * i + 1] = high64(left[i], right[i]);
            }
            rows
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn to_columns(rows: [Vector; 8]) -> [Vector; 8] {
            let (mut left, mut right) = ([rows[0]; 4], [rows[0]; 4]);
            for i in 0..4 {
                left[i] = low64(rows[2 * i], rows[2 * i + 1]);
                right[i] = high64(rows[2 * i], rows[2 * i + 1]);
            }
            let ([a, b, c, d], [e, f, g, h]) = (transpose(left), transpose(right));
            [a, b, c, d, e, f, g, h]
        }
    };
}

/// Groestl-256: eight bytes of P, eight of Q, for each message.
macro_rules! rows_256 {
    ($features:literal $lanes:literal $keys:ident $starts:ident $shuffles:ident) => {
        /// All rounds.
        #[inline]
        #[target_feature(enable = $features)]
        fn permute(mut rows: [Vector; 8]) -> [Vector; 8] {
            for keys in &$keys.0[1..] {
                let mut a = rows;
                let mut key = rows;
                for i in 0..8 {
                    key[i] = each(&keys[i]);
                    a[i] = enter(rows[i], each(&$shuffles.0[i]), key[i]);
                }
                rows = mix_bytes(a, key);
            }
            rows
        }

        /// Adds P(p + its first constants) + Q(q + its first constants) to the state, two rows a vector.
        #[inline]
        #[target_feature(enable = $features)]
        fn add(h: &mut [Vector; 4], p: [Vector; 4], q: [Vector; 4]) {
            let mut rows = [p[0]; 8];
            for i in 0..4 {
                let (p, q) = (xor(p[i], each(&$starts.0[0][i])), xor(q[i], each(&$starts.0[1][i])));
                rows[2 * i] = low64(p, q);
                rows[2 * i + 1] = high64(p, q);
            }
            let rows = permute(rows);
            for i in 0..4 {
                let (p, q) = (low64(rows[2 * i], rows[2 * i + 1]), high64(rows[2 * i], rows[2 * i + 1]));
                h[i] = three(h[i], p, q);
            }
        }

        /// h + P(h + m) + Q(m).
        #[inline]
        #[target_feature(enable = $features)]
        fn compress(h: &mut [Vector; 4], block: [&[u8; 64]; $lanes]) {
            let m = transpose(load(block));
            let mut p = m;
            for i in 0..4 {
                p[i] = xor(m[i], h[i]);
            }
            add(h, p, m);
        }
    };
}

/// Two messages side by side, each in half of a vector of 256 bits.
macro_rules! two_256 {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(states: &mut [State; 2], blocks: Blocks<'_, 2, 64>) {
            let [a, b] = states;
            let mut h = transpose(load([a, b]));
            for row in blocks.iter() {
                compress(&mut h, row);
            }
            let h = transpose(h);
            for (i, v) in h.into_iter().enumerate() {
                for (state, half) in
                    states.iter_mut().zip([_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)])
                {
                    let to = &mut state.as_chunks_mut::<16>().0[i];
                    // SAFETY: 16 writable bytes; the store needs no alignment.
                    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), half) }
                }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load([a, b]: [&[u8; 64]; 2]) -> [Vector; 4] {
            let ((a, _), (b, _)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
            let mut out = [each(&a[0]); 4];
            for i in 0..4 {
                // SAFETY: 16 readable bytes each; the loads need no alignment.
                out[i] = unsafe { _mm256_loadu2_m128i(b[i].as_ptr().cast(), a[i].as_ptr().cast()) };
            }
            out
        }
    };
}

/// Groestl-512: a row of P and the same row of Q in 32 bytes, for each message.
macro_rules! rows_512 {
    ($features:literal $lanes:literal $keys:ident $shuffles:ident) => {
        /// All rounds after the constants of the first have been added.
        #[inline]
        #[target_feature(enable = $features)]
        fn permute(mut rows: [Vector; 8]) -> [Vector; 8] {
            for keys in &$keys.0[1..] {
                let mut a = rows;
                let mut key = rows;
                for i in 0..8 {
                    key[i] = both(&keys[i]);
                    a[i] = enter(rows[i], both(&$shuffles.0[i]), key[i]);
                }
                rows = mix_bytes(a, key);
            }
            rows
        }

        /// h + P(h + m) + Q(m), where the state stands in the places of P and zeros in those of Q.
        #[inline]
        #[target_feature(enable = $features)]
        fn compress(h: &mut [Vector; 8], block: [&[u8; 128]; $lanes]) {
            let mut rows = to_rows(load_both(block));
            for i in 0..8 {
                rows[i] = three(rows[i], h[i], both(&$keys.0[0][i]));
            }
            let rows = permute(rows);
            for i in 0..8 {
                h[i] = xor(h[i], keep_p(xor(rows[i], swap(rows[i]))));
            }
        }
    };
}

/// One message of Groestl-512 in vectors of 256 bits.
macro_rules! one_512 {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(state: &mut State, first: &[[u8; 128]], last: &[[u8; 128]], end: bool) {
            let mut h = to_rows(load_p(state));
            for blocks in [first, last] {
                for block in blocks {
                    compress(&mut h, [block]);
                }
            }
            if end {
                output(&mut h);
            }
            for (to, from) in state.as_chunks_mut::<16>().0.iter_mut().zip(to_columns(h)) {
                // SAFETY: 16 writable bytes; the store needs no alignment.
                unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(from)) }
            }
        }

        /// h + P(h). Q runs along with zeros, and is left out of the sum.
        #[inline]
        #[target_feature(enable = $features)]
        fn output(h: &mut [Vector; 8]) {
            let mut rows = *h;
            for i in 0..8 {
                rows[i] = xor(h[i], both(&KEYS.0[0][i]));
            }
            let rows = permute(rows);
            for i in 0..8 {
                h[i] = xor(h[i], keep_p(rows[i]));
            }
        }

        /// The block in the places of P and in those of Q.
        #[inline]
        #[target_feature(enable = $features)]
        fn load_both([block]: [&[u8; 128]; 1]) -> [Vector; 8] {
            let (columns, _) = block.as_chunks();
            let mut out = [each(&columns[0]); 8];
            for i in 1..8 {
                out[i] = each(&columns[i]);
            }
            out
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_p(state: &State) -> [Vector; 8] {
            let mut out = load_both([state]);
            for column in &mut out {
                *column = keep_p(*column);
            }
            out
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn keep_p(a: Vector) -> Vector {
            _mm256_zextsi128_si256(_mm256_castsi256_si128(a))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn swap(a: Vector) -> Vector {
            _mm256_permute2x128_si256::<1>(a, a)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn both(bytes: &[u8; 32]) -> Vector {
            // SAFETY: 32 readable bytes; the load needs no alignment.
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
        }
    };
}

pub(crate) use {mix_bytes, one_512, rows_256, rows_512, transpose, transpose_wide, two_256};
