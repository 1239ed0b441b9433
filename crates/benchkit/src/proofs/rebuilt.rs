//! Tables follow from the records alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::pairs::{self, Cell, Measurement};
use super::toy::{NEW, OLD};
use super::{Proof, Rig};
use crate::random::Random;
use crate::record::{self, Record};
use crate::suite::Operation;
use crate::table::Tables;

/// Measures a little in this process, and derives the tables twice: from what was measured, and from the file.
pub(super) fn prove(rig: &mut impl Rig, seed: u64) -> Result<Proof, String> {
    let cells =
        [64, 2048, 4096].map(|length| Cell { algorithm: "sha256", operation: Operation::Hash, messages: 1, length });
    let measurement = Measurement { implementations: &[OLD, NEW], processes: 2, visits: 2, delays: &[] };
    let mut records = Vec::new();
    for process in 0..measurement.processes {
        let request = measurement.request(&cells, process, seed);
        records.extend(rig.here(&request)?);
    }
    // Several may be at it in one process.
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("hashmatrix-proof-{}-{number}.jsonl", std::process::id()));
    let proof = compare(pairs::whole(records, seed), &file, seed, |lines| lines);
    // It may never have been written.
    let _ = fs::remove_file(&file);
    proof
}

/// `edit` is what happens to the lines on their way into the file.
fn compare(
    records: Vec<Record>,
    file: &PathBuf,
    seed: u64,
    edit: impl FnOnce(Vec<String>) -> Vec<String>,
) -> Result<Proof, String> {
    let lines: Result<Vec<String>, _> = records.iter().map(serde_json::to_string).collect();
    let mut lines = edit(lines.map_err(|error| format!("a record cannot be written: {error}"))?);
    // Nothing may hang on their order.
    Random::new(seed).shuffle(&mut lines);
    fs::write(file, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", file.display()))?;
    let memory = Tables::build(&[record::ReadOutcome { records, problems: Vec::new() }]);
    let (rebuilt, problems) = read(file);
    let figures = |tables: &Tables| -> usize {
        tables.machines.iter().flat_map(|machine| &machine.rows).map(|row| row.cells.len()).sum()
    };
    let equal = memory == rebuilt;
    let measured = format!(
        "{} lines, {} figures, {}",
        lines.len(),
        figures(&memory),
        match (equal, problems) {
            (true, 0) => "equal".to_owned(),
            (false, 0) => "not equal".to_owned(),
            (_, problems) => format!("{problems} lines that cannot be read"),
        }
    );
    let passed = equal && problems == 0 && figures(&memory) > 0;
    Ok(Proof::new("tables rebuilt from records", measured, "equal to those from memory", passed))
}

fn read(file: &Path) -> (Tables, usize) {
    let outcome = record::read(file);
    let problems = outcome.problems.len();
    (Tables::build(&[outcome]), problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::simulated;

    fn proof(edit: impl FnOnce(Vec<String>) -> Vec<String>) -> Proof {
        let simulation = simulated::usual("m", "r", 1, &[64, 4096]);
        let name = format!("rebuilt-{}-{:?}", std::process::id(), std::thread::current().id());
        let file = std::env::temp_dir().join(name.replace(['(', ')'], ""));
        let proof = compare(simulation.records, &file, 1, edit).expect("a file can be written");
        fs::remove_file(file).expect("it was written");
        proof
    }

    #[test]
    fn the_tables_are_equal() {
        let proof = proof(|lines| lines);
        assert!(proof.passed, "{proof:?}");
    }

    #[test]
    fn a_record_that_is_lost_or_changed_is_seen() {
        let lost = proof(|mut lines| {
            let last = lines.iter().rposition(|line| line.contains(r#""kind":"visit""#)).expect("there are visits");
            // An anchor's, which no figure is made of but the noise.
            lines.remove(last);
            lines
        });
        assert!(!lost.passed, "{lost:?}");
        let changed = proof(|mut lines| {
            let cal = lines.iter_mut().rfind(|line| line.contains(r#""kind":"cal""#)).expect("there are calibrations");
            assert!(cal.contains("786432"), "{cal}");
            *cal = cal.replace("786432", "786532");
            lines
        });
        assert!(!changed.passed, "{changed:?}");
        let damaged = proof(|mut lines| {
            lines.push("{".to_owned());
            lines
        });
        assert!(!damaged.passed, "{damaged:?}");
    }
}
