//! `bench` when all goes well.

use std::fs;

use benchkit::record::Record;
use benchkit::suite::Operation;

use crate::sandbox::{Sandbox, clocks, outcome, visits};

const SHORT: [&str; 6] = ["bench", "--rounds", "2", "--length", "64,8", "--samples"];

fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SHORT[..], &["4"], more].concat()
}

#[test]
fn a_run_leaves_records_and_prints_a_table() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&short(&["--name", "first", "--seed", "7", "--cpu", "0"])).with_code(0);
    for text in ["toy8", "toy9", "toy16", "alpha/fast", "peer/gone", "records: ", "first.jsonl"] {
        assert!(answer.stdout.contains(text), "`{text}` is not in\n{}", answer.stdout);
    }
    let records = sandbox.records();
    let Record::Run(run) = &records[0] else { panic!("{:?}", records[0]) };
    assert_eq!((run.run.as_str(), run.seed, run.rounds, run.cpu), ("first", 7, 2, Some(0)));
    assert_eq!(run.arguments, short(&["--name", "first", "--seed", "7", "--cpu", "0"]));
    assert_eq!(run.build.workers.len(), 2);
    assert!(run.build.workers.values().chain([&run.build.lock]).all(|hash| hash.len() == 64), "{:?}", run.build);
    assert!(run.build.rustc.starts_with("rustc "), "{}", run.build.rustc);
    assert_eq!(run.build.profile, "bench");
    let count = |what: fn(&Record) -> bool| records.iter().filter(|record| what(record)).count();
    assert_eq!(count(|record| matches!(record, Record::Algorithm(_))), 3);
    assert_eq!(count(|record| matches!(record, Record::Absent(_))), 1);
    assert_eq!(count(|record| matches!(record, Record::Kat(_))), 6);
    // Two families, and one more process for the implementation that needs an environment, twice.
    assert_eq!(count(|record| matches!(record, Record::Process(_))), 6);
    // Every other toy would take another clock if it were not told.
    assert_eq!(clocks(&records), ["tsc"; 6]);
    let visits = visits(&records);
    let Record::End(end) = records.last().unwrap() else { panic!() };
    assert_eq!((end.outcome.as_str(), end.visits), ("complete", visits.len() as u64));
    assert!(visits.iter().all(|visit| visit.ticks.len() == 4 && [8, 64].contains(&visit.length)));
    let of = |algorithm: &str, implementation: &str, operation| {
        let wanted = |visit: &&&_| {
            let visit: &benchkit::record::Visit = visit;
            (visit.algorithm.as_str(), visit.implementation.as_str(), visit.operation)
                == (algorithm, implementation, operation)
        };
        visits.iter().filter(wanted).count()
    };
    // 8 visits of 2 lengths in 2 rounds, the same back to back, and one of the lengths cold; ours are measured beside the
    // forced one too.
    assert_eq!(of("toy16", "beta/portable", Operation::Hash), 32 + 32 + 16);
    assert_eq!(of("toy8", "peer/forced", Operation::Hash), 80);
    assert_eq!(of("toy8", "peer/default", Operation::Batch), 32);
    assert_eq!(of("toy8", "alpha/fast", Operation::Hash), 160);
}

#[test]
fn processes_are_shuffled_padded_and_have_their_environment() {
    let sandbox = Sandbox::new();
    let order = |name: &str, seed: &str| -> Vec<String> {
        let trace = sandbox.temporary().join(name);
        let arguments = ["bench", "--rounds", "4", "--length", "8", "--seed", seed, "--name", name];
        sandbox.answer(sandbox.command(&arguments).env("TOY_TRACE", &trace)).with_code(0);
        let trace = fs::read_to_string(trace).unwrap();
        let lines = trace.lines().filter(|line| line.contains(" measure "));
        lines.map(|line| line.split(" {").next().unwrap().to_owned()).collect()
    };
    let first = order("a", "1");
    assert_eq!(first.len(), 12);
    assert_eq!(first, order("b", "1"), "the seed decides everything");
    assert_ne!(first, order("c", "2"));
    assert!(first.iter().all(|line| line.contains("LC_ALL=C")));
    assert_eq!(first.iter().filter(|line| line.contains("TOY_FORCE=1")).count(), 4);
    let paddings: std::collections::BTreeSet<&str> =
        first.iter().map(|line| line.split(' ').find(|word| word.starts_with("padding=")).unwrap()).collect();
    assert!(paddings.len() > 6, "{paddings:?}");
}

