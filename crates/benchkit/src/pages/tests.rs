use serde_json::{Value, json};

use super::*;
use crate::record::Record;
use crate::suite::Operation;
use crate::table::simulated::{Simulation, cycles, usual};

mod csv;
mod profiles;

fn build(run: &Simulation) -> Tables {
    Tables::build(&[run.read()])
}

fn page(name: &str, tables: &Tables) -> String {
    render(name, tables, &Options::default()).unwrap()
}

/// A run without noise: two algorithms, a failure, an absence, a batch.
fn exact() -> Simulation {
    let mut run = Simulation::new("amd-25-1-1", "20260101-a", 1);
    run.noise = 0.0;
    run.algorithm(
        "sha256",
        Some("sha256"),
        &[("ours/fast", true), ("ours/portable", true), ("peer/evp", false), ("gcrypt/default", false)],
    );
    run.algorithm("sha512", Some("sha512"), &[("ours/portable", true), ("peer/bad", false)]);
    run.kat("sha512", "peer/bad", Some("Len = 8: digest differs"));
    run.absent("sha256", "gcrypt/default", "libgcrypt is not there", "install libgcrypt20");
    run.absent("sha512", "gcrypt/default", "libgcrypt is not there", "install libgcrypt20");
    for overhead in [20.0, 20.0] {
        run.process(overhead);
        for length in [8, 2048, 4096, 8192] {
            run.work = (Operation::Hash, 1);
            run.block("sha256", length, &cycles(length, overhead));
            run.block("sha512", length, &[("ours/portable", 100.0 + 5.0 * length as f64 + overhead)]);
        }
        run.work = (Operation::Batch, 16);
        run.block("sha256", 4096, &[("ours/fast", 16.0 * 4096.0 + overhead)]);
    }
    // Two speeds, to have a mark.
    for visit in run.visits("ours/portable", 4096).filter(|visit| visit.algorithm == "sha256") {
        visit.ticks.iter_mut().step_by(2).for_each(|ticks| *ticks = *ticks * 5 / 4);
    }
    run.end();
    run
}

fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/data/page-{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BENCHKIT_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, wanted, "\n{text}\nis not what {path} has; BENCHKIT_BLESS=1 writes it anew");
}

#[test]
fn terminal_page() {
    golden("terminal", &page("terminal", &build(&exact())));
}

#[test]
fn ebash_page() {
    golden("ebash", &page("ebash", &build(&exact())));
}

#[test]
fn backends_page() {
    golden("backends", &page("backends", &build(&exact())));
}

#[test]
fn csv_page() {
    golden("csv", &page("csv", &build(&exact())));
}

#[test]
fn markdown_page() {
    golden("markdown", &page("markdown", &build(&exact())));
}

#[test]
fn json_page() {
    let value: Value = serde_json::from_str(&page("json", &build(&exact()))).unwrap();
    assert_eq!((&value["format"], &value["version"]), (&json!("hashmatrix-tables"), &json!(1)));
    let machine = &value["machines"][0];
    assert_eq!(machine["machine"]["slug"], "amd-25-1-1");
    assert_eq!((&machine["unit"], &machine["clock"]), (&json!("cycles"), &json!("tsc")));
    assert_eq!(machine["core_hertz"], 4e9 / 64.0);
    assert_eq!(machine["runs"][0]["run"]["run"], "20260101-a");
    let rows = machine["rows"].as_array().unwrap();
    let fast = rows.iter().find(|row| row["implementation"] == "ours/fast" && row["operation"] == "hash").unwrap();
    let cell = &fast["cells"][0];
    assert_eq!((&cell["length_bytes"], &cell["bytes_per_call"], &cell["samples"]), (&json!(8), &json!(8), &json!(32)));
    assert_eq!(cell["net"]["cycles_per_call"]["stabilized_quartiles"], json!([60.0, 60.0, 60.0]));
    assert_eq!(cell["net"]["cycles_per_byte"]["quartiles"], json!([7.5, 7.5, 7.5]));
    assert_eq!(cell["raw"]["cycles_per_byte"]["mean"], json!(10.0));
    assert_eq!(fast["long"]["raw"]["cycles_per_byte"]["min"], json!(2.0));
    assert_eq!((&fast["slope"]["cycles_per_byte"], &fast["slope"]["fixed_cycles"]), (&json!(2.0), &json!(44.0)));
    let batch = rows.iter().find(|row| row["operation"] == "batch").unwrap();
    assert_eq!((&batch["messages"], &batch["cells"][0]["bytes_per_call"]), (&json!(16), &json!(65536)));
    let bad = rows.iter().find(|row| row["state"] == "kat-fail").unwrap();
    assert_eq!((&bad["reason"], &bad["cells"]), (&json!("Len = 8: digest differs"), &json!([])));
    let ratio = machine["comparisons"][0]["ratio"].as_f64().unwrap();
    assert!((ratio - 60.0 / 256.8).abs() < 0.00001, "{ratio}");
    let portable = rows.iter().find(|row| row["implementation"] == "ours/portable" && row["algorithm"] == "sha256");
    assert_eq!(portable.unwrap()["cells"][2]["marks"], json!(["?"]));
}

