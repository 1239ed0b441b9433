//! Runs that were cut short and went on.

use super::*;
use crate::record::{Resume, Start};

/// The visits of a block that was cut short do not count, and the table says that the run was resumed.
#[test]
fn a_block_that_was_cut_does_not_count() {
    let mut run = usual("a", "r", 1, &[64]);
    let whole = build(&[&run]);
    run.records.insert(1, Record::Start(Start { process: 0, round: 1, part: 0 }));
    for visit in run.visits("ours/fast", 64).filter(|visit| (visit.process, visit.block) == (1, 1)) {
        visit.ticks.iter_mut().for_each(|ticks| *ticks *= 9);
    }
    let cell = |tables: &Tables| row(only(tables), "ours/fast").cell(64).unwrap().clone();
    assert_eq!(cell(&build(&[&run])).visits, cell(&whole).visits);
    assert!(only(&build(&[&run])).warnings.is_empty());

    let resumed = "2026-01-01T00:01:00Z".to_owned();
    run.records.push(Record::Resume(Resume { resumed, cut: vec![[1, 1]], cut_bytes: 7 }));
    let tables = build(&[&run]);
    assert_eq!(cell(&tables).visits, cell(&whole).visits - 1);
    assert!(cell(&tables).raw.mean < 1.1 * cell(&whole).raw.mean);
    assert_eq!(only(&tables).warnings, ["run r was cut short and resumed at 2026-01-01T00:01:00Z"]);
}
