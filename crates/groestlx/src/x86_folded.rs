//! Groestl-256 with two rows of each permutation in a vector: one message in vectors of 256 bits, and the output
//! transformation, which has P alone, in vectors of 128.
//!
//! The macros make functions in the module that calls them, with that module's features.

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

        /// By `vperm2i128`; the compiler would take `vpermq`, which costs Zen 3 twice as much.
        #[inline]
        #[target_feature(enable = $features)]
        fn swap(a: Vector) -> Vector {
            let swapped: Vector;
            // SAFETY: the features hold AVX2; registers are all that it touches.
            unsafe {
                core::arch::asm!(
                    "vperm2i128 {0}, {1}, {1}, 1", out(ymm_reg) swapped, in(ymm_reg) a,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            swapped
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn whole(bytes: &[u8; 32]) -> Vector {
            // SAFETY: 32 readable bytes; the load needs no alignment.
            unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
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

pub(crate) use {edges, folded, kernels_256, one_256, output_256};
