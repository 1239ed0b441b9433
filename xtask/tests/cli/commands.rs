//! `list`, `verify`, `digest`, and how wrong words are answered.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::sandbox::{Answer, Sandbox};

fn fed(sandbox: &Sandbox, arguments: &[&str], input: &str) -> Answer {
    let mut command = sandbox.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Answer {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn list_tells_names_and_why_something_is_absent() {
    let sandbox = Sandbox::new();
    let list = sandbox.run(&["list"]).with_code(0).stdout;
    for text in [
        "toy8 (alpha)",
        "ebash:toy8e, openssl:TOY-8",
        "bits, most significant first",
        "whole bytes",
        "absent: this machine lacks the toy; install the package toy",
        "TOY_FORCE=1",
        "toy16 (beta)",
    ] {
        assert!(list.contains(text), "`{text}` is not in\n{list}");
    }

    let json = sandbox.run(&["list", "--json"]).with_code(0);
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    let algorithms = document["algorithms"].as_array().unwrap();
    let ids: Vec<&str> = algorithms.iter().map(|algorithm| algorithm["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["toy8", "toy9", "toy16"]);
    assert_eq!(algorithms[0]["family"], "alpha");
    assert_eq!(algorithms[0]["bits"], "most-significant-first");
    assert_eq!(algorithms[1]["bits"], Value::Null);
    assert_eq!(algorithms[0]["pages"]["ebash"], "toy8e");
    let gone = &algorithms[0]["implementations"][3];
    assert_eq!((gone["name"].as_str(), gone["available"].as_bool()), (Some("peer/gone"), Some(false)));
    assert_eq!(gone["absent"]["remedy"], "install the package toy");
    // Everything is built by now: nothing is said about building.
    assert_eq!(json.stderr, "");
}

#[test]
fn a_worker_without_a_list_is_named_and_the_others_go_on() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_LIST", "alpha", &["list"]).with_code(5);
    answer.says(&["the worker of alpha answered `list` with something else: this is no list"]);
    assert!(answer.stdout.contains("toy16"));
    sandbox.run_with("TOY_LIST", "alpha", &["digest", "toy16"]).with_code(0);
}

#[test]
fn verify_counts_and_exits_with_2_on_a_wrong_digest() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["verify"]).with_code(0);
    assert_eq!(answer.stdout.lines().last(), Some("6 passed, 0 failed"));
    assert!(answer.stdout.contains("absent  toy8   peer/gone"), "{}", answer.stdout);

    let answer = sandbox.run_with("TOY_WRONG", "alpha/fast", &["verify"]).with_code(2);
    assert_eq!(answer.stdout.lines().last(), Some("5 passed, 1 failed"));
    assert!(answer.stdout.contains("01 is not 02"), "{}", answer.stdout);

    for (chosen, passed) in [("toy8", 4), ("toy8e", 4), ("TOY-8", 4), ("toy*", 6), ("ebash:toy8", 1)] {
        let answer = sandbox.run(&["verify", chosen]).with_code(0);
        let expected = format!("{passed} passed, 0 failed");
        assert_eq!(answer.stdout.lines().last(), Some(expected.as_str()), "{chosen}");
    }
    let answer = sandbox.run(&["verify", "--implementation", "fast"]).with_code(0);
    assert_eq!(answer.stdout.lines().last(), Some("1 passed, 0 failed"));
    let answer = sandbox.run(&["verify", "--implementation", "gone"]).with_code(5);
    assert_eq!(answer.stdout.lines().last(), Some("0 passed, 0 failed"));
}

#[test]
fn an_implementation_that_crashes_its_worker_fails_alone() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_CRASH_VERIFY", "alpha/fast", &["verify"]).with_code(2);
    assert_eq!(answer.stdout.lines().last(), Some("5 passed, 1 failed"));
    assert!(answer.stdout.contains("while it was checked, its worker was ended by signal 6"), "{}", answer.stdout);
    assert!(answer.stdout.contains("the toy is broken"), "{}", answer.stdout);
}

