//! Many messages on one thread.

/// The lanes of one primitive while messages pass through them.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! family {
    ($Batch:ident $primitive:ident $block:literal) => {
        use ::lanes::{
            Blocks,
            batch::{self, BlockHash},
        };

        struct $Batch<K, E, const LANES: usize, const FEW: usize, const N: usize> {
            /// Compresses blocks into every lane.
            kernel: K,
            /// Compresses blocks into a few states.
            each: E,
            iv: State,
            states: [State; LANES],
            /// Blocks of each lane's message that are whole.
            whole: [u64; LANES],
        }

        impl<K, E, const LANES: usize, const FEW: usize, const N: usize> $Batch<K, E, LANES, FEW, N>
        where
            K: FnMut(&mut [State; LANES], Blocks<'_, LANES, $block>),
            E: FnMut(&mut [State], &[&[[u8; $block]]]),
        {
            #[inline]
            fn run<M: AsRef<[u8]>>(iv: &State, messages: &[M], out: &mut [[u8; N]], kernel: K, each: E) {
                let mut lanes = Self { kernel, each, iv: *iv, states: [[0; $block]; LANES], whole: [0; LANES] };
                batch::run(&mut lanes, messages, out);
                #[cfg(feature = "zeroize")]
                zeroize::Zeroize::zeroize(&mut lanes.states);
            }
        }

        impl<K, E, const LANES: usize, const FEW: usize, const N: usize> BlockHash<LANES, $block, { 3 * $block }>
            for $Batch<K, E, LANES, FEW, N>
        where
            K: FnMut(&mut [State; LANES], Blocks<'_, LANES, $block>),
            E: FnMut(&mut [State], &[&[[u8; $block]]]),
        {
            type Output = [u8; N];
            const FEW: usize = FEW;

            #[inline]
            fn start(&mut self, lane: usize, _: usize, message: &[u8]) {
                self.whole[lane] = (message.len() / $block) as u64;
                self.states[lane] = self.iv;
            }

            #[inline]
            fn compress(&mut self, blocks: Blocks<'_, LANES, $block>) {
                (self.kernel)(&mut self.states, blocks);
            }

            #[inline]
            fn compress_few(&mut self, few: &[(usize, &[u8])]) {
                let mut states = [[0; $block]; FEW];
                let mut blocks = [&[][..]; FEW];
                for (i, (lane, bytes)) in few.iter().enumerate() {
                    states[i] = self.states[*lane];
                    blocks[i] = bytes.as_chunks().0;
                }
                (self.each)(&mut states[..few.len()], &blocks[..few.len()]);
                for (state, (lane, _)) in states.iter().zip(few) {
                    self.states[*lane] = *state;
                }
            }

            /// The padded end and, behind it, a block of zeros, whose compression stands for the output transformation.
            #[inline]
            fn stage(
                &mut self,
                lane: usize,
                stage: usize,
                rest: &[u8],
                tail: &mut [u8; { 3 * $block }],
                out: &mut [u8; N],
            ) -> usize {
                if stage == 0 {
                    *tail = [0; 3 * $block];
                    return 1 + end::write(tail, $block, rest, 0x80, self.whole[lane]);
                }
                let mut state = self.states[lane];
                for (byte, q) in state.iter_mut().zip(&$primitive::Q_OF_ZERO) {
                    *byte ^= q;
                }
                *out = $primitive::output(&state);
                #[cfg(feature = "zeroize")]
                zeroize::Zeroize::zeroize(tail);
                0
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use family;

pub(crate) mod groestl256;
pub(crate) mod groestl512;

/// Panics unless there is room for exactly one digest a message.
#[track_caller]
#[inline]
pub(crate) fn check(messages: usize, digests: usize) {
    assert!(messages == digests, "{messages} messages, but room for {digests} digests");
}
