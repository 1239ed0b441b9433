//! What is measured: which cells, in which processes, and how long that takes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use benchkit::profile::Profile;
use benchkit::protocol::{Cell, ImplementationInfo, Planned, PlannedLength};
use benchkit::record::AbsentRow;
use benchkit::suite::Operation;

use crate::catalog::Choice;
use crate::exit::Failure;
use crate::native;
use crate::worker::LONGEST_REQUEST;

/// Lengths of the published pages, all of them.
pub(crate) const LENGTHS: [usize; 19] =
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 576, 1024, 1536, 2048, 4096, 8192, 16384, 32768, 65536];
/// Lengths at which many messages are measured.
const BATCH_LENGTHS: [usize; 4] = [64, 576, 1536, 4096];
/// Lengths at which several threads hash.
const THREAD_LENGTHS: [usize; 4] = [1536, 65_536, 1 << 20, 1 << 24];
/// Messages of a batch: as many as the widest kernel takes at once.
const BATCH: usize = 16;
/// Messages of unequal lengths: enough that lanes have to be refilled.
const RAGGED: usize = 64;
/// Lengths of one piece of a plan, if there are very many.
const MOST_LENGTHS: usize = 1000;

/// Environment of a process besides the usual.
pub(crate) type Environment = BTreeMap<String, String>;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// `--quick`.
    Quick,
    /// Neither.
    Usual,
    /// `--publish`.
    Publish,
}

impl Effort {
    /// Processes that each cell is measured in.
    pub(crate) const fn rounds(self) -> u32 {
        match self {
            Self::Quick => 1,
            Self::Usual => 6,
            Self::Publish => 10,
        }
    }

    /// Visits of a cell in one process: short messages are noisier, long ones take longer.
    const fn visits(self, bytes: usize) -> u32 {
        let visits = match bytes {
            0..=256 => 8,
            257..=8192 => 4,
            _ => 2,
        };
        match self {
            Self::Quick => visits / 2,
            Self::Usual | Self::Publish => visits,
        }
    }
}

/// What the options say.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// See [`Effort`].
    pub(crate) effort: Effort,
    /// Empty: the usual ones of each operation.
    pub(crate) lengths: Vec<usize>,
    /// Empty: `hash` and `batch`.
    pub(crate) operations: Vec<Operation>,
    /// Empty: the usual ones.
    pub(crate) profiles: Vec<Profile>,
    /// Timed calls a visit.
    pub(crate) samples: usize,
    /// Numbers of threads, where `threads` is measured.
    pub(crate) threads: Vec<usize>,
}

/// Lengths at which a first call on cold caches is measured.
const COLD_LENGTHS: [usize; 3] = [64, 1536, 4096];
/// The longest message whose calls are also timed back to back: above, the clock's own cost does not matter.
const THROUGHPUT_LONGEST: usize = 256;
/// Lengths of `openssl speed`, of the NICCS page, and of the tables by instruction set.
const OPENSSL_LENGTHS: [usize; 6] = [16, 64, 256, 1024, 8192, 16384];
const NICCS_LENGTHS: [usize; 8] = [32, 64, 128, 512, 1024, 4096, 16384, 65536];
const MINMEAN_LENGTHS: [usize; 17] =
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];

impl Settings {
    fn profiles(&self) -> Vec<Profile> {
        if !self.profiles.is_empty() {
            return Profile::ALL.into_iter().filter(|profile| self.profiles.contains(profile)).collect();
        }
        match self.effort {
            Effort::Quick => vec![Profile::Native],
            Effort::Usual | Effort::Publish => vec![Profile::Native, Profile::Cold, Profile::Throughput],
        }
    }

