//! `cargo xtask digest`: finds the worker, and lets it speak for itself.

use std::process::{Command, Stdio};

use benchkit::protocol::{self, AlgorithmInfo, ImplementationInfo};

use crate::build::{self, Show};
use crate::catalog::{Catalog, Worker};
use crate::exit::{Exit, Failure, Outcome};
use crate::names::suggestion;
use crate::worker::{self, LONGEST_REQUEST, Setup};
use crate::{cli, discover, interrupt};

/// Prints digests. The exit status is the worker's.
pub(crate) fn run(options: cli::Digest) -> Outcome {
    let workspace = discover::workspace()?;
    let catalog = Catalog::gather(build::all(&workspace, Show::Little, false)?, &options.peers)?;
    let (worker, algorithm) = catalog.one(&options.algorithm)?;
    let implementation = options.backend.as_deref().map(|name| find(algorithm, name)).transpose()?;
    let request = protocol::Digest {
        algorithm: algorithm.id.clone(),
        backend: options.backend,
        output_length: options.output_length,
        key: options.key,
        salt: options.salt,
        personalization: options.personalization,
        customization: options.customization,
        lines: options.lines,
        batch: options.batch,
        files: Vec::new(),
    };
    let parts = split(options.files);
    let last = parts.len() - 1;
    let mut exit = Exit::Good;
    for (number, files) in parts.into_iter().enumerate() {
        let request = protocol::Digest { files, ..request.clone() };
        let mut command = command(worker, implementation, &request);
        // The last one takes the place of this program, which has nothing left to do.
        let part = if number == last { finish(command) } else { wait(&mut command) }?;
        exit = exit.worse(part);
    }
    Ok(exit)
}

/// The implementation that `--backend` means: a whole name, or a backend of ours.
fn find<'a>(algorithm: &'a AlgorithmInfo, name: &str) -> Result<&'a ImplementationInfo, Failure> {
    let all = &algorithm.implementations;
    let found = all.iter().find(|implementation| implementation.name == name);
    found
        .or_else(|| all.iter().find(|implementation| implementation.ours && implementation.backend == name))
        .ok_or_else(|| {
            let ours = all.iter().filter(|implementation| implementation.ours).map(|i| i.backend.as_str());
            let names: Vec<&str> = all.iter().map(|implementation| implementation.name.as_str()).chain(ours).collect();
            Failure::new(format!("{} has no backend `{name}`{}", algorithm.id, suggestion(name, &names)))
        })
}

/// More files than one request takes go into several, in order.
fn split(files: Vec<String>) -> Vec<Vec<String>> {
    let most = LONGEST_REQUEST / 2;
    let mut parts = vec![Vec::new()];
    let mut used = 0;
    for file in files {
        let size = serde_json::to_string(&file).map_or(most, |json| json.len() + 1);
        if used + size > most && used > 0 {
            parts.push(Vec::new());
            used = 0;
        }
        used += size;
        if let Some(part) = parts.last_mut() {
            part.push(file);
        }
    }
    parts
}

fn command(worker: &Worker, implementation: Option<&ImplementationInfo>, request: &protocol::Digest) -> Command {
    let setup =
        Setup { environment: implementation.map(|implementation| &implementation.environment), ..Setup::default() };
    let mut command = worker::command(&worker.program.path, "digest", Some(request), &setup);
    command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    command
}

fn wait(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    interrupt::check()?;
    Ok(match status.code() {
        Some(0) => Exit::Good,
        Some(code) => Exit::Other(u8::try_from(code).unwrap_or(1)),
        None => return Err(Failure::new(format!("the worker {}", crate::child::ending(status)))),
    })
}

#[cfg(unix)]
fn finish(mut command: Command) -> Outcome {
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    Err(cannot_start(&command, &error))
}

#[cfg(not(unix))]
fn finish(mut command: Command) -> Outcome {
    wait(&mut command)
}

fn cannot_start(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("the worker {} cannot be started: {error}", command.get_program().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_keep_their_order() {
        let files: Vec<String> = (0..20_000).map(|number| format!("file-{number}")).collect();
        let parts = split(files.clone());
        assert!(parts.len() > 1);
        assert!(parts.iter().all(|part| serde_json::to_string(part).unwrap().len() < LONGEST_REQUEST));
        assert_eq!(parts.concat(), files);
        assert_eq!(split(Vec::new()), [Vec::<String>::new()]);
    }
}
