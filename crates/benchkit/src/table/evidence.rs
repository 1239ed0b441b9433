//! The records of a run put in order, and its visits in cycles.

use std::collections::{BTreeMap, BTreeSet};

use super::{CellKey, Own, Place, Work};
use crate::clock::{self, SHARED};
use crate::profile::Profile;
use crate::protocol::AlgorithmInfo;
use crate::record::{
    AbsentRow, Cal, Discarded, End, Kat, Overhead, Process, ReadOutcome, Record, Repeat, RepeatCell, Run, Unit, Visit,
};
use crate::stats;

/// Operations between the two readings that a calibration subtracts.
const CALIBRATION_CYCLES: f64 = (192 * 64) as f64;
/// Calls of a visit that SUPERCOP times: its first.
const FIRST: usize = 16;
/// Settled calibrations whose median is the usual one of a process.
const MEMORY: usize = 33;

/// One run.
pub(super) struct Evidence<'a> {
    pub(super) run: &'a Run,
    pub(super) end: Option<&'a End>,
    pub(super) algorithms: BTreeMap<&'a str, &'a AlgorithmInfo>,
    pub(super) kats: BTreeMap<(&'a str, &'a str), &'a Kat>,
    pub(super) absent: BTreeMap<(&'a str, &'a str), &'a AbsentRow>,
    pub(super) processes: BTreeMap<u32, &'a Process>,
    pub(super) visits: BTreeMap<(u32, u32, u32, u32), &'a Visit>,
    pub(super) steal: BTreeMap<u32, u64>,
    /// Cells that were measured again, from which process on.
    pub(super) repeats: Vec<&'a Repeat>,
    /// When it was taken up again.
    pub(super) resumed: BTreeSet<&'a str>,
    /// Blocks that were cut short: process, block.
    cut: BTreeSet<[u32; 2]>,
    /// Processes that say two things at once; they do not count.
    pub(super) broken: BTreeSet<u32>,
    cals: BTreeMap<(u32, u32), &'a Cal>,
    overheads: BTreeMap<(u32, [u32; 2]), &'a Overhead>,
}

/// A visit that counts, in cycles (in ticks if the unit is).
#[derive(Clone, Debug)]
pub(super) struct Timed {
    pub(super) key: CellKey,
    pub(super) place: Place,
    pub(super) anchor: Option<u8>,
    pub(super) samples: Vec<f64>,
    /// The first calls, where they were stored.
    pub(super) first: Vec<f64>,
    /// The figure of the profile's own page.
    pub(super) own: Option<Own>,
    /// Whether the hypervisor took time away during its process.
    pub(super) stolen: bool,
    /// StQ2 of the samples.
    pub(super) middle: f64,
    /// Relative difference of its two calibrations.
    pub(super) difference: f64,
    /// Whether somebody else used the core's units before or after it.
    pub(super) shared: bool,
    /// Its ticks a cycle by the usual ones.
    pub(super) slowdown: Option<f64>,
    pub(super) ticks_per_cycle: Option<f64>,
    /// Its cell was measured again: the figures are those of later visits.
    pub(super) superseded: bool,
    pub(super) overhead: Option<Empty>,
}

/// What a call that does nothing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Empty {
    pub(super) middle: f64,
    /// StQ3 - StQ1.
    pub(super) distance: f64,
}

/// Puts the records of all files in order: runs from the oldest to the newest. A run that is in two files counts once.
pub(super) fn gather(outcomes: &[ReadOutcome]) -> Vec<Evidence<'_>> {
    let mut runs: BTreeMap<(&str, &str, &str, u64), Evidence<'_>> = BTreeMap::new();
    let id = |run: &'_ Run| -> (String, String) { (run.run.clone(), run.machine.slug.clone()) };
    for outcome in outcomes {
        let heads = outcome.records.iter().filter_map(|record| match record {
            Record::Run(run) => Some(&**run),
            _ => None,
        });
        let several = heads.clone().map(id).collect::<BTreeSet<_>>().len() > 1;
        // In a file of one run the head may stand anywhere.
        let mut current = if several { None } else { heads.clone().next() };
        for record in &outcome.records {
            if let Record::Run(run) = record {
                current = Some(run);
            }
            let Some(run) = current else { continue };
            runs.entry((&run.started, &run.run, &run.machine.slug, run.seed))
                .or_insert_with(|| Evidence::new(run))
                .take(record);
        }
    }
    let mut runs: Vec<_> = runs.into_values().collect();
    runs.iter_mut().for_each(Evidence::settle);
    runs
}

