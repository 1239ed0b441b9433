//! What every page has to say around its figures.

use std::collections::BTreeMap;

use crate::record::Unit;
use crate::table::{Comparison, MachineTable, Mark, NATIVE, State};

/// Said where there is nothing to show.
pub(super) const NOTHING: &str = "No records: nothing was measured.";

/// The word for a unit.
pub(super) const fn unit(table: &MachineTable) -> &'static str {
    match table.unit {
        Unit::Cycles => "cycles",
        Unit::Ticks => "ticks",
    }
}

/// One line about machine, clock, runs and build.
pub(super) fn machine(table: &MachineTable) -> String {
    let mut parts = vec![plain(&table.machine.brand)];
    if table.machine.brand != table.machine.slug {
        parts.push(plain(&table.machine.slug));
    }
    let gigahertz = |hertz: Option<f64>| hertz.map_or_else(String::new, |hertz| format!(" {:.3} GHz", hertz / 1e9));
    match (&table.clock, table.unit) {
        (Some(clock), Unit::Cycles) => parts.push(format!(
            "clock {}{}, calibrated: core{}",
            plain(clock),
            gigahertz(table.ticks_per_second),
            gigahertz(table.core_hertz())
        )),
        (Some(clock), Unit::Ticks) => parts.push(format!(
            "clock {}{}, NOT calibrated: it failed its self-test",
            plain(clock),
            gigahertz(table.ticks_per_second)
        )),
        (None, _) => parts.push("nothing was timed".to_owned()),
    }
    let processes: usize = table.runs.iter().map(|run| run.processes).sum();
    parts.push(format!("{}, {}", count(table.runs.len(), "run"), count(processes, "process")));
    if let Some(newest) = table.runs.last() {
        parts.push(plain(&newest.run.started));
        let build = &newest.run.build;
        if let Some(compiler) = build.rustc.lines().next().filter(|line| !line.is_empty()) {
            parts.push(plain(compiler));
        }
        if !build.rustflags.is_empty() {
            parts.push(format!("RUSTFLAGS {}", plain(&build.rustflags)));
        }
    }
    if table.contended {
        parts.push("contended".to_owned());
    }
    parts.join("; ")
}

/// `1 process`, `2 processes`.
pub(super) fn count(number: usize, what: &str) -> String {
    match (number, what.ends_with('s')) {
        (1, _) => format!("1 {what}"),
        (_, true) => format!("{number} {what}es"),
        (_, false) => format!("{number} {what}s"),
    }
}

/// Figures with a fixed number of decimals, without a negative zero.
pub(super) fn fixed(figure: f64, decimals: usize) -> String {
    let text = format!("{figure:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// Text on one line: control characters are written as escapes, so that no name can break a line or colour a screen.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}') {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    plain
}

/// Rows without figures, each with its reason: failures first. Absent ones of the same reason share a line.
pub(super) fn without_figures(table: &MachineTable) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &table.rows {
        let name = format!("{} {}", plain(&row.algorithm), plain(&row.implementation));
        match (&row.state, row.work) {
            (State::KatFail { reason }, _) => lines.push(format!("KAT FAIL {name}: {}", plain(reason))),
            (State::DigestFail { reason }, Some(work)) => {
                lines.push(format!("DIGEST FAIL {name} {work}: {}", plain(reason)));
            }
            (State::DigestFail { reason }, None) => lines.push(format!("DIGEST FAIL {name}: {}", plain(reason))),
            _ => {}
        }
    }
    let mut absent: BTreeMap<(&str, &str, Option<&str>), Vec<String>> = BTreeMap::new();
    for row in &table.rows {
        if let State::Absent { reason, remedy } = &row.state {
            absent.entry((&row.implementation, reason, remedy.as_deref())).or_default().push(plain(&row.algorithm));
        }
    }
    for ((implementation, reason, remedy), algorithms) in absent {
        let remedy = remedy.map_or_else(String::new, |remedy| format!("; {}", plain(remedy)));
        let (name, reason) = (plain(implementation), plain(reason));
        lines.push(format!("absent {name} ({}): {reason}{remedy}", algorithms.join(", ")));
    }
    lines
}

/// The marks that occur but for `silent` ones, explained: symbol, whether every figure bears it, meaning.
pub(super) fn marks(table: &MachineTable, silent: &[Mark]) -> Vec<(&'static str, &'static str, &'static str)> {
    let common = table.common_marks();
    let every = |mark| if common.contains(&mark) { "every figure: " } else { "" };
    let marks = table.marks().into_iter().filter(|mark| !silent.contains(mark));
    marks.map(|mark| (mark.symbol(), every(mark), mark.meaning())).collect()
}

/// What the rows of a second build are, if there are any.
pub(super) fn native(table: &MachineTable) -> Option<String> {
    let flags = table.runs.iter().rev().map(|run| &run.run.build.native_rustflags).find(|flags| !flags.is_empty());
    let flags = flags.map_or_else(String::new, |flags| format!(" (RUSTFLAGS {})", plain(flags)));
    table.rows.iter().any(|row| row.implementation.ends_with(NATIVE)).then(|| {
        format!(
            "Rows {NATIVE} are a second build of the same code for this CPU alone{flags}, in processes of their own next to \
             those of the first: what tells such a row from its plain one was not measured within one process, and ratios \
             are taken within each build."
        )
    })
}

/// A note about lengths that a section does not show.
pub(super) fn hidden(lengths: &[usize]) -> Option<String> {
    let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
    let all = lengths.join(", ");
    (!lengths.is_empty()).then(|| format!("measured as well: {all} bytes (pages backends, csv, json)"))
}

/// For each algorithm and work, the comparison of best and best at 4096 bytes, or at the length nearest below, or at
/// the shortest.
pub(super) fn comparisons(table: &MachineTable) -> Vec<&Comparison> {
    let mut chosen: Vec<&Comparison> = Vec::new();
    for comparison in &table.comparisons {
        match chosen.last_mut() {
            Some(last)
                if (&last.algorithm, last.work, last.ours.ends_with(NATIVE))
                    == (&comparison.algorithm, comparison.work, comparison.ours.ends_with(NATIVE)) =>
            {
                if comparison.length <= 4096 {
                    *last = comparison;
                }
            }
            _ => chosen.push(comparison),
        }
    }
    chosen
}

/// A ratio with its interval: `0.970 [0.961, 0.984]`.
pub(super) fn ratio(comparison: &Comparison) -> String {
    match comparison.interval {
        Some([lower, upper]) => format!("{:.3} [{lower:.3}, {upper:.3}]", comparison.ratio),
        None => format!("{:.3} [n/a]", comparison.ratio),
    }
}

/// The noise beside a ratio: `0.12 %`.
pub(super) fn noise(comparison: &Comparison) -> String {
    comparison.noise.map_or_else(|| "n/a".to_owned(), |noise| format!("{} %", fixed(noise * 100.0, 2)))
}

/// What the ratios are.
pub(super) fn ratios(table: &MachineTable) -> String {
    format!(
        "Ratio = {unit} of ours by {unit} of the other (below 1: ours is faster), net: median over the blocks that both \
         stood in, 95 % interval by bootstrap (from fewer than 6 blocks it is too narrow). A/A = the same ratio \
         of one function with itself.",
        unit = unit(table)
    )
}
