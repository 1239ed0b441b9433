//! `cargo xtask bench`, from the plan to the last record.

use std::collections::BTreeSet;

use benchkit::profile::Profile;
use benchkit::record::{AbsentRow, Build, Run, SCHEMA};
use benchkit::suite::Operation;

use crate::build::{self, Show};
use crate::catalog::{Catalog, Choice};
use crate::exit::{Exit, Failure, Outcome};
use crate::plan::{self, Effort, Plan, Settings};
use crate::resume::Resumed;
use crate::session::{Session, Task};
use crate::store::{Journal, Results};
use crate::time::{Utc, rough};
use crate::{cli, cpu, discover, doctor, facts, lock, out, report, resume};

/// Measures, or with `--dry-run` says what would be measured.
pub(crate) fn run(asked: &cli::Bench) -> Outcome {
    let workspace = discover::workspace()?;
    let machine = facts::machine();
    let results = Results::of(&workspace.root);
    let resumed = if asked.resume { Some(resume::find(&results, &machine, asked)?) } else { None };
    let options = &resumed.as_ref().map_or(asked, |resumed| &resumed.options).clone();
    let effort = match (options.quick, options.publish) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Publish,
        _ => Effort::Usual,
    };
    let settings = Settings {
        effort,
        lengths: options.length.clone(),
        operations: operations(options)?,
        profiles: options
            .profile
            .iter()
            .flat_map(|profiles| match profiles {
                cli::Profiles::One(profile) => vec![*profile],
                cli::Profiles::All => Profile::ALL.to_vec(),
            })
            .collect(),
        samples: options.samples as usize,
        threads: cpu::threads(&options.threads)?,
    };
    let rounds = options.rounds.unwrap_or(effort.rounds());
    let cpu = cpu::choose(resumed.as_ref().map_or(options.cpu, |resumed| resumed.run.cpu))?;
    if asked.strict || options.strict {
        doctor::admit(&machine, cpu)?;
    }
    // What would stop the run is looked for before the workers are built.
    let reserved = if options.dry_run {
        options.name.as_deref().map(|name| results.check(&machine.slug, name)).transpose()?;
        None
    } else {
        let stored = match &resumed {
            Some(resumed) => resumed.stored.clone(),
            None => results.reserve(&machine.slug, options.name.as_deref())?,
        };
        Some((lock::take(&stored.name)?, stored))
    };

    let programs = build::all(&workspace, Show::Everything, options.native)?;
    let build = if options.dry_run { Build::default() } else { facts::build(&workspace.root, &programs) };
    if let Some(resumed) = &resumed {
        resumed.same_build(&build)?;
    }
    let catalog = Catalog::gather(programs, &options.peers)?;
    let choices = catalog.choose(&options.algorithm, &options.implementation, options.no_peers)?;
    if let Some(resumed) = &resumed {
        resumed.same_choice(&choices)?;
    }
    let expected = Plan::new(&choices, &settings, &BTreeSet::new())?;
    let summary = summary(&choices, &expected, &settings, rounds, cpu);
    let Some((_lock, stored)) = reserved else {
        out::print(&format!("{}{summary}\n", table(&expected, &plan::absent(&choices))))?;
        return Ok(if catalog.problems.is_empty() { Exit::Good } else { Exit::Incomplete });
    };
    out::say(&summary);
    for warning in facts::environment_warnings() {
        out::warn(&format!("{}; {}", warning.what, warning.remedy));
    }

    let (mut session, seed) = match resumed {
        Some(Resumed { run, past, .. }) => {
            let (journal, cut_bytes) = Journal::reopen(&stored)?;
            (Session::go_on(journal, &catalog, past, cut_bytes), run.seed)
        }
        None => {
            let seed = options.seed.unwrap_or_else(fresh_seed);
            let head = Run {
                schema: SCHEMA,
                run: stored.name.clone(),
                started: Utc::now().rfc3339(),
                arguments: std::env::args().skip(1).collect(),
                seed,
                rounds,
                cpu,
                machine,
                build,
            };
            (Session::begin(Journal::create(&stored)?, &catalog, head)?, seed)
        }
    };
    let outcome = session.measure(&Task {
        catalog: &catalog,
        choices: &choices,
        settings: &settings,
        root: &workspace.root,
        rounds,
        cpu,
        clock: options.clock,
        seed,
        again: effort != Effort::Quick && !options.once,
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
    let exit = exit.worse(report::print_terminal(session.path())?);
    out::print(&format!("\nrecords: {}\n", session.path().display()))?;
    if stopped.is_some() {
        out::say(&format!("`cargo xtask bench --resume --name {}` goes on with it", stored.name));
    }
    Ok(exit)
}

/// What is measured. Who names numbers of threads wants them measured.
fn operations(options: &cli::Bench) -> Result<Vec<Operation>, Failure> {
    if options.threads.is_empty() || options.operation.contains(&Operation::Threads) {
        return Ok(options.operation.clone());
    }
    if options.operation.is_empty() {
        return Ok(vec![Operation::Threads]);
    }
    Err(Failure::new("--threads is for `--operation threads`, which was not asked for"))
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
                "{} {}{many}, {}{}: {}\n  {}\n",
                planned.algorithm,
                planned.operation,
                planned.profile,
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
