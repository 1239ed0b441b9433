//! The merged table as rows and columns of text, for the pages that are such tables: one section for each statistic.

use super::words;
use crate::profile::Profile;
use crate::suite::Operation;
use crate::table::{Cell, Column, MachineTable, Mark, Row, State, Work};

/// Lengths that are shown if all of them were measured.
pub(super) const LENGTHS: [usize; 5] = [8, 64, 576, 1536, 4096];
/// Below this, what is subtracted weighs so much that raw and back-to-back figures stand beside net ones.
const BOTH_BELOW: usize = 256;

/// Figures of one kind.
pub(super) struct Section {
    /// What they are, in sentences; the first says which section it is.
    pub(super) legend: Vec<String>,
    pub(super) grid: Grid,
    /// Lengths that were measured and are not shown.
    pub(super) hidden: Vec<usize>,
}

/// Figures in rows and columns.
pub(super) struct Grid {
    /// Heads of the labels.
    pub(super) names: Vec<&'static str>,
    /// Heads of the figures, line by line; all have the same number of lines.
    pub(super) columns: Vec<Vec<String>>,
    pub(super) rows: Vec<GridRow>,
    /// Whether rows of another first label stand apart.
    pub(super) grouped: bool,
    /// Whether the labels are numbers.
    pub(super) numbers: bool,
}

/// One row.
pub(super) struct GridRow {
    /// As many as there are names.
    pub(super) labels: Vec<String>,
    /// Figures, or why there are none.
    pub(super) cells: Result<Vec<GridCell>, &'static str>,
}

/// One figure. Default: nothing was measured there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GridCell {
    pub(super) figure: String,
    pub(super) marks: String,
    /// The best of its algorithm and work in this column.
    pub(super) best: bool,
}

/// One column of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Figures {
    column: Column,
    basis: Basis,
}

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Basis {
    /// StQ2, what an empty call takes subtracted.
    Net,
    /// StQ2.
    Raw,
    /// StQ2 of calls back to back.
    BackToBack,
    /// The page's own figure, for each byte.
    PerByte,
    /// The page's own figure.
    PerCall,
    /// The page's own figure as 1000 bytes a second.
    Rate,
    /// Bytes of all threads a second, in millions.
    Throughput,
    /// The same by as many times that of one thread.
    Efficiency,
}

impl Basis {
    const fn name(self) -> &'static str {
        match self {
            Self::Net => "net",
            Self::Raw => "raw",
            Self::BackToBack => "b2b",
            Self::PerByte => "mean",
            Self::PerCall => "min",
            Self::Rate => "kB/s",
            Self::Throughput => "MB/s",
            Self::Efficiency => "of N",
        }
    }
}

impl Figures {
    /// Lines of its head: the length; what was subtracted, and the unit where it is not that of the table.
    fn head(self) -> Vec<String> {
        let basis = self.basis.name();
        let basis = if self.per_call() { format!("{basis}/call") } else { basis.to_owned() };
        vec![self.column.to_string(), basis]
    }

    fn per_call(self) -> bool {
        match self.basis {
            Basis::PerCall => true,
            Basis::Rate | Basis::Throughput | Basis::Efficiency => false,
            _ => matches!(self.column, Column::Length(0) | Column::Fixed),
        }
    }

    /// What the rows of a line have in this column, if anything: the figure, if there can be one, and the marks.
    fn of<'a>(self, line: &Line<'a>) -> Option<(Option<f64>, &'a [Mark])> {
        let row = if self.basis == Basis::BackToBack { line.back_to_back? } else { line.single? };
        match self.column {
            Column::Slope => return Some((Some(row.slope.as_ref()?.cycles_per_byte), &[])),
            Column::Fixed => return Some((Some(row.slope.as_ref()?.fixed_cycles), &[])),
            Column::Length(_) | Column::Long => {}
        }
        let cell = row.at(self.column)?;
        let figure = match self.basis {
            Basis::Throughput => line.hertz.map(|hertz| cell.bytes as f64 * hertz / cell.raw.middle() / 1e6),
            Basis::Efficiency => line.alone.and_then(|row| row.at(self.column)).map(|alone| {
                // Cycles for a message of each: as many as one thread alone takes, if they do not hinder one another.
                alone.raw.middle() / cell.raw.middle()
            }),
            _ => self.figure(cell),
        };
        Some((figure, &cell.marks))
    }

    fn figure(self, cell: &Cell) -> Option<f64> {
        let per_call = match self.basis {
            Basis::Net => cell.net?.middle(),
            Basis::Raw | Basis::BackToBack => cell.raw.middle(),
            Basis::PerByte | Basis::PerCall => cell.own?.cycles,
            Basis::Rate => {
                let seconds = cell.own?.seconds;
                return (cell.bytes > 0 && seconds > 0.0).then(|| cell.bytes as f64 / seconds / 1000.0);
            }
            // They are of the line, not of the cell alone.
            Basis::Throughput | Basis::Efficiency => return None,
        };
        if self.per_call() { Some(per_call) } else { cell.per_byte(per_call) }
    }
}

