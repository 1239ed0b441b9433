//! Each way of timing where a reader looks for it, under the name of its statistic.

use super::*;
use crate::profile::Profile;

/// One algorithm in every profile, without noise: each page's figures differ from every other's.
fn profiles() -> Simulation {
    let mut run = Simulation::new("amd-25-1-1", "20260101-a", 1);
    (run.noise, run.untimed) = (0.0, 4);
    run.algorithm(
        "sha256",
        Some("sha256"),
        &[("ours/fast", true), ("ours/portable", true), ("peer/evp", false), ("peer/avx2", false)],
    );
    run.absent("sha256", "peer/avx2", "this CPU lacks AVX2", "another CPU");
    run.process(20.0);
    let plans: [(Profile, f64, &[usize]); 6] = [
        (Profile::Native, 1.0, &[1, 8, 64, 256, 576, 1536, 2048, 4096, 65536]),
        (Profile::Cold, 1.5, &[64, 1536, 4096]),
        (Profile::Throughput, 0.9, &[1, 8, 64, 256]),
        (Profile::Openssl, 0.95, &[16, 256, 1024, 8192, 16384]),
        (Profile::Niccs, 0.97, &[32, 512, 65536]),
        (Profile::Minmean, 0.93, &[1, 64, 2048]),
    ];
    for (profile, factor, lengths) in plans {
        run.profile = profile;
        for &length in lengths {
            run.block(
                "sha256",
                length,
                &cycles(length, 20.0).into_iter().map(|(name, c)| (name, c * factor)).collect::<Vec<_>>(),
            );
        }
    }
    run.end();
    run
}

#[test]
fn terminal_page_with_profiles() {
    golden("terminal-profiles", &page("terminal", &build(&profiles())));
}

#[test]
fn markdown_page_with_profiles() {
    golden("markdown-profiles", &page("markdown", &build(&profiles())));
}

#[test]
fn ebash_page_of_first_calls() {
    golden("ebash-profiles", &page("ebash", &build(&profiles())));
}

#[test]
fn backends_page_of_minmean() {
    golden("backends-profiles", &page("backends", &build(&profiles())));
}

/// The words of a row in the section whose legend begins so.
fn row<'a>(text: &'a str, section: &str, name: &str) -> Vec<&'a str> {
    let from = text.find(section).unwrap_or_else(|| panic!("no section {section}\n{text}"));
    let line = text[from..].lines().find(|line| line.contains(name)).unwrap();
    line.split_whitespace().skip(2).collect()
}

#[test]
fn no_figure_strays_into_another_section() {
    let text = page("terminal", &build(&profiles()));
    let main = row(&text, "cycles/byte, median", "ours/fast");
    // 8: (44 + 16 + 20) / 8 raw, 20 less net, nine tenths of raw back to back.
    assert_eq!(main[..3], ["7.50", "10.00", "9.00"]);
    assert_eq!(main.len(), 12, "8 and 64 in three ways, three longer ones, long, slope, fixed: {main:?}");
    let cold = row(&text, "Profile cold: stabilized quartiles of single calls, each after", "ours/fast");
    assert_eq!(cold.len(), 4, "64 net and raw, 1536, 4096: {cold:?}");
    assert_eq!(cold[1], "4.50", "1.5 (44 + 128 + 20) / 64");
    // 1024 bytes in 0.95 (44 + 2048 + 20) cycles of 64 ticks, 4e9 of them a second.
    let rate = 1024.0 / (0.95 * 2112.0 * 64.0 / 4e9) / 1000.0;
    assert_eq!(row(&text, "Profile openssl: mean of the calls", "ours/fast")[2], format!("{rate:.0}"));
    assert_eq!(row(&text, "Profile niccs: mean of five trials", "ours/fast")[0], "3.88", "0.97 (44 + 64 + 20) / 32");
    assert_eq!(row(&text, "Profile minmean: smallest of 10 means", "ours/fast")[1], "178.6", "0.93 (44 + 128 + 20)");
    assert!(text.contains("measured as well: 1, 256, 2048, 65536 bytes (pages backends, csv, json)"), "{text}");
}

/// In `openssl speed` more is better; everywhere else less is.
#[test]
fn the_best_is_the_fastest() {
    let text = render("terminal", &build(&profiles()), &Options { colour: true, width: None }).unwrap();
    let lines: Vec<&str> = text.split("Profile openssl").nth(1).unwrap().lines().collect();
    let fast = lines.iter().find(|line| line.contains("ours/fast")).unwrap();
    let portable = lines.iter().find(|line| line.contains("ours/portable")).unwrap();
    assert!(fast.contains("\x1b[1;32m") && !portable.contains("\x1b[1;32m"), "{text}");
}

/// Whatever was measured alone still has its section, and absent rows their place.
#[test]
fn one_profile_alone() {
    for profile in Profile::ALL {
        let mut run = Simulation::new("a", "r", 1);
        (run.noise, run.profile) = (0.0, profile);
        run.algorithm("sha256", None, &[("ours/fast", true)]).absent("sha256", "x/y", "not there", "install it");
        run.process(20.0).block("sha256", 64, &[("ours/fast", 100.0)]).end();
        let tables = build(&run);
        for name in ["terminal", "markdown"] {
            let text = page(name, &tables);
            let figure = match profile {
                Profile::Openssl => "40000",
                Profile::Minmean => "100.0",
                _ => "1.56",
            };
            assert!(text.contains(figure), "{profile} {name}\n{text}");
            assert!(text.contains("absent x/y"), "{profile} {name}\n{text}");
        }
    }
}

