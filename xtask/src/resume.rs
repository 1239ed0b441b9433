//! `bench --resume`: what must be as it was, so that a run that was cut short can go on.

use benchkit::machine::Machine;
use benchkit::record::{self, AbsentRow, Build, Run};
use clap::Parser as _;

use crate::catalog::Choice;
use crate::cli::{Bench, Cli, Command};
use crate::exit::Failure;
use crate::out;
use crate::past::Past;
use crate::store::{Results, Stored};

/// A run that was cut short, and the options that it was started with.
#[derive(Debug)]
pub(crate) struct Resumed {
    pub(crate) stored: Stored,
    pub(crate) run: Box<Run>,
    pub(crate) past: Past,
    pub(crate) options: Bench,
}

/// Finds the run and reads it.
///
/// # Errors
///
/// There is none that could go on, or what was asked for now is something else; the message says what.
pub(crate) fn find(results: &Results, machine: &Machine, asked: &Bench) -> Result<Resumed, Failure> {
    let stored = results.cut(&machine.slug, asked.name.as_deref())?;
    let name = stored.name.clone();
    let refuse = |why: String| Failure::new(format!("run `{name}` cannot be resumed: {why}"));
    let outcome = record::read(&stored.path);
    // The last line may be cut short, and is taken away. Anything else is no trace of a run that was cut short.
    let damaged = outcome.problems.iter().find(|problem| !problem.what.starts_with("the last line is cut short"));
    if outcome.records.is_empty() {
        return Err(refuse("it was cut short before it began; start a new one".into()));
    }
    if let Some(problem) = damaged {
        return Err(refuse(format!("its records are damaged: {problem}")));
    }
    let mut past = Past::new(outcome.records);
    let Some(run) = past.run.take() else { return Err(refuse("its first line is missing".into())) };
    if past.is_of_old() {
        return Err(refuse("it was written by an older program, which did not say what its processes did".into()));
    }
    let options = recorded(&run).map_err(&refuse)?;
    let asked = Bench { resume: false, name: None, strict: false, ..asked.clone() };
    let were = Bench { name: None, strict: false, ..options.clone() };
    if asked != were && asked != nothing() {
        return Err(refuse(format!(
            "it was started with other options: `{}`; leave them out now, or give the same",
            out::tame(&run.arguments.join(" "))
        )));
    }
    let differences = machine_differences(&run.machine, machine);
    if !differences.is_empty() {
        return Err(refuse(format!("the machine is not as it was: {}", differences.join("; "))));
    }
    Ok(Resumed { stored, run, past, options })
}

/// The options in the head of a run.
fn recorded(run: &Run) -> Result<Bench, String> {
    let words = std::iter::once("cargo xtask").chain(run.arguments.iter().map(String::as_str));
    match Cli::try_parse_from(words) {
        Ok(Cli { command: Command::Bench(options) }) => Ok(options),
        _ => Err(format!("its options are not understood: `{}`", out::tame(&run.arguments.join(" ")))),
    }
}

/// `bench` without options.
fn nothing() -> Bench {
    match Cli::try_parse_from(["cargo xtask", "bench"]) {
        Ok(Cli { command: Command::Bench(options) }) => options,
        _ => unreachable!("`bench` needs no option"),
    }
}

/// What does not change while a machine stays the same, and does.
fn machine_differences(was: &Machine, is: &Machine) -> Vec<String> {
    let facts = |machine: &Machine| {
        [
            ("CPU", format!("{:?}", (&machine.brand, machine.family, machine.model, machine.stepping))),
            ("host", format!("{:?}", machine.id)),
            ("CPUs", format!("{:?}", machine.cpus)),
            ("instructions", machine.features.join(" ")),
            ("microcode", format!("{:?}", machine.microcode)),
            ("kernel", format!("{:?}", machine.kernel)),
            ("hypervisor", format!("{:?}", machine.hypervisor)),
        ]
    };
    let both = facts(was).into_iter().zip(facts(is));
    both.filter(|((_, was), (_, is))| was != is)
        .map(|((what, was), (_, is))| format!("{what} {was}, now {is}"))
        .collect()
}

impl Resumed {
    /// Whether the workers are those that measured the first part.
    ///
    /// # Errors
    ///
    /// They are not; the message names them.
    pub(crate) fn same_build(&self, now: &Build) -> Result<(), Failure> {
        let was = &self.run.build;
        let names = was.workers.keys().chain(now.workers.keys());
        let mut other: Vec<&str> =
            names.filter(|name| was.workers.get(*name) != now.workers.get(*name)).map(String::as_str).collect();
        other.sort_unstable();
        other.dedup();
        if other.is_empty() {
            return Ok(());
        }
        Err(self.refuse(&format!(
            "its workers were built from something else: {} differ; go back to what they were built from (commit {}{}, \
             RUSTFLAGS {:?}), or start a new run",
            other.join(", "),
            if was.commit.is_empty() { "unknown" } else { &was.commit },
            if was.dirty { " with changes" } else { "" },
            was.rustflags
        )))
    }

    /// Whether the same implementations are here, in the same versions.
    ///
    /// # Errors
    ///
    /// They are not; the message says which.
    pub(crate) fn same_choice(&self, choices: &[Choice<'_>]) -> Result<(), Failure> {
        for choice in choices {
            let now = choice.algorithm;
            let Some(was) = self.past.algorithms.get(&now.id).filter(|was| *was != now) else { continue };
            let mut differences = Vec::new();
            for one in &now.implementations {
                match was.implementations.iter().find(|other| other.name == one.name) {
                    None => differences.push(format!("{} is new", one.name)),
                    Some(other) if other != one => differences.push(format!(
                        "{} was {}, now {}",
                        one.name,
                        state(other.available, &other.version),
                        state(one.available, &one.version)
                    )),
                    Some(_) => {}
                }
            }
            return Err(self.refuse(&format!(
                "what implements {} is not what it was: {}",
                now.id,
                if differences.is_empty() { "something is gone".into() } else { differences.join(", ") }
            )));
        }
        Ok(())
    }

    /// An error about this run.
    pub(crate) fn refuse(&self, why: &str) -> Failure {
        Failure::new(format!("run `{}` cannot be resumed: {why}", self.stored.name))
    }
}

fn state(available: bool, version: &str) -> String {
    match (available, version.is_empty()) {
        (false, _) => "absent".into(),
        (true, true) => "here".into(),
        (true, false) => version.into(),
    }
}

/// Those rows that the records do not have yet.
pub(crate) fn new_rows(rows: Vec<AbsentRow>, past: &Past) -> Vec<AbsentRow> {
    let known = |row: &AbsentRow| {
        past.absent.iter().any(|cell| (&cell.algorithm, &cell.implementation) == (&row.algorithm, &row.implementation))
    };
    rows.into_iter().filter(|row| !known(row)).collect()
}
