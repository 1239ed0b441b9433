//! `bench` when a worker, the disk or the reader misbehaves.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use benchkit::record::Record;

use crate::sandbox::{Sandbox, outcome, visits};

const SHORT: [&str; 7] = ["bench", "--rounds", "2", "--length", "8", "--samples", "2"];

#[test]
fn a_wrong_digest_keeps_its_row_and_is_not_timed() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_WRONG", "alpha/fast", &SHORT).with_code(2);
    answer.says(&["KAT FAIL: toy8 alpha/fast: Len = 8 in toy.rsp: 01 is not 02"]);
    assert!(answer.stdout.contains("KAT FAIL"), "{}", answer.stdout);
    let records = sandbox.records();
    assert!(visits(&records).iter().all(|visit| visit.implementation != "alpha/fast"));
    assert!(visits(&records).iter().any(|visit| visit.implementation == "alpha/portable"));
    assert_eq!(outcome(&records), "complete");
}

#[test]
fn a_wrong_digest_while_it_is_timed_fails_the_run() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_WRONG_DIGEST", "beta/portable", &SHORT).with_code(2);
    answer.says(&["DIGEST FAIL: toy16 beta/portable"]);
    assert!(answer.stdout.contains("DIGEST FAIL"), "{}", answer.stdout);
}

#[test]
fn a_worker_that_crashes_costs_only_its_own_rows() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_CRASH_MEASURE", "alpha", &SHORT).with_code(5);
    answer.says(&["the worker of alpha was ended by signal 6 (aborted): the toy is broken", "(4 times)"]);
    let records = sandbox.records();
    assert!(visits(&records).iter().any(|visit| visit.algorithm == "toy16"));
    let row = records.iter().find_map(|record| match record {
        Record::Absent(row) if row.implementation == "alpha/portable" && row.algorithm == "toy9" => Some(row),
        _ => None,
    });
    assert!(row.unwrap().reason.contains("its worker was ended by signal 6"), "{row:?}");
    assert!(answer.stdout.contains("its worker was ended by signal 6"), "{}", answer.stdout);
    assert!(outcome(&records).starts_with("something went wrong; the worker of alpha was ended by signal 6"));
}

#[test]
fn what_is_no_record_is_reported_and_harmless() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_GARBAGE", "beta", &SHORT).with_code(5);
    answer.says(&["the worker of beta wrote something that is no record: \\u{1b}[31mnot a record"]);
    assert!(!answer.stderr.contains('\u{1b}') && !answer.stdout.contains('\u{1b}'));
    // What was sound is all there.
    assert!(visits(&sandbox.records()).iter().any(|visit| visit.algorithm == "toy16"));
}

#[test]
fn visits_without_a_calibration_do_not_count_and_the_status_says_so() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_UNCALIBRATED", "beta", &SHORT).with_code(5);
    for text in ["visits do not count: a calibration of theirs is missing", "alpha/fast"] {
        assert!(answer.stdout.contains(text), "`{text}` is not in\n{}", answer.stdout);
    }
    assert_eq!(outcome(&sandbox.records()), "complete");
    sandbox.run(&["report"]).with_code(5);
}

#[test]
fn a_worker_that_ends_within_a_line_is_noticed() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run_with("TOY_CUT", "beta", &SHORT).with_code(5);
    answer.says(&["the worker of beta wrote something that is no record", "the worker of beta stopped before its end"]);
    sandbox.records();
}

#[test]
fn records_that_cannot_be_written_stop_the_run_before_it_builds() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.root().join("results"), "a file").unwrap();
    let answer = sandbox.run(&SHORT).with_code(1);
    answer.says(&["cannot make the folder", "make it writable, or move away what is there"]);
    assert!(!sandbox.root().join("target").exists(), "it was built first");
}

#[test]
fn names_of_runs_are_checked_before_anything_else() {
    let sandbox = Sandbox::new();
    let run = |name: &str| sandbox.run(&[&SHORT[..], &["--algorithm", "toy16", "--name", name]].concat());
    run("../escape").with_code(1).says(&["is no name for a run"]);
    run("").with_code(1).says(&["is no name for a run"]);
    assert!(!sandbox.root().join("target").exists());
    run("mine").with_code(0);
    run("mine").with_code(1).says(&["there is a run `mine` already", "another --name"]);
    assert_eq!(sandbox.files().len(), 1);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let sandbox = Sandbox::new();
    for arguments in [&["list"][..], &["verify"], &[&SHORT[..], &["--algorithm", "toy16"]].concat(), &["report"]] {
        let mut command = sandbox.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("error:"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn one_line_is_enough_for_head() {
    let sandbox = Sandbox::new();
    let mut child = sandbox.command(&["list"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("toy8"), "{line}");
    child.wait().unwrap();
}

#[test]
fn without_a_terminal_there_are_no_escapes_and_nothing_is_cut() {
    let sandbox = Sandbox::new();
    let run = |name: &str, variables: &[(&str, &str)]| {
        let mut command = sandbox.command(&[&SHORT[..], &["--name", name]].concat());
        command.envs(variables.iter().copied());
        let answer = sandbox.answer(&mut command).with_code(0);
        for text in [&answer.stdout, &answer.stderr] {
            assert!(!text.contains(['\u{1b}', '\r']), "{text}");
        }
        // Two runs differ in their names and in nothing that a table shows of the toys.
        let table: Vec<&str> = answer.stdout.lines().filter(|line| line.contains("toy")).collect();
        table.join("\n")
    };
    let plain = run("a", &[]);
    assert!(plain.contains("peer/forced"), "{plain}");
    assert_eq!(plain, run("b", &[("COLUMNS", "20")]));
    assert_eq!(plain, run("c", &[("TERM", "dumb")]));
    assert_eq!(plain, run("d", &[("NO_COLOR", "1")]));
    assert_eq!(plain, run("e", &[("LC_ALL", "de_DE.UTF-8")]));
}
