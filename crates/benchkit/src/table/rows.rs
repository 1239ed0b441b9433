//! Which rows there are, and which runs each of them may take its figures from.

use std::collections::{BTreeMap, BTreeSet};

use super::again;
use super::cell::{FREQUENCY_CHANGED, LONG, Pool};
use super::compare::Anchors;
use super::evidence::{Evidence, Timed, gather};
use super::{Cell, CellKey, MachineTable, Row, RunInfo, Slope, State, Tables, Work};
use crate::protocol::{AlgorithmInfo, ImplementationInfo};
use crate::record::{Process, ReadOutcome, Unit};
use crate::stats;

/// Share of repeated visits, or of visits on a shared core, above which a run is contended.
const CONTENDED: f64 = 0.08;

/// Slug and brand of a machine, clock, unit.
type Group<'a> = (&'a str, &'a str, Option<&'a str>, Unit);

pub(super) fn build(outcomes: &[ReadOutcome]) -> Tables {
    let evidence = gather(outcomes);
    let mut groups: BTreeMap<Group<'_>, Vec<usize>> = BTreeMap::new();
    for (number, one) in evidence.iter().enumerate() {
        for process in one.processes.values() {
            let machine = &one.run.machine;
            let group = (&*machine.slug, &*machine.brand, Some(&*process.clock), one.unit(process));
            let runs = groups.entry(group).or_default();
            if runs.last() != Some(&number) {
                runs.push(number);
            }
        }
    }
    // A run in which nothing was timed still has rows to show, beside those of the same machine.
    for (number, one) in evidence.iter().enumerate().filter(|(_, one)| one.processes.is_empty()) {
        let machine = (&*one.run.machine.slug, &*one.run.machine.brand);
        let alone = (machine.0, machine.1, None, Unit::Ticks);
        let group = groups.keys().find(|group| (group.0, group.1) == machine).copied().unwrap_or(alone);
        groups.entry(group).or_default().push(number);
    }
    let machines = groups
        .into_iter()
        .map(|((_, _, clock, unit), mut runs)| {
            runs.sort_unstable();
            runs.dedup();
            let runs: Vec<&Evidence<'_>> = runs.into_iter().map(|number| &evidence[number]).collect();
            Builder::new(&runs, clock, unit).build()
        })
        .collect();
    Tables { machines }
}

/// Makes one [`MachineTable`]. Runs are numbered by their place in `runs`, oldest first.
struct Builder<'a> {
    runs: &'a [&'a Evidence<'a>],
    clock: Option<&'a str>,
    unit: Unit,
    visits: Vec<Timed>,
    warnings: Vec<String>,
    /// Visits without their calibration.
    uncalibrated: usize,
    algorithms: BTreeMap<&'a str, &'a AlgorithmInfo>,
}

/// Algorithm and implementation.
type Name<'a> = (&'a str, &'a str);

impl<'a> Builder<'a> {
    fn new(runs: &'a [&'a Evidence<'a>], clock: Option<&'a str>, unit: Unit) -> Self {
        let mut builder = Self {
            runs,
            clock,
            unit,
            visits: Vec::new(),
            warnings: Vec::new(),
            uncalibrated: 0,
            algorithms: BTreeMap::new(),
        };
        for (number, run) in runs.iter().enumerate() {
            // The newest description is the one that holds.
            builder.algorithms.extend(&run.algorithms);
            if let Some(clock) = clock {
                let (visits, without) = run.timed(number, clock, unit);
                builder.visits.extend(visits);
                builder.uncalibrated += without;
            }
        }
        if builder.uncalibrated > 0 {
            let without = builder.uncalibrated;
            builder.warnings.push(format!("{without} visits do not count: a calibration of theirs is missing"));
        }
        builder
    }

