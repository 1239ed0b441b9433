//! Starts workers and reads what they answer.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use benchkit::protocol::{List, VERSION};
use serde::Serialize;

use crate::build::Program;
use crate::child::{Errors, Event, Running, ending};
use crate::exit::Failure;
use crate::out::tame;

/// A worker that says nothing for so long hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// Name of the variable that shifts a process's stack; its value means nothing.
const PADDING: &str = "HASHMATRIX_PADDING";

/// Bytes that a command's JSON may have: Linux takes 128 KiB for one argument.
pub(crate) const LONGEST_REQUEST: usize = 120_000;

/// How a worker is started.
#[derive(Debug, Default)]
pub(crate) struct Setup<'a> {
    /// Variables besides the user's.
    pub(crate) environment: Option<&'a BTreeMap<String, String>>,
    /// Bytes by which the environment is longer than it need be.
    pub(crate) padding: usize,
    /// Its folder; `None`: the user's.
    pub(crate) folder: Option<&'a Path>,
}

/// The command line `WORKER worker COMMAND JSON`.
pub(crate) fn command<T: Serialize>(program: &Path, verb: &str, request: Option<&T>, setup: &Setup<'_>) -> Command {
    let mut command = Command::new(program);
    command.args(["worker", verb]).env("LC_ALL", "C");
    if let Some(request) = request {
        command.arg(serde_json::to_string(request).expect("requests have only string keys"));
    }
    if let Some(environment) = setup.environment {
        command.envs(environment);
    }
    if setup.padding > 0 {
        command.env(PADDING, "x".repeat(setup.padding));
    }
    if let Some(folder) = setup.folder {
        command.current_dir(folder);
    }
    command
}

/// Starts a worker that Ctrl-C on the terminal does not reach: this program ends it, between two lines.
///
/// # Errors
///
/// It cannot be started; a sentence.
pub(crate) fn start(command: &mut Command) -> Result<Running, String> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    Running::start(command, Errors::Caught, PATIENCE)
        .map_err(|error| format!("cannot be started ({}): {error}", command.get_program().display()))
}

/// How a worker's command went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It ended by itself with that status.
    Status(i32),
    /// The user stopped it.
    Interrupted,
    /// It crashed, hung or could not be started; a sentence without a subject.
    Broken(String),
}

/// Runs a command to its end. Lines go to `line`; what it says on standard error to `complaint`.
pub(crate) fn run<E>(
    command: &mut Command,
    mut line: impl FnMut(String) -> Result<(), E>,
    mut complaint: impl FnMut(&str),
) -> Result<End, E> {
    let mut worker = match start(command) {
        Ok(worker) => worker,
        Err(sentence) => return Ok(End::Broken(sentence)),
    };
    let mut last_words = LastWords::default();
    let said = |how: String, last_words: &str| {
        End::Broken(if last_words.is_empty() { how } else { format!("{how}: {last_words}") })
    };
    loop {
        match worker.next() {
            Ok(Event::Line(text)) => line(text)?,
            Ok(Event::Complaint(text)) => {
                let text = tame(&text);
                complaint(&text);
                last_words.hear(&text);
            }
            Ok(Event::Ended(status)) => {
                return Ok(match status.code() {
                    // 2 is a wrong digest, of which the answer tells.
                    Some(code @ (0 | 2)) => End::Status(code),
                    _ => said(ending(status), &last_words.text),
                });
            }
            Ok(Event::Interrupted) => return Ok(End::Interrupted),
            Ok(Event::Silent) => {
                return Ok(said(format!("said nothing for {} s and was ended", PATIENCE.as_secs()), &last_words.text));
            }
            Err(error) => return Ok(End::Broken(format!("cannot be waited for: {error}"))),
        }
    }
}

/// The line of a program's complaints that says most about why it ended: of a panic, what follows its head; otherwise
/// the last one.
#[derive(Debug, Default)]
struct LastWords {
    text: String,
    panic: Panic,
}

#[derive(Debug, Default, PartialEq)]
enum Panic {
    #[default]
    No,
    Head,
    Told,
}

impl LastWords {
    fn hear(&mut self, line: &str) {
        if self.panic == Panic::Told || line.trim().is_empty() {
            return;
        }
        self.text = line.into();
        if self.panic == Panic::Head {
            self.panic = Panic::Told;
        } else if line.contains(" panicked at ") {
            self.panic = Panic::Head;
        }
    }
}

/// Asks what a worker offers, also in the processes that some of it needs.
///
/// # Errors
///
/// A [`Failure`] if the user stopped it; inside, a sentence if the worker is no use.
pub(crate) fn list(program: &Program) -> Result<Result<List, String>, Failure> {
    listed(&mut command::<()>(&program.path, "list", None, &Setup::default()))
}

/// Asks what a worker offers in a process with that environment, and in no other.
///
/// # Errors
///
/// As for [`list`].
pub(crate) fn list_in(program: &Path, environment: &BTreeMap<String, String>) -> Result<Result<List, String>, Failure> {
    let setup = Setup { environment: Some(environment), ..Setup::default() };
    let here = BTreeMap::<String, String>::new();
    listed(&mut command(program, "list", Some(&here), &setup))
}

fn listed(command: &mut Command) -> Result<Result<List, String>, Failure> {
    let mut answer = None;
    let mut junk = None;
    let end = run::<Failure>(
        command,
        |text| {
            match serde_json::from_str::<List>(&text) {
                Ok(list) => answer = Some(list),
                Err(_) => junk = Some(tame(&text)),
            }
            Ok(())
        },
        |_| {},
    )?;
    Ok(match (end, answer, junk) {
        (End::Interrupted, ..) => return Err(Failure::interrupted()),
        (End::Broken(sentence), ..) => Err(sentence),
        (End::Status(_), Some(list), None) if list.protocol == VERSION => Ok(list),
        (End::Status(_), Some(list), None) => {
            Err(format!("speaks protocol {} where {VERSION} is needed; update its benchkit", list.protocol))
        }
        (End::Status(_), _, Some(junk)) => Err(format!("answered `list` with something else: {junk}")),
        (End::Status(_), None, None) => Err("answered `list` with nothing".into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_by_its_message() {
        let heard = |lines: &[&str]| {
            let mut words = LastWords::default();
            lines.iter().for_each(|line| words.hear(line));
            words.text
        };
        let panic =
            ["", "thread 'main' (7) panicked at a.rs:1:2:", "no such thing", "note: run with `RUST_BACKTRACE=1`"];
        assert_eq!(heard(&panic), "no such thing");
        assert_eq!(heard(&["one", "error: two", ""]), "error: two");
        assert_eq!(heard(&[]), "");
    }
}
