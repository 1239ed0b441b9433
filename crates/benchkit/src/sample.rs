//! Visits: the timed calls of one implementation at one length, between two calibrations of the clock.
//!
//! What is timed between them is a [`Timing`]: single calls, as a rule.
//!
//! A visit settles the CPU first, because some kernels lower its frequency for milliseconds after they ran and would
//! falsify their neighbour. It is tried again when its two calibrations disagree or when the system took the CPU away;
//! the tries that lost stay in the record, marked.
//!
//! A core may have a second hardware thread, and in a virtual machine a stranger may be on it: nothing that a system counts
//! shows that, nor does a chain of dependent operations, but code that keeps several units busy takes up to twice as long.
//! A wide loop beside each calibration tells. A visit waits for a moment without the stranger and is tried again when he
//! came, as long as that costs no more time than the visits themselves take.

use std::collections::VecDeque;

use crate::clock::{self, CALIBRATION, Clock, GLANCE, SHARED, WIDE};
use crate::record::{Cal, Discarded, Record};
use crate::stats;

/// Relative difference of the two calibrations above which a visit is tried again.
pub const CALIBRATIONS_AGREE: f64 = 0.002;
/// Tries after the first.
pub const RETRIES: u32 = 4;
/// How far from the usual a settled CPU may be.
const SETTLED: f64 = 0.01;
/// Glances after which a visit begins all the same.
const PATIENCE: u32 = 60;
/// First glances whose median is the usual.
const MEMORY: usize = 33;
/// Steps of the chain between two glances.
const REST: u32 = 4096;
/// Glances after which a visit begins although the core is shared.
const SHARED_PATIENCE: u32 = 20;
/// Widths of the core that are remembered.
const WIDTHS: usize = 400;

/// Limits of a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Timed calls, and untimed calls before them at most.
    pub samples: usize,
    /// Ticks after which no further untimed call begins.
    pub warm_up: u64,
    /// Ticks above which a visit makes half the timed calls, and then only one.
    pub visit: u64,
}

impl Limits {
    /// 100 microseconds of warm-up, 20 milliseconds of a visit.
    pub fn new(samples: usize, ticks_per_second: f64) -> Self {
        Self { samples, warm_up: (ticks_per_second * 100e-6) as u64, visit: (ticks_per_second * 20e-3) as u64 }
    }

    /// How many calls to time when one takes `ticks`.
    fn calls(&self, ticks: u64) -> usize {
        let fits = |calls: usize| ticks.saturating_mul(calls as u64) <= self.visit;
        [self.samples, self.samples / 2].into_iter().find(|&calls| calls > 0 && fits(calls)).unwrap_or(1)
    }
}

/// What a visit times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// Single calls, after a warm-up whose calls are stored too.
    Single,
    /// Single calls, before each of which something that is not timed is done: memory is swept.
    Cold {
        /// Timed calls.
        samples: usize,
    },
    /// Loops of so many calls, the clock read between loops only.
    Loops {
        /// Calls before the first loop.
        untimed: usize,
        /// Calls a loop.
        calls: u64,
        /// Loops.
        loops: usize,
    },
    /// Loops of so many calls until so many ticks have passed.
    Until {
        /// Calls a loop.
        calls: u64,
        /// Ticks.
        ticks: u64,
    },
}

impl Timing {
    /// Whether a visit is tried again after trouble. Long loops are not: trouble is part of what they average over.
    const fn repeats(self) -> bool {
        match self {
            Self::Single | Self::Cold { .. } => true,
            Self::Loops { untimed, .. } => untimed == 0,
            Self::Until { .. } => false,
        }
    }
}

/// One try of a visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    /// Ticks of each timed call, or loop of calls.
    pub ticks: Vec<u64>,
    /// Calls that each of them holds.
    pub calls: u64,
    /// Ticks of each call before them.
    pub untimed: Vec<u64>,
    /// Calibrations before and after.
    pub cal: [u32; 2],
    /// Times the system took the CPU away meanwhile.
    pub switches: u64,
    /// Why it does not count.
    pub discarded: Option<Discarded>,
}

/// Takes samples on one clock, for one process.
pub struct Sampler<'a, C> {
    clock: &'a C,
    process: u32,
    limits: Limits,
    usual: VecDeque<f64>,
    widths: VecDeque<f64>,
    own_width: f64,
    /// Ticks spent on visits, and ticks spent because the core was shared.
    spent: u64,
    waited: u64,
    cals: u32,
    reads: Vec<u64>,
}

