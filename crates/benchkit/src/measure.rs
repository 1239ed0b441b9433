//! What one process measures: blocks in random order, in each block all implementations of an algorithm side by side.
//!
//! Two registrations of one anchor, the same function both times, stand in random places of every block. The ratio of
//! the two is the noise that no difference between two implementations may be smaller than.

mod block;
mod threads;

use std::collections::BTreeMap;
use std::hint::black_box;

use crate::clock::choose::{self, Choice};
use crate::clock::here::Here;
use crate::clock::{self, Clock};
use crate::profile::Profile;
use crate::protocol::{Measure, Planned};
use crate::random::Random;
use crate::record::{Overhead, Process, ProcessEnd, Record, Unit};
use crate::sample::{Limits, Sampler, Timing};
use crate::suite::{Algorithm, HashFn, Hasher, Operation, Parameters, Suite};
use crate::system;
use block::Block;
use threads::Crew;

/// Name of the anchor in records: RustCrypto's SHA-256, the same in the worker of every family.
pub const ANCHOR: &str = "anchor/sha256";
/// Visits of the function that does nothing, at the start of a process.
const OVERHEAD_VISITS: usize = 8;
/// Buffers and messages begin at multiples of this.
const ALIGNMENT: usize = 64;

/// Measures the plan on this machine's best clock and hands over each record as it arises.
///
/// # Errors
///
/// A sentence for the user: something in the plan does not exist or cannot run here, or the CPU or the clock cannot be had.
pub fn run(suite: &Suite, request: &Measure, sink: &mut impl FnMut(Record)) -> Result<(), String> {
    run_with(suite, request, alone(request)?, sink)
}

/// The same, and on several threads where the plan wants that: each makes the suite for itself.
///
/// # Errors
///
/// As [`run`]; there are not as many CPUs as threads.
pub fn run_with_threads(suite: fn() -> Suite, request: &Measure, sink: &mut impl FnMut(Record)) -> Result<(), String> {
    // Before this thread is pinned: the others go elsewhere.
    let cpus: Vec<usize> = system::allowed_cpus().into_iter().filter(|cpu| Some(*cpu) != request.cpu).collect();
    let crew = Crew::new(helpers(request), request.cpu.map(|_| cpus.as_slice()), suite)?;
    run_with(&suite(), request, crew, sink)
}

fn run_with(suite: &Suite, request: &Measure, crew: Crew, sink: &mut impl FnMut(Record)) -> Result<(), String> {
    if let Some(cpu) = request.cpu {
        system::pin(cpu)?;
    }
    let here = Here::open();
    let mut probes = Vec::new();
    for choice in Choice::ALL.into_iter().filter(|choice| request.clock.is_none_or(|wanted| wanted == *choice)) {
        probes.push(here.probe(choice));
        if matches!(choose::decide(None, &probes), Ok((_, Unit::Cycles, _))) {
            break;
        }
    }
    // A better clock may have failed because the machine was busy just then: when a worse one passes, it is asked again, so
    // that the processes of a run use the same one.
    let last = probes.len().saturating_sub(1);
    for index in 0..last {
        if probes[last].passed() && probes[index].test.is_ok() {
            probes[index] = here.probe(probes[index].choice);
        }
    }
    let (choice, unit, story) = choose::decide(request.clock, &probes)?;
    match (choice, &here.perf, &here.counter) {
        (Choice::Perf, Ok(perf), _) => with_clock(suite, request, perf, unit, &story, crew, sink),
        (Choice::Tsc, _, Ok(counter)) => with_clock(suite, request, counter, unit, &story, crew, sink),
        _ => with_clock(suite, request, &here.system, unit, &story, crew, sink),
    }
}

/// How many threads the plan needs besides this one.
fn helpers(request: &Measure) -> usize {
    let planned = request.plan.iter().filter(|planned| planned.operation == Operation::Threads);
    planned.map(|planned| planned.messages.max(1) - 1).max().unwrap_or(0)
}

