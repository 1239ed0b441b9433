//! Tables follow from the file alone: whatever happened to it, what is left gives the tables of what is left.

use std::fs;
use std::path::Path;

use super::*;
use crate::record::{Appender, read};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The run written line by line to a file.
fn write(path: &Path, records: &[Record]) {
    let mut appender = Appender::open(path).unwrap();
    for record in records {
        appender.append(record).unwrap();
    }
    appender.sync().unwrap();
}

/// A run with everything in it: profiles, an absence, a failure, first calls.
fn everything() -> Simulation {
    let mut run = usual("a", "r", 1, &LENGTHS);
    run.absent("sha256", "gcrypt/default", "libgcrypt is not there", "install libgcrypt20");
    run.kat("sha256", "peer/bad", Some("Len = 8: digest differs"));
    run.untimed = 4;
    run.process(25.0).block("sha256", 576, &cycles(576, 25.0));
    for profile in Profile::ALL {
        run.profile = profile;
        run.block("sha256", 1024, &cycles(1024, 25.0));
    }
    run.process_end(3);
    run
}

#[test]
fn from_the_file() {
    let (folder, run) = (folder(), everything());
    let path = folder.path().join("run.jsonl");
    write(&path, &run.records);
    let outcome = read(&path);
    assert_eq!(outcome.problems, []);
    let (tables, wanted) = (Tables::build(&[outcome]), build(&[&run]));
    assert_eq!(tables, wanted);
    // An empty table would equal another.
    assert!(only(&tables).rows.len() > 10 && only(&tables).rows.iter().any(|row| row.cells.len() == LENGTHS.len() + 2));
}

#[test]
fn from_a_shuffled_file() {
    let (folder, mut run) = (folder(), everything());
    let wanted = build(&[&run]);
    for seed in 0..5 {
        Random::new(seed).shuffle(&mut run.records);
        let path = folder.path().join(format!("{seed}.jsonl"));
        write(&path, &run.records);
        assert_eq!(Tables::build(&[read(&path)]), wanted);
    }
}

/// Killed in the middle of a line: as if that line had never been begun. Going on behind it loses nothing more.
#[test]
fn from_a_file_whose_last_line_is_cut() {
    let (folder, run) = (folder(), everything());
    let visit = run.records.iter().rposition(|record| matches!(record, Record::Visit(_))).unwrap();
    let mut before = Simulation::new("a", "r", 1);
    before.records = run.records[..visit].to_vec();
    let wanted = build(&[&before]);
    assert_ne!(wanted, build(&[&run]));
    for cut in [1, 2, 40] {
        let path = folder.path().join(format!("{cut}.jsonl"));
        write(&path, &run.records[..=visit]);
        let bytes = fs::read(&path).unwrap();
        // More than the newline is gone, or the line would be whole.
        fs::write(&path, &bytes[..bytes.len() - 1 - cut]).unwrap();
        let outcome = read(&path);
        assert_eq!((outcome.records.len(), outcome.problems.len()), (visit, 1));
        assert_eq!(Tables::build(&[outcome]), wanted);

        write(&path, &run.records[visit..]);
        let outcome = read(&path);
        assert_eq!(outcome.problems.len(), 1, "the fragment is still named");
        assert_eq!(Tables::build(&[outcome]), build(&[&run]));
    }
}
