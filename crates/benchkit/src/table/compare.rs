//! One implementation against another, within the same blocks of the same processes.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::Timed;
use super::{CellKey, MachineTable, NATIVE, Place, Row, State, Work};
use crate::stats;

/// How long one implementation takes by another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Algorithm id.
    pub algorithm: String,
    /// What both did.
    pub work: Work,
    /// Bytes of a message.
    pub length: usize,
    /// The one whose cycles are divided.
    pub ours: String,
    /// The one by whose cycles they are divided.
    pub peer: String,
    /// Cycles of `ours` by those of `peer`: below 1, ours is faster. Median over (process, block) of the ratio of the
    /// StQ2 of the two visits, overhead subtracted where it is known.
    pub ratio: f64,
    /// 95 % interval by bootstrap over (process, block); `None`: there was one pair. See
    /// [`stats::bootstrap_median`] for fewer than six.
    pub interval: Option<[f64; 2]>,
    /// Blocks that both were visited in.
    pub pairs: usize,
    /// |median of ln(second anchor / first anchor)| in the same blocks.
    pub noise: Option<f64>,
}

/// A/A above which nothing is called within noise.
pub(super) const NOISY: f64 = 0.01;
/// With fewer pairs on a core of their own, those on a shared core are taken as well.
const PAIRS: usize = 3;

impl Comparison {
    /// Whether the ratio is at most `bound` as far as can be told: the lower end of its interval is. `None`: it cannot be
    /// told, because the A/A is above 1 % or unknown or there is no interval; measure again, with twice the rounds.
    pub fn within_noise(&self, bound: f64) -> Option<bool> {
        let quiet = self.noise.is_some_and(|noise| noise <= NOISY);
        self.interval.filter(|_| quiet).map(|[lower, _]| lower <= bound)
    }
}

impl MachineTable {
    /// Compares two implementations of an algorithm at one length; `None`: they were in no block together, or one of
    /// them does not count.
    pub fn compare(&self, algorithm: &str, work: Work, length: usize, ours: &str, peer: &str) -> Option<Comparison> {
        let (places, logarithms): (Vec<Place>, Vec<f64>) =
            self.logarithms(algorithm, work, length, ours, peer).into_iter().unzip();
        // The seed follows from what is compared, so that the same records give the same interval.
        let seed = fnv(&[algorithm, &work.to_string(), &length.to_string(), ours, peer]);
        Some(Comparison {
            algorithm: algorithm.to_owned(),
            work,
            length,
            ours: ours.to_owned(),
            peer: peer.to_owned(),
            ratio: stats::median(&logarithms)?.exp(),
            interval: stats::bootstrap_median(&logarithms, seed)
                .map(|interval| [interval.lower.exp(), interval.upper.exp()]),
            pairs: logarithms.len(),
            noise: self.anchors.noise(algorithm, work, length, &places),
        })
    }

    /// ln(ours / peer) in each block that both were visited in.
    pub(super) fn logarithms(
        &self,
        algorithm: &str,
        work: Work,
        length: usize,
        ours: &str,
        peer: &str,
    ) -> Vec<(Place, f64)> {
        let middles = |implementation: &str| {
            self.middles.get(&CellKey {
                algorithm: algorithm.to_owned(),
                implementation: implementation.to_owned(),
                work,
                length,
            })
        };
        let (Some(a), Some(b)) = (middles(ours), middles(peer)) else { return Vec::new() };
        let mut pairs: Vec<(Place, f64, bool)> = a
            .iter()
            .filter_map(|(place, a)| Some((*place, a, b.get(place)?)))
            .map(|(place, a, b)| (place, (a.cycles / b.cycles).ln(), a.shared || b.shared))
            .filter(|(_, logarithm, _)| logarithm.is_finite())
            .collect();
        // Where both were measured again, that is what counts.
        let again = |place: &Place| self.repeats.get(&place.0).is_some_and(|first| place.1 >= *first);
        let runs: BTreeSet<usize> =
            pairs.iter().filter(|(place, ..)| again(place)).map(|(place, ..)| place.0).collect();
        pairs.retain(|(place, ..)| !runs.contains(&place.0) || again(place));
        let enough = pairs.iter().filter(|(.., shared)| !shared).count() >= PAIRS;
        pairs.retain(|(.., shared)| !(enough && *shared));
        pairs.into_iter().map(|(place, logarithm, _)| (place, logarithm)).collect()
    }

