//! Exit codes, and the errors that lead to them.

use std::fmt;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything went well.
    Good,
    /// Wrong usage, or any error that has no code of its own.
    Error,
    /// A digest was wrong.
    WrongDigest,
    /// The machine or its clock is not fit for measuring.
    Refused,
    /// Finished, but some input or some row was skipped or damaged.
    Incomplete,
    /// The user stopped it.
    Interrupted,
    /// A status that a worker ended with, passed on.
    Other(u8),
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Error => 1,
            Self::WrongDigest => 2,
            Self::Refused => 4,
            Self::Incomplete => 5,
            Self::Interrupted => 130,
            Self::Other(code) => code,
        }
    }

    /// The one that matters more, when two things happened.
    pub(crate) fn worse(self, other: Self) -> Self {
        let rank = |exit: Self| match exit {
            Self::Good => 0,
            Self::Incomplete => 1,
            Self::WrongDigest => 2,
            Self::Error | Self::Refused | Self::Other(_) => 3,
            Self::Interrupted => 4,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// What ends a command before its time.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program exits.
    pub(crate) exit: Exit,
    /// What the user is told: what is wrong, and what to do about it. Empty when there is nobody to tell.
    pub(crate) message: String,
}

impl Failure {
    /// An error of the general kind.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { exit: Exit::Error, message: message.into() }
    }

    /// Ends without a word.
    pub(crate) const fn quiet(exit: Exit) -> Self {
        Self { exit, message: String::new() }
    }

    /// The user stopped it.
    pub(crate) fn interrupted() -> Self {
        Self { exit: Exit::Interrupted, message: "interrupted".into() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What a command returns.
pub(crate) type Outcome = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graver_end_wins() {
        assert_eq!(Exit::Good.worse(Exit::Incomplete), Exit::Incomplete);
        assert_eq!(Exit::WrongDigest.worse(Exit::Incomplete), Exit::WrongDigest);
        assert_eq!(Exit::WrongDigest.worse(Exit::Interrupted), Exit::Interrupted);
        assert_eq!(Exit::Interrupted.worse(Exit::Good), Exit::Interrupted);
    }
}
