//! Builds the workers, all in one go.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::child::{Errors, Event, Running};
use crate::discover::{self, Package, TARGET, Workspace};
use crate::exit::{Exit, Failure};
use crate::progress::Spinner;

/// A worker's program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The package it comes from.
    pub(crate) package: String,
    /// The executable.
    pub(crate) path: PathBuf,
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

/// Builds every worker; what is up to date is not built again.
///
/// # Errors
///
/// There is no worker, or one does not compile (cargo then has shown why).
pub(crate) fn build(workspace: &Workspace, show: Show) -> Result<Vec<Program>, Failure> {
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
    if show == Show::Little {
        command.arg("--quiet");
    }
    let mut cargo = Running::start(&mut command, Errors::Shown, PATIENCE)
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
            Event::Complaint(_) => {}
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