#[test]
fn names_list_every_page() {
    let tables = build(&exact());
    for name in NAMES {
        let text = page(name, &tables);
        assert!(text.ends_with('\n') && !text.contains(['\r', '\x1b']), "{name}");
        for said in ["cycles", "tsc", "subtracted"] {
            assert!(text.contains(said), "{name} does not say {said}");
        }
        assert!(!page(name, &Tables::default()).is_empty());
    }
    let error = render("html", &tables, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "`html` is no page; there are terminal, ebash, backends, markdown, csv, json");
}

/// A clock that failed its self-test counts ticks, and every page says so.
#[test]
fn ticks_are_never_called_cycles() {
    let mut run = exact();
    for record in &mut run.records {
        if let Record::Process(process) = record {
            process.unit = crate::record::Unit::Ticks;
        }
    }
    let tables = build(&run);
    for name in NAMES {
        let text = page(name, &tables).replace("no core cycles", "").replace("48 cycles", "").replace("32 cycles", "");
        let text = text.replace("ticks_per_cycle", "");
        assert!(text.contains("ticks"), "{name}");
        assert!(!text.to_lowercase().contains("cycles"), "{name}:\n{text}");
    }
}

#[test]
fn colour_only_when_asked_and_it_changes_nothing_else() {
    let tables = build(&exact());
    let coloured = render("terminal", &tables, &Options { colour: true, width: None }).unwrap();
    assert!(coloured.contains("\x1b[1;32m 7.50\x1b[0m"), "the best net figure at 8 bytes\n{coloured}");
    assert!(coloured.contains("\x1b[1;31mKAT FAIL"));
    let mut plain = String::new();
    for (number, piece) in coloured.split('\x1b').enumerate() {
        plain.push_str(if number == 0 { piece } else { piece.split_once('m').unwrap().1 });
    }
    // Where a style ends after padding, spaces remain at the end of a line.
    let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
    assert_eq!(trimmed.join("\n") + "\n", page("terminal", &tables));
}

/// However narrow, every figure is there and no line is wider unless a single word or column is.
#[test]
fn narrow_terminals_get_the_whole_table() {
    let tables = build(&exact());
    let wide = page("terminal", &tables);
    let narrow = render("terminal", &tables, &Options { colour: false, width: Some(60) }).unwrap();
    let table = |text: &str| text.lines().filter(|line| line.starts_with("sha")).map(str::to_owned).collect::<Vec<_>>();
    assert!(narrow.lines().filter(|line| !line.contains('[')).all(|line| line.chars().count() <= 60), "{narrow}");
    assert!(table(&narrow).len() > table(&wide).len());
    for width in [0, 1, 20, 80] {
        let text = render("terminal", &tables, &Options { colour: false, width: Some(width) }).unwrap();
        for figure in wide.split_whitespace().filter(|word| word.contains('.')) {
            assert!(text.contains(figure), "{figure} is missing at width {width}");
        }
    }
}

