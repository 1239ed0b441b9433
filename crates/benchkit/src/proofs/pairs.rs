//! The same function measured as if it were two, and one of the two made slower.

use std::collections::BTreeMap;

use super::toy::{NEW, OLD};
use super::{Delay, Effort, Proof, Request, Rig, Stop, scaled};
use crate::machine::Machine;
use crate::profile::Profile;
use crate::protocol::{Measure, Planned, PlannedLength};
use crate::record::{Build, End, ReadOutcome, Record, Run, SCHEMA, Unit};
use crate::stats;
use crate::suite::Operation;
use crate::table::regression::{self, Judgement, Verdict};
use crate::table::{MachineTable, Tables, Work};

/// How often a process is started again because its clock failed its self-test: some ten seconds, in which a busy machine
/// may become quiet.
const RESTARTS: u32 = 20;
/// Repeated flags that are allowed.
const FALSE_ALARMS: usize = 1;
/// One cell in so many may differ from itself by more than the rule would let pass.
const UNQUIET: usize = 20;
/// Where a slower copy is looked for.
const SEARCHED: [usize; 2] = [4096, 65_536];
/// Messages of a batch.
const BATCH: usize = 8;

/// One cell: what is compared with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) algorithm: &'static str,
    pub(super) operation: Operation,
    pub(super) messages: usize,
    pub(super) length: usize,
}

impl Cell {
    const fn hash(algorithm: &'static str, length: usize) -> Self {
        Self { algorithm, operation: Operation::Hash, messages: 1, length }
    }

    pub(super) const fn work(&self) -> Work {
        Work { operation: self.operation, messages: self.messages, profile: Profile::Native }
    }

    pub(super) fn judged(&self, table: &MachineTable, seed: u64) -> Result<Judgement, String> {
        table
            .judge(self.algorithm, self.work(), self.length, NEW, OLD, seed)
            .ok_or_else(|| format!("{self}: the two sides were in no block together"))
    }

    /// Cycles a call of the one that is not slower.
    fn cycles(&self, table: &MachineTable) -> Option<f64> {
        Some(table.row(self.algorithm, OLD, self.work())?.cell(self.length)?.best_known().middle())
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} at {}", self.algorithm, self.work(), self.length)
    }
}

/// How cells are measured.
pub(super) struct Measurement<'a> {
    pub(super) implementations: &'a [&'a str],
    pub(super) processes: u32,
    pub(super) visits: u32,
    pub(super) delays: &'a [Delay],
}

impl Measurement<'_> {
    pub(super) fn request(&self, cells: &[Cell], process: u32, seed: u64) -> Request {
        let mut plan: BTreeMap<(&str, Operation, usize), Vec<PlannedLength>> = BTreeMap::new();
        for cell in cells {
            let lengths = plan.entry((cell.algorithm, cell.operation, cell.messages)).or_default();
            lengths.push(PlannedLength { bytes: cell.length, visits: self.visits });
        }
        let plan = plan
            .into_iter()
            .map(|((algorithm, operation, messages), lengths)| Planned {
                algorithm: algorithm.to_owned(),
                implementations: self.implementations.iter().map(|&name| name.to_owned()).collect(),
                operation,
                profile: Profile::Native,
                seconds: 0.0,
                messages,
                lengths,
            })
            .collect();
        let seed = crate::random::Random::new(seed.wrapping_add(u64::from(process))).next() >> 11;
        let measure = Measure { process, seed, cpu: None, clock: None, samples: 16, plan, anchors: true };
        Request { measure, delays: self.delays.to_vec() }
    }

    /// The records of all processes. One whose clock failed its self-test does not count and is started again.
    pub(super) fn records(&self, rig: &mut impl Rig, cells: &[Cell], seed: u64) -> Result<Vec<Record>, Stop> {
        let mut records = Vec::new();
        for process in 0..self.processes {
            let mut restarts = 0;
            let mut counted = loop {
                let records = rig.process(&self.request(cells, process, seed))?;
                let failed = records.iter().find_map(|record| match record {
                    Record::Process(process) if process.unit == Unit::Ticks => Some(process.self_test.clone()),
                    _ => None,
                });
                match failed {
                    None => break records,
                    Some(test) if restarts == RESTARTS => {
                        let sentence = format!("the clock failed its self-test in {} processes: {test}", restarts + 1);
                        return Err(Stop::Refused(sentence));
                    }
                    Some(_) => restarts += 1,
                }
            };
            records.append(&mut counted);
        }
        Ok(records)
    }

    fn table(&self, rig: &mut impl Rig, cells: &[Cell], seed: u64) -> Result<(MachineTable, Vec<Record>), Stop> {
        let records = self.records(rig, cells, seed)?;
        Ok((table(records.clone(), seed)?, records))
    }
}

