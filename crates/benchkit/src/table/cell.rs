//! From the visits of a cell to its figures.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{Empty, Timed};
use super::{Cell, Mark, Own, Place, Slope, Summary};
use crate::record::Unit;
use crate::stats;

/// Difference of the calibrations above which a visit is `F`.
const FREQUENCY: f64 = 0.002;
/// Difference above which it is `F!` and leaves the pool.
pub(super) const FREQUENCY_CHANGED: f64 = 0.01;
/// Difference from the usual frequency above which a cell is `f`.
const OWN_FREQUENCY: f64 = 0.01;
/// Runs of one machine that agree better than this are pooled.
const RUNS_AGREE: f64 = 0.01;
/// Lengths that the slope is taken over.
const SLOPE: std::ops::RangeInclusive<usize> = 2048..=65536;
/// Fewer lengths give no slope: two would be `long` by another name.
const SLOPE_LENGTHS: usize = 3;
/// The two lengths of `long`.
pub(super) const LONG: [usize; 2] = [2048, 4096];

/// Visits of one cell, or pairs of visits, that may be pooled.
pub(super) struct Pool {
    parts: Vec<Part>,
    /// StQ2 of the visits that later ones stand for.
    superseded: BTreeMap<Place, Middle>,
    left_out: usize,
    /// Visits on a shared core: they stand in for pairs that are too few otherwise.
    shared: Vec<Part>,
    runs_differ: bool,
}

/// StQ2 of one visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Middle {
    pub(super) cycles: f64,
    /// Whether the core was shared.
    pub(super) shared: bool,
}

struct Part {
    place: Place,
    samples: Vec<f64>,
    first: Vec<f64>,
    own: Option<Own>,
    stolen: bool,
    difference: f64,
    shared: bool,
    slowdown: Option<f64>,
    overhead: Option<Empty>,
}

impl Part {
    fn middle(&self) -> Option<f64> {
        stats::stabilized_median(&self.samples)
    }
}

