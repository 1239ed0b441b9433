//! What the bench measures of this crate: every algorithm, on every backend, beside other people's libraries.

use benchkit::adapter::Fixed;
use benchkit::suite::{Algorithm, BitOrder, Implementation, Options, OutputLength, Pages, Suite, VectorFile};
use sha2x::{Backend, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

macro_rules! algorithm {
    ($id:literal, $Type:ident, $one:ident, $block:literal, $bytes:literal, ebash: $ebash:expr) => {{
        let ours = $Type::BACKENDS.iter().map(|&name| match Backend::named(name) {
            Err(error) => Implementation::absent("sha2x", name, error.to_string(), None).ours(),
            Ok(backend) => {
                Implementation::ready("sha2x", name, concat!("sha2x ", env!("CARGO_PKG_VERSION")), move |_| {
                    let parts: Fixed<_, _, _, _, _, $bytes> = Fixed {
                        hasher: $Type::with_backend(backend),
                        one: move |message: &[u8]| sha2x::$one(backend, message),
                        many: move |messages: &[&[u8]], out: &mut [_]| $Type::digest_many_with(backend, messages, out),
                        lanes: $Type::lanes(backend),
                        bits: move |message: &[u8], bits| $Type::digest_bits_with(backend, message, bits),
                        ran: |hasher: &$Type| hasher.backend().name().to_owned(),
                    };
                    Ok(parts.into_hasher())
                })
                .ours()
            }
        });
        Algorithm {
            id: $id,
            pages: Pages { ebash: $ebash.map(str::to_owned), openssl: Some($id.to_owned()), niccs: None },
            block_bytes: $block,
            output: OutputLength::fixed($bytes),
            bits: Some(BitOrder::MostSignificantFirst),
            options: Options::default(),
            vectors: vec![VectorFile {
                name: concat!($id, ".rsp"),
                text: include_str!(concat!("../vectors/", $id, ".rsp")),
                manifest: include_str!("../vectors/SHA256SUMS"),
            }],
            implementations: ours.chain(peers::implementations($id)).collect(),
        }
    }};
}

fn suite() -> Suite {
    Suite {
        family: "sha2x",
        algorithms: vec![
            algorithm!("sha224", Sha224, sha224_with, 64, 28, ebash: Some("sha224")),
            algorithm!("sha256", Sha256, sha256_with, 64, 32, ebash: Some("sha256")),
            algorithm!("sha384", Sha384, sha384_with, 128, 48, ebash: Some("sha384")),
            algorithm!("sha512", Sha512, sha512_with, 128, 64, ebash: Some("sha512")),
            algorithm!("sha512-224", Sha512_224, sha512_224_with, 128, 28, ebash: None),
            algorithm!("sha512-256", Sha512_256, sha512_256_with, 128, 32, ebash: None),
        ],
    }
}

benchkit::main!(suite);