#[test]
fn digest_is_all_that_comes_out_and_files_are_the_users() {
    let sandbox = Sandbox::new();
    let folder = sandbox.root().join("alpha/src");
    fs::write(folder.join("a file"), [1, 2, 3]).unwrap();
    // The first call builds: nothing of that may reach standard output.
    let mut command = sandbox.command(&["digest", "toy8", "a file"]);
    let answer = sandbox.answer(command.current_dir(&folder)).with_code(0);
    assert_eq!(answer.stdout, "06  a file\n");
    let answer = fed(&sandbox, &["digest", "toy8"], "\u{1}\u{2}").with_code(0);
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), ("03  -\n", ""));
    let answer = fed(&sandbox, &["digest", "TOY-8", "--lines"], "0102\n\nff02\n").with_code(0);
    assert_eq!(answer.stdout, "03\n00\n01\n");
    sandbox.run(&["digest", "toy8", "no such file"]).with_code(1).says(&["no such file"]);
    sandbox.run(&["digest", "toy8", "--key", "00"]).with_code(1).says(&["takes no key"]);
}

#[test]
fn digest_starts_the_process_that_a_backend_needs() {
    let sandbox = Sandbox::new();
    let trace = sandbox.temporary().join("trace");
    let mut command = sandbox.command(&["digest", "toy8", "--backend", "peer/forced"]);
    sandbox.answer(command.env("TOY_TRACE", &trace)).with_code(0);
    let trace = fs::read_to_string(trace).unwrap();
    let line = trace.lines().find(|line| line.contains(" digest ")).unwrap();
    assert!(line.contains("TOY_FORCE=1") && line.contains("LC_ALL=C"), "{line}");
    sandbox.run(&["digest", "toy8", "--backend", "fats"]).with_code(1).says(&["no backend `fats`", "near ones: fast"]);
}

#[test]
fn many_thousand_files_are_handed_over_in_parts() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root().join("f"), "a").unwrap();
    let names: Vec<String> = (0..30_000).map(|_| "./f".to_owned()).collect();
    let mut command = sandbox.command(&["digest", "toy8"]);
    let answer = sandbox.answer(command.args(&names)).with_code(0);
    assert_eq!(answer.stdout.lines().count(), names.len());
}

#[test]
fn wrong_names_list_near_ones() {
    let sandbox = Sandbox::new();
    sandbox.run(&["digest", "toy6"]).with_code(1).says(&["no algorithm is called `toy6`", "toy8", "toy16"]);
    sandbox.run(&["verify", "zebra*"]).with_code(1).says(&["no algorithm is called `zebra*`", "there are"]);
    sandbox.run(&["digest", "toy-twice"]).with_code(1).says(&["ebash:toy-twice is toy9", "niccs:toy-twice is toy16"]);
    sandbox.run(&["verify", "toy["]).with_code(1).says(&["`toy[` is no pattern"]);
    sandbox.run(&["report", "--page", "markdwon", "--run", "x"]).with_code(1).says(&["no run"]);
}

#[test]
fn wrong_usage_exits_with_1() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&[]).with_code(1);
    assert!(help.stderr.contains("Usage: cargo xtask"), "{}", help.stderr);
    assert!(sandbox.run(&["--help"]).with_code(0).stdout.contains("bench"));
    sandbox.run(&["bnech"]).with_code(1).says(&["bench"]);
    for wrong in [
        &["bench", "--length", "64,1k"][..],
        &["bench", "--length", ""],
        &["bench", "--length", "1,,2"],
        &["bench", "--length", "99999999999999999999"],
        &["bench", "--rounds", "0"],
        &["bench", "--samples", "0"],
        &["bench", "--operation", "hsah"],
        &["bench", "--quick", "--publish"],
        &["bench", "--resume"],
        &["digest", "toy8", "--batch"],
        &["digest"],
    ] {
        let answer = sandbox.run(wrong).with_code(1);
        assert!(answer.stdout.is_empty() && answer.stderr.contains("error"), "{wrong:?}: {}", answer.stderr);
    }
    sandbox.run(&["bench", "--length", "1k"]).says(&["whole number of bytes"]);
    sandbox.run(&["bench", "--cpu", "100000", "--dry-run"]).with_code(1).says(&["CPU 100000", "allowed are 0"]);
}