/// The records of a run with its head and end.
pub(super) fn whole(records: Vec<Record>, seed: u64) -> Vec<Record> {
    let time = "1970-01-01T00:00:00Z";
    let visits = records.iter().filter(|record| matches!(record, Record::Visit(_))).count() as u64;
    let head = Run {
        schema: SCHEMA,
        run: "proof".to_owned(),
        started: time.to_owned(),
        arguments: Vec::new(),
        seed,
        rounds: 1,
        cpu: None,
        machine: Machine::default(),
        build: Build::default(),
    };
    let end = End { ended: time.to_owned(), visits, outcome: "complete".to_owned() };
    let mut run = vec![Record::Run(Box::new(head))];
    run.extend(records);
    run.push(Record::End(end));
    run
}

pub(super) fn tables(records: Vec<Record>, seed: u64) -> Tables {
    Tables::build(&[ReadOutcome { records: whole(records, seed), problems: Vec::new() }])
}

pub(super) fn table(records: Vec<Record>, seed: u64) -> Result<MachineTable, String> {
    let mut machines = tables(records, seed).machines;
    match machines.len() {
        1 => Ok(machines.remove(0)),
        _ => Err("the processes did not measure with one clock".to_owned()),
    }
}

pub(super) fn prove(
    rig: &mut impl Rig,
    effort: &Effort,
    seed: u64,
    tell: &mut dyn FnMut(f64, &str),
) -> Result<Vec<Proof>, Stop> {
    let same = Same::measure(rig, effort, seed, &mut |share, what| tell(0.02 + 0.78 * share, what))?;
    let slower = search(rig, effort, &same, seed ^ 1, &mut |share, what| tell(0.8 + 0.2 * share, what))?;
    Ok(same.proofs(effort).into_iter().chain(slower).collect())
}

/// What was found where there is nothing to be found.
#[derive(Default)]
struct Same {
    cells: usize,
    compared: usize,
    flagged: usize,
    repeated: Vec<String>,
    unquiet: usize,
    largest: f64,
    scaled: usize,
    /// Cycles a call, by length, in each repetition.
    cycles: BTreeMap<usize, Vec<f64>>,
}

impl Same {
    fn measure(rig: &mut impl Rig, effort: &Effort, seed: u64, tell: &mut dyn FnMut(f64, &str)) -> Result<Self, Stop> {
        let mut cells: Vec<Cell> = Vec::new();
        for algorithm in ["sha256", "sha512"] {
            cells.extend(effort.lengths.iter().map(|&length| Cell::hash(algorithm, length)));
        }
        let batch = |&length| Cell { algorithm: "sha256", operation: Operation::Batch, messages: BATCH, length };
        cells.extend(effort.batched.iter().map(batch));
        let mut same = Self { cells: cells.len(), ..Self::default() };
        let once = Measurement {
            implementations: &[OLD, NEW],
            processes: effort.processes,
            visits: effort.visits,
            delays: &[],
        };
        for repeat in 0..effort.repeats {
            let what = format!("a function against itself, {} of {}", repeat + 1, effort.repeats);
            tell(repeat as f64 / effort.repeats as f64, &what);
            let seed = seed.wrapping_add(repeat << 20);
            let (table, records) = once.table(rig, &cells, seed)?;
            let mut flagged = Vec::new();
            for &cell in &cells {
                let judgement = cell.judged(&table, seed)?;
                same.compared += 1;
                same.largest = same.largest.max(judgement.slower.abs());
                let cycles = cell.cycles(&table).ok_or_else(|| format!("{cell}: there is no figure"))?;
                same.unquiet +=
                    usize::from(judgement.slower.abs() > regression::SHARE.max(regression::CYCLES / cycles));
                if judgement.verdict == Verdict::Regression {
                    flagged.push((cell, judgement));
                }
            }
            for length in SEARCHED {
                same.cycles.entry(length).or_default().extend(Cell::hash("sha256", length).cycles(&table));
            }
            let found = scaled::found(records, Cell::hash("sha256", scaled::LENGTH), effort.slower, seed)?;
            same.scaled += usize::from(found);
            same.flagged += flagged.len();
            same.repeated.extend(confirmed(rig, &once, &flagged, !seed)?.into_iter().map(|cell| cell.to_string()));
        }
        Ok(same)
    }

