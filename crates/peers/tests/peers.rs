//! Every peer that is here gives the right digests, and one that is not says why.

use std::process::Command;

use benchkit::suite::{Hasher, Implementation, Parameters, State};
use hex_literal::hex;

/// Id; digest of `abc`; digest of the 200 bytes `i mod 251`.
type Known = (&'static str, &'static [u8], &'static [u8]);

/// Computed by CPython's hashlib.
const KNOWN: [Known; 6] = [
    (
        "sha224",
        &hex!("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        &hex!("ab3e334a37953e18f4f673736dddb64e850bfdf29d5a7ba268c567d9"),
    ),
    (
        "sha256",
        &hex!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        &hex!("1901da1c9f699b48f6b2636e65cbf73abf99d0441ef67f5c540a42f7051dec6f"),
    ),
    (
        "sha384",
        &hex!(
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
            "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        &hex!(
            "7ea4bb2534c67036f49de7beb5fe8a2478df04ff3fef40a9"
            "cd4923999a590e9912df1297217ce1a021aa2fb1013498b8"
        ),
    ),
    (
        "sha512",
        &hex!(
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        &hex!(
            "986058e9895e2c2ab8f9e8cbdf801db12a44842a56a91d5a4e87b1fc98b29372"
            "2c4664142e42c3c551ff898646268cd92b84ed230b8c94bed7798d4f27cd7465"
        ),
    ),
    (
        "sha512-224",
        &hex!("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
        &hex!("45455ac9539e497062d4d0023cb5591af4aced509e2465c2da57b466"),
    ),
    (
        "sha512-256",
        &hex!("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        &hex!("e511aa65d4e53c0bb6065c9e1d2882248307fc4987e67fca18d7e3c77017df65"),
    ),
];

const WRONG_LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

fn message(bytes: usize) -> Vec<u8> {
    (0..251).cycle().take(bytes).collect()
}

/// The implementations of an algorithm that can run in this process.
fn ready(id: &str) -> Vec<Implementation> {
    let rows = peers::implementations(id).into_iter();
    rows.filter(|row| matches!(row.state, State::Ready(_)) && row.environment.is_empty()).collect()
}

fn make(row: &Implementation) -> Hasher {
    row.make(&Parameters::default()).expect("it is ready")
}

fn hash(hasher: &mut Hasher, message: &[u8], digest_bytes: usize) -> Vec<u8> {
    let mut digest = vec![0xa5; digest_bytes];
    (hasher.hash)(message, &mut digest);
    digest
}

/// Numbers that look random, the same in each run (Knuth's MMIX generator, upper half).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn rows_are_the_same_whatever_is_installed() {
    let names = |id| peers::implementations(id).iter().map(Implementation::name).collect::<Vec<_>>();
    let rows = |forced: &[&'static str], sodium: &[&'static str]| {
        let first = ["rustcrypto/default", "openssl/evp", "openssl/oneshot", "openssl/lowlevel"];
        [&first, forced, &["gcrypt/default", "nettle/default"], sodium].concat()
    };
    let forced = ["openssl/generic", "openssl/ssse3", "openssl/avx", "openssl/avx2", "openssl/shani"];
    assert_eq!(names("sha224"), rows(&forced, &[]));
    assert_eq!(names("sha256"), rows(&forced, &["sodium/default"]));
    let forced = ["openssl/generic", "openssl/avx", "openssl/avx2", "openssl/sha512"];
    for id in ["sha384", "sha512-224", "sha512-256"] {
        assert_eq!(names(id), rows(&forced, &[]), "{id}");
    }
    assert_eq!(names("sha512"), rows(&forced, &["sodium/default"]));
    for id in ["", "sha-256", "SHA256", "sha3-256x"] {
        assert!(names(id).is_empty(), "{id}");
    }
}

#[test]
fn a_row_is_ready_or_says_why_not() {
    for (id, ..) in KNOWN {
        for row in peers::implementations(id) {
            let name = row.name();
            assert!(!row.ours, "{name}");
            match &row.state {
                State::Ready(_) => {
                    assert!(row.version.contains('.'), "{name}: version `{}`", row.version);
                    if row.misplaced().is_none() {
                        assert_eq!((make(&row).ran)(), row.backend, "{name}");
                    }
                }
                State::Absent(absent) => assert!(absent.reason.len() > 10, "{name}: {}", absent.reason),
            }
        }
        assert_eq!(ready(id)[0].name(), "rustcrypto/default");
    }
}

#[test]
fn known_answers() {
    for (id, abc, long) in KNOWN {
        for row in ready(id) {
            let mut hasher = make(&row);
            // The second time round the contexts are used ones.
            for _ in 0..2 {
                assert_eq!(hash(&mut hasher, b"abc", abc.len()), abc, "{id} {}", row.name());
                assert_eq!(hash(&mut hasher, &message(200), long.len()), long, "{id} {}", row.name());
            }
        }
    }
}

/// The rows that take messages in pieces: all but `EVP_Digest`, which takes them whole.
fn streaming(id: &str) -> Vec<Implementation> {
    let (streaming, whole): (Vec<_>, Vec<_>) = ready(id).into_iter().partition(|row| make(row).stream.is_some());
    assert!(whole.iter().all(|row| row.name() == "openssl/oneshot"), "{id}: {whole:?}");
    streaming
}

#[test]
fn stream_in_random_pieces_is_hash() {
    let mut random = Random(1);
    let data = message(1000);
    for (id, abc, _) in KNOWN {
        for row in streaming(id) {
            let mut hasher = make(&row);
            for length in (0..300).chain([511, 512, 513, 1000]) {
                let message = &data[..length];
                let whole = hash(&mut hasher, message, abc.len());
                let stream = hasher.stream.as_mut().expect("it streams");
                if random.below(4) == 0 {
                    stream.update(&data[..random.below(200)]);
                    stream.reset();
                }
                let mut rest = message;
                while !rest.is_empty() {
                    let (piece, behind) = rest.split_at(random.below(rest.len().min(150) + 1));
                    stream.update(piece);
                    rest = behind;
                }
                let mut digest = vec![0; abc.len()];
                stream.finish(&mut digest);
                assert_eq!(digest, whole, "{id} {} {length}", row.name());
            }
        }
    }
}

#[test]
fn peers_agree_at_every_length() {
    let data = message(601);
    for (id, abc, _) in KNOWN {
        let rows = ready(id);
        let mut hashers: Vec<_> = rows.iter().map(make).collect();
        // One byte on, so that the message is not aligned.
        for length in 0..600 {
            let expected = hash(&mut hashers[0], &data[1..1 + length], abc.len());
            for (hasher, row) in hashers.iter_mut().zip(&rows).skip(1) {
                assert_eq!(hash(hasher, &data[1..1 + length], abc.len()), expected, "{id} {} {length}", row.name());
            }
        }
    }
}

#[test]
fn hashers_do_not_disturb_each_other() {
    let data = message(200);
    // Two of each row of each algorithm, all of them in the middle of a message at once.
    let mut open = Vec::new();
    for (id, abc, long) in KNOWN {
        for row in streaming(id) {
            open.extend([0, 1].map(|_| (id, row.name(), abc, long, make(&row))));
        }
    }
    for (start, end) in [(0, 1), (1, 70), (70, 199), (199, 200)] {
        for (id, name, abc, _, hasher) in &mut open {
            hasher.stream.as_mut().expect("it streams").update(&data[start..end]);
            assert_eq!(&hash(hasher, b"abc", abc.len()), abc, "{id} {name}");
        }
    }
    // One that goes away leaves the others alone.
    let mut keep = false;
    open.retain(|_| {
        keep = !keep;
        keep
    });
    for (id, name, _, long, hasher) in &mut open {
        let mut digest = vec![0; long.len()];
        hasher.stream.as_mut().expect("it streams").finish(&mut digest);
        assert_eq!(&digest, long, "{id} {name}");
    }
}

#[test]
fn hashers_work_on_threads_of_their_own() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(known_answers);
        }
    });
}

