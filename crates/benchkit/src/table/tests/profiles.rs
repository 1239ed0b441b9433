//! The ways of timing: each keeps its own statistic.

use super::*;

fn work(profile: Profile) -> Work {
    Work { profile, ..HASH }
}

/// The first 16 calls of a visit: the untimed ones, then timed ones until there are 16.
#[test]
fn first_calls_are_the_untimed_ones_and_the_next() {
    let lengths = [64, 2048, 4096];
    let mut run = Simulation::new("a", "r", 1);
    (run.noise, run.untimed) = (0.0, 4);
    run.process(20.0);
    for length in lengths {
        run.block("sha256", length, &cycles(length, 20.0));
    }
    // Were a timed call beyond the twelfth among them, it would show.
    for visit in run.visits("ours/fast", 64) {
        visit.ticks[12..].fill(1);
    }
    let tables = build(&[&run]);
    let cell = row(only(&tables), "ours/fast").cell(64).unwrap();
    let (warm, first) = (44.0 + 128.0 + 20.0, cell.first.unwrap());
    close(first.min, warm, 1e-9);
    close(first.mean, (3.0 * warm + 15.0 * warm) / 16.0, 1e-9);
    assert!(cell.raw.min < 1.0);
    // Pairs of calls at the same place: the cold one, too, costs three times as much for the further 2048 bytes.
    let long = row(only(&tables), "ours/fast").long.as_ref().unwrap().first.unwrap();
    close(long.mean, 4096.0 * 18.0 / 16.0, 1e-9);
}

#[test]
fn first_calls_that_were_not_stored_are_not_made_up() {
    for (profile, untimed) in [(Profile::Native, 0), (Profile::Throughput, 4), (Profile::Cold, 4)] {
        let mut run = Simulation::new("a", "r", 1);
        (run.profile, run.untimed) = (profile, untimed);
        run.process(20.0).block("sha256", 64, &cycles(64, 20.0));
        let tables = build(&[&run]);
        assert_eq!(row(only(&tables), "ours/fast").cell(64).unwrap().first, None, "{profile}");
    }
    // More untimed ones than 16 count no further than that.
    let mut run = Simulation::new("a", "r", 1);
    (run.noise, run.untimed) = (0.0, 40);
    run.process(20.0).block("sha256", 64, &cycles(64, 20.0));
    for visit in run.visits("ours/fast", 64) {
        visit.untimed[16..].fill(1);
        visit.ticks.fill(1);
    }
    let tables = build(&[&run]);
    close(row(only(&tables), "ours/fast").cell(64).unwrap().first.unwrap().min, 192.0, 1e-9);
}

/// Two visits, of which the second is a tenth slower: the figure of each, and the median of both.
#[test]
fn pages_have_their_own_figures() {
    for (profile, wanted) in [(Profile::Openssl, 1.05), (Profile::Niccs, 1.05), (Profile::Minmean, 1.05 * 0.5)] {
        let mut run = Simulation::new("a", "r", 1);
        (run.noise, run.profile) = (0.0, profile);
        for factor in [1.0, 1.1] {
            run.process(20.0).block("sha256", 1024, &[("ours/fast", 2000.0 * factor), ("peer/evp", 2000.0)]);
        }
        // One fast loop, as much slower another: the mean stays, the smallest does not.
        for visit in run.visits("ours/fast", 1024) {
            let half = visit.ticks[0] / 2;
            visit.ticks[0] -= half;
            visit.ticks[1] += half;
        }
        let tables = build(&[&run]);
        let table = only(&tables);
        let own = table.row("sha256", "ours/fast", work(profile)).unwrap().cell(1024).unwrap().own.unwrap();
        close(own.cycles, 2000.0 * wanted, 1e-4);
        close(own.seconds, own.cycles * 64.0 / TICKS_PER_SECOND, 1e-9);
        assert_eq!(table.comparisons, [], "{profile}: they do not stand side by side with anchors");
        assert_eq!(again(&tables), []);
    }
}

/// Seconds are those of the clock: a core at half the speed doubles them and not the cycles.
#[test]
fn own_seconds_do_not_follow_the_core() {
    let own = |k: f64| {
        let mut run = Simulation::new("a", "r", 1);
        (run.noise, run.profile, run.k) = (0.0, Profile::Openssl, k);
        run.process(20.0).block("sha256", 1024, &[("ours/fast", 2000.0)]);
        let tables = build(&[&run]);
        row(only(&tables), "ours/fast").cell(1024).unwrap().own.unwrap()
    };
    close(own(128.0).seconds / own(64.0).seconds, 2.0, 1e-9);
    close(own(128.0).cycles / own(64.0).cycles, 1.0, 1e-9);
}

#[test]
fn stolen_time_marks_what_half_of_the_processes_suffered() {
    for (steal, wanted) in [([0, 0, 0, 0], false), ([9, 0, 0, 0], false), ([1, 0, 1, 0], true), ([1, 1, 1, 1], true)] {
        let mut run = Simulation::new("a", "r", 1);
        for ticks in steal {
            run.process(20.0).block("sha256", 64, &cycles(64, 20.0)).process_end(ticks);
        }
        let tables = build(&[&run]);
        let table = only(&tables);
        assert!(table.rows.iter().all(|row| row.cells[0].marks.contains(&Mark::Steal) == wanted), "{steal:?}");
        assert_eq!(table.common_marks(), if wanted { &[Mark::Steal][..] } else { &[] });
        assert_eq!(table.warnings.iter().any(|warning| warning.contains("hypervisor")), steal != [0; 4]);
    }
}
