//! What all workers offer, and what a user's names mean in it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use benchkit::protocol::{AlgorithmInfo, ImplementationInfo};

use crate::build::{Program, Programs};
use crate::exit::Failure;
use crate::names::{Pattern, suggestion};
use crate::peer::Peers;
use crate::plan::Environment;
use crate::{native, out, worker};

/// A worker and what it offers.
#[derive(Debug)]
pub(crate) struct Worker {
    /// Its program.
    pub(crate) program: Program,
    /// The same built for this CPU, if that was asked for.
    native: Option<PathBuf>,
    /// Name of the family.
    pub(crate) family: String,
    /// Its algorithms.
    pub(crate) algorithms: Vec<AlgorithmInfo>,
}

/// Everything on offer.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    /// In the order of their packages' names.
    pub(crate) workers: Vec<Worker>,
    /// Workers that are no use, and why. Whoever finishes in spite of them does not exit with 0.
    pub(crate) problems: Vec<String>,
}

/// One algorithm that was chosen, with the implementations that were chosen.
#[derive(Clone, Debug)]
pub(crate) struct Choice<'a> {
    /// Its worker, as index.
    pub(crate) worker: usize,
    /// What it is.
    pub(crate) algorithm: &'a AlgorithmInfo,
    /// Those that were asked for, here or not.
    pub(crate) implementations: Vec<&'a ImplementationInfo>,
}

/// The namespaces of published pages, and what each calls the algorithm.
fn page_names(algorithm: &AlgorithmInfo) -> impl Iterator<Item = (&'static str, &str)> {
    let pages = &algorithm.pages;
    [("ebash", &pages.ebash), ("openssl", &pages.openssl), ("niccs", &pages.niccs)]
        .into_iter()
        .filter_map(|(page, name)| name.as_deref().map(|name| (page, name)))
}

/// The page names of an algorithm with their namespaces: `ebash:sha256`.
pub(crate) fn qualified_page_names(algorithm: &AlgorithmInfo) -> Vec<String> {
    page_names(algorithm).map(|(page, name)| format!("{page}:{name}")).collect()
}

impl Worker {
    /// The program for processes with that environment.
    pub(crate) fn path(&self, environment: &Environment) -> &Path {
        match &self.native {
            Some(path) if native::is_native(environment) => path,
            _ => &self.program.path,
        }
    }
}

impl Catalog {
    /// Asks every worker, and those who open the libraries that the user names.
    ///
    /// # Errors
    ///
    /// The user stopped it, or names an algorithm that there is not.
    pub(crate) fn gather(programs: Programs, peers: &Peers) -> Result<Self, Failure> {
        let Programs { plain: programs, native } = programs;
        let mut catalog = Self::default();
        for program in programs {
            match worker::list(&program)? {
                Ok(list) => catalog.add(program, list.family, list.algorithms),
                Err(sentence) => catalog.problems.push(format!("the worker of {} {sentence}", program.package)),
            }
        }
        for program in native {
            catalog.add_native(program)?;
        }
        if !peers.is_empty() {
            catalog.add_peers(peers)?;
        }
        for problem in &catalog.problems {
            out::warn(problem);
        }
        Ok(catalog)
    }

    /// The implementations of a worker's second build, behind those of the first. Those that need a process of their own
    /// are left out: they force the code of a library, which is the same whoever calls it.
    fn add_native(&mut self, program: Program) -> Result<(), Failure> {
        let Some(worker) = self.workers.iter_mut().find(|worker| worker.program.package == program.package) else {
            return Ok(());
        };
        match worker::list_in(&program.path, &Environment::new())? {
            Ok(list) => {
                for algorithm in &mut worker.algorithms {
                    let same = list.algorithms.iter().filter(|other| other.id == algorithm.id);
                    let rows = same.flat_map(|other| &other.implementations).filter(|row| row.environment.is_empty());
                    algorithm.implementations.extend(rows.cloned().map(native::row));
                }
                worker.native = Some(program.path);
            }
            Err(sentence) => {
                self.problems.push(format!("the worker of {} built for this CPU {sentence}", program.package));
            }
        }
        Ok(())
    }

