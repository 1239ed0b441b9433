//! From a peer's context to a [`Hasher`]: what all libraries have in common.

use benchkit::suite::{Hasher, Implementation, Parameters, Stream};

/// A context of some library, ready for the first byte of a message.
///
/// It is ready again after [`Stream::reset`] and after [`Stream::finish`].
pub(crate) trait Peer: Stream + 'static {
    /// Bytes of the digest.
    fn digest_bytes(&self) -> usize;

    /// One whole message.
    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        self.update(message);
        self.finish(output);
    }
}

/// The row of a peer without options: `make` makes a context ready, or says in a sentence why it cannot.
pub(crate) fn row<P: Peer>(
    provider: &'static str,
    backend: &'static str,
    version: &str,
    make: impl Fn() -> Result<P, String> + 'static,
) -> Implementation {
    Implementation::ready(provider, backend, version, move |parameters| {
        let mut whole = make()?;
        let pieces = make()?;
        refuse_options(parameters, provider, backend, whole.digest_bytes())?;
        Ok(Hasher {
            hash: Box::new(move |message, output| whole.hash(message, output)),
            stream: Some(Box::new(pieces)),
            batch: None,
            bits: None,
            xof: None,
            tree: None,
            ran: Box::new(move || backend.to_owned()),
        })
    })
}

/// An error in a sentence for options that a plain hash does not have.
pub(crate) fn refuse_options(
    parameters: &Parameters,
    provider: &str,
    backend: &str,
    digest_bytes: usize,
) -> Result<(), String> {
    let Parameters { output_length, key, salt, personalization, customization } = parameters;
    if let Some(bytes) = output_length.filter(|&bytes| bytes != digest_bytes) {
        return Err(format!("{provider}/{backend}: the digest has {digest_bytes} bytes, not {bytes}"));
    }
    let options =
        [("key", key), ("salt", salt), ("personalization", personalization), ("customization", customization)];
    match options.into_iter().find(|(_, value)| value.is_some()) {
        Some((option, _)) => Err(format!("{provider}/{backend}: this algorithm has no {option}")),
        None => Ok(()),
    }
}

/// Panics unless the output holds exactly one digest: the C functions write that many bytes, whatever is there.
#[inline]
#[track_caller]
pub(crate) fn check_output(output: &[u8], digest_bytes: usize) {
    assert!(
        output.len() == digest_bytes,
        "the digest has {digest_bytes} bytes, and there is room for {}",
        output.len()
    );
}
