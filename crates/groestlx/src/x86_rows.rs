//! What the kernels that keep the state in rows share, whatever the width of their vectors.
//!
//! A vector holds one row of P and of Q, of one message or of several side by side. ShiftBytes is then a byte shuffle,
//! and MixBytes is arithmetic between whole vectors. `aesenclast` is SubBytes followed by a permutation of bytes, which
//! the shuffle before it undoes, and by the addition of a key; the constants of AddRoundConstant, taken back through
//! MixBytes, come in as that key and cost nothing.
//!
//! The macros make functions in the module that calls them, with that module's features. They expect there:
//! `enter(row, shuffle, key)` for ShiftBytes and SubBytes, `double_add(z, y)` for 2 z + y (perhaps plus a constant), and
//! `leave(z, y, key)` for the last such sum of a round.

/// Constants where vectors can be loaded in one piece.
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Instructions by width, under one name each.
macro_rules! vector {
    (xmm $features:literal) => {
        type Vector = __m128i;
        crate::x86_rows::instructions! { $features
            xor(a, b) = _mm_xor_si128(a, b);
            low16(a, b) = _mm_unpacklo_epi16(a, b);
            high16(a, b) = _mm_unpackhi_epi16(a, b);
            low32(a, b) = _mm_unpacklo_epi32(a, b);
            high32(a, b) = _mm_unpackhi_epi32(a, b);
            low64(a, b) = _mm_unpacklo_epi64(a, b);
            high64(a, b) = _mm_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm_shuffle_epi8(a, b);
        }
        crate::x86_rows::three!($features);

        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn each(bytes: &[u8; 16]) -> Vector {
            // SAFETY: 16 readable bytes; the load needs no alignment.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        }
    };
    (ymm $features:literal) => {
        type Vector = __m256i;
        crate::x86_rows::instructions! { $features
            xor(a, b) = _mm256_xor_si256(a, b);
            low16(a, b) = _mm256_unpacklo_epi16(a, b);
            high16(a, b) = _mm256_unpackhi_epi16(a, b);
            low32(a, b) = _mm256_unpacklo_epi32(a, b);
            high32(a, b) = _mm256_unpackhi_epi32(a, b);
            low64(a, b) = _mm256_unpacklo_epi64(a, b);
            high64(a, b) = _mm256_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm256_shuffle_epi8(a, b);
        }
        crate::x86_rows::three!($features);

        /// The same sixteen bytes in each half.
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn each(bytes: &[u8; 16]) -> Vector {
            // SAFETY: 16 readable bytes; the load needs no alignment.
            _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
        }
    };
    (zmm $features:literal) => {
        type Vector = __m512i;
        crate::x86_rows::instructions! { $features
            xor(a, b) = _mm512_xor_si512(a, b);
            low16(a, b) = _mm512_unpacklo_epi16(a, b);
            high16(a, b) = _mm512_unpackhi_epi16(a, b);
            low32(a, b) = _mm512_unpacklo_epi32(a, b);
            high32(a, b) = _mm512_unpackhi_epi32(a, b);
            low64(a, b) = _mm512_unpacklo_epi64(a, b);
            high64(a, b) = _mm512_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm512_shuffle_epi8(a, b);
        }
        crate::x86_rows::three!($features);

        /// The same sixteen bytes in each quarter.
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn each(bytes: &[u8; 16]) -> Vector {
            // SAFETY: 16 readable bytes; the load needs no alignment.
            _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
        }
    };
}

/// The sum of three. Where there is AVX-512, the compiler makes one instruction of it.
macro_rules! three {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        fn three(a: Vector, b: Vector, c: Vector) -> Vector {
            xor(xor(a, b), c)
        }
    };
}

macro_rules! instructions {
    ($features:literal $($name:ident($a:ident, $b:ident) = $body:expr;)+) => {$(
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn $name($a: Vector, $b: Vector) -> Vector {
            $body
        }
    )+};
}

/// How a round is made of the instructions of the AES. Doubling adds 0x1b to every byte besides: a byte shuffle that
/// takes 0x1b wherever the top bit is clear is one instruction, and what is too much goes into the keys.
macro_rules! aes {
    ($features:literal $last:ident $shuffle:ident $add:ident $splat:ident) => {
        /// ShiftBytes, SubBytes and the addition of a key.
        #[inline]
        #[target_feature(enable = $features)]
        fn enter(row: Vector, by: Vector, key: Vector) -> Vector {
            $last(shuffle(row, by), key)
        }

        /// 2 z + y + 0x1b.
        #[inline]
        #[target_feature(enable = $features)]
        fn double_add(z: Vector, y: Vector) -> Vector {
            xor(xor($add(z, z), $shuffle($splat(0x1b), z)), y)
        }

        /// 2 z + y + 0x1b; the key has been added by [`enter`].
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn leave(z: Vector, y: Vector, _: Vector) -> Vector {
            double_add(z, y)
        }
    };
}

