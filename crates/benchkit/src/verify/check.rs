//! Everything that is asked of one implementation.

use core::fmt;

use super::guarded::Guarded;
use super::{Expected, Group, Hasher, shortened};
use crate::random::Random;
use crate::rsp::Monte;
use crate::suite::{Algorithm, BitOrder, Implementation, Parameters};

/// Longer messages are not put into a batch, which would take gigabytes.
const LONGEST_BATCHED: usize = 1 << 16;

/// The state of one check.
pub(super) struct Check<'a> {
    algorithm: &'a Algorithm,
    implementation: &'a Implementation,
    random: Random,
    /// Digests that were compared.
    pub(super) checks: u64,
    /// Known answers that the implementation takes no part in.
    pub(super) skipped: u64,
    doing: Doing,
    message: Guarded,
    output: Guarded,
}

/// What is being done: for the sentence, if it goes wrong.
#[derive(Clone, Copy)]
pub(super) struct Doing {
    what: &'static str,
    bits: u64,
    /// File and line of the known answer; `None`: compared with `portable`.
    source: Option<(&'static str, usize)>,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        match self.bits {
            0 => f.write_str(" of the empty message")?,
            8 => f.write_str(" of 1 byte")?,
            bits if bits.is_multiple_of(8) => write!(f, " of {} bytes", bits / 8)?,
            bits => write!(f, " of {bits} bits")?,
        }
        match self.source {
            Some((file, line)) => write!(f, " ({file}, line {line})"),
            None => f.write_str(" (compared with portable)"),
        }
    }
}

/// A message and its digest, wherever they come from.
struct Case<'a> {
    message: &'a [u8],
    digest: &'a [u8],
    source: Option<(&'static str, usize)>,
}

type Verdict = Result<(), String>;

impl<'a> Check<'a> {
    pub(super) fn new(algorithm: &'a Algorithm, implementation: &'a Implementation, seed: u64) -> Self {
        Self {
            algorithm,
            implementation,
            random: Random::new(seed),
            checks: 0,
            skipped: 0,
            doing: Doing { what: "making ready", bits: 0, source: None },
            message: Guarded::default(),
            output: Guarded::default(),
        }
    }

    /// What was being done when it panicked.
    pub(super) fn doing(&self) -> &Doing {
        &self.doing
    }

    pub(super) fn everything(&mut self, expected: &Expected) -> Verdict {
        let mut hasher = self.implementation.make(&Parameters::default())?;
        self.lengths(&mut hasher, expected)?;
        self.batches(&mut hasher, expected)?;
        for group in &expected.groups {
            match self.implementation.make(&group.parameters) {
                Ok(mut hasher) => self.group(&mut hasher, group)?,
                // Others need not have every parameter.
                Err(_) if !self.implementation.ours && group.parameters != Parameters::default() => {
                    self.skipped += group.answers.len() as u64;
                }
                Err(reason) => return Err(reason),
            }
        }
        for (file, chain) in &expected.monte {
            self.monte(file, chain)?;
        }
        Ok(())
    }

    /// Agreement with `portable`, one message at a time.
    fn lengths(&mut self, hasher: &mut Hasher, expected: &Expected) -> Verdict {
        for (&length, digest) in &expected.lengths {
            let case = Case { message: &expected.bytes[..length], digest, source: None };
            for distance in [0, 1] {
                for what in ["hash", "repeated hash"] {
                    self.hash(hasher, &case, what, distance)?;
                }
            }
            self.stream(hasher, &case)?;
        }
        for (bits, digest) in expected.bits.iter().enumerate() {
            let case = Case { message: &expected.bytes[..bits.div_ceil(8)], digest, source: None };
            self.bits(hasher, &case, bits as u64)?;
        }
        Ok(())
    }

    /// Agreement with `portable`, many messages at a time.
    fn batches(&mut self, hasher: &mut Hasher, expected: &Expected) -> Verdict {
        let Some(lanes) = hasher.batch.as_ref().map(|batch| batch.lanes) else { return Ok(()) };
        for size in 0..=2 * lanes + 1 {
            let mut cases: Vec<_> = (0..size)
                .map(|_| {
                    let length = self.random.below(expected.dense + 1);
                    expected.case(length)
                })
                .collect();
            self.batch(hasher, "batch", &cases)?;
            // One that goes on long after the others.
            if let Some(last) = cases.last_mut() {
                *last = expected.case(expected.dense);
                for other in &mut cases[..size - 1] {
                    *other = expected.case(0);
                }
                self.random.shuffle(&mut cases);
                self.batch(hasher, "batch of one long message among empty ones", &cases)?;
            }
            let (length, digests) = &expected.equal;
            let cases: Vec<_> = (0..size)
                .map(|index| {
                    let offset = index % digests.len();
                    Case { message: &expected.bytes[offset..][..*length], digest: &digests[offset], source: None }
                })
                .collect();
            self.batch(hasher, "batch of equal lengths", &cases)?;
        }
        for &length in expected.lengths.keys().filter(|&&length| length > expected.dense && length <= LONGEST_BATCHED) {
            let cases: Vec<_> = (0..=lanes).map(|_| expected.case(length)).collect();
            self.batch(hasher, "batch of equal messages", &cases)?;
        }
        Ok(())
    }

