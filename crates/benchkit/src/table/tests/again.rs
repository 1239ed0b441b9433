//! What is measured again, and what is called within noise.

use super::*;

/// Six blocks in two processes; `change` before the tables are built.
fn list(change: impl Fn(&mut Simulation)) -> Vec<(Option<String>, usize)> {
    let mut run = Simulation::new("a", "r", 1);
    run.algorithm("sha256", None, &[("ours/fast", true), ("ours/portable", true), ("peer/evp", false)]);
    for _ in 0..2 {
        run.process(20.0);
        for _ in 0..3 {
            for length in [64, 4096] {
                run.block("sha256", length, &cycles(length, 20.0));
            }
        }
    }
    change(&mut run);
    let tables = build(&[&run]);
    let list = again(&tables);
    for one in &list {
        assert_eq!((&*one.algorithm, one.work), ("sha256", HASH));
        assert!(only(&tables).rows.iter().any(|row| one.means(row) && row.cell(one.length).is_some()));
    }
    list.into_iter().map(|one| (one.implementation, one.length)).collect()
}

fn scale(run: &mut Simulation, name: &str, process: u32, factor: f64) {
    for visit in run.visits(name, 4096).filter(|visit| visit.process >= process) {
        visit.ticks.iter_mut().for_each(|ticks| *ticks = (*ticks as f64 * factor) as u64);
    }
}

#[test]
fn quiet_cells_are_not_measured_again() {
    assert_eq!(list(|_| ()), []);
}

#[test]
fn a_noisy_block_is_measured_again_as_a_whole() {
    let noisy = |run: &mut Simulation, factor: f64| {
        for visit in run.visits("anchor/sha256", 4096).filter(|visit| visit.anchor == Some(1)) {
            visit.ticks.iter_mut().for_each(|ticks| *ticks = (*ticks as f64 * factor) as u64);
        }
    };
    assert_eq!(list(|run| noisy(run, 1.012)), [(None, 4096)]);
    assert_eq!(list(|run| noisy(run, 1.008)), []);
    // The whole block holds the marked one.
    assert_eq!(
        list(|run| {
            noisy(run, 1.012);
            scale(run, "ours/portable", 1, 1.04);
        }),
        [(None, 4096)]
    );
}

#[test]
fn a_marked_cell_is_measured_again() {
    assert_eq!(list(|run| scale(run, "ours/portable", 1, 1.04)), [(Some("ours/portable".to_owned()), 4096)]);
    assert_eq!(list(|run| scale(run, "ours/portable", 1, 1.02)), []);
    let changed = |run: &mut Simulation| {
        let cals: Vec<(u32, u32)> = run.visits("peer/evp", 64).map(|visit| (visit.process, visit.cal[1])).collect();
        for record in &mut run.records {
            if let Record::Cal(cal) = record
                && cals.contains(&(cal.process, cal.cal))
            {
                cal.ticks.iter_mut().for_each(|ticks| *ticks = *ticks * 102 / 100);
            }
        }
    };
    assert_eq!(list(changed), [(Some("peer/evp".to_owned()), 64)]);
}

/// Ours and the peer are equal in the middle, but one block says 3 % more and another 3 % less.
#[test]
fn an_interval_that_decides_nothing_is_measured_again() {
    let equal = |spread: f64| {
        move |run: &mut Simulation| {
            for (number, visit) in run.visits("peer/evp", 4096).enumerate() {
                let wanted = (44.0 + 2.0 * 4096.0 + 20.0) * (1.0 + spread * (number as f64 / 2.5 - 1.0));
                visit.ticks.fill((wanted * 64.0) as u64);
            }
        }
    };
    let both = ["ours/fast", "peer/evp"].map(|name| (Some(name.to_owned()), 4096));
    assert_eq!(list(equal(0.014)), both);
    // All agree within 1 %: they are equal, and more rounds would not tell more.
    assert_eq!(list(equal(0.005)), []);
}

fn comparison(interval: Option<[f64; 2]>, noise: Option<f64>) -> Comparison {
    Comparison {
        algorithm: "sha256".to_owned(),
        work: HASH,
        length: 64,
        ours: "ours/fast".to_owned(),
        peer: "peer/evp".to_owned(),
        ratio: 1.01,
        interval,
        pairs: 12,
        noise,
    }
}

#[test]
fn within_noise_needs_a_quiet_block() {
    let quiet = comparison(Some([0.99, 1.03]), Some(0.01));
    assert_eq!((quiet.within_noise(1.0), quiet.within_noise(0.99)), (Some(true), Some(true)));
    assert_eq!(quiet.within_noise(0.98), Some(false));
    // Noise is no excuse: such a cell is measured again, not passed.
    assert_eq!(comparison(Some([0.99, 1.03]), Some(0.0101)).within_noise(1.0), None);
    assert_eq!(comparison(Some([1.02, 1.03]), Some(0.0101)).within_noise(1.0), None);
    assert_eq!(comparison(Some([0.99, 1.03]), None).within_noise(1.0), None);
    assert_eq!(comparison(None, Some(0.0)).within_noise(1.0), None);
}