    /// The lengths of an operation under a profile. Cold and back-to-back calls have lengths of their own among those
    /// that were asked for; a page has its own unless others were asked for.
    fn profile_lengths(&self, operation: Operation, profile: Profile) -> Vec<usize> {
        let lengths = self.lengths(operation);
        let page = |page: &[usize]| if self.lengths.is_empty() { page.to_vec() } else { lengths.clone() };
        match profile {
            Profile::Native => lengths,
            Profile::Cold => lengths.into_iter().filter(|bytes| COLD_LENGTHS.contains(bytes)).collect(),
            Profile::Throughput => lengths.into_iter().filter(|&bytes| bytes <= THROUGHPUT_LONGEST).collect(),
            Profile::Openssl => page(&OPENSSL_LENGTHS),
            Profile::Niccs => page(&NICCS_LENGTHS),
            Profile::Minmean => page(&MINMEAN_LENGTHS),
        }
    }

    /// The profile's own time, in seconds.
    fn seconds(&self, profile: Profile) -> f64 {
        match (profile, self.effort) {
            (Profile::Openssl, Effort::Publish) => 3.0,
            (Profile::Openssl, _) | (Profile::Niccs, Effort::Publish) => 1.0,
            (Profile::Niccs, _) => 0.2,
            _ => 0.0,
        }
    }

    fn operations(&self) -> Vec<Operation> {
        if self.operations.is_empty() {
            return vec![Operation::Hash, Operation::Batch];
        }
        Operation::ALL.into_iter().filter(|operation| self.operations.contains(operation)).collect()
    }

    fn lengths(&self, operation: Operation) -> Vec<usize> {
        let usual: &[usize] = match operation {
            Operation::Batch | Operation::Ragged => &BATCH_LENGTHS,
            Operation::Threads => &THREAD_LENGTHS,
            _ => &LENGTHS,
        };
        let lengths: BTreeSet<usize> =
            if self.lengths.is_empty() { usual } else { &self.lengths }.iter().copied().collect();
        lengths.into_iter().collect()
    }

    /// Every length of every operation, for the known-answer gate.
    pub(crate) fn all_lengths(&self) -> Vec<usize> {
        let mut lengths = BTreeSet::new();
        for operation in self.operations() {
            for profile in self.profiles() {
                lengths.extend(self.profile_lengths(operation, profile));
            }
        }
        lengths.into_iter().collect()
    }

    /// Messages a call; several numbers where each is measured.
    fn messages(&self, operation: Operation) -> Vec<usize> {
        match operation {
            Operation::Batch => vec![BATCH],
            Operation::Ragged => vec![RAGGED],
            Operation::Threads => self.threads.clone(),
            _ => vec![1],
        }
    }
}

/// What one process measures, once a round.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Its worker, as index.
    pub(crate) worker: usize,
    /// What its environment must have.
    pub(crate) environment: Environment,
    /// What it measures.
    pub(crate) plan: Vec<Planned>,
}

/// What a round measures.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// One process each.
    pub(crate) jobs: Vec<Job>,
    samples: usize,
}

