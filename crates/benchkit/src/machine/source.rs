//! Where facts are read from: the system's files, or those of a test.

/// Files and folders by their absolute path.
pub(super) trait Source {
    /// The contents of a file that is there and can be read.
    fn text(&self, path: &str) -> Option<String>;
    /// The names in a folder, in order; none if there is no such folder.
    fn names(&self, folder: &str) -> Vec<String>;
}

/// This system.
pub(super) struct System;

impl Source for System {
    fn text(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}
