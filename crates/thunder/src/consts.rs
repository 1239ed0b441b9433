//! Constants of the Thunder submission (NGCC round 1, hash-33): specification, sections 2.2 to 2.6.

/// Lanes of the state.
pub(crate) const LANES: usize = 25;

/// Rounds of the permutation.
pub(crate) const ROUNDS: usize = 12;

/// What iota adds to lane 0 in each round.
pub(crate) const RC: [u64; ROUNDS] =
    [0x0001, 0x0003, 0x000a, 0x0088, 0x8081, 0x8002, 0x0009, 0x0083, 0x800a, 0x0089, 0x8083, 0x800b];

/// Rotations to the right of rho; lane (x, y) has index 5 y + x.
pub(crate) const TAU: [u32; LANES] = [
    45, 33, 13, 1, 27, //
    40, 52, 19, 47, 9, //
    34, 5, 0, 2, 37, //
    48, 30, 61, 8, 38, //
    6, 18, 49, 17, 43,
];

/// Rotations of theta by row y: those of the second parity.
pub(crate) const T: [u32; 5] = [41, 50, 6, 10, 27];

/// Rotation of theta: of both parities before they are added to a column.
pub(crate) const U: u32 = 26;

/// Rotation of theta: of the left neighbour's first parity.
pub(crate) const R: u32 = 1;

/// Rotation of theta: of the second parity two columns to the left.
pub(crate) const S: u32 = 36;

/// Rotations of theta for the second parity, taken relative to row `base`: `T[y] - T[base]`.
///
/// Kernels leave the common rotation out of the sums over a column, and catch up with it in [`add_back`].
pub(crate) const fn relative(y: usize, base: usize) -> u32 {
    (T[y] + 64 - T[base]) % 64
}

/// The rotation by which the second parity, taken relative to row `base`, is added to row `y`.
pub(crate) const fn add_back(y: usize, base: usize) -> u32 {
    (U + T[y] + T[base]) % 64
}

/// Constant of the last block, added to lane 0.
pub(crate) const LAST: u64 = 1;

/// A state of the given capacity lanes, lane 0 first, and zeros.
const fn initial<const N: usize>(capacity: [u64; N]) -> [u64; LANES] {
    let mut state = [0; LANES];
    let mut i = 0;
    while i < N {
        state[i] = capacity[i];
        i += 1;
    }
    state
}

/// Initial value of Thunder-512. No derivation of it is published.
pub(crate) const H512: [u64; LANES] = initial([
    0xbf6f_0f35_e3b4_b690,
    0x8e26_5b93_43c8_55be,
    0x246b_722c_bb56_513a,
    0xbc2f_395f_d069_23b4,
    0xdd52_4527_a772_95d2,
    0x41e8_18d4_f5a3_62fc,
    0x694a_d134_1f06_6571,
    0x9b04_c99d_c477_b767,
    0x385e_c0e6_c2c9_262c,
]);

/// Initial value of Thunder-768. No derivation of it is published.
pub(crate) const H768: [u64; LANES] = initial([
    0x1ee2_c860_9716_e1fd,
    0x9c67_610b_0ef5_484c,
    0x1e6d_7ff8_f050_881c,
    0xcc3f_a327_9d63_71f6,
    0xdb34_e00b_b812_2876,
    0xb983_9a4a_f0ca_e3d5,
    0xdcfa_8162_72a3_5c8c,
    0x55fb_d314_8a3a_352a,
    0x900e_93ca_9a4a_9953,
    0x9ccc_ef7a_cdc1_9758,
    0xa7a1_6eac_1068_9e8c,
    0x676b_3791_eba6_281c,
    0xe1f7_c901_0e8e_c178,
]);

/// Initial value of Thunder-1024. No derivation of it is published.
pub(crate) const H1024: [u64; LANES] = initial([
    0xf40b_a520_bf21_76af,
    0x6ca0_62c1_26d8_f82f,
    0xde0a_f08d_84b5_63fd,
    0x9de9_ebb8_e116_c786,
    0x0e88_f98c_2afd_6c77,
    0xcc6b_b54c_5ab3_1102,
    0x9281_4bcc_238c_ceba,
    0x6af2_ab07_a720_737f,
    0x95d7_5d8e_e27a_1149,
    0x9f76_c65c_5e81_fead,
    0xf201_2048_09f5_67f0,
    0x717e_f787_4fdf_8324,
    0x1e74_3324_99e4_122a,
    0xf893_5180_a66b_22d6,
    0x948c_dbec_c8ba_e9d8,
    0x2c44_dd20_0f6d_93de,
    0x2450_3f60_bf3c_a4c8,
]);

/// Initial value of Thunder-XOF-256. No derivation of it is published.
pub(crate) const XOF256: [u64; LANES] = initial([
    0x9e81_2da2_738f_e002,
    0x219b_7c07_60b0_e94d,
    0x5215_6057_d367_da1e,
    0x00a5_215d_ffde_8879,
    0xa788_3ef8_29cc_1a87,
    0x4a51_5e2b_8e01_c2ff,
    0x5c0a_e215_9e01_fc77,
    0x7298_5561_4d7f_148c,
    0x4980_f7d4_3905_5835,
]);

/// Initial value of Thunder-XOF-384. No derivation of it is published.
pub(crate) const XOF384: [u64; LANES] = initial([
    0xf45c_092f_ac27_2ecd,
    0x6663_f2d3_4b98_1ce9,
    0x3f8a_db0d_cf6e_3c57,
    0xf4e8_d96c_8c2a_a889,
    0xf63c_53a3_c826_dd36,
    0x6322_e49d_1d66_fd68,
    0xa69b_502f_299d_f9e8,
    0x37f1_f11b_1f66_6c79,
    0x93b2_116b_0926_4243,
    0x1033_53e2_853d_c514,
    0x03bf_159a_8c56_aeea,
    0x63a3_c93b_7341_3ab0,
    0x1221_3c61_0d46_68bf,
]);

/// Initial value of Thunder-XOF-512. No derivation of it is published.
pub(crate) const XOF512: [u64; LANES] = initial([
    0xc288_4d52_5c70_2b64,
    0x66a7_2645_a0f4_0a18,
    0xbab8_4a61_4a23_50c9,
    0xf081_647f_0ad1_78dd,
    0x7b76_7d98_da24_ec2c,
    0x3b3c_04dd_0720_3847,
    0xfa81_8bd5_eb11_b50c,
    0xd5e7_b030_35ab_65ef,
    0x3e16_20f0_81af_14fa,
    0x621b_c666_4942_3a58,
    0x9de9_8219_698c_f8dd,
    0x01c0_3496_7655_9785,
    0x0cb9_7494_b14e_a9e1,
    0x9a48_816b_4117_6eb4,
    0x7eec_df54_aa72_5d35,
    0xfff8_6452_8437_78bc,
    0x9aee_ef2b_632a_a55e,
]);
