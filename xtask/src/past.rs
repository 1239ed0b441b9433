//! What the records of a run that was cut short already hold, and what they lack.

use std::collections::{BTreeMap, BTreeSet};

use benchkit::clock::choose::Choice as Clock;
use benchkit::profile::Profile;
use benchkit::protocol::{AlgorithmInfo, Cell, Planned, PlannedLength};
use benchkit::record::{End, Process, Record, Repeat, Run, Start, Unit, Visit};
use benchkit::suite::Operation;

use crate::plan::Job;

/// Outcomes of a run that came to its own end begin with one of these.
pub(crate) const COMPLETE: &str = "complete";
/// See [`COMPLETE`].
pub(crate) const WENT_WRONG: &str = "something went wrong";

/// Whether a run with that last line came to its own end.
pub(crate) fn is_finished(end: &End) -> bool {
    [COMPLETE, WENT_WRONG].iter().any(|outcome| end.outcome.starts_with(outcome))
}

/// The clock of a process, if its self-test passed.
pub(crate) fn clock(process: &Process) -> Option<Clock> {
    Clock::ALL.into_iter().find(|clock| clock.name() == process.clock && process.unit == Unit::Cycles)
}

/// What happened before. Of a new run: nothing.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// The head.
    pub(crate) run: Option<Box<Run>>,
    /// By id.
    pub(crate) algorithms: BTreeMap<String, AlgorithmInfo>,
    /// Rows without an implementation.
    pub(crate) absent: BTreeSet<Cell>,
    /// What was checked, and whether it passed.
    pub(crate) kats: BTreeMap<Cell, bool>,
    /// Cells that were timed, and whether every digest was right.
    pub(crate) timed: BTreeMap<Cell, bool>,
    /// What was to be measured again.
    pub(crate) repeat: Option<Repeat>,
    /// The clock of the first process whose self-test passed.
    pub(crate) clock: Option<Clock>,
    /// Visits, discarded ones among them.
    pub(crate) visits: u64,
    /// Processes in the order in which they were started.
    starts: Vec<Started>,
    ended: BTreeSet<u32>,
    blocks: BTreeMap<u32, BTreeMap<u32, Vec<Seat>>>,
    /// Blocks that an earlier resumption knew to be cut short.
    cut: BTreeSet<[u32; 2]>,
    highest: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Started {
    start: Start,
    /// The run stopped before another process was started.
    stopped: bool,
}

/// One visit, as far as it tells whether its block is whole.
#[derive(Debug)]
struct Seat {
    piece: Piece,
    length: usize,
    /// `None`: an anchor.
    implementation: Option<String>,
    anchor: Option<u8>,
    /// Not discarded: the last try of its visit is there.
    counts: bool,
}

/// What tells the pieces of a process's plan apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    algorithm: String,
    operation: Operation,
    profile: Profile,
    messages: usize,
}

/// What is left to do of one part of a round.
#[derive(Debug)]
pub(crate) enum Left {
    /// It was never begun.
    All,
    /// It was cut short.
    Some(Vec<Planned>),
    /// Nothing, or its worker failed and would again.
    Nothing,
}

impl Past {
    /// What these records tell.
    pub(crate) fn new(records: Vec<Record>) -> Self {
        let mut past = Self::default();
        for record in records {
            past.take(record);
        }
        past.stop();
        past
    }

    fn take(&mut self, record: Record) {
        let cell = |algorithm: &str, implementation: &str| Cell {
            algorithm: algorithm.to_owned(),
            implementation: implementation.to_owned(),
        };
        match record {
            Record::Run(run) => self.run = Some(run),
            Record::Algorithm(algorithm) => {
                self.algorithms.insert(algorithm.id.clone(), *algorithm);
            }
            Record::Absent(row) => {
                self.absent.insert(cell(&row.algorithm, &row.implementation));
            }
            Record::Kat(kat) => {
                let passed = self.kats.entry(cell(&kat.algorithm, &kat.implementation)).or_insert(true);
                *passed &= kat.ok;
            }
            Record::Start(start) => {
                self.highest = self.highest.max(Some(start.process));
                self.starts.push(Started { start, stopped: false });
            }
            Record::Process(process) => {
                self.highest = self.highest.max(Some(process.process));
                self.clock = self.clock.or_else(|| clock(&process));
            }
            Record::ProcessEnd(end) => {
                self.ended.insert(end.process);
            }
            Record::Visit(visit) => self.visited(visit),
            Record::Repeat(repeat) => self.repeat = Some(repeat),
            Record::Resume(resume) => {
                self.cut.extend(resume.cut);
                self.stop();
            }
            Record::End(_) => self.stop(),
            Record::Cal(_) | Record::Overhead(_) => {}
        }
    }

