//! `cargo xtask bench`, from the plan to the last record.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use benchkit::clock::choose::Choice as Clock;
use benchkit::profile::Profile;
use benchkit::protocol::{Cell, Measure};
use benchkit::random::Random;
use benchkit::record::{AbsentRow, Build, End, Kat, Record, Run, SCHEMA, Visit};

use crate::build::{self, Show};
use crate::catalog::{Catalog, Choice, Worker};
use crate::exit::{Exit, Failure, Outcome};
use crate::gate::{self, Listener};
use crate::out::{self, tame};
use crate::plan::{self, Effort, Job, Plan, Settings};
use crate::progress::Progress;
use crate::store::{Journal, Results};
use crate::time::{Utc, rough};
use crate::worker::{self, Setup};
use crate::{cli, cpu, discover, doctor, facts, interrupt, lock, report};

/// The environment of a process is longer by up to so many bytes, which moves its stack.
const MOST_PADDING: usize = 4096;

/// Measures, or with `--dry-run` says what would be measured.
pub(crate) fn run(options: &cli::Bench) -> Outcome {
    let effort = match (options.quick, options.publish) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Publish,
        _ => Effort::Usual,
    };
    let settings = Settings {
        effort,
        lengths: options.length.clone(),
        operations: options.operation.clone(),
        profiles: options
            .profile
            .iter()
            .flat_map(|profiles| match profiles {
                cli::Profiles::One(profile) => vec![*profile],
                cli::Profiles::All => Profile::ALL.to_vec(),
            })
            .collect(),
        samples: options.samples as usize,
    };
    let rounds = options.rounds.unwrap_or(effort.rounds());
    let cpu = cpu::choose(options.cpu)?;
    let workspace = discover::workspace()?;
    let machine = facts::machine();
    if options.strict {
        doctor::admit(&machine, cpu)?;
    }
    // What would stop the run is looked for before the workers are built.
    let results = Results::of(&workspace.root);
    let reserved = if options.dry_run {
        None
    } else {
        let stored = results.reserve(&machine.slug, options.name.as_deref())?;
        Some((lock::take(&stored.name)?, stored))
    };

    let programs = build::build(&workspace, Show::Everything)?;
    let build = if options.dry_run { Build::default() } else { facts::build(&workspace.root, &programs) };
    let catalog = Catalog::gather(programs)?;
    let choices = catalog.choose(&options.algorithm, &options.implementation, options.no_peers)?;
    let expected = Plan::new(&choices, &settings, &BTreeSet::new())?;
    let summary = summary(&choices, &expected, &settings, rounds, cpu);
    let Some((_lock, stored)) = reserved else {
        out::print(&format!("{}{summary}\n", table(&expected, &plan::absent(&choices))))?;
        return Ok(if catalog.problems.is_empty() { Exit::Good } else { Exit::Incomplete });
    };
    out::say(&summary);

    let seed = options.seed.unwrap_or_else(fresh_seed);
    let mut session = Session::new(Journal::create(&stored)?, &catalog);
    session.head(Run {
        schema: SCHEMA,
        run: stored.name.clone(),
        started: Utc::now().rfc3339(),
        arguments: std::env::args().skip(1).collect(),
        seed,
        rounds,
        cpu,
        machine,
        build,
    })?;
    let outcome = session.measure(&Task {
        catalog: &catalog,
        choices: &choices,
        settings: &settings,
        root: &workspace.root,
        rounds,
        cpu,
        clock: options.clock,
        seed,
    });
    let stopped = match outcome {
        Ok(()) => None,
        Err(failure) if failure.exit == Exit::Interrupted => Some(failure),
        Err(failure) => {
            // The disk may be what failed; then this fails too, and the first failure is the one to tell.
            let _ = session.end(&failure.message);
            return Err(failure);
        }
    };
    let exit = session.finish(&choices, stopped.is_some())?;
    report::print_terminal(session.journal.path())?;
    out::print(&format!("\nrecords: {}\n", session.journal.path().display()))?;
    Ok(exit)
}

pub(crate) fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Few enough bits that every reader of JSON keeps them all.
    RandomState::new().hash_one(std::process::id()) >> 11
}

