//! Reproducible random numbers: the same seed gives the same numbers on every platform and in every version.
//!
//! A record must be replayable from its seed years later, so the generator is written here and does not change with
//! a dependency. It is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
//! It keeps no secrets.

/// A seeded generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of that seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A generator whose numbers have nothing to do with those of this one.
    pub const fn fork(&mut self) -> Self {
        Self(self.next())
    }

    /// A number from 0 to `bound` - 1, each equally likely.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below 0");
        // Multiples of `bound` fill 0..=limit exactly; what lies above would favour the small numbers.
        let limit = u64::MAX - (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next();
            if number <= limit {
                return number % bound;
            }
        }
    }

    /// A place in a slice of `length` elements.
    ///
    /// # Panics
    ///
    /// If `length` is 0.
    pub const fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Puts the elements in an order of which each is equally likely (Fisher, Yates).
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.index(last + 1));
        }
    }

    /// Overwrites all bytes; number i in little-endian order makes bytes 8 i to 8 i + 7.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for piece in bytes.chunks_mut(8) {
            piece.copy_from_slice(&self.next().to_le_bytes()[..piece.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let mut random = Random::new(0);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]
        );
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn below_reaches_everything_and_no_more() {
        let mut random = Random::new(7);
        let mut seen = [0u32; 5];
        for _ in 0..5000 {
            seen[random.index(5)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(random.below(1), 0);
        // With 2^63 + 1 nearly half of all draws are refused; none may come out too large.
        assert!((0..1000).all(|_| random.below((1 << 63) + 1) <= 1 << 63));
    }

    #[test]
    fn shuffle_keeps_the_elements() {
        let mut elements: Vec<u32> = (0..100).collect();
        Random::new(3).shuffle(&mut elements);
        assert_ne!(elements, (0..100).collect::<Vec<_>>());
        let mut again: Vec<u32> = (0..100).collect();
        Random::new(3).shuffle(&mut again);
        assert_eq!(elements, again);
        elements.sort_unstable();
        assert_eq!(elements, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn fill_is_the_little_endian_stream() {
        let mut bytes = [0; 11];
        Random::new(0).fill(&mut bytes);
        assert_eq!(bytes[..8], 0xe220_a839_7b1d_cdaf_u64.to_le_bytes());
        assert_eq!(bytes[8..], 0x6e78_9e6a_a1b9_65f4_u64.to_le_bytes()[..3]);
    }
}
