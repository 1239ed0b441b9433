//! Read back by the rules of RFC 4180, not by the code that wrote it.

use super::*;

/// Records of fields.
fn parse(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let field = records.last_mut().unwrap().last_mut().unwrap();
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' => {
                assert!(field.is_empty(), "a quote within a bare field");
                quoted = true;
            }
            ',' if !quoted => records.last_mut().unwrap().push(String::new()),
            '\n' if !quoted => records.push(vec![String::new()]),
            other => field.push(other),
        }
    }
    assert!(!quoted);
    assert_eq!(records.pop(), Some(vec![String::new()]), "it ends with a line feed");
    records
}

struct Table(Vec<Vec<String>>);

impl Table {
    fn of(tables: &Tables) -> Self {
        let records = parse(&page("csv", tables));
        assert!(records.iter().all(|record| record.len() == records[0].len()), "as many fields in every line");
        Self(records)
    }

    fn lines(&self, wanted: &[(&str, &str)]) -> Vec<&Vec<String>> {
        self.0[1..].iter().filter(|line| wanted.iter().all(|(name, value)| self.get(line, name) == *value)).collect()
    }

    fn get<'a>(&self, line: &'a [String], name: &str) -> &'a str {
        let place = self.0[0].iter().position(|field| field == name).unwrap_or_else(|| panic!("no field {name}"));
        &line[place]
    }

    fn number(&self, wanted: &[(&str, &str)], name: &str) -> f64 {
        let lines = self.lines(wanted);
        assert_eq!(lines.len(), 1, "{wanted:?}");
        self.get(lines[0], name).parse().unwrap()
    }
}

#[test]
fn every_figure_of_every_cell() {
    let tables = build(&exact());
    let table = Table::of(&tables);
    let rows = &tables.machines[0].rows;
    let lines: usize =
        rows.iter().map(|row| (row.cells.len() + row.long.iter().count() + row.slope.iter().count()).max(1)).sum();
    assert_eq!(table.0.len(), 1 + lines);
    let cell = [("algorithm", "sha256"), ("implementation", "ours/fast"), ("operation", "hash"), ("length_bytes", "8")];
    for (name, wanted) in [
        ("raw_stq2", 80.0),
        ("net_stq2", 60.0),
        ("raw_min", 80.0),
        ("net_mean", 60.0),
        ("raw_deviation", 0.0),
        ("raw_stq2_per_byte", 10.0),
        ("net_stq2_per_byte", 7.5),
        ("bytes_per_call", 8.0),
        ("samples", 32.0),
        ("processes", 2.0),
        ("noise", 0.0),
        ("unit_per_second", 4e9 / 64.0),
    ] {
        assert_eq!(table.number(&cell, name), wanted, "{name}");
    }
    let line = table.lines(&cell)[0];
    for name in ["first_stq2", "own_per_call", "own_per_byte", "slope_per_byte", "reason", "marks"] {
        assert_eq!(table.get(line, name), "", "{name}: no value is an empty field");
    }
    let slope = [("implementation", "ours/fast"), ("figures", "slope")];
    assert_eq!((table.number(&slope, "slope_per_byte"), table.number(&slope, "slope_fixed")), (2.0, 44.0));
    let long = [("algorithm", "sha512"), ("figures", "long")];
    assert_eq!(table.number(&long, "raw_stq2_per_byte"), 5.0);
    let absent = table.lines(&[("state", "absent"), ("algorithm", "sha512")]);
    assert_eq!(table.get(absent[0], "reason"), "libgcrypt is not there");
    assert_eq!((table.get(absent[0], "figures"), table.get(absent[0], "remedy")), ("", "install libgcrypt20"));
    assert_eq!(table.lines(&[("state", "kat-fail")]).len(), 1);
    let marked = [("algorithm", "sha256"), ("implementation", "ours/portable"), ("length_bytes", "4096")];
    assert_eq!(table.get(table.lines(&marked)[0], "marks"), "?");
}

#[test]
fn profiles_are_lines_of_their_own() {
    let mut run = Simulation::new("a", "r", 1);
    (run.noise, run.untimed) = (0.0, 4);
    run.process(20.0);
    for profile in crate::profile::Profile::ALL {
        run.profile = profile;
        run.block("sha256", 64, &[("ours/fast", 640.0)]);
    }
    let table = Table::of(&build(&run));
    for profile in crate::profile::Profile::ALL {
        let line = [("profile", profile.name())];
        assert!(table.get(table.lines(&line)[0], "statistic").starts_with(profile.statistic()));
        assert_eq!(table.number(&line, "raw_stq2"), 640.0);
        let own = table.get(table.lines(&line)[0], "own_per_call");
        assert_eq!(own, if profile.interleaved() { "" } else { "640" }, "{profile}");
    }
    let native = [("profile", "native")];
    assert_eq!(table.number(&native, "first_mean"), 640.0 * 18.0 / 16.0);
    assert_eq!(table.number(&[("profile", "openssl")], "own_seconds_per_call"), 640.0 * 64.0 / 4e9);
}

/// Commas, quotes and line feeds in names and notes come back as they were.
#[test]
fn quoting() {
    let name = "lib/blake2b, keyed \"64\"";
    let mut run = Simulation::new("a", "r", 1);
    run.noise = 0.0;
    run.process(0.0).block("x", 64, &[(name, 640.0)]).end();
    run.kat("x", "bad/one", Some("two\nlines, \"quoted\"\tand\x1b[31m red\r"));
    let text = page("csv", &build(&run));
    assert!(!text.contains(['\x1b', '\r']));
    let table = Table::of(&build(&run));
    assert_eq!(table.number(&[("implementation", name)], "raw_stq2"), 640.0);
    let failed = table.lines(&[("state", "kat-fail")]);
    assert_eq!(table.get(failed[0], "reason"), "two\nlines, \"quoted\"\tand\\u{1b}[31m red\\r");
}

#[test]
fn all_machines_are_in_one_file() {
    let tables = Tables::build(&[usual("a", "r1", 1, &[64]).read(), usual("b", "r2", 2, &[64]).read()]);
    let table = Table::of(&tables);
    for machine in ["a", "b"] {
        assert_eq!(table.lines(&[("machine", machine), ("figures", "length")]).len(), 3);
    }
    assert_eq!(Table::of(&Tables::default()).0.len(), 1, "the head alone");
}
