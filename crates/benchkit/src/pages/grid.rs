//! The merged table as rows and columns of text, for the pages that are such a table.

use super::words;
use crate::table::{Column, MachineTable, Mark, Row, State, Work};

/// Lengths that are shown if all of them were measured.
pub(super) const LENGTHS: [usize; 5] = [8, 64, 576, 1536, 4096];
/// Below this, what is subtracted weighs so much that raw figures stand beside net ones.
const BOTH_BELOW: usize = 256;

/// A merged table.
pub(super) struct Grid {
    pub(super) columns: Vec<GridColumn>,
    pub(super) rows: Vec<GridRow>,
    /// Lengths that were measured and are not shown.
    pub(super) hidden: Vec<usize>,
}

/// One column of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GridColumn {
    pub(super) column: Column,
    pub(super) net: bool,
}

/// One row.
pub(super) struct GridRow {
    pub(super) algorithm: String,
    pub(super) implementation: String,
    pub(super) work: String,
    /// Figures, or why there are none.
    pub(super) cells: Result<Vec<GridCell>, &'static str>,
}

/// One figure. Default: nothing was measured there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GridCell {
    pub(super) figure: String,
    pub(super) marks: String,
    /// The smallest of its algorithm and work in this column.
    pub(super) best: bool,
}

impl GridColumn {
    /// First line of its head: the length.
    pub(super) fn length(self) -> String {
        self.column.to_string()
    }

    /// Second line of its head: what was subtracted, and the unit where it is not that of the table.
    pub(super) fn basis(self) -> String {
        let basis = if self.net { "net" } else { "raw" };
        if self.per_call() { format!("{basis}/call") } else { basis.to_owned() }
    }

    fn per_call(self) -> bool {
        matches!(self.column, Column::Length(0) | Column::Fixed)
    }

    /// What a row has in this column, if anything: the figure, if there can be one, and the marks.
    fn figure(self, row: &Row) -> Option<(Option<f64>, &[Mark])> {
        match self.column {
            Column::Slope => return Some((Some(row.slope.as_ref()?.cycles_per_byte), &[])),
            Column::Fixed => return Some((Some(row.slope.as_ref()?.fixed_cycles), &[])),
            Column::Length(_) | Column::Long => {}
        }
        let cell = row.at(self.column)?;
        let middle = if self.net { cell.net.map(|net| net.middle()) } else { Some(cell.raw.middle()) };
        let figure = middle.and_then(|middle| if self.per_call() { Some(middle) } else { cell.per_byte(middle) });
        Some((figure, &cell.marks))
    }
}

impl Grid {
    pub(super) fn new(table: &MachineTable) -> Self {
        let measured = table.lengths();
        let usual = LENGTHS.iter().all(|length| measured.contains(length));
        // Whoever asks for length 0 or for lengths of their own wants to see them.
        let shown = |length: &usize| !usual || *length == 0 || LENGTHS.contains(length);
        let (lengths, hidden): (Vec<usize>, Vec<usize>) = measured.into_iter().partition(shown);
        let cells = |column: Column| table.rows.iter().filter_map(move |row| row.at(column));
        let mut columns = Vec::new();
        for column in lengths.into_iter().map(Column::Length).chain([Column::Long]) {
            let net = cells(column).any(|cell| cell.net.is_some());
            if net {
                columns.push(GridColumn { column, net: true });
            }
            let short = matches!(column, Column::Length(length) if length < BOTH_BELOW);
            if (short || !net) && cells(column).next().is_some() {
                columns.push(GridColumn { column, net: false });
            }
        }
        if table.rows.iter().any(|row| row.slope.is_some()) {
            let net = columns.iter().any(|column| column.net);
            columns.extend([Column::Slope, Column::Fixed].map(|column| GridColumn { column, net }));
        }
        let rows = table.rows.iter().map(|row| GridRow::new(table, row, &columns)).collect();
        Self { columns, rows, hidden }
    }
}

impl GridRow {
    fn new(table: &MachineTable, row: &Row, columns: &[GridColumn]) -> Self {
        let rivals: Vec<&Row> =
            table.rows.iter().filter(|rival| rival.algorithm == row.algorithm && rival.work == row.work).collect();
        let cell = |column: &GridColumn| {
            let Some((figure, marks)) = column.figure(row) else { return GridCell::default() };
            let marks = marks.iter().map(|mark| mark.symbol()).collect();
            let Some(figure) = figure else { return GridCell { figure: "n/a".to_owned(), marks, best: false } };
            let lowest = rivals.iter().filter_map(|rival| column.figure(rival)?.0).fold(f64::INFINITY, f64::min);
            GridCell { figure: words::fixed(figure, 2), marks, best: rivals.len() > 1 && figure <= lowest }
        };
        Self {
            algorithm: words::plain(&row.algorithm),
            implementation: words::plain(&row.implementation),
            work: row.work.as_ref().map_or_else(String::new, Work::to_string),
            cells: match &row.state {
                State::Measured => Ok(columns.iter().map(cell).collect()),
                State::KatFail { .. } => Err("KAT FAIL"),
                State::DigestFail { .. } => Err("DIGEST FAIL"),
                State::Absent { .. } => Err("absent"),
            },
        }
    }
}

/// What the figures of the grid are, in sentences.
pub(super) fn legend(table: &MachineTable, grid: &Grid) -> Vec<String> {
    let unit = words::unit(table);
    let mut sentences = vec![format!(
        "{unit}/byte, median (StQ2, the middle stabilized quartile) of all timed calls, by message length in bytes; \
         smaller is faster."
    )];
    let net = grid.columns.iter().any(|column| column.net);
    let raw = grid.columns.iter().any(|column| !column.net);
    match (net, raw) {
        (true, true) => sentences.push("net: the time of an empty call is subtracted; raw: nothing is.".to_owned()),
        (true, false) => sentences.push("net: the time of an empty call is subtracted.".to_owned()),
        (false, true) => sentences.push("raw: nothing is subtracted.".to_owned()),
        (false, false) => {}
    }
    if grid.columns.iter().any(|column| column.column == Column::Long) {
        sentences.push("long: (4096 minus 2048 bytes) / 2048.".to_owned());
    }
    if grid.columns.iter().any(|column| column.column == Column::Slope) {
        sentences.push(format!(
            "slope, fixed: {unit} of each further byte and {unit} of a call besides, by the Theil-Sen line through 2048 \
             to 65536 bytes."
        ));
    }
    if grid.columns.iter().any(|column| column.column == Column::Length(0)) {
        sentences.push(format!("Length 0: {unit}/call."));
    }
    if table.rows.iter().any(|row| row.work.is_some_and(|work| work.messages > 1)) {
        sentences.push("xN: N messages a call; bytes are those of all of them.".to_owned());
    }
    sentences
}
