//! The merged table as GitHub Markdown.

use std::fmt::Write as _;

use super::grid::{Grid, Section};
use super::words;
use crate::table::{MachineTable, Tables};

pub(super) fn write(tables: &Tables) -> String {
    if tables.machines.is_empty() {
        return format!("{}\n", words::NOTHING);
    }
    let pages: Vec<String> = tables.machines.iter().map(one).collect();
    pages.join("\n")
}

fn one(table: &MachineTable) -> String {
    let sections = Section::all(table);
    let mut out = String::new();
    let _ = writeln!(out, "## {}\n", escape(&table.machine.brand));
    let _ = writeln!(out, "{}\n", escape(&words::machine(table)));
    for (number, section) in sections.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let legend: Vec<String> = section.legend.iter().map(|sentence| escape(sentence)).collect();
        let _ = writeln!(out, "{} Bold: the fastest of its algorithm and work.\n", legend.join(" "));
        draw(&mut out, &section.grid);
    }

    let comparisons = words::comparisons(table);
    if !comparisons.is_empty() {
        let _ = writeln!(out, "\nBest of ours by best of the others. {}\n", escape(&words::ratios(table)));
        let head = ["algorithm", "work", "bytes", "ours", "other", "ratio \\[95 %\\]", "blocks", "A/A"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(comparisons.into_iter().map(|comparison| {
            vec![
                escape(&comparison.algorithm),
                comparison.work.to_string(),
                comparison.length.to_string(),
                escape(&comparison.ours),
                escape(&comparison.peer),
                escape(&words::ratio(comparison)),
                comparison.pairs.to_string(),
                words::noise(comparison),
            ]
        }));
        tabulate(&mut out, &rows, |column| matches!(column, 2 | 5 | 6 | 7));
    }
    let mut notes: Vec<String> = words::without_figures(table).iter().map(|note| escape(note)).collect();
    let marks = words::marks(table, &[]).into_iter();
    notes.extend(marks.map(|(symbol, every, meaning)| format!("`{symbol}` {every}{}", escape(meaning))));
    notes.extend(sections.iter().filter_map(|section| words::hidden(&section.hidden)));
    notes.extend(table.warnings.iter().map(|warning| format!("warning: {}", escape(warning))));
    if !notes.is_empty() {
        out.push('\n');
        notes.iter().for_each(|note| {
            let _ = writeln!(out, "- {note}");
        });
    }
    out
}

fn draw(out: &mut String, grid: &Grid) {
    let labels = grid.names.len();
    let mut rows = vec![grid.names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()];
    rows[0].extend(grid.columns.iter().map(|lines| lines.join(" ")));
    for row in &grid.rows {
        let mut fields: Vec<String> = row.labels.iter().map(|label| escape(label)).collect();
        match &row.cells {
            Ok(cells) => fields.extend(cells.iter().map(|cell| {
                let figure = if cell.best { format!("**{}**", cell.figure) } else { cell.figure.clone() };
                figure + &escape(&cell.marks)
            })),
            Err(why) => {
                fields.push(format!("*{why}*"));
                fields.resize(labels + grid.columns.len().max(1), String::new());
            }
        }
        rows.push(fields);
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows[0].resize(columns, String::new());
    tabulate(out, &rows, |column| column >= labels);
}

/// Writes a table with columns of even width.
fn tabulate(out: &mut String, rows: &[Vec<String>], right: impl Fn(usize) -> bool) {
    let columns = rows[0].len();
    let widths: Vec<usize> =
        (0..columns).map(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0).max(3)).collect();
    for (number, row) in rows.iter().enumerate() {
        let fields = row.iter().zip(&widths).enumerate();
        for (i, (text, &width)) in fields {
            let _ = if right(i) { write!(out, "| {text:>width$} ") } else { write!(out, "| {text:<width$} ") };
        }
        out.push_str("|\n");
        if number == 0 {
            for (i, width) in widths.iter().enumerate() {
                let _ = write!(out, "| {}{} ", "-".repeat(width - 1), if right(i) { ':' } else { '-' });
            }
            out.push_str("|\n");
        }
    }
}

/// Text that Markdown shows as it is, on one line.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in words::plain(text).chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '~' | '#' => escaped.extend(['\\', character]),
            _ => escaped.push(character),
        }
    }
    escaped
}