impl<'a, C: Clock> Sampler<'a, C> {
    /// Learns what speed is usual here.
    pub fn new(clock: &'a C, process: u32, limits: Limits) -> Self {
        let (mut usual, mut widths) = (VecDeque::new(), VecDeque::new());
        for _ in 0..MEMORY {
            let Some(k) = glance(clock) else { continue };
            usual.push_back(k);
            widths.extend(clock::width(&clock::widths(clock, GLANCE), k));
        }
        let own_width = clock::own_width(widths.make_contiguous()).unwrap_or(1.0);
        let reads = vec![0; limits.samples + 1];
        Self { clock, process, limits, usual, widths, own_width, spent: 0, waited: 0, cals: 0, reads }
    }

    fn shared(&self, width: f64) -> bool {
        width > self.own_width * SHARED
    }

    /// Whether there is time left to wait for others to go away.
    fn patient(&self) -> bool {
        self.waited <= self.spent
    }

    /// Waits until nobody else uses the core, within limits.
    fn wait_alone(&mut self) {
        if !self.patient() {
            return;
        }
        let start = self.clock.read();
        for _ in 0..SHARED_PATIENCE {
            let width = glance(self.clock).and_then(|k| clock::width(&clock::widths(self.clock, GLANCE), k));
            if width.is_none_or(|width| !self.shared(width)) {
                break;
            }
            self.clock.chain(REST);
        }
        self.waited += self.clock.read().wrapping_sub(start);
    }

