//! A run that measures: what goes into its file, and what went wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use benchkit::clock::choose::Choice as Clock;
use benchkit::protocol::{Cell, Measure, Planned};
use benchkit::random::Random;
use benchkit::record::{self, AbsentRow, End, Kat, Record, Repeat, Resume, Run, Start, Visit};
use benchkit::table::Tables;

use crate::catalog::{Catalog, Choice, Worker};
use crate::exit::{Exit, Failure};
use crate::gate::{self, Listener};
use crate::out::{self, tame};
use crate::past::{self, Left, Past};
use crate::plan::{self, Job, Plan, Settings};
use crate::progress::Progress;
use crate::store::Journal;
use crate::time::Utc;
use crate::worker::{self, Setup};
use crate::{again, interrupt, native, resume};

/// The environment of a process is longer by up to so many bytes, which moves its stack.
const MOST_PADDING: usize = 4096;

/// What a session measures.
pub(crate) struct Task<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) choices: &'a [Choice<'a>],
    pub(crate) settings: &'a Settings,
    pub(crate) root: &'a Path,
    pub(crate) rounds: u32,
    pub(crate) cpu: Option<usize>,
    pub(crate) clock: Option<Clock>,
    pub(crate) seed: u64,
    /// Whether noisy and undecided cells are measured again.
    pub(crate) again: bool,
}

/// One part of a round, and the random choices that belong to it.
struct Slot<'a> {
    round: u32,
    part: u32,
    job: &'a Job,
    seed: u64,
    padding: usize,
}

/// A run that goes on: its file, and what happened so far.
pub(crate) struct Session {
    journal: Journal,
    /// What happened before it was taken up again.
    past: Past,
    /// Bytes of a line that was cut short; `None`: nothing was taken up again.
    cut_bytes: Option<u64>,
    visits: u64,
    process: u32,
    visited: BTreeSet<Cell>,
    failed: BTreeSet<Cell>,
    wrong: BTreeSet<Cell>,
    /// What went wrong besides wrong digests; each sentence once, with how often.
    problems: BTreeMap<String, u32>,
    /// The last problem of each worker, by its index.
    broken: BTreeMap<usize, String>,
    /// The clock of the first process whose self-test passed: all later ones use it, so that the run is one table.
    clock: Option<Clock>,
}

