//! Every figure of every cell, one line each, for spreadsheets and scripts: RFC 4180, with a line feed at the end of each
//! line.
//!
//! All machines are in one file; [`HEAD`] is the order of the fields, which never changes but by new ones at the end. A
//! field without a value is empty. Numbers have a decimal point and as many digits as they need.
//!
//! - `figures` says what the line is about: `length`, a message length; `long`, the further cost of 2048 bytes beyond 2048
//!   (both counted in `length_bytes` and `bytes_per_call`); `slope`, the line through the long lengths, which has the last
//!   fields; empty: the row has no figures, and `state` and `reason` say why.
//! - `raw`, `net` and `first` are in `unit` a call, and so are `own_per_call` and `process_spread`: `unit` is `cycles`, or
//!   `ticks` where the clock failed its self-test. `unit_per_second` leads to time. `net` has an empty call subtracted,
//!   the others nothing. `first` is of the first 16 calls of each visit, the cold ones among them; `own` is the profile's
//!   own statistic, which `statistic` names.
//! - `stq1`, `stq2`, `stq3` are stabilized quartiles, `q1`, `median`, `q3` classic ones.

use std::fmt::Write as _;

use super::words;
use crate::table::{Cell, MachineTable, Row, State, Summary, Tables};

/// The fields, in order.
const HEAD: &str = "machine,brand,clock,unit,unit_per_second,\
    algorithm,implementation,version,ours,operation,messages,profile,statistic,state,reason,remedy,\
    figures,length_bytes,bytes_per_call,\
    raw_stq1,raw_stq2,raw_stq3,raw_q1,raw_median,raw_q3,raw_min,raw_mean,raw_deviation,\
    net_stq1,net_stq2,net_stq3,net_q1,net_median,net_q3,net_min,net_mean,net_deviation,\
    first_stq1,first_stq2,first_stq3,first_q1,first_median,first_q3,first_min,first_mean,first_deviation,\
    own_per_call,own_seconds_per_call,raw_stq2_per_byte,net_stq2_per_byte,first_stq2_per_byte,own_per_byte,\
    samples,visits,visits_left_out,processes,runs,process_spread,slowdown,noise,marks,\
    slope_per_byte,slope_fixed,slope_lengths,slope_block_aligned";

pub(super) fn write(tables: &Tables) -> String {
    let mut out = format!("{HEAD}\n");
    for table in &tables.machines {
        for row in &table.rows {
            let lines = lines(row);
            // A row without figures is a line all the same.
            let lines = if lines.is_empty() { vec![Line::Nothing] } else { lines };
            for line in lines {
                let mut fields = Fields(Vec::new());
                fields.machine(table);
                fields.row(row);
                fields.line(&line);
                let _ = writeln!(out, "{}", fields.0.join(","));
            }
        }
    }
    out
}

/// What a line is about.
enum Line<'a> {
    Length(&'a Cell),
    Long(&'a Cell),
    Slope(&'a crate::table::Slope),
    Nothing,
}

fn lines(row: &Row) -> Vec<Line<'_>> {
    let long = row.long.iter().map(Line::Long);
    row.cells.iter().map(Line::Length).chain(long).chain(row.slope.iter().map(Line::Slope)).collect()
}

/// The fields of a line as they come up.
struct Fields(Vec<String>);

impl Fields {
    fn text(&mut self, text: &str) {
        self.0.push(quote(text));
    }

    fn value(&mut self, value: Option<impl ToString>) {
        self.text(&value.map_or_else(String::new, |value| value.to_string()));
    }

    fn nothing(&mut self, count: usize) {
        self.0.extend(std::iter::repeat_n(String::new(), count));
    }

    fn machine(&mut self, table: &MachineTable) {
        self.text(&table.machine.slug);
        self.text(&table.machine.brand);
        self.value(table.clock.as_ref());
        self.text(words::unit(table));
        self.value(table.core_hertz().or(table.ticks_per_second));
    }

    fn row(&mut self, row: &Row) {
        let (state, reason, remedy) = match &row.state {
            State::Measured => ("measured", None, None),
            State::KatFail { reason } => ("kat-fail", Some(reason), None),
            State::DigestFail { reason } => ("digest-fail", Some(reason), None),
            State::Absent { reason, remedy } => ("absent", Some(reason), remedy.as_ref()),
        };
        self.text(&row.algorithm);
        self.text(&row.implementation);
        self.value(row.version.as_ref());
        self.value(row.ours);
        self.value(row.work.map(|work| work.operation));
        self.value(row.work.map(|work| work.messages));
        self.value(row.work.map(|work| work.profile));
        self.value(row.work.map(|work| {
            format!("{}; raw and first: nothing subtracted; net: an empty call subtracted", work.profile.statistic())
        }));
        self.text(state);
        self.value(reason);
        self.value(remedy);
    }

    fn line(&mut self, line: &Line<'_>) {
        match line {
            Line::Length(cell) => {
                self.text("length");
                self.cell(cell);
                self.nothing(4);
            }
            Line::Long(cell) => {
                self.text("long");
                self.cell(cell);
                self.nothing(4);
            }
            Line::Slope(slope) => {
                self.text("slope");
                self.nothing(44);
                self.value(Some(slope.cycles_per_byte));
                self.value(Some(slope.fixed_cycles));
                let lengths: Vec<String> = slope.lengths.iter().map(usize::to_string).collect();
                self.text(&lengths.join(" "));
                self.value(Some(slope.aligned));
            }
            Line::Nothing => self.nothing(49),
        }
    }

    fn cell(&mut self, cell: &Cell) {
        self.value(Some(cell.length));
        self.value(Some(cell.bytes));
        for summary in [Some(cell.raw), cell.net, cell.first] {
            self.summary(summary.as_ref());
        }
        self.value(cell.own.map(|own| own.cycles));
        self.value(cell.own.map(|own| own.seconds));
        let middle = |summary: Option<Summary>| summary.map(|summary| summary.middle());
        for figure in [middle(Some(cell.raw)), middle(cell.net), middle(cell.first), cell.own.map(|own| own.cycles)] {
            self.value(figure.and_then(|figure| cell.per_byte(figure)));
        }
        for count in [cell.samples, cell.visits, cell.left_out, cell.processes, cell.runs] {
            self.value(Some(count));
        }
        self.value(cell.process_spread);
        self.value(cell.slowdown);
        self.value(cell.noise);
        let marks: Vec<&str> = cell.marks.iter().map(|mark| mark.symbol()).collect();
        self.text(&marks.join(" "));
    }

    fn summary(&mut self, summary: Option<&Summary>) {
        let Some(summary) = summary else { return self.nothing(9) };
        for figure in summary.quartiles.into_iter().chain(summary.classic).chain([summary.min, summary.mean]) {
            self.value(Some(figure));
        }
        self.value(summary.deviation);
    }
}

/// A field. Line feeds and tabs stay what they are; other control characters are written out, because files are looked at in
/// terminals too.
fn quote(text: &str) -> String {
    let plain: Vec<String> = text
        .split_inclusive(['\n', '\t'])
        .map(|piece| match piece.chars().next_back() {
            Some(last @ ('\n' | '\t')) => words::plain(&piece[..piece.len() - 1]) + &last.to_string(),
            _ => words::plain(piece),
        })
        .collect();
    let plain = plain.concat();
    if plain.contains([',', '"', '\n']) { format!("\"{}\"", plain.replace('"', "\"\"")) } else { plain }
}