/// What stands in one line of a grid.
struct Line<'a> {
    /// Whose it is, and whether there are figures.
    row: &'a Row,
    /// Where its figures are, but those of calls back to back.
    single: Option<&'a Row>,
    /// The same work, calls back to back.
    back_to_back: Option<&'a Row>,
    /// The same on one thread.
    alone: Option<&'a Row>,
    /// Cycles a second, or ticks.
    hertz: Option<f64>,
}

impl<'a> Line<'a> {
    const fn of(row: &'a Row, single: Option<&'a Row>, back_to_back: Option<&'a Row>) -> Self {
        Self { row, single, back_to_back, alone: None, hertz: None }
    }

    /// What it does, without how it was timed.
    fn work(&self) -> Option<Work> {
        self.row.work.map(|work| Work { profile: Profile::Native, ..work })
    }
}

impl Section {
    /// All that there are: first the main one, then one for each other way of timing.
    pub(super) fn all(table: &MachineTable) -> Vec<Self> {
        let mut sections = vec![Self::main(table)];
        sections.extend(Self::threads(table));
        for profile in [Profile::Cold, Profile::Openssl, Profile::Niccs, Profile::Minmean] {
            sections.extend(Self::of(table, profile));
        }
        sections
    }

    /// Single calls and calls back to back, and the rows without figures.
    fn main(table: &MachineTable) -> Self {
        let of = |row: &Row, profile: Profile| {
            row.work.and_then(|work| table.row(&row.algorithm, &row.implementation, Work { profile, ..work }))
        };
        let lines: Vec<Line<'_>> = table
            .rows
            .iter()
            .filter(|row| !on_threads(row))
            .filter_map(|row| match row.work.map(|work| work.profile) {
                None => Some(Line::of(row, None, None)),
                Some(Profile::Native) => Some(Line::of(row, Some(row), of(row, Profile::Throughput))),
                Some(Profile::Throughput) if of(row, Profile::Native).is_none() => Some(Line::of(row, None, Some(row))),
                Some(_) => None,
            })
            .collect();
        let single: Vec<&Row> = lines.iter().filter_map(|line| line.single).collect();
        let back_to_back: Vec<&Row> = lines.iter().filter_map(|line| line.back_to_back).collect();
        let measured = lengths(&[&single[..], &back_to_back].concat());
        let usual = LENGTHS.iter().all(|length| measured.contains(length));
        // Whoever asks for length 0 or for lengths of their own wants to see them.
        let shown = |length: &usize| !usual || *length == 0 || LENGTHS.contains(length);
        let (shown, hidden): (Vec<usize>, Vec<usize>) = measured.into_iter().partition(shown);
        let mut figures = Vec::new();
        for column in shown.into_iter().map(Column::Length).chain([Column::Long]) {
            figures.extend(quartile_figures(&single, column));
            if cells(&back_to_back, column).next().is_some() && column != Column::Long {
                figures.push(Figures { column, basis: Basis::BackToBack });
            }
        }
        if single.iter().any(|row| row.slope.is_some()) {
            let basis = if figures.iter().any(|one| one.basis == Basis::Net) { Basis::Net } else { Basis::Raw };
            figures.extend([Column::Slope, Column::Fixed].map(|column| Figures { column, basis }));
        }
        let legend = legend(table, &figures, &lines);
        Self { legend, grid: Grid::new(table, &lines, &figures), hidden }
    }

