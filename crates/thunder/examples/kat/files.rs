//! The KAT files of the NGCC submission of Thunder, made anew.

use std::fmt::Write as _;

use thunder::digest::{ExtendableOutput, FixedOutput, Update};

use crate::drng::Drng;

/// One function of the family, as the submission's interface sees it: the output has one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    /// Name in the file's name.
    pub(crate) name: &'static str,
    /// The message's first so many bits to its digest.
    pub(crate) hash: fn(&[u8], u64) -> Vec<u8>,
    /// A message in pieces.
    pub(crate) stream: fn() -> Box<dyn Stream>,
}

/// A message that arrives in pieces.
pub(crate) trait Stream {
    /// The next piece.
    fn update(&mut self, piece: &[u8]);
    /// The digest.
    fn finish(self: Box<Self>) -> Vec<u8>;
}

macro_rules! instances {
    ($($kind:ident $Type:ident $name:literal $bytes:literal;)+) => {
        $(impl Stream for thunder::$Type {
            fn update(&mut self, piece: &[u8]) {
                Update::update(self, piece);
            }

            fn finish(self: Box<Self>) -> Vec<u8> {
                instances!(finish $kind, *self, $bytes)
            }
        })+

        /// All six.
        pub(crate) const INSTANCES: &[Instance] = &[$(
            Instance {
                name: $name,
                hash: |message, bits| instances!(hash $kind, $Type, message, bits, $bytes),
                stream: || Box::new(thunder::$Type::default()),
            },
        )+];
    };
    (finish fixed, $hasher:expr, $bytes:literal) => {
        $hasher.finalize_fixed().to_vec()
    };
    (finish xof, $hasher:expr, $bytes:literal) => {{
        let mut out = vec![0; $bytes];
        $hasher.finalize_xof_into(&mut out);
        out
    }};
    (hash fixed, $Type:ident, $message:ident, $bits:ident, $bytes:literal) => {
        thunder::$Type::digest_bits($message, $bits).to_vec()
    };
    (hash xof, $Type:ident, $message:ident, $bits:ident, $bytes:literal) => {{
        let mut out = vec![0; $bytes];
        thunder::$Type::digest_bits($message, $bits, &mut out);
        out
    }};
}

instances! {
    fixed Thunder512 "Thunder-512" 64;
    fixed Thunder768 "Thunder-768" 96;
    fixed Thunder1024 "Thunder-1024" 128;
    xof ThunderXof256 "Thunder-XOF-256" 160;
    xof ThunderXof384 "Thunder-XOF-384" 144;
    xof ThunderXof512 "Thunder-XOF-512" 128;
}

/// One of the submission's files for each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Messages of every length up to 2^12 bits.
    Short,
    /// Three messages of 2^23 bits.
    Long,
    /// A million and one digests in a chain.
    Loop,
    /// Three messages of 2^33 bits.
    Longest,
}

impl Kind {
    /// What the file's name begins with; eight characters, the seed of its random numbers.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Short => "KAT_2_12",
            Self::Long => "KAT_2_23",
            Self::Loop => "KAT_Loop",
            Self::Longest => "KAT_2_33",
        }
    }

    /// The file of each instance.
    pub(crate) fn files(self, instances: &[Instance]) -> Vec<String> {
        let seed = self.label().repeat(8);
        let mut drng = Drng::new(seed.as_bytes());
        match self {
            Self::Short => short(instances, &mut drng),
            Self::Long => long(instances, &drng, &seed, 1 << 23),
            Self::Longest => long(instances, &drng, &seed, 1 << 33),
            Self::Loop => {
                let first = drng.bits(8192);
                instances.iter().map(|instance| chain(instance, &first)).collect()
            }
        }
    }
}

fn short(instances: &[Instance], drng: &mut Drng) -> Vec<String> {
    let mut files = vec![String::new(); instances.len()];
    for bits in 0..=4096 {
        let message = drng.bits(bits);
        for (file, instance) in files.iter_mut().zip(instances) {
            record(file, bits, &message, &(instance.hash)(&message, bits));
        }
    }
    files
}

