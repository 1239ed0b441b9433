//! For each algorithm, message length by implementation, in cycles a call: how pages compare instruction sets.

use super::grid::{Grid, GridCell, GridRow, symbols, without_figures};
use super::terminal::{Paint, draw, wrap};
use super::{Options, words};
use crate::profile::Profile;
use crate::suite::Operation;
use crate::table::{Cell, MachineTable, Mark, Row, State, Tables, Work};

/// A mark that says nothing here: nothing is subtracted.
const SILENT: [Mark; 1] = [Mark::Overhead];

pub(super) fn write(tables: &Tables, options: &Options) -> String {
    if tables.machines.is_empty() {
        return format!("{}\n", words::NOTHING);
    }
    let pages: Vec<String> = tables.machines.iter().map(|table| one(table, options)).collect();
    pages.join("\n")
}

fn one(table: &MachineTable, options: &Options) -> String {
    let mut out = String::new();
    wrap(&mut out, &words::machine(table), options.width);
    let mut algorithms: Vec<&str> = table.rows.iter().map(|row| &*row.algorithm).collect();
    algorithms.dedup();
    for algorithm in algorithms {
        // Whoever was measured in other ways only has no place here; whoever failed or is absent has.
        let belongs =
            |row: &Row| row.work.is_none_or(|row| [Profile::Native, Profile::Minmean].map(work).contains(&row));
        if !table.rows.iter().any(|row| row.algorithm == algorithm && belongs(row)) {
            continue;
        }
        let minmean =
            table.rows.iter().any(|row| row.algorithm == algorithm && row.work == Some(work(Profile::Minmean)));
        let profile = if minmean { Profile::Minmean } else { Profile::Native };
        out.push('\n');
        wrap(&mut out, &title(table, algorithm, profile), options.width);
        out.push('\n');
        draw(&mut out, &grid(table, algorithm, profile), options.width, Paint(false));
    }
    let mut notes = words::without_figures(table);
    notes.extend(
        words::marks(table, &SILENT).into_iter().map(|(symbol, every, meaning)| format!("{symbol} {every}{meaning}")),
    );
    notes.extend(table.warnings.iter().map(|warning| format!("warning: {}", words::plain(warning))));
    if !notes.is_empty() {
        out.push('\n');
        notes.iter().for_each(|note| wrap(&mut out, note, options.width));
    }
    out
}

const fn work(profile: Profile) -> Work {
    Work { operation: Operation::Hash, messages: 1, profile }
}

fn title(table: &MachineTable, algorithm: &str, profile: Profile) -> String {
    let statistic = match profile {
        Profile::Native => {
            "median (StQ2) of single calls on warm caches (profile native: minmean was not measured)".to_owned()
        }
        other => format!("{} (profile {other})", other.statistic()),
    };
    format!(
        "{}: {}/call by message length in bytes: {statistic}; one message, one-shot; nothing subtracted; - not measured",
        words::plain(algorithm),
        words::unit(table)
    )
}

/// The one statistic, or nothing: two of them never stand in one table.
fn grid(table: &MachineTable, algorithm: &str, profile: Profile) -> Grid {
    let rows: Vec<&Row> = table.rows.iter().filter(|row| row.algorithm == algorithm).collect();
    let names = names(table, algorithm, &rows);
    let measured = |name: &str| table.row(algorithm, name, work(profile));
    let mut lengths: Vec<usize> =
        names.iter().filter_map(|name| measured(name)).flat_map(|row| &row.cells).map(|cell| cell.length).collect();
    lengths.sort_unstable();
    lengths.dedup();

    // What the implementation is in place of figures, if there are none in this statistic.
    let state = |name: &str| {
        let whole = rows.iter().find(|row| row.implementation == name && row.work.is_none());
        let state: Option<&State> = measured(name).or_else(|| whole.copied()).map(|row| &row.state);
        state.and_then(without_figures).unwrap_or("")
    };
    let any_state = names.iter().any(|name| !state(name).is_empty());
    let columns = names
        .iter()
        .map(|name| {
            let (provider, backend) = name.split_once('/').unwrap_or(("", name));
            let mut head = vec![words::plain(provider), words::plain(backend)];
            head.extend(any_state.then(|| state(name).to_owned()));
            head
        })
        .collect();
    let silent = [&table.common_marks()[..], &SILENT].concat();
    let cell = |name: &str, length: usize| {
        let cell: Option<&Cell> = measured(name).and_then(|row| row.cell(length));
        let figure = cell.and_then(|cell| match profile {
            Profile::Native => Some(cell.raw.middle()),
            _ => cell.own.map(|own| own.cycles),
        });
        let marks = cell.map_or_else(String::new, |cell| symbols(&cell.marks, &silent));
        GridCell { figure: figure.map_or_else(|| "-".to_owned(), |figure| words::fixed(figure, 0)), marks, best: false }
    };
    let rows = lengths
        .into_iter()
        .map(|length| GridRow {
            labels: vec![length.to_string()],
            cells: Ok(names.iter().map(|name| cell(name, length)).collect()),
        })
        .collect();
    Grid { names: vec!["bytes"], columns, rows, grouped: false, numbers: true }
}

/// Implementations in the family's order, those that it does not know of behind them.
fn names<'a>(table: &'a MachineTable, algorithm: &str, rows: &[&'a Row]) -> Vec<&'a str> {
    let described = table.algorithm(algorithm).into_iter().flat_map(|algorithm| &algorithm.implementations);
    let has_row = |name: &&str| rows.iter().any(|row| row.implementation == *name);
    let mut names: Vec<&str> = described.map(|one| &*one.name).filter(has_row).collect();
    for row in rows {
        if !names.contains(&&*row.implementation) {
            names.push(&row.implementation);
        }
    }
    names
}
