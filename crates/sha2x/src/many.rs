//! Many messages on one thread.
//!
//! Which kernel takes how many messages, when nobody chose a backend:
//!
//! | | SHA-224, SHA-256 | SHA-512 family |
//! |---|---|---|
//! | AVX-512 and SHA extensions | 1: SHA; 2 to 5: SHA x 3; 6 to 11: ymm x 8; from 12: zmm x 16 | as below |
//! | AVX-512 | 1: one; 2 to 8: ymm x 8; from 9: zmm x 16 | 1: one; 2 to 4: ymm x 4; from 5: zmm x 8 |
//! | SHA extensions | 1: SHA; from 2: SHA x 3 | as below |
//! | AVX2 | 1: one; from 2: ymm x 8 | 1: one; from 2: ymm x 4 |
//! | none | one after the other | one after the other |
//!
//! The same figures hold at the end of a batch, when no message waits any more and fewer and fewer lanes are busy.

/// The lanes of one family while messages pass through them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! family {
    ($Batch:ident $primitive:ident $block:literal $word:ident $count:ident) => {
        use ::lanes::{
            Blocks,
            batch::{self, BlockHash},
        };

        struct $Batch<K, E, const LANES: usize, const FEW: usize, const N: usize> {
            /// Compresses blocks into every lane.
            kernel: K,
            /// Compresses blocks into a few states, each by itself or in pairs.
            each: E,
            iv: State,
            /// Word i of lane l is `states[i][l]`.
            states: [[$word; LANES]; 8],
            bytes: [usize; LANES],
        }

        impl<K, E, const LANES: usize, const FEW: usize, const N: usize> $Batch<K, E, LANES, FEW, N>
        where
            K: FnMut(&mut [[$word; LANES]; 8], Blocks<'_, LANES, $block>),
            E: FnMut(&mut [State], &[&[[u8; $block]]]),
        {
            #[inline]
            fn run<M: AsRef<[u8]>>(iv: &State, messages: &[M], out: &mut [[u8; N]], kernel: K, each: E) {
                let mut lanes = Self { kernel, each, iv: *iv, states: [[0; LANES]; 8], bytes: [0; LANES] };
                batch::run(&mut lanes, messages, out);
                #[cfg(feature = "zeroize")]
                zeroize::Zeroize::zeroize(&mut lanes.states);
            }

            #[inline]
            fn state(&self, lane: usize) -> State {
                self.states.map(
                    #[inline(always)]
                    |words| words[lane],
                )
            }

            #[inline]
            fn set_state(&mut self, lane: usize, state: &State) {
                for (words, word) in self.states.iter_mut().zip(state) {
                    words[lane] = *word;
                }
            }
        }

        impl<K, E, const LANES: usize, const FEW: usize, const N: usize> BlockHash<LANES, $block, { 2 * $block }>
            for $Batch<K, E, LANES, FEW, N>
        where
            K: FnMut(&mut [[$word; LANES]; 8], Blocks<'_, LANES, $block>),
            E: FnMut(&mut [State], &[&[[u8; $block]]]),
        {
            type Output = [u8; N];
            const FEW: usize = FEW;

            #[inline]
            fn start(&mut self, lane: usize, _: usize, message: &[u8]) {
                self.bytes[lane] = message.len();
                self.set_state(lane, &{ self.iv });
            }

            #[inline]
            fn compress(&mut self, blocks: Blocks<'_, LANES, $block>) {
                (self.kernel)(&mut self.states, blocks);
            }

            #[inline]
            fn compress_few(&mut self, few: &[(usize, &[u8])]) {
                let mut states = [[0; 8]; FEW];
                let mut blocks = [&[][..]; FEW];
                for (i, (lane, bytes)) in few.iter().enumerate() {
                    states[i] = self.state(*lane);
                    blocks[i] = bytes.as_chunks().0;
                }
                (self.each)(&mut states[..few.len()], &blocks[..few.len()]);
                for (state, (lane, _)) in states.iter().zip(few) {
                    self.set_state(*lane, state);
                }
            }

            #[inline]
            fn stage(
                &mut self,
                lane: usize,
                stage: usize,
                rest: &[u8],
                tail: &mut [u8; { 2 * $block }],
                out: &mut [u8; N],
            ) -> usize {
                if stage == 0 {
                    let bits = $primitive::bits(self.bytes[lane] as $count);
                    return $primitive::End::write(tail, rest, 0x80, bits);
                }
                *out = $primitive::output(&self.state(lane));
                #[cfg(feature = "zeroize")]
                zeroize::Zeroize::zeroize(tail);
                0
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use family;

pub(crate) mod sha256;
pub(crate) mod sha512;

/// Panics unless there is room for exactly one digest a message.
#[track_caller]
#[inline]
pub(crate) fn check(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages, but room for {digests} digests");
}
