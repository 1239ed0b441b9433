//! Lists in the manner of the eBASH page: for each length, quartiles and names, the fastest first.
//!
//! eBASH and SUPERCOP: <https://bench.cr.yp.to>. They time the first calls in a row, so that is what stands here: the
//! untimed calls of each visit and the timed ones behind them, 16 together. Runs that did not store them show warm calls,
//! and the head says so.

use std::fmt::Write as _;

use super::{grid, words};
use crate::profile::Profile;
use crate::suite::Operation;
use crate::table::{Cell, Column, MachineTable, Mark, Row, Summary, Tables};

/// Distance of the quartiles by the median above which that page marks a figure.
const WIDE: f64 = 0.125;
/// Marks that say nothing here: the spread of warm calls is not that of these, and nothing is subtracted.
const SILENT: [Mark; 2] = [Mark::Spread, Mark::Overhead];

pub(super) fn write(tables: &Tables) -> String {
    if tables.machines.is_empty() {
        return format!("{}\n", words::NOTHING);
    }
    let pages: Vec<String> = tables.machines.iter().map(one).collect();
    pages.join("\n")
}

fn one(table: &MachineTable) -> String {
    let unit = words::unit(table);
    let rows: Vec<&Row> = table
        .rows
        .iter()
        .filter(|row| {
            row.work.is_some_and(|work| {
                work.operation == Operation::Hash && work.messages == 1 && work.profile == Profile::Native
            })
        })
        .collect();
    // Never both in one list: warm calls are faster.
    let first = rows.iter().flat_map(|row| &row.cells).any(|cell| cell.first.is_some());
    let summary = |cell: &Cell| if first { cell.first } else { Some(cell.raw) };
    let calls = if first {
        "of the first 16 calls of each visit (SUPERCOP's statistic)"
    } else {
        "of warm calls (the first ones, which SUPERCOP times, were not stored)"
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}", words::machine(table));
    let _ = writeln!(
        out,
        "{unit}/byte; 25%, 50%, 75%: stabilized quartiles {calls}; one message, one-shot; nothing subtracted; long: \
         (4096 minus 2048 bytes) / 2048; ? behind figures: 75% minus 25% is above 12.5 % of 50%"
    );
    let measured = table.lengths();
    let mut lengths: Vec<usize> = grid::LENGTHS.into_iter().filter(|length| measured.contains(length)).rev().collect();
    if lengths.is_empty() {
        // Per byte, length 0 has no figure.
        lengths = measured.into_iter().filter(|&length| length > 0).rev().collect();
    }
    let silent = [&table.common_marks()[..], &SILENT].concat();
    for column in [Column::Long].into_iter().chain(lengths.into_iter().map(Column::Length)) {
        let mut rows: Vec<(&Row, &Cell, Summary)> = rows
            .iter()
            .filter_map(|row| {
                let cell = row.at(column)?;
                Some((*row, cell, summary(cell)?))
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        rows.sort_by(|a, b| a.2.middle().total_cmp(&b.2.middle()));
        let mut title = format!("{unit}/byte");
        title[..1].make_ascii_uppercase();
        let _ = match column {
            Column::Length(length) => writeln!(out, "\n{title} for {length} bytes"),
            _ => writeln!(out, "\n{title} for long messages"),
        };
        let _ = writeln!(out, "{:>9} {:>9} {:>9}  {:<16} implementation", "25%", "50%", "75%", "hash");
        for (row, cell, summary) in rows {
            let [low, middle, high] = summary.quartiles;
            let wide = if high - low > WIDE * middle { "?" } else { "" };
            for figure in summary.quartiles.iter().filter_map(|&figure| cell.per_byte(figure)) {
                let _ = write!(out, "{:>9} ", words::fixed(figure, 2) + wide);
            }
            let name = table.algorithm(&row.algorithm).and_then(|algorithm| algorithm.pages.ebash.as_deref());
            let name = words::plain(name.unwrap_or(&row.algorithm));
            let marks = grid::symbols(&cell.marks, &silent);
            let text = format!(" {name:<16} {} {marks}", words::plain(&row.implementation));
            let _ = writeln!(out, "{}", text.trim_end());
        }
    }
    let mut notes = words::without_figures(table);
    let marks = words::marks(table, &SILENT).into_iter();
    notes.extend(marks.map(|(symbol, every, meaning)| format!("{symbol} {every}{meaning}")));
    notes.extend(table.warnings.iter().map(|warning| format!("warning: {}", words::plain(warning))));
    if !notes.is_empty() {
        let _ = writeln!(out, "\n{}", notes.join("\n"));
    }
    out
}
