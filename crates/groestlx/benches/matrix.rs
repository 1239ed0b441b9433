//! What the bench measures of this crate: every algorithm, on every backend, beside other people's libraries.

use benchkit::adapter::Fixed;
use benchkit::suite::{Algorithm, BitOrder, Implementation, Options, OutputLength, Pages, Suite, VectorFile};
use groestlx::{Backend, Groestl224, Groestl256, Groestl384, Groestl512};

macro_rules! algorithm {
    ($id:literal, $Type:ident, $one:ident, $block:literal, $bytes:literal, ebash: $ebash:expr) => {{
        let ours = Backend::NAMES.iter().map(|&name| match Backend::named(name) {
            Err(error) => Implementation::absent("groestlx", name, error.to_string(), None).ours(),
            Ok(backend) => {
                Implementation::ready("groestlx", name, concat!("groestlx ", env!("CARGO_PKG_VERSION")), move |_| {
                    let parts: Fixed<_, _, _, _, _, $bytes> = Fixed {
                        hasher: $Type::with_backend(backend),
                        one: move |message: &[u8]| groestlx::$one(backend, message),
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
            pages: Pages { ebash: $ebash.map(str::to_owned), openssl: None, niccs: None },
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
        family: "groestlx",
        algorithms: vec![
            algorithm!("groestl224", Groestl224, groestl224_with, 64, 28, ebash: None),
            algorithm!("groestl256", Groestl256, groestl256_with, 64, 32, ebash: Some("groestl256")),
            algorithm!("groestl384", Groestl384, groestl384_with, 128, 48, ebash: None),
            algorithm!("groestl512", Groestl512, groestl512_with, 128, 64, ebash: Some("groestl512")),
        ],
    }
}

benchkit::main!(suite);