    /// Its clock.
    pub const fn clock(&self) -> &'a C {
        self.clock
    }

    /// Waits until the CPU runs at its usual speed; how many glances that took besides the first.
    fn settle(&mut self) -> u32 {
        let usual: Vec<f64> = self.usual.iter().copied().collect();
        let Some(usual) = stats::median(&usual) else { return 0 };
        for glances in 0..PATIENCE {
            let Some(k) = glance(self.clock) else { continue };
            if glances == 0 {
                if self.usual.len() == MEMORY {
                    self.usual.pop_front();
                }
                self.usual.push_back(k);
            }
            if (k / usual - 1.0).abs() <= SETTLED {
                return glances;
            }
            self.clock.chain(REST);
        }
        PATIENCE
    }

    /// The calibration, ticks a cycle, and whether the core was shared. What stands beside the visit is the wide loop.
    fn calibrate(&mut self, settled: u32, before: bool) -> (Cal, Option<f64>, bool) {
        let first = if before { Vec::new() } else { clock::widths(self.clock, WIDE) };
        let ticks = clock::calibrate(self.clock, CALIBRATION);
        let wide = if before { clock::widths(self.clock, WIDE) } else { first };
        let k = clock::ticks_per_cycle(&ticks);
        let width = k.and_then(|k| clock::width(&wide, k));
        if let Some(width) = width {
            if self.widths.len() == WIDTHS {
                self.widths.pop_front();
            }
            self.widths.push_back(width);
        }
        let cal = Cal { cal: self.cals, process: self.process, ticks, settled, wide };
        self.cals += 1;
        (cal, k, width.is_some_and(|width| self.shared(width)))
    }

    /// Times `call`; every try in order, exactly one of them not discarded. Calibrations go to `sink`. `sweep` is what
    /// [`Timing::Cold`] does before each call.
    pub fn visit(
        &mut self,
        timing: Timing,
        sweep: &mut impl FnMut(),
        call: &mut impl FnMut(),
        sink: &mut impl FnMut(Record),
    ) -> Vec<Try> {
        let mut tries: Vec<(bool, f64, Try)> = Vec::new();
        let mut settled = self.settle();
        self.own_width = clock::own_width(self.widths.make_contiguous()).unwrap_or(self.own_width);
        if timing.repeats() {
            self.wait_alone();
        }
        loop {
            let start = self.clock.read();
            let (before, k_before, shared_before) = self.calibrate(settled, true);
            let switched = self.clock.switches();
            let (untimed, calls, ticks) = self.time(timing, sweep, call);
            let switches = self.clock.switches().wrapping_sub(switched);
            let (after, k_after, shared_after) = self.calibrate(0, false);
            let shared = shared_before || shared_after;
            let difference = match (k_before, k_after) {
                (Some(before), Some(after)) => (before / after).ln().abs(),
                _ => f64::INFINITY,
            };
            let cal = [before.cal, after.cal];
            sink(Record::Cal(before));
            sink(Record::Cal(after));
            tries.push((shared, difference, Try { ticks, calls, untimed, cal, switches, discarded: None }));
            let took = self.clock.read().wrapping_sub(start);
            if tries.len() == 1 {
                self.spent += took;
            } else if tries[tries.len() - 2].0 {
                self.waited += took;
            }
            let good = difference <= CALIBRATIONS_AGREE && switches == 0 && !(shared && self.patient());
            if good || !timing.repeats() || tries.len() > RETRIES as usize {
                break;
            }
            if shared {
                self.wait_alone();
            }
            // Without settling: a kernel that lowers the frequency by itself is thereby measured at its own.
            settled = 0;
        }
        // A try without a switch is better than any with one, then one on a core of its own; then the smallest difference.
        let best = (0..tries.len())
            .min_by(|&a, &b| {
                let key = |index: usize| (tries[index].2.switches > 0, tries[index].0);
                key(a).cmp(&key(b)).then(tries[a].1.total_cmp(&tries[b].1))
            })
            .unwrap_or(0);
        for (index, (shared, _, attempt)) in tries.iter_mut().enumerate() {
            if index != best {
                attempt.discarded = Some(match (attempt.switches > 0, *shared) {
                    (true, _) => Discarded::Switch,
                    (false, true) => Discarded::Shared,
                    (false, false) => Discarded::Frequency,
                });
            }
        }
        tries.into_iter().map(|(.., attempt)| attempt).collect()
    }

    /// Ticks of the untimed calls, calls a reading, ticks of each reading.
    fn time(&mut self, timing: Timing, sweep: &mut impl FnMut(), call: &mut impl FnMut()) -> (Vec<u64>, u64, Vec<u64>) {
        match timing {
            Timing::Single => {
                let untimed = self.warm_up(self.limits.samples.max(1), call);
                let calls = self.limits.calls(untimed.iter().copied().min().unwrap_or(0));
                let reads = &mut self.reads[..=calls];
                reads[0] = self.clock.read();
                for read in &mut reads[1..] {
                    call();
                    *read = self.clock.read();
                }
                (untimed, 1, reads.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect())
            }
            Timing::Cold { samples } => {
                let mut ticks = Vec::with_capacity(samples);
                for _ in 0..samples {
                    sweep();
                    let start = self.clock.read();
                    call();
                    ticks.push(self.clock.read().wrapping_sub(start));
                }
                (Vec::new(), 1, ticks)
            }
            Timing::Loops { untimed, calls, loops } => {
                let untimed = if untimed == 0 {
                    self.warm_up(self.limits.samples.max(1), call)
                } else {
                    (0..untimed).for_each(|_| call());
                    Vec::new()
                };
                (untimed, calls, (0..loops).map(|_| self.one_loop(calls, call)).collect())
            }
            Timing::Until { calls, ticks: limit } => {
                let mut ticks = Vec::new();
                let mut spent = 0_u64;
                while spent < limit {
                    let one = self.one_loop(calls, call);
                    ticks.push(one);
                    // A clock that stands still must not keep us here.
                    spent = spent.saturating_add(one.max(1));
                }
                (Vec::new(), calls, ticks)
            }
        }
    }

    fn one_loop(&self, calls: u64, call: &mut impl FnMut()) -> u64 {
        let start = self.clock.read();
        for _ in 0..calls {
            call();
        }
        self.clock.read().wrapping_sub(start)
    }

    fn warm_up(&self, most: usize, call: &mut impl FnMut()) -> Vec<u64> {
        let mut untimed = Vec::with_capacity(most);
        let start = self.clock.read();
        let mut last = start;
        while untimed.len() < most {
            call();
            let now = self.clock.read();
            untimed.push(now.wrapping_sub(last));
            last = now;
            if now.wrapping_sub(start) > self.limits.warm_up {
                break;
            }
        }
        untimed
    }

    /// Ticks a cycle, as they usually are here.
    pub fn ticks_per_cycle(&self) -> f64 {
        let usual: Vec<f64> = self.usual.iter().copied().collect();
        stats::median(&usual).unwrap_or(1.0)
    }

    /// Ticks that one call takes, roughly: from a warm-up.
    pub fn estimate(&self, call: &mut impl FnMut()) -> u64 {
        self.warm_up(4, call).into_iter().min().unwrap_or(1).max(1)
    }
}

fn glance(clock: &impl Clock) -> Option<f64> {
    clock::ticks_per_cycle(&clock::calibrate(clock, GLANCE))
}
