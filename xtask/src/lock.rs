//! One run at a time on one machine: two would measure each other.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::exit::Failure;
use crate::out;
use crate::time::Utc;

/// Held while a run measures; the system takes it back however the program ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: Option<File>,
}

/// Who holds the lock.
#[derive(Debug, Serialize, Deserialize)]
struct Holder {
    process: u32,
    since: String,
    run: String,
}

/// The same file for every workspace and every user of the machine.
fn path() -> PathBuf {
    std::env::temp_dir().join("hashmatrix-bench.lock")
}

/// Takes the lock for the run of that name.
///
/// # Errors
///
/// Another run has it; the message says which.
pub(crate) fn take(run: &str) -> Result<Lock, Failure> {
    take_at(&path(), run)
}

fn take_at(path: &Path, run: &str) -> Result<Lock, Failure> {
    let mut file = match open(path) {
        Ok(file) => file,
        Err(error) => {
            out::warn(&format!("cannot tell whether another run is measuring ({}: {error})", path.display()));
            return Ok(Lock { _file: None });
        }
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(busy(&mut file)),
        Err(TryLockError::Error(error)) => {
            out::warn(&format!("cannot tell whether another run is measuring ({}: {error})", path.display()));
            return Ok(Lock { _file: None });
        }
    }
    // Whoever comes second is told this much; a file of another user cannot be written, and the lock holds all the same.
    let holder = Holder { process: std::process::id(), since: Utc::now().rfc3339(), run: run.into() };
    let _ = write(&mut file, &holder);
    Ok(Lock { _file: Some(file) })
}

fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is no ordinary file"));
    }
    let writable = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    match writable {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => File::open(path),
        other => other,
    }
}

fn write(file: &mut File, holder: &Holder) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    serde_json::to_writer(&mut *file, holder)?;
    file.flush()
}

fn busy(file: &mut File) -> Failure {
    let mut text = String::new();
    // On systems where a lock forbids reading, there is nothing to tell about the holder.
    let holder = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str::<Holder>(&text).ok());
    Failure::new(match holder {
        Some(Holder { process, since, run }) => format!(
            "another run is measuring on this machine: `{}`, process {process}, since {since}; two would measure each \
             other. Wait for its end, or stop it: kill -INT {process}",
            out::tame(&run)
        ),
        None => "another run is measuring on this machine; two would measure each other. Wait for its end".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_about_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = take_at(&path, "morning").unwrap();
        let message = take_at(&path, "noon").unwrap_err().message;
        assert!(message.contains("`morning`") && message.contains(&std::process::id().to_string()), "{message}");
        drop(first);
        take_at(&path, "noon").unwrap();
    }

    #[test]
    fn what_is_no_file_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        assert!(take_at(folder.path(), "x").unwrap()._file.is_none());
    }
}
