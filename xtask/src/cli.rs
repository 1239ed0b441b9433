//! The command line: what is accepted, and the one-line helps.

use std::path::PathBuf;

use benchkit::clock::choose::Choice as Clock;
use benchkit::profile::Profile;
use benchkit::suite::Operation;
use clap::{Args, Parser, Subcommand};

use crate::peer::Peers;

/// Bytes of the longest message that can be asked for.
const LONGEST: usize = 1 << 30;

/// Measures, checks and compares the hash functions of this workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure the implementations side by side and print one table
    Bench(Bench),
    /// List algorithms, their names on published pages, and their implementations
    List(List),
    /// Check the known answers of every implementation
    Verify(Verify),
    /// Print digests of files, of standard input, or of messages in hex
    Digest(Digest),
    /// Render records as a page
    Report(Report),
    /// Tell what machine this is, which clocks it has, and what spoils a measurement here
    Doctor(Doctor),
    /// What `doctor --self-test` starts this program as
    #[command(hide = true)]
    Worker(Worker),
}

/// Options of `bench`.
#[derive(Clone, Debug, PartialEq, Args)]
pub(crate) struct Bench {
    /// A quick look: one process for each worker, fewer visits
    #[arg(long, conflicts_with = "publish")]
    pub(crate) quick: bool,
    /// Figures to publish: ten processes for each worker
    #[arg(long)]
    pub(crate) publish: bool,
    /// Only these algorithms: ids, names of pages, or globs (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) algorithm: Vec<String>,
    /// Only these implementations: PROVIDER/BACKEND, either part of it, or globs (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) implementation: Vec<String>,
    /// Message lengths in bytes
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = parse_length)]
    pub(crate) length: Vec<usize>,
    /// What to measure: hash, stream, batch, ragged, threads, tree, xof [default: hash,batch]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parse_operation)]
    pub(crate) operation: Vec<Operation>,
    /// Numbers of threads that hash at once, each on a CPU of its own: measures `threads` [default: 1 to all CPUs]
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = parse_threads)]
    pub(crate) threads: Vec<usize>,
    /// How to time: native, cold, throughput, openssl, niccs, minmean, or all [default: native, cold, throughput; with
    /// --quick native]. The statistic of supercop comes from native, by `report --page ebash`
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parse_profiles)]
    pub(crate) profile: Vec<Profiles>,
    /// The only clock to use [default: the first of perf, tsc, time that passes its self-test]
    #[arg(long, value_name = "perf|tsc|time", value_parser = parse_clock)]
    pub(crate) clock: Option<Clock>,
    /// Processes that each cell is measured in [default: 6; --quick 1, --publish 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) rounds: Option<u32>,
    /// Do not measure noisy and undecided cells again, with twice the rounds, at the end [default with --quick]
    #[arg(long)]
    pub(crate) once: bool,
    /// Timed calls a visit
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) samples: u32,
    /// The CPU to measure on [default: the last one allowed]
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
    /// Repeat the random choices of an earlier run
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Only implementations of this workspace
    #[arg(long, conflicts_with = "peer")]
    pub(crate) no_peers: bool,
    #[command(flatten)]
    pub(crate) peers: Peers,
    /// Measure a second build for this CPU alone, too: rows PROVIDER/BACKEND+native
    #[arg(long)]
    pub(crate) native: bool,
    /// Name of the run [default: the time in UTC]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Go on with a run that was cut short: the one of that --name, or the newest; its options hold
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) resume: bool,
    /// Measure nothing on a machine that `doctor --strict` refuses
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show the plan and measure nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Options of `list`.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// One JSON document
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) peers: Peers,
    /// List a second build for this CPU alone, too: rows PROVIDER/BACKEND+native
    #[arg(long)]
    pub(crate) native: bool,
}