impl Pool {
    /// All visits of a cell. Those within which the frequency changed leave, unless all are like that; then those on a
    /// shared core, unless all are like that.
    pub(super) fn new(visits: &[&Timed], unit: Unit) -> Self {
        let steady = |visit: &&&Timed| visit.difference <= FREQUENCY_CHANGED || unit == Unit::Ticks;
        let any = visits.iter().any(|visit| steady(&visit));
        // Without the later visits the earlier ones hold.
        let repeated = visits.iter().any(|visit| !visit.superseded);
        let (before, visits): (Vec<&Timed>, Vec<&Timed>) =
            visits.iter().partition(|visit| repeated && visit.superseded);
        let middle = |visit: &&Timed| {
            let cycles = visit.middle - visit.overhead.map_or(0.0, |overhead| overhead.middle);
            (visit.place, Middle { cycles, shared: visit.shared })
        };
        let superseded = before.iter().filter(|visit| !any || steady(visit)).map(middle);
        let superseded = superseded.collect();
        let parts: Vec<Part> = visits
            .iter()
            .filter(|visit| !any || steady(visit))
            .map(|visit| Part {
                place: visit.place,
                samples: visit.samples.clone(),
                first: visit.first.clone(),
                own: visit.own,
                stolen: visit.stolen,
                difference: visit.difference,
                shared: visit.shared,
                slowdown: visit.slowdown,
                overhead: visit.overhead,
            })
            .collect();
        let (mut shared, mut parts): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.shared);
        if parts.is_empty() {
            core::mem::swap(&mut shared, &mut parts);
        }
        let left_out = visits.len() - parts.len();
        Self { parts, superseded, left_out, shared, runs_differ: false }
    }

    /// Keeps all runs if they agree within `noise` or 1 %, else the newest.
    pub(super) fn agree(mut self, noise: Option<f64>) -> Self {
        let middles: Vec<f64> = self.by(|place| place.0).values().filter_map(|s| stats::stabilized_median(s)).collect();
        let (Some(low), Some(high)) = (stats::min(&middles), stats::max(&middles)) else { return self };
        if high - low > low * noise.unwrap_or(0.0).max(RUNS_AGREE) {
            let newest = self.parts.iter().map(|part| part.place.0).max();
            self.parts.retain(|part| Some(part.place.0) == newest);
            self.shared.retain(|part| Some(part.place.0) == newest);
            self.superseded.retain(|place, _| Some(place.0) == newest);
            self.runs_differ = true;
        }
        self
    }

    /// Differences (4096 minus 2048 bytes) of the pools of these two lengths. What is subtracted from both, such as
    /// the overhead, drops out.
    pub(super) fn long(short: &Self, long: &Self) -> Self {
        let mut parts = Vec::new();
        let (shorts, longs) = (short.blocks(), long.blocks());
        for (process, longs) in &longs {
            let Some(shorts) = shorts.get(process) else { continue };
            let less = |long: &[f64], short: &[f64]| long.iter().zip(short).map(|(long, short)| long - short).collect();
            for (short, long) in shorts.iter().zip(longs) {
                parts.push(Part {
                    place: long.place,
                    samples: less(&long.samples, &short.samples),
                    first: less(&long.first, &short.first),
                    own: None,
                    stolen: long.stolen || short.stolen,
                    difference: long.difference.max(short.difference),
                    shared: long.shared || short.shared,
                    slowdown: Option::zip(long.slowdown, short.slowdown).map(|(a, b)| (a + b) / 2.0),
                    overhead: Some(Empty { middle: 0.0, distance: 0.0 }),
                });
            }
        }
        Self {
            parts,
            superseded: BTreeMap::new(),
            left_out: short.left_out + long.left_out,
            shared: Vec::new(),
            runs_differ: short.runs_differ || long.runs_differ,
        }
    }

    /// The visits of each process of each run, in the order of their blocks.
    fn blocks(&self) -> BTreeMap<(usize, u32), Vec<&Part>> {
        let mut blocks: BTreeMap<_, Vec<&Part>> = BTreeMap::new();
        for part in &self.parts {
            blocks.entry((part.place.0, part.place.1)).or_default().push(part);
        }
        blocks.values_mut().for_each(|parts| parts.sort_by_key(|part| part.place.2));
        blocks
    }

    /// Samples by what their visits have in common.
    fn by<K: Ord>(&self, common: impl Fn(Place) -> K) -> BTreeMap<K, Vec<f64>> {
        let mut samples: BTreeMap<K, Vec<f64>> = BTreeMap::new();
        for part in &self.parts {
            samples.entry(common(part.place)).or_default().extend(&part.samples);
        }
        samples
    }

    /// Where in time its visits stood.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.parts.iter().map(|part| part.place)
    }

    /// StQ2 of each visit, net where the overhead is known; of those too that later ones stand for.
    pub(super) fn middles(&self) -> BTreeMap<Place, Middle> {
        let net = |part: &Part| Some(part.middle()? - part.overhead.map_or(0.0, |overhead| overhead.middle));
        let middle = |part: &Part| Some((part.place, Middle { cycles: net(part)?, shared: part.shared }));
        let parts = self.parts.iter().chain(&self.shared).filter_map(middle);
        self.superseded.iter().map(|(place, middle)| (*place, *middle)).chain(parts).collect()
    }

    /// The figures; `None` without samples.
    pub(super) fn cell(&self, length: usize, bytes: usize, unit: Unit, noise: Option<f64>) -> Option<Cell> {
        let raw: Vec<f64> = self.parts.iter().flat_map(|part| part.samples.iter().copied()).collect();
        let net: Vec<f64> = self
            .parts
            .iter()
            .filter_map(|part| Some((part, part.overhead?.middle)))
            .flat_map(|(part, overhead)| part.samples.iter().map(move |sample| sample - overhead))
            .collect();
        let first: Vec<f64> = self.parts.iter().flat_map(|part| part.first.iter().copied()).collect();
        let processes: Vec<f64> = self
            .by(|(run, process, _)| (run, process))
            .values()
            .filter_map(|samples| stats::stabilized_median(samples))
            .collect();
        let spread = Option::zip(stats::max(&processes), stats::min(&processes)).map(|(high, low)| high - low);
        let slowdowns: Vec<f64> = self.parts.iter().filter_map(|part| part.slowdown).collect();
        let mut cell = Cell {
            length,
            bytes,
            raw: Summary::new(&raw)?,
            net: Summary::new(&net),
            first: Summary::new(&first),
            own: self.own(),
            samples: raw.len(),
            visits: self.parts.len(),
            processes: processes.len(),
            runs: self.parts.iter().map(|part| part.place.0).collect::<BTreeSet<_>>().len(),
            process_spread: spread.filter(|_| processes.len() > 1),
            slowdown: stats::median(&slowdowns),
            left_out: self.left_out,
            noise,
            marks: Vec::new(),
        };
        cell.marks = Mark::ALL.into_iter().filter(|&mark| self.deserves(&cell, mark, unit)).collect();
        Some(cell)
    }

    fn own(&self) -> Option<Own> {
        let median = |of: &dyn Fn(&Own) -> f64| {
            stats::median(&self.parts.iter().filter_map(|part| Some(of(part.own.as_ref()?))).collect::<Vec<_>>())
        };
        Some(Own { cycles: median(&|own| own.cycles)?, seconds: median(&|own| own.seconds)? })
    }

    /// Whether the hypervisor took time away during at least half of the processes: less than that moves no median much.
    fn stolen(&self) -> bool {
        let mut processes: BTreeMap<_, bool> = BTreeMap::new();
        for part in &self.parts {
            *processes.entry((part.place.0, part.place.1)).or_default() |= part.stolen;
        }
        2 * processes.values().filter(|stolen| **stolen).count() >= processes.len()
    }

    fn deserves(&self, cell: &Cell, mark: Mark, unit: Unit) -> bool {
        let [first, middle, third] = cell.best_known().quartiles;
        let largest = self.parts.iter().map(|part| part.difference).fold(0.0, f64::max);
        // Without a clock that passed its self-test the calibrations say nothing.
        let calibrated = unit == Unit::Cycles;
        match mark {
            Mark::Spread => third - first > (0.05 * middle).max(48.0),
            Mark::Processes => cell.process_spread.is_some_and(|spread| spread > (0.03 * middle).max(32.0)),
            Mark::OwnFrequency => {
                calibrated && cell.slowdown.is_some_and(|slowdown| (slowdown - 1.0).abs() > OWN_FREQUENCY)
            }
            Mark::Frequency => calibrated && largest > FREQUENCY && largest <= FREQUENCY_CHANGED,
            Mark::FrequencyChanged => calibrated && largest > FREQUENCY_CHANGED,
            Mark::Steal => self.stolen(),
            Mark::Shared => self.parts.iter().any(|part| part.shared),
            Mark::Overhead => cell.net.is_some_and(|net| {
                let distances: Vec<f64> = self.parts.iter().filter_map(|part| Some(part.overhead?.distance)).collect();
                stats::median(&distances).is_some_and(|distance| distance > 0.02 * net.middle())
            }),
            Mark::Runs => self.runs_differ,
            Mark::Ticks => !calibrated,
        }
    }
}

