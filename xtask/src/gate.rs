//! The known-answer gate: every chosen implementation that is here, checked in the process that it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use benchkit::protocol::{Cell, Verify};
use benchkit::record::{Kat, Record};

use crate::catalog::{Catalog, Choice, Worker};
use crate::exit::Failure;
use crate::native;
use crate::out::tame;
use crate::plan::{self, Environment};
use crate::worker::{self, End, Setup};

/// Cells of one request.
const MOST_CELLS: usize = 400;

/// What the gate tells as it goes.
pub(crate) trait Listener {
    /// A cell was checked.
    ///
    /// # Errors
    ///
    /// Whatever should end the gate.
    fn checked(&mut self, kat: Kat) -> Result<(), Failure>;

    /// A worker said something, or did something that it should not.
    fn note(&mut self, text: &str);
}

/// Checks everything but what is in `done`; each cell is told to the listener once, whatever its worker does.
///
/// # Errors
///
/// The user stopped it, or the listener does not go on.
pub(crate) fn check(
    catalog: &Catalog,
    choices: &[Choice<'_>],
    done: &BTreeSet<Cell>,
    lengths: &[usize],
    root: &Path,
    listener: &mut dyn Listener,
) -> Result<(), Failure> {
    for ((worker, environment), mut cells) in plan::cells(choices) {
        cells.retain(|cell| !done.contains(cell));
        let process = Process { worker: &catalog.workers[worker], environment: &environment, lengths, root };
        for cells in cells.chunks(MOST_CELLS) {
            // If one of them takes the worker along, the others are asked again: alone, each can hurt only itself.
            for cell in process.ask(cells, listener)?.unanswered {
                let Answer { unanswered, end } = process.ask(std::slice::from_ref(&cell), listener)?;
                if !unanswered.is_empty() {
                    listener.checked(process.broken(cell, &end))?;
                }
            }
        }
    }
    Ok(())
}

struct Process<'a> {
    worker: &'a Worker,
    environment: &'a Environment,
    lengths: &'a [usize],
    root: &'a Path,
}

struct Answer {
    unanswered: Vec<Cell>,
    end: End,
}

impl Process<'_> {
    fn ask(&self, cells: &[Cell], listener: &mut dyn Listener) -> Result<Answer, Failure> {
        let known = |cell: &Cell| Cell { implementation: native::plain(&cell.implementation).into(), ..cell.clone() };
        let request = Verify { cells: cells.iter().map(known).collect(), lengths: self.lengths.to_vec() };
        let setup = Setup { environment: Some(self.environment), folder: Some(self.root), ..Setup::default() };
        let mut command = worker::command(self.worker.path(self.environment), "verify", Some(&request), &setup);
        let mut unanswered = cells.to_vec();
        let package = &self.worker.program.package;
        let mut complaints = Vec::new();
        let mut failed = false;
        let end = worker::run(
            &mut command,
            |line| {
                let record = serde_json::from_str(&line).map(|record| native::renamed(record, self.environment));
                if let Ok(Record::Kat(kat)) = record
                    && let Some(place) = unanswered.iter().position(|cell| is_about(&kat, cell))
                {
                    unanswered.remove(place);
                    failed |= !kat.ok;
                    return listener.checked(kat);
                }
                listener
                    .note(&format!("the worker of {package} answered `verify` with something else: {}", tame(&line)));
                Ok(())
            },
            |text| complaints.push(format!("{package}: {text}")),
        )?;
        // What was said about a failure is no trouble of its own: a panic's words, for one.
        if !failed && unanswered.is_empty() {
            complaints.iter().for_each(|complaint| listener.note(complaint));
        }
        if end == End::Interrupted { Err(Failure::interrupted()) } else { Ok(Answer { unanswered, end }) }
    }

    /// What is said about a cell whose worker does not answer for it.
    fn broken(&self, cell: Cell, end: &End) -> Kat {
        let how = match end {
            End::Broken(sentence) => sentence,
            End::Status(_) | End::Interrupted => "gave no answer",
        };
        let algorithms = &self.worker.algorithms;
        let implementations = algorithms.iter().filter(|a| a.id == cell.algorithm).flat_map(|a| &a.implementations);
        let version = implementations.into_iter().find(|i| i.name == cell.implementation).map(|i| i.version.clone());
        Kat {
            algorithm: cell.algorithm,
            implementation: cell.implementation,
            version: version.unwrap_or_default(),
            ok: false,
            checks: 0,
            skipped: 0,
            failure: Some(format!("while it was checked, its worker {how}")),
            vectors: BTreeMap::new(),
        }
    }
}

fn is_about(kat: &Kat, cell: &Cell) -> bool {
    kat.algorithm == cell.algorithm && kat.implementation == cell.implementation
}