    fn proofs(&self, effort: &Effort) -> [Proof; 3] {
        let mut flags =
            format!("{} of {} flagged, {} again when measured again", self.flagged, self.compared, self.repeated.len());
        if !self.repeated.is_empty() {
            flags.push_str(&format!(" ({})", self.repeated.join(", ")));
        }
        let enough = self.compared > 0;
        let wanted = effort.repeats as usize * 9 / 10;
        [
            Proof::new(
                format!("A/A: {} times {} cells, {} processes", effort.repeats, self.cells, effort.processes),
                flags,
                format!("at most {FALSE_ALARMS} again"),
                enough && self.repeated.len() <= FALSE_ALARMS,
            ),
            Proof::new(
                "A/A: differences beyond 1 % and 12 cycles",
                format!("{} of {}, the largest {:.2} %", self.unquiet, self.compared, self.largest * 100.0),
                format!("at most {}", self.compared / UNQUIET),
                enough && self.unquiet <= self.compared / UNQUIET,
            ),
            Proof::new(
                format!("{} slower at {} bytes, by scaling", percent(effort.slower), scaled::LENGTH),
                format!("found {} times of {} in {} processes", self.scaled, effort.repeats, effort.processes),
                format!("at least {wanted}"),
                wanted > 0 && self.scaled >= wanted,
            ),
        ]
    }
}

/// Those of the flagged cells that are flagged again, measured in twice the processes.
fn confirmed(
    rig: &mut impl Rig,
    once: &Measurement<'_>,
    flagged: &[(Cell, Judgement)],
    seed: u64,
) -> Result<Vec<Cell>, Stop> {
    if flagged.is_empty() {
        return Ok(Vec::new());
    }
    let again = Measurement { processes: 2 * once.processes, ..*once };
    let cells: Vec<Cell> = flagged.iter().map(|(cell, _)| *cell).collect();
    let (table, _) = again.table(rig, &cells, seed)?;
    let mut confirmed = Vec::new();
    for (cell, first) in flagged {
        if regression::confirm(first, &cell.judged(&table, seed)?) == Verdict::Regression {
            confirmed.push(*cell);
        }
    }
    Ok(confirmed)
}

/// Looks for a copy that is slower by so many operations.
fn search(
    rig: &mut impl Rig,
    effort: &Effort,
    same: &Same,
    seed: u64,
    tell: &mut dyn FnMut(f64, &str),
) -> Result<Vec<Proof>, Stop> {
    let mut delays = Vec::new();
    for length in SEARCHED.into_iter().filter(|length| effort.lengths.contains(length)) {
        let cycles = same.cycles.get(&length).and_then(|cycles| stats::median(cycles));
        let cycles = cycles.ok_or_else(|| format!("{length} bytes were not measured"))?;
        delays.push(Delay { algorithm: "sha256".to_owned(), length, cycles: (cycles * effort.slower).round() as u32 });
    }
    let cells: Vec<Cell> = delays.iter().map(|delay| Cell::hash("sha256", delay.length)).collect();
    let once = Measurement {
        implementations: &[OLD, NEW],
        processes: effort.processes,
        visits: effort.visits,
        delays: &delays,
    };
    let mut estimates: BTreeMap<Cell, Vec<f64>> = BTreeMap::new();
    let mut found: BTreeMap<Cell, u64> = BTreeMap::new();
    for search in 0..effort.searches {
        let what = format!("a copy that is {} slower, {} of {}", percent(effort.slower), search + 1, effort.searches);
        tell(search as f64 / effort.searches as f64, &what);
        let seed = seed.wrapping_add(search << 20);
        let (table, _) = once.table(rig, &cells, seed)?;
        let mut flagged = Vec::new();
        for &cell in &cells {
            let judgement = cell.judged(&table, seed)?;
            estimates.entry(cell).or_default().push(judgement.slower);
            if judgement.verdict == Verdict::Regression {
                flagged.push((cell, judgement));
            }
        }
        for cell in confirmed(rig, &once, &flagged, !seed)? {
            *found.entry(cell).or_default() += 1;
        }
    }
    let wanted = effort.searches * 9 / 10;
    let proof = |(cell, delay): (&Cell, &Delay)| {
        let found = found.get(cell).copied().unwrap_or(0);
        let estimate = estimates.get(cell).and_then(|estimates| stats::median(estimates)).unwrap_or(f64::NAN);
        Proof::new(
            format!("{} slower at {} bytes, by {} operations", percent(effort.slower), cell.length, delay.cycles),
            format!(
                "found {found} times of {} in {} processes, as {:.2} %",
                effort.searches,
                effort.processes,
                estimate * 100.0
            ),
            format!("at least {wanted}"),
            wanted > 0 && found >= wanted,
        )
    };
    Ok(cells.iter().zip(&delays).map(proof).collect())
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1e4).round() / 100.0)
}
