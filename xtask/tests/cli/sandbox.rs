//! A copy of the fixture in a folder of its own, whose path has a space in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use benchkit::record::{self, ReadOutcome, Record, Visit};
use tempfile::TempDir;

pub(crate) struct Sandbox {
    folder: TempDir,
}

/// What a command answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Answer {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
        Self {
            code: output.status.code().expect("it was not killed"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// The answer, if the exit code is that.
    #[track_caller]
    pub(crate) fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\nstdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that an error says all of that.
    #[track_caller]
    pub(crate) fn says(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.stderr.contains(text), "`{text}` is not in\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("xtask test ").tempdir().unwrap();
        let sandbox = Self { folder };
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture"), &sandbox.root());
        fs::create_dir(sandbox.temporary()).unwrap();
        sandbox
    }

    /// The workspace.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("work space")
    }

    /// Its folder of temporary files: the lock of one test is not that of another.
    pub(crate) fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// A command that starts in the workspace with nothing of the test's own cargo.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).current_dir(self.root()).stdin(Stdio::null());
        command.env("TMPDIR", self.temporary()).env("TERM", "xterm-256color");
        for variable in [
            "HASHMATRIX_PEERS",
            "OPENSSL_ia32cap",
            "RUSTFLAGS",
            "CARGO_MANIFEST_DIR",
            "CARGO_TARGET_DIR",
            "NO_COLOR",
            "COLUMNS",
            "CARGO_TERM_COLOR",
        ] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn answer(&self, command: &mut Command) -> Answer {
        Answer::of(&command.output().unwrap())
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        self.answer(&mut self.command(arguments))
    }

    pub(crate) fn run_with(&self, variable: &str, value: &str, arguments: &[&str]) -> Answer {
        self.answer(self.command(arguments).env(variable, value))
    }

    /// Every record file there is.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let entries = |folder: &Path| -> Vec<PathBuf> {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            paths
        };
        entries(&self.root().join("results")).iter().flat_map(|machine| entries(machine)).collect()
    }

    /// The one record file there is.
    #[track_caller]
    pub(crate) fn file(&self) -> PathBuf {
        let mut files = self.files();
        assert_eq!(files.len(), 1, "{files:?}");
        files.remove(0)
    }

    /// The records of the one run there is; all of them are whole.
    #[track_caller]
    pub(crate) fn records(&self) -> Vec<Record> {
        let ReadOutcome { records, problems } = record::read(self.file());
        assert!(problems.is_empty(), "{problems:?}");
        records
    }
}

pub(crate) fn visits(records: &[Record]) -> Vec<&Visit> {
    records
        .iter()
        .filter_map(|record| match record {
            Record::Visit(visit) => Some(visit),
            _ => None,
        })
        .collect()
}

/// The clock of each process.
pub(crate) fn clocks(records: &[Record]) -> Vec<&str> {
    let processes = records.iter().filter_map(|record| match record {
        Record::Process(process) => Some(process),
        _ => None,
    });
    processes.map(|process| process.clock.as_str()).collect()
}

pub(crate) fn outcome(records: &[Record]) -> &str {
    match records.last() {
        Some(Record::End(end)) => &end.outcome,
        other => panic!("the last record is {other:?}"),
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
