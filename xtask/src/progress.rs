//! Progress on standard error, for someone who watches. Without a terminal there are whole lines, and few of them.

use std::env;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::out;
use crate::time::rough;

/// Drawn this often a second: seldom, because drawing takes time on the machine that is being measured.
const HERTZ: u8 = 4;

/// Whether someone watches who can be shown moving things.
pub(crate) fn watched() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

/// Whether colours are wanted on standard output.
pub(crate) fn colours() -> bool {
    io::stdout().is_terminal()
        && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

fn draw_target() -> ProgressDrawTarget {
    if watched() { ProgressDrawTarget::stderr_with_hz(HERTZ) } else { ProgressDrawTarget::hidden() }
}

/// Shows that something goes on whose length is unknown.
#[derive(Debug)]
pub(crate) struct Spinner {
    bar: Option<ProgressBar>,
    wanted: bool,
    said: bool,
}

impl Spinner {
    /// Shows nothing before the first turn, and never if it is not wanted.
    pub(crate) const fn new(wanted: bool) -> Self {
        Self { bar: None, wanted, said: false }
    }

    /// Says that somebody else has to finish first.
    pub(crate) fn waits(&mut self) {
        self.turn("waiting for another cargo that is building here");
        // What comes then is said as well.
        self.said = false;
    }

    /// Says what goes on.
    pub(crate) fn turn(&mut self, text: &str) {
        if !self.wanted {
        } else if watched() {
            let bar = self.bar.get_or_insert_with(|| {
                let bar = ProgressBar::with_draw_target(None, draw_target());
                bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template"));
                bar
            });
            bar.set_message(text.to_owned());
            bar.tick();
        } else if !self.said {
            self.said = true;
            out::say(text.split(':').next().unwrap_or(text));
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows how much of a known amount of work is done, and how long the rest takes.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    total: Duration,
    done: Duration,
}

impl Progress {
    /// Work that is expected to take `total`.
    pub(crate) fn new(total: Duration) -> Self {
        let bar = ProgressBar::with_draw_target(Some(units(total)), draw_target());
        let style = ProgressStyle::with_template("[{bar:24}] {percent:>3} %  {wide_msg}").expect("a valid template");
        bar.set_style(style.progress_chars("=> "));
        Self { bar, started: Instant::now(), total, done: Duration::ZERO }
    }

    /// Work that was expected to take `expected` is done.
    pub(crate) fn advance(&mut self, expected: Duration, what: &str) {
        self.done = (self.done + expected).min(self.total);
        if watched() {
            self.bar.set_position(units(self.done));
            self.bar.set_message(format!("{what}, {} left", rough(self.left())));
        }
    }

    /// Says which part begins, and, where lines are all there is, says so in a line.
    pub(crate) fn part(&self, text: &str) {
        if !watched() {
            let left = if self.done.is_zero() { self.total } else { self.left() };
            out::say(&format!("{text}, about {} left", rough(left)));
        }
    }

    /// Says something without disturbing the bar.
    pub(crate) fn say(&self, text: &str) {
        self.bar.suspend(|| out::say(text));
    }

    /// How long the rest takes, at the pace so far.
    fn left(&self) -> Duration {
        rest(self.total, self.done, self.started.elapsed())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn units(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

fn rest(total: Duration, done: Duration, elapsed: Duration) -> Duration {
    let left = total.saturating_sub(done);
    if done.is_zero() { left } else { elapsed.mul_f64(left.as_secs_f64() / done.as_secs_f64()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_the_pace_says() {
        let seconds = Duration::from_secs;
        assert_eq!(rest(seconds(100), seconds(0), seconds(3)), seconds(100));
        assert_eq!(rest(seconds(100), seconds(25), seconds(50)), seconds(150));
        assert_eq!(rest(seconds(100), seconds(100), seconds(50)), seconds(0));
    }
}
