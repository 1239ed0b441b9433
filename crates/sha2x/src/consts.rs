//! Constants of FIPS 180-4. The tests work every one of them out again from its definition.

/// Round constants of SHA-224 and SHA-256: the first 32 bits of the fractional parts of the cube roots of the first
/// 64 primes (section 4.2.2).
pub(crate) const K32: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// Round constants of the SHA-512 family: the first 64 bits of the fractional parts of the cube roots of the first
/// 80 primes (section 4.2.3).
pub(crate) const K64: [u64; 80] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2,
    0xefbe_4786_384f_25e3,
    0x0fc1_9dc6_8b8c_d5b5,
    0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275,
    0x4a74_84aa_6ea6_e483,
    0x5cb0_a9dc_bd41_fbd4,
    0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab,
    0xa831_c66d_2db4_3210,
    0xb003_27c8_98fb_213f,
    0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2,
    0xd5a7_9147_930a_a725,
    0x06ca_6351_e003_826f,
    0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc,
    0x2e1b_2138_5c26_c926,
    0x4d2c_6dfc_5ac4_2aed,
    0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de,
    0x766a_0abb_3c77_b2a8,
    0x81c2_c92e_47ed_aee6,
    0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364,
    0xa81a_664b_bc42_3001,
    0xc24b_8b70_d0f8_9791,
    0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218,
    0xd699_0624_5565_a910,
    0xf40e_3585_5771_202a,
    0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8,
    0x1e37_6c08_5141_ab53,
    0x2748_774c_df8e_eb99,
    0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63,
    0x4ed8_aa4a_e341_8acb,
    0x5b9c_ca4f_7763_e373,
    0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc,
    0x78a5_636f_4317_2f60,
    0x84c8_7814_a1f0_ab72,
    0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28,
    0xa450_6ceb_de82_bde9,
    0xbef9_a3f7_b2c6_7915,
    0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c,
    0xd186_b8c7_21c0_c207,
    0xeada_7dd6_cde0_eb1e,
    0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba,
    0x0a63_7dc5_a2c8_98a6,
    0x113f_9804_bef9_0dae,
    0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84,
    0x32ca_ab7b_40c7_2493,
    0x3c9e_be0a_15c9_bebc,
    0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6,
    0x597f_299c_fc65_7e2a,
    0x5fcb_6fab_3ad6_faec,
    0x6c44_198c_4a47_5817,
];

/// Initial value of SHA-224: the second 32 bits of the fractional parts of the square roots of the 9th to 16th primes
/// (section 5.3.2).
pub(crate) const SHA224: [u32; 8] =
    [0xc105_9ed8, 0x367c_d507, 0x3070_dd17, 0xf70e_5939, 0xffc0_0b31, 0x6858_1511, 0x64f9_8fa7, 0xbefa_4fa4];

/// Initial value of SHA-256: the first 32 bits of the fractional parts of the square roots of the first eight primes
/// (section 5.3.3).
pub(crate) const SHA256: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Initial value of SHA-384: the first 64 bits of the fractional parts of the square roots of the 9th to 16th primes
/// (section 5.3.4).
pub(crate) const SHA384: [u64; 8] = [
    0xcbbb_9d5d_c105_9ed8,
    0x629a_292a_367c_d507,
    0x9159_015a_3070_dd17,
    0x152f_ecd8_f70e_5939,
    0x6733_2667_ffc0_0b31,
    0x8eb4_4a87_6858_1511,
    0xdb0c_2e0d_64f9_8fa7,
    0x47b5_481d_befa_4fa4,
];

/// Initial value of SHA-512: the first 64 bits of the fractional parts of the square roots of the first eight primes
/// (section 5.3.5).
pub(crate) const SHA512: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// Initial value of SHA-512/224, by the generation function of section 5.3.6 (result: 5.3.6.1).
pub(crate) const SHA512_224: [u64; 8] = [
    0x8c3d_37c8_1954_4da2,
    0x73e1_9966_89dc_d4d6,
    0x1dfa_b7ae_32ff_9c82,
    0x679d_d514_582f_9fcf,
    0x0f6d_2b69_7bd4_4da8,
    0x77e3_6f73_04c4_8942,
    0x3f9d_85a8_6a1d_36c8,
    0x1112_e6ad_91d6_92a1,
];

/// Initial value of SHA-512/256, by the generation function of section 5.3.6 (result: 5.3.6.2).
pub(crate) const SHA512_256: [u64; 8] = [
    0x2231_2194_fc2b_f72c,
    0x9f55_5fa3_c84c_64c2,
    0x2393_b86b_6f53_b151,
    0x9638_7719_5940_eabd,
    0x9628_3ee2_a88e_ffe3,
    0xbe5e_1e25_5386_3992,
    0x2b01_99fc_2c85_b8aa,
    0x0eb7_2ddc_81c5_2ca2,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, sha512};

    /// A number of 256 bits, lowest limb first.
    type Wide = [u64; 4];

    fn product(a: Wide, b: Wide) -> Wide {
        let mut out = [0; 4];
        for i in 0..4 {
            let mut carry = 0;
            for j in 0..4 - i {
                let sum = u128::from(a[i]) * u128::from(b[j]) + u128::from(out[i + j]) + carry;
                out[i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        out
    }

    fn at_most(a: Wide, b: Wide) -> bool {
        a.iter().rev().le(b.iter().rev())
    }

    /// The first 64 bits of the fractional part of the `n`-th root: the largest r with r^n <= prime * 2^(64 n), less its
    /// integer part. Roots are below 32, so that r^n has fewer than 256 bits.
    fn root(prime: u64, n: usize) -> u64 {
        let mut bound = [0; 4];
        bound[n] = prime;
        let mut r = 0_u128;
        for bit in (0..69).rev() {
            let more = r | 1 << bit;
            let wide = [more as u64, (more >> 64) as u64, 0, 0];
            if at_most((1..n).fold(wide, |power, _| product(power, wide)), bound) {
                r = more;
            }
        }
        r as u64
    }

    fn primes() -> impl Iterator<Item = u64> {
        (2..).filter(|n| (2..*n).all(|d| n % d != 0))
    }

    #[test]
    fn round_constants_are_cube_roots() {
        for (i, prime) in primes().take(80).enumerate() {
            assert_eq!(K64[i], root(prime, 3), "K64[{i}]");
            assert!(i >= 64 || u64::from(K32[i]) == root(prime, 3) >> 32, "K32[{i}]");
        }
    }

    #[test]
    fn initial_values_are_square_roots() {
        for (i, prime) in primes().take(16).enumerate() {
            let root = root(prime, 2);
            if i < 8 {
                assert_eq!((SHA512[i], u64::from(SHA256[i])), (root, root >> 32), "word {i}");
            } else {
                assert_eq!((SHA384[i - 8], SHA224[i - 8]), (root, root as u32), "word {i}");
            }
        }
    }

    #[test]
    fn truncated_initial_values_are_generated() {
        let generate = |name: &str| {
            let iv = SHA512.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
            sha512::digest(Backend::PORTABLE, &iv, name.as_bytes())
        };
        assert_eq!(SHA512_224, generate("SHA-512/224"));
        assert_eq!(SHA512_256, generate("SHA-512/256"));
    }
}