/// The five usual lengths, if they are there, are what is shown; others are named.
#[test]
fn lengths_that_are_shown() {
    let head = |lengths: &[usize]| {
        let text = page("terminal", &build(&usual("a", "r", 1, lengths)));
        let head = text.lines().find(|line| line.starts_with("algorithm")).unwrap();
        (head.split_whitespace().skip(2).collect::<Vec<_>>().join(" "), text)
    };
    let (columns, text) = head(&[8, 16, 64, 576, 1536, 2048, 4096, 8192]);
    assert_eq!(columns, "8 8 64 64 576 1536 4096 long slope fixed");
    assert!(text.contains("measured as well: 16, 2048, 8192 bytes"));
    let (columns, text) = head(&[100]);
    assert_eq!(columns, "100 100");
    assert!(!text.contains("measured as well"));
}

#[test]
fn one_sample_and_no_bytes() {
    let mut run = usual("a", "r", 1, &[0, 1]);
    for record in &mut run.records {
        if let Record::Visit(visit) = record {
            visit.ticks.truncate(1);
        }
    }
    let tables = build(&run);
    for name in NAMES {
        let text = page(name, &tables);
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("-0.00"), "{name}:\n{text}");
    }
    let text = page("terminal", &tables);
    assert!(text.contains("net/call") && text.contains("Length 0: cycles/call"), "{text}");
    let value: Value = serde_json::from_str(&page("json", &tables)).unwrap();
    let cell = &value["machines"][0]["rows"][0]["cells"][0];
    assert_eq!((&cell["length_bytes"], &cell["raw"]["cycles_per_byte"]), (&json!(0), &Value::Null));
    assert!(cell["raw"]["cycles_per_call"]["mean"].is_f64());
    let mut run = Simulation::new("a", "r", 1);
    run.process(0.0).block("sha256", 1, &[("a/b", 100.0)]);
    run.visits("a/b", 1).for_each(|visit| visit.ticks.truncate(1));
    let value: Value = serde_json::from_str(&page("json", &build(&run))).unwrap();
    let cell = &value["machines"][0]["rows"][0]["cells"][0];
    assert_eq!(cell["raw"]["cycles_per_call"]["deviation"], Value::Null);
    assert_eq!(cell["process_spread_cycles_per_call"], Value::Null);
}

/// Commas, quotes, bars, newlines and escape sequences in names and notes stay what they are, on one line.
#[test]
fn hostile_names() {
    let name = "lib/a,b \"64\"|c\nd\x1b[31m<i>*";
    let mut run = Simulation::new("a", "r", 1);
    run.algorithm("x", None, &[(name, true)]).process(0.0).block("x", 4096, &[(name, 4096.0), ("b/c", 9000.0)]).end();
    run.kat("x", "bad/one", Some("two\nlines | and a bar"));
    let tables = build(&run);
    assert!(NAMES.iter().all(|name| !page(name, &tables).contains('\x1b')));
    for page_name in ["terminal", "ebash", "markdown"] {
        let text = page(page_name, &tables);
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("lib/a,b")).collect();
        assert_eq!(rows.len(), 1, "{page_name}:\n{text}");
        assert!(rows[0].contains("1.00"), "the figure is on the same line");
    }
    let text = page("markdown", &tables);
    let mut bars =
        text.lines().filter(|line| line.starts_with('|')).map(|line| line.replace("\\|", "").matches('|').count());
    let first = bars.next().unwrap();
    assert!(bars.all(|count| count == first), "{text}");
    assert!(text.contains("&lt;i>\\*") && text.contains("two\\\\nlines \\| and a bar"), "{text}");
    let value: Value = serde_json::from_str(&page("json", &tables)).unwrap();
    assert!(value["machines"][0]["rows"].as_array().unwrap().iter().any(|row| row["implementation"] == name));
}

#[test]
fn two_machines_are_two_tables() {
    let tables = Tables::build(&[usual("a", "r1", 1, &[64]).read(), usual("b", "r2", 2, &[64]).read()]);
    let text = page("markdown", &tables);
    assert_eq!(text.matches("## Brand ").count(), 2);
    let text = page("terminal", &tables);
    assert_eq!(text.matches("Brand a; a; clock tsc").count(), 1);
    assert_eq!(text.matches("Brand b; b; clock tsc").count(), 1);
    let value: Value = serde_json::from_str(&page("json", &tables)).unwrap();
    assert_eq!(value["machines"].as_array().unwrap().len(), 2);
}
