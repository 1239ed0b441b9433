//! Appending records to a file so that each is there the moment it is written.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::Record;

/// A record file open for appending.
#[derive(Debug)]
pub struct Appender {
    file: File,
}

impl Appender {
    /// Opens the file, or makes it. After a line that was cut short a new line is begun, so that no record is glued to
    /// the fragment.
    ///
    /// # Errors
    ///
    /// What the system says: no such folder, no permission, no space.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        if file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                file.write_all(b"\n")?;
            }
        }
        Ok(Self { file })
    }

    /// Appends one line, in one write: whatever kills this process, at most one line is cut.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.flush()
    }

    /// Waits until everything is on the disk. Between two measurements, not within one.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}