/// Nobody besides this thread.
fn alone(request: &Measure) -> Result<Crew, String> {
    if helpers(request) > 0 {
        return Err("several threads can only be measured by a worker".to_owned());
    }
    Crew::new(0, None, || Suite { family: "", algorithms: Vec::new() })
}

fn with_clock<C: Clock>(
    suite: &Suite,
    request: &Measure,
    clock: &C,
    unit: Unit,
    story: &str,
    crew: Crew,
    sink: &mut impl FnMut(Record),
) -> Result<(), String> {
    let ticks_per_second = clock::ticks_per_second(clock);
    measure_with(suite, request, clock, Rate { ticks_per_second, unit, self_test: story.to_owned() }, crew, sink)
}

/// What is known of a clock before it is used.
#[derive(Clone, Debug)]
pub struct Rate {
    /// Ticks a second.
    pub ticks_per_second: f64,
    /// What calibrated ticks may be called.
    pub unit: Unit,
    /// Why, in words.
    pub self_test: String,
}

/// The same on any clock, on one thread.
///
/// # Errors
///
/// As [`run`]; the plan needs more threads.
pub fn measure<C: Clock>(
    suite: &Suite,
    request: &Measure,
    clock: &C,
    rate: Rate,
    sink: &mut impl FnMut(Record),
) -> Result<(), String> {
    let crew = alone(request)?;
    measure_with(suite, request, clock, rate, crew, sink)
}

fn measure_with<C: Clock>(
    suite: &Suite,
    request: &Measure,
    clock: &C,
    rate: Rate,
    crew: Crew,
    sink: &mut impl FnMut(Record),
) -> Result<(), String> {
    let mut table = Table::new(suite, &request.plan)?;
    let mut buffers = Buffers::new(&request.plan, suite)?;
    let mut random = Random::new(request.seed);
    let steal = system::steal();
    sink(Record::Process(Process {
        process: request.process,
        family: suite.family.to_owned(),
        seed: request.seed,
        clock: clock.name().to_owned(),
        ticks_per_second: rate.ticks_per_second,
        unit: rate.unit,
        self_test: rate.self_test.clone(),
        cpu: request.cpu,
        locked: buffers.locked,
        environment: std::env::vars()
            .filter(|(name, _)| ["OPENSSL_ia32cap", "HASHMATRIX_PEERS", "HASHMATRIX_BUILD"].contains(&name.as_str()))
            .collect(),
    }));
    let limits = Limits::new(request.samples, rate.ticks_per_second);
    let mut sampler = Sampler::new(clock, request.process, limits);

    let mut nothing: HashFn = black_box(Box::new(|_, _| ()));
    for _ in 0..OVERHEAD_VISITS {
        let call = &mut || nothing(black_box(&[]), black_box(&mut []));
        let tries = sampler.visit(Timing::Single, &mut || (), call, sink);
        for attempt in tries.into_iter().filter(|attempt| attempt.discarded.is_none()) {
            sink(Record::Overhead(Overhead { process: request.process, ticks: attempt.ticks, cal: attempt.cal }));
        }
    }

    let mut end = ProcessEnd { process: request.process, visits: 0, repeated_for_switch: 0, steal: None };
    let mut block = 0;
    for round in 0.. {
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        for (planned, plan) in request.plan.iter().enumerate() {
            let due = plan.lengths.iter().filter(|length| length.visits > round);
            blocks.extend(due.map(|length| (planned, length.bytes)));
        }
        if blocks.is_empty() {
            break;
        }
        random.shuffle(&mut blocks);
        for (planned, length) in blocks {
            let context = Block { request, plan: &request.plan[planned], length, block, rate: &rate, crew: &crew };
            context.run(&mut table, &mut buffers, &mut sampler, &mut random, &mut end, sink);
            block += 1;
        }
    }
    end.steal = Option::zip(steal, system::steal()).map(|(before, after)| after.saturating_sub(before));
    sink(Record::ProcessEnd(end));
    Ok(())
}

