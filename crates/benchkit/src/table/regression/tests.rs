use super::*;
use crate::random::Random;

/// A machine as it is measured: errors of a process (address layout) and of a block, as standard deviations.
struct Bench {
    random: Random,
    process: f64,
    block: f64,
}

impl Bench {
    /// The deviations are those found with interleaved processes on a virtual machine.
    fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), process: 0.002, block: 0.003 }
    }

    /// Normal deviate, from twelve even ones.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.random.next() as f64 / u64::MAX as f64).sum::<f64>() - 6.0
    }

    /// A cell of `cycles` in the old build, the new one `factor` times as slow, with two anchors in each block.
    fn measure(&mut self, cycles: f64, factor: f64, processes: u32, blocks: usize) -> Judgement {
        let mut differences = Vec::new();
        let mut anchors = Vec::new();
        for process in 0..processes {
            let layout = self.process * (self.normal() - self.normal());
            for _ in 0..blocks {
                let logarithm = factor.ln() + layout + self.block * (self.normal() - self.normal());
                differences.push(Difference { process, logarithm });
                anchors.push(self.block * (self.normal() - self.normal()));
            }
        }
        let noise = stats::median(&anchors).map(f64::abs);
        judge(&differences, cycles, noise, self.random.next()).unwrap()
    }

    /// The same, and again with twice the rounds if it was flagged.
    fn settled(&mut self, cycles: f64, factor: f64, processes: u32, blocks: usize) -> Verdict {
        let first = self.measure(cycles, factor, processes, blocks);
        match first.verdict {
            Verdict::Regression => confirm(&first, &self.measure(cycles, factor, 2 * processes, blocks)),
            other => other,
        }
    }
}

/// Blocks of a process by length, and cycles of a call at 2 cycles a byte.
const CELLS: [(f64, usize); 2] = [(8_192.0, 4), (131_072.0, 2)];

#[test]
fn two_percent_are_found_at_4096_and_65536_bytes_in_6_processes() {
    let mut bench = Bench::new(1);
    for (cycles, blocks) in CELLS {
        let found = (0..100).filter(|_| bench.settled(cycles, 1.02, 6, blocks) == Verdict::Regression).count();
        assert!(found >= 93, "{found} of 100 at {cycles} cycles");
    }
}

#[test]
fn twenty_repeats_of_fifty_equal_cells_give_at_most_one_flag() {
    let mut bench = Bench::new(2);
    let mut flags = 0;
    for _ in 0..20 {
        for cell in 0..50 {
            let (cycles, blocks) = [(150.0, 8), (1_500.0, 4), CELLS[0], CELLS[1], (40_000.0, 2)][cell % 5];
            flags += usize::from(bench.settled(cycles, 1.0, 6, blocks) == Verdict::Regression);
        }
    }
    assert!(flags <= 1, "{flags} flags");
}

/// Differences that all are the same.
fn same(slower: f64, processes: u32) -> Vec<Difference> {
    let logarithm = slower.ln_1p();
    (0..processes).flat_map(|process| [Difference { process, logarithm }; 4]).collect()
}

fn verdict(slower: f64, processes: u32, old: f64, noise: Option<f64>) -> Verdict {
    judge(&same(slower, processes), old, noise, 1).unwrap().verdict
}

#[test]
fn the_threshold_is_the_largest_of_three() {
    let threshold = |old, noise| judge(&same(0.1, 6), old, Some(noise), 1).unwrap().threshold;
    assert_eq!(threshold(100_000.0, 0.001), 0.01);
    assert_eq!(threshold(120.0, 0.001), 0.1);
    assert_eq!(threshold(100_000.0, 0.02), 0.04);
    for (slower, wanted) in [(0.0101, Verdict::Regression), (0.0099, Verdict::Steady), (-0.5, Verdict::Steady)] {
        assert_eq!(verdict(slower, 6, 100_000.0, Some(0.001)), wanted, "{slower}");
    }
    assert_eq!(verdict(0.09, 6, 120.0, Some(0.001)), Verdict::Steady);
    assert_eq!(verdict(0.03, 6, 100_000.0, Some(0.02)), Verdict::Steady);
}

#[test]
fn too_little_evidence_only_warns() {
    assert_eq!(verdict(0.05, 6, 10_000.0, Some(0.001)), Verdict::Regression);
    assert_eq!(verdict(0.05, 5, 10_000.0, Some(0.001)), Verdict::Warning);
    assert_eq!(verdict(0.05, 6, 10_000.0, None), Verdict::Warning);
    let one = judge(&same(0.05, 1)[..1], 10_000.0, Some(0.001), 1).unwrap();
    assert_eq!((one.interval, one.verdict), (None, Verdict::Warning));
}

#[test]
fn the_lower_end_speaks_too() {
    // The median is above the threshold, but nearly half of the blocks show nothing.
    let mut differences = same(0.0, 6);
    differences.iter_mut().step_by(2).for_each(|difference| difference.logarithm = 0.05);
    differences[1].logarithm = 0.05;
    let judgement = judge(&differences, 10_000.0, Some(0.001), 1).unwrap();
    assert!(judgement.slower > 0.01 && judgement.interval.unwrap()[0] < 0.005, "{judgement:?}");
    assert_eq!(judgement.verdict, Verdict::Steady);
}

#[test]
fn only_a_repeated_flag_counts() {
    let judgement = |slower, processes| judge(&same(slower, processes), 10_000.0, Some(0.001), 1).unwrap();
    let (flag, steady, warning) = (judgement(0.05, 6), judgement(0.0, 6), judgement(0.05, 5));
    assert_eq!(confirm(&flag, &flag), Verdict::Regression);
    assert_eq!(confirm(&flag, &steady), Verdict::Warning);
    assert_eq!(confirm(&flag, &warning), Verdict::Warning);
    assert_eq!(confirm(&steady, &steady), Verdict::Steady);
}

#[test]
fn what_is_no_number_is_not_judged() {
    assert_eq!(judge(&[], 100.0, None, 1), None);
    assert_eq!(judge(&same(0.1, 6), 0.0, None, 1), None);
    assert_eq!(judge(&same(0.1, 6), f64::NAN, None, 1), None);
    assert_eq!(judge(&[Difference { process: 0, logarithm: f64::NAN }], 100.0, None, 1), None);
    assert_eq!(judge(&same(0.1, 6), 100.0, Some(f64::INFINITY), 1), None);
}
