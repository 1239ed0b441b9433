//! Reading record files, whatever happened to them.
//!
//! A line that cannot be used is skipped and named; the others count. Nothing is guessed.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::{Record, SCHEMA};

/// What a record file had to give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOutcome {
    /// The usable lines, in the order of the file.
    pub records: Vec<Record>,
    /// What was not usable. Whoever reads a file reports these and does not exit with status 0.
    pub problems: Vec<Problem>,
}

/// Something that was skipped, or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// Line in it, from 1; `None`: the file as a whole.
    pub line: Option<usize>,
    /// What is wrong, and which field if it is one.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.what),
            None => write!(f, "{}: {}", self.file.display(), self.what),
        }
    }
}

/// Reads a record file. Never fails as a whole: a file that cannot be opened is a [`Problem`] too.
pub fn read(path: impl AsRef<Path>) -> ReadOutcome {
    let path = path.as_ref();
    match File::open(path) {
        Ok(file) => read_lines(BufReader::new(file), path),
        Err(error) => {
            let what = format!("cannot be opened: {error}");
            ReadOutcome { problems: vec![Problem { file: path.into(), line: None, what }], ..Default::default() }
        }
    }
}

/// The same from anything that has lines; `path` is for messages.
pub fn read_lines(mut input: impl BufRead, path: &Path) -> ReadOutcome {
    let mut outcome = ReadOutcome::default();
    let mut problem = |line, what| outcome.problems.push(Problem { file: path.into(), line, what });
    // A newer run's lines are not understood even where they look familiar.
    let mut newer = false;
    let mut runs = 0;
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                problem(Some(number), format!("cannot be read: {error}"));
                break;
            }
        }
        let ends = bytes.ends_with(b"\n");
        let line = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| number == 1).unwrap_or(&bytes).trim_ascii();
        if line.is_empty() {
            continue;
        }
        match parse(line) {
            Ok(Line::Newer(schema)) => {
                newer = true;
                runs += 1;
                problem(
                    Some(number),
                    format!("written with schema {schema}, newer than {SCHEMA}, the newest that is understood here"),
                );
            }
            Ok(Line::Record(record)) => {
                if matches!(record, Record::Run(_)) {
                    newer = false;
                    runs += 1;
                }
                if !newer {
                    outcome.records.push(record);
                }
            }
            // The run of this line was refused already.
            Err(_) if newer => {}
            Err(what) if ends => problem(Some(number), what),
            Err(what) => problem(Some(number), format!("the last line is cut short: {what}")),
        }
    }
    if runs == 0 {
        let foreign = outcome.records.is_empty();
        let what = match outcome.problems.first() {
            // One sentence about a foreign file says more than one about each of its lines.
            Some(Problem { line: Some(line), what, .. }) if foreign => {
                format!("no record file: line {line}: {what}")
            }
            None if foreign => "no record file: it is empty".to_owned(),
            _ => "has no `run` line, which says what machine it is about: nothing in it can be used".to_owned(),
        };
        if foreign {
            outcome.problems.clear();
        }
        outcome.problems.push(Problem { file: path.into(), line: None, what });
    }
    outcome
}

enum Line {
    Record(Record),
    Newer(u64),
}

fn parse(line: &[u8]) -> Result<Line, String> {
    let text = str::from_utf8(line).map_err(|_| "no UTF-8".to_owned())?;
    let value: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
    let object = value.as_object().ok_or("no JSON object")?;
    let kind = match object.get("kind") {
        None => return Err("missing field `kind`".to_owned()),
        Some(Value::String(kind)) => kind,
        Some(other) => return Err(format!("field `kind` is {other}, which is no string")),
    };
    if kind == "run"
        && let Some(schema) = object.get("schema").and_then(Value::as_u64)
        && schema > u64::from(SCHEMA)
    {
        return Ok(Line::Newer(schema));
    }
    match Record::deserialize(&value) {
        Ok(record) => impossible(&record).map_or(Ok(Line::Record(record)), |what| Err(what.to_owned())),
        Err(error) => Err(describe(&value, kind, &error.to_string())),
    }
}

/// Ticks of no call: weeks at any clock's rate, and more than a figure can tell apart.
const LONGEST: u64 = 1 << 53;

/// What no worker writes, though the types allow it: from such a line there is no figure, or an endless one.
fn impossible(record: &Record) -> Option<&'static str> {
    match record {
        Record::Visit(visit) if visit.ticks.is_empty() => Some("`visit`: field `ticks` is empty"),
        Record::Visit(visit) if visit.calls == 0 => Some("`visit`: field `calls` is 0"),
        Record::Visit(visit) if visit.messages == 0 => Some("`visit`: field `messages` is 0"),
        Record::Process(process) if process.ticks_per_second <= 0.0 => {
            Some("`process`: field `ticks_per_second` is not above 0")
        }
        Record::Visit(visit) if visit.ticks.iter().any(|&ticks| ticks > LONGEST) => {
            Some("`visit`: field `ticks` holds a time of weeks")
        }
        Record::Cal(cal) if cal.ticks.is_empty() => Some("`cal`: field `ticks` is empty"),
        _ => None,
    }
}

/// Names the field: serde does so when one is missing, but not when one is of the wrong type.
fn describe(value: &Value, kind: &str, error: &str) -> String {
    if error.starts_with("unknown variant") && !is_kind(kind) {
        return format!("unknown kind `{kind}`");
    }
    if error.starts_with("missing field") {
        return format!("`{kind}`: {error}");
    }
    // The field without which the error is gone, or becomes that of a missing field, is the one.
    let culprit = value.as_object().into_iter().flatten().map(|(name, _)| name).find(|name| {
        let mut without = value.clone();
        without.as_object_mut().and_then(|object| object.remove(name.as_str()));
        name.as_str() != "kind"
            && match Record::deserialize(&without) {
                Ok(_) => true,
                Err(other) => other.to_string() == format!("missing field `{name}`"),
            }
    });
    match culprit {
        Some(name) => format!("`{kind}`: field `{name}`: {error}"),
        None => format!("`{kind}`: {error}"),
    }
}

/// Whether there are records of that kind, whatever their fields.
fn is_kind(kind: &str) -> bool {
    match Record::deserialize(&serde_json::json!({ "kind": kind })) {
        Ok(_) => true,
        Err(error) => !error.to_string().starts_with("unknown variant"),
    }
}

#[cfg(test)]
mod tests;
