//! What was asked for, made ready or refused.

use crate::protocol;
use crate::suite::{Algorithm, Hasher, Implementation, Lengths, Parameters, State, Suite};

/// An implementation that is ready to hash.
pub(super) struct Ready<'a> {
    pub(super) algorithm: &'a Algorithm,
    pub(super) implementation: &'a Implementation,
    pub(super) hasher: Hasher,
    /// Bytes of digest.
    pub(super) size: usize,
}

/// Finds and makes ready what was asked for.
pub(super) fn ready<'a>(suite: &'a Suite, request: &protocol::Digest) -> Result<Ready<'a>, String> {
    let algorithm = suite.algorithms.iter().find(|algorithm| algorithm.id == request.algorithm).ok_or_else(|| {
        let ids = list(suite.algorithms.iter().map(|algorithm| algorithm.id.to_owned()));
        format!("{} has no algorithm `{}`; it has {ids}", suite.family, request.algorithm)
    })?;
    let implementation = implementation(algorithm, request.backend.as_deref())?;
    let parameters = parameters(algorithm, request)?;
    let size = parameters.output_length.unwrap_or(algorithm.output.default);
    // Refused here rather than by an abort later.
    Vec::<u8>::new().try_reserve_exact(size).map_err(|_| format!("there is no room for {size} bytes of output"))?;
    // In another environment it would be another implementation.
    implementation.misplaced().map_or(Ok(()), Err)?;
    let hasher = implementation.make(&parameters)?;
    Ok(Ready { algorithm, implementation, hasher, size })
}

impl Ready<'_> {
    /// Refuses digests that another backend made than the one that was asked for.
    pub(super) fn ran(&self) -> Result<(), String> {
        let ran = (self.hasher.ran)();
        if ran == self.implementation.backend {
            return Ok(());
        }
        Err(format!("asked for {}, but {ran} ran", self.implementation.name()))
    }
}

/// `provider/backend`, or a bare backend of ours; by default our best, which stands last.
fn implementation<'a>(algorithm: &'a Algorithm, name: Option<&str>) -> Result<&'a Implementation, String> {
    let all = &algorithm.implementations;
    let Some(name) = name else {
        let best = all.iter().rfind(|implementation| implementation.ours && available(implementation));
        return best.ok_or_else(|| format!("{} has no implementation of ours that can run here", algorithm.id));
    };
    let found = algorithm
        .implementation(name)
        .or_else(|| all.iter().find(|implementation| implementation.ours && implementation.backend == name));
    // One that is absent says why when it is to be made ready.
    found.ok_or_else(|| {
        let names = list(all.iter().filter(|implementation| available(implementation)).map(Implementation::name));
        format!("{} has no backend `{name}`; here it has {names}", algorithm.id)
    })
}

fn available(implementation: &Implementation) -> bool {
    matches!(implementation.state, State::Ready(_))
}

/// Decodes the options and refuses what the algorithm does not have.
fn parameters(algorithm: &Algorithm, request: &protocol::Digest) -> Result<Parameters, String> {
    if let Some(bytes) = request.output_length
        && !algorithm.output.allows(bytes)
    {
        let output = algorithm.output;
        let lengths = Lengths { min: output.min, max: output.max };
        return Err(format!("--output-length {bytes}: a digest of {} has {}", algorithm.id, allowed(lengths)));
    }
    let options = &algorithm.options;
    let known = [
        ("key", options.key, &request.key),
        ("salt", options.salt, &request.salt),
        ("personalization", options.personalization, &request.personalization),
        ("customization", options.customization, &request.customization),
    ];
    let mut values = known.iter().map(|&(name, lengths, value)| {
        let Some(value) = value else { return Ok(None) };
        let lengths = lengths.ok_or_else(|| {
            let names = known.iter().filter(|option| option.1.is_some()).map(|option| format!("--{}", option.0));
            let names = list(names);
            let has = if names.is_empty() { "it has no such options".to_owned() } else { format!("it has {names}") };
            format!("--{name}: {} takes none; {has}", algorithm.id)
        })?;
        let bytes = hexadecimal(value).map_err(|what| format!("--{name}: {what}"))?;
        if bytes.len() < lengths.min || lengths.max.is_some_and(|max| bytes.len() > max) {
            let has = allowed(lengths);
            return Err(format!("--{name} has {}; that of {} has {has}", count(bytes.len()), algorithm.id));
        }
        Ok(Some(bytes))
    });
    let mut next = || values.next().expect("there are four");
    Ok(Parameters {
        output_length: request.output_length.filter(|&bytes| bytes != algorithm.output.default),
        key: next()?,
        salt: next()?,
        personalization: next()?,
        customization: next()?,
    })
}

/// Decodes hexadecimal digits of either case.
pub(super) fn hexadecimal(text: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|error| match error {
        hex::FromHexError::OddLength => "an odd number of hexadecimal digits".to_owned(),
        hex::FromHexError::InvalidHexCharacter { index, .. } => {
            // The decoder looks at bytes; the user sees characters.
            let wrong = (0..=index).rev().find_map(|at| text.get(at..)?.chars().next()).unwrap_or_default();
            let place = text.char_indices().take_while(|(at, _)| *at <= index).count();
            format!("`{}` at place {place} is no hexadecimal digit", wrong.escape_debug())
        }
        hex::FromHexError::InvalidStringLength => error.to_string(),
    })
}

fn allowed(lengths: Lengths) -> String {
    match (lengths.min, lengths.max) {
        (min, Some(max)) if min == max => count(max),
        (min, Some(max)) => format!("{min} to {}", count(max)),
        (min, None) => format!("{} or more", count(min)),
    }
}

fn count(bytes: usize) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

fn list(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
