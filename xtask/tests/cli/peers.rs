//! Libraries that the user names.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use benchkit::record::Record;

use crate::sandbox::{Sandbox, visits};

/// Builds the libraries into the sandbox; `false`, with a note, where there is no C compiler.
fn libraries(sandbox: &Sandbox) -> bool {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/peers.c");
    for (name, flag) in [("sum.so", "-DGOOD"), ("crash.so", "-DCRASH")] {
        let mut command = Command::new(&compiler);
        command.args(["-O1", "-shared", "-fPIC", flag, "-o"]).arg(sandbox.root().join(name)).arg(&source);
        match command.output() {
            Err(error) => {
                eprintln!("not tested: no C compiler ({}): {error}", compiler.display());
                return false;
            }
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    true
}

const ALL: [&str; 14] = [
    "--peer",
    "good=sum.so",
    "--peer",
    "wrong=./sum.so:wrong",
    "--peer",
    "bad=sum.so:crashing",
    "--peer",
    "dead=crash.so",
    "--peer",
    "gone=no/such.so",
    "--peer",
    "nameless=sum.so:no_such_symbol",
    "--peer-algorithm",
    "toy8",
];

#[test]
fn every_command_takes_a_library_and_none_dies_of_it() {
    let sandbox = Sandbox::new();
    if !libraries(&sandbox) {
        return;
    }
    let with = |arguments: &[&str]| sandbox.run(&[arguments, &ALL].concat());
    let list = with(&["list"]).with_code(0).stdout;
    let line = |name: &str| list.lines().find(|line| line.contains(&format!(" {name}/external "))).unwrap_or_default();
    assert!(line("good").contains("hash; by hand"), "{list}");
    assert!(line("dead").contains("absent: the worker that opened") && line("dead").contains("signal 6"), "{list}");
    assert!(line("gone").contains("absent: cannot open") && line("gone").contains("work space/no/such.so"), "{list}");
    assert!(line("nameless").contains("has no no_such_symbol"), "{list}");
    assert!(list.contains("toy16"));

    let verify = with(&["verify", "toy8"]).with_code(2);
    assert_eq!(verify.stdout.lines().last(), Some("5 passed, 2 failed"), "{}", verify.stdout);
    assert!(verify.stdout.contains("while it was checked, its worker was ended by signal 6"), "{}", verify.stdout);
    assert!(verify.stdout.contains("absent  toy8  dead/external"), "{}", verify.stdout);

    let digest = with(&["digest", "toy8", "--lines", "--backend", "good/external"]);
    assert_eq!(digest.code, 0, "{}", digest.stderr);

    let bench = with(&["bench", "--rounds", "2", "--length", "8", "--samples", "2", "--once", "--algorithm", "toy8"]);
    let bench = bench.with_code(2);
    bench.says(&["KAT FAIL: toy8 wrong/external", "KAT FAIL: toy8 bad/external"]);
    let records = sandbox.records();
    let of = |name: &str| visits(&records).iter().filter(|visit| visit.implementation == name).count();
    assert!(of("good/external") > 0 && of("wrong/external") == 0 && of("bad/external") == 0);
    // Ours stand beside it in its process; the others' processes do not know of it.
    let process = visits(&records).iter().find(|visit| visit.implementation == "good/external").unwrap().process;
    let beside = |name: &str| visits(&records).iter().any(|v| v.process == process && v.implementation == name);
    assert!(beside("alpha/fast") && beside("anchor/sha256") && !beside("peer/default"));
    let absent = records
        .iter()
        .filter(|record| matches!(record, Record::Absent(row) if row.implementation.ends_with("/external")));
    assert_eq!(absent.count(), 3);
    assert!(bench.stdout.contains("good/external"), "{}", bench.stdout);
}

#[test]
fn a_library_that_crashes_while_it_is_timed_costs_only_its_own_row() {
    let sandbox = Sandbox::new();
    if !libraries(&sandbox) {
        return;
    }
    let arguments = ["bench", "--rounds", "2", "--length", "8", "--samples", "2", "--once"];
    let peers = [
        "--peer",
        "late=sum.so:later",
        "--peer",
        "good=sum.so",
        "--peer-algorithm",
        "toy8",
        "--peer-algorithm",
        "toy16",
    ];
    let answer = sandbox.run(&[&arguments[..], &peers].concat()).with_code(5);
    answer.says(&["the worker of alpha was ended by signal 6"]);
    let records = sandbox.records();
    let row = records.iter().find_map(|record| match record {
        Record::Absent(row) if row.implementation == "late/external" => Some(row),
        _ => None,
    });
    assert!(row.unwrap().reason.contains("its worker was ended by signal 6"), "{row:?}");
    assert!(visits(&records).iter().any(|v| v.implementation == "good/external" && v.algorithm == "toy16"));
    assert!(visits(&records).iter().any(|v| v.implementation == "peer/forced"));
}

#[test]
fn wrong_options_about_libraries_are_refused() {
    let sandbox = Sandbox::new();
    let refused = |arguments: &[&str], texts: &[&str]| sandbox.run(arguments).with_code(1).says(texts);
    refused(&["list", "--peer", "a=b.so", "--peer-algorithm", "toy7"], &["no algorithm is called `toy7`", "toy8"]);
    refused(&["list", "--peer", "a=b.so"], &["--peer-algorithm"]);
    refused(&["list", "--peer-algorithm", "toy8"], &["--peer"]);
    refused(&["list", "--peer", "b.so", "--peer-algorithm", "toy8"], &["NAME=FILE.so"]);
    refused(&["bench", "--no-peers", "--peer", "a=b.so", "--peer-algorithm", "toy8"], &["--no-peers"]);
    let two = ["--peer-algorithm", "toy8", "--peer-algorithm", "toy9"];
    refused(&[&["list", "--peer", "a=b.so"][..], &two].concat(), &["there are 1 --peer and 2 --peer-algorithm"]);
    let twice = ["--peer", "a=b.so", "--peer", "a=c.so", "--peer-algorithm", "toy8"];
    refused(&[&["verify"][..], &twice].concat(), &["--peer a is there twice for toy8"]);
    assert!(sandbox.files().is_empty());
}
