//! Builds the workers, all in one go.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::child::{Errors, Event, Running};
use crate::discover::{self, Package, TARGET, Workspace};
use crate::exit::{Exit, Failure};
use crate::progress::Spinner;
use crate::{facts, out};

/// A worker's program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The package it comes from.
    pub(crate) package: String,
    /// The executable.
    pub(crate) path: PathBuf,
}

/// The programs of all workers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Programs {
    /// As a user of the crates gets them.
    pub(crate) plain: Vec<Program>,
    /// Built once more for this CPU alone, if that was asked for.
    pub(crate) native: Vec<Program>,
}

/// How much of cargo is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// What cargo always shows.
    Everything,
    /// Warnings and errors, and that something is being built.
    Little,
}

/// The messages of cargo that matter here; of the others only the name is read.
#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Message {
    CompilerArtifact(Artifact),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Artifact {
    package_id: String,
    target: Target,
    executable: Option<PathBuf>,
    fresh: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// A build may say nothing for as long as the longest crate takes.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// Builds every worker, and if that is asked for, builds them once more for this CPU alone; what is up to date is not built
/// again.
///
/// # Errors
///
/// There is no worker, or one does not compile (cargo then has shown why).
pub(crate) fn all(workspace: &Workspace, show: Show, native: bool) -> Result<Programs, Failure> {
    let plain = build(workspace, show, false)?;
    let native = if native { build(workspace, show, true)? } else { Vec::new() };
    Ok(Programs { plain, native })
}

fn build(workspace: &Workspace, show: Show, native: bool) -> Result<Vec<Program>, Failure> {
    if workspace.packages.is_empty() {
        return Err(Failure::new(format!(
            "no package of the workspace in {} has a bench target named `{TARGET}`: there is nothing to run",
            workspace.root.display()
        )));
    }
    let mut command = discover::cargo();
    command
        .args(["bench", "--workspace", "--bench", TARGET, "--no-run", "--message-format=json-render-diagnostics"])
        .arg("--manifest-path")
        .arg(workspace.root.join("Cargo.toml"));
    if show == Show::Little && io::stderr().is_terminal() {
        // What is caught is shown as it would have looked.
        command.args(["--color", "always"]);
    }
    if native {
        // In a folder of its own, or each build would throw the other one away.
        command.arg("--target-dir").arg(workspace.target.join("native"));
        command.env("CARGO_ENCODED_RUSTFLAGS", facts::native_flags().join("\u{1f}"));
    }
    let errors = if show == Show::Little { Errors::Caught } else { Errors::Shown };
    let mut cargo = Running::start(&mut command, errors, PATIENCE)
        .map_err(|error| Failure::new(format!("cannot start cargo: {error}")))?;
    let mut spinner = Spinner::new(show == Show::Little);
    let mut executables = BTreeMap::new();
    let status = loop {
        match cargo.next().map_err(|error| Failure::new(format!("cannot wait for cargo: {error}")))? {
            Event::Line(line) => {
                if let Ok(Message::CompilerArtifact(artifact)) = serde_json::from_str(&line) {
                    if !artifact.fresh {
                        spinner.turn(&format!("building the workers: {}", artifact.target.name));
                    }
                    note(&mut executables, artifact);
                }
            }
            Event::Complaint(line) => match complaint(&line) {
                Complaint::Waits => spinner.waits(),
                Complaint::Progress => {}
                Complaint::Words => out::say(&line),
            },
            Event::Ended(status) => break status,
            Event::Interrupted | Event::Silent => return Err(Failure::interrupted()),
        }
    };
    drop(spinner);
    if !status.success() {
        // A build that Ctrl-C stopped looks like one that failed.
        crate::interrupt::check()?;
        return Err(Failure { exit: Exit::Error, message: "the workers cannot be built: see above".into() });
    }
    collect(&workspace.packages, &mut executables)
}

/// What a line of cargo on standard error is about.
#[derive(Debug, PartialEq, Eq)]
enum Complaint {
    /// Another cargo has the lock.
    Waits,
    /// How far it is.
    Progress,
    /// A warning or an error, or a line of one.
    Words,
}

/// Cargo writes what it does as a verb that ends in the twelfth column; compilers write otherwise.
fn complaint(line: &str) -> Complaint {
    let line = console::strip_ansi_codes(line);
    let verb = line.get(..12).map(str::trim_start).filter(|verb| !verb.is_empty() && !verb.contains(' '));
    let is_verb = |verb: &str| {
        verb.chars().next().is_some_and(char::is_uppercase) && verb.chars().skip(1).all(char::is_lowercase)
    };
    let ends = line.as_bytes().get(12) == Some(&b' ');
    match verb.filter(|verb| ends && is_verb(verb)) {
        Some("Blocking") => Complaint::Waits,
        Some(_) => Complaint::Progress,
        None => Complaint::Words,
    }
}

fn note(executables: &mut BTreeMap<String, PathBuf>, artifact: Artifact) {
    let is_worker = artifact.target.name == TARGET && artifact.target.kind.iter().any(|kind| kind == "bench");
    if let (true, Some(path)) = (is_worker, artifact.executable) {
        executables.insert(artifact.package_id, path);
    }
}

fn collect(packages: &[Package], executables: &mut BTreeMap<String, PathBuf>) -> Result<Vec<Program>, Failure> {
    packages
        .iter()
        .map(|package| match executables.remove(&package.id) {
            Some(path) => Ok(Program { package: package.name.clone(), path }),
            None => Err(Failure::new(format!("cargo built no program for the bench `{TARGET}` of {}", package.name))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_are_told_apart() {
        assert_eq!(complaint("    Blocking waiting for file lock on build directory"), Complaint::Waits);
        for progress in [
            "   Compiling sha2x v0.1.0 (/w/crates/sha2x)",
            "    Finished `bench` profile [optimized] target(s) in 0.06s",
            "  Executable benches/matrix.rs (/t/release/deps/matrix-1)",
            "\u{1b}[1m\u{1b}[92m Downloading\u{1b}[0m crates ...",
        ] {
            assert_eq!(complaint(progress), Complaint::Progress, "{progress}");
        }
        for words in [
            "error[E0308]: mismatched types",
            "  --> beta/benches/matrix.rs:1:25",
            "   |",
            "",
            "1 | fn main() {",
            "warning: unused variable: `x`",
            "error: could not compile `beta` (bench \"matrix\")",
            "            Note that",
        ] {
            assert_eq!(complaint(words), Complaint::Words, "{words}");
        }
    }

    #[test]
    fn executables_come_from_cargos_messages() {
        let lines = [
            r#"{"reason":"compiler-artifact","package_id":"p#sha2x","target":{"kind":["lib"],"name":"sha2x"},"executable":null,"fresh":true}"#,
            r#"{"reason":"compiler-artifact","package_id":"p#sha2x","target":{"kind":["bench"],"name":"matrix"},"executable":"/t/a b/matrix-1","fresh":true}"#,
            r#"{"reason":"build-script-executed","package_id":"p#libc"}"#,
            r#"{"reason":"build-finished","success":true}"#,
        ];
        let mut executables = BTreeMap::new();
        for line in lines {
            if let Message::CompilerArtifact(artifact) = serde_json::from_str(line).unwrap() {
                note(&mut executables, artifact);
            }
        }
        let package = |name: &str| Package { name: name.into(), id: format!("p#{name}") };
        let programs = collect(&[package("sha2x")], &mut executables).unwrap();
        assert_eq!(programs[0].path, PathBuf::from("/t/a b/matrix-1"));
        assert!(collect(&[package("other")], &mut executables).is_err());
    }
}
