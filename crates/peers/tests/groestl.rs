//! Peers of Groestl against digests from a plain model of the specification.

use benchkit::suite::{Hasher, Implementation, Parameters, State};
use hex_literal::hex;

/// Id; digest of `abc`; digest of the 200 bytes `i mod 251`.
type Known = (&'static str, &'static [u8], &'static [u8]);

const KNOWN: [Known; 4] = [
    (
        "groestl224",
        &hex!("ed7bb299331c99ee485d49c22d368f05d9158f2055b9605676786f43"),
        &hex!("6d702bcd0f0edcc2ee9494688bc63310ddd95ffaf77d86512f7b874e"),
    ),
    (
        "groestl256",
        &hex!("f3c1bb19c048801326a7efbcf16e3d7887446249829c379e1840d1a3a1e7d4d2"),
        &hex!("5e4874941276bacd43cf9f5078a5d620143b0b105f633f44d65ed13d27f6a849"),
    ),
    (
        "groestl384",
        &hex!(
            "32c39f82ab41ee4fdb1582f83dde41089d47b904988b1a9a647553cb1a502cf0"
            "7df7eb1e11dc3d66bec096a39a790336"
        ),
        &hex!(
            "e1b7333f1da75cc060d8dccdcd9813e66a07c3e2c7bf29b5ec09fbb9d1924fe0"
            "1c50346078baa102e6584e937ef7ee64"
        ),
    ),
    (
        "groestl512",
        &hex!(
            "70e1c68c60df3b655339d67dc291cc3f1dde4ef343f11b23fdd44957693815a7"
            "5a8339c682fc28322513fd1f283c18e53cff2b264e06bf83a2f0ac8c1f6fbff6"
        ),
        &hex!(
            "ff6dabc4aacd1f3955daba7ee2f36b2e24cca8aef87bdf286ea77b2d86dc4052"
            "6ca5290c0558e95b4f620d78241a2665ab300216016b66ae87c6dc2e216348bb"
        ),
    ),
];

fn message(bytes: usize) -> Vec<u8> {
    (0..251).cycle().take(bytes).collect()
}

fn make(row: &Implementation) -> Hasher {
    row.make(&Parameters::default()).expect("it is ready")
}

#[test]
fn rows_are_the_same_everywhere() {
    for (id, ..) in KNOWN {
        let rows = peers::implementations(id);
        let names: Vec<_> = rows.iter().map(Implementation::name).collect();
        assert_eq!(names, ["rustcrypto/default", "cryptocorrosion/default"], "{id}");
        assert!(matches!(rows[0].state, State::Ready(_)));
        assert!(rows[0].version.starts_with("groestl 0.11."), "{}", rows[0].version);
        if cfg!(target_arch = "x86_64") {
            assert!(rows[1].version.starts_with("groestl-aesni 0.3."), "{}", rows[1].version);
        } else {
            assert!(matches!(rows[1].state, State::Absent(_)));
        }
    }
}

#[test]
fn known_answers() {
    for (id, abc, long) in KNOWN {
        for row in peers::implementations(id) {
            if matches!(row.state, State::Absent(_)) {
                continue;
            }
            let mut hasher = make(&row);
            // The second time round the contexts are used ones.
            for _ in 0..2 {
                let mut digest = vec![0xa5; abc.len()];
                (hasher.hash)(b"abc", &mut digest);
                assert_eq!(digest, abc, "{id} {}", row.name());
                (hasher.hash)(&message(200), &mut digest);
                assert_eq!(digest, long, "{id} {}", row.name());
                let stream = hasher.stream.as_mut().expect("every peer streams");
                stream.update(b"forgotten");
                stream.reset();
                for piece in message(200).chunks(63) {
                    stream.update(piece);
                }
                stream.finish(&mut digest);
                assert_eq!(digest, long, "{id} {}, streamed", row.name());
            }
        }
    }
}

#[test]
fn peers_agree_at_every_length() {
    let data = message(301);
    for (id, abc, _) in KNOWN {
        let rows = peers::implementations(id);
        let ready = rows.iter().filter(|row| matches!(row.state, State::Ready(_)));
        let mut hashers: Vec<_> = ready.map(|row| (row.name(), make(row))).collect();
        for length in 0..300 {
            let digests: Vec<_> = hashers
                .iter_mut()
                .map(|(_, hasher)| {
                    let mut digest = vec![0; abc.len()];
                    (hasher.hash)(&data[1..1 + length], &mut digest);
                    digest
                })
                .collect();
            for (digest, (name, _)) in digests.iter().zip(&hashers) {
                assert_eq!(*digest, digests[0], "{id} {name} {length}");
            }
        }
    }
}
