//! The merged table for a screen.

use std::fmt::Write as _;

use super::grid::{Grid, GridCell, GridRow, legend};
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
    let grid = Grid::new(table);
    let mut out = String::new();
    let mut line = |text: &str| wrap(&mut out, text, options.width);
    line(&words::machine(table));
    legend(table, &grid).iter().for_each(|sentence| line(sentence));
    line("");
    draw(&mut out, &grid, options.width, paint);
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
    notes.extend(words::marks(table));
    if !grid.hidden.is_empty() {
        let hidden: Vec<String> = grid.hidden.iter().map(usize::to_string).collect();
        notes.push(format!("measured as well: {} bytes (page json)", hidden.join(", ")));
    }
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
fn draw(out: &mut String, grid: &Grid, width: Option<usize>, paint: Paint) {
    let names = ["algorithm", "implementation", "work"];
    fn of(row: &GridRow) -> [&String; 3] {
        [&row.algorithm, &row.implementation, &row.work]
    }
    let name_widths: Vec<usize> = (0..names.len())
        .map(|i| grid.rows.iter().map(|row| chars(of(row)[i])).chain([chars(names[i])]).max().unwrap_or(0))
        .collect();
    let labels = name_widths.iter().sum::<usize>() + (names.len() - 1) * GAP.len();
    // Of each column: the widths of its figures, and of the marks behind them.
    let widths: Vec<(usize, usize)> = (0..grid.columns.len())
        .map(|i| {
            let cells = || grid.rows.iter().filter_map(move |row| Some(&row.cells.as_ref().ok()?[i]));
            let marks = cells().map(|cell| chars(&cell.marks)).max().unwrap_or(0);
            let head = chars(&grid.columns[i].length()).max(chars(&grid.columns[i].basis()));
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
        let heads: [Vec<String>; 2] = [
            (first..end).map(|i| grid.columns[i].length()).collect(),
            (first..end).map(|i| grid.columns[i].basis()).collect(),
        ];
        for (number, head) in heads.iter().enumerate() {
            let labels = (0..names.len()).map(|i| pad(if number == 0 { names[i] } else { "" }, name_widths[i], false));
            let figures = head.iter().zip(&widths[first..end]).map(|(text, width)| pad(text, width.0 + width.1, true));
            trimmed(out, &paint.with(FAINT, labels.chain(figures).collect::<Vec<_>>().join(GAP).trim_end()));
        }
        let mut previous: Option<&str> = None;
        for row in &grid.rows {
            if previous.is_some_and(|previous| previous != row.algorithm) {
                out.push('\n');
            }
            previous = Some(&row.algorithm);
            let mut fields: Vec<String> = (0..names.len()).map(|i| pad(of(row)[i], name_widths[i], false)).collect();
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
struct Paint(bool);

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
fn wrap(out: &mut String, text: &str, width: Option<usize>) {
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
