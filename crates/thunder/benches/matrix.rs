//! What the bench measures of this crate: every algorithm, on every backend.
//!
//! There are no peers: nobody else has published an implementation as a library.

use benchkit::adapter::Fixed;
use benchkit::suite::{
    Algorithm, Batch, BitOrder, Hasher, Implementation, Options, OutputLength, Pages, Stream, Suite, VectorFile,
};
use thunder::digest::{ExtendableOutputReset, Reset, Update};
use thunder::{Backend, Thunder512, Thunder768, Thunder1024, ThunderXof256, ThunderXof384, ThunderXof512};

/// Ours on every backend, made ready by a function.
fn ours(make: fn(Backend) -> Hasher) -> impl Iterator<Item = Implementation> {
    Backend::NAMES.iter().map(move |&name| {
        match Backend::named(name) {
            Err(error) => Implementation::absent("thunder", name, error.to_string(), None),
            Ok(backend) => {
                let version = concat!("thunder ", env!("CARGO_PKG_VERSION"));
                Implementation::ready("thunder", name, version, move |_| Ok(make(backend)))
            }
        }
        .ours()
    })
}

macro_rules! algorithm {
    ($id:literal, $title:literal, $block:literal, $output:expr, $make:expr) => {
        Algorithm {
            id: $id,
            pages: Pages { ebash: None, openssl: None, niccs: Some($title.to_owned()) },
            block_bytes: $block,
            output: $output,
            bits: Some(BitOrder::MostSignificantFirst),
            options: Options::default(),
            vectors: vec![VectorFile {
                name: concat!($id, ".rsp"),
                text: include_str!(concat!("../vectors/", $id, ".rsp")),
                manifest: include_str!("../vectors/SHA256SUMS"),
            }],
            implementations: ours($make).chain(peers::implementations($id)).collect(),
        }
    };
}

macro_rules! fixed {
    ($id:literal, $title:literal, $Type:ident, $one:ident, $block:literal, $bytes:literal) => {
        algorithm!($id, $title, $block, OutputLength::fixed($bytes), |backend| {
            let parts: Fixed<_, _, _, _, _, $bytes> = Fixed {
                hasher: $Type::with_backend(backend),
                one: move |message: &[u8]| thunder::$one(backend, message),
                many: move |messages: &[&[u8]], out: &mut [_]| $Type::digest_many_with(backend, messages, out),
                lanes: $Type::lanes(backend),
                bits: move |message: &[u8], bits| $Type::digest_bits_with(backend, message, bits),
                ran: |hasher: &$Type| hasher.backend().name().to_owned(),
            };
            parts.into_hasher()
        })
    };
}

/// A hasher of any output length, behind the stream of the bench.
struct Pieces<T>(T);

impl<T: ExtendableOutputReset + Update> Stream for Pieces<T> {
    fn reset(&mut self) {
        Reset::reset(&mut self.0);
    }

    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(&mut self, output: &mut [u8]) {
        self.0.finalize_xof_reset_into(output);
    }
}

macro_rules! xof {
    ($id:literal, $title:literal, $Type:ident, $one:ident, $block:literal, $bytes:literal) => {
        algorithm!($id, $title, $block, OutputLength::any($bytes), |backend| {
            let hasher = $Type::with_backend(backend);
            Hasher {
                hash: Box::new(move |message, output| thunder::$one(backend, message, output)),
                stream: Some(Box::new(Pieces(hasher.clone()))),
                batch: Some(Batch {
                    lanes: $Type::lanes(backend),
                    call: Box::new(move |messages, outputs| {
                        let bytes = outputs.len().checked_div(messages.len()).unwrap_or($bytes);
                        if bytes == $bytes {
                            let (each, _) = outputs.as_chunks_mut::<$bytes>();
                            return $Type::digest_many_with(backend, messages, each);
                        }
                        let mut each: Vec<_> = outputs.chunks_mut(bytes).collect();
                        $Type::digest_many_with(backend, messages, &mut each);
                    }),
                }),
                bits: Some(Box::new(move |message, bits, output| {
                    $Type::digest_bits_with(backend, message, bits, output);
                })),
                xof: Some(Box::new(move |message, output| thunder::$one(backend, message, output))),
                tree: None,
                ran: Box::new(move || hasher.backend().name().to_owned()),
            }
        })
    };
}

fn suite() -> Suite {
    Suite {
        family: "thunder",
        algorithms: vec![
            fixed!("thunder-512", "Thunder-512", Thunder512, thunder512_with, 128, 64),
            fixed!("thunder-768", "Thunder-768", Thunder768, thunder768_with, 96, 96),
            fixed!("thunder-1024", "Thunder-1024", Thunder1024, thunder1024_with, 64, 128),
            xof!("thunder-xof-256", "Thunder-XOF-256", ThunderXof256, thunder_xof256_with, 128, 160),
            xof!("thunder-xof-384", "Thunder-XOF-384", ThunderXof384, thunder_xof384_with, 96, 144),
            xof!("thunder-xof-512", "Thunder-XOF-512", ThunderXof512, thunder_xof512_with, 64, 128),
        ],
    }
}

benchkit::main!(suite);
