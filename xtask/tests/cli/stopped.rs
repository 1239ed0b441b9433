//! Runs that are stopped, killed, or started beside another.

#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use benchkit::record::{self, Record};

use crate::sandbox::{Sandbox, outcome, visits};

/// A run whose visits take so long that it can be caught in the middle.
fn slow(sandbox: &Sandbox) -> Child {
    let mut command = sandbox.command(&["bench", "--rounds", "3", "--name", "slow"]);
    command.env("TOY_SLOW", "20").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let text = sandbox.files().first().map(|file| fs::read_to_string(file).unwrap()).unwrap_or_default();
        if text.matches("\"kind\":\"visit\"").count() >= 10 {
            return child;
        }
        if let Some(status) = child.try_wait().unwrap() {
            panic!("it ended with {status} before it was stopped");
        }
        assert!(Instant::now() < deadline, "nothing was measured");
        sleep(Duration::from_millis(20));
    }
}

fn signal(name: &str, child: &Child) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn an_interrupted_run_ends_well() {
    for (name, code) in [("-INT", 130), ("-TERM", 130)] {
        let sandbox = Sandbox::new();
        let child = slow(&sandbox);
        signal(name, &child);
        let output = child.wait_with_output().unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("interrupted"), "{stderr}");
        assert!(stdout.contains("toy") && stdout.contains("slow.jsonl"), "{stdout}");
        // Every line is whole: `records` asserts that.
        let records = sandbox.records();
        assert_eq!(outcome(&records), "interrupted");
        assert!(visits(&records).len() >= 10);
        // The machine is free again.
        sandbox.run(&["bench", "--rounds", "1", "--length", "8", "--algorithm", "toy9"]).with_code(0);
    }
}

#[test]
fn a_killed_run_leaves_what_was_measured() {
    let sandbox = Sandbox::new();
    let mut child = slow(&sandbox);
    child.kill().unwrap();
    child.wait().unwrap();
    let outcome = record::read(sandbox.file());
    assert!(visits(&outcome.records).len() >= 10);
    assert!(outcome.problems.len() <= 1, "{:?}", outcome.problems);
    assert!(!outcome.records.iter().any(|record| matches!(record, Record::End(_))));
    let report = sandbox.run(&["report", "--run", "slow"]);
    assert!([0, 5].contains(&report.code), "{}", report.stderr);
    assert!(report.stdout.contains("toy"), "{}", report.stdout);
    sandbox.run(&["bench", "--rounds", "1", "--length", "8", "--algorithm", "toy9"]).with_code(0);
}

#[test]
fn the_second_run_is_told_about_the_first() {
    let sandbox = Sandbox::new();
    let mut first = slow(&sandbox);
    let files: Vec<PathBuf> = sandbox.files();
    let second = sandbox.run(&["bench", "--quick"]).with_code(1);
    second.says(&["another run is measuring on this machine: `slow`", &format!("process {}", first.id()), "since 20"]);
    assert_eq!(files, sandbox.files(), "the second one left a file");
    // What does not measure is free to run.
    sandbox.run(&["list"]).with_code(0);
    sandbox.run(&["bench", "--dry-run"]).with_code(0);
    first.kill().unwrap();
    first.wait().unwrap();
}
