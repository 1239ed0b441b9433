//! From a family's types and functions to a [`Hasher`], so that each family says only what is its own.

use core::marker::PhantomData;

use digest::{FixedOutputReset, Update};

use crate::suite::{Batch, Hasher, Stream};

/// A hash with a digest of `N` bytes on one backend. The closures are taken by type, so that what a user would see
/// inlined is inlined here too.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<T, One, Many, Bits, Ran, const N: usize> {
    /// The hasher, ready for a message; it is cloned for each use.
    pub hasher: T,
    /// One whole message.
    pub one: One,
    /// Many of them.
    pub many: Many,
    /// Messages that the widest kernel hashes at once.
    pub lanes: usize,
    /// The first so many bits of a message.
    pub bits: Bits,
    /// The backend that a hasher uses.
    pub ran: Ran,
}

impl<T, One, Many, Bits, Ran, const N: usize> Fixed<T, One, Many, Bits, Ran, N>
where
    T: FixedOutputReset + Update + Clone + 'static,
    One: Fn(&[u8]) -> [u8; N] + 'static,
    Many: Fn(&[&[u8]], &mut [[u8; N]]) + 'static,
    Bits: Fn(&[u8], u64) -> [u8; N] + 'static,
    Ran: Fn(&T) -> String + 'static,
{
    /// The functions behind pointers that nobody sees through.
    ///
    /// # Panics
    ///
    /// The hasher panics if an output has not `N` bytes for each message.
    pub fn into_hasher(self) -> Hasher {
        let Self { hasher, one, many, lanes, bits, ran } = self;
        let stream = Pieces { hasher: hasher.clone(), size: PhantomData::<[u8; N]> };
        Hasher {
            hash: Box::new(move |message, output| output.copy_from_slice(&one(message))),
            stream: Some(Box::new(stream)),
            batch: Some(Batch {
                lanes,
                call: Box::new(move |messages, outputs| {
                    let (outputs, rest) = outputs.as_chunks_mut();
                    assert!(rest.is_empty(), "a digest has {N} bytes");
                    many(messages, outputs);
                }),
            }),
            bits: Some(Box::new(move |message, count, output| output.copy_from_slice(&bits(message, count)))),
            xof: None,
            tree: None,
            ran: Box::new(move || ran(&hasher)),
        }
    }
}

struct Pieces<T, S> {
    hasher: T,
    size: PhantomData<S>,
}

impl<T: FixedOutputReset + Update, const N: usize> Stream for Pieces<T, [u8; N]> {
    fn reset(&mut self) {
        digest::Reset::reset(&mut self.hasher);
    }

    fn update(&mut self, piece: &[u8]) {
        Update::update(&mut self.hasher, piece);
    }

    fn finish(&mut self, output: &mut [u8]) {
        assert!(output.len() == N, "a digest has {N} bytes");
        let output = output.try_into().expect("the type's digest has N bytes");
        FixedOutputReset::finalize_into_reset(&mut self.hasher, output);
    }
}
