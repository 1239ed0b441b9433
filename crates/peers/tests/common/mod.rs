//! What several of the tests need.

use std::process::Command;

use benchkit::suite::{Algorithm, Implementation, Options, OutputLength, Pages, Parameters, VectorFile};
use benchkit::verify::verify;

macro_rules! vectors {
    ($($name:literal)*) => {
        [$(VectorFile {
            name: $name,
            text: include_str!(concat!("../../../sha2x/vectors/", $name)),
            manifest: include_str!("../../../sha2x/vectors/SHA256SUMS"),
        }),*]
    };
}

/// The known answers of the family crates, by algorithm.
const VECTORS: [VectorFile; 6] =
    vectors!["sha224.rsp" "sha256.rsp" "sha384.rsp" "sha512.rsp" "sha512-224.rsp" "sha512-256.rsp"];

/// The algorithm of that id, with RustCrypto's code as the one that the gate compares with.
pub(crate) fn algorithm(id: &'static str, block_bytes: usize, digest_bytes: usize) -> Algorithm {
    let mut rows = peers::implementations(id);
    let rustcrypto = rows.remove(0);
    let reference = Implementation::ready("reference", "portable", "", move |parameters| rustcrypto.make(parameters));
    rows.insert(0, reference.ours());
    Algorithm {
        id,
        pages: Pages::default(),
        block_bytes,
        output: OutputLength::fixed(digest_bytes),
        bits: None,
        options: Options::default(),
        vectors: VECTORS.iter().filter(|file| file.name.strip_suffix(".rsp") == Some(id)).cloned().collect(),
        implementations: rows,
    }
}

/// What the gate says against it; `None`: nothing.
pub(crate) fn failure(algorithm: &Algorithm, name: &str) -> Option<String> {
    let implementation = algorithm.implementation(name).expect("the row is there");
    let kat = verify(algorithm, implementation, &[1000], 0);
    assert_eq!(kat.ok, kat.failure.is_none());
    assert!(!kat.ok || kat.checks > 100, "{name}: {} checks", kat.checks);
    kat.failure
}

/// What it says when it is asked for a hasher.
#[allow(dead_code, reason = "not all tests ask")]
pub(crate) fn refusal(implementation: &Implementation) -> String {
    implementation.make(&Parameters::default()).expect_err("it cannot be made here")
}

/// Runs one test of this program in a process of its own, with these variables; the test knows it by `MARK`.
pub(crate) fn run_alone<'a>(test: &str, variables: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let mut command = Command::new(std::env::current_exe().expect("a test is a program"));
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env_remove("OPENSSL_ia32cap").env_remove("HASHMATRIX_PEERS").envs(variables).env(MARK, "1");
    let output = command.output().expect("it runs");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

pub(crate) const MARK: &str = "HASHMATRIX_TEST_ALONE";

/// Whether this process was started by [`run_alone`].
pub(crate) fn is_alone() -> bool {
    std::env::var_os(MARK).is_some()
}
