//! Keeps the lanes of a block hash full from messages of any lengths.
//!
//! A vertical kernel hashes `LANES` messages at once, and is as fast as its lanes are full. [`run`] gives a lane its next
//! message at the moment its last one ends, and calls the kernel for as many blocks at a time as every lane has, so that
//! states stay in registers. Nothing is allocated; outputs are in the order of the messages.
//!
//! What a message is made of is the family's business, told by [`BlockHash`]: whole blocks straight from the message,
//! then *stages* of blocks that the family writes itself: padding, a keyed or flagged last block, an output
//! transformation, zero blocks that squeeze a sponge.

use crate::Blocks;

#[cfg(test)]
mod tests;

/// A hash of `LANES` messages at once by blocks of `BLOCK` bytes, with up to `TAIL` bytes of own blocks a stage.
///
/// The value holds the states of all lanes, and counters or flags where the function has them. All of a step's blocks of
/// a lane come from one source, the message or one stage, so a counter that grows by the same amount each block and
/// a flag that holds for the whole stage can be set by [`start`](Self::start) and [`stage`](Self::stage).
pub trait BlockHash<const LANES: usize, const BLOCK: usize, const TAIL: usize> {
    /// What one message gives.
    type Output;

    /// The last block of a message is kept for the stages even when it is whole: for functions that treat it
    /// differently (BLAKE2, Skein).
    const LAZY: bool = false;

    /// When no message waits and at most so many lanes are busy, [`compress_few`](Self::compress_few) does the rest.
    const FEW: usize = 0;

    /// Message `index` begins in `lane`.
    fn start(&mut self, lane: usize, index: usize, message: &[u8]);

    /// Compresses the blocks into every lane's state.
    ///
    /// An idle lane is given blocks of a busy one: its state does not matter, but its counter may overflow.
    fn compress(&mut self, blocks: Blocks<'_, LANES, BLOCK>);

    /// Compresses whole blocks into the states of the lanes named and no others, as many in each: with the kernel for
    /// one message, or two side by side. Called only with 1 to [`FEW`](Self::FEW) lanes.
    fn compress_few(&mut self, few: &[(usize, &[u8])]) {
        unreachable!("{} lanes, but `compress_few` is not written", few.len())
    }

    /// The whole blocks of `lane` are compressed (`stage` 0), or those of its last stage are (1, 2 ..): either writes
    /// the next whole blocks into `tail` and returns their number, or writes the result and returns 0.
    ///
    /// `rest` is what remains of the message at all stages: less than a block, or up to a whole one if
    /// [`LAZY`](Self::LAZY). What an earlier stage or message wrote is still in `tail`.
    fn stage(&mut self, lane: usize, stage: usize, rest: &[u8], tail: &mut [u8; TAIL], out: &mut Self::Output)
    -> usize;
}

/// Hashes every message into the output of the same place.
///
/// # Panics
/// When `messages` and `outputs` differ in number, or a stage claims more blocks than `TAIL` bytes hold.
#[inline]
pub fn run<H, M, const LANES: usize, const BLOCK: usize, const TAIL: usize>(
    hash: &mut H,
    messages: &[M],
    outputs: &mut [H::Output],
) where
    H: BlockHash<LANES, BLOCK, TAIL>,
    M: AsRef<[u8]>,
{
    const { assert!(LANES > 0 && BLOCK > 0 && TAIL >= BLOCK && TAIL.is_multiple_of(BLOCK)) }
    let (given, wanted) = (messages.len(), outputs.len());
    assert!(given == wanted, "{given} messages but {wanted} outputs");

    let mut tails = [[0; TAIL]; LANES];
    let mut lanes = [const { Lane::IDLE }; LANES];
    let mut queue = Queue { messages, outputs, next: 0 };
    let mut busy = 0;
    for (i, lane) in lanes.iter_mut().enumerate() {
        busy += usize::from(lane.next_message(i, hash, &mut queue, &mut tails[i]));
    }
    while busy > 0 {
        // An idle lane never has the fewest blocks.
        let step = lanes.iter().fold(usize::MAX, |least, lane| least.min(lane.blocks));
        if busy <= H::FEW && queue.is_empty() {
            let mut few = [(0, &[][..]); LANES];
            let mut count = 0;
            for (i, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.is_busy()) {
                few[count] = (i, &lane.source(&tails[i])[..step * BLOCK]);
                count += 1;
            }
            hash.compress_few(&few[..count]);
        } else {
            let mut sources = [&[][..]; LANES];
            let mut filler = &[][..];
            for (i, lane) in lanes.iter().enumerate().filter(|(_, lane)| lane.is_busy()) {
                sources[i] = lane.source(&tails[i]);
                filler = sources[i];
            }
            if busy < LANES {
                for (i, _) in lanes.iter().enumerate().filter(|(_, lane)| !lane.is_busy()) {
                    sources[i] = filler;
                }
            }
            hash.compress(Blocks::new(sources, step));
        }
        for (i, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.is_busy()) {
            if lane.blocks > step {
                lane.blocks -= step;
                lane.done += step * BLOCK;
            } else if !lane.next_stage(i, hash, &mut queue, &mut tails[i]) {
                busy -= usize::from(!lane.next_message(i, hash, &mut queue, &mut tails[i]));
            }
        }
    }
}

/// The messages, and the first that no lane has had yet.
struct Queue<'m, 'o, M, O> {
    messages: &'m [M],
    outputs: &'o mut [O],
    next: usize,
}

impl<M, O> Queue<'_, '_, M, O> {
    fn is_empty(&self) -> bool {
        self.next == self.messages.len()
    }
}

/// Where a lane is in its message.
#[derive(Clone, Copy)]
struct Lane<'m> {
    /// Blocks left of the source: of the whole blocks of the message, or of the stage that `tail` holds.
    blocks: usize,
    /// Bytes of the source that are done.
    done: usize,
    /// The whole blocks; nothing once the stages have begun.
    whole: &'m [u8],
    /// What follows them.
    rest: &'m [u8],
    /// How many stages have been asked for.
    stages: usize,
    /// Of the message.
    index: usize,
}