#[test]
fn a_worker_that_does_not_compile_is_shown_as_cargo_shows_it() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root().join("beta/benches/matrix.rs"), "fn main() { let x: u8 = \"no\"; }").unwrap();
    sandbox.run(&["list"]).with_code(1).says(&["error[E0308]", "beta/benches/matrix.rs:1", "cannot be built"]);
}

#[test]
fn a_workspace_without_workers_is_told_so() {
    let sandbox = Sandbox::new();
    for package in ["alpha", "beta"] {
        let manifest = sandbox.root().join(package).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap().replace("\"matrix\"", "\"other\"");
        fs::write(manifest, text).unwrap();
        let benches = sandbox.root().join(package).join("benches");
        fs::rename(benches.join("matrix.rs"), benches.join("other.rs")).unwrap();
    }
    sandbox.run(&["list"]).with_code(1).says(&["no package", "`matrix`"]);
}

#[test]
fn the_doctor_describes_the_machine_and_refuses_only_when_asked_to() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["doctor"]).with_code(0).stdout;
    for part in
        ["Machine\n", "Clocks, the best first\n", "  perf ", "  tsc ", "  time ", "What spoils a measurement here\n"]
    {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    let strict = sandbox.run(&["doctor", "--strict"]);
    let refused = strict.stdout.contains("[--strict refuses]") || !strict.stdout.contains(" passed, used: ");
    assert_eq!(strict.code, if refused { 4 } else { 0 }, "{}\n{}", strict.stdout, strict.stderr);
    assert_eq!(strict.stderr.contains("this machine is refused: "), refused, "{}", strict.stderr);
}

#[test]
fn a_process_of_the_self_test_answers_with_records_or_an_error() {
    let sandbox = Sandbox::new();
    sandbox.run(&["worker", "prove", "{}"]).with_code(1).says(&["this is no request of the self-test"]);
    let request = r#"{"measure":{"process":3,"seed":5,"cpu":null,"samples":4,"anchors":true,"plan":[{"algorithm":"sha256",
        "implementations":["toy/old","toy/new"],"operation":"hash","messages":1,"lengths":[{"bytes":64,"visits":1}]}]},
        "delays":[{"algorithm":"sha256","length":64,"cycles":9}]}"#;
    let answer = sandbox.run(&["worker", "prove", request]).with_code(0);
    let kinds: Vec<Value> = answer.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |kind: &str| kinds.iter().filter(|record| record["kind"] == kind).collect::<Vec<_>>();
    assert_eq!(of("process")[0]["process"], 3);
    assert!(of("visit").len() >= 5 && of("visit").iter().all(|visit| visit["digest_ok"] == true), "{}", answer.stdout);
    assert_eq!(of("process-end").len(), 1);
}

#[test]
fn a_capability_variable_of_the_user_is_told() {
    let sandbox = Sandbox::new();
    let text = sandbox.run_with("OPENSSL_ia32cap", "~0x1", &["doctor"]).with_code(0).stdout;
    assert!(
        text.contains("OPENSSL_ia32cap=\"~0x1\" hides instructions") && text.contains("unset OPENSSL_ia32cap"),
        "{text}"
    );
    let bench = ["bench", "--rounds", "1", "--length", "8", "--algorithm", "toy9"];
    sandbox.run_with("OPENSSL_ia32cap", "", &bench).with_code(0).says(&["warning: OPENSSL_ia32cap=\"\" hides"]);
}

#[test]
fn a_wait_for_another_cargo_is_told() {
    let sandbox = Sandbox::new();
    sandbox.run(&["list"]).with_code(0);
    // Cargo's own lock of the folder it builds in.
    let lock = fs::File::options().write(true).open(sandbox.root().join("target/release/.cargo-lock")).unwrap();
    lock.lock().unwrap();
    let mut child = sandbox.command(&["list"]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stderr.take().unwrap()), &mut line).unwrap();
    assert_eq!(line, "waiting for another cargo that is building here\n");
    lock.unlock().unwrap();
    assert!(child.wait().unwrap().success());
}
