//! Instructions under one name each, whatever the width of the vectors, and the steps of a round that are made of them.
//!
//! `aesenclast` is SubBytes followed by a permutation of bytes, which the shuffle before it undoes, and by the addition of a
//! key; the constants of AddRoundConstant, taken back through MixBytes, come in as that key and cost nothing.
//!
//! The macros make functions in the module that calls them, with that module's features.

/// Constants where vectors can be loaded in one piece.
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Instructions by width, under one name each.
macro_rules! vector {
    (xmm $features:literal) => {
        /// The same vector, of which the compiler knows nothing.
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn opaque(mut a: Vector) -> Vector {
            // SAFETY: no instruction at all; the value goes through a register unchanged.
            unsafe {
                core::arch::asm!("/* {0} */", inout(xmm_reg) a, options(pure, nomem, nostack, preserves_flags));
            }
            a
        }

        type Vector = __m128i;
        crate::x86_vectors::instructions! { $features
            xor(a, b) = _mm_xor_si128(a, b);
            low16(a, b) = _mm_unpacklo_epi16(a, b);
            high16(a, b) = _mm_unpackhi_epi16(a, b);
            low32(a, b) = _mm_unpacklo_epi32(a, b);
            high32(a, b) = _mm_unpackhi_epi32(a, b);
            low64(a, b) = _mm_unpacklo_epi64(a, b);
            high64(a, b) = _mm_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm_shuffle_epi8(a, b);
        }
        crate::x86_vectors::three!($features);

        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn each(bytes: &[u8; 16]) -> Vector {
            // SAFETY: 16 readable bytes; the load needs no alignment.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        }
    };
    (ymm $features:literal) => {
        /// The same vector, of which the compiler knows nothing.
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn opaque(mut a: Vector) -> Vector {
            // SAFETY: no instruction at all; the value goes through a register unchanged.
            unsafe {
                core::arch::asm!("/* {0} */", inout(ymm_reg) a, options(pure, nomem, nostack, preserves_flags));
            }
            a
        }

        type Vector = __m256i;
        crate::x86_vectors::instructions! { $features
            xor(a, b) = _mm256_xor_si256(a, b);
            low16(a, b) = _mm256_unpacklo_epi16(a, b);
            high16(a, b) = _mm256_unpackhi_epi16(a, b);
            low32(a, b) = _mm256_unpacklo_epi32(a, b);
            high32(a, b) = _mm256_unpackhi_epi32(a, b);
            low64(a, b) = _mm256_unpacklo_epi64(a, b);
            high64(a, b) = _mm256_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm256_shuffle_epi8(a, b);
        }
        crate::x86_vectors::three!($features);

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
        /// The same vector, of which the compiler knows nothing.
        #[allow(dead_code, reason = "not every form of a kernel uses all of them")]
        #[inline]
        #[target_feature(enable = $features)]
        fn opaque(mut a: Vector) -> Vector {
            // SAFETY: no instruction at all; the value goes through a register unchanged.
            unsafe {
                core::arch::asm!("/* {0} */", inout(zmm_reg) a, options(pure, nomem, nostack, preserves_flags));
            }
            a
        }

        type Vector = __m512i;
        crate::x86_vectors::instructions! { $features
            xor(a, b) = _mm512_xor_si512(a, b);
            low16(a, b) = _mm512_unpacklo_epi16(a, b);
            high16(a, b) = _mm512_unpackhi_epi16(a, b);
            low32(a, b) = _mm512_unpacklo_epi32(a, b);
            high32(a, b) = _mm512_unpackhi_epi32(a, b);
            low64(a, b) = _mm512_unpacklo_epi64(a, b);
            high64(a, b) = _mm512_unpackhi_epi64(a, b);
            shuffle(a, b) = _mm512_shuffle_epi8(a, b);
        }
        crate::x86_vectors::three!($features);

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

pub(crate) use {aes, aes_gfni, gfni, instructions, three, vector};
