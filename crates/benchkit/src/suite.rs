//! What a family hands over: its algorithms, their known answers, and everything that implements them.
//!
//! A [`Suite`] is made by the family's `benches/matrix.rs` and given to [`main!`](crate::main). An [`Implementation`] is
//! `provider/backend`; it is a factory, because parameters such as a key belong to one made-ready [`Hasher`] and because
//! a library that is absent must still have its row.

use core::fmt;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The algorithms of one family crate.
#[derive(Debug)]
pub struct Suite {
    /// The family's crate, as on the command line of cargo.
    pub family: &'static str,
    /// In the order in which tables show them.
    pub algorithms: Vec<Algorithm>,
}

/// One hash function, however many ways there are to compute it.
#[derive(Debug)]
pub struct Algorithm {
    /// The one name it has everywhere in the workspace: `sha512-256`.
    pub id: &'static str,
    /// The names by which published pages know it.
    pub pages: Pages,
    /// Bytes that one compression takes in.
    pub block_bytes: usize,
    /// Digest lengths it has.
    pub output: OutputLength,
    /// Bit order of messages whose length is no multiple of eight; `None`: whole bytes only.
    pub bits: Option<BitOrder>,
    /// Optional inputs besides the message.
    pub options: Options,
    /// Known answers.
    pub vectors: Vec<VectorFile>,
    /// In the order in which tables show them; the family's `portable` is the one the others are compared with.
    pub implementations: Vec<Implementation>,
}

/// Names in the namespaces of published pages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// SUPERCOP's primitive (eBASH).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ebash: Option<String>,
    /// The name that `openssl speed -evp` takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openssl: Option<String>,
    /// The name in the NICCS table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub niccs: Option<String>,
}

/// Digest lengths, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLength {
    /// What is computed when nothing else is asked for.
    pub default: usize,
    /// The shortest.
    pub min: usize,
    /// The longest; `None`: no limit that a machine could reach.
    pub max: Option<usize>,
}

impl OutputLength {
    /// One length only.
    pub const fn fixed(bytes: usize) -> Self {
        Self { default: bytes, min: bytes, max: Some(bytes) }
    }

    /// Any length from one byte up.
    pub const fn any(default: usize) -> Self {
        Self { default, min: 1, max: None }
    }

    /// Whether `bytes` is one of them.
    pub const fn allows(&self, bytes: usize) -> bool {
        bytes >= self.min
            && match self.max {
                Some(max) => bytes <= max,
                None => true,
            }
    }
}

/// Which end of a byte a bit string starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BitOrder {
    /// The first bit is the most significant one (FIPS 180-4 and most others).
    MostSignificantFirst,
    /// The first bit is the least significant one (FIPS 202).
    LeastSignificantFirst,
}

/// Optional inputs besides the message: for each one that exists, the lengths in bytes that it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Secret key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Lengths>,
    /// Salt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Lengths>,
    /// Personalization (BLAKE2, Skein).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub personalization: Option<Lengths>,
    /// Customization (cSHAKE, KMAC, KangarooTwelve).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customization: Option<Lengths>,
}

/// Lengths in bytes that an option may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// The shortest.
    pub min: usize,
    /// The longest; `None`: no limit.
    pub max: Option<usize>,
}

/// A file of known answers in NIST CAVP text form, and the digest it must have.
#[derive(Clone, Debug)]
pub struct VectorFile {
    /// File name, for messages.
    pub name: &'static str,
    /// Its contents.
    pub text: &'static str,
    /// The manifest it is listed in (`sha256sum` form); a file that differs from it fails the gate.
    pub manifest: &'static str,
}

/// Values of the optional inputs for one [`Hasher`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Bytes of output; `None`: the algorithm's default.
    pub output_length: Option<usize>,
    /// See [`Options::key`].
    pub key: Option<Vec<u8>>,
    /// See [`Options::salt`].
    pub salt: Option<Vec<u8>>,
    /// See [`Options::personalization`].
    pub personalization: Option<Vec<u8>>,
    /// See [`Options::customization`].
    pub customization: Option<Vec<u8>>,
}

/// One way to compute an algorithm: `provider/backend`.
pub struct Implementation {
    /// Whose code it is: a crate of this workspace, or a library.
    pub provider: String,
    /// Which of its kernels: `portable`, `shani`, `default`, ..
    pub backend: String,
    /// Name and version of the code, as it reports itself.
    pub version: String,
    /// Whether it belongs to this workspace.
    pub ours: bool,
    /// Environment that its process must be started with. Such a process measures ours and the anchor beside it.
    pub environment: BTreeMap<String, String>,
    /// Whether it can run here.
    pub state: State,
}

/// Whether an implementation can run here.
pub enum State {
    /// It can; the function makes a hasher ready.
    Ready(Factory),
    /// It cannot.
    Absent(Absent),
}

/// Makes a hasher with the given parameters. An error is a sentence for the user.
pub type Factory = Box<dyn Fn(&Parameters) -> Result<Hasher, String>>;

/// Why an implementation cannot run here, and what would mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent {
    /// What is missing: `this CPU lacks SHA-NI`.
    pub reason: String,
    /// What to do about it, if anything can be done: `install the package libssl3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

/// One implementation made ready. Every call goes through one pointer that the compiler cannot see through, for ours and
/// for others alike.
pub struct Hasher {
    /// One whole message to one digest; the length of the output asks for that many bytes.
    pub hash: HashFn,
    /// The same in pieces.
    pub stream: Option<Box<dyn Stream>>,
    /// Many messages in one call.
    pub batch: Option<Batch>,
    /// A message of the given number of bits, in the algorithm's own bit order.
    pub bits: Option<BitsFn>,
    /// Output of any length from a message; what is measured is the output.
    pub xof: Option<HashFn>,
    /// One long message on all threads that the implementation likes.
    pub tree: Option<HashFn>,
    /// The backend that does the work, asked of the value itself and not of the caller.
    pub ran: Box<dyn Fn() -> String>,
}

