//! Lists in the manner of the eBASH page: for each length, quartiles and names, the fastest first.
//!
//! eBASH and SUPERCOP: <https://bench.cr.yp.to>. They time the first calls; the figures here are of warm calls, which
//! the head says.

use std::fmt::Write as _;

use super::{grid, words};
use crate::profile::Profile;
use crate::suite::Operation;
use crate::table::{Cell, Column, MachineTable, Mark, Row, Tables};

pub(super) fn write(tables: &Tables) -> String {
    if tables.machines.is_empty() {
        return format!("{}\n", words::NOTHING);
    }
    let pages: Vec<String> = tables.machines.iter().map(one).collect();
    pages.join("\n")
}

fn one(table: &MachineTable) -> String {
    let unit = words::unit(table);
    let mut out = String::new();
    let _ = writeln!(out, "{}", words::machine(table));
    let _ = writeln!(
        out,
        "{unit}/byte; 25%, 50%, 75%: stabilized quartiles of warm calls; one message, one-shot; nothing subtracted; long: \
         (4096 minus 2048 bytes) / 2048"
    );
    let measured = table.lengths();
    let mut lengths: Vec<usize> = grid::LENGTHS.into_iter().filter(|length| measured.contains(length)).rev().collect();
    if lengths.is_empty() {
        // Per byte, length 0 has no figure.
        lengths = measured.into_iter().filter(|&length| length > 0).rev().collect();
    }
    for column in [Column::Long].into_iter().chain(lengths.into_iter().map(Column::Length)) {
        let mut rows: Vec<(&Row, &Cell)> = table
            .rows
            .iter()
            .filter(|row| {
                row.work.is_some_and(|work| {
                    work.operation == Operation::Hash && work.messages == 1 && work.profile == Profile::Native
                })
            })
            .filter_map(|row| Some((row, row.at(column)?)))
            .collect();
        if rows.is_empty() {
            continue;
        }
        rows.sort_by(|a, b| a.1.raw.middle().total_cmp(&b.1.raw.middle()));
        let mut title = format!("{unit}/byte");
        title[..1].make_ascii_uppercase();
        let _ = match column {
            Column::Length(length) => writeln!(out, "\n{title} for {length} bytes"),
            _ => writeln!(out, "\n{title} for long messages"),
        };
        let _ = writeln!(out, "{:>9} {:>9} {:>9}  {:<16} implementation", "25%", "50%", "75%", "hash");
        for (row, cell) in rows {
            let wide = if cell.marks.contains(&Mark::Spread) { "?" } else { "" };
            for figure in cell.raw.quartiles.iter().filter_map(|&figure| cell.per_byte(figure)) {
                let _ = write!(out, "{:>9} ", words::fixed(figure, 2) + wide);
            }
            let others: Vec<&str> =
                cell.marks.iter().filter(|mark| **mark != Mark::Spread).map(|mark| mark.symbol()).collect();
            let name = table.algorithm(&row.algorithm).and_then(|algorithm| algorithm.pages.ebash.as_deref());
            let name = words::plain(name.unwrap_or(&row.algorithm));
            let text = format!(" {name:<16} {} {}", words::plain(&row.implementation), others.join(" "));
            let _ = writeln!(out, "{}", text.trim_end());
        }
    }
    let mut notes = words::without_figures(table);
    notes.extend(words::marks(table));
    notes.extend(table.warnings.iter().map(|warning| format!("warning: {}", words::plain(warning))));
    if !notes.is_empty() {
        let _ = writeln!(out, "\n{}", notes.join("\n"));
    }
    out
}