    /// Known answers that share one hasher.
    fn group(&mut self, hasher: &mut Hasher, group: &Group) -> Verdict {
        let mut whole = Vec::new();
        for (index, (file, answer)) in group.answers.iter().enumerate() {
            let source = Some((*file, answer.line));
            let case = Case { message: &answer.message, digest: &answer.digest, source };
            self.bits(hasher, &case, answer.bits)?;
            if answer.bits.is_multiple_of(8) {
                self.hash(hasher, &case, "hash", index % 2)?;
                self.stream(hasher, &case)?;
                whole.push(case);
            }
        }
        self.random.shuffle(&mut whole);
        self.batch(hasher, "batch", &whole)
    }

    fn monte(&mut self, file: &'static str, chain: &Monte) -> Verdict {
        let size = chain.seed.len();
        let output_length = (size != self.algorithm.output.default).then_some(size);
        let mut hasher = self.implementation.make(&Parameters { output_length, ..Parameters::default() })?;
        let message = size * chain.digests_a_message;
        self.doing = Doing { what: "Monte Carlo hash", bits: 8 * message as u64, source: Some((file, chain.line)) };
        let verdict = chain.run(&mut hasher.hash);
        if let Err(failure) = verdict {
            self.doing.source = Some((file, failure.line));
            return self.compared(&failure.computed, &failure.expected);
        }
        self.checks += chain.steps.len() as u64;
        self.ran(&hasher)
    }

    fn hash(&mut self, hasher: &mut Hasher, case: &Case<'_>, what: &'static str, distance: usize) -> Verdict {
        self.begin(what, case, 8 * case.message.len() as u64, distance);
        (hasher.hash)(self.message.bytes(), self.output.bytes_mut());
        self.finish(hasher, case)
    }

    /// The message in random pieces; sometimes another one is dropped before it.
    fn stream(&mut self, hasher: &mut Hasher, case: &Case<'_>) -> Verdict {
        let Some(stream) = hasher.stream.as_mut() else { return Ok(()) };
        self.begin("stream", case, 8 * case.message.len() as u64, self.checks as usize % 2);
        let mut rest = self.message.bytes();
        if self.random.below(2) == 0 {
            stream.update(&rest[..self.random.below(rest.len() + 1)]);
            stream.reset();
        }
        while !rest.is_empty() {
            let size = match self.random.below(4) {
                0 => self.random.below(2),
                1 => self.random.below(2 * self.algorithm.block_bytes + 1),
                2 => self.algorithm.block_bytes,
                _ => self.random.below(rest.len() + 1),
            };
            let (piece, others) = rest.split_at(size.min(rest.len()));
            stream.update(piece);
            rest = others;
        }
        stream.finish(self.output.bytes_mut());
        self.finish(hasher, case)
    }

    fn bits(&mut self, hasher: &mut Hasher, case: &Case<'_>, bits: u64) -> Verdict {
        let Some(call) = hasher.bits.as_mut() else {
            self.skipped += u64::from(!bits.is_multiple_of(8));
            return Ok(());
        };
        self.begin("bits", case, bits, 0);
        call(self.message.bytes(), bits, self.output.bytes_mut());
        self.finish(hasher, case)?;
        // What is in the last byte besides is not part of the message.
        let Some(order) = self.algorithm.bits else { return Ok(()) };
        let mut message = case.message.to_vec();
        let Some(last) = message.last_mut().filter(|_| !bits.is_multiple_of(8)) else { return Ok(()) };
        *last ^= unused_bits(order, bits);
        let case = Case { message: &message, ..*case };
        self.begin("bits, with other unused ones,", &case, bits, 0);
        let call = hasher.bits.as_mut().expect("it was there a moment ago");
        call(self.message.bytes(), bits, self.output.bytes_mut());
        self.finish(hasher, &case)
    }

