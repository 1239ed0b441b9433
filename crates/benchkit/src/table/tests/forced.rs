//! Implementations that need a process of their own, where ours and the anchors stand beside them.

use super::*;

/// In processes of their own `peer/avx2` and `peer/shani` are measured beside ours; there everything takes `factor` times
/// as long.
fn run(factor: f64) -> Simulation {
    let mut run = Simulation::new("a", "r", 1);
    run.noise = 0.0;
    run.algorithm(
        "sha256",
        None,
        &[
            ("ours/fast", true),
            ("ours/portable", true),
            ("peer/evp", false),
            ("peer/avx2", false),
            ("peer/shani", false),
        ],
    );
    for _ in 0..3 {
        run.process(20.0).block("sha256", 4096, &cycles(4096, 20.0));
        for (name, byte) in [("peer/avx2", 3.0), ("peer/shani", 1.9)] {
            let beside = [("ours/fast", 44.0 + 2.0 * 4096.0), ("ours/portable", 60.0 + 8.0 * 4096.0)];
            let all = [beside[0], beside[1], (name, 40.0 + byte * 4096.0)];
            let all = all.map(|(name, cycles)| (name, cycles * factor + 20.0));
            run.process(20.0).block("sha256", 4096, &all);
        }
    }
    run
}

/// The best peer is the one whose ratio is best in its own blocks, although in cycles it looks slower than the others.
#[test]
fn each_is_compared_with_what_stood_beside_it() {
    for factor in [1.0, 1.3] {
        let tables = build(&[&run(factor)]);
        let table = only(&tables);
        let [comparison] = &table.comparisons[..] else { panic!("{:?}", table.comparisons) };
        assert_eq!((&*comparison.ours, &*comparison.peer, comparison.pairs), ("ours/fast", "peer/shani", 3));
        close(comparison.ratio, (44.0 + 2.0 * 4096.0) / (40.0 + 1.9 * 4096.0), 1e-4);
        let other = table.compare("sha256", HASH, 4096, "ours/portable", "peer/avx2").unwrap();
        assert_eq!(other.pairs, 3);
        close(other.ratio, (60.0 + 8.0 * 4096.0) / (40.0 + 3.0 * 4096.0), 1e-4);
        // Two that were never in one process are not compared.
        assert_eq!(table.compare("sha256", HASH, 4096, "peer/evp", "peer/shani"), None);
        assert_eq!(table.compare("sha256", HASH, 4096, "peer/avx2", "peer/shani"), None);
    }
}

/// The A/A of a ratio is that of the blocks it was taken in.
#[test]
fn noise_is_that_of_the_same_blocks() {
    let mut run = run(1.0);
    for visit in run.visits("anchor/sha256", 4096).filter(|visit| visit.anchor == Some(2) && visit.process % 3 == 1) {
        visit.ticks.iter_mut().for_each(|ticks| *ticks = *ticks * 103 / 100);
    }
    let tables = build(&[&run]);
    let table = only(&tables);
    let noise = |peer| table.compare("sha256", HASH, 4096, "ours/fast", peer).unwrap().noise.unwrap();
    close(noise("peer/avx2"), 1.03_f64.ln(), 1e-3);
    assert_eq!((noise("peer/evp"), noise("peer/shani")), (0.0, 0.0));
    close(row(table, "peer/avx2").cell(4096).unwrap().noise.unwrap(), 1.03_f64.ln(), 1e-3);
    assert_eq!(row(table, "ours/fast").cell(4096).unwrap().noise, Some(0.0));
}

#[test]
fn without_ours_beside_it_a_peer_is_not_compared() {
    let mut run = run(1.0);
    run.records.retain(|record| {
        !matches!(record, Record::Visit(visit) if visit.implementation.starts_with("ours") && visit.process % 3 == 2)
    });
    let tables = build(&[&run]);
    assert_eq!(only(&tables).comparisons[0].peer, "peer/evp");
}