impl Session {
    /// A new run.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(crate) fn begin(journal: Journal, catalog: &Catalog, head: Run) -> Result<Self, Failure> {
        let mut session = Self::new(journal, catalog, Past::default(), None);
        session.journal.append(&Record::Run(Box::new(head)))?;
        Ok(session)
    }

    /// A run that was cut short.
    pub(crate) fn go_on(journal: Journal, catalog: &Catalog, past: Past, cut_bytes: u64) -> Self {
        Self::new(journal, catalog, past, Some(cut_bytes))
    }

    fn new(journal: Journal, catalog: &Catalog, past: Past, cut_bytes: Option<u64>) -> Self {
        let cells = |of: &BTreeMap<Cell, bool>, wanted: fn(bool) -> bool| {
            of.iter().filter(|(_, good)| wanted(**good)).map(|(cell, _)| cell.clone()).collect()
        };
        Self {
            journal,
            visits: past.visits,
            process: past.next_process(),
            visited: cells(&past.timed, |_| true),
            failed: cells(&past.kats, |passed| !passed),
            wrong: cells(&past.timed, |right| !right),
            problems: catalog.problems.iter().map(|problem| (problem.clone(), 1)).collect(),
            broken: BTreeMap::new(),
            clock: past.clock,
            past,
            cut_bytes,
        }
    }

    /// Its file.
    pub(crate) fn path(&self) -> &Path {
        self.journal.path()
    }

    fn problem(&mut self, progress: &Progress, text: &str) {
        let times = self.problems.entry(text.into()).or_insert(0);
        *times += 1;
        if *times == 1 {
            progress.say(&format!("warning: {text}"));
        }
    }

    /// Measures what the records lack.
    ///
    /// # Errors
    ///
    /// The user stopped it, or the disk takes no more.
    pub(crate) fn measure(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        if let Some(cut_bytes) = self.cut_bytes {
            self.take_up(task, cut_bytes)?;
        }
        for choice in task.choices.iter().filter(|choice| !self.past.algorithms.contains_key(&choice.algorithm.id)) {
            self.journal.append(&Record::Algorithm(Box::new(choice.algorithm.clone())))?;
        }
        for row in resume::new_rows(plan::absent(task.choices), &self.past) {
            self.journal.append(&Record::Absent(row))?;
        }
        self.check(task)?;
        let plan = Plan::new(task.choices, task.settings, &self.failed)?;
        let mut random = Random::new(task.seed);
        let first = slots(&plan, 1..=task.rounds, &mut random);
        self.slots(task, &plan, &first, |round| format!("round {round} of {}", task.rounds))?;
        if !task.again {
            return Ok(());
        }
        let repeat = self.repeat(task, &plan)?;
        let plan = again::plan(&plan, &again::ours(task.choices), repeat.cells.iter());
        let last = task.rounds + repeat.rounds;
        let second = slots(&plan, task.rounds + 1..=last, &mut random);
        self.slots(task, &plan, &second, |round| {
            format!("noisy cells again, round {} of {}", round - task.rounds, repeat.rounds)
        })
    }

    /// What is measured again: as the records say, or, if they do not say yet, what its figures call for.
    fn repeat(&mut self, task: &Task<'_>, plan: &Plan) -> Result<Repeat, Failure> {
        if let Some(repeat) = &self.past.repeat {
            return Ok(repeat.clone());
        }
        let tables = Tables::build(&[record::read(self.path())]);
        let (cells, left_out) = again::choose(plan, &again::ours(task.choices), &tables, task.rounds, task.seed);
        let repeat = Repeat { process: self.process, rounds: 2 * task.rounds, cells, left_out };
        if repeat.cells.is_empty() && left_out == 0 {
            return Ok(repeat);
        }
        let more = if left_out > 0 { format!("; for {left_out} others there is no time") } else { String::new() };
        out::say(&format!("measuring {} noisy or undecided cells again{more}", repeat.cells.len()));
        self.journal.append(&Record::Repeat(repeat.clone()))?;
        Ok(repeat)
    }

    /// Says in the records that the run goes on, and which blocks do not count.
    fn take_up(&mut self, task: &Task<'_>, cut_bytes: u64) -> Result<(), Failure> {
        let plan = Plan::new(task.choices, task.settings, &self.failed)?;
        let repeated = self.past.repeat.iter().flat_map(|repeat| &repeat.cells);
        let repeated = again::plan(&plan, &again::ours(task.choices), repeated);
        let job = |round: u32, part: u32| {
            let plan = if round > task.rounds { &repeated } else { &plan };
            plan.jobs.get(part as usize)
        };
        let cut = self.past.cut(job);
        for job in self.past.broken().filter_map(|start| job(start.round, start.part)) {
            let package = &task.catalog.workers[job.worker].program.package;
            *self.problems.entry(format!("the worker of {package} stopped before its end")).or_insert(0) += 1;
            self.broken.insert(job.worker, "its worker stopped before its end".into());
        }
        self.journal.append(&Record::Resume(Resume { resumed: Utc::now().rfc3339(), cut, cut_bytes }))
    }

    /// Runs a process for each part of a round that the records lack, or lack some of.
    fn slots(
        &mut self,
        task: &Task<'_>,
        plan: &Plan,
        slots: &[Slot<'_>],
        name: impl Fn(u32) -> String,
    ) -> Result<(), Failure> {
        let mut todo: Vec<(&Slot<'_>, Job, bool)> = Vec::new();
        for slot in slots {
            match self.past.left(slot.round, slot.part, slot.job) {
                Left::Nothing => {}
                Left::All => todo.push((slot, slot.job.clone(), true)),
                Left::Some(rest) => todo.push((slot, Job { plan: rest, ..slot.job.clone() }, false)),
            }
        }
        let mut progress = Progress::new(todo.iter().map(|(_, job, _)| plan.process(job)).sum());
        let mut round = 0;
        for (slot, job, whole) in todo {
            let place = name(slot.round);
            if slot.round != round {
                progress.part(&place);
                round = slot.round;
            }
            let process = self.process;
            self.process += 1;
            let start = Start { process, round: slot.round, part: slot.part };
            self.journal.append(&Record::Start(start))?;
            // The rest of a process that was cut short is not to repeat its choices.
            let seed = if whole { slot.seed } else { Random::new(slot.seed ^ u64::from(process) << 32).next() >> 11 };
            let request = Measure {
                process,
                seed,
                cpu: task.cpu,
                samples: task.settings.samples,
                plan: job.plan.iter().map(plain).collect(),
                anchors: true,
                clock: task.clock.or(self.clock),
            };
            self.process(task, plan, &job, &request, slot.padding, &place, &mut progress)?;
        }
        Ok(())
    }

    fn check(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        let done: BTreeSet<Cell> = self.past.kats.keys().cloned().collect();
        let cells = plan::cells(task.choices).into_values().flatten().filter(|cell| !done.contains(cell)).count();
        if cells == 0 {
            return Ok(());
        }
        let lengths = task.settings.all_lengths();
        let expected = plan::check(&lengths);
        let progress = Progress::new(expected * cells as u32);
        progress.part("checking known answers");
        let mut checking = Checking { session: self, progress, expected };
        gate::check(task.catalog, task.choices, &done, &lengths, task.root, &mut checking)
    }

    /// Runs one process to its end and keeps every record that it gives.
    #[expect(clippy::too_many_arguments, reason = "they are what a process is")]
    fn process(
        &mut self,
        task: &Task<'_>,
        plan: &Plan,
        job: &Job,
        request: &Measure,
        padding: usize,
        place: &str,
        progress: &mut Progress,
    ) -> Result<(), Failure> {
        let worker = &task.catalog.workers[job.worker];
        let setup = Setup { environment: Some(&job.environment), padding, folder: Some(task.root) };
        let mut command = worker::command(worker.path(&job.environment), "measure", Some(request), &setup);
        let package = &worker.program.package;
        let mut complaints = Vec::new();
        let mut expected = plan.process(job);
        let mut finished = false;
        let end = worker::run(
            &mut command,
            |line| {
                match serde_json::from_str::<Record>(&line) {
                    Ok(record) => {
                        let record = native::renamed(record, &job.environment);
                        self.journal.append(&record)?;
                        finished |= matches!(record, Record::ProcessEnd(_));
                        if let Record::Process(process) = &record {
                            self.clock = self.clock.or_else(|| past::clock(process));
                            let done = plan::PROCESS.min(expected);
                            expected -= done;
                            progress.advance(done, place);
                        }
                        if let Record::Visit(visit) = record {
                            let done = self.visited(plan, worker, &visit).min(expected);
                            expected -= done;
                            progress.advance(done, &format!("{place}: {} {}", visit.algorithm, visit.implementation));
                        }
                    }
                    Err(_) => {
                        let text =
                            format!("the worker of {package} wrote something that is no record: {}", tame(&line));
                        self.problem(progress, &text);
                        self.broken.insert(job.worker, "its worker wrote no record of it".into());
                    }
                }
                Ok::<(), Failure>(())
            },
            |text| complaints.push(format!("{package}: {text}")),
        )?;
        for complaint in complaints {
            progress.say(&complaint);
        }
        progress.advance(expected, place);
        let how = match end {
            worker::End::Interrupted => return Err(Failure::interrupted()),
            worker::End::Broken(how) => how,
            worker::End::Status(_) if !finished => "stopped before its end".into(),
            worker::End::Status(_) => return interrupt::check(),
        };
        self.problem(progress, &format!("the worker of {package} {how}"));
        self.broken.insert(job.worker, format!("its worker {how}"));
        interrupt::check()
    }

    /// Counts a visit; how long it was expected to take.
    fn visited(&mut self, plan: &Plan, worker: &Worker, visit: &Visit) -> Duration {
        self.visits += 1;
        if visit.anchor.is_none() {
            let cell = Cell { algorithm: visit.algorithm.clone(), implementation: visit.implementation.clone() };
            let known = |cell: &Cell| worker.algorithms.iter().any(|algorithm| algorithm.id == cell.algorithm);
            if !visit.digest_ok && known(&cell) {
                self.wrong.insert(cell.clone());
            }
            self.visited.insert(cell);
        }
        if visit.attempt == 0 { plan.visit(visit.length, visit.messages) } else { Duration::ZERO }
    }

    /// Writes the last line.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(crate) fn end(&mut self, outcome: &str) -> Result<(), Failure> {
        let end = End { ended: Utc::now().rfc3339(), visits: self.visits, outcome: outcome.into() };
        self.journal.append(&Record::End(end))
    }

    /// Writes what is left to say, tells the user, and decides the exit status.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(crate) fn finish(&mut self, choices: &[Choice<'_>], interrupted: bool) -> Result<Exit, Failure> {
        let mut exit = Exit::Good;
        if interrupted {
            exit = Exit::Interrupted;
        } else {
            // A cell that was planned and has nothing to show keeps its row.
            for ((worker, _), cells) in plan::cells(choices) {
                let Some(reason) = self.broken.get(&worker).cloned() else { continue };
                for cell in cells.into_iter().filter(|cell| !self.visited.contains(cell) && !self.failed.contains(cell))
                {
                    let Cell { algorithm, implementation } = cell;
                    let row = AbsentRow { algorithm, implementation, reason: reason.clone(), remedy: None };
                    self.journal.append(&Record::Absent(row))?;
                }
            }
        }
        let mut outcome = match (interrupted, self.problems.is_empty()) {
            (true, _) => "interrupted".to_owned(),
            (false, true) => past::COMPLETE.to_owned(),
            (false, false) => past::WENT_WRONG.to_owned(),
        };
        for (problem, times) in &self.problems {
            let often = if *times > 1 { format!(" ({times} times)") } else { String::new() };
            outcome.push_str(&format!("; {problem}{often}"));
            if *times > 1 {
                out::warn(&format!("{problem}{often}"));
            }
        }
        if !self.problems.is_empty() {
            exit = exit.worse(Exit::Incomplete);
        }
        if !self.wrong.is_empty() || !self.failed.is_empty() {
            exit = exit.worse(Exit::WrongDigest);
        }
        for cell in &self.wrong {
            out::say(&format!(
                "DIGEST FAIL: {} {} gave a wrong digest while it was timed",
                cell.algorithm, cell.implementation
            ));
        }
        if interrupted {
            out::say("interrupted; what was measured until then is in the table and in the records");
        }
        self.end(&outcome)?;
        Ok(exit)
    }
}