    fn add_peers(&mut self, peers: &Peers) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        for (number, text) in peers.algorithms()? {
            let id = self.one(text)?.1.id.clone();
            let Some((worker, _)) = self.all().find(|(_, algorithm)| algorithm.id == id) else { continue };
            let row = peers.ask(number, &id, &self.workers[worker].program)?;
            if !seen.insert((row.name.clone(), id.clone())) {
                return Err(Failure::new(format!("--peer {} is there twice for {id}", row.provider)));
            }
            for algorithm in self.workers[worker].algorithms.iter_mut().filter(|algorithm| algorithm.id == id) {
                algorithm.implementations.retain(|other| other.name != row.name);
                algorithm.implementations.push(row.clone());
            }
        }
        Ok(())
    }

    fn add(&mut self, program: Program, family: String, algorithms: Vec<AlgorithmInfo>) {
        let mut kept = Vec::new();
        for algorithm in algorithms {
            let id = &algorithm.id;
            let first = self.all().find(|(_, known)| known.id == *id).map(|(owner, _)| owner);
            if let Some(owner) = first {
                let owner = &self.workers[owner].program.package;
                let package = &program.package;
                self.problems.push(format!("{package} offers `{id}`, as {owner} does already: left out"));
            } else {
                kept.push(algorithm);
            }
        }
        self.workers.push(Worker { program, native: None, family, algorithms: kept });
    }

    /// Every algorithm with the index of its worker.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &AlgorithmInfo)> {
        self.workers.iter().enumerate().flat_map(|(index, worker)| worker.algorithms.iter().map(move |a| (index, a)))
    }

    /// The algorithms that one name or glob means.
    ///
    /// # Errors
    ///
    /// It means nothing, or a plain name means several things.
    fn meant(&self, text: &str) -> Result<Vec<&str>, Failure> {
        let pattern = Pattern::new(text)?;
        let ids: Vec<&str> = self.all().map(|(_, a)| a.id.as_str()).filter(|id| pattern.fits(id)).collect();
        if !ids.is_empty() {
            return Ok(ids);
        }
        let fits = |algorithm: &&AlgorithmInfo| {
            page_names(algorithm).any(|(page, name)| pattern.fits(name) || pattern.fits(&format!("{page}:{name}")))
        };
        let found: Vec<&AlgorithmInfo> = self.all().map(|(_, algorithm)| algorithm).filter(fits).collect();
        let plain = !text.contains(['*', '?', '[', '{']);
        match found.as_slice() {
            [] => {
                let names: Vec<&str> = self
                    .all()
                    .flat_map(|(_, a)| [a.id.as_str()].into_iter().chain(page_names(a).map(|(_, name)| name)))
                    .collect();
                Err(Failure::new(format!("no algorithm is called `{}`{}", out::tame(text), suggestion(text, &names))))
            }
            [_, _, ..] if plain => {
                let meanings: Vec<String> = found
                    .iter()
                    .flat_map(|algorithm| page_names(algorithm).map(move |(page, name)| (page, name, &algorithm.id)))
                    .filter(|(_, name, _)| *name == text)
                    .map(|(page, name, id)| format!("{page}:{name} is {id}"))
                    .collect();
                Err(Failure::new(format!("`{text}` means several algorithms: {}", meanings.join(", "))))
            }
            found => Ok(found.iter().map(|algorithm| algorithm.id.as_str()).collect()),
        }
    }

    /// The one algorithm of that name.
    ///
    /// # Errors
    ///
    /// There is none, or there are several.
    pub(crate) fn one(&self, name: &str) -> Result<(&Worker, &AlgorithmInfo), Failure> {
        let ids = self.meant(name)?;
        let [id] = ids.as_slice() else {
            return Err(Failure::new(format!("`{name}` means several algorithms: {}", ids.join(", "))));
        };
        let found = self.all().find(|(_, algorithm)| algorithm.id == *id);
        found
            .map(|(worker, algorithm)| (&self.workers[worker], algorithm))
            .ok_or_else(|| Failure::new(format!("no algorithm is called `{name}`")))
    }

    /// What the filters leave, in the order of the workers. No filter leaves everything.
    ///
    /// # Errors
    ///
    /// A filter fits nothing.
    pub(crate) fn choose(
        &self,
        algorithms: &[String],
        implementations: &[String],
        ours_only: bool,
    ) -> Result<Vec<Choice<'_>>, Failure> {
        let mut ids = BTreeSet::new();
        for text in algorithms {
            ids.extend(self.meant(text)?);
        }
        let chosen: Vec<(usize, &AlgorithmInfo)> =
            self.all().filter(|(_, algorithm)| algorithms.is_empty() || ids.contains(algorithm.id.as_str())).collect();
        let patterns: Vec<Pattern> = implementations.iter().map(|text| Pattern::new(text)).collect::<Result<_, _>>()?;
        let candidates = || {
            let all = chosen.iter().flat_map(|(_, algorithm)| &algorithm.implementations);
            all.filter(|implementation| implementation.ours || !ours_only)
        };
        for pattern in &patterns {
            if !candidates().any(|implementation| is_meant(implementation, pattern)) {
                let names: Vec<&str> = candidates().map(|implementation| implementation.name.as_str()).collect();
                let text = out::tame(pattern.text());
                return Err(Failure::new(format!(
                    "no implementation is called `{text}`{}",
                    suggestion(pattern.text(), &names)
                )));
            }
        }
        let wanted = |implementation: &&ImplementationInfo| {
            (implementation.ours || !ours_only)
                && (patterns.is_empty() || patterns.iter().any(|pattern| is_meant(implementation, pattern)))
        };
        let choices: Vec<Choice<'_>> = chosen
            .iter()
            .map(|&(worker, algorithm)| Choice {
                worker,
                algorithm,
                implementations: algorithm.implementations.iter().filter(wanted).collect(),
            })
            .filter(|choice| !choice.implementations.is_empty())
            .collect();
        if choices.is_empty() {
            return Err(Failure::new("nothing is left to do: no worker offers an implementation that was asked for"));
        }
        Ok(choices)
    }
}

/// A pattern means the whole name, or, without a slash, either half of it.
fn is_meant(implementation: &ImplementationInfo, pattern: &Pattern) -> bool {
    pattern.fits(&implementation.name)
        || (!pattern.text().contains('/')
            && (pattern.fits(&implementation.provider) || pattern.fits(&implementation.backend)))
}

#[cfg(test)]
mod tests;
