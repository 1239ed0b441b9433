//! Reads known answers in the text form of NIST CAVP.
//!
//! ```text
//! # A comment.
//! [L = 32]                       bytes of digest of what follows
//!
//! Len = 5                        bits of message
//! Msg = 68                       hexadecimal; `00` or nothing when Len is 0
//! MD = d6d3e02a31a84a8c..        ends the entry; `Output` is the same
//! ```
//!
//! An entry may also hold `Outputlen` (bits, in place of `[L]`), `Key`, `Salt`, `Personalization` and `Customization`
//! (hexadecimal). `Seed`, then `COUNT` and `MD` in turn, is a Monte Carlo test: see [`Monte`].
//!
//! One extension: `Msg = @mod251` is a message whose byte i is i mod 251, and `Msg = @` with two hexadecimal digits one
//! that holds this byte throughout. Both need a `Len` of whole bytes.
//!
//! The reader is strict: a damaged file must not pass for a shorter one. Lines may end with CR LF.

use core::fmt;
use std::iter::{Enumerate, Peekable};
use std::str::Lines;

use crate::suite::Parameters;

/// The longest message that an `@` pattern may stand for, in bytes.
const LONGEST_PATTERN: u64 = 64 << 20;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// One message and its digest.
    Answer(Answer),
    /// A Monte Carlo test.
    Monte(Monte),
}

/// One message and its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Line that it begins in, from 1.
    pub line: usize,
    /// Bits of the message.
    pub bits: u64,
    /// The message, `bits.div_ceil(8)` bytes.
    pub message: Vec<u8>,
    /// Its digest.
    pub digest: Vec<u8>,
    /// Other inputs; the output length stands there only if the entry or its section says `Outputlen`.
    pub parameters: Parameters,
}

/// A Monte Carlo test: long chains of digests, of which every thousandth is known.
///
/// SHAVS section 6.4 (SHA-1, SHA-2): the first three digests are the seed; a message is the last three digests one
/// behind the other; after 1,000 digests the last one is the known one and the seed of the next step. SHA3VS section 6.2
/// (SHA-3): the same with messages of one digest, which a file says by `[Monte = 1]` before the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monte {
    /// Line of the seed, from 1.
    pub line: usize,
    /// The first digest.
    pub seed: Vec<u8>,
    /// Digests that make up a message.
    pub digests_a_message: usize,
    /// Line and digest of each step.
    pub steps: Vec<(usize, Vec<u8>)>,
}

/// A step of a Monte Carlo test that came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonteFailure {
    /// Line of the known digest.
    pub line: usize,
    /// The digest of the file.
    pub expected: Vec<u8>,
    /// The digest that was computed.
    pub computed: Vec<u8>,
}

impl Monte {
    /// Digests that the known one of a step is the last of.
    pub const DIGESTS_A_STEP: usize = 1000;

    /// Runs the test with `hash`, which writes the digest of its first argument to its second. Stops at the first step
    /// that differs.
    ///
    /// # Errors
    ///
    /// The step that differs.
    pub fn run(&self, mut hash: impl FnMut(&[u8], &mut [u8])) -> Result<(), MonteFailure> {
        let size = self.seed.len();
        let mut digest = self.seed.clone();
        for (line, expected) in &self.steps {
            let mut message = digest.repeat(self.digests_a_message);
            for _ in 0..Self::DIGESTS_A_STEP {
                hash(&message, &mut digest);
                message.copy_within(size.., 0);
                let last = message.len() - size;
                message[last..].copy_from_slice(&digest);
            }
            if digest != *expected {
                return Err(MonteFailure { line: *line, expected: expected.clone(), computed: digest });
            }
        }
        Ok(())
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for Error {}

/// All items of a file.
///
/// # Errors
///
/// The first line that is wrong; a file without an item is wrong in its last line.
pub fn read(file: &str, text: &str) -> Result<Vec<Item>, Error> {
    let items = Reader::new(file, text).collect::<Result<Vec<_>, _>>()?;
    if items.is_empty() {
        let line = text.lines().count().max(1);
        return Err(Error { file: file.to_owned(), line, what: "the file holds no known answer".to_owned() });
    }
    Ok(items)
}

/// Iterates over the items of a file; ends after the first error.
#[derive(Debug)]
pub struct Reader<'a> {
    file: &'a str,
    lines: Peekable<Enumerate<Lines<'a>>>,
    section: Section,
    failed: bool,
}

/// What the last lines in brackets said.
#[derive(Clone, Copy, Debug)]
struct Section {
    /// Bytes of digest.
    digest: Option<usize>,
    /// Whether they were said as `Outputlen`.
    asked: bool,
    digests_a_message: usize,
}

/// An entry while it is read.
#[derive(Default)]
struct Fields<'a> {
    first: usize,
    /// Name, value, line.
    fields: Vec<(&'a str, &'a str, usize)>,
}