/// Message, output.
pub type HashFn = Box<dyn FnMut(&[u8], &mut [u8])>;

/// Message, its length in bits, output.
pub type BitsFn = Box<dyn FnMut(&[u8], u64, &mut [u8])>;

/// A message that arrives in pieces.
pub trait Stream {
    /// Forgets what was absorbed; keeps key, customization and backend.
    fn reset(&mut self);
    /// Absorbs a piece.
    fn update(&mut self, piece: &[u8]);
    /// Writes the digest and resets.
    fn finish(&mut self, output: &mut [u8]);
}

/// Many messages in one call, on one thread.
pub struct Batch {
    /// How many messages the widest kernel hashes at once.
    pub lanes: usize,
    /// Messages, and their outputs one behind the other: each has `outputs.len() / messages.len()` bytes.
    pub call: BatchFn,
}

/// Messages, outputs.
pub type BatchFn = Box<dyn FnMut(&[&[u8]], &mut [u8])>;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// One message, one-shot.
    Hash,
    /// One message by update and finish.
    Stream,
    /// Many equal messages on one thread.
    Batch,
    /// Many messages of unequal lengths on one thread.
    Ragged,
    /// N threads, each with its own messages.
    Threads,
    /// One long message on N threads.
    Tree,
    /// Output squeezed from an extendable-output function.
    Xof,
}

impl Operation {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 7] =
        [Self::Hash, Self::Stream, Self::Batch, Self::Ragged, Self::Threads, Self::Tree, Self::Xof];

    /// The name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Stream => "stream",
            Self::Batch => "batch",
            Self::Ragged => "ragged",
            Self::Threads => "threads",
            Self::Tree => "tree",
            Self::Xof => "xof",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Operation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|operation| operation.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|operation| operation.name()).collect();
            format!("`{name}` is no operation; there are {}", names.join(", "))
        })
    }
}

impl Algorithm {
    /// The implementation of that name.
    pub fn implementation(&self, name: &str) -> Option<&Implementation> {
        self.implementations.iter().find(|implementation| implementation.name() == name)
    }

    /// The one that the others are compared with: ours, `portable`.
    pub fn reference(&self) -> Option<&Implementation> {
        self.implementations.iter().find(|implementation| implementation.ours && implementation.backend == "portable")
    }
}

impl Implementation {
    /// `provider/backend`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.backend)
    }

    /// One that can run here.
    pub fn ready(
        provider: impl Into<String>,
        backend: impl Into<String>,
        version: impl Into<String>,
        make: impl Fn(&Parameters) -> Result<Hasher, String> + 'static,
    ) -> Self {
        Self {
            provider: provider.into(),
            backend: backend.into(),
            version: version.into(),
            ours: false,
            environment: BTreeMap::new(),
            state: State::Ready(Box::new(make)),
        }
    }

    /// One that cannot run here: it keeps its row.
    pub fn absent(
        provider: impl Into<String>,
        backend: impl Into<String>,
        reason: impl Into<String>,
        remedy: Option<String>,
    ) -> Self {
        Self {
            provider: provider.into(),
            backend: backend.into(),
            version: String::new(),
            ours: false,
            environment: BTreeMap::new(),
            state: State::Absent(Absent { reason: reason.into(), remedy }),
        }
    }

    /// Marks it as this workspace's own.
    #[must_use]
    pub fn ours(mut self) -> Self {
        self.ours = true;
        self
    }

    /// What this process lacks of the environment that the implementation must be started with; a sentence.
    pub fn misplaced(&self) -> Option<String> {
        let missing =
            |(variable, value): &(&String, &String)| std::env::var_os(variable).is_none_or(|set| set != ***value);
        let (variable, value) = self.environment.iter().find(missing)?;
        Some(format!("{} needs {variable}={value} in its environment", self.name()))
    }

    /// Makes a hasher ready.
    ///
    /// # Errors
    ///
    /// A sentence for the user: why it is absent, or what is wrong with the parameters.
    pub fn make(&self, parameters: &Parameters) -> Result<Hasher, String> {
        match &self.state {
            State::Ready(make) => make(parameters),
            State::Absent(absent) => Err(match &absent.remedy {
                Some(remedy) => format!("{}: {}; {remedy}", self.name(), absent.reason),
                None => format!("{}: {}", self.name(), absent.reason),
            }),
        }
    }
}

impl fmt::Debug for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Implementation").field("name", &self.name()).finish_non_exhaustive()
    }
}

impl Hasher {
    /// One that hashes whole messages and nothing else. `ran` names the backend that does the work, asked of the value
    /// itself.
    pub fn new(hash: HashFn, ran: impl Fn() -> String + 'static) -> Self {
        Self { hash, stream: None, batch: None, bits: None, xof: None, tree: None, ran: Box::new(ran) }
    }

    /// The operations that this hasher can be measured with. Who has no call for many messages is measured taking them
    /// one after another: that is what its users do. Whoever hashes one can do so on several threads.
    pub fn operations(&self) -> Vec<Operation> {
        let mut operations = vec![Operation::Hash];
        if self.stream.is_some() {
            operations.push(Operation::Stream);
        }
        operations.extend([Operation::Batch, Operation::Ragged, Operation::Threads]);
        if self.tree.is_some() {
            operations.push(Operation::Tree);
        }
        if self.xof.is_some() {
            operations.push(Operation::Xof);
        }
        operations
    }
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").field("ran", &(self.ran)()).finish_non_exhaustive()
    }
}