impl<'a> Evidence<'a> {
    fn new(run: &'a Run) -> Self {
        Self {
            run,
            end: None,
            algorithms: BTreeMap::new(),
            kats: BTreeMap::new(),
            absent: BTreeMap::new(),
            processes: BTreeMap::new(),
            visits: BTreeMap::new(),
            steal: BTreeMap::new(),
            repeats: Vec::new(),
            resumed: BTreeSet::new(),
            cut: BTreeSet::new(),
            broken: BTreeSet::new(),
            cals: BTreeMap::new(),
            overheads: BTreeMap::new(),
        }
    }

    fn take(&mut self, record: &'a Record) {
        let mut clash = |process: u32, clash: bool| {
            if clash {
                self.broken.insert(process);
            }
        };
        match record {
            Record::Run(_) | Record::Start(_) => {}
            Record::Repeat(repeat) if self.repeats.contains(&repeat) => {}
            Record::Repeat(repeat) => self.repeats.push(repeat),
            Record::Resume(resume) => {
                self.resumed.insert(&resume.resumed);
                self.cut.extend(&resume.cut);
            }
            Record::Algorithm(algorithm) => {
                self.algorithms.insert(&algorithm.id, algorithm);
            }
            Record::Process(process) => clash(process.process, insert(&mut self.processes, process.process, process)),
            Record::ProcessEnd(end) => {
                self.steal.insert(end.process, end.steal.unwrap_or(0));
            }
            Record::Absent(absent) => {
                self.absent.insert((&absent.algorithm, &absent.implementation), absent);
            }
            Record::Kat(kat) => {
                let slot = self.kats.entry((&kat.algorithm, &kat.implementation)).or_insert(kat);
                // One failure outweighs any number of passes.
                if (kat.ok, &kat.failure) < (slot.ok, &slot.failure) {
                    *slot = kat;
                }
            }
            Record::Cal(cal) => clash(cal.process, insert(&mut self.cals, (cal.process, cal.cal), cal)),
            Record::Overhead(overhead) => {
                clash(overhead.process, insert(&mut self.overheads, (overhead.process, overhead.cal), overhead))
            }
            Record::Visit(visit) => clash(
                visit.process,
                insert(&mut self.visits, (visit.process, visit.block, visit.position, visit.attempt), visit),
            ),
            Record::End(end) => {
                // A run that was cut short and taken up again has two; the later one knows more.
                if self.end.is_none_or(|old| old.ended < end.ended) {
                    self.end = Some(end);
                }
            }
        }
    }

    fn settle(&mut self) {
        let (broken, cut) = (&self.broken, &self.cut);
        self.processes.retain(|process, _| !broken.contains(process));
        self.visits.retain(|key, _| !broken.contains(&key.0) && !cut.contains(&[key.0, key.1]));
    }

    /// What the calibrated ticks of a process may be called. The self-test asks how the clock and the chain behave on this
    /// machine: one process that found out speaks for all of the run, and one that was disturbed does not gainsay it.
    pub(super) fn unit(&self, process: &Process) -> Unit {
        let passed = |other: &&Process| other.clock == process.clock && other.unit == Unit::Cycles;
        if self.processes.values().any(passed) { Unit::Cycles } else { Unit::Ticks }
    }

    /// Processes with that clock whose self-test failed, and all of them.
    pub(super) fn self_tests_failed(&self, clock: Option<&str>) -> (usize, usize) {
        let units =
            self.processes.values().filter(|process| Some(&*process.clock) == clock).map(|process| process.unit);
        (units.clone().filter(|&unit| unit == Unit::Ticks).count(), units.count())
    }

    /// Ticks a cycle in one calibration.
    fn calibration(&self, process: u32, cal: u32) -> Option<f64> {
        let cal = self.cals.get(&(process, cal))?;
        let ticks: Vec<f64> = cal.ticks.iter().map(|&ticks| ticks as f64).collect();
        let k = stats::stabilized_median(&ticks)? / CALIBRATION_CYCLES;
        (k > 0.0).then_some(k)
    }