impl Summary {
    fn new(samples: &[f64]) -> Option<Self> {
        Some(Self {
            quartiles: stats::stabilized_quartiles(samples)?,
            classic: stats::quartiles(samples)?,
            min: stats::min(samples)?,
            mean: stats::mean(samples)?,
            deviation: stats::deviation(samples),
        })
    }
}

impl Slope {
    /// Over the multiples of the block among the long lengths; over all of them where there are not enough.
    pub(super) fn new(cells: &[Cell], block_bytes: Option<usize>) -> Option<Self> {
        let long = || cells.iter().filter(|cell| SLOPE.contains(&cell.length) && cell.bytes > 0);
        let whole = |cell: &&Cell| block_bytes.is_some_and(|block| block > 0 && cell.length.is_multiple_of(block));
        let aligned = long().filter(whole).count() >= SLOPE_LENGTHS;
        let taken: Vec<&Cell> = if aligned { long().filter(whole).collect() } else { long().collect() };
        if taken.len() < SLOPE_LENGTHS {
            return None;
        }
        let points: Vec<(f64, f64)> =
            taken.iter().map(|cell| (cell.bytes as f64, cell.best_known().middle())).collect();
        let line = stats::theil_sen(&points)?;
        Some(Self {
            cycles_per_byte: line.slope,
            fixed_cycles: line.intercept,
            lengths: taken.iter().map(|cell| cell.length).collect(),
            aligned: taken.iter().all(whole),
        })
    }
}
