//! The end of a message: padding (section 3.6), and what both primitives do with it.

/// Bytes of the number of blocks at the end of the last block.
pub(crate) const LENGTH: usize = 8;

/// The last one or two blocks of a message: what is left of it, the bit 1, zeros, the number of blocks.
pub(crate) struct End<const BLOCK: usize> {
    blocks: [[u8; BLOCK]; 2],
    long: bool,
}

impl<const BLOCK: usize> End<BLOCK> {
    /// `rest`: the bytes behind the last whole block, fewer than a block. `marker`: the byte behind them, which holds
    /// the bit 1 and before it the bits of an incomplete last byte. `before`: blocks before these.
    #[inline(always)]
    pub(crate) const fn new(rest: &[u8], marker: u8, before: u64) -> Self {
        let mut blocks = [[0; BLOCK]; 2];
        let long = rest.len() >= BLOCK - LENGTH;
        blocks.as_flattened_mut().split_at_mut(rest.len()).0.copy_from_slice(rest);
        blocks[0][rest.len()] = marker;
        let count = before.wrapping_add(1 + long as u64);
        *blocks[long as usize].last_chunk_mut().expect("a block is longer than the length") = count.to_be_bytes();
        Self { blocks, long }
    }

    #[inline(always)]
    pub(crate) const fn blocks(&self) -> &[[u8; BLOCK]] {
        if self.long { &self.blocks } else { self.blocks.split_at(1).0 }
    }

    /// With feature `zeroize`, wipes the copy of the message's end.
    #[inline(always)]
    pub(crate) fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.blocks);
    }
}

/// Writes the same bytes as [`End::new`], for blocks of `block` bytes, to the start of `room`, which is all zeros; gives
/// the number of blocks.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(crate) fn write(room: &mut [u8], block: usize, rest: &[u8], marker: u8, before: u64) -> usize {
    let long = rest.len() >= block - LENGTH;
    room[..rest.len()].copy_from_slice(rest);
    room[rest.len()] = marker;
    let used = block * (1 + usize::from(long));
    let count = before.wrapping_add(1 + u64::from(long));
    room[used - LENGTH..used].copy_from_slice(&count.to_be_bytes());
    used / block
}

/// The functions over whole messages that a primitive with `run` has.
macro_rules! primitive {
    ($block:expr) => {
        /// Compresses a message to its end, and transforms the output; `before` blocks came before the message.
        #[inline]
        pub(crate) fn finish(backend: Backend, state: &mut State, message: &[u8], before: u64) {
            let (blocks, rest) = message.as_chunks();
            let mut end = end::End::new(rest, 0x80, before.wrapping_add(blocks.len() as u64));
            run(backend, state, blocks, end.blocks(), true);
            end.wipe();
        }

        /// The transformed state after a whole message.
        #[inline]
        pub(crate) fn digest(backend: Backend, iv: &State, message: &[u8]) -> State {
            let mut state = *iv;
            finish(backend, &mut state, message, 0);
            state
        }

        /// The transformed state after the first `bits` bits of `bytes`, most significant bit of a byte first.
        pub(crate) fn digest_bits(backend: Backend, iv: &State, bytes: &[u8], bits: u64) -> State {
            let enough = bits.div_ceil(8) <= bytes.len() as u64;
            assert!(enough, "{bits} bits asked for, but {} bytes given", bytes.len());
            let whole = (bits / 8) as usize;
            let (blocks, rest) = bytes[..whole].as_chunks();
            let marker = match bits % 8 {
                0 => 0x80,
                n => (bytes[whole] & !(0xff >> n)) | (0x80 >> n),
            };
            let mut end = end::End::new(rest, marker, blocks.len() as u64);
            let mut state = *iv;
            run(backend, &mut state, blocks, end.blocks(), true);
            end.wipe();
            state
        }

        /// [`digest`] at compile time.
        pub(crate) const fn digest_const(iv: &State, message: &[u8]) -> State {
            let (blocks, rest) = message.as_chunks();
            let end = end::End::new(rest, 0x80, blocks.len() as u64);
            let mut state = *iv;
            portable::run_const(&mut state, blocks, end.blocks());
            state
        }

        /// The last `N` bytes of a transformed state: the digest.
        #[inline(always)]
        pub(crate) const fn output<const N: usize>(state: &State) -> [u8; N] {
            match state.last_chunk() {
                Some(digest) => *digest,
                None => panic!("a digest is at most half a state"),
            }
        }
    };
}
pub(crate) use primitive;