    /// Several threads at once; `None`: nothing was timed that way.
    fn threads(table: &MachineTable) -> Option<Self> {
        let rows: Vec<&Row> = table.rows.iter().filter(|row| on_threads(row)).collect();
        if rows.is_empty() {
            return None;
        }
        let of_one = |row: &Row| {
            row.work.and_then(|work| table.row(&row.algorithm, &row.implementation, Work { messages: 1, ..work }))
        };
        let hertz = table.core_hertz().or(table.ticks_per_second);
        let bases = [Basis::Throughput, Basis::Efficiency];
        let figures: Vec<Figures> = lengths(&rows)
            .into_iter()
            .flat_map(|length| bases.map(|basis| Figures { column: Column::Length(length), basis }))
            .collect();
        let lines: Vec<Line<'_>> =
            rows.into_iter().map(|row| Line { alone: of_one(row), hertz, ..Line::of(row, Some(row), None) }).collect();
        let legend = "N threads, each on a CPU of its own with messages of its own, in one common window: MB/s = millions of \
                      bytes that all of them finish a second, median (StQ2) shown, larger is faster; of N = that by N times \
                      the figure of one thread.";
        Some(Self { legend: vec![legend.to_owned()], grid: Grid::new(table, &lines, &figures), hidden: Vec::new() })
    }

    /// One way of timing alone; `None`: nothing was timed that way.
    fn of(table: &MachineTable, profile: Profile) -> Option<Self> {
        let rows: Vec<&Row> =
            table.rows.iter().filter(|row| row.work.is_some_and(|work| work.profile == profile)).collect();
        if rows.is_empty() {
            return None;
        }
        let unit = words::unit(table);
        let (basis, what) = match profile {
            Profile::Openssl => (Basis::Rate, "1000 bytes a second; larger is faster".to_owned()),
            Profile::Minmean => (Basis::PerCall, format!("{unit}/call; smaller is faster")),
            Profile::Niccs => (Basis::PerByte, format!("{unit}/byte; smaller is faster")),
            _ => (Basis::Net, format!("{unit}/byte; smaller is faster")),
        };
        let mut figures = Vec::new();
        for column in lengths(&rows).into_iter().map(Column::Length) {
            match basis {
                Basis::Net => figures.extend(quartile_figures(&rows, column)),
                _ => figures.push(Figures { column, basis }),
            }
        }
        let subtracted = if figures.iter().any(|one| one.basis == Basis::Net) {
            "net: the time of an empty call is subtracted"
        } else {
            "nothing is subtracted"
        };
        let median = if profile.interleaved() { "median (StQ2) shown; " } else { "" };
        let legend = format!("Profile {profile}: {}; {median}{what}; {subtracted}.", profile.statistic());
        let lines: Vec<Line<'_>> = rows.into_iter().map(|row| Line::of(row, Some(row), None)).collect();
        Some(Self { legend: vec![legend], grid: Grid::new(table, &lines, &figures), hidden: Vec::new() })
    }
}

fn on_threads(row: &Row) -> bool {
    row.work.is_some_and(|work| work.operation == Operation::Threads)
}

/// Lengths that some row has a cell for.
fn lengths(rows: &[&Row]) -> Vec<usize> {
    let mut lengths: Vec<usize> = rows.iter().flat_map(|row| &row.cells).map(|cell| cell.length).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

fn cells<'a>(rows: &[&'a Row], column: Column) -> impl Iterator<Item = &'a Cell> {
    rows.iter().filter_map(move |row| row.at(column))
}

/// Net where the overhead is known; raw beside it where the messages are short, and alone where it is not known.
fn quartile_figures(rows: &[&Row], column: Column) -> Vec<Figures> {
    let net = cells(rows, column).any(|cell| cell.net.is_some());
    let short = matches!(column, Column::Length(length) if length < BOTH_BELOW);
    let raw = (short || !net) && cells(rows, column).next().is_some();
    let bases = [net.then_some(Basis::Net), raw.then_some(Basis::Raw)];
    bases.into_iter().flatten().map(|basis| Figures { column, basis }).collect()
}