impl<'a> Fields<'a> {
    fn take(&mut self, name: &str) -> Option<(&'a str, usize)> {
        let at = self.fields.iter().position(|field| field.0 == name)?;
        let (_, value, line) = self.fields.remove(at);
        Some((value, line))
    }
}

/// Line and what is wrong there.
type Wrong = (usize, String);

impl<'a> Reader<'a> {
    /// Reads `text`; `file` is its name in errors.
    pub fn new(file: &'a str, text: &'a str) -> Self {
        let section = Section { digest: None, asked: false, digests_a_message: 3 };
        Self { file, lines: text.lines().enumerate().peekable(), section, failed: false }
    }

    /// The next item, or what is wrong.
    fn item(&mut self) -> Result<Option<Item>, Wrong> {
        let mut entry = Fields::default();
        while let Some((index, line)) = self.lines.next() {
            let number = index + 1;
            if line.is_empty() || line.starts_with('#') {
                if !entry.fields.is_empty() {
                    return Err((entry.first, "this entry has no MD".to_owned()));
                }
                continue;
            }
            if let Some(rest) = line.strip_prefix('[') {
                if !entry.fields.is_empty() {
                    return Err((entry.first, "this entry has no MD".to_owned()));
                }
                self.bracket(rest).map_err(|what| (number, what))?;
                continue;
            }
            let (name, value) = assignment(line).map_err(|what| (number, what))?;
            if name == "Seed" && entry.fields.is_empty() {
                return self.monte(number, value).map(|monte| Some(Item::Monte(monte)));
            }
            if entry.fields.is_empty() {
                entry.first = number;
            }
            if entry.fields.iter().any(|field| field.0 == name) {
                return Err((number, format!("a second {name} in one entry")));
            }
            entry.fields.push((name, value, number));
            if matches!(name, "MD" | "Output") {
                return self.answer(entry).map(|answer| Some(Item::Answer(answer)));
            }
        }
        if entry.fields.is_empty() { Ok(None) } else { Err((entry.first, "this entry has no MD".to_owned())) }
    }

    /// `[name = value]`, without the first bracket.
    fn bracket(&mut self, rest: &str) -> Result<(), String> {
        let inside = rest.strip_suffix(']').ok_or("a bracket is not closed")?;
        let (name, value) = assignment(inside)?;
        let number: usize = decimal(name, value)?;
        match name {
            "L" => (self.section.digest, self.section.asked) = (Some(number), false),
            "Outputlen" => (self.section.digest, self.section.asked) = (Some(whole_bytes(name, number)?), true),
            "Monte" if (1..=3).contains(&number) => self.section.digests_a_message = number,
            "Monte" => return Err(format!("[Monte = {number}]: a message is 1 to 3 digests")),
            _ => return Err(format!("[{name}] is unknown; there are [L], [Outputlen] and [Monte]")),
        }
        Ok(())
    }

    fn answer(&self, mut entry: Fields<'_>) -> Result<Answer, Wrong> {
        let line = entry.first;
        let (value, at) = entry.take("Len").ok_or_else(|| (line, "this entry has no Len".to_owned()))?;
        let bits: u64 = decimal("Len", value).map_err(|what| (at, what))?;
        let (value, at) = entry.take("Msg").ok_or_else(|| (line, "this entry has no Msg".to_owned()))?;
        let message = message(bits, value).map_err(|what| (at, what))?;

        let (mut wanted, mut asked) = (self.section.digest, self.section.asked);
        if let Some((value, at)) = entry.take("Outputlen") {
            let length = decimal("Outputlen", value).and_then(|bits| whole_bytes("Outputlen", bits));
            (wanted, asked) = (Some(length.map_err(|what| (at, what))?), true);
        }
        let (value, at) = entry.take("MD").or_else(|| entry.take("Output")).expect("an entry ends with MD or Output");
        let digest = self.digest(value, wanted).map_err(|what| (at, what))?;

        let mut option = |name| match entry.take(name) {
            None => Ok(None),
            Some((value, at)) => hexadecimal(name, value).map(Some).map_err(|what| (at, what)),
        };
        let parameters = Parameters {
            output_length: asked.then_some(digest.len()),
            key: option("Key")?,
            salt: option("Salt")?,
            personalization: option("Personalization")?,
            customization: option("Customization")?,
        };
        if let Some((name, _, at)) = entry.fields.first() {
            return Err((*at, format!("{name} is unknown in an entry")));
        }
        Ok(Answer { line, bits, message, digest, parameters })
    }

