//! What a value leaves in memory when it is dropped: for the tests of the families.

#![allow(unsafe_code)]

use core::mem::MaybeUninit;

/// A value whose memory can be looked at, also after it was dropped.
#[derive(Debug)]
pub struct Remains<T> {
    place: Box<MaybeUninit<T>>,
    dropped: bool,
}

impl<T> Remains<T> {
    /// Makes the value in memory that was zeros before, so that every byte of it can be read.
    pub fn new(make: impl FnOnce() -> T) -> Self {
        let mut place = Box::new(MaybeUninit::zeroed());
        place.write(make());
        Self { place, dropped: false }
    }

    /// The value.
    ///
    /// # Panics
    ///
    /// If it was dropped.
    pub fn value(&mut self) -> &mut T {
        assert!(!self.dropped, "there is no value any more");
        // SAFETY: `new` wrote it, and it was not dropped.
        unsafe { self.place.assume_init_mut() }
    }

    /// The bytes of its memory as they are.
    pub fn bytes(&self) -> Vec<u8> {
        let start = self.place.as_ptr().cast::<u8>();
        // SAFETY: within the box. Padding that `write` did not keep may hold anything, which is what is looked at: volatile,
        // so that the compiler makes the access and knows nothing about its result.
        (0..size_of::<T>()).map(|at| unsafe { start.add(at).read_volatile() }).collect()
    }

    /// Whether these bytes stand somewhere in its memory.
    pub fn hold(&self, run: &[u8]) -> bool {
        self.bytes().windows(run.len().max(1)).any(|window| window == run)
    }

    /// Drops the value; its memory stays.
    ///
    /// # Panics
    ///
    /// If it was dropped already.
    pub fn drop_value(&mut self) {
        assert!(!self.dropped, "there is no value any more");
        self.dropped = true;
        // SAFETY: `new` wrote it, and this is its only drop, as the flag says.
        unsafe { self.place.assume_init_drop() }
    }
}

impl<T> Drop for Remains<T> {
    fn drop(&mut self) {
        if !self.dropped {
            self.drop_value();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_wiped_is_seen() {
        struct Careless([u8; 16]);
        struct Careful([u8; 16]);
        impl Drop for Careful {
            fn drop(&mut self) {
                for byte in &mut self.0 {
                    // SAFETY: a valid reference.
                    unsafe { core::ptr::write_volatile(byte, 0) };
                }
            }
        }
        let secret: [u8; 16] = core::array::from_fn(|i| i as u8 + 100);
        let mut careless = Remains::new(|| Careless(secret));
        let mut careful = Remains::new(|| Careful(secret));
        assert_eq!((careless.value().0, careful.value().0), (secret, secret));
        assert!(careless.hold(&secret[3..9]) && careful.hold(&secret));
        careless.drop_value();
        careful.drop_value();
        assert!(careless.hold(&secret));
        assert!(!careful.hold(&secret[..2]));
    }

    #[test]
    fn the_value_is_dropped_once() {
        let count = std::rc::Rc::new(());
        let mut kept = Remains::new(|| std::rc::Rc::clone(&count));
        drop(Remains::new(|| std::rc::Rc::clone(&count)));
        assert_eq!(std::rc::Rc::strong_count(&count), 2);
        kept.drop_value();
        assert_eq!(std::rc::Rc::strong_count(&count), 1);
        drop(kept);
        assert_eq!(std::rc::Rc::strong_count(&count), 1);
    }
}