/// `6 algorithms, 24 implementations, 500 cells, 6 rounds of 2 processes, on CPU 1: about 3 min 20 s`.
fn summary(choices: &[Choice<'_>], plan: &Plan, settings: &Settings, rounds: u32, cpu: Option<usize>) -> String {
    let here: usize = plan::cells(choices).values().map(Vec::len).sum();
    let place = cpu.map_or_else(|| "not pinned".into(), |cpu| format!("on CPU {cpu}"));
    format!(
        "{}, {}, {}, {} of {}, {place}: about {}",
        counted(choices.len(), "algorithm", "algorithms"),
        counted(here, "implementation", "implementations"),
        counted(plan.cells(), "cell", "cells"),
        counted(rounds as usize, "round", "rounds"),
        counted(plan.jobs.len(), "process", "processes"),
        rough(plan.round() * rounds + plan::check(&settings.all_lengths()) * here as u32)
    )
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The plan in lines: who is measured at which lengths, and who is not here.
fn table(plan: &Plan, absent: &[AbsentRow]) -> String {
    let mut text = String::new();
    for job in &plan.jobs {
        for planned in &job.plan {
            let many = if planned.messages > 1 { format!(" x {}", planned.messages) } else { String::new() };
            let lengths: Vec<String> = planned.lengths.iter().map(|length| length.bytes.to_string()).collect();
            let environment: Vec<String> =
                job.environment.iter().map(|(name, value)| format!(" [{name}={value}]")).collect();
            text.push_str(&format!(
                "{} {}{many}{}: {}\n  {}\n",
                planned.algorithm,
                planned.operation,
                environment.concat(),
                lengths.join(" "),
                planned.implementations.join(" "),
            ));
        }
    }
    for row in absent {
        text.push_str(&format!("absent: {} {}: {}\n", row.algorithm, row.implementation, row.reason));
    }
    text
}

/// What a session measures.
struct Task<'a> {
    catalog: &'a Catalog,
    choices: &'a [Choice<'a>],
    settings: &'a Settings,
    root: &'a Path,
    rounds: u32,
    cpu: Option<usize>,
    clock: Option<Clock>,
    seed: u64,
}

/// A run that goes on: its file, and what happened so far.
struct Session {
    journal: Journal,
    visits: u64,
    visited: BTreeSet<Cell>,
    failed: BTreeSet<Cell>,
    wrong: BTreeSet<Cell>,
    /// What went wrong besides wrong digests; each sentence once, with how often.
    problems: BTreeMap<String, u32>,
    /// The last problem of each worker, by its index.
    broken: BTreeMap<usize, String>,
}

impl Session {
    fn new(journal: Journal, catalog: &Catalog) -> Self {
        Self {
            journal,
            visits: 0,
            visited: BTreeSet::new(),
            failed: BTreeSet::new(),
            wrong: BTreeSet::new(),
            problems: catalog.problems.iter().map(|problem| (problem.clone(), 1)).collect(),
            broken: BTreeMap::new(),
        }
    }

    fn head(&mut self, run: Run) -> Result<(), Failure> {
        self.journal.append(&Record::Run(Box::new(run)))
    }

    fn problem(&mut self, progress: &Progress, text: &str) {
        let times = self.problems.entry(text.into()).or_insert(0);
        *times += 1;
        if *times == 1 {
            progress.say(&format!("warning: {text}"));
        }
    }

    fn measure(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        for choice in task.choices {
            self.journal.append(&Record::Algorithm(Box::new(choice.algorithm.clone())))?;
        }
        for row in plan::absent(task.choices) {
            self.journal.append(&Record::Absent(row))?;
        }
        self.check(task)?;
        let plan = Plan::new(task.choices, task.settings, &self.failed)?;
        let mut progress = Progress::new(plan.round() * task.rounds);
        let mut random = Random::new(task.seed);
        let mut process = 0;
        for round in 1..=task.rounds {
            progress.part(&format!("round {round} of {}", task.rounds));
            let mut jobs: Vec<&Job> = plan.jobs.iter().collect();
            random.shuffle(&mut jobs);
            for job in jobs {
                let (seed, padding) = (random.next() >> 11, random.below(MOST_PADDING));
                let request = Measure {
                    process,
                    seed,
                    cpu: task.cpu,
                    samples: task.settings.samples,
                    plan: job.plan.clone(),
                    anchors: true,
                    clock: task.clock,
                };
                let place = format!("round {round} of {}", task.rounds);
                self.process(task, &plan, job, &request, padding, &place, &mut progress)?;
                process += 1;
            }
        }
        Ok(())
    }

    fn check(&mut self, task: &Task<'_>) -> Result<(), Failure> {
        let cells: usize = plan::cells(task.choices).values().map(Vec::len).sum();
        let lengths = task.settings.all_lengths();
        let expected = plan::check(&lengths);
        let progress = Progress::new(expected * cells as u32);
        progress.part("checking known answers");
        let mut checking = Checking { session: self, progress, expected };
        gate::check(task.catalog, task.choices, &lengths, task.root, &mut checking)
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
        let mut command = worker::command(&worker.program.path, "measure", Some(request), &setup);
        let package = &worker.program.package;
        let mut complaints = Vec::new();
        let mut expected = plan.process(job);
        let mut finished = false;
        let end = worker::run(
            &mut command,
            |line| {
                match serde_json::from_str::<Record>(&line) {
                    Ok(record) => {
                        self.journal.append(&record)?;
                        finished |= matches!(record, Record::ProcessEnd(_));
                        if let Record::Process(_) = record {
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

    fn end(&mut self, outcome: &str) -> Result<(), Failure> {
        let end = End { ended: Utc::now().rfc3339(), visits: self.visits, outcome: outcome.into() };
        self.journal.append(&Record::End(end))
    }

    /// Writes what is left to say, tells the user, and decides the exit status.
    fn finish(&mut self, choices: &[Choice<'_>], interrupted: bool) -> Result<Exit, Failure> {
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
            (false, true) => "complete".to_owned(),
            (false, false) => "something went wrong".to_owned(),
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
