//! Digests of files, of standard input and of lines: what the worker does for `digest`.
//!
//! Files come out as `HEX  NAME`, as `sha256sum` writes them. With `lines` each line of standard input is a message in
//! hexadecimal, or `HEX/BITS` for its first BITS bits, and each line of output its digest.

mod lines;
mod request;

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::process::ExitCode;

use self::request::Ready;
use crate::protocol;
use crate::suite::Suite;

/// Bytes that are read at once: enough to make the calls cheap, little enough to stay in the cache.
const PIECE: usize = 1 << 16;

/// Why there is no digest.
#[derive(Debug)]
enum Trouble {
    /// Nobody reads the output any more.
    Closed,
    /// A sentence for the user.
    Said(String),
}

impl From<String> for Trouble {
    fn from(sentence: String) -> Self {
        Self::Said(sentence)
    }
}

/// An error in writing the output.
impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Said(format!("cannot write the output: {error}")),
        }
    }
}

/// Answers one request. The status is 0 only if every digest that was asked for has been written; what is wrong is said
/// on `stderr`, a line each, but for a closed output, after which nobody is left to be told.
pub fn run(
    suite: &Suite,
    request: &protocol::Digest,
    mut stdin: impl BufRead,
    stdout: impl Write,
    mut stderr: impl Write,
) -> ExitCode {
    let mut output = BufWriter::with_capacity(PIECE, stdout);
    let answered = answer(suite, request, &mut stdin, &mut output, &mut stderr);
    // What came before an error is written all the same.
    let written = output.flush().map_err(Trouble::from);
    match answered.and_then(|good| written.map(|()| good)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(Trouble::Closed) => ExitCode::FAILURE,
        Err(Trouble::Said(sentence)) => {
            say(&mut stderr, &sentence);
            ExitCode::FAILURE
        }
    }
}

fn say(stderr: &mut impl Write, sentence: &str) {
    // If even this cannot be written, the status still tells.
    let _ = writeln!(stderr, "error: {sentence}");
}

/// Whether everything that was asked for has been written.
fn answer(
    suite: &Suite,
    request: &protocol::Digest,
    stdin: &mut impl BufRead,
    output: &mut impl Write,
    stderr: &mut impl Write,
) -> Result<bool, Trouble> {
    let mut ready = request::ready(suite, request)?;
    if request.lines {
        if request.files.iter().any(|file| file != "-") {
            return Err(Trouble::Said("--lines reads standard input: give it no files".to_owned()));
        }
        return if request.batch {
            lines::batch(&mut ready, stdin, output)
        } else {
            lines::each(&mut ready, stdin, output)
        }
        .map(|()| true);
    }
    if request.batch {
        return Err(Trouble::Said("--batch is about the messages of --lines: give both".to_owned()));
    }
    let usual = ["-".to_owned()];
    let files = if request.files.is_empty() { &usual[..] } else { &request.files };
    let mut good = true;
    for name in files {
        let digest = if name == "-" {
            ready.digest_of(stdin)
        } else {
            File::open(name).map_err(|error| error.to_string()).and_then(|mut file| ready.digest_of(&mut file))
        };
        match digest {
            Ok(digest) => write_line(output, &digest, name)?,
            Err(reason) => {
                // In the order in which things happened, if both end up on one screen.
                output.flush()?;
                say(stderr, &format!("{name}: {reason}"));
                good = false;
            }
        }
    }
    Ok(good)
}

impl Ready<'_> {
    /// The digest of everything that there is to read.
    fn digest_of(&mut self, input: &mut impl Read) -> Result<Vec<u8>, String> {
        let mut digest = vec![0; self.size];
        let Some(stream) = self.hasher.stream.as_mut() else {
            let mut message = Vec::new();
            input.read_to_end(&mut message).map_err(|error| error.to_string())?;
            (self.hasher.hash)(&message, &mut digest);
            self.ran()?;
            return Ok(digest);
        };
        // The file before this one may have ended in an error.
        stream.reset();
        let mut piece = vec![0; PIECE];
        loop {
            match input.read(&mut piece) {
                Ok(0) => break,
                Ok(size) => stream.update(&piece[..size]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        stream.finish(&mut digest);
        self.ran()?;
        Ok(digest)
    }
}

/// `HEX  NAME`. A name that would break the line is escaped, and the line begins with a backslash then, as in the
/// output of `sha256sum`.
fn write_line(output: &mut impl Write, digest: &[u8], name: &str) -> io::Result<()> {
    let digest = hex::encode(digest);
    if !name.contains(['\\', '\n', '\r']) {
        return writeln!(output, "{digest}  {name}");
    }
    let name = name.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r");
    writeln!(output, "\\{digest}  {name}")
}

#[cfg(test)]
mod tests;
