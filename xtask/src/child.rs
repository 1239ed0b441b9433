//! A child process whose output is read line by line, and which the user can stop.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::interrupt;

/// What a child did.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line on standard output, without its end.
    Line(String),
    /// A line on standard error, without its end.
    Complaint(String),
    /// It closed its output and ended.
    Ended(ExitStatus),
    /// The user stopped this program; the child is killed.
    Interrupted,
    /// It said nothing for the given time; it is killed.
    Silent,
}

/// What the threads that watch a child send.
#[derive(Debug)]
pub(crate) enum Message {
    /// See [`Event::Line`].
    Line(String),
    /// See [`Event::Complaint`].
    Complaint(String),
    /// One of its two outputs is closed.
    Closed,
    /// See [`Event::Interrupted`].
    Interrupted,
}

/// What becomes of the child's standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// The user sees it as it comes.
    Shown,
    /// It comes as [`Event::Complaint`].
    Caught,
}

/// A child process. It is killed when this is dropped before it ended.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    messages: Receiver<Message>,
    open: usize,
    patience: Duration,
    ended: bool,
}

impl Running {
    /// Starts the child; it may be silent for at most `patience`.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub(crate) fn start(command: &mut Command, errors: Errors, patience: Duration) -> io::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(match errors {
            Errors::Shown => Stdio::inherit(),
            Errors::Caught => Stdio::piped(),
        });
        let mut child = command.spawn()?;
        let (sender, messages) = channel();
        interrupt::tell(&sender);
        let mut open = 0;
        if let Some(output) = child.stdout.take() {
            forward(output, sender.clone(), Message::Line);
            open += 1;
        }
        if let Some(output) = child.stderr.take() {
            forward(output, sender, Message::Complaint);
            open += 1;
        }
        Ok(Self { child, messages, open, patience, ended: false })
    }

    /// Waits for the next thing that happens. Not to be called again after one of the three that end a child.
    ///
    /// # Errors
    ///
    /// The system does not tell how the child ended.
    pub(crate) fn next(&mut self) -> io::Result<Event> {
        while self.open > 0 {
            match self.messages.recv_timeout(self.patience) {
                Ok(Message::Line(line)) => return Ok(Event::Line(line)),
                Ok(Message::Complaint(line)) => return Ok(Event::Complaint(line)),
                Ok(Message::Closed) => self.open -= 1,
                Ok(Message::Interrupted) => {
                    self.kill();
                    return Ok(Event::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.kill();
                    return Ok(Event::Silent);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait()?;
        self.ended = true;
        Ok(Event::Ended(status))
    }

    fn kill(&mut self) {
        if !self.ended {
            // Errors mean that it ended by itself meanwhile.
            let _ = self.child.kill();
            let _ = self.child.wait();
            self.ended = true;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn forward(output: impl Read + Send + 'static, sender: Sender<Message>, message: fn(String) -> Message) {
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        loop {
            line.clear();
            match output.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {
                    let text = String::from_utf8_lossy(&line);
                    if sender.send(message(text.trim_end_matches(['\n', '\r']).into())).is_err() {
                        break;
                    }
                }
            }
        }
        let _ = sender.send(Message::Closed);
    });
}

/// How a child ended, in words.
pub(crate) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let name = match signal {
            4 => " (illegal instruction)",
            6 => " (aborted)",
            7 => " (bus error)",
            8 => " (arithmetic error)",
            9 => " (killed)",
            11 => " (invalid memory access)",
            15 => " (terminated)",
            _ => "",
        };
        return format!("was ended by signal {signal}{name}");
    }
    match status.code() {
        Some(code) => format!("ended with status {code}"),
        None => "ended".into(),
    }
}
