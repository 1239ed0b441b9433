//! Standard output and standard error. Results go to the first, everything said about them to the second.

use std::io::{self, ErrorKind, Write};

use crate::exit::{Exit, Failure};

/// Writes a result.
///
/// # Errors
///
/// A reader that went away (`| head -1`) ends the command without a word; another error is named.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::quiet(Exit::Error),
        _ => Failure::new(format!("cannot write to standard output: {error}")),
    })
}

/// Says something. Nobody listening is no error.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says that something is wrong and that the work goes on.
pub(crate) fn warn(text: &str) {
    say(&format!("warning: {text}"));
}

/// Text of unknown origin, made harmless for a terminal and short enough for one line.
pub(crate) fn tame(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut tame = String::new();
    for character in text.chars().take(LONGEST) {
        // Marks of direction can make a line read otherwise than it is.
        if character.is_control() || ('\u{2028}'..='\u{202e}').contains(&character) {
            tame.extend(character.escape_unicode());
        } else {
            tame.push(character);
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        tame.push_str(" ..");
    }
    tame
}

#[cfg(test)]
mod tests {
    use super::tame;

    #[test]
    fn foreign_text_cannot_steer_a_terminal() {
        assert_eq!(tame("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(tame("it's \u{202e}ö"), "it's \\u{202e}ö");
        assert_eq!(tame(&"x".repeat(200)).len(), 163);
    }
}