    fn monte(&mut self, line: usize, seed: &str) -> Result<Monte, Wrong> {
        let seed = hexadecimal("Seed", seed).map_err(|what| (line, what))?;
        if self.section.digest != Some(seed.len()) {
            return Err((line, format!("Seed has {} bytes, which is not [L]", seed.len())));
        }
        let mut steps = Vec::new();
        let mut count = None;
        while let Some(&(index, text)) = self.lines.peek() {
            let number = index + 1;
            if !text.is_empty() && !text.starts_with('#') {
                if text.starts_with('[') {
                    break;
                }
                let (name, value) = assignment(text).map_err(|what| (number, what))?;
                match (name, count) {
                    ("COUNT", None) => {
                        let step: usize = decimal(name, value).map_err(|what| (number, what))?;
                        if step != steps.len() {
                            return Err((number, format!("COUNT = {step} where {} is due", steps.len())));
                        }
                        count = Some(number);
                    }
                    ("MD", Some(_)) => {
                        let digest = self.digest(value, self.section.digest).map_err(|what| (number, what))?;
                        steps.push((number, digest));
                        count = None;
                    }
                    (_, Some(_)) => return Err((number, format!("{name} where the MD of a COUNT is due"))),
                    ("MD", None) => return Err((number, "an MD without its COUNT".to_owned())),
                    (_, None) => break,
                }
            }
            self.lines.next();
        }
        if let Some(number) = count {
            return Err((number, "this COUNT has no MD".to_owned()));
        }
        if steps.is_empty() {
            return Err((line, "this Seed has no COUNT".to_owned()));
        }
        Ok(Monte { line, seed, digests_a_message: self.section.digests_a_message, steps })
    }

    /// A digest of `wanted` bytes.
    fn digest(&self, value: &str, wanted: Option<usize>) -> Result<Vec<u8>, String> {
        let digest = hexadecimal("MD", value)?;
        match wanted {
            None => Err("no [L = bytes] before the first MD".to_owned()),
            Some(wanted) if wanted != digest.len() => Err(format!("MD has {} bytes, not {wanted}", digest.len())),
            Some(_) => Ok(digest),
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.item() {
            Ok(item) => item.map(Ok),
            Err((line, what)) => {
                self.failed = true;
                Some(Err(Error { file: self.file.to_owned(), line, what }))
            }
        }
    }
}

/// `name = value`; the value may be empty.
fn assignment(line: &str) -> Result<(&str, &str), String> {
    let (name, value) = line.split_once('=').ok_or_else(|| format!("`{}` is no `name = value`", shortened(line)))?;
    let (name, value) = (name.trim_end(), value.trim_start());
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(format!("`{}` is no name", shortened(name)));
    }
    Ok((name, value))
}

fn decimal<N: core::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    // `parse` alone would take a sign.
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        if let Ok(number) = value.parse() {
            return Ok(number);
        }
    }
    Err(format!("{name}: `{}` is no number", shortened(value)))
}

fn whole_bytes(name: &str, bits: usize) -> Result<usize, String> {
    if bits % 8 == 0 { Ok(bits / 8) } else { Err(format!("{name} = {bits} is no multiple of 8")) }
}

fn hexadecimal(name: &str, value: &str) -> Result<Vec<u8>, String> {
    hex::decode(value).map_err(|error| match error {
        hex::FromHexError::OddLength => format!("{name} has an odd number of hexadecimal digits"),
        hex::FromHexError::InvalidHexCharacter { c, index } => {
            format!("{name}: `{}` at place {} is no hexadecimal digit", c.escape_default(), index + 1)
        }
        hex::FromHexError::InvalidStringLength => format!("{name}: {error}"),
    })
}

fn message(bits: u64, value: &str) -> Result<Vec<u8>, String> {
    if let Some(pattern) = value.strip_prefix('@') {
        if bits % 8 != 0 || bits / 8 > LONGEST_PATTERN {
            return Err(format!("a pattern needs whole bytes, at most {LONGEST_PATTERN}; Len is {bits} bits"));
        }
        let bytes = usize::try_from(bits / 8).expect("at most 64 MiB");
        if pattern == "mod251" {
            return Ok((0..=250).cycle().take(bytes).collect());
        }
        return match hex::decode(pattern).as_deref() {
            Ok(&[byte]) => Ok(vec![byte; bytes]),
            _ => Err(format!("`@{}` is no pattern; there are @mod251 and @ with two digits", shortened(pattern))),
        };
    }
    let message = hexadecimal("Msg", value)?;
    // CAVP writes the empty message as 00.
    if bits == 0 && message.iter().all(|&byte| byte == 0) && message.len() <= 1 {
        return Ok(Vec::new());
    }
    if message.len() as u64 != bits.div_ceil(8) {
        return Err(format!("Msg has {} bytes, but Len is {bits} bits", message.len()));
    }
    Ok(message)
}

/// So that a message stays on one line of the screen.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        short.push_str("..");
    }
    short
}

#[cfg(test)]
mod tests;
