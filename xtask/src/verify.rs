//! `cargo xtask verify`.

use std::collections::BTreeSet;

use benchkit::record::Kat;

use crate::build::{self, Show};
use crate::catalog::Catalog;
use crate::exit::{Exit, Failure, Outcome};
use crate::gate::{self, Listener};
use crate::plan::{self, LENGTHS};
use crate::{cli, discover, out};

/// Checks the known answers and prints a line for each implementation.
pub(crate) fn run(options: &cli::Verify) -> Outcome {
    let workspace = discover::workspace()?;
    let catalog = Catalog::gather(build::all(&workspace, Show::Little, options.native)?, &options.peers)?;
    let choices = catalog.choose(&options.algorithm, &options.implementation, false)?;
    let names = choices.iter().flat_map(|choice| {
        choice.implementations.iter().map(|implementation| (choice.algorithm.id.len(), implementation.name.len()))
    });
    let widths = names.fold((0, 0), |widths, (id, name)| (widths.0.max(id), widths.1.max(name)));

    let mut lines = Lines { widths, passed: 0, failed: 0, exit: Exit::Good };
    if !catalog.problems.is_empty() {
        lines.exit = Exit::Incomplete;
    }
    gate::check(&catalog, &choices, &BTreeSet::new(), &LENGTHS, &workspace.root, &mut lines)?;
    for row in plan::absent(&choices) {
        let remedy = row.remedy.map_or_else(String::new, |remedy| format!("; {remedy}"));
        lines.print("absent", &row.algorithm, &row.implementation, &format!("{}{remedy}", row.reason))?;
    }
    out::print(&format!("{} passed, {} failed\n", lines.passed, lines.failed))?;
    if lines.passed + lines.failed == 0 {
        out::warn("everything that was chosen is absent: nothing was checked");
        lines.exit = lines.exit.worse(Exit::Incomplete);
    }
    Ok(lines.exit)
}

struct Lines {
    widths: (usize, usize),
    passed: usize,
    failed: usize,
    exit: Exit,
}

impl Lines {
    fn print(&self, verdict: &str, algorithm: &str, implementation: &str, text: &str) -> Result<(), Failure> {
        let (id, name) = self.widths;
        out::print(&format!("{verdict:<6}  {algorithm:<id$}  {implementation:<name$}  {text}\n"))
    }
}

impl Listener for Lines {
    fn checked(&mut self, kat: Kat) -> Result<(), Failure> {
        if kat.ok {
            self.passed += 1;
            let digests = if kat.checks == 1 { "digest" } else { "digests" };
            self.print("ok", &kat.algorithm, &kat.implementation, &format!("{} {digests}", kat.checks))
        } else {
            self.failed += 1;
            self.exit = self.exit.worse(Exit::WrongDigest);
            let failure = kat.failure.unwrap_or_else(|| "it does not say why".into());
            self.print("FAIL", &kat.algorithm, &kat.implementation, &failure)
        }
    }

    fn note(&mut self, text: &str) {
        out::warn(text);
        self.exit = self.exit.worse(Exit::Incomplete);
    }
}
