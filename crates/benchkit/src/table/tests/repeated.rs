//! Cells that were measured again in the same run.

use super::*;
use crate::record::{Repeat, RepeatCell};

/// In processes 0 and 1 `peer/evp` was noisy; in 2 and 3 it is measured again, beside ours. Then everything takes
/// `factor` times as long.
fn run(factor: f64) -> Simulation {
    let mut run = usual("a", "r", 1, &[2048, 4096]);
    for visit in run.visits("peer/evp", 4096).filter(|visit| visit.process == 1) {
        visit.ticks.iter_mut().for_each(|ticks| *ticks = *ticks * 11 / 10);
    }
    run.records.retain(|record| !matches!(record, Record::End(_)));
    let cell = |length| RepeatCell {
        algorithm: "sha256".to_owned(),
        implementation: Some("peer/evp".to_owned()),
        operation: Operation::Hash,
        profile: Profile::Native,
        messages: 1,
        length,
    };
    run.records.push(Record::Repeat(Repeat {
        process: 2,
        rounds: 2,
        cells: vec![cell(2048), cell(4096)],
        left_out: 3,
    }));
    for _ in 0..2 {
        run.process(20.0);
        for length in [2048, 4096] {
            let all = cycles(length, 20.0);
            let all: Vec<_> = all.into_iter().map(|(name, one)| (name, (one - 20.0) * factor + 20.0)).collect();
            run.block("sha256", length, &[all[0], all[2]]);
        }
    }
    run.end();
    run
}

#[test]
fn the_later_figures_stand() {
    let tables = build(&[&run(1.0)]);
    let table = only(&tables);
    let peer = row(table, "peer/evp");
    let cell = peer.cell(4096).unwrap();
    assert_eq!((cell.processes, cell.visits, cell.marks.len()), (2, 2, 0), "{:?}", cell.marks);
    close(cell.net.unwrap().middle(), MODELS[2].1 + MODELS[2].2 * 4096.0, 0.001);
    assert_eq!(peer.long.as_ref().unwrap().visits, 2);
    // Who stood beside it keeps all of its visits.
    assert_eq!(row(table, "ours/fast").cell(4096).unwrap().visits, 6);
    assert_eq!(row(table, "ours/portable").cell(4096).unwrap().visits, 4);
    let said = "run r: 2 noisy or undecided cells were measured again in 2 processes instead of 2, and their figures are \
                the later ones; none is noisy or undecided still; for 3 others there was no time";
    assert_eq!(table.warnings, [said]);
}

#[test]
fn without_the_later_visits_the_first_ones_stand() {
    let mut run = run(1.0);
    run.records.retain(|record| !matches!(record, Record::Visit(visit) if visit.process >= 2));
    let tables = build(&[&run]);
    let cell = row(only(&tables), "peer/evp").cell(4096).unwrap();
    assert!(cell.visits == 4 && cell.marks.contains(&Mark::Processes), "{cell:?}");
    assert!(
        only(&tables).warnings[0].contains("1 are so still: sha256 peer/evp hash 4096"),
        "{:?}",
        only(&tables).warnings
    );
}

/// Ratios are taken where both were measured again; those that were not still compare.
#[test]
fn ratios_are_those_of_the_later_blocks() {
    for factor in [1.0, 1.3] {
        let tables = build(&[&run(factor)]);
        let table = only(&tables);
        let compare = |ours, peer| table.compare("sha256", HASH, 4096, ours, peer).unwrap();
        assert_eq!(compare("ours/fast", "peer/evp").pairs, 2);
        assert_eq!(compare("ours/portable", "peer/evp").pairs, 4);
        assert_eq!(compare("ours/fast", "ours/portable").pairs, 4);
        let ratio = (MODELS[0].1 + MODELS[0].2 * 4096.0) / (MODELS[2].1 + MODELS[2].2 * 4096.0);
        close(compare("ours/fast", "peer/evp").ratio, ratio, 0.001);
    }
}