/// What [`aes`] adds to every byte: 2 * 0x1b + 0x1b.
pub(crate) const AES_OFFSET: u8 = 0x36 ^ 0x1b;

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
            let pairs = each(&[0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]);
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

/// The folded form of Groestl-256: rows i and i + 4 in the two halves of vector i, so that half as many vectors do. To go
/// four rows on is to swap the halves. MixBytes looks the same from every row, so the four results may be any four rows in
/// a row: those from the fifth on need the fewest swaps, and the first row of the vectors moves on by five each round.
macro_rules! folded {
    ($features:literal $keys:ident $shuffles:ident) => {
        /// All rounds after the constants of the first have been added: from rows 0 to 3 to rows 2 to 5.
        #[inline]
        #[target_feature(enable = $features)]
        fn permute(mut rows: [Vector; 4]) -> [Vector; 4] {
            for (keys, shuffles) in $keys.0.iter().zip(&$shuffles.0) {
                let mut a = rows;
                for k in 0..4 {
                    a[k] = enter(rows[k], whole(&shuffles[k]), whole(&keys[k]));
                }
                rows = mix_bytes(a);
            }
            rows
        }

        /// The MixBytes of all rows; the formula stands with the function of that name for whole rows.
        #[inline]
        #[target_feature(enable = $features)]
        fn mix_bytes([a0, a1, a2, a3]: [Vector; 4]) -> [Vector; 4] {
            let [a4, a5, a6, a7] = [swap(a0), swap(a1), swap(a2), swap(a3)];
            let (t0, t1, t2, t3) = (xor(a0, a1), xor(a1, a2), xor(a2, a3), xor(a3, a4));
            let (t4, t5, t6, t7) = (xor(a4, a5), xor(a5, a6), xor(a6, a7), xor(a7, a0));
            let y4 = three(t4, t6, a2);
            let y5 = three(t5, t7, a3);
            let y6 = three(t6, t0, a4);
            let y7 = three(t7, t1, a5);
            let z0 = double_add(xor(t0, t3), y4);
            let z1 = double_add(xor(t1, t4), y5);
            let z2 = double_add(xor(t2, t5), y6);
            let z3 = double_add(xor(t3, t6), y7);
            [double_add(z0, swap(y5)), double_add(z1, swap(y6)), double_add(z2, swap(y7)), double_add(z3, y4)]
        }
    };
}

/// The output transformation of Groestl-256 on two rows a vector, with P folded into vectors of 128 bits.
macro_rules! output_256 {
    ($features:literal $starts:ident) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn output(h: &mut [Vector; 4]) {
            let mut p = *h;
            for i in 0..4 {
                p[i] = xor(h[i], whole(&$starts.0[0][i]));
            }
            let (left, right) = ([low64(p[0], p[2]), high64(p[0], p[2])], [low64(p[1], p[3]), high64(p[1], p[3])]);
            let [r26, r37, r40, r51] = permute([left[0], left[1], right[0], right[1]]);
            h[0] = xor(h[0], high64(r40, r51));
            h[1] = xor(h[1], low64(r26, r37));
            h[2] = xor(h[2], low64(r40, r51));
            h[3] = xor(h[3], high64(r26, r37));
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn swap(a: Vector) -> Vector {
            _mm_shuffle_epi32::<0x4e>(a)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn whole(bytes: &[u8; 16]) -> Vector {
            each(bytes)
        }
    };
}

/// Load and store of a state or block of Groestl-256 as two rows a vector of 128 bits.
macro_rules! edges {
    ($features:literal) => {
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn load(bytes: &[u8; 64]) -> [Vector; 4] {
            let (vectors, _) = bytes.as_chunks();
            transpose([each(&vectors[0]), each(&vectors[1]), each(&vectors[2]), each(&vectors[3])])
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn store(rows: [Vector; 4], state: &mut [u8; 64]) {
            for (to, from) in state.as_chunks_mut::<16>().0.iter_mut().zip(transpose(rows)) {
                // SAFETY: 16 writable bytes; the store needs no alignment.
                unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), from) }
            }
        }
    };
}

