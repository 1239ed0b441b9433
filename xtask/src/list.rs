//! `cargo xtask list`.

use std::fmt::Write;

use benchkit::protocol::{AlgorithmInfo, ImplementationInfo};
use benchkit::suite::{BitOrder, Lengths, OutputLength};
use serde::Serialize;

use crate::build::{self, Show};
use crate::catalog::{Catalog, Worker, qualified_page_names};
use crate::exit::{Exit, Failure, Outcome};
use crate::{cli, discover, out};

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    algorithms: Vec<Entry<'a>>,
    problems: &'a [String],
}

#[derive(Serialize)]
struct Entry<'a> {
    family: &'a str,
    #[serde(flatten)]
    algorithm: &'a AlgorithmInfo,
}

/// Lists what the workspace offers.
pub(crate) fn run(options: &cli::List) -> Outcome {
    let workspace = discover::workspace()?;
    let catalog = Catalog::gather(build::all(&workspace, Show::Little, options.native)?, &options.peers)?;
    let text = if options.json { document(&catalog)? } else { table(&catalog.workers) };
    out::print(&text)?;
    Ok(if catalog.problems.is_empty() { Exit::Good } else { Exit::Incomplete })
}

fn document(catalog: &Catalog) -> Result<String, Failure> {
    let entry = |(worker, algorithm): (usize, _)| Entry { family: &catalog.workers[worker].family, algorithm };
    let document = Document { schema: 1, algorithms: catalog.all().map(entry).collect(), problems: &catalog.problems };
    let mut json = serde_json::to_string_pretty(&document)
        .map_err(|error| Failure::new(format!("the list cannot be written as JSON: {error}")))?;
    json.push('\n');
    Ok(json)
}

fn table(workers: &[Worker]) -> String {
    let implementations = || workers.iter().flat_map(|worker| &worker.algorithms).flat_map(|a| &a.implementations);
    let name = implementations().map(|implementation| implementation.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for worker in workers {
        for algorithm in &worker.algorithms {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&head(&worker.family, algorithm));
            for implementation in &algorithm.implementations {
                let _ = writeln!(text, "  {:<name$}  {}", implementation.name, what(implementation));
            }
        }
    }
    text
}

fn head(family: &str, algorithm: &AlgorithmInfo) -> String {
    let pages = qualified_page_names(algorithm);
    let pages = if pages.is_empty() { "none".into() } else { pages.join(", ") };
    let bits = match algorithm.bits {
        None => "whole bytes",
        Some(BitOrder::MostSignificantFirst) => "bits, most significant first",
        Some(BitOrder::LeastSignificantFirst) => "bits, least significant first",
    };
    let mut head = format!("{} ({family})\n  on pages: {pages}\n  input: {bits}", algorithm.id);
    let options = &algorithm.options;
    let optional = [
        ("key", options.key),
        ("salt", options.salt),
        ("personalization", options.personalization),
        ("customization", options.customization),
    ];
    for (name, lengths) in optional.into_iter().filter_map(|(name, lengths)| Some((name, lengths?))) {
        let Lengths { min, max } = lengths;
        let _ = write!(head, "; {name} of {}", range(min, max));
    }
    let OutputLength { default, min, max } = algorithm.output;
    let _ = write!(head, "\n  output: {default} bytes");
    if (min, max) != (default, Some(default)) {
        let _ = write!(head, ", or {}", range(min, max));
    }
    head.push('\n');
    head
}

fn range(min: usize, max: Option<usize>) -> String {
    match max {
        Some(max) if max == min => format!("{min} bytes"),
        Some(max) => format!("{min} to {max} bytes"),
        None => format!("{min} bytes or more"),
    }
}

fn what(implementation: &ImplementationInfo) -> String {
    if !implementation.available {
        let absent = implementation.absent.as_ref();
        let reason = absent.map_or("it does not say why", |absent| &absent.reason);
        let remedy = absent.and_then(|absent| absent.remedy.as_deref());
        return match remedy {
            Some(remedy) => format!("absent: {reason}; {remedy}"),
            None => format!("absent: {reason}"),
        };
    }
    let operations: Vec<&str> = implementation.operations.iter().map(|operation| operation.name()).collect();
    let mut what = operations.join(" ");
    if implementation.lanes > 0 {
        let _ = write!(what, "; {} lanes", implementation.lanes);
    }
    if !implementation.version.is_empty() {
        let _ = write!(what, "; {}", implementation.version);
    }
    if implementation.ours {
        what.push_str("; ours");
    }
    for (name, value) in &implementation.environment {
        // An empty value must not look like none.
        let value = if value.is_empty() { "''" } else { value };
        let _ = write!(what, "; {name}={value}");
    }
    what
}