impl Grid {
    fn new(table: &MachineTable, lines: &[Line<'_>], figures: &[Figures]) -> Self {
        let common = table.common_marks();
        let mut works: Vec<Work> = lines.iter().filter_map(Line::work).collect();
        works.sort_unstable();
        works.dedup();
        // The usual work needs no column of its own.
        let with_work = works.iter().any(|work| work.operation != Operation::Hash || work.messages > 1);
        let rows = lines
            .iter()
            .map(|line| {
                let mut labels = vec![words::plain(&line.row.algorithm), words::plain(&line.row.implementation)];
                if with_work {
                    labels.push(line.work().as_ref().map_or_else(String::new, Work::to_string));
                }
                let rivals: Vec<&Line<'_>> = lines
                    .iter()
                    .filter(|rival| rival.row.algorithm == line.row.algorithm && rival.work() == line.work())
                    .collect();
                let cells = match without_figures(&line.row.state) {
                    None => Ok(figures.iter().map(|figures| cell(*figures, line, &rivals, &common)).collect()),
                    Some(why) => Err(why),
                };
                GridRow { labels, cells }
            })
            .collect();
        let mut names = vec!["algorithm", "implementation"];
        names.extend(with_work.then_some("work"));
        Self {
            names,
            columns: figures.iter().map(|figures| figures.head()).collect(),
            rows,
            grouped: true,
            numbers: false,
        }
    }
}

fn cell(figures: Figures, line: &Line<'_>, rivals: &[&Line<'_>], common: &[Mark]) -> GridCell {
    let back_to_back = figures.basis == Basis::BackToBack;
    if let Some(why) = line.back_to_back.filter(|_| back_to_back).and_then(|row| without_figures(&row.state)) {
        return GridCell { figure: why.to_owned(), ..GridCell::default() };
    }
    let Some((figure, marks)) = figures.of(line) else { return GridCell::default() };
    let marks = symbols(marks, common);
    let Some(figure) = figure else { return GridCell { figure: "n/a".to_owned(), marks, best: false } };
    let others = rivals.iter().filter_map(|rival| figures.of(rival)?.0);
    // The intercept of a line is no speed: a noisy row has the smallest, far below zero.
    let best = figures.column != Column::Fixed
        && match figures.basis {
            Basis::Rate | Basis::Throughput => others.fold(f64::NEG_INFINITY, f64::max) <= figure,
            Basis::Efficiency => false,
            _ => others.fold(f64::INFINITY, f64::min) >= figure,
        };
    let decimals = match figures.basis {
        Basis::Rate | Basis::Throughput => 0,
        Basis::PerCall => 1,
        _ => 2,
    };
    GridCell { figure: words::fixed(figure, decimals), marks, best: rivals.len() > 1 && best }
}

/// Marks as printed behind a figure, but for those that all have in common or that say nothing there.
pub(super) fn symbols(marks: &[Mark], silent: &[Mark]) -> String {
    marks.iter().filter(|mark| !silent.contains(mark)).map(|mark| mark.symbol()).collect()
}

/// What stands in place of figures, if there are none.
pub(super) const fn without_figures(state: &State) -> Option<&'static str> {
    match state {
        State::Measured => None,
        State::KatFail { .. } => Some("KAT FAIL"),
        State::DigestFail { .. } => Some("DIGEST FAIL"),
        State::Absent { .. } => Some("absent"),
    }
}

/// What the figures of the main section are, in sentences.
fn legend(table: &MachineTable, figures: &[Figures], lines: &[Line<'_>]) -> Vec<String> {
    let unit = words::unit(table);
    let mut sentences = vec![format!(
        "{unit}/byte, median (StQ2, the middle stabilized quartile) of all timed calls, by message length in bytes; \
         smaller is faster."
    )];
    let has = |basis: Basis| figures.iter().any(|one| one.basis == basis);
    match (has(Basis::Net), has(Basis::Raw)) {
        (true, true) => sentences.push("net: the time of an empty call is subtracted; raw: nothing is.".to_owned()),
        (true, false) => sentences.push("net: the time of an empty call is subtracted.".to_owned()),
        (false, true) => sentences.push("raw: nothing is subtracted.".to_owned()),
        (false, false) => {}
    }
    if has(Basis::BackToBack) {
        sentences.push("b2b: calls back to back between two reads of the clock; nothing is subtracted.".to_owned());
    }
    let column = |column: Column| figures.iter().any(|one| one.column == column);
    if column(Column::Long) {
        sentences.push("long: (4096 minus 2048 bytes) / 2048.".to_owned());
    }
    if column(Column::Slope) {
        sentences.push(format!(
            "slope, fixed: {unit} of each further byte and {unit} of a call besides, by the Theil-Sen line through 2048 \
             to 65536 bytes."
        ));
    }
    if column(Column::Length(0)) {
        sentences.push(format!("Length 0: {unit}/call."));
    }
    if lines.iter().any(|line| line.work().is_some_and(|work| work.messages > 1)) {
        sentences.push("xN: N messages a call; bytes are those of all of them.".to_owned());
    }
    sentences.extend(words::native(table));
    sentences
}
