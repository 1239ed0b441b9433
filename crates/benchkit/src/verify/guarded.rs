//! Buffers that show when something was written where it must not be.

use core::fmt;
use core::ops::Range;
use std::hint::black_box;

/// Bytes watched on either side of the content.
const GUARD: usize = 16;
const ALIGNMENT: usize = 64;

/// A byte buffer with watched bytes around its content, which begins at a 64-byte boundary or at a chosen distance from
/// one.
#[derive(Debug, Default)]
pub(super) struct Guarded {
    buffer: Vec<u8>,
    content: Range<usize>,
    /// Changes from use to use, so that no fixed byte that is written outside goes unseen twice.
    salt: u8,
}

/// Where something was written that must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    /// That many bytes before the content; the farthest.
    Before(usize),
    /// That many bytes behind the content; the farthest.
    Behind(usize),
    /// In the content, at that byte.
    Inside(usize),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(bytes) => write!(f, "up to {bytes} bytes before"),
            Self::Behind(bytes) => write!(f, "up to {bytes} bytes behind"),
            Self::Inside(at) => write!(f, "at byte {at} of"),
        }
    }
}

impl Guarded {
    /// Makes room for `size` bytes at `distance` from a boundary and renews the watched bytes. The content is what stood
    /// there, or the pattern of the watched bytes.
    fn prepare(&mut self, size: usize, distance: usize) {
        let needed = GUARD + ALIGNMENT + distance + size + GUARD;
        if self.buffer.len() < needed {
            self.buffer.resize(needed, 0);
        }
        let first = self.buffer.as_ptr().addr() + GUARD;
        let start = GUARD + first.next_multiple_of(ALIGNMENT) - first + distance;
        self.content = start..start + size;
        self.salt = self.salt.wrapping_add(0x6d);
        let salt = self.salt;
        for at in self.before().chain(self.behind()) {
            self.buffer[at] = watched(salt, at);
        }
    }

    /// Holds a copy of `bytes`.
    pub(super) fn hold(&mut self, bytes: &[u8], distance: usize) {
        self.prepare(bytes.len(), distance);
        self.buffer[self.content.clone()].copy_from_slice(bytes);
    }

    /// Holds `size` bytes that differ from use to use.
    pub(super) fn blank(&mut self, size: usize, distance: usize) {
        self.prepare(size, distance);
        for at in self.content.clone() {
            self.buffer[at] = watched(self.salt, at);
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.content.clone()]
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[self.content.clone()]
    }

    /// What was written around the content.
    pub(super) fn damage_around(&mut self) -> Option<Damage> {
        // What a foreign library wrote through a pointer of its own is not known to the compiler: this says that anything
        // may have changed.
        black_box(self.buffer.as_mut_slice());
        let wrong = |at: &usize| self.buffer[*at] != watched(self.salt, *at);
        if let Some(at) = self.before().find(wrong) {
            return Some(Damage::Before(self.content.start - at));
        }
        self.behind().rev().find(wrong).map(|at| Damage::Behind(at + 1 - self.content.end))
    }

    /// What was written around the content or in it, if it held `bytes`.
    pub(super) fn damage(&mut self, bytes: &[u8]) -> Option<Damage> {
        self.damage_around().or_else(|| {
            let held = self.bytes();
            if held == bytes {
                return None;
            }
            held.iter().zip(bytes).position(|(held, byte)| held != byte).map(Damage::Inside)
        })
    }

    fn before(&self) -> Range<usize> {
        self.content.start - GUARD..self.content.start
    }

    fn behind(&self) -> Range<usize> {
        self.content.end..self.content.end + GUARD
    }
}

fn watched(salt: u8, at: usize) -> u8 {
    salt ^ (at as u8).wrapping_mul(0x1d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_single_byte_around_the_content_is_watched() {
        for distance in [0, 1] {
            for offset in (-16_isize..0).chain(40..56) {
                let mut buffer = Guarded::default();
                buffer.hold(&[7; 40], distance);
                assert_eq!(buffer.bytes().as_ptr().addr() % 64, distance);
                assert_eq!(buffer.damage(&[7; 40]), None);
                let at = buffer.content.start.checked_add_signed(offset).unwrap();
                buffer.buffer[at] ^= 1;
                let expected = match offset {
                    ..0 => Damage::Before(offset.unsigned_abs()),
                    _ => Damage::Behind(offset as usize - 39),
                };
                assert_eq!(buffer.damage(&[7; 40]), Some(expected));
                assert_eq!(buffer.damage_around(), Some(expected));
            }
        }
    }

    #[test]
    fn a_change_of_the_content_is_seen() {
        let mut buffer = Guarded::default();
        buffer.hold(&[7; 40], 0);
        buffer.bytes_mut()[39] = 8;
        assert_eq!(buffer.damage(&[7; 40]), Some(Damage::Inside(39)));
        assert_eq!(buffer.damage_around(), None);
    }

    #[test]
    fn the_same_byte_written_outside_is_seen_the_second_time() {
        let mut buffer = Guarded::default();
        let mut seen = 0;
        for _ in 0..2 {
            buffer.blank(32, 0);
            let end = buffer.content.end;
            buffer.buffer[end] = 0;
            seen += usize::from(buffer.damage_around().is_some());
        }
        assert!(seen >= 1);
    }
}
