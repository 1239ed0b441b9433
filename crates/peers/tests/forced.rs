//! OpenSSL's pieces of code: each runs in a process of its own, and nowhere else.

mod common;

use std::collections::BTreeSet;

use benchkit::suite::{Implementation, Parameters, State};

const ALGORITHMS: [(&str, usize, usize); 6] = [
    ("sha224", 64, 28),
    ("sha256", 64, 32),
    ("sha384", 128, 48),
    ("sha512", 128, 64),
    ("sha512-224", 128, 28),
    ("sha512-256", 128, 32),
];
const VARIABLE: &str = "OPENSSL_ia32cap";

/// The rows that can run in some process.
fn forced(id: &str) -> Vec<Implementation> {
    let rows = peers::implementations(id).into_iter().filter(|row| !row.environment.is_empty());
    rows.inspect(|row| assert!(row.provider == "openssl" && matches!(row.state, State::Ready(_)))).collect()
}

#[test]
fn each_runs_in_its_own_process() {
    let rows: Vec<_> = ALGORITHMS.iter().flat_map(|(id, ..)| forced(id)).collect();
    let values: BTreeSet<_> = rows.iter().map(|row| row.environment[VARIABLE].clone()).collect();
    if values.is_empty() {
        let rows = peers::implementations("sha256");
        let row = rows.iter().find(|row| row.name() == "openssl/generic").expect("the row stands");
        eprintln!("not tested: {}", common::refusal(row));
    } else if cfg!(target_arch = "x86_64") {
        assert!(rows.iter().any(|row| row.backend == "generic"), "it needs nothing of the CPU");
    }
    for value in &values {
        common::run_alone("in_its_process", [(VARIABLE, value.as_str())]);
    }
}

/// Does nothing unless `each_runs_in_its_own_process` started it.
#[test]
fn in_its_process() {
    if !common::is_alone() {
        return;
    }
    let value = std::env::var(VARIABLE).expect("it was set");
    let mut checked = 0;
    for (id, block_bytes, digest_bytes) in ALGORITHMS {
        let algorithm = common::algorithm(id, block_bytes, digest_bytes);
        for row in algorithm.implementations.iter().filter(|row| !row.environment.is_empty()) {
            let name = row.name();
            if row.environment[VARIABLE] == value {
                assert_eq!(row.misplaced(), None);
                let hasher = row.make(&Parameters::default()).expect("this is its process");
                assert_eq!((hasher.ran)(), row.backend);
                assert!(hasher.stream.is_some());
                assert_eq!(common::failure(&algorithm, &name), None, "{id} {name}");
                checked += 1;
            } else {
                let said = common::refusal(row);
                assert!(said.contains(&format!("{VARIABLE}={}", row.environment[VARIABLE])), "{said}");
            }
        }
        // The others do not mind.
        assert_eq!(common::failure(&algorithm, "openssl/evp"), None);
    }
    assert!(checked > 0);
}

#[test]
fn none_is_made_without_the_environment() {
    if !common::is_alone() {
        common::run_alone("none_is_made_without_the_environment", []);
        return;
    }
    for row in ALGORITHMS.iter().flat_map(|(id, ..)| forced(id)) {
        let said = common::refusal(&row);
        assert!(said.starts_with(&row.name()) && said.contains(VARIABLE), "{said}");
        assert!(row.misplaced().is_some());
    }
}

/// A variable that is set when libcrypto is loaded already changes nothing, and must not be believed.
#[test]
fn variable_that_comes_too_late_is_found_out() {
    if !common::is_alone() {
        common::run_alone("variable_that_comes_too_late_is_found_out", []);
        return;
    }
    let rows = forced("sha256");
    let Some(row) = rows.iter().find(|row| row.backend == "generic") else { return };
    if !rows.iter().any(|row| row.backend == "ssse3") || row.version.starts_with("OpenSSL 1.") {
        eprintln!("not tested: nothing else to run here, or an OpenSSL that does not tell");
        return;
    }
    // SAFETY: no other thread of this process looks at the environment: it runs this test alone.
    unsafe { std::env::set_var(VARIABLE, &row.environment[VARIABLE]) };
    assert_eq!(row.misplaced(), None);
    let said = common::refusal(row);
    assert!(said.starts_with(&format!("{} takes its ", row.version)), "{said}");
}