/// Every hasher of the plan made ready, and the reference of each algorithm.
struct Table<'a> {
    algorithms: BTreeMap<&'a str, Entry<'a>>,
}

struct Entry<'a> {
    algorithm: &'a Algorithm,
    reference: Option<Hasher>,
    hashers: BTreeMap<&'a str, Hasher>,
}

impl<'a> Table<'a> {
    fn new(suite: &'a Suite, plan: &'a [Planned]) -> Result<Self, String> {
        let mut algorithms: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
        for planned in plan {
            let algorithm = find(suite, &planned.algorithm)?;
            let entry = algorithms.entry(&planned.algorithm).or_insert_with(|| Entry {
                algorithm,
                reference: algorithm.reference().and_then(|reference| reference.make(&Parameters::default()).ok()),
                hashers: BTreeMap::new(),
            });
            for name in &planned.implementations {
                let implementation = algorithm
                    .implementation(name)
                    .ok_or_else(|| format!("{} has no implementation {name}", planned.algorithm))?;
                if !entry.hashers.contains_key(name.as_str()) {
                    entry.hashers.insert(name, implementation.make(&Parameters::default())?);
                }
            }
        }
        Ok(Self { algorithms })
    }
}

fn find<'a>(suite: &'a Suite, id: &str) -> Result<&'a Algorithm, String> {
    suite
        .algorithms
        .iter()
        .find(|algorithm| algorithm.id == id)
        .ok_or_else(|| format!("{} has no algorithm {id}", suite.family))
}

/// Memory for messages and digests, touched and aligned, and locked where that is allowed.
struct Buffers {
    input: Vec<u8>,
    output: Vec<u8>,
    /// Twice the second-level cache, where something is to be measured cold.
    sweep: Vec<u8>,
    locked: bool,
}

impl Buffers {
    fn new(plan: &[Planned], suite: &Suite) -> Result<Self, String> {
        let (mut input, mut output) = (0, 32);
        for planned in plan {
            let digest = find(suite, &planned.algorithm)?.output.default;
            let longest = planned.lengths.iter().map(|length| length.bytes).max().unwrap_or(0);
            // Other threads have buffers of their own.
            let messages = if planned.operation == Operation::Threads { 1 } else { planned.messages.max(1) };
            // A ragged message is up to twice as long as the mean.
            let room = (2 * longest).next_multiple_of(ALIGNMENT) * messages;
            input = input.max(room);
            output = output.max(digest * messages).max(if planned.operation == Operation::Xof { longest } else { 0 });
        }
        let (input, output) = (vec![0x5a; input + ALIGNMENT], vec![0x5a; output + ALIGNMENT]);
        let locked = system::lock(&input) & system::lock(&output);
        let cold = plan.iter().any(|planned| planned.profile == Profile::Cold);
        let sweep = vec![0x5a; if cold { 2 * system::second_level_cache().unwrap_or(2 << 20) } else { 0 }];
        Ok(Self { input, output, sweep, locked })
    }

    /// Input, output, and what to sweep.
    fn split(&mut self) -> (&mut [u8], &mut [u8], &mut [u8]) {
        fn aligned(bytes: &mut [u8]) -> &mut [u8] {
            let skip = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
            &mut bytes[skip..]
        }
        (aligned(&mut self.input), aligned(&mut self.output), &mut self.sweep)
    }
}

/// Lengths of the messages of one call: equal, or for `ragged` pairs that add up to twice the mean.
pub fn message_lengths(operation: Operation, messages: usize, mean: usize, random: &mut Random) -> Vec<usize> {
    let mut lengths = vec![mean; messages.max(1)];
    if operation == Operation::Ragged {
        for pair in lengths.as_chunks_mut::<2>().0 {
            let more = random.below(mean + 1);
            *pair = [mean - more, mean + more];
        }
        random.shuffle(&mut lengths);
    }
    lengths
}