impl<'m> Lane<'m> {
    const IDLE: Self = Self { blocks: usize::MAX, done: 0, whole: &[], rest: &[], stages: 0, index: 0 };

    #[inline(always)]
    fn is_busy(&self) -> bool {
        self.blocks != usize::MAX
    }

    #[inline(always)]
    fn source<'s>(&'s self, tail: &'s [u8]) -> &'s [u8] {
        let source = if self.stages == 0 { self.whole } else { tail };
        &source[self.done..]
    }

    /// Takes messages until one has blocks to compress; without one the lane is idle, and the answer is no.
    #[inline]
    fn next_message<H, M, const LANES: usize, const BLOCK: usize, const TAIL: usize>(
        &mut self,
        lane: usize,
        hash: &mut H,
        queue: &mut Queue<'m, '_, M, H::Output>,
        tail: &mut [u8; TAIL],
    ) -> bool
    where
        H: BlockHash<LANES, BLOCK, TAIL>,
        M: AsRef<[u8]>,
    {
        while let Some(message) = queue.messages.get(queue.next) {
            let message = message.as_ref();
            let kept = usize::from(H::LAZY && !message.is_empty());
            let blocks = (message.len() - kept) / BLOCK;
            let (whole, rest) = message.split_at(blocks * BLOCK);
            *self = Self { blocks, done: 0, whole, rest, stages: 0, index: queue.next };
            queue.next += 1;
            hash.start(lane, self.index, message);
            if blocks > 0 || self.next_stage(lane, hash, queue, tail) {
                return true;
            }
        }
        *self = Self::IDLE;
        false
    }

    /// Asks for the next stage; if it has no blocks, the message is finished, and the answer is no.
    #[inline(always)]
    fn next_stage<H, M, const LANES: usize, const BLOCK: usize, const TAIL: usize>(
        &mut self,
        lane: usize,
        hash: &mut H,
        queue: &mut Queue<'m, '_, M, H::Output>,
        tail: &mut [u8; TAIL],
    ) -> bool
    where
        H: BlockHash<LANES, BLOCK, TAIL>,
    {
        self.blocks = hash.stage(lane, self.stages, self.rest, tail, &mut queue.outputs[self.index]);
        assert!(self.blocks <= TAIL / BLOCK, "a stage of {} blocks in {TAIL} bytes", self.blocks);
        self.stages += 1;
        self.done = 0;
        self.blocks > 0
    }
}