    /// The messages in one call, in that order; all digests have one length.
    fn batch(&mut self, hasher: &mut Hasher, what: &'static str, cases: &[Case<'_>]) -> Verdict {
        let Some(batch) = hasher.batch.as_mut() else { return Ok(()) };
        let size = cases.first().map_or(0, |case| case.digest.len());
        // One message behind the other, with a byte between them that belongs to none.
        let mut joined = Vec::with_capacity(cases.iter().map(|case| case.message.len() + 1).sum());
        let mut places = Vec::with_capacity(cases.len());
        for case in cases {
            places.push(joined.len()..joined.len() + case.message.len());
            joined.extend_from_slice(case.message);
            joined.push(0xa5);
        }
        self.message.hold(&joined, 0);
        self.output.blank(size * cases.len(), cases.len() % 2);
        self.doing = Doing { what, bits: 8 * joined.len() as u64, source: cases.first().and_then(|case| case.source) };
        let bytes = self.message.bytes();
        let messages: Vec<_> = places.iter().map(|place| &bytes[place.clone()]).collect();
        (batch.call)(&messages, self.output.bytes_mut());
        self.left_alone(&joined).map_err(|what| format!("{what}, with {} messages", cases.len()))?;
        self.ran(hasher)?;
        for (index, case) in cases.iter().enumerate() {
            self.doing = Doing { what, bits: 8 * case.message.len() as u64, source: case.source };
            let computed = &self.output.bytes()[index * size..][..size];
            self.checks += 1;
            if computed != case.digest {
                let mut sentence = format!("{}, message {index} of {}", self.differs(computed, case), cases.len());
                let other = cases.iter().position(|other| other.digest == computed);
                if let Some(other) = other {
                    sentence.push_str(&format!("; it is the digest of message {other}"));
                }
                return Err(sentence);
            }
        }
        Ok(())
    }

    /// Puts the message in place and makes room for the digest.
    fn begin(&mut self, what: &'static str, case: &Case<'_>, bits: u64, distance: usize) {
        self.doing = Doing { what, bits, source: case.source };
        self.message.hold(case.message, distance);
        self.output.blank(case.digest.len(), distance);
    }

    /// Looks at the digest and at what must not have been touched.
    fn finish(&mut self, hasher: &Hasher, case: &Case<'_>) -> Verdict {
        self.left_alone(case.message)?;
        self.ran(hasher)?;
        self.checks += 1;
        let computed = self.output.bytes();
        if computed == case.digest { Ok(()) } else { Err(self.differs(computed, case)) }
    }

    fn compared(&mut self, computed: &[u8], expected: &[u8]) -> Verdict {
        self.checks += 1;
        let case = Case { message: &[], digest: expected, source: None };
        if computed == expected { Ok(()) } else { Err(self.differs(computed, &case)) }
    }

    fn differs(&self, computed: &[u8], case: &Case<'_>) -> String {
        let at = computed.iter().zip(case.digest).position(|(computed, right)| computed != right).unwrap_or(0);
        let (computed, right) = (hex::encode(computed), hex::encode(case.digest));
        format!(
            "{}: digest {} is wrong from byte {at} on, {} is right",
            self.doing,
            shortened(&computed),
            shortened(&right)
        )
    }

    fn left_alone(&mut self, message: &[u8]) -> Verdict {
        if let Some(damage) = self.message.damage(message) {
            return Err(format!("{}: it wrote {damage} its message", self.doing));
        }
        if let Some(damage) = self.output.damage_around() {
            return Err(format!("{}: it wrote {damage} its output", self.doing));
        }
        Ok(())
    }

    /// Whether the backend that ran is the one that was asked for.
    fn ran(&self, hasher: &Hasher) -> Verdict {
        let ran = (hasher.ran)();
        if ran == self.implementation.backend {
            return Ok(());
        }
        Err(format!("{}: asked for {}, but {ran} ran", self.doing, self.implementation.backend))
    }
}

impl Expected {
    /// A message of one of `lengths`.
    fn case(&self, length: usize) -> Case<'_> {
        Case { message: &self.bytes[..length], digest: &self.lengths[&length], source: None }
    }
}

/// The bits of the last byte that a message of so many bits leaves over.
pub(crate) fn unused_bits(order: BitOrder, bits: u64) -> u8 {
    let used = (bits % 8) as u32;
    match order {
        _ if used == 0 => 0,
        BitOrder::MostSignificantFirst => 0xff >> used,
        BitOrder::LeastSignificantFirst => 0xff << used,
    }
}