/// All zeros, all ones, and random bits.
fn long(instances: &[Instance], drng: &Drng, seed: &str, bits: u64) -> Vec<String> {
    let mut files = vec![String::new(); instances.len()];
    for (number, seed) in ["", "", seed].into_iter().enumerate() {
        let mut hashers: Vec<_> = instances.iter().map(|instance| (instance.stream)()).collect();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        let mut each = |piece: &[u8]| {
            if first.is_empty() {
                first = piece[..SHOWN].to_vec();
            }
            last = piece[piece.len() - SHOWN..].to_vec();
            hashers.iter_mut().for_each(|hasher| hasher.update(piece));
        };
        if number == 2 {
            let mut buffer = Vec::with_capacity(PIECE + 32);
            drng.clone().request(bits, |piece| {
                buffer.extend_from_slice(piece);
                if buffer.len() >= PIECE {
                    each(&buffer);
                    buffer.clear();
                }
            });
            if !buffer.is_empty() {
                each(&buffer);
            }
        } else {
            let piece = [0xff * number as u8; PIECE];
            (0..bits / 8 / PIECE as u64).for_each(|_| each(&piece));
        }
        for (file, hasher) in files.iter_mut().zip(hashers) {
            let digest = hasher.finish();
            let seed = hex(seed.as_bytes());
            let (first, last) = (hex(&first), hex(&last));
            _ = writeln!(file, "Msg_Len = {bits}\nMsg_Seed = {seed}\nMsg_Exp = {first} .... {last}");
            _ = writeln!(file, "Dst_Len = {}\nDst = {}\n", 8 * digest.len(), hex(&digest));
        }
    }
    files
}

/// Bytes at either end of a long message that its record shows.
const SHOWN: usize = 8;

/// Bytes of a long message at a time; a divisor of its length.
const PIECE: usize = 1 << 16;

/// A million times: the message moves left by a digest, the digest is added at its front.
fn chain(instance: &Instance, first: &[u8]) -> String {
    let bits = 8 * first.len() as u64;
    let mut message = first.to_vec();
    let mut digest = (instance.hash)(&message, bits);
    for _ in 0..1_000_000 {
        message.rotate_left(digest.len());
        for (byte, added) in message.iter_mut().zip(&digest) {
            *byte ^= added;
        }
        digest = (instance.hash)(&message, bits);
    }
    let mut file = String::new();
    record(&mut file, bits, first, &digest);
    file
}

fn record(file: &mut String, bits: u64, message: &[u8], digest: &[u8]) {
    _ = writeln!(file, "Msg_Len = {bits}\nMsg = {}", hex(message));
    _ = writeln!(file, "Dst_Len = {}\nDst = {}\n", 8 * digest.len(), hex(digest));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        _ = write!(text, "{byte:02X}");
        text
    })
}

/// The file as the public harness compares it: lines without blanks at their ends, empty ones left out.
pub(crate) fn canonical(file: &str) -> String {
    file.lines().map(|line| line.trim_end_matches(['\r', ' ', '\t'])).filter(|line| !line.is_empty()).fold(
        String::with_capacity(file.len()),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

/// What is published of a file: the SHA-256 of it as it is, and of its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    /// Not known for all.
    pub(crate) plain: Option<&'static str>,
    /// Known, if anything is.
    pub(crate) canonical: &'static str,
}

/// The published digests of `KAT_.._NAME.txt`, if there are any.
pub(crate) fn published(file: &str) -> Option<Published> {
    let lines = include_str!("../../vectors/kat.sha256").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect::<Vec<_>>()).find_map(|fields| match fields[..] {
        [plain, canonical, name] if name == file => {
            Some(Published { plain: Some(plain).filter(|plain| *plain != "-"), canonical })
        }
        _ => None,
    })
}
