//! `doctor --self-test`: the proofs of the bench on this machine, in fresh processes of this program.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use benchkit::clock::choose::Choice;
use benchkit::proofs::{self, Effort, Proof, Readings, Request, Rig, Stop};
use benchkit::random::Random;
use benchkit::record::Record;

use super::on_cpu;
use crate::exit::{Exit, Failure, Outcome};
use crate::progress::{self, Progress};
use crate::time::rough;
use crate::worker::{self, End, Setup};
use crate::{cli, interrupt, lock, out, run};

/// What it takes on a quiet machine of two CPUs.
const USUAL: Duration = Duration::from_secs(150);
/// The environment of a process is longer by up to so many bytes, which moves its stack.
const MOST_PADDING: usize = 4096;

/// Makes the proofs and prints them.
pub(super) fn run(cpu: Option<usize>) -> Outcome {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(format!("this program cannot be started again: {error}")))?;
    let _lock = lock::take("doctor --self-test")?;
    let seed = run::fresh_seed();
    let started = Instant::now();
    let mut rig = Here { program, cpu, clock: None, random: Random::new(seed) };
    let mut progress = Progress::new(USUAL);
    let mut done = 0.0;
    let mut proofs = Vec::new();
    let mut tell = |share: f64, what: &str| {
        progress.advance(USUAL.mul_f64((share - done).max(0.0)), what);
        done = share;
        if !progress::watched() {
            out::say(&format!("{:>3.0} %  {what}", share * 100.0));
        }
    };
    let end = proofs::prove_into(&mut rig, &Effort::default(), seed, &mut tell, &mut proofs);
    drop(progress);
    if let Err(stop) = end {
        // What was proved until then holds.
        out::print(&table(&proofs))?;
        interrupt::check()?;
        let exit = if matches!(stop, Stop::Refused(_)) { Exit::Refused } else { Exit::Error };
        return Err(Failure { exit, message: stop.to_string() });
    }
    interrupt::check()?;
    out::print(&format!("{}\n{}", table(&proofs), summary(&proofs, seed, started.elapsed())))?;
    Ok(verdict(&proofs))
}

/// How the command exits.
pub(super) fn verdict(proofs: &[Proof]) -> Exit {
    let failed = |refuses| proofs.iter().any(|proof| !proof.passed && proof.refuses == refuses);
    match (failed(true), failed(false) || proofs.is_empty()) {
        (true, _) => Exit::Refused,
        (false, true) => Exit::Error,
        (false, false) => Exit::Good,
    }
}

pub(super) fn table(proofs: &[Proof]) -> String {
    let mut text = String::new();
    for proof in proofs {
        let verdict = if proof.passed { "passed" } else { "FAILED" };
        let _ = writeln!(text, "{verdict}  {}", proof.name);
        let _ = writeln!(text, "        {}; wanted: {}", out::tame(&proof.measured), proof.bound);
    }
    text
}

fn summary(proofs: &[Proof], seed: u64, took: Duration) -> String {
    let failed = proofs.iter().filter(|proof| !proof.passed).count();
    let rest = if verdict(proofs) == Exit::Refused {
        ": the clock counts no cycles here, so nothing else was proved"
    } else {
        ""
    };
    format!("{} proofs, {failed} failed{rest} (seed {seed}, {})\n", proofs.len(), rough(took))
}

/// This machine.
struct Here {
    program: PathBuf,
    cpu: Option<usize>,
    /// The one whose proofs these are: no process may fall back to another.
    clock: Option<Choice>,
    random: Random,
}

impl Here {
    fn pinned(&self, request: &Request) -> Request {
        let mut request = request.clone();
        request.measure.cpu = self.cpu;
        request.measure.clock = self.clock;
        request
    }
}

impl Rig for Here {
    fn clock(&mut self) -> Result<Readings, String> {
        let readings = on_cpu(self.cpu, Readings::here)?;
        self.clock = Some(readings.probe.choice);
        Ok(readings)
    }

    fn here(&mut self, request: &Request) -> Result<Vec<Record>, String> {
        let request = self.pinned(request);
        on_cpu(self.cpu, || {
            let mut records = Vec::new();
            proofs::process(&request, &mut |record| records.push(record))?;
            Ok(records)
        })
    }

    fn process(&mut self, request: &Request) -> Result<Vec<Record>, String> {
        let setup = Setup { padding: self.random.below(MOST_PADDING), ..Setup::default() };
        let mut command = worker::command(&self.program, "prove", Some(&self.pinned(request)), &setup);
        // Read when the process has ended: what reads while it measures takes the caches away.
        let mut lines = Vec::new();
        let end = worker::run(
            &mut command,
            |line| {
                lines.push(line);
                Ok::<(), String>(())
            },
            |_| {},
        )?;
        match end {
            End::Status(0) => {}
            End::Status(code) => return Err(format!("a process of the self-test ended with status {code}")),
            End::Interrupted => return Err("interrupted".into()),
            End::Broken(sentence) => return Err(format!("a process of the self-test {sentence}")),
        }
        let record = |line: &String| {
            serde_json::from_str(line).map_err(|error| format!("a process of the self-test said no record: {error}"))
        };
        lines.iter().map(record).collect()
    }
}

/// What this program does as a process of the self-test.
pub(crate) fn process(options: &cli::Worker) -> Outcome {
    let request: Request = serde_json::from_str(&options.request)
        .map_err(|error| Failure::new(format!("this is no request of the self-test: {error}")))?;
    let mut stdout = std::io::stdout().lock();
    let mut trouble = Ok(());
    proofs::process(&request, &mut |record| {
        if trouble.is_ok() {
            trouble = serde_json::to_string(&record)
                .map_err(std::io::Error::from)
                .and_then(|line| stdout.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdout.flush()));
        }
        if trouble.is_err() {
            // Nobody keeps what would be measured from here on.
            std::process::exit(Exit::Error.code().into());
        }
    })
    .map_err(Failure::new)?;
    Ok(Exit::Good)
}
