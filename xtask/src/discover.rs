//! Finds the workers: every package of the workspace that has a bench target named `matrix`. Nothing else lists them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::exit::Failure;

/// The bench target that makes a package a worker.
pub(crate) const TARGET: &str = "matrix";

/// The workspace that is measured.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// Its folder.
    pub(crate) root: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    /// Its workers' packages.
    pub(crate) packages: Vec<Package>,
}

/// A package that is a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// What cargo calls it in messages.
    pub(crate) id: String,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    id: String,
    targets: Vec<MetadataTarget>,
}

#[derive(Deserialize)]
struct MetadataTarget {
    name: String,
    kind: Vec<String>,
}

/// Cargo, as it started this program; otherwise the one in the path. It stays in the user's folder, so that its
/// configuration and a relative target folder mean the same as for the cargo that built this program.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.env("LC_ALL", "C").stdin(Stdio::null());
    command
}

/// Reads the workspace that this program belongs to: cargo says which when it runs it, wherever the user stands. Run by
/// hand, it is the workspace of the current folder.
///
/// # Errors
///
/// There is no workspace, or cargo cannot read it.
pub(crate) fn workspace() -> Result<Workspace, Failure> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    if let Some(folder) = env::var_os("CARGO_MANIFEST_DIR") {
        command.arg("--manifest-path").arg(Path::new(&folder).join("Cargo.toml"));
    }
    let output = command.output().map_err(|error| {
        Failure::new(format!(
            "cannot start {}: {error}; install Rust, or put cargo into the path",
            command.get_program().display()
        ))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("cargo cannot read the workspace\n{}", said.trim_end())));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::new(format!("cargo metadata answered with something unexpected: {error}")))?;
    Ok(Workspace {
        packages: workers(metadata.packages),
        root: metadata.workspace_root,
        target: metadata.target_directory,
    })
}

fn workers(packages: Vec<MetadataPackage>) -> Vec<Package> {
    let is_worker = |package: &MetadataPackage| {
        package.targets.iter().any(|target| target.name == TARGET && target.kind.iter().any(|kind| kind == "bench"))
    };
    let mut workers: Vec<Package> =
        packages.into_iter().filter(is_worker).map(|package| Package { name: package.name, id: package.id }).collect();
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    workers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_a_package_with_a_bench_named_matrix() {
        let package = |name: &str, target: &str, kind: &str| MetadataPackage {
            name: name.into(),
            id: format!("path+file:///w/{name}#0.1.0"),
            targets: vec![MetadataTarget { name: target.into(), kind: vec![kind.into()] }],
        };
        let found = workers(vec![
            package("z", "matrix", "bench"),
            package("a", "matrix", "bench"),
            package("b", "matrix", "example"),
            package("c", "speed", "bench"),
        ]);
        assert_eq!(found.iter().map(|package| package.name.as_str()).collect::<Vec<_>>(), ["a", "z"]);
    }
}
