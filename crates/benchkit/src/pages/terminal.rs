//! The merged table for a screen.

use std::fmt::Write as _;

use super::grid::{Grid, GridCell, Section};
use super::{Options, words};
use crate::table::{MachineTable, Tables};

const BOLD: &str = "\x1b[1m";
const GREEN: &str = "\x1b[1;32m";
const RED: &str = "\x1b[1;31m";
const FAINT: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";
/// Spaces between columns.
const GAP: &str = "  ";

pub(super) fn write(tables: &Tables, options: &Options) -> String {
    if tables.machines.is_empty() {
        return format!("{}\n", words::NOTHING);
    }
    let pages: Vec<String> = tables.machines.iter().map(|machine| one(machine, options)).collect();
    pages.join("\n")
}

fn one(table: &MachineTable, options: &Options) -> String {
    let paint = Paint(options.colour);
    let sections = Section::all(table);
    let mut out = String::new();
    wrap(&mut out, &words::machine(table), options.width);
    for (number, section) in sections.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        section.legend.iter().for_each(|sentence| wrap(&mut out, sentence, options.width));
        out.push('\n');
        draw(&mut out, &section.grid, options.width, paint);
    }
    let comparisons = words::comparisons(table);
    if !comparisons.is_empty() {
        out.push('\n');
        wrap(&mut out, &format!("Best of ours by best of the others. {}", words::ratios(table)), options.width);
        out.push('\n');
        let head = ["algorithm", "work", "bytes", "ours", "other", "ratio [95 %]", "blocks", "A/A"];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(comparisons.into_iter().map(|comparison| {
            [
                words::plain(&comparison.algorithm),
                comparison.work.to_string(),
                comparison.length.to_string(),
                words::plain(&comparison.ours),
                words::plain(&comparison.peer),
                words::ratio(comparison),
                comparison.pairs.to_string(),
                words::noise(comparison),
            ]
        }));
        let right = [false, false, true, false, false, false, true, true];
        let widths: Vec<usize> =
            (0..head.len()).map(|i| rows.iter().map(|row| chars(&row[i])).max().unwrap_or(0)).collect();
        for row in &rows {
            let fields = row.iter().enumerate().map(|(i, text)| pad(text, widths[i], right[i]));
            trimmed(&mut out, &fields.collect::<Vec<_>>().join(GAP));
        }
    }
    let mut notes = words::without_figures(table);
    notes.extend(
        words::marks(table, &[]).into_iter().map(|(symbol, every, meaning)| format!("{symbol} {every}{meaning}")),
    );
    notes.extend(sections.iter().filter_map(|section| words::hidden(&section.hidden)));
    notes.extend(table.warnings.iter().map(|warning| format!("warning: {}", words::plain(warning))));
    if !notes.is_empty() {
        out.push('\n');
        for note in notes {
            let failed = note.starts_with("KAT FAIL") || note.starts_with("DIGEST FAIL");
            let mut text = String::new();
            wrap(&mut text, &note, options.width);
            out.push_str(&if failed { paint.with(RED, text.trim_end()) + "\n" } else { text });
        }
    }
    out
}

/// Draws the table; columns that do not fit go on below, behind the same names.
pub(super) fn draw(out: &mut String, grid: &Grid, width: Option<usize>, paint: Paint) {
    let names = &grid.names;
    let name_widths: Vec<usize> = (0..names.len())
        .map(|i| grid.rows.iter().map(|row| chars(&row.labels[i])).chain([chars(names[i])]).max().unwrap_or(0))
        .collect();
    let labels = name_widths.iter().sum::<usize>() + (names.len() - 1) * GAP.len();
    // Of each column: the widths of its figures, and of the marks behind them.
    let widths: Vec<(usize, usize)> = (0..grid.columns.len())
        .map(|i| {
            let cells = || grid.rows.iter().filter_map(move |row| Some(&row.cells.as_ref().ok()?[i]));
            let marks = cells().map(|cell| chars(&cell.marks)).max().unwrap_or(0);
            let head = grid.columns[i].iter().map(|line| chars(line)).max().unwrap_or(0);
            (cells().map(|cell| chars(&cell.figure)).chain([head.saturating_sub(marks)]).max().unwrap_or(0), marks)
        })
        .collect();
    let mut first = 0;
    loop {
        let mut end = first;
        let mut used = labels;
        while end < grid.columns.len() {
            used += GAP.len() + widths[end].0 + widths[end].1;
            if end > first && width.is_some_and(|width| used > width) {
                break;
            }
            end += 1;
        }
        for number in 0..grid.columns.first().map_or(1, Vec::len) {
            let head = grid.columns[first..end].iter().map(|lines| &*lines[number]);
            let labels =
                (0..names.len()).map(|i| pad(if number == 0 { names[i] } else { "" }, name_widths[i], grid.numbers));
            let figures = head.zip(&widths[first..end]).map(|(text, width)| pad(text, width.0 + width.1, true));
            trimmed(out, &paint.with(FAINT, labels.chain(figures).collect::<Vec<_>>().join(GAP).trim_end()));
        }
        let mut previous: Option<&str> = None;
        for row in &grid.rows {
            let label = row.labels.first().map(String::as_str);
            if grid.grouped && previous.is_some_and(|previous| Some(previous) != label) {
                out.push('\n');
            }
            previous = label;
            let labels = row.labels.iter().zip(&name_widths);
            let mut fields: Vec<String> = labels.map(|(label, &width)| pad(label, width, grid.numbers)).collect();
            match &row.cells {
                Ok(cells) => fields.extend(
                    cells[first..end].iter().zip(&widths[first..end]).map(|(cell, width)| figure(cell, *width, paint)),
                ),
                Err(why) => fields.push(paint.with(if *why == "absent" { FAINT } else { RED }, why)),
            }
            trimmed(out, &fields.join(GAP));
        }
        if end >= grid.columns.len() {
            break;
        }
        out.push('\n');
        first = end;
    }
}

fn figure(cell: &GridCell, (figures, marks): (usize, usize), paint: Paint) -> String {
    let number = pad(&cell.figure, figures, true);
    let number = if cell.best { paint.with(GREEN, &number) } else { number };
    let marks = pad(&cell.marks, marks, false);
    let marks = if cell.marks.is_empty() { marks } else { paint.with(BOLD, &marks) };
    number + &marks
}

#[derive(Clone, Copy)]
pub(super) struct Paint(pub(super) bool);

impl Paint {
    fn with(self, style: &str, text: &str) -> String {
        if self.0 { format!("{style}{text}{PLAIN}") } else { text.to_owned() }
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, width: usize, right: bool) -> String {
    if right { format!("{text:>width$}") } else { format!("{text:<width$}") }
}

fn trimmed(out: &mut String, text: &str) {
    let _ = writeln!(out, "{}", text.trim_end());
}

/// Writes a paragraph, broken between words where it is too wide.
pub(super) fn wrap(out: &mut String, text: &str, width: Option<usize>) {
    let mut used = 0;
    for (number, word) in text.split(' ').enumerate() {
        let space = usize::from(number > 0);
        if number > 0 && width.is_some_and(|width| used + space + chars(word) > width) {
            out.push_str("\n  ");
            used = 2;
        } else if number > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += chars(word);
    }
    out.push('\n');
}
