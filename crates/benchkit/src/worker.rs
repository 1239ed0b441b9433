//! The program that every `benches/matrix.rs` becomes.
//!
//! Started as `WORKER worker COMMAND [JSON]` it answers `cargo xtask` (see [`protocol`]). `cargo bench`
//! starts it with `--bench`: it runs Criterion then. Started by a test runner, or with `--test`, it calls each
//! implementation once, compares the digest with the reference's, and exits: so that `cargo test --all-targets` and
//! `cargo bench -- --test` find a broken one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, ExitCode, Stdio};

use serde::{Deserialize, Serialize};

use crate::protocol::{self, AlgorithmInfo, Cell, ImplementationInfo, List};
use crate::record::Record;
use crate::suite::{Absent, Algorithm, Implementation, Parameters, State, Suite};
use crate::verify::Gate;
use crate::{cargo_bench, digest, measure};

/// The gate's random pieces and orders are the same each time, so that a failure can be repeated.
const GATE_SEED: u64 = 0;

/// Makes a family's bench target a worker: `benchkit::main!(suite);` where `fn suite() -> Suite`.
#[macro_export]
macro_rules! main {
    ($suite:path) => {
        fn main() -> ::std::process::ExitCode {
            $crate::worker::main($suite)
        }
    };
}

/// What [`main!`](crate::main) calls.
pub fn main(suite: fn() -> Suite) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words = arguments.iter().map(String::as_str);
    if words.next() == Some("worker") {
        let (command, json) = (words.next().unwrap_or_default(), words.next().unwrap_or("null"));
        return match answer(suite, command, json) {
            Ok(status) => status,
            Err(Trouble::Closed) => ExitCode::FAILURE,
            Err(Trouble::Said(sentence)) => {
                eprintln!("error: {sentence}");
                ExitCode::FAILURE
            }
        };
    }
    if has(&arguments, "--bench") && !has(&arguments, "--test") && !has(&arguments, "--list") {
        cargo_bench::run(&suite());
        return ExitCode::SUCCESS;
    }
    runner(&arguments, suite)
}

fn has(arguments: &[String], flag: &str) -> bool {
    arguments.iter().any(|argument| argument == flag)
}

/// Why a command could not be answered.
enum Trouble {
    /// Nobody reads any more.
    Closed,
    /// A sentence for the user.
    Said(String),
}

impl From<String> for Trouble {
    fn from(sentence: String) -> Self {
        Self::Said(sentence)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Said(error.to_string()) }
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Self::Said(format!("the worker and cargo xtask do not understand each other: {error}"))
    }
}

