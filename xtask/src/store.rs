//! Where records live: `results/MACHINE/RUN.jsonl` under the workspace.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use benchkit::record::{Appender, Record};

use crate::exit::Failure;
use crate::names::suggestion;
use crate::out;
use crate::past;
use crate::time::Utc;

/// Ending of a record file.
const ENDING: &str = "jsonl";

/// The folder of all records of a workspace.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    folder: PathBuf,
}

/// A run that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Its name.
    pub(crate) name: String,
    /// Its file.
    pub(crate) path: PathBuf,
}

/// A record file that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    appender: Appender,
    path: PathBuf,
}

impl Results {
    /// Those of the workspace with that root.
    pub(crate) fn of(root: &Path) -> Self {
        Self { folder: root.join("results") }
    }

    /// The file of a new run: a name that is free, and a folder that is there.
    ///
    /// # Errors
    ///
    /// The name is no name or is taken, or the folder cannot be made; the message says what to do.
    pub(crate) fn reserve(&self, machine: &str, name: Option<&str>) -> Result<Stored, Failure> {
        let folder = self.folder.join(machine);
        fs::create_dir_all(&folder).map_err(|error| {
            Failure::new(format!(
                "cannot make the folder {} for the records: {error}; make it writable, or move away what is there in \
                 its place",
                folder.display()
            ))
        })?;
        if let Some(name) = name {
            return self.check(machine, name);
        }
        let stored = |name: String| Stored { path: folder.join(format!("{name}.{ENDING}")), name };
        let stamp = Utc::now().stamp();
        let later = (2..).map(|number| format!("{stamp}-{number}"));
        let free = std::iter::once(stamp.clone()).chain(later).map(stored).find(|stored| !stored.path.exists());
        free.ok_or_else(|| Failure::new("there is no free name for the run"))
    }

    /// What a new run of that name would be; nothing is made.
    ///
    /// # Errors
    ///
    /// The name is no name or is taken; the message says what to do.
    pub(crate) fn check(&self, machine: &str, name: &str) -> Result<Stored, Failure> {
        let path = self.folder.join(machine).join(format!("{}.{ENDING}", valid(name)?));
        if path.exists() {
            return Err(Failure::new(format!(
                "there is a run `{name}` already, in {}; choose another --name, or move that file away{}",
                path.display(),
                if is_finished(&path) { "" } else { ", or go on with it: --resume" }
            )));
        }
        Ok(Stored { name: name.into(), path })
    }

    /// Every run, in the order of folders and names.
    fn all(&self) -> Vec<Stored> {
        let entries = |folder: &Path| {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
            paths.sort();
            paths
        };
        let files = entries(&self.folder).into_iter().filter(|path| path.is_dir()).flat_map(|folder| entries(&folder));
        files
            .filter(|path| path.extension().is_some_and(|ending| ending == ENDING) && path.is_file())
            .filter_map(|path| Some(Stored { name: path.file_stem()?.to_str()?.into(), path }))
            .collect()
    }

    /// The run that began last.
    ///
    /// # Errors
    ///
    /// There is none.
    pub(crate) fn newest(&self) -> Result<Stored, Failure> {
        self.all().into_iter().max_by_key(|stored| started(&stored.path)).ok_or_else(|| {
            Failure::new(format!(
                "there are no records in {} yet; `cargo xtask bench` makes some",
                self.folder.display()
            ))
        })
    }

    /// The run of that name on that machine, or the newest one there that was cut short.
    ///
    /// # Errors
    ///
    /// There is none, or it is complete, or it was measured elsewhere.
    pub(crate) fn cut(&self, machine: &str, name: Option<&str>) -> Result<Stored, Failure> {
        let folder = self.folder.join(machine);
        let here = |stored: &Stored| stored.path.parent() == Some(&folder);
        if let Some(name) = name {
            let named = self.find(valid(name)?)?;
            let Some(stored) = named.iter().find(|stored| here(stored)) else {
                let elsewhere = named.first().map(|stored| stored.path.display().to_string()).unwrap_or_default();
                return Err(Failure::new(format!(
                    "run `{name}` cannot be resumed: it was measured on another machine ({elsewhere}); this one is {machine}"
                )));
            };
            if is_finished(&stored.path) {
                return Err(Failure::new(format!("run `{name}` is complete: there is nothing to resume")));
            }
            return Ok(stored.clone());
        }
        let cut = self.all().into_iter().filter(here).filter(|stored| !is_finished(&stored.path));
        cut.max_by_key(|stored| started(&stored.path)).ok_or_else(|| {
            Failure::new(format!("there is nothing to resume: no run in {} was cut short", folder.display()))
        })
    }

    /// The record files that a name or a path means: one name can be that of a run on several machines.
    ///
    /// # Errors
    ///
    /// There is none; the message lists near names.
    pub(crate) fn find(&self, text: &str) -> Result<Vec<Stored>, Failure> {
        let all = self.all();
        let named: Vec<Stored> = all.iter().filter(|stored| stored.name == text).cloned().collect();
        if !named.is_empty() {
            return Ok(named);
        }
        let path = PathBuf::from(text);
        if path.is_file() {
            return Ok(vec![Stored { name: text.into(), path }]);
        }
        let names: Vec<&str> = all.iter().map(|stored| stored.name.as_str()).collect();
        Err(Failure::new(format!(
            "there is no run and no file `{}`{}",
            out::tame(text),
            if names.is_empty() {
                format!("; there are no records in {} yet", self.folder.display())
            } else {
                suggestion(text, &names)
            }
        )))
    }
}