/// The same under the names by which the worker knows its implementations.
fn plain(planned: &Planned) -> Planned {
    let names = planned.implementations.iter().map(|name| native::plain(name).to_owned());
    Planned { implementations: names.collect(), ..planned.clone() }
}

/// The parts of some rounds in the order in which they are measured: in each round another one.
fn slots<'a>(plan: &'a Plan, rounds: std::ops::RangeInclusive<u32>, random: &mut Random) -> Vec<Slot<'a>> {
    let mut slots = Vec::new();
    for round in rounds {
        // The two builds of a worker are measured one behind the other, now this one first and now that one.
        let mut pairs: Vec<Vec<(u32, &Job)>> = Vec::new();
        for (part, job) in (0..).zip(&plan.jobs) {
            let waits = |pair: &&mut Vec<(u32, &Job)>| {
                pair.len() == 1 && pair[0].1.worker == job.worker && pair[0].1.environment.is_empty()
            };
            let partner = pairs.iter_mut().find(waits).filter(|_| native::is_native(&job.environment));
            match partner {
                Some(pair) => pair.push((part, job)),
                None => pairs.push(vec![(part, job)]),
            }
        }
        random.shuffle(&mut pairs);
        pairs.iter_mut().for_each(|pair| random.shuffle(pair));
        for (part, job) in pairs.into_iter().flatten() {
            let (seed, padding) = (random.next() >> 11, random.below(MOST_PADDING));
            slots.push(Slot { round, part, job, seed, padding });
        }
    }
    slots
}

/// The gate of a run: what it finds goes to the file.
struct Checking<'a> {
    session: &'a mut Session,
    progress: Progress,
    /// What one check is expected to take.
    expected: Duration,
}

impl Listener for Checking<'_> {
    fn checked(&mut self, kat: Kat) -> Result<(), Failure> {
        let what = format!("known answers: {} {}", kat.algorithm, kat.implementation);
        self.progress.advance(self.expected, &what);
        if !kat.ok {
            let reason = kat.failure.as_deref().unwrap_or("it does not say why");
            self.progress.say(&format!("KAT FAIL: {} {}: {reason}", kat.algorithm, kat.implementation));
            let cell = Cell { algorithm: kat.algorithm.clone(), implementation: kat.implementation.clone() };
            self.session.failed.insert(cell);
        }
        self.session.journal.append(&Record::Kat(kat))
    }

    fn note(&mut self, text: &str) {
        self.session.problem(&self.progress, text);
    }
}
