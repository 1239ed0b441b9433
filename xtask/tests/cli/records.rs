//! `report`, on records good and bad.

use std::fs;

use crate::sandbox::Sandbox;

fn with_run() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(&["bench", "--rounds", "1", "--length", "8,64", "--name", "first"]).with_code(0);
    sandbox
}

#[test]
fn the_newest_run_is_shown_and_others_by_name_or_path() {
    let sandbox = Sandbox::new();
    sandbox.run(&["report"]).with_code(1).says(&["no records", "cargo xtask bench"]);
    let sandbox = with_run();
    let table = sandbox.run(&["report"]).with_code(0).stdout;
    assert!(table.contains("alpha/fast") && table.contains("toy16"), "{table}");
    assert_eq!(table, sandbox.run(&["report", "--run", "first"]).with_code(0).stdout);
    let file = sandbox.file();
    assert_eq!(table, sandbox.run(&["report", "--run", file.to_str().unwrap()]).with_code(0).stdout);
    sandbox.run(&["report", "--run", "frist"]).with_code(1).says(&["`frist`", "near ones: first"]);
    let twice = sandbox.run(&["report", "--run", "first", "--run", "first"]).with_code(0).stdout;
    assert_eq!(table, twice, "a run counts once");

    // The newest is the one that began last, whatever its name and wherever it lies.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    sandbox.run(&["bench", "--rounds", "1", "--length", "32", "--name", "a-second"]).with_code(0);
    let newest = sandbox.run(&["report"]).with_code(0).stdout;
    assert_eq!(newest, sandbox.run(&["report", "--run", "a-second"]).with_code(0).stdout);
    assert_ne!(newest, table);
}

#[test]
fn every_page_can_be_had() {
    let sandbox = with_run();
    for page in benchkit::pages::NAMES {
        let answer = sandbox.run(&["report", "--page", page]).with_code(0);
        assert!(answer.stdout.ends_with('\n') && answer.stdout.len() > 20, "{page}: {}", answer.stdout);
    }
    let json = sandbox.run(&["report", "--page", "json"]).with_code(0).stdout;
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    sandbox.run(&["report", "--page", "markdwon"]).with_code(1).says(&["`markdwon`", "near ones: markdown"]);
}

#[test]
fn a_page_goes_to_a_file_whole_or_not_at_all() {
    let sandbox = with_run();
    let path = sandbox.root().join("page.md");
    fs::write(&path, "old").unwrap();
    let answer = sandbox.run(&["report", "--page", "markdown", "-o", "page.md"]).with_code(0);
    answer.says(&["written: page.md"]);
    assert_eq!(answer.stdout, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), sandbox.run(&["report", "--page", "markdown"]).stdout);
    sandbox.run(&["report", "-o", "no/such/folder/page"]).with_code(1).says(&["cannot write no/such/folder/page"]);
    let left: Vec<_> = fs::read_dir(sandbox.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

#[test]
fn damaged_lines_are_named_and_the_rest_is_shown() {
    let sandbox = with_run();
    let table = sandbox.run(&["report"]).stdout;
    let file = sandbox.file();
    let whole = fs::read_to_string(&file).unwrap();

    fs::write(&file, format!("{whole}{{\"kind\":\"visit\",\"proc")).unwrap();
    let answer = sandbox.run(&["report"]).with_code(5);
    answer.says(&[&format!("first.jsonl:{}: the last line is cut short", whole.lines().count() + 1)]);
    assert_eq!(answer.stdout, table);

    let mut lines: Vec<&str> = whole.lines().collect();
    lines.insert(3, "{\"kind\":\"visit\",\"process\":0}");
    fs::write(&file, lines.join("\n")).unwrap();
    let answer = sandbox.run(&["report"]).with_code(5);
    answer.says(&["first.jsonl:4: `visit`: missing field"]);
    assert_eq!(answer.stdout, table);
}

#[test]
fn records_that_contradict_each_other_do_not_count_and_the_status_says_so() {
    let sandbox = with_run();
    let file = sandbox.file();
    let whole = fs::read_to_string(&file).unwrap();
    let visit = whole.lines().rfind(|line| line.contains("\"kind\":\"visit\"")).unwrap();
    let other = visit.replacen("\"ticks\":[", "\"ticks\":[9", 1);
    assert_ne!(other, visit);
    fs::write(&file, format!("{whole}{other}\n")).unwrap();
    let answer = sandbox.run(&["report"]).with_code(5);
    assert!(answer.stdout.contains("two of its records contradict each other"), "{}", answer.stdout);
}

#[test]
fn foreign_files_are_refused_by_name() {
    let sandbox = with_run();
    fs::write(sandbox.root().join("foreign.jsonl"), "{\"benchmark\":\"other\"}\n").unwrap();
    sandbox.run(&["report", "--run", "foreign.jsonl"]).with_code(5).says(&["foreign.jsonl", "no record file"]);
    fs::write(sandbox.root().join("empty.jsonl"), "").unwrap();
    sandbox.run(&["report", "--run", "empty.jsonl"]).with_code(5).says(&["empty.jsonl", "it is empty"]);
    // Beside a good one the good one is shown.
    let answer = sandbox.run(&["report", "--run", "first", "--run", "foreign.jsonl"]).with_code(5);
    assert!(answer.stdout.contains("alpha/fast"), "{}", answer.stdout);
}