    fn stop(&mut self) {
        if let Some(last) = self.starts.last_mut() {
            last.stopped = true;
        }
    }

    fn visited(&mut self, visit: Visit) {
        self.visits += 1;
        self.highest = self.highest.max(Some(visit.process));
        if visit.anchor.is_none() {
            let cell = Cell { algorithm: visit.algorithm.clone(), implementation: visit.implementation.clone() };
            *self.timed.entry(cell).or_insert(true) &= visit.digest_ok;
        }
        let seats = self.blocks.entry(visit.process).or_default().entry(visit.block).or_default();
        let (operation, profile, messages) = (visit.operation, visit.profile, visit.messages);
        seats.push(Seat {
            piece: Piece { algorithm: visit.algorithm, operation, profile, messages },
            length: visit.length,
            implementation: visit.anchor.is_none().then_some(visit.implementation),
            anchor: visit.anchor,
            counts: visit.discarded.is_none(),
        });
    }

    /// Number of the next process.
    pub(crate) fn next_process(&self) -> u32 {
        self.highest.map_or(0, |highest| highest + 1)
    }

    /// Whether it holds processes of which it does not say what part of the run they did.
    pub(crate) fn is_of_old(&self) -> bool {
        self.starts.is_empty() && self.highest.is_some()
    }

    /// The processes that did that part, in order.
    fn of(&self, round: u32, part: u32) -> impl Iterator<Item = &Started> {
        self.starts.iter().filter(move |started| (started.start.round, started.start.part) == (round, part))
    }

    /// What is left to do of a part.
    pub(crate) fn left(&self, round: u32, part: u32, job: &Job) -> Left {
        let Some(last) = self.of(round, part).last() else { return Left::All };
        if !last.stopped || self.ended.contains(&last.start.process) {
            return Left::Nothing;
        }
        let mut done: BTreeMap<(Piece, usize), u32> = BTreeMap::new();
        for started in self.of(round, part) {
            for seats in self.blocks.get(&started.start.process).into_iter().flat_map(BTreeMap::values) {
                if is_whole(seats, job)
                    && let Some(seat) = seats.first()
                {
                    *done.entry((seat.piece.clone(), seat.length)).or_default() += 1;
                }
            }
        }
        let mut rest = Vec::new();
        for planned in &job.plan {
            let lacking = |length: &PlannedLength| {
                let done = done.get(&(Piece::of(planned), length.bytes)).copied().unwrap_or(0);
                let visits = length.visits.saturating_sub(done);
                (visits > 0).then_some(PlannedLength { visits, ..*length })
            };
            let lengths: Vec<PlannedLength> = planned.lengths.iter().filter_map(lacking).collect();
            if !lengths.is_empty() {
                rest.push(Planned { lengths, ..planned.clone() });
            }
        }
        if rest.is_empty() { Left::Nothing } else { Left::Some(rest) }
    }

    /// Blocks that were cut short and that no record says so of yet: process, block. `job` finds the part of a round.
    pub(crate) fn cut<'a>(&self, job: impl Fn(u32, u32) -> Option<&'a Job>) -> Vec<[u32; 2]> {
        let mut cut = Vec::new();
        for Started { start, stopped } in &self.starts {
            let Some(job) = job(start.round, start.part).filter(|_| *stopped) else { continue };
            for (block, seats) in self.blocks.get(&start.process).into_iter().flatten() {
                if !is_whole(seats, job) && !self.cut.contains(&[start.process, *block]) {
                    cut.push([start.process, *block]);
                }
            }
        }
        cut
    }

    /// Processes that ended before their time while the run went on, with their parts.
    pub(crate) fn broken(&self) -> impl Iterator<Item = Start> {
        let broken = |started: &&Started| !started.stopped && !self.ended.contains(&started.start.process);
        self.starts.iter().filter(broken).map(|started| started.start)
    }
}

impl Piece {
    fn of(planned: &Planned) -> Self {
        Self {
            algorithm: planned.algorithm.clone(),
            operation: planned.operation,
            profile: planned.profile,
            messages: planned.messages.max(1),
        }
    }
}

/// Whether everyone that the plan puts into the block was visited in it to the end.
fn is_whole(seats: &[Seat], job: &Job) -> bool {
    let Some(first) = seats.first() else { return false };
    let Some(planned) = job.plan.iter().find(|planned| Piece::of(planned) == first.piece) else { return false };
    let visited = |name: &String| seats.iter().any(|seat| seat.counts && seat.implementation.as_ref() == Some(name));
    let anchors = || [1, 2].iter().all(|which| seats.iter().any(|seat| seat.counts && seat.anchor == Some(*which)));
    planned.implementations.iter().all(visited) && (!planned.profile.interleaved() || anchors())
}
