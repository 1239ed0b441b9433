//! A shared library by hand: the right one passes the gate, and each wrong one fails it.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use benchkit::suite::State;

/// The library of `external.c`; `None`, with a note, where there is no C compiler.
fn library() -> Option<PathBuf> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("external-{}.so", std::process::id()));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/external.c");
    let output = Command::new(&compiler).args(["-O1", "-shared", "-fPIC", "-o"]).arg(&file).arg(source).output();
    match output {
        Err(error) => {
            eprintln!("not tested: no C compiler ({}): {error}", compiler.display());
            None
        }
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(file)
        }
    }
}

/// Name, symbol, algorithm.
const ENTRIES: [(&str, &str, &str); 9] = [
    ("good", "", "sha256"),
    ("wrong", "wrong", "sha256"),
    ("failing", "failing", "sha256"),
    ("longer", "longer", "sha256"),
    ("shorter", "shorter", "sha256"),
    ("spilling", "spilling", "sha256"),
    ("scribbling", "scribbling", "sha256"),
    ("nameless", "no_such_symbol", "sha256"),
    ("good", "", "sha512"),
];

#[test]
fn library_by_hand() {
    let Some(file) = library() else { return };
    let path = file.to_str().expect("the target directory has a plain name");
    let entries = ENTRIES.map(|(name, symbol, algorithm)| {
        let symbol = if symbol.is_empty() { String::new() } else { format!(r#""symbol":"{symbol}","#) };
        format!(r#"{{"name":"{name}","file":{path:?},{symbol}"algorithm":"{algorithm}"}}"#)
    });
    let missing = r#"{"name":"missing","file":"/no/such/file.so","algorithm":"sha256"}"#;
    let value = format!("[{},{missing}]", entries.join(","));
    common::run_alone("with_the_library", [("HASHMATRIX_PEERS", value.as_str())]);
    std::fs::remove_file(&file).expect("it was written");
}

/// Does nothing unless `library_by_hand` started it.
#[test]
fn with_the_library() {
    if !common::is_alone() {
        return;
    }
    let sha256 = common::algorithm("sha256", 64, 32);
    let external = |row: &&benchkit::suite::Implementation| row.backend == "external";
    let names: Vec<_> = sha256.implementations.iter().filter(external).map(|row| row.provider.as_str()).collect();
    let expected = ["good", "wrong", "failing", "longer", "shorter", "spilling", "scribbling", "nameless", "missing"];
    assert_eq!(names, expected);

    let good = sha256.implementation("good/external").expect("it is listed");
    let version = &good.version;
    let digits = version.rsplit_once(" sha256:").expect("the version has the file's digest").1;
    assert!(digits.len() == 16 && version.starts_with("external-"), "{version}");
    let hasher = good.make(&Default::default()).expect("it is here");
    assert!(hasher.stream.is_none() && (hasher.ran)() == "external");
    assert_eq!(common::failure(&sha256, "good/external"), None);

    for (name, expected) in [
        ("wrong/external", "200 bytes"),
        ("failing/external", "failing returned -1"),
        ("longer/external", "longer writes 3032 bytes for a message of 0, and there is room for 32"),
        ("shorter/external", "shorter writes 20 bytes for a message of 0, and there is room for 32"),
        ("spilling/external", "77 bytes"),
        ("scribbling/external", "message"),
        ("nameless/external", "has no no_such_symbol"),
        ("missing/external", "cannot read /no/such/file.so"),
    ] {
        let failure = common::failure(&sha256, name).expect(name);
        println!("{name}: {failure}");
        assert!(failure.contains(expected), "{name}: {failure}");
    }
    for name in ["nameless/external", "missing/external"] {
        assert!(matches!(sha256.implementation(name).expect("the row stands").state, State::Absent(_)), "{name}");
    }

    // The right function for another algorithm is a wrong one.
    let sha512 = common::algorithm("sha512", 128, 64);
    let failure = common::failure(&sha512, "good/external").expect("it is no SHA-512");
    assert!(failure.contains("writes 32 bytes") && failure.contains("room for 64"), "{failure}");
    assert!(!peers::implementations("sha384").iter().any(|row| row.backend == "external"));
}

#[test]
fn damaged_variable_is_a_row_that_says_so() {
    if !common::is_alone() {
        common::run_alone("damaged_variable_is_a_row_that_says_so", [("HASHMATRIX_PEERS", "mine=/a.so")]);
        return;
    }
    let rows = peers::implementations("sha384");
    let row = rows.last().expect("there are rows");
    assert_eq!(row.name(), "HASHMATRIX_PEERS/external");
    let said = common::refusal(row);
    assert!(said.contains("expected value") && said.contains(r#""algorithm""#), "{said}");
}