    /// The row of an implementation that does some work.
    pub fn row(&self, algorithm: &str, implementation: &str, work: Work) -> Option<&Row> {
        self.rows
            .iter()
            .find(|row| row.algorithm == algorithm && row.implementation == implementation && row.work == Some(work))
    }

    /// The best of ours against the best of the others, at every length of every algorithm and work.
    pub(super) fn compare_best(&self) -> Vec<Comparison> {
        let mut groups: Vec<(&str, Work)> = Vec::new();
        for row in &self.rows {
            if let Some(work) = row.work.filter(|work| work.profile.interleaved())
                && groups.last() != Some(&(&row.algorithm, work))
            {
                groups.push((&row.algorithm, work));
            }
        }
        let lengths = &self.lengths();
        // The two builds are never in one process: each is compared within itself.
        let builds = groups.into_iter().flat_map(|group| [(group, false), (group, true)]);
        builds
            .flat_map(|((algorithm, work), native)| {
                lengths.iter().filter_map(move |&length| self.best(algorithm, work, length, native))
            })
            .collect()
    }

    fn best(&self, algorithm: &str, work: Work, length: usize, native: bool) -> Option<Comparison> {
        let rows = |ours: bool| {
            self.rows
                .iter()
                .filter(move |row| row.algorithm == algorithm && row.work == Some(work) && row.ours == Some(ours))
                .filter(move |row| row.state == State::Measured && row.implementation.ends_with(NATIVE) == native)
                .filter_map(move |row| Some((&*row.implementation, row.cell(length)?.best_known().middle())))
        };
        let (ours, _) = rows(true).min_by(|a, b| a.1.total_cmp(&b.1))?;
        let ratio = |peer: &str| {
            let logarithms = self.logarithms(algorithm, work, length, ours, peer).into_iter();
            stats::median(&logarithms.map(|(_, logarithm)| logarithm).collect::<Vec<_>>())
        };
        // Cycles of one process are not to be set against those of another: ours by each is, within its blocks.
        let (peer, _) =
            rows(false).filter_map(|(peer, _)| Some((peer, ratio(peer)?))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        self.compare(algorithm, work, length, ours, peer)
    }
}

/// ln(second anchor / first anchor) of each block, by algorithm, work and length; and whether the core was shared.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Anchors(BTreeMap<(String, Work, usize), Pairs>);

type Pairs = BTreeMap<Place, (f64, bool)>;

impl Anchors {
    /// From the visits to anchors that are steady.
    pub(super) fn new(visits: &[Timed], steady: impl Fn(&Timed) -> bool) -> Self {
        type Both = BTreeMap<Place, [Option<(f64, bool)>; 2]>;
        let mut pairs: BTreeMap<(String, Work, usize), Both> = BTreeMap::new();
        for visit in visits.iter().filter(|visit| steady(visit)) {
            if let Some(which @ (1 | 2)) = visit.anchor {
                let key = (visit.key.algorithm.clone(), visit.key.work, visit.key.length);
                pairs.entry(key).or_default().entry(visit.place).or_default()[usize::from(which) - 1] =
                    Some((visit.middle, visit.shared));
            }
        }
        let ratio = |(place, [a, b]): (Place, [Option<(f64, bool)>; 2])| {
            let ((a, a_shared), (b, b_shared)) = (a?, b?);
            Some((place, ((b / a).ln(), a_shared || b_shared)))
        };
        Self(pairs.into_iter().map(|(key, pairs)| (key, pairs.into_iter().filter_map(ratio).collect())).collect())
    }

    /// |median| over the blocks at these places.
    pub(super) fn noise<'a>(
        &self,
        algorithm: &str,
        work: Work,
        length: usize,
        places: impl IntoIterator<Item = &'a Place>,
    ) -> Option<f64> {
        let blocks = self.0.get(&(algorithm.to_owned(), work, length))?;
        let places: BTreeSet<&Place> = places.into_iter().collect();
        let all: Vec<(f64, bool)> = places.into_iter().filter_map(|place| blocks.get(place).copied()).collect();
        let logarithms =
            |shared: bool| -> Vec<f64> { all.iter().filter(|pair| shared || !pair.1).map(|pair| pair.0).collect() };
        let alone = logarithms(false);
        stats::median(&if alone.len() >= PAIRS { alone } else { logarithms(true) }).map(f64::abs)
    }
}

/// FNV-1a over the words, each closed by a byte that none contains.
fn fnv(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