    /// Ticks a cycle before and after.
    fn calibrations(&self, process: u32, cal: [u32; 2]) -> Option<[f64; 2]> {
        Some([self.calibration(process, cal[0])?, self.calibration(process, cal[1])?])
    }

    /// What a call that does nothing takes in that process.
    fn empty(&self, process: u32, unit: Unit) -> Option<Empty> {
        let mut samples = Vec::new();
        for overhead in self.overheads.range((process, [0; 2])..=(process, [u32::MAX; 2])).map(|(_, overhead)| overhead)
        {
            let k = match (unit, self.calibrations(process, overhead.cal)) {
                (Unit::Ticks, _) => 1.0,
                (Unit::Cycles, Some([before, after])) => (before + after) / 2.0,
                (Unit::Cycles, None) => continue,
            };
            samples.extend(overhead.ticks.iter().map(|&ticks| ticks as f64 / k));
        }
        let [first, middle, third] = stats::stabilized_quartiles(&samples)?;
        Some(Empty { middle, distance: third - first })
    }

    /// Cycles of a group of independent operations at each calibration that looked.
    fn widths(&self, clock: &str) -> BTreeMap<(u32, u32), f64> {
        let of = |cal: &Cal| {
            let on_it = self.processes.get(&cal.process).is_some_and(|process| process.clock == clock);
            clock::width(&cal.wide, clock::ticks_per_cycle(&cal.ticks).filter(|_| on_it)?)
        };
        self.cals.iter().filter_map(|(place, cal)| Some((*place, of(cal)?))).collect()
    }

    /// The visits that count of the processes with that clock and unit, and how many do not for want of a calibration.
    pub(super) fn timed(&self, number: usize, clock: &str, unit: Unit) -> (Vec<Timed>, usize) {
        let mut timed = Vec::new();
        let mut uncalibrated = 0;
        let widths = self.widths(clock);
        let own_width = clock::own_width(&widths.values().copied().collect::<Vec<_>>()).unwrap_or(1.0);
        for (&number_in_run, process) in &self.processes {
            if process.clock != clock || self.unit(process) != unit {
                continue;
            }
            let overhead = self.empty(number_in_run, unit);
            let visits = || self.visits.range((number_in_run, 0, 0, 0)..=(number_in_run, u32::MAX, u32::MAX, u32::MAX));
            // First tries only: the others did not wait for the core to settle.
            let mut settled: Vec<(u32, f64)> = visits()
                .filter(|(_, visit)| visit.attempt == 0)
                .filter_map(|(_, visit)| Some((visit.cal[0], self.calibration(number_in_run, visit.cal[0])?)))
                .collect();
            settled.sort_unstable_by_key(|&(cal, _)| cal);
            let width = |cal: &u32| widths.get(&(number_in_run, *cal)).copied();
            for (_, visit) in visits() {
                if visit.discarded.is_some() || !visit.digest_ok {
                    continue;
                }
                let calibrations = self.calibrations(number_in_run, visit.cal);
                let k = match (unit, calibrations) {
                    (Unit::Ticks, _) => 1.0,
                    (Unit::Cycles, Some([before, after])) => (before + after) / 2.0,
                    (Unit::Cycles, None) => {
                        uncalibrated += 1;
                        continue;
                    }
                };
                let loops = loops(visit);
                let samples: Vec<f64> = loops.iter().map(|ticks| ticks / k).collect();
                let Some(middle) = stats::stabilized_median(&samples) else { continue };
                let whole: u64 = visit.ticks.iter().sum();
                let calls = whole as f64 / loops.iter().sum::<f64>();
                let own = visit.profile.figure(&loops);
                let ticks_per_cycle = calibrations.map(|[before, after]| (before + after) / 2.0);
                timed.push(Timed {
                    key: CellKey::of(visit),
                    place: (number, number_in_run, visit.block),
                    anchor: visit.anchor,
                    samples,
                    first: first(visit).map(|ticks| ticks as f64 / k).collect(),
                    own: own.map(|ticks| Own { cycles: ticks / k, seconds: ticks / process.ticks_per_second }),
                    stolen: self.steal.get(&number_in_run).is_some_and(|&steal| steal > 0),
                    middle,
                    difference: calibrations.map_or(0.0, |[before, after]| (before / after).ln().abs()),
                    shared: visit.cal.iter().any(|cal| width(cal).is_some_and(|width| width > own_width * SHARED)),
                    slowdown: Option::zip(ticks_per_cycle, usual(&settled, visit.cal[0])).map(|(k, usual)| k / usual),
                    ticks_per_cycle,
                    superseded: self.is_repeated(visit),
                    // One read stands for all calls of a loop.
                    overhead: overhead
                        .map(|empty| Empty { middle: empty.middle / calls, distance: empty.distance / calls }),
                });
            }
        }
        (timed, uncalibrated)
    }