/// The entries of a kernel on vectors of 256 bits, whose modules `output`, `one` and `two` stand beside.
macro_rules! kernels_256 {
    ($Proof:ident $features:literal) => {
        /// Compresses the blocks of `first`, then those of `last`; with `end`, the output transformation follows.
        #[inline]
        pub(crate) fn run(_: $Proof, state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
            // SAFETY: the caller's token proves the features.
            unsafe { one::run(state, first, last, end) }
        }

        /// Compresses the blocks of both messages.
        #[inline]
        pub(crate) fn compress2(_: $Proof, states: &mut [State; 2], blocks: Blocks<'_, 2, 64>) {
            // SAFETY: the caller's token proves the features.
            unsafe { two::run(states, blocks) }
        }
    };
}

/// One message in the folded form, P and Q side by side.
macro_rules! one_256 {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn run(state: &mut State, first: &[[u8; 64]], last: &[[u8; 64]], end: bool) {
            let mut h = fold(output::load(state));
            for blocks in [first, last] {
                for block in blocks {
                    compress(&mut h, block);
                }
            }
            let mut rows = [
                _mm256_castsi256_si128(h[0]),
                _mm256_castsi256_si128(h[1]),
                _mm256_extracti128_si256::<1>(h[0]),
                _mm256_extracti128_si256::<1>(h[1]),
            ];
            if end {
                output::output(&mut rows);
            }
            output::store(rows, state);
        }

        /// Rows 0, 1, 4, 5 in one vector, rows 2, 3, 6, 7 in the other.
        #[inline]
        #[target_feature(enable = $features)]
        fn fold(rows: [__m128i; 4]) -> [Vector; 2] {
            [_mm256_set_m128i(rows[2], rows[0]), _mm256_set_m128i(rows[3], rows[1])]
        }

        /// h + P(h + m) + Q(m).
        #[inline]
        #[target_feature(enable = $features)]
        fn compress(h: &mut [Vector; 2], block: &[u8; 64]) {
            let m = fold(output::load(block));
            let starts = &FOLDED_STARTS.0;
            let p = [xor(m[0], xor(h[0], whole(&starts[0][0]))), xor(m[1], xor(h[1], whole(&starts[0][1])))];
            let q = [xor(m[0], whole(&starts[1][0])), xor(m[1], whole(&starts[1][1]))];
            let rows = [low64(p[0], q[0]), high64(p[0], q[0]), low64(p[1], q[1]), high64(p[1], q[1])];
            let [r26, r37, r40, r51] = permute(rows);
            h[1] = three(h[1], low64(r26, r37), high64(r26, r37));
            h[0] = xor(h[0], swap(xor(low64(r40, r51), high64(r40, r51))));
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn swap(a: Vector) -> Vector {
            _mm256_permute2x128_si256::<1>(a, a)
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn whole(bytes: &[u8; 32]) -> Vector {
            // SAFETY: 32 readable bytes; the load needs no alignment.
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
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

/// How a round is made of AES and Galois-field instructions.
macro_rules! aes_gfni {
    ($features:literal $last:ident $multiply:ident $splat:ident) => {
        /// ShiftBytes, SubBytes and the addition of a key.
        #[inline]
        #[target_feature(enable = $features)]
        fn enter(row: Vector, by: Vector, key: Vector) -> Vector {
            $last(shuffle(row, by), key)
        }

        /// 2 z + y.
        #[inline]
        #[target_feature(enable = $features)]
        fn double_add(z: Vector, y: Vector) -> Vector {
            xor($multiply(z, $splat(2)), y)
        }

        /// 2 z + y; the key has been added by [`enter`].
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn leave(z: Vector, y: Vector, _: Vector) -> Vector {
            double_add(z, y)
        }
    };
}

/// How a round is made of Galois-field instructions and three-operand logic.
macro_rules! gfni {
    ($features:literal $affine:ident $multiply:ident $splat:ident $splat_matrix:ident) => {
        /// ShiftBytes and SubBytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn enter(row: Vector, by: Vector, _: Vector) -> Vector {
            $affine::<0x63>(shuffle(row, by), $splat_matrix(S_BOX.cast_signed()))
        }

        /// 2 z + y.
        #[inline]
        #[target_feature(enable = $features)]
        fn double_add(z: Vector, y: Vector) -> Vector {
            xor($multiply(z, $splat(2)), y)
        }

        /// 2 z + y + key.
        #[inline]
        #[target_feature(enable = $features)]
        fn leave(z: Vector, y: Vector, key: Vector) -> Vector {
            three($multiply(z, $splat(2)), y, key)
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
            for i in 0..8 {
                out[i] = keep_p(out[i]);
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

pub(crate) use {
    aes, aes_gfni, edges, folded, gfni, instructions, kernels_256, mix_bytes, one_256, one_512, output_256, rows_256,
    rows_512, three, transpose, transpose_wide, two_256, vector,
};
