//! How the workers were built, for the record.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use benchkit::machine::Machine;
use benchkit::record::Build;
use sha2::{Digest, Sha256};

use crate::build::Program;

/// Everything about the build that a reader of the figures may ask for. What cannot be found out stays empty.
pub(crate) fn build(root: &Path, programs: &[Program]) -> Build {
    let git = |arguments: &[&str]| said(Command::new("git").arg("-C").arg(root).args(arguments));
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    Build {
        rustc: said(Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"))).arg("-vV"))
            .unwrap_or_default(),
        profile: profile(),
        rustflags: rustflags(),
        lock: sha256(&root.join("Cargo.lock")).unwrap_or_default(),
        workers: programs
            .iter()
            .filter_map(|program| Some((program.package.clone(), sha256(&program.path).ok()?)))
            .collect(),
        dirty: !commit.is_empty() && git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty()),
        commit,
    }
}

/// What machine this is.
pub(crate) fn machine() -> Machine {
    Machine { slug: "unknown".into(), brand: String::new() }
}

/// What a tool prints, without the line's end; `None` if it fails or is not there.
fn said(command: &mut Command) -> Option<String> {
    let output = command.env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// The profile, with what the environment changes about it.
fn profile() -> String {
    let relevant = |name: &str| name.starts_with("CARGO_PROFILE_BENCH_") || name.starts_with("CARGO_PROFILE_RELEASE_");
    let mut changes: Vec<String> = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, _)| relevant(name))
        .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
        .collect();
    changes.sort();
    if changes.is_empty() { "bench".into() } else { format!("bench ({})", changes.join(" ")) }
}

/// Cargo takes the flags from the first of these that is there; the last is what it took when it built this program.
fn rustflags() -> String {
    let variable = |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    variable("CARGO_ENCODED_RUSTFLAGS")
        .map(|flags| flags.replace('\u{1f}', " "))
        .or_else(|| variable("RUSTFLAGS"))
        .unwrap_or_else(|| env!("XTASK_RUSTFLAGS").into())
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            length => hasher.update(&piece[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_their_sha256() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&path).unwrap(), expected);
        assert!(sha256(&folder.path().join("none")).is_err());
    }

    #[test]
    fn the_compiler_is_named() {
        let build = build(Path::new("."), &[]);
        assert!(build.rustc.contains("host: "), "{}", build.rustc);
    }
}