#[test]
fn options_that_do_not_exist_are_refused() {
    for (id, abc, _) in KNOWN {
        for row in ready(id) {
            let refused = |parameters: Parameters| row.make(&parameters).expect_err("it has no options");
            let key = refused(Parameters { key: Some(vec![1]), ..Parameters::default() });
            assert!(key.contains("key") && key.contains(&row.name()), "{key}");
            refused(Parameters { salt: Some(vec![]), ..Parameters::default() });
            refused(Parameters { personalization: Some(vec![]), ..Parameters::default() });
            refused(Parameters { customization: Some(vec![]), ..Parameters::default() });
            let length = refused(Parameters { output_length: Some(abc.len() - 1), ..Parameters::default() });
            assert!(length.contains(&abc.len().to_string()), "{length}");
            row.make(&Parameters { output_length: Some(abc.len()), ..Parameters::default() }).expect("its own length");
        }
    }
}

#[test]
fn output_of_another_length_is_refused_before_anything_is_written() {
    for (id, abc, _) in KNOWN {
        for row in ready(id) {
            for length in [0, abc.len() - 1, abc.len() + 1] {
                let mut hasher = make(&row);
                let mut output = vec![0xa5; length];
                let call = std::panic::AssertUnwindSafe(|| (hasher.hash)(b"abc", &mut output));
                std::panic::catch_unwind(call).expect_err("the output has another length");
                assert!(output.iter().all(|&byte| byte == 0xa5), "{id} {} {length}", row.name());
            }
        }
    }
}

#[test]
fn algorithms_without_low_level_functions_say_so() {
    for id in ["sha512-224", "sha512-256"] {
        let rows = peers::implementations(id);
        let row = rows.iter().find(|row| row.name() == "openssl/lowlevel").expect("the row stands");
        assert!(matches!(row.state, State::Absent(_)), "{id}");
    }
}

/// Runs itself again with files that are no libraries; the environment must be set before anything is opened.
#[test]
fn wrong_library_leaves_rows_with_a_reason() {
    const MARK: &str = "HASHMATRIX_TEST_WRONG_LIBRARY";
    const VARIABLES: [(&str, &str); 4] = [
        ("openssl", "HASHMATRIX_LIBCRYPTO"),
        ("gcrypt", "HASHMATRIX_LIBGCRYPT"),
        ("nettle", "HASHMATRIX_LIBNETTLE"),
        ("sodium", "HASHMATRIX_LIBSODIUM"),
    ];
    if std::env::var_os(MARK).is_none() {
        let mut command = Command::new(std::env::current_exe().expect("a test is a program"));
        command.args(["--exact", "wrong_library_leaves_rows_with_a_reason"]).env(MARK, "1");
        command.envs(VARIABLES.map(|(_, variable)| (variable, WRONG_LIBRARY)));
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let mut absent = 0;
    for row in peers::implementations("sha256") {
        assert!(row.environment.is_empty(), "{}", row.name());
        let Some((_, variable)) = VARIABLES.iter().find(|(provider, _)| *provider == row.provider) else {
            assert!(matches!(row.state, State::Ready(_)), "{}", row.name());
            continue;
        };
        let said = row.make(&Parameters::default()).expect_err("Cargo.toml is no library");
        assert!(said.contains(WRONG_LIBRARY) && said.contains(variable), "{said}");
        absent += 1;
    }
    assert_eq!(absent, 11);
}
