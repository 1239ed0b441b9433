//! `cargo xtask report`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use benchkit::pages::{self, Options};
use benchkit::record::{self, ReadOutcome};
use benchkit::table::Tables;

use crate::exit::{Exit, Failure, Outcome};
use crate::progress::colours;
use crate::store::Results;
use crate::{cli, discover, names, out};

/// Renders records as a page.
pub(crate) fn run(options: &cli::Report) -> Outcome {
    let workspace = discover::workspace()?;
    let results = Results::of(&workspace.root);
    let mut files: Vec<PathBuf> = Vec::new();
    if options.run.is_empty() {
        files.push(results.newest()?.path);
    }
    for text in &options.run {
        files.extend(results.find(text)?.into_iter().map(|stored| stored.path));
    }
    files.sort();
    files.dedup();

    let outcomes: Vec<ReadOutcome> = files.iter().map(record::read).collect();
    let output = options.output.as_deref().filter(|path| *path != Path::new("-"));
    let tables = Tables::build(&outcomes);
    let page = render(&options.page, &tables, &if output.is_none() { terminal() } else { Options::default() })?;
    let exit = complain(&outcomes, &tables);
    match output {
        Some(path) => {
            replace(path, page.as_bytes())
                .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
            out::say(&format!("written: {}", path.display()));
        }
        None => out::print(&page)?,
    }
    Ok(exit)
}

/// Prints the table of one file, as a run does at its end.
pub(crate) fn print_terminal(path: &Path) -> Outcome {
    let outcomes = [record::read(path)];
    let tables = Tables::build(&outcomes);
    let exit = complain(&outcomes, &tables);
    out::print(&render("terminal", &tables, &terminal())?)?;
    Ok(exit)
}

/// Names every line that could not be used; what the tables left out stands among their warnings.
fn complain(outcomes: &[ReadOutcome], tables: &Tables) -> Exit {
    let mut exit = if tables.are_whole() { Exit::Good } else { Exit::Incomplete };
    for problem in outcomes.iter().flat_map(|outcome| &outcome.problems) {
        out::warn(&problem.to_string());
        exit = Exit::Incomplete;
    }
    exit
}

fn render(page: &str, tables: &Tables, options: &Options) -> Result<String, Failure> {
    pages::render(page, tables, options).map_err(|unknown| {
        let near = names::near(page, &pages::NAMES);
        let near = if near.is_empty() { String::new() } else { format!("; near ones: {}", near.join(", ")) };
        Failure::new(format!("{unknown}{near}"))
    })
}

/// What the terminal allows, if standard output is one.
fn terminal() -> Options {
    let stdout = console::Term::stdout();
    let width = stdout.size_checked().map(|(_, width)| usize::from(width));
    Options { colour: colours(), width: width.filter(|_| stdout.is_term()) }
}

/// Writes a whole file or none: a reader never sees half of it. What is no plain file (a device, a named pipe) is written
/// to and stays what it is; where a link leads is where the page goes.
fn replace(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return fs::OpenOptions::new().write(true).open(path)?.write_all(contents);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut name = path.file_name().ok_or_else(|| std::io::Error::other("it names no file"))?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = folder.join(name);
    let written = fs::File::create_new(&part).and_then(|mut file| {
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("page.md"), folder.path().join("link.md"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");

        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