/// What is checked before: the cells that are here, by the process that they need.
pub(crate) fn cells(choices: &[Choice<'_>]) -> BTreeMap<(usize, Environment), Vec<Cell>> {
    let mut cells: BTreeMap<_, Vec<Cell>> = BTreeMap::new();
    for choice in choices {
        for implementation in choice.implementations.iter().filter(|implementation| implementation.available) {
            let process = (choice.worker, implementation.environment.clone());
            cells
                .entry(process)
                .or_default()
                .push(Cell { algorithm: choice.algorithm.id.clone(), implementation: implementation.name.clone() });
        }
    }
    cells
}

/// The rows of what is not here.
pub(crate) fn absent(choices: &[Choice<'_>]) -> Vec<AbsentRow> {
    let rows = choices.iter().flat_map(|choice| {
        let missing = choice.implementations.iter().filter(|implementation| !implementation.available);
        missing.map(|implementation| AbsentRow {
            algorithm: choice.algorithm.id.clone(),
            implementation: implementation.name.clone(),
            reason: implementation.absent.as_ref().map_or("it does not say why", |absent| &absent.reason).into(),
            remedy: implementation.absent.as_ref().and_then(|absent| absent.remedy.clone()),
        })
    });
    rows.collect()
}

impl Plan {
    /// Distributes the cells over processes. Those in `failed` are left out.
    ///
    /// # Errors
    ///
    /// An operation was asked for by name that nothing chosen offers.
    pub(crate) fn new(choices: &[Choice<'_>], settings: &Settings, failed: &BTreeSet<Cell>) -> Result<Self, Failure> {
        for operation in &settings.operations {
            let mut here = choices.iter().flat_map(|choice| &choice.implementations).filter(|i| i.available).peekable();
            if here.peek().is_some() && !here.any(|implementation| implementation.operations.contains(operation)) {
                return Err(Failure::new(format!("nothing that was chosen can be measured with `{operation}`")));
            }
        }
        let mut jobs: BTreeMap<(usize, &Environment), Vec<Planned>> = BTreeMap::new();
        for choice in choices {
            let environments: BTreeSet<&Environment> =
                choice.implementations.iter().map(|implementation| &implementation.environment).collect();
            for environment in environments {
                for operation in settings.operations() {
                    for profile in settings.profiles().into_iter().filter(|profile| fits(operation, *profile)) {
                        for messages in settings.messages(operation) {
                            let planned = planned(choice, environment, operation, profile, settings, failed);
                            let planned = planned.map(|planned| Planned { messages, ..planned });
                            if let Some(planned) = planned {
                                jobs.entry((choice.worker, environment)).or_default().push(planned);
                            }
                        }
                    }
                }
            }
        }
        let jobs = jobs.into_iter().flat_map(|((worker, environment), plan)| {
            let job = move |plan| Job { worker, environment: environment.clone(), plan };
            split(plan).into_iter().map(job)
        });
        Ok(Self { jobs: jobs.collect(), samples: settings.samples })
    }

    /// Other processes, measured in the same way.
    pub(crate) const fn with(&self, jobs: Vec<Job>) -> Self {
        Self { jobs, samples: self.samples }
    }

    /// Algorithms times implementations times lengths of all operations.
    pub(crate) fn cells(&self) -> usize {
        self.pieces().map(|planned| planned.implementations.len() * planned.lengths.len()).sum()
    }

    /// The parts of all processes.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &Planned> {
        self.jobs.iter().flat_map(|job| &job.plan)
    }

    /// How long one round takes.
    pub(crate) fn round(&self) -> Duration {
        self.jobs.iter().map(|job| self.process(job)).sum()
    }

    /// How long one process takes.
    pub(crate) fn process(&self, job: &Job) -> Duration {
        PROCESS + job.plan.iter().map(|planned| self.planned(planned)).sum::<Duration>()
    }

    fn planned(&self, planned: &Planned) -> Duration {
        let seats = planned.implementations.len();
        if let Some(visit) = long_visit(planned.profile, planned.seconds) {
            return planned.lengths.iter().map(|length| visit * seats as u32 * length.visits).sum();
        }
        if planned.operation == Operation::Threads {
            let visit = |bytes: usize| VISIT + WINDOW.max(CALL + BYTE.mul_f64(bytes as f64)) * WINDOWS;
            return planned.lengths.iter().map(|length| visit(length.bytes) * (seats as u32 + 3) * length.visits).sum();
        }
        let blocks = planned.lengths.iter().map(|length| {
            let visit = self.visit(length.bytes, planned.messages);
            let anchor = self.visit(length.bytes, 1);
            // One visit opens the block and is discarded.
            (visit * (seats + 1) as u32 + anchor * 2) * length.visits
        });
        blocks.sum()
    }

    /// How long a visit takes, on a processor of the day and with a function of medium speed.
    pub(crate) fn visit(&self, bytes: usize, messages: usize) -> Duration {
        let call = (CALL + BYTE.mul_f64(bytes as f64)) * messages as u32;
        let untimed = (call * 16).min(WARM_UP + call);
        let timed = (call * self.samples as u32).min(LONGEST_VISIT.max(call));
        // The reference computes the last digest again.
        VISIT + untimed + timed + call * 3
    }
}

/// What the known-answer gate takes for one implementation; each timed length is hashed some ten times.
pub(crate) fn check(lengths: &[usize]) -> Duration {
    CHECK + BYTE.mul_f64(10.0 * lengths.iter().sum::<usize>() as f64)
}

/// Known answers of one implementation.
const CHECK: Duration = Duration::from_millis(100);
/// Start of a process: libraries are opened, the clock is tested.
pub(crate) const PROCESS: Duration = Duration::from_millis(300);
/// Calibrations and settling of a visit.
const VISIT: Duration = Duration::from_micros(600);
/// A window of several threads, and the windows of a visit with what is done between them.
const WINDOW: Duration = Duration::from_millis(5);
const WINDOWS: u32 = 6;
/// A call.
const CALL: Duration = Duration::from_nanos(150);
/// A byte of a message.
const BYTE: Duration = Duration::from_nanos(2);
/// Untimed calls end after this.
const WARM_UP: Duration = Duration::from_micros(100);
/// Fewer calls are timed when all would take longer.
const LONGEST_VISIT: Duration = Duration::from_millis(20);

/// Whether an operation is measured under a profile: pages know single messages only.
const fn fits(operation: Operation, profile: Profile) -> bool {
    matches!(profile, Profile::Native) || matches!(operation, Operation::Hash)
}

/// How long a visit takes whose profile has a time of its own.
fn long_visit(profile: Profile, seconds: f64) -> Option<Duration> {
    match profile {
        Profile::Openssl => Some(Duration::from_secs_f64(seconds)),
        // 20,000 short calls take less than their time.
        Profile::Niccs => Some(Duration::from_secs_f64(seconds * 5.0 / 4.0)),
        Profile::Native | Profile::Cold | Profile::Throughput | Profile::Minmean => None,
    }
}

/// One algorithm under one operation, as far as it belongs into the process with that environment. Where the environment
/// is a special one, ours are measured beside, so that every ratio stays inside one process.
fn planned(
    choice: &Choice<'_>,
    environment: &Environment,
    operation: Operation,
    profile: Profile,
    settings: &Settings,
    failed: &BTreeSet<Cell>,
) -> Option<Planned> {
    let algorithm = &choice.algorithm.id;
    let fits = |implementation: &&&ImplementationInfo| {
        let cell = Cell { algorithm: algorithm.clone(), implementation: implementation.name.clone() };
        implementation.available && implementation.operations.contains(&operation) && !failed.contains(&cell)
    };
    let belongs = |implementation: &ImplementationInfo| implementation.environment == *environment;
    let here: Vec<&ImplementationInfo> = choice.implementations.iter().filter(fits).copied().collect();
    if !here.iter().any(|implementation| belongs(implementation)) {
        return None;
    }
    let lengths = settings.profile_lengths(operation, profile);
    if lengths.is_empty() {
        return None;
    }
    // A page's own loops are long enough to be visited once a process.
    let visits = |bytes| if profile.interleaved() { settings.effort.visits(bytes) } else { 1 };
    Some(Planned {
        algorithm: algorithm.clone(),
        implementations: here
            .iter()
            .filter(|i| belongs(i) || (i.ours && i.environment.is_empty() && !native::is_native(environment)))
            .map(|i| i.name.clone())
            .collect(),
        operation,
        profile,
        seconds: settings.seconds(profile),
        messages: 1,
        lengths: lengths.into_iter().map(|bytes| PlannedLength { bytes, visits: visits(bytes) }).collect(),
    })
}

/// Cuts a plan so that each part can be handed to a process.
fn split(plan: Vec<Planned>) -> Vec<Vec<Planned>> {
    // Room for the other fields of the request.
    let most = LONGEST_REQUEST - 1000;
    let mut parts: Vec<Vec<Planned>> = Vec::new();
    let mut used = 0;
    for planned in plan {
        for lengths in planned.lengths.chunks(MOST_LENGTHS) {
            let piece = Planned { lengths: lengths.to_vec(), ..planned.clone() };
            let size = serde_json::to_string(&piece).map_or(most, |json| json.len() + 1);
            match parts.last_mut() {
                Some(part) if used + size <= most => part.push(piece),
                _ => {
                    used = 0;
                    parts.push(vec![piece]);
                }
            }
            used += size;
        }
    }
    parts
}

#[cfg(test)]
mod tests;