/// Options of `verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Only these algorithms: ids, names of pages, or globs
    #[arg(value_name = "ALGORITHM")]
    pub(crate) algorithm: Vec<String>,
    /// Only these implementations: PROVIDER/BACKEND, either part of it, or globs (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) implementation: Vec<String>,
    #[command(flatten)]
    pub(crate) peers: Peers,
    /// Check a second build for this CPU alone, too: rows PROVIDER/BACKEND+native
    #[arg(long)]
    pub(crate) native: bool,
}

/// Options of `digest`.
#[derive(Debug, Args)]
pub(crate) struct Digest {
    /// Id of an algorithm, or a page's name for it
    pub(crate) algorithm: String,
    /// PROVIDER/BACKEND, or a backend of this workspace [default: the best]
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// Bytes of output
    #[arg(long, value_name = "BYTES")]
    pub(crate) output_length: Option<usize>,
    /// Secret key
    #[arg(long, value_name = "HEX")]
    pub(crate) key: Option<String>,
    /// Salt
    #[arg(long, value_name = "HEX")]
    pub(crate) salt: Option<String>,
    /// Personalization
    #[arg(long, value_name = "HEX")]
    pub(crate) personalization: Option<String>,
    /// Customization
    #[arg(long, value_name = "HEX")]
    pub(crate) customization: Option<String>,
    /// Each line of input is a message in hex, or HEX/BITS
    #[arg(long)]
    pub(crate) lines: bool,
    /// Send the lines through digest_many
    #[arg(long, requires = "lines")]
    pub(crate) batch: bool,
    #[command(flatten)]
    pub(crate) peers: Peers,
    /// Files; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<String>,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// Style of the page
    #[arg(long, value_name = "NAME", default_value = "terminal")]
    pub(crate) page: String,
    /// Name of a run, or a file of records [repeatable; default: the newest run]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) run: Vec<String>,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Options of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Prove the bench on this machine: what is equal is found equal, 2 % are found, mistakes are caught (2 to 3 minutes)
    #[arg(long)]
    pub(crate) self_test: bool,
    /// Exit with status 4 on a machine whose figures could not be trusted
    #[arg(long)]
    pub(crate) strict: bool,
    /// The CPU to measure on [default: the last one allowed]
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
}

/// A process of the self-test.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// `prove`
    #[arg(value_parser = ["prove"])]
    pub(crate) verb: String,
    /// What to measure, as JSON
    pub(crate) request: String,
}

fn parse_length(text: &str) -> Result<usize, String> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("a length is a whole number of bytes, and commas stand between lengths: 64,1536".into());
    }
    text.parse().ok().filter(|&bytes| bytes <= LONGEST).ok_or_else(|| format!("the longest message is {LONGEST} bytes"))
}

fn parse_threads(text: &str) -> Result<usize, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|&threads| threads > 0)
        .ok_or_else(|| "a number of threads is 1 or more: 1,2,4".into())
}

fn parse_operation(text: &str) -> Result<Operation, String> {
    text.trim().parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn lengths_are_whole_numbers_of_bytes() {
        assert_eq!(parse_length("0"), Ok(0));
        assert_eq!(parse_length(" 1536 "), Ok(1536));
        for junk in ["", "-1", "+1", "1k", "0x10", "1.5", "1073741825", "99999999999999999999999"] {
            assert!(parse_length(junk).is_err(), "{junk}");
        }
    }
}

/// What one word of `--profile` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profiles {
    /// One of them.
    One(Profile),
    /// Every one.
    All,
}

fn parse_profiles(word: &str) -> Result<Profiles, String> {
    match word {
        "all" => Ok(Profiles::All),
        // The same visits: its statistic is taken from the calls that warm them up.
        "supercop" => Ok(Profiles::One(Profile::Native)),
        name => name.parse().map(Profiles::One).map_err(|error: String| format!("{error}, supercop, all")),
    }
}

fn parse_clock(word: &str) -> Result<Clock, String> {
    match word {
        "perf" => Ok(Clock::Perf),
        "tsc" => Ok(Clock::Tsc),
        "time" => Ok(Clock::Time),
        _ => Err("there are perf, tsc, time".to_owned()),
    }
}
