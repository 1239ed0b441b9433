//! Runs that were cut short and go on.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use benchkit::record::{self, Record};

use crate::sandbox::{Sandbox, clocks, outcome, visits};

const ARGUMENTS: [&str; 10] =
    ["bench", "--rounds", "2", "--length", "8,64", "--samples", "2", "--profile", "native", "--seed"];

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ARGUMENTS[..], &["5"], more].concat()
}

/// How often each cell was visited, blocks that were cut short left out.
fn counts(records: &[Record]) -> BTreeMap<String, usize> {
    let cut: BTreeSet<[u32; 2]> = records
        .iter()
        .filter_map(|record| if let Record::Resume(resume) = record { Some(resume.cut.clone()) } else { None })
        .flatten()
        .collect();
    let mut counts = BTreeMap::new();
    for visit in visits(records).iter().filter(|visit| !cut.contains(&[visit.process, visit.block])) {
        let anchor = visit.anchor.map_or(String::new(), |anchor| anchor.to_string());
        let (length, messages) = (visit.length, visit.messages);
        let key =
            format!("{} {}{anchor} {} {messages} {length}", visit.algorithm, visit.implementation, visit.operation);
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// Every record of a visit stands there once, every process was started once, and every line is whole.
#[track_caller]
fn nothing_twice(records: &[Record]) {
    let mut seen = BTreeSet::new();
    for visit in visits(records) {
        let place = (visit.process, visit.block, visit.position, visit.attempt);
        assert!(seen.insert(place), "{place:?} is there twice");
    }
    let mut started = BTreeSet::new();
    for record in records {
        match record {
            Record::Start(start) => assert!(started.insert(start.process), "process {} starts twice", start.process),
            Record::Process(process) => assert!(started.contains(&process.process)),
            _ => {}
        }
    }
    let mut numbers: Vec<u32> = started.into_iter().collect();
    numbers.dedup();
    assert_eq!(numbers, (0..numbers.len() as u32).collect::<Vec<_>>());
}

/// The rows of the table.
fn rows(page: &str) -> Vec<&str> {
    page.lines().filter(|line| line.contains("toy")).collect()
}

/// The places of a file at which a kill leaves something different behind.
fn places(text: &str) -> Vec<usize> {
    let line = |start: &str, number: usize| text.match_indices(start).nth(number).map(|(place, _)| place);
    let mut places = Vec::new();
    for (start, number) in [
        (r#"{"kind":"algorithm""#, 1),
        (r#"{"kind":"kat""#, 0),
        (r#"{"kind":"kat""#, 3),
        (r#"{"kind":"start""#, 0),
        (r#"{"kind":"process""#, 0),
        (r#"{"kind":"visit""#, 0),
        (r#"{"kind":"visit""#, 5),
        (r#"{"kind":"visit""#, 100),
        (r#"{"kind":"process-end""#, 0),
        (r#"{"kind":"start""#, 3),
        (r#"{"kind":"end""#, 0),
    ] {
        let place = line(start, number).unwrap_or_else(|| panic!("there is no {start} number {number}"));
        // Before the line, within it, and before the byte that ends it.
        places.extend([place, place + 25]);
        places.extend(text[place..].find('\n').map(|end| place + end));
    }
    // A run whose last line lacks only its end is complete.
    places.retain(|&place| place + 1 < text.len());
    places
}

#[test]
fn a_run_goes_on_from_wherever_it_was_cut() {
    let sandbox = Sandbox::new();
    let whole = sandbox.run(&arguments(&["--name", "r"])).with_code(0);
    let file = sandbox.file();
    let text = fs::read_to_string(&file).unwrap();
    let uninterrupted = sandbox.records();
    nothing_twice(&uninterrupted);
    sandbox.run(&["bench", "--resume", "--name", "r"]).with_code(1).says(&["run `r` is complete"]);
    for place in places(&text) {
        fs::write(&file, &text[..place]).unwrap();
        let answer = sandbox.run(&["bench", "--resume"]).with_code(0);
        let records = sandbox.records();
        nothing_twice(&records);
        assert_eq!(counts(&records), counts(&uninterrupted), "cut at byte {place}");
        assert_eq!(outcome(&records), "complete");
        assert!(clocks(&records).windows(2).all(|two| two[0] == two[1]), "cut at byte {place}");
        assert_eq!(rows(&answer.stdout), rows(&whole.stdout), "cut at byte {place}");
        assert!(answer.stdout.contains("run r was cut short and resumed at "), "{}", answer.stdout);
        assert_eq!(records.iter().filter(|record| matches!(record, Record::Resume(_))).count(), 1);
        // What had been there is there still.
        let kept = &text[..text[..place].rfind('\n').unwrap() + 1];
        assert!(fs::read_to_string(&file).unwrap().starts_with(kept), "cut at byte {place}");
        sandbox.run(&["report", "--run", "r"]).with_code(0);
    }
    // Again and again.
    fs::write(&file, &text[..text.len() / 3]).unwrap();
    for _ in 0..3 {
        sandbox.run(&["bench", "--resume"]).with_code(0);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, &text[..text.len() * 9 / 10]).unwrap();
    }
    sandbox.run(&["bench", "--resume"]).with_code(0);
    let records = sandbox.records();
    nothing_twice(&records);
    assert_eq!(counts(&records), counts(&uninterrupted));
}

/// Starts a run and kills it when its file holds so much of something.
fn killed(sandbox: &Sandbox, arguments: &[&str], what: &str, count: usize) {
    let mut command = sandbox.command(arguments);
    command.env("TOY_SLOW", "4").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let text = sandbox.files().first().map(|file| fs::read_to_string(file).unwrap()).unwrap_or_default();
        if text.matches(what).count() >= count {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        assert!(Instant::now() < deadline, "nothing was measured");
        sleep(Duration::from_millis(3));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.run(&arguments(&["--name", "r"])).with_code(0);
    let expected = counts(&sandbox.records());
    fs::remove_file(sandbox.file()).unwrap();
    killed(&sandbox, &arguments(&["--name", "r"]), r#"{"kind":"visit""#, 7);
    killed(&sandbox, &["bench", "--resume"], r#"{"kind":"visit""#, 150);
    killed(&sandbox, &["bench", "--resume", "--name", "r"], r#"{"kind":"process-end""#, 2);
    // The same options may be said again.
    sandbox.run(&arguments(&["--resume"])).with_code(0);
    let records = sandbox.records();
    nothing_twice(&records);
    assert_eq!(counts(&records), expected);
    assert_eq!(records.iter().filter(|record| matches!(record, Record::Resume(_))).count(), 3);
}

#[test]
fn an_interrupted_run_goes_on() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&arguments(&["--name", "r"]));
    let mut child = command.env("TOY_SLOW", "20").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !sandbox.files().first().is_some_and(|file| fs::read_to_string(file).unwrap().contains(r#""kind":"visit""#)) {
        assert!(child.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let stderr = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(stderr.contains("`cargo xtask bench --resume --name r` goes on with it"), "{stderr}");
    sandbox.run(&["bench", "--resume"]).with_code(0);
    let records = sandbox.records();
    nothing_twice(&records);
    assert_eq!(outcome(&records), "complete");
}

#[test]
fn what_cannot_be_resumed_is_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    let refused = |arguments: &[&str], texts: &[&str]| {
        let before: Vec<_> = sandbox.files().iter().map(|file| fs::read(file).unwrap()).collect();
        sandbox.run(arguments).with_code(1).says(texts);
        let after: Vec<_> = sandbox.files().iter().map(|file| fs::read(file).unwrap()).collect();
        assert_eq!(before, after, "{arguments:?} changed something");
    };
    refused(&["bench", "--resume"], &["there is nothing to resume"]);
    refused(&["bench", "--resume", "--dry-run"], &["--dry-run"]);
    sandbox.run(&arguments(&["--name", "r"])).with_code(0);
    refused(&["bench", "--resume"], &["there is nothing to resume"]);
    refused(&["bench", "--resume", "--name", "q"], &["no run and no file `q`"]);
    refused(&["bench", "--resume", "--name", "../r"], &["is no name for a run"]);

    let file = sandbox.file();
    let text = fs::read_to_string(&file).unwrap();
    let short = |text: &str| fs::write(&file, &text[..text.len() / 2]).unwrap();
    short(&text);
    refused(&["bench", "--name", "r"], &["there is a run `r` already", "go on with it: --resume"]);
    refused(&["bench", "--resume", "--quick"], &["other options: `bench --rounds 2 --length 8,64", "leave them out"]);
    refused(&["bench", "--resume", "--seed", "6"], &["other options"]);
    short(&text.replacen(r#""brand":""#, r#""brand":"Other "#, 1));
    refused(&["bench", "--resume"], &["the machine is not as it was: CPU"]);
    short(&text.replacen(r#""version":"toy 1""#, r#""version":"toy 0""#, 1));
    refused(&["bench", "--resume"], &["what implements toy8 is not what it was", "was toy 0, now toy 1"]);
    short(&text.replacen(r#"{"kind":"kat""#, r#"{"kind":"cat""#, 1));
    refused(&["bench", "--resume"], &["its records are damaged", "unknown kind `cat`"]);
    let old: String =
        text.lines().filter(|line| !line.contains(r#""kind":"start""#)).fold(String::new(), |a, b| a + b + "\n");
    short(&old);
    refused(&["bench", "--resume"], &["written by an older program"]);
    fs::write(&file, &text[..100]).unwrap();
    refused(&["bench", "--resume"], &["cut short before it began"]);

    short(&text);
    let elsewhere = file.parent().unwrap().with_file_name("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(&file, elsewhere.join("r.jsonl")).unwrap();
    refused(&["bench", "--resume", "--name", "r"], &["it was measured on another machine"]);
    refused(&["bench", "--resume"], &["there is nothing to resume"]);
    fs::rename(elsewhere.join("r.jsonl"), &file).unwrap();

    append(&sandbox.root().join("alpha/benches/matrix.rs"), "\npub fn more() -> u32 { std::process::id() }\n");
    append(&sandbox.root().join("alpha/benches/matrix.rs"), "\n#[used] static MORE: fn() -> u32 = more;\n");
    refused(&["bench", "--resume"], &["its workers were built from something else: alpha differ"]);
    let records = record::read(&file).records;
    assert!(!records.iter().any(|record| matches!(record, Record::Resume(_))));
}

fn append(path: &Path, text: &str) {
    use std::io::Write as _;
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}
