//! The command line of the workspace. It finds the workers, builds them, asks them, and keeps what they answer; it knows
//! no algorithm.

#![forbid(unsafe_code)]

mod again;
mod build;
mod catalog;
mod child;
mod cli;
mod cpu;
mod digest;
mod discover;
mod doctor;
mod exit;
mod facts;
mod gate;
mod interrupt;
mod list;
mod lock;
mod names;
mod native;
mod out;
mod past;
mod peer;
mod plan;
mod progress;
mod report;
mod resume;
mod run;
mod session;
mod store;
mod time;
mod verify;
mod worker;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};
use exit::{Exit, Outcome};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors, but nobody may be there to read them.
            let printed = error.print();
            return if error.exit_code() == 0 && printed.is_ok() { Exit::Good } else { Exit::Error }.into();
        }
    };
    match dispatch(cli.command) {
        Ok(exit) => exit,
        Err(failure) => {
            match failure.exit {
                Exit::Interrupted => out::say(&failure.message),
                _ if failure.message.is_empty() => {}
                _ => out::say(&format!("error: {failure}")),
            }
            failure.exit
        }
    }
    .into()
}

fn dispatch(command: Command) -> Outcome {
    interrupt::install()?;
    match command {
        Command::Bench(options) => run::run(&options),
        Command::List(options) => list::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Digest(options) => digest::run(options),
        Command::Report(options) => report::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Worker(options) => doctor::process(&options),
    }
}