#[test]
fn filters_choose_cells() {
    let sandbox = Sandbox::new();
    let cells = |more: &[&str]| -> Vec<String> {
        let name = more.concat().replace(['-', '*', ',', '/'], "");
        sandbox.run(&short(&[more, &["--name", &name]].concat())).with_code(0);
        let file = sandbox.files().into_iter().find(|file| file.file_stem().unwrap() == name.as_str()).unwrap();
        let records = benchkit::record::read(file).records;
        let mut cells: Vec<String> = visits(&records)
            .iter()
            .filter(|visit| visit.anchor.is_none())
            .map(|visit| format!("{} {} {} {}", visit.algorithm, visit.implementation, visit.operation, visit.length))
            .collect();
        cells.sort();
        cells.dedup();
        cells
    };
    assert_eq!(
        cells(&["--algorithm", "toy9", "--operation", "hash"]),
        ["toy9 alpha/portable hash 64", "toy9 alpha/portable hash 8"]
    );
    assert!(cells(&["--no-peers"]).iter().all(|cell| !cell.contains("peer/")));
    assert!(cells(&["--implementation", "peer/default"]).iter().all(|cell| cell.contains("peer/default")));
    let streams = cells(&["--operation", "stream,ragged", "--algorithm", "toy16"]);
    assert_eq!(streams.len(), 4, "{streams:?}");
}

#[test]
fn a_filter_that_fits_nothing_measures_nothing() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["bench", "--algorithm", "sha*"]).with_code(1);
    answer.says(&["no algorithm is called `sha*`", "toy8"]);
    let answer = sandbox.run(&["bench", "--implementation", "alpha/fsat"]).with_code(1);
    answer.says(&["no implementation is called `alpha/fsat`", "near ones: alpha/fast"]);
    let answer = sandbox.run(&["bench", "--operation", "xof"]).with_code(1);
    answer.says(&["`xof`"]);
    assert!(sandbox.files().is_empty());
}

#[test]
fn a_dry_run_shows_the_plan_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let answer = sandbox.run(&["bench", "--dry-run", "--algorithm", "toy8"]).with_code(0);
    for text in [
        "toy8 hash, native: 1 2 4 8",
        "65536",
        "toy8 hash, cold: 64 1536 4096",
        "toy8 batch x 16, native: 64 576 1536 4096",
        "[TOY_FORCE=1]",
        "peer/gone",
        "6 rounds",
    ] {
        assert!(answer.stdout.contains(text), "`{text}` is not in\n{}", answer.stdout);
    }
    let wrong = ["bench", "--dry-run", "--algorithm", "toy8", "--name", "../up"];
    sandbox.run(&wrong).with_code(1).says(&["../up"]);
    assert!(!sandbox.root().join("results").exists());
}

#[test]
fn threads_are_measured_where_they_are_asked_for() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "--rounds", "1", "--length", "64", "--algorithm", "toy9", "--threads", "1"];
    let answer = sandbox.run(&arguments).with_code(0);
    let records = sandbox.records();
    assert!(visits(&records).iter().all(|visit| visit.operation == Operation::Threads && visit.messages == 1));
    assert!(answer.stdout.contains("MB/s") && answer.stdout.contains("N threads, each on a CPU of its own"));
    for (wrong, text) in [
        (&["bench", "--threads", "100000"][..], "100000 threads need as many CPUs"),
        (&["bench", "--threads", "0"], "1 or more"),
        (&["bench", "--threads", "1", "--operation", "hash"], "--threads is for `--operation threads`"),
    ] {
        sandbox.run(wrong).with_code(1).says(&[text]);
    }
    let plan = sandbox.run(&["bench", "--dry-run", "--operation", "threads", "--algorithm", "toy9"]).with_code(0);
    assert!(plan.stdout.contains("toy9 threads, native: 1536 65536 1048576 16777216"), "{}", plan.stdout);
}

#[test]
fn one_sample_and_the_empty_message() {
    let sandbox = Sandbox::new();
    let arguments = ["bench", "--rounds", "1", "--samples", "1", "--length", "0,1", "--operation", "hash"];
    let answer = sandbox.run(&arguments).with_code(0);
    assert!(!answer.stdout.contains("NaN") && !answer.stdout.contains("inf"), "{}", answer.stdout);
    assert!(visits(&sandbox.records()).iter().all(|visit| visit.ticks.len() == 1));
}

#[test]
fn quick_takes_one_round_of_all_lengths() {
    let sandbox = Sandbox::new();
    sandbox.run(&["bench", "--quick", "--algorithm", "toy16"]).with_code(0);
    let records = sandbox.records();
    let lengths: std::collections::BTreeSet<usize> =
        visits(&records).iter().filter(|visit| visit.operation == Operation::Hash).map(|visit| visit.length).collect();
    assert_eq!(lengths.len(), 19);
    assert_eq!(outcome(&records), "complete");
    assert_eq!(records.iter().filter(|record| matches!(record, Record::Process(_))).count(), 1);
}

#[test]
fn flags_of_the_compiler_are_in_the_record() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["bench", "--rounds", "1", "--length", "8", "--algorithm", "toy9"]);
    command.env("RUSTFLAGS", "-C target-cpu=native").env("CARGO_PROFILE_BENCH_OPT_LEVEL", "1");
    sandbox.answer(&mut command).with_code(0);
    let records = sandbox.records();
    let Record::Run(run) = &records[0] else { panic!() };
    assert_eq!(run.build.rustflags, "-C target-cpu=native");
    assert_eq!(run.build.profile, "bench (CARGO_PROFILE_BENCH_OPT_LEVEL=1)");
}
