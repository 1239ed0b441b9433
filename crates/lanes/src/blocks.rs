//! The same number of whole blocks for every lane.

/// `len()` whole blocks of `BLOCK` bytes of each of `LANES` messages, checked once so that a kernel's loop over them
/// checks nothing.
///
/// ```
/// let (a, b) = ([1; 192], [2; 130]);
/// let blocks = lanes::Blocks::<2, 64>::new([&a, &b], 2);
/// assert_eq!(blocks.iter().map(|[a, b]| (a[0], b[63])).collect::<Vec<_>>(), [(1, 2), (1, 2)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a, const LANES: usize, const BLOCK: usize> {
    /// Each at least `len * BLOCK` bytes.
    lanes: [&'a [u8]; LANES],
    len: usize,
}

impl<'a, const LANES: usize, const BLOCK: usize> Blocks<'a, LANES, BLOCK> {
    /// The first `len` blocks of each lane.
    ///
    /// # Panics
    /// When a lane is shorter than that.
    #[inline(always)]
    pub fn new(lanes: [&'a [u8]; LANES], len: usize) -> Self {
        let bytes = len.checked_mul(BLOCK).expect("more bytes than memory has");
        let mut enough = true;
        let mut lane = 0;
        while lane < LANES {
            enough &= bytes <= lanes[lane].len();
            lane += 1;
        }
        assert!(enough, "a lane is shorter than {len} blocks of {BLOCK} bytes");
        Self { lanes, len }
    }

    /// Blocks per lane.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// No blocks?
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes of one lane, whole blocks only.
    ///
    /// # Panics
    /// When there is no such lane.
    #[inline]
    pub fn lane(&self, lane: usize) -> &'a [u8] {
        &self.lanes[lane][..self.len * BLOCK]
    }

    /// One block of every lane after another: what [`Words32::load_be`](crate::Words32::load_be) takes.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = [&'a [u8; BLOCK]; LANES]> {
        const { assert!(LANES > 0 && BLOCK > 0) }
        let lanes = self.lanes;
        (0..self.len).map(
            #[inline(always)]
            move |block| {
                let at = |lane: usize| -> &'a [u8; BLOCK] {
                    // SAFETY: `new` checked that every lane has `len * BLOCK` bytes, and `block < len`.
                    unsafe { &*lanes[lane].as_ptr().add(block * BLOCK).cast() }
                };
                let mut row = [at(0); LANES];
                let mut lane = 1;
                while lane < LANES {
                    row[lane] = at(lane);
                    lane += 1;
                }
                row
            },
        )
    }
}
