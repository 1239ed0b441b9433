use std::io::Write;

use serde_json::json;

use super::*;
use crate::record::Appender;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A file of its own in the system's folder for such, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, contents: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("benchkit-{}-{name}.jsonl", std::process::id()));
        File::create(&path).unwrap().write_all(contents).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

fn from_text(text: &str) -> ReadOutcome {
    read_lines(text.as_bytes(), Path::new("x.jsonl"))
}

fn run() -> Value {
    let text = std::fs::read_to_string(data("no-final-newline.jsonl")).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

/// The problems with `line` after a good `run` line, as printed.
fn problems_with(line: &str) -> Vec<String> {
    let outcome = from_text(&format!("{}\n{line}\n", run()));
    assert_eq!(outcome.records.len(), 1, "{line} was taken");
    outcome.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn no_final_newline_is_fine() {
    let outcome = read(data("no-final-newline.jsonl"));
    assert_eq!(outcome.problems, []);
    assert_eq!(outcome.records.len(), 3);
    assert!(matches!(&outcome.records[2], Record::Visit(visit) if visit.length == 1024 && visit.ticks == [9000]));
}

#[test]
fn a_cut_last_line_is_named_and_the_others_count() {
    let outcome = read(data("cut-last-line.jsonl"));
    assert_eq!(outcome.records.len(), 3);
    let [problem] = &outcome.problems[..] else { panic!("{:?}", outcome.problems) };
    assert_eq!(problem.line, Some(4));
    assert!(problem.what.starts_with("the last line is cut short: no JSON"), "{problem}");
    assert!(problem.to_string().contains("cut-last-line.jsonl:4: "), "{problem}");
}

#[test]
fn nothing_is_glued_to_a_cut_line() {
    let record = Record::Visit(match &read(data("no-final-newline.jsonl")).records[1] {
        Record::Visit(visit) => visit.clone(),
        other => panic!("{other:?}"),
    });
    for (name, good) in [("cut-last-line.jsonl", 3), ("no-final-newline.jsonl", 3)] {
        let file = Scratch::new(name, &std::fs::read(data(name)).unwrap());
        let before = read(&file.0).problems.len();
        let mut appender = Appender::open(&file.0).unwrap();
        appender.append(&record).unwrap();
        // Each line is there at once, and a second opening adds no empty line.
        assert_eq!(read(&file.0).records.len(), good + 1);
        Appender::open(&file.0).unwrap().append(&record).unwrap();
        appender.sync().unwrap();
        let outcome = read(&file.0);
        assert_eq!(outcome.records.len(), good + 2);
        assert_eq!(outcome.records.last(), Some(&record));
        assert_eq!(outcome.problems.len(), before);
        assert!(!std::fs::read_to_string(&file.0).unwrap().contains("\n\n"));
    }
}

#[test]
fn appending_begins_a_file() {
    let file = Scratch::new("new", b"");
    let record = Record::deserialize(run()).unwrap();
    Appender::open(&file.0).unwrap().append(&record).unwrap();
    assert_eq!(read(&file.0), ReadOutcome { records: vec![record], problems: vec![] });
}

#[test]
fn foreign_files_are_called_so_once() {
    for name in ["foreign-cut-last-line.jsonl", "foreign-no-final-newline.jsonl"] {
        let outcome = read(data(name));
        assert_eq!(outcome.records, []);
        let [problem] = &outcome.problems[..] else { panic!("{:?}", outcome.problems) };
        assert_eq!((problem.line, &*problem.what), (None, "no record file: line 1: missing field `kind`"));
    }
    assert_eq!(from_text("").problems[0].what, "no record file: it is empty");
    assert!(from_text("# Title\n\ntext\n").problems[0].what.starts_with("no record file: line 1: no JSON"));
}

#[test]
fn without_a_run_line_nothing_can_be_used() {
    let outcome = from_text("{\"kind\":\"end\",\"ended\":\"\",\"visits\":0,\"outcome\":\"complete\"}\n");
    assert_eq!(outcome.problems.len(), 1);
    assert!(outcome.problems[0].what.contains("no `run` line"), "{}", outcome.problems[0]);
}

#[test]
fn an_unopenable_file_is_a_problem() {
    let outcome = read(data("there-is-no-such-file.jsonl"));
    assert_eq!(outcome.records, []);
    assert!(outcome.problems[0].what.starts_with("cannot be opened"), "{}", outcome.problems[0]);
}

#[test]
fn a_newer_schema_is_refused_with_all_its_lines() {
    let mut newer = run();
    newer["schema"] = json!(SCHEMA + 1);
    newer["machine"] = json!(["another", "shape"]);
    let text =
        format!("{newer}\n{{\"kind\":\"end\",\"ended\":\"\",\"visits\":0,\"outcome\":\"\"}}\n{{\"kind\":\"new\"}}\n");
    let outcome = from_text(&text);
    assert_eq!(outcome.records, []);
    assert_eq!(outcome.problems.len(), 1);
    assert_eq!(
        outcome.problems[0].to_string(),
        "x.jsonl:1: written with schema 2, newer than 1, the newest that is understood here"
    );
    // Another run behind it is read.
    assert_eq!(from_text(&format!("{text}{}\n", run())).records.len(), 1);
}

#[test]
fn every_damage_names_line_and_field() {
    let cases = [
        ("{\"kind\":\"visit\"}", "x.jsonl:2: `visit`: missing field `process`"),
        ("{\"kind\":\"tea\"}", "x.jsonl:2: unknown kind `tea`"),
        ("{\"kind\":3}", "x.jsonl:2: field `kind` is 3, which is no string"),
        ("[1]", "x.jsonl:2: no JSON object"),
        ("{\"median\":null}", "x.jsonl:2: missing field `kind`"),
        (
            "{\"kind\":\"end\",\"ended\":\"\",\"outcome\":\"\",\"visits\":\"many\"}",
            "x.jsonl:2: `end`: field `visits`: invalid type: string \"many\", expected u64",
        ),
        (
            "{\"kind\":\"cal\",\"cal\":0,\"process\":0,\"settled\":0,\"ticks\":[1,-2]}",
            "x.jsonl:2: `cal`: field `ticks`: invalid value: integer `-2`, expected u64",
        ),
    ];
    for (line, wanted) in cases {
        assert_eq!(problems_with(line), [wanted]);
    }
    let mut visit: Value =
        serde_json::from_str(std::fs::read_to_string(data("no-final-newline.jsonl")).unwrap().lines().nth(1).unwrap())
            .unwrap();
    visit["operation"] = json!("brew");
    let problem = &problems_with(&visit.to_string())[0];
    assert!(problem.starts_with("x.jsonl:2: `visit`: field `operation`: unknown variant `brew`"), "{problem}");
}

#[test]
fn figures_that_no_worker_writes_are_damage() {
    let text = std::fs::read_to_string(data("no-final-newline.jsonl")).unwrap();
    let visit: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    for (field, value, what) in [("ticks", json!([]), "empty"), ("calls", json!(0), "0"), ("messages", json!(0), "0")] {
        let mut visit = visit.clone();
        visit[field] = value;
        assert_eq!(problems_with(&visit.to_string()), [format!("x.jsonl:2: `visit`: field `{field}` is {what}")]);
    }
    let cal = r#"{"kind":"cal","cal":0,"process":0,"settled":0,"ticks":[]}"#;
    assert_eq!(problems_with(cal), ["x.jsonl:2: `cal`: field `ticks` is empty"]);
    let mut endless = visit.clone();
    endless["ticks"] = json!([1, u64::MAX]);
    assert_eq!(problems_with(&endless.to_string()), ["x.jsonl:2: `visit`: field `ticks` holds a time of weeks"]);
    for rate in ["0", "-2.6e9"] {
        let process = format!(
            r#"{{"kind":"process","process":0,"family":"f","seed":1,"clock":"tsc","ticks_per_second":{rate},"unit":"cycles","self_test":"","cpu":null,"locked":true}}"#
        );
        let want = "x.jsonl:2: `process`: field `ticks_per_second` is not above 0";
        assert_eq!(problems_with(&process), [want], "{rate}");
    }
}

#[test]
fn foreign_bytes_empty_lines_carriage_returns_and_a_mark_do_no_harm() {
    let mut text = "\u{feff}".as_bytes().to_vec();
    text.extend_from_slice(format!("{}\r\n\r\n", run()).as_bytes());
    text.extend_from_slice(b"\xff\xfe\n");
    let outcome = read_lines(&text[..], Path::new("x.jsonl"));
    assert_eq!(outcome.records.len(), 1);
    assert_eq!(outcome.problems.len(), 1);
    assert_eq!(outcome.problems[0].to_string(), "x.jsonl:3: no UTF-8");
}

/// Unknown fields are not damage: a newer writer may add some without a new schema.
#[test]
fn unknown_fields_are_ignored() {
    let mut more = run();
    more["weather"] = json!("fine");
    assert_eq!(from_text(&more.to_string()).problems, []);
}