/// When the run of a file began, for comparing; files that do not tell come before all others.
fn started(path: &Path) -> String {
    const LONGEST_HEAD: u64 = 1 << 20;
    let head = || {
        let mut line = String::new();
        BufReader::new(File::open(path).ok()?.take(LONGEST_HEAD)).read_line(&mut line).ok()?;
        match serde_json::from_str(&line).ok()? {
            Record::Run(run) => Some(run.started),
            _ => None,
        }
    };
    head().unwrap_or_default()
}

/// Whether a run came to its own end: its last line says so.
fn is_finished(path: &Path) -> bool {
    const LONGEST_TAIL: u64 = 1 << 20;
    let tail = || {
        let mut file = File::open(path).ok()?;
        let length = file.seek(SeekFrom::End(0)).ok()?;
        file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_TAIL))).ok()?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail).ok()?;
        let line = tail.trim_ascii_end().rsplit(|&byte| byte == b'\n').next()?.to_vec();
        match serde_json::from_slice(&line).ok()? {
            Record::End(end) => Some(past::is_finished(&end)),
            _ => None,
        }
    };
    tail().unwrap_or(false)
}

/// A name that is a file name everywhere.
fn valid(name: &str) -> Result<&str, Failure> {
    const LONGEST: usize = 80;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
    let starts_well = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if starts_well && name.len() <= LONGEST && name.bytes().all(fits) && !name.ends_with('.') {
        Ok(name)
    } else {
        Err(Failure::new(format!(
            "`{}` is no name for a run: up to {LONGEST} letters, digits and `-_.+`, a letter or digit first",
            out::tame(name)
        )))
    }
}

impl Journal {
    /// Makes the file, before anything is measured.
    ///
    /// # Errors
    ///
    /// It cannot be made; the message says what to do.
    pub(crate) fn create(stored: &Stored) -> Result<Self, Failure> {
        let path = stored.path.clone();
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        let appender = created.and_then(|_| Appender::open(&path)).map_err(|error| {
            let advice = match error.kind() {
                ErrorKind::AlreadyExists => "another run took the name; choose another --name",
                ErrorKind::StorageFull => "make room on the disk",
                _ => "make its folder writable",
            };
            Failure::new(format!("cannot write records to {}: {error}; {advice}", path.display()))
        })?;
        Ok(Self { appender, path })
    }

    /// Opens the file of a run that was cut short. A last line that is no whole record is taken away: whoever
    /// reads the file would stumble over it for ever. Returns how many bytes that were.
    ///
    /// # Errors
    ///
    /// It cannot be written; the message says what to do.
    pub(crate) fn reopen(stored: &Stored) -> Result<(Self, u64), Failure> {
        let path = stored.path.clone();
        let opened = || {
            let mut file = OpenOptions::new().read(true).write(true).open(&path)?;
            let length = file.seek(SeekFrom::End(0))?;
            let mut whole = end_of_lines(&mut file, length)?;
            let mut rest = Vec::new();
            file.seek(SeekFrom::Start(whole))?;
            file.read_to_end(&mut rest)?;
            if serde_json::from_slice::<Record>(&rest).is_ok() {
                // It lacks nothing but its end, and counts like the others.
                whole = length;
            }
            if whole < length {
                file.set_len(whole)?;
            }
            Ok((Appender::open(&path)?, length - whole))
        };
        let (appender, cut) = opened().map_err(|error: io::Error| {
            Failure::new(format!("cannot write records to {}: {error}; make it writable", path.display()))
        })?;
        Ok((Self { appender, path }, cut))
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record; it is in the file when this returns.
    ///
    /// # Errors
    ///
    /// The disk takes no more.
    pub(crate) fn append(&mut self, record: &Record) -> Result<(), Failure> {
        self.appender.append(record).map_err(|error| {
            Failure::new(format!(
                "cannot write to {}: {error}; what was measured until now is there",
                self.path.display()
            ))
        })
    }
}

/// Where the last whole line ends.
fn end_of_lines(file: &mut File, length: u64) -> io::Result<u64> {
    const PIECE: u64 = 1 << 16;
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(PIECE);
        let mut piece = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut piece)?;
        if let Some(place) = piece.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + place as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_file_names_everywhere() {
        for good in ["a", "2026-03-21", "before_fix.2", "v1+x"] {
            assert!(valid(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", ".hidden", "-x", "a/b", "a\\b", "a b", "a:b", "ü", "a.", "x\n", &"x".repeat(81)] {
            assert!(valid(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_is_used_once() {
        let root = tempfile::tempdir().unwrap();
        let results = Results::of(root.path());
        let first = results.reserve("m", Some("x")).unwrap();
        Journal::create(&first).unwrap();
        assert!(results.reserve("m", Some("x")).unwrap_err().message.contains("another --name"));
        assert!(Journal::create(&first).is_err());
        assert_eq!(results.find("x").unwrap(), [first]);
        assert!(results.find("other").unwrap_err().message.contains("there are x"));
    }

    #[test]
    fn runs_without_a_name_never_collide() {
        let root = tempfile::tempdir().unwrap();
        let results = Results::of(root.path());
        let mut names = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let stored = results.reserve("m", None).unwrap();
            Journal::create(&stored).unwrap();
            assert!(names.insert(stored.name));
        }
    }
}