fn answer(make: fn() -> Suite, command: &str, json: &str) -> Result<ExitCode, Trouble> {
    if command == "measure" {
        return measure(make, json);
    }
    let suite = &make();
    match command {
        "list" => {
            let mut list = list(suite);
            if serde_json::from_str::<Option<Here>>(json)?.is_none() {
                elsewhere(suite, &mut list);
            }
            let mut line = serde_json::to_string(&list)?;
            line.push('\n');
            io::stdout().lock().write_all(line.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        "verify" => {
            let failures = verify_cells(suite, &serde_json::from_str(json)?)?;
            Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
        }
        "digest" => {
            let request = serde_json::from_str(json)?;
            Ok(digest::run(suite, &request, io::stdin().lock(), io::stdout().lock(), io::stderr().lock()))
        }
        other => Err(Trouble::Said(format!("no worker command `{other}`; there are list, verify, measure, digest"))),
    }
}

fn measure(make: fn() -> Suite, json: &str) -> Result<ExitCode, Trouble> {
    let mut trouble = Ok(());
    measure::run_with_threads(make, &serde_json::from_str(json)?, &mut |record| {
        if trouble.is_ok() {
            trouble = write(&record);
        }
        if trouble.is_err() {
            // Nobody keeps what would be measured from here on.
            std::process::exit(1);
        }
    })?;
    trouble?;
    Ok(ExitCode::SUCCESS)
}

fn write(record: &Record) -> Result<(), Trouble> {
    let mut line = serde_json::to_string(record)?;
    line.push('\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(line.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Describes the suite.
pub fn list(suite: &Suite) -> List {
    List {
        protocol: protocol::VERSION,
        family: suite.family.to_owned(),
        algorithms: suite.algorithms.iter().map(algorithm_info).collect(),
    }
}

/// What `list` is asked with by a worker that asks itself: to describe what can be made in this process.
#[derive(Serialize, Deserialize)]
struct Here {}

/// Replaces the entries of implementations that need another environment by what this same program says of them there.
/// One whose process does not answer is absent.
fn elsewhere(suite: &Suite, list: &mut List) {
    let all = suite.algorithms.iter().flat_map(|algorithm| &algorithm.implementations);
    let away = all.filter(|one| matches!(one.state, State::Ready(_)) && one.misplaced().is_some());
    let environments: BTreeSet<_> = away.map(|one| &one.environment).collect();
    for environment in environments {
        let answer = ask(environment);
        for algorithm in &mut list.algorithms {
            for here in algorithm.implementations.iter_mut().filter(|here| here.environment == *environment) {
                match &answer {
                    Ok(there) => match find(there, &algorithm.id, &here.name) {
                        Some(found) => *here = found.clone(),
                        None => here.refuse("it is not there in a process with its environment"),
                    },
                    Err(reason) => here.refuse(reason),
                }
            }
        }
    }
}

fn find<'a>(list: &'a List, id: &str, name: &str) -> Option<&'a ImplementationInfo> {
    let algorithm = list.algorithms.iter().find(|algorithm| algorithm.id == id)?;
    algorithm.implementations.iter().find(|implementation| implementation.name == name)
}

impl ImplementationInfo {
    fn refuse(&mut self, reason: &str) {
        self.available = false;
        self.absent = Some(Absent { reason: reason.to_owned(), remedy: None });
    }
}

/// What this same program offers in that environment, or a sentence.
fn ask(environment: &BTreeMap<String, String>) -> Result<List, String> {
    let failed = |what: String| format!("a process with its environment {what}");
    let here = serde_json::to_string(&Here {}).expect("it is plain");
    let program = std::env::current_exe().map_err(|error| failed(format!("cannot be started: {error}")))?;
    let mut command = Command::new(program);
    command.args(["worker", "list", &here]).envs(environment).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| failed(format!("cannot be started: {error}")))?;
    if !output.status.success() {
        return Err(failed(format!("ended with {}", output.status)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(format!("did not list what it has: {error}")))
}

fn algorithm_info(algorithm: &Algorithm) -> AlgorithmInfo {
    AlgorithmInfo {
        id: algorithm.id.to_owned(),
        pages: algorithm.pages.clone(),
        block_bytes: algorithm.block_bytes,
        output: algorithm.output,
        bits: algorithm.bits,
        options: algorithm.options.clone(),
        implementations: algorithm.implementations.iter().map(implementation_info).collect(),
    }
}

fn implementation_info(implementation: &Implementation) -> ImplementationInfo {
    let hasher = implementation.make(&Parameters::default()).ok();
    ImplementationInfo {
        name: implementation.name(),
        provider: implementation.provider.clone(),
        backend: implementation.backend.clone(),
        version: implementation.version.clone(),
        ours: implementation.ours,
        available: matches!(implementation.state, State::Ready(_)),
        absent: match &implementation.state {
            State::Ready(_) => None,
            State::Absent(absent) => Some(absent.clone()),
        },
        operations: hasher.as_ref().map(|hasher| hasher.operations()).unwrap_or_default(),
        lanes: hasher.and_then(|hasher| hasher.batch.map(|batch| batch.lanes)).unwrap_or(0),
        environment: implementation.environment.clone(),
    }
}

fn verify_cells(suite: &Suite, request: &protocol::Verify) -> Result<usize, Trouble> {
    let mut failures = 0;
    // By algorithm, so that the reference's digests are computed once.
    for (id, cells) in group(&request.cells) {
        let algorithm = suite
            .algorithms
            .iter()
            .find(|algorithm| algorithm.id == id)
            .ok_or_else(|| format!("{} has no algorithm {id}", suite.family))?;
        let gate = Gate::new(algorithm, &request.lengths, GATE_SEED);
        for cell in cells {
            let implementation = algorithm
                .implementation(&cell.implementation)
                .ok_or_else(|| format!("{id} has no implementation {}", cell.implementation))?;
            let kat = gate.verify(implementation);
            failures += usize::from(!kat.ok);
            write(&Record::Kat(kat))?;
        }
    }
    Ok(failures)
}

/// The cells of each algorithm, in the order of the request.
fn group(cells: &[Cell]) -> Vec<(&str, Vec<&Cell>)> {
    let mut groups: Vec<(&str, Vec<&Cell>)> = Vec::new();
    for cell in cells {
        match groups.iter_mut().find(|(id, _)| *id == cell.algorithm) {
            Some((_, group)) => group.push(cell),
            None => groups.push((&cell.algorithm, vec![cell])),
        }
    }
    groups
}

/// One test, as cargo's and nextest's runners know them.
const SMOKE: &str = "every_implementation_once";

fn runner(arguments: &[String], suite: fn() -> Suite) -> ExitCode {
    let filters: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let wanted = !has(arguments, "--ignored")
        && (filters.is_empty()
            || filters
                .iter()
                .any(|filter| if has(arguments, "--exact") { *filter == SMOKE } else { SMOKE.contains(*filter) }));
    if has(arguments, "--list") {
        if wanted {
            println!("{SMOKE}: test");
        }
        return ExitCode::SUCCESS;
    }
    let failures = if wanted { smoke(&suite()) } else { 0 };
    let (passed, failed) = if !wanted { (0, 0) } else { (usize::from(failures == 0), usize::from(failures > 0)) };
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// Calls each implementation once; how many were wrong.
fn smoke(suite: &Suite) -> usize {
    let message = b"abc";
    let mut failures = 0;
    for algorithm in &suite.algorithms {
        let digest = |implementation: &Implementation| {
            let mut hasher = implementation.make(&Parameters::default())?;
            let mut output = vec![0; algorithm.output.default];
            catch_unwind(AssertUnwindSafe(|| (hasher.hash)(message, &mut output)))
                .map_err(|_| "it panicked".to_owned())?;
            Ok::<_, String>(output)
        };
        let want = algorithm.reference().map(digest);
        for implementation in &algorithm.implementations {
            let verdict = match (&implementation.state, digest(implementation)) {
                (State::Absent(absent), _) => format!("absent: {}", absent.reason),
                (State::Ready(_), _) if implementation.misplaced().is_some() => {
                    format!("not run here: {}", implementation.misplaced().unwrap_or_default())
                }
                (State::Ready(_), Ok(got)) if want.as_ref().is_none_or(|want| want.as_ref() == Ok(&got)) => {
                    "ok".to_owned()
                }
                (State::Ready(_), got) => {
                    failures += 1;
                    match got {
                        Ok(_) => "FAILED: not the digest of portable".to_owned(),
                        Err(sentence) => format!("FAILED: {sentence}"),
                    }
                }
            };
            println!("{} {} ... {verdict}", algorithm.id, implementation.name());
        }
    }
    failures
}