    /// Whether a later process was to measure the cell of the visit again.
    fn is_repeated(&self, visit: &Visit) -> bool {
        let means = |repeat: &&Repeat| {
            repeat.cells.iter().any(|cell| {
                cell.algorithm == visit.algorithm
                    && cell.implementation.as_ref().is_none_or(|name| *name == visit.implementation)
                    && cell.work() == Work::of(visit)
                    && cell.length == visit.length
            })
        };
        visit.anchor.is_none() && self.repeats.iter().any(|repeat| visit.process < repeat.process && means(repeat))
    }

    /// The first process that measures cells again.
    pub(super) fn repeated_from(&self) -> Option<u32> {
        self.repeats.iter().map(|repeat| repeat.process).min()
    }

    /// Visits that had to be repeated because the CPU was taken away, and visits in all.
    pub(super) fn repeated(&self) -> (usize, usize) {
        let repeated = self.visits.values().filter(|visit| visit.discarded == Some(Discarded::Switch)).count();
        (repeated, self.visits.values().filter(|visit| visit.discarded.is_none()).count())
    }
}

/// Ticks of a call, from each of the readings. Where several threads hash, a call is one message of each: what the threads
/// finished together, shared out evenly.
fn loops(visit: &Visit) -> Vec<f64> {
    let calls = |reading: usize| match visit.finished.get(reading) {
        Some(finished) => finished.iter().sum::<u64>().max(1) as f64 / visit.messages.max(1) as f64,
        None => visit.calls.max(1) as f64,
    };
    visit.ticks.iter().enumerate().map(|(reading, &ticks)| ticks as f64 / calls(reading)).collect()
}

/// Ticks of the first calls of a visit: the untimed ones, and timed ones behind them. None if no untimed one is stored, for
/// then the first ones are not known.
fn first(visit: &Visit) -> impl Iterator<Item = u64> {
    let single = visit.calls == 1 && visit.finished.is_empty();
    let known = visit.profile == Profile::Native && single && !visit.untimed.is_empty();
    visit.untimed.iter().chain(&visit.ticks).copied().take(if known { FIRST } else { 0 })
}

/// Puts the value in; whether another one was there.
fn insert<K: Ord, V: PartialEq + Copy>(map: &mut BTreeMap<K, V>, key: K, value: V) -> bool {
    *map.entry(key).or_insert(value) != value
}

/// The usual ticks a cycle just before a calibration: the median of the last settled ones, or of the first.
fn usual(settled: &[(u32, f64)], cal: u32) -> Option<f64> {
    let before = settled.partition_point(|&(other, _)| other < cal);
    let window = if before >= MEMORY { before - MEMORY..before } else { 0..settled.len().min(MEMORY) };
    stats::median(&settled[window].iter().map(|&(_, k)| k).collect::<Vec<_>>())
}

impl CellKey {
    pub(super) fn of(visit: &Visit) -> Self {
        Self {
            algorithm: visit.algorithm.clone(),
            implementation: visit.implementation.clone(),
            work: Work::of(visit),
            length: visit.length,
        }
    }
}

impl RepeatCell {
    /// What is measured.
    pub(super) const fn work(&self) -> Work {
        let messages = if self.messages == 0 { 1 } else { self.messages };
        Work { operation: self.operation, messages, profile: self.profile }
    }
}

impl Work {
    pub(super) fn of(visit: &Visit) -> Self {
        Self { operation: visit.operation, messages: visit.messages.max(1), profile: visit.profile }
    }
}
