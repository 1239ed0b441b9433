//! How the workers were built, for the record.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use benchkit::machine::{Machine, Warning};
use benchkit::record::Build;
use sha2::{Digest, Sha256};

use crate::build::{Program, Programs};
use crate::native;

/// Everything about the build that a reader of the figures may ask for. What cannot be found out stays empty.
pub(crate) fn build(root: &Path, programs: &Programs) -> Build {
    let git = |arguments: &[&str]| said(Command::new("git").arg("-C").arg(root).args(arguments));
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    Build {
        rustc: said(Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"))).arg("-vV"))
            .unwrap_or_default(),
        profile: profile(),
        rustflags: rustflags(),
        lock: sha256(&root.join("Cargo.lock")).unwrap_or_default(),
        native_rustflags: if programs.native.is_empty() { String::new() } else { native_flags().join(" ") },
        workers: named(&programs.plain, "").chain(named(&programs.native, native::SUFFIX)).collect(),
        dirty: !commit.is_empty() && git(&["status", "--porcelain"]).is_none_or(|changes| !changes.is_empty()),
        commit,
    }
}

/// The hash of each program.
fn named(programs: &[Program], suffix: &'static str) -> impl Iterator<Item = (String, String)> {
    programs.iter().filter_map(move |one| Some((format!("{}{suffix}", one.package), sha256(&one.path).ok()?)))
}

/// What in the user's environment changes the figures.
pub(crate) fn environment_warnings() -> Vec<Warning> {
    warnings_about(env::var_os("OPENSSL_ia32cap").map(|value| value.to_string_lossy().into_owned()).as_deref())
}

fn warnings_about(ia32cap: Option<&str>) -> Vec<Warning> {
    let warning = |value| Warning {
        what: format!(
            "OPENSSL_ia32cap={value:?} hides instructions of this CPU from OpenSSL: its rows are not its best"
        ),
        remedy: "unset OPENSSL_ia32cap".into(),
        blocking: false,
    };
    ia32cap.map(warning).into_iter().collect()
}

/// What machine this is.
pub(crate) fn machine() -> Machine {
    Machine::read()
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
fn flags() -> Vec<String> {
    const SEPARATOR: char = '\u{1f}';
    let variable = |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let split = |flags: &str| flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned).collect();
    match (variable("CARGO_ENCODED_RUSTFLAGS"), variable("RUSTFLAGS")) {
        (Some(flags), _) => split(&flags),
        (None, Some(flags)) => flags.split_whitespace().map(str::to_owned).collect(),
        (None, None) => split(env!("XTASK_RUSTFLAGS")),
    }
}

fn rustflags() -> String {
    flags().join(" ")
}

/// The flags of the build for this CPU alone: those in force, and one more.
pub(crate) fn native_flags() -> Vec<String> {
    let mut flags = flags();
    flags.push(native::FLAG.into());
    flags
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
    fn a_capability_variable_of_the_user_is_told() {
        assert!(warnings_about(None).is_empty());
        let [warning] = &warnings_about(Some(""))[..] else { panic!() };
        assert!(warning.what.starts_with(r#"OPENSSL_ia32cap="" hides"#) && !warning.blocking, "{warning:?}");
    }

    #[test]
    fn the_compiler_is_named() {
        let build = build(Path::new("."), &Programs::default());
        assert!(build.rustc.contains("host: "), "{}", build.rustc);
    }
}
