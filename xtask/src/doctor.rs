//! `cargo xtask doctor`: whether figures that are taken here can be trusted.

mod proofs;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use benchkit::clock::choose::{self, Choice, Probe};
use benchkit::clock::here::Here;
use benchkit::machine::{Machine, Warning};
use benchkit::record::Unit;
use benchkit::system;

pub(crate) use proofs::process;

use crate::exit::{Exit, Failure, Outcome};
use crate::{cli, cpu, facts, out};

/// Examines the machine, and with `--self-test` the bench on it.
pub(crate) fn run(options: &cli::Doctor) -> Outcome {
    let cpu = cpu::choose(options.cpu)?;
    if options.self_test {
        if options.strict {
            admit(&facts::machine(), cpu)?;
        }
        return proofs::run(cpu);
    }
    let machine = facts::machine();
    let probes = probes(cpu)?;
    let mut warnings = machine.warnings();
    warnings.extend(facts::environment_warnings());
    out::print(&format!("{}{}{}", description(&machine), clocks(&probes), advice(&warnings)))?;
    let against = objections(&probes, &warnings);
    if options.strict && !against.is_empty() {
        return Err(refusal(&against));
    }
    Ok(Exit::Good)
}

/// Refuses a machine whose figures could not be trusted.
///
/// # Errors
///
/// It is refused; the message says what is against it.
pub(crate) fn admit(machine: &Machine, cpu: Option<usize>) -> Result<(), Failure> {
    match objections(&probes(cpu)?, &machine.warnings()) {
        against if against.is_empty() => Ok(()),
        against => Err(refusal(&against)),
    }
}

fn refusal(against: &[String]) -> Failure {
    Failure { exit: Exit::Refused, message: format!("this machine is refused: {}", against.join("; ")) }
}

/// Does something on a thread that stays on a CPU, so that this one, and what it starts, may go where it likes.
fn on_cpu<T: Send>(cpu: Option<usize>, work: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    let pinned = || {
        cpu.map_or(Ok(()), system::pin)?;
        work()
    };
    std::thread::scope(|scope| scope.spawn(pinned).join()).unwrap_or_else(|_| Err("it panicked".into()))
}

/// Tests all clocks, where measurements take place.
fn probes(cpu: Option<usize>) -> Result<Vec<Probe>, Failure> {
    let probe = || {
        let here = Here::open();
        Ok(Choice::ALL.map(|choice| here.probe(choice)).into())
    };
    on_cpu(cpu, probe).map_err(Failure::new)
}

/// What is against measuring here.
fn objections(probes: &[Probe], warnings: &[Warning]) -> Vec<String> {
    let clock = match choose::decide(None, probes) {
        Ok((_, Unit::Cycles, _)) => None,
        Ok((_, Unit::Ticks, story)) => Some(format!("no clock passes its self-test ({story})")),
        Err(story) => Some(format!("there is no clock ({story})")),
    };
    let blocking = warnings.iter().filter(|warning| warning.blocking);
    clock.into_iter().chain(blocking.map(|warning| format!("{} ({})", warning.what, warning.remedy))).collect()
}

fn description(machine: &Machine) -> String {
    let mut text = String::from("Machine\n");
    let mut line = |what: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = writeln!(text, "  {what:<12} {}", out::tame(&value));
        }
    };
    let numbers = [("family", machine.family), ("model", machine.model), ("stepping", machine.stepping)];
    let numbers = numbers.iter().filter_map(|(name, number)| Some(format!(", {name} {}", (*number)?)));
    line("CPU", Some(format!("{}{}", machine.brand, numbers.collect::<String>())));
    let smt = match machine.smt {
        Some(true) => ", SMT on",
        Some(false) => ", SMT off",
        None => "",
    };
    line("CPUs", machine.cpus.map(|cpus| format!("{cpus}{smt}")));
    let caches =
        machine.caches.iter().map(|cache| format!("L{} {} {} KiB", cache.level, cache.kind, cache.bytes >> 10));
    line("caches", Some(caches.collect::<Vec<_>>().join(", ")));
    line("memory", machine.memory.map(|bytes| format!("{} MiB", bytes >> 20)));
    line(
        "system",
        Some(
            [Some(&machine.system), machine.kernel.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
                .collect::<Vec<_>>()
                .join(" "),
        ),
    );
    line("guest of", machine.hypervisor.clone());
    line("governor", machine.governor.clone());
    let sets = ["sha_ni", "avx", "avx2", "bmi2", "vaes", "gfni", "avx512f", "avx512vl", "sha2", "sha3", "sha512"];
    let have = |set: &&str| machine.features.iter().any(|feature| feature == set);
    line("sets", Some(sets.into_iter().filter(have).collect::<Vec<_>>().join(" ")));
    line("load", machine.load.map(|[one, five, fifteen]| format!("{one:.2} {five:.2} {fifteen:.2}")));
    line("results in", Some(machine.slug.clone()));
    text
}

fn clocks(probes: &[Probe]) -> String {
    let used = choose::decide(None, probes).ok().map(|(choice, unit, _)| (choice, unit));
    let mut text = String::from("\nClocks, the best first\n");
    for probe in probes {
        let note = match used {
            Some((choice, Unit::Cycles)) if choice == probe.choice => ", used",
            Some((choice, Unit::Ticks)) if choice == probe.choice => {
                ", used for want of a better one: ticks, not cycles"
            }
            _ => "",
        };
        let _ = match &probe.test {
            Ok(test) => {
                let verdict = if probe.passed() { "passed" } else { "failed" };
                writeln!(text, "  {:<5} {verdict}{note}: {test}", probe.choice.name())
            }
            Err(why) => writeln!(text, "  {:<5} not here: {why}", probe.choice.name()),
        };
    }
    text
}

fn advice(warnings: &[Warning]) -> String {
    let mut text = String::from("\nWhat spoils a measurement here\n");
    if warnings.is_empty() {
        text.push_str("  nothing that this machine tells of\n");
    }
    for warning in warnings {
        let refused = if warning.blocking { " [--strict refuses]" } else { "" };
        let _ = writeln!(text, "  {}{refused}\n    {}", out::tame(&warning.what), warning.remedy);
    }
    text.push_str("\n`cargo xtask doctor --self-test` proves the bench on this machine; `cargo xtask list` tells which libraries are here.\n");
    text
}