    fn build(mut self) -> MachineTable {
        self.warn();
        let median_of = |values: Vec<f64>| stats::median(&values);
        let processes =
            self.runs.iter().flat_map(|run| run.processes.values().filter(|process| self.has(run, process)));
        let ticks_per_second = median_of(processes.map(|process| process.ticks_per_second).collect());
        let ticks_per_cycle = median_of(self.visits.iter().filter_map(|visit| visit.ticks_per_cycle).collect());
        let (repeated, visits) = self.runs.iter().map(|run| run.repeated()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        let (rows, middles, anchors) = self.rows();
        let newest = self.runs[self.runs.len() - 1];
        let mut table = MachineTable {
            machine: newest.run.machine.clone(),
            clock: self.clock.map(str::to_owned),
            unit: self.unit,
            ticks_per_second,
            ticks_per_cycle: ticks_per_cycle.filter(|_| self.unit == Unit::Cycles),
            runs: self.runs.iter().map(|run| self.info(run)).collect(),
            contended: repeated as f64 > CONTENDED * visits as f64 || self.shared() > CONTENDED,
            algorithms: Vec::new(),
            rows,
            comparisons: Vec::new(),
            warnings: self.warnings,
            whole: self.uncalibrated == 0 && self.runs.iter().all(|run| run.broken.is_empty()),
            middles,
            anchors,
            repeats: (0..).zip(self.runs).filter_map(|(number, run)| Some((number, run.repeated_from()?))).collect(),
        };
        let mut ids: Vec<&str> = table.rows.iter().map(|row| &*row.algorithm).collect();
        ids.dedup();
        table.algorithms = ids.into_iter().filter_map(|id| self.algorithms.get(id).copied().cloned()).collect();
        table.comparisons = table.compare_best();
        let repeats: Vec<String> = self.runs.iter().filter_map(|run| again::repeated(run, &table)).collect();
        table.warnings.extend(repeats);
        table
    }

    /// Share of the visits beside which somebody else used the core's units.
    fn shared(&self) -> f64 {
        let shared = self.visits.iter().filter(|visit| visit.shared).count();
        shared as f64 / self.visits.len().max(1) as f64
    }

    /// Whether the process measured with this table's clock.
    fn has(&self, run: &Evidence<'_>, process: &Process) -> bool {
        Some(&*process.clock) == self.clock && run.unit(process) == self.unit
    }

    fn info(&self, run: &Evidence<'_>) -> RunInfo {
        let processes = run.processes.values().filter(|process| self.has(run, process)).count();
        RunInfo { run: run.run.clone(), end: run.end.cloned(), processes }
    }

    fn warn(&mut self) {
        for run in self.runs {
            let name = &run.run.run;
            match run.end {
                None => self.warnings.push(format!("run {name} was cut short")),
                Some(end) if end.outcome != "complete" => {
                    self.warnings.push(format!("run {name} is not complete: {}", end.outcome));
                }
                Some(_) => {}
            }
            if !run.resumed.is_empty() {
                let moments: Vec<&str> = run.resumed.iter().copied().collect();
                self.warnings.push(format!("run {name} was cut short and resumed at {}", moments.join(", ")));
            }
            for process in &run.broken {
                self.warnings.push(format!(
                    "process {process} of run {name} does not count: two of its records contradict each other"
                ));
            }
            let stolen = run.steal.values().filter(|&&steal| steal > 0).count();
            if stolen > 0 {
                self.warnings.push(format!(
                    "run {name}: the hypervisor took CPU time away during {stolen} of {} processes",
                    run.steal.len()
                ));
            }
            let (failed, all) = run.self_tests_failed(self.clock);
            if self.unit == Unit::Cycles && failed > 0 {
                self.warnings.push(format!(
                    "run {name}: the machine was too busy for the clock's self-test in {failed} of {all} processes"
                ));
            }
            let anchors = run.visits.values().filter(|visit| visit.anchor.is_some() && !visit.digest_ok).count();
            if anchors > 0 {
                self.warnings.push(format!("run {name}: the anchor gave {anchors} wrong digests: distrust this run"));
            }
            if self.unit == Unit::Ticks {
                let tests: BTreeSet<&str> = run.processes.values().map(|process| &*process.self_test).collect();
                self.warnings.extend(tests.into_iter().map(|test| format!("run {name}: clock self-test: {test}")));
            }
        }
        if let [.., before, newest] = self.runs {
            let (a, b) = (&before.run.build, &newest.run.build);
            let differences = [
                ("compiler", &a.rustc, &b.rustc),
                ("profile", &a.profile, &b.profile),
                ("RUSTFLAGS", &a.rustflags, &b.rustflags),
                ("Cargo.lock", &a.lock, &b.lock),
                ("commit", &a.commit, &b.commit),
            ];
            for (what, old, new) in differences.into_iter().filter(|(_, old, new)| old != new) {
                self.warnings
                    .push(format!("runs {} and {} differ in {what}: {old:?}, {new:?}", before.run.run, newest.run.run));
            }
        }
        if self.shared() > CONTENDED {
            self.warnings.push(format!(
                "somebody else used the units of this core, its other hardware thread most likely, beside {:.0} % of the \
                 visits; where a cell has others, they alone count",
                100.0 * self.shared()
            ));
        }
        if self.visits.iter().any(|visit| visit.overhead.is_none()) {
            self.warnings.push("some processes did not measure their overhead: their samples are raw only".to_owned());
        }
    }

    /// The newest run that says something about an implementation has the last word.
    fn rows(&self) -> (Vec<Row>, super::Middles, Anchors) {
        let names: BTreeSet<Name<'_>> = self
            .runs
            .iter()
            .flat_map(|run| {
                let visits = run.visits.values().filter(|visit| visit.anchor.is_none());
                let visits = visits.map(|visit| (&*visit.algorithm, &*visit.implementation));
                run.kats.keys().copied().chain(run.absent.keys().copied()).chain(visits)
            })
            .collect();
        let steady = |visit: &Timed| self.unit == Unit::Ticks || visit.difference <= FREQUENCY_CHANGED;
        let anchors = Anchors::new(&self.visits, steady);
        let mut cells: BTreeMap<Name<'_>, BTreeMap<(Work, usize), Vec<&Timed>>> = BTreeMap::new();
        for visit in self.visits.iter().filter(|visit| visit.anchor.is_none()) {
            let CellKey { algorithm, implementation, work, length } = &visit.key;
            cells.entry((algorithm, implementation)).or_default().entry((*work, *length)).or_default().push(visit);
        }
        let mut wrong: BTreeMap<Name<'_>, BTreeMap<Work, (usize, String)>> = BTreeMap::new();
        for (number, run) in self.runs.iter().enumerate() {
            for visit in run.visits.values().filter(|visit| visit.anchor.is_none() && !visit.digest_ok) {
                let reason = format!(
                    "wrong digest of {} bytes in process {}, block {} of run {}",
                    visit.length, visit.process, visit.block, run.run.run
                );
                let name = (&*visit.algorithm, &*visit.implementation);
                let slot = wrong.entry(name).or_default().entry(Work::of(visit)).or_default();
                // The first of the newest run.
                if slot.1.is_empty() || slot.0 < number {
                    *slot = (number, reason);
                }
            }
        }
        let mut rows = Vec::new();
        let mut middles = super::Middles::new();
        for name in names {
            let empty = BTreeMap::new();
            let mut of_name =
                ImplementationRows { name, row: self.empty_row(name), rows: Vec::new(), middles: &mut middles };
            self.fill(
                &mut of_name,
                cells.remove(&name).unwrap_or_default(),
                wrong.get(&name).unwrap_or(&empty),
                &anchors,
            );
            rows.extend(of_name.rows);
        }
        rows.sort_by_cached_key(|row| self.order(row));
        (rows, middles, anchors)
    }

    fn fill(
        &self,
        to: &mut ImplementationRows<'_>,
        cells: BTreeMap<(Work, usize), Vec<&Timed>>,
        wrong: &BTreeMap<Work, (usize, String)>,
        anchors: &Anchors,
    ) {
        // Runs up to the last one whose known answers failed do not count.
        let failed = self.runs.iter().rposition(|run| run.kats.get(&to.name).is_some_and(|kat| !kat.ok));
        let passed = self.runs.iter().rposition(|run| run.kats.get(&to.name).is_some_and(|kat| kat.ok));
        if let Some(failed) = failed
            && passed < Some(failed)
        {
            let reason = self.runs[failed].kats[&to.name].failure.clone();
            let reason = reason.unwrap_or_else(|| "no reason was recorded".to_owned());
            to.push(None, State::KatFail { reason });
            return;
        }
        let works: BTreeSet<Work> = cells.keys().map(|key| key.0).chain(wrong.keys().copied()).collect();
        for work in works {
            let bad = wrong.get(&work).map(|(run, _)| *run).max(failed);
            let counts = |visit: &&Timed| bad.is_none_or(|bad| visit.place.0 > bad);
            let mut pools: Vec<(usize, Pool, Option<f64>)> = Vec::new();
            for ((_, length), visits) in cells.range((work, 0)..=(work, usize::MAX)) {
                let visits: Vec<&Timed> = visits.iter().copied().filter(counts).collect();
                if !visits.is_empty() {
                    let noise =
                        |pool: &Pool| anchors.noise(to.name.0, work, *length, &pool.places().collect::<Vec<_>>());
                    let pool = Pool::new(&visits, self.unit);
                    let all = noise(&pool);
                    let pool = pool.agree(all);
                    let noise = noise(&pool);
                    pools.push((*length, pool, noise));
                }
            }
            match wrong.get(&work) {
                Some((_, reason)) if pools.is_empty() => {
                    to.push(Some(work), State::DigestFail { reason: reason.clone() })
                }
                _ if pools.is_empty() => {}
                _ => self.measured(to, work, &pools),
            }
        }
        if to.rows.is_empty()
            && let Some(absent) = self.runs.iter().rev().find_map(|run| run.absent.get(&to.name))
        {
            to.push(None, State::Absent { reason: absent.reason.clone(), remedy: absent.remedy.clone() });
        }
    }

    fn measured(&self, to: &mut ImplementationRows<'_>, work: Work, pools: &[(usize, Pool, Option<f64>)]) {
        let mut row = to.row.clone();
        row.work = Some(work);
        for (length, pool, noise) in pools {
            row.cells.extend(pool.cell(*length, length * work.messages, self.unit, *noise));
            let (algorithm, implementation) = (to.name.0.to_owned(), to.name.1.to_owned());
            to.middles.insert(CellKey { algorithm, implementation, work, length: *length }, pool.middles());
        }
        let pool = |wanted: usize| pools.iter().find(|(length, ..)| *length == wanted);
        if let [Some((short, from, _)), Some((_, to, noise))] = LONG.map(pool) {
            row.long = Pool::long(from, to).cell(*short, short * work.messages, self.unit, *noise);
        }
        let block = self.algorithms.get(to.name.0).map(|algorithm| algorithm.block_bytes);
        row.slope = Slope::new(&row.cells, block);
        to.rows.push(row);
    }

    fn description(&self, name: Name<'_>) -> Option<(usize, &ImplementationInfo)> {
        let algorithm = self.algorithms.get(name.0)?;
        algorithm.implementations.iter().enumerate().find(|(_, implementation)| implementation.name == name.1)
    }

    fn empty_row(&self, name: Name<'_>) -> Row {
        let described = self.description(name).map(|(_, implementation)| implementation);
        let kat = self.runs.iter().rev().find_map(|run| run.kats.get(&name)).map(|kat| kat.version.clone());
        let version = kat.or_else(|| described.map(|implementation| implementation.version.clone()));
        Row {
            algorithm: name.0.to_owned(),
            implementation: name.1.to_owned(),
            version: version.filter(|version| !version.is_empty()),
            ours: described.map(|implementation| implementation.ours),
            work: None,
            state: State::Measured,
            cells: Vec::<Cell>::new(),
            long: None,
            slope: None,
        }
    }

    /// Families together, then algorithms by name and number. Rows about a whole implementation come first if it failed
    /// and last if it is absent.
    fn order(&self, row: &Row) -> impl Ord + use<> {
        let algorithm = self.algorithms.get(&*row.algorithm);
        let family = algorithm.and_then(|algorithm| algorithm.implementations.iter().find(|one| one.ours));
        let family = family.map(|one| one.provider.clone());
        let place = self.description((&row.algorithm, &row.implementation)).map(|(place, _)| place);
        let last = matches!(row.state, State::Absent { .. });
        (
            (family.is_none(), family, natural(&row.algorithm), row.algorithm.clone()),
            (last, row.work, place.is_none(), place, row.implementation.clone()),
        )
    }
}

/// The rows of one implementation as they come up.
struct ImplementationRows<'a> {
    name: Name<'a>,
    row: Row,
    rows: Vec<Row>,
    middles: &'a mut super::Middles,
}

impl ImplementationRows<'_> {
    fn push(&mut self, work: Option<Work>, state: State) {
        self.rows.push(Row { work, state, ..self.row.clone() });
    }
}

/// Sorts `sha512` behind `sha384` and `keccak-c1024` behind `keccak-c512`: runs of digits count as numbers.
fn natural(name: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = vec![(0, String::new())];
    for character in name.chars() {
        let (number, text) = parts.last_mut().expect("never empty");
        match character.to_digit(10) {
            Some(digit) if text.is_empty() => *number = number.saturating_mul(10).saturating_add(u64::from(digit)),
            Some(digit) => parts.push((u64::from(digit), String::new())),
            None => text.push(character),
        }
    }
    parts
}