#[test]
fn a_failure_back_to_back_is_seen_there() {
    let mut run = profiles();
    for visit in run.visits("ours/fast", 8).filter(|visit| visit.profile == Profile::Throughput) {
        visit.digest_ok = false;
    }
    let text = page("terminal", &build(&run));
    let main = row(&text, "cycles/byte, median", "ours/fast");
    assert_eq!(main[..4], ["7.50", "10.00", "DIGEST", "FAIL"]);
    assert!(text.contains("DIGEST FAIL sha256 ours/fast hash, throughput: wrong digest of 8 bytes"), "{text}");
}

/// Without first calls the eBASH page says that its figures are others.
#[test]
fn the_head_says_which_calls() {
    let text = page("ebash", &build(&profiles()));
    assert!(text.contains("quartiles of the first 16 calls of each visit (SUPERCOP's statistic)"), "{text}");
    let mut run = profiles();
    run.records.iter_mut().for_each(|record| {
        if let Record::Visit(visit) = record {
            visit.untimed.clear();
        }
    });
    let text = page("ebash", &build(&run));
    assert!(text.contains("quartiles of warm calls (the first ones, which SUPERCOP times, were not stored)"), "{text}");
}

/// 12.5 % between the quartiles is where that page draws its line, not the 5 % and 48 cycles of the others.
#[test]
fn wide_on_the_ebash_page() {
    let marked = |factor: f64| {
        let mut run = Simulation::new("a", "r", 1);
        (run.noise, run.untimed) = (0.0, 8);
        run.process(0.0).block("sha256", 8, &[("ours/fast", 1000.0)]);
        run.visits("ours/fast", 8).for_each(|visit| visit.ticks.fill((64_000.0 * factor) as u64));
        page("ebash", &build(&run)).contains("125.00?")
    };
    assert!(!marked(1.12));
    let mut run = Simulation::new("a", "r", 1);
    (run.noise, run.untimed) = (0.0, 8);
    run.process(0.0).block("sha256", 8, &[("ours/fast", 1000.0)]);
    run.visits("ours/fast", 8).for_each(|visit| visit.ticks.fill(76_800));
    assert!(page("ebash", &build(&run)).contains("150.00?"), "{}", page("ebash", &build(&run)));
}

/// A mark that all figures bear is said once.
#[test]
fn a_mark_of_all_is_said_once() {
    let mut run = profiles();
    run.process_end(5);
    let tables = build(&run);
    for (name, said) in [
        ("terminal", "\ns every figure: the hypervisor"),
        ("markdown", "\n- `s` every figure: the hypervisor"),
        ("ebash", "\ns every figure: the hypervisor"),
        ("backends", "\ns every figure: the hypervisor"),
    ] {
        let text = page(name, &tables);
        assert!(text.contains(said), "{name}\n{text}");
        let without = page(name, &build(&profiles()));
        assert!(
            without.lines().filter(|line| line.contains("ours/fast")).all(|line| text.contains(line)),
            "{name}\n{text}"
        );
    }
}

/// Where nothing is subtracted, nothing is said of the uncertainty of what is.
#[test]
fn no_mark_of_what_is_not_subtracted() {
    let mut run = profiles();
    for record in &mut run.records {
        if let Record::Overhead(overhead) = record {
            overhead.ticks.iter_mut().step_by(2).for_each(|ticks| *ticks += 64 * 5);
        }
    }
    let tables = build(&run);
    assert!(page("terminal", &tables).contains("\no the overhead"));
    for name in ["ebash", "backends"] {
        let text = page(name, &tables);
        assert!(!text.contains("overhead"), "{text}");
        assert_eq!(text, page(name, &build(&profiles())), "{name}");
    }
}

/// The backends page: one statistic in a table, absent columns marked, everything on narrow screens too.
#[test]
fn backends_page_has_one_statistic() {
    let text = page("backends", &build(&profiles()));
    let figures: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.len() == 5 && words[0].parse::<usize>().is_ok())
        .collect();
    // 0.93 of what a call takes, 1, 64 and 2048 bytes.
    assert_eq!(
        figures,
        [["1", "61", "82", "244", "-"], ["64", "179", "551", "367", "-"], ["2048", "3869", "15312", "4242", "-"]]
    );
    assert!(text.contains("(profile minmean)") && !text.contains("native"), "{text}");
    let mut run = profiles();
    run.records.retain(|record| !matches!(record, Record::Visit(visit) if visit.profile == Profile::Minmean));
    let text = page("backends", &build(&run));
    assert!(text.contains("(profile native: minmean was not measured)"), "{text}");
    let words: Vec<&str> = text.lines().find(|line| line.starts_with("   64 ")).unwrap().split_whitespace().collect();
    assert_eq!(words, ["64", "192", "592", "394", "-"]);
    let narrow = render("backends", &build(&run), &Options { colour: false, width: Some(24) }).unwrap();
    for figure in text.split_whitespace().filter(|word| word.parse::<u32>().is_ok()) {
        assert!(narrow.contains(figure), "{figure} is missing");
    }
}
