//! One block: everyone who implements an algorithm, visited side by side at one length.

use std::hint::black_box;

use digest::Digest as _;

use super::threads::{self, Crew, WINDOW, WINDOWS, Work};
use super::{ALIGNMENT, ANCHOR, Buffers, Entry, Rate, Table, message_lengths};
use crate::clock::Clock;
use crate::profile::Profile;
use crate::protocol::{Measure, Planned};
use crate::random::Random;
use crate::record::{Discarded, ProcessEnd, Record, Visit};
use crate::sample::{Sampler, Timing, Try};
use crate::suite::{HashFn, Hasher, Operation};

/// Bytes of the message behind squeezed output, at most.
const XOF_MESSAGE: usize = 64;

pub(super) struct Block<'a> {
    pub(super) request: &'a Measure,
    pub(super) plan: &'a Planned,
    pub(super) length: usize,
    pub(super) block: u32,
    pub(super) rate: &'a Rate,
    pub(super) crew: &'a Crew,
}

/// Who is visited: an implementation of the plan, or one of the two anchors.
#[derive(Clone, Copy, PartialEq)]
enum Seat {
    Implementation(usize),
    Anchor(u8),
}

impl Block<'_> {
    /// Who is visited, in order, and whether the first of them only opens the block.
    fn seats(&self, random: &mut Random) -> (Vec<Seat>, bool) {
        let mut seats: Vec<Seat> = (0..self.plan.implementations.len()).map(Seat::Implementation).collect();
        if seats.is_empty() {
            return (seats, false);
        }
        if !self.plan.profile.interleaved() {
            random.shuffle(&mut seats);
            return (seats, false);
        }
        let opening = seats[random.below(seats.len())];
        if self.request.anchors {
            seats.extend([Seat::Anchor(1), Seat::Anchor(2)]);
        }
        loop {
            random.shuffle(&mut seats);
            if matches!(seats[0], Seat::Implementation(_)) {
                break;
            }
        }
        seats.insert(0, opening);
        (seats, true)
    }

    pub(super) fn run<C: Clock>(
        &self,
        table: &mut Table<'_>,
        buffers: &mut Buffers,
        sampler: &mut Sampler<'_, C>,
        random: &mut Random,
        end: &mut ProcessEnd,
        sink: &mut impl FnMut(Record),
    ) {
        let Some(entry) = table.algorithms.get_mut(self.plan.algorithm.as_str()) else { return };
        let (seats, opens) = self.seats(random);
        for (position, seat) in seats.into_iter().enumerate() {
            let seed = random.next();
            let threads = self.plan.operation == Operation::Threads;
            let mut finished = Vec::new().into_iter();
            let (name, tries, digest_ok) = match seat {
                _ if threads => {
                    let name = match seat {
                        Seat::Anchor(_) => None,
                        Seat::Implementation(index) => Some(self.plan.implementations[index].as_str()),
                    };
                    let (tries, counts, digest_ok) = self.visit_threads(name, seed, entry, buffers, sampler, sink);
                    finished = counts.into_iter();
                    (name.unwrap_or(ANCHOR), tries, digest_ok)
                }
                Seat::Anchor(_) => {
                    let (tries, digest_ok) = self.visit_anchor(seed, buffers, sampler, sink);
                    (ANCHOR, tries, digest_ok)
                }
                Seat::Implementation(index) => {
                    let name = self.plan.implementations[index].as_str();
                    let (tries, digest_ok) = self.visit(name, seed, entry, buffers, sampler, sink);
                    (name, tries, digest_ok)
                }
            };
            for (attempt, one) in tries.into_iter().enumerate() {
                end.visits += 1;
                end.repeated_for_switch += u64::from(one.discarded == Some(Discarded::Switch));
                let discarded = if opens && position == 0 { Some(Discarded::Opening) } else { one.discarded };
                sink(Record::Visit(Visit {
                    process: self.request.process,
                    block: self.block,
                    position: position as u32,
                    attempt: attempt as u32,
                    algorithm: self.plan.algorithm.clone(),
                    implementation: name.to_owned(),
                    operation: self.plan.operation,
                    profile: self.plan.profile,
                    length: self.length,
                    messages: self.plan.messages.max(1),
                    seed,
                    calls: one.calls,
                    ticks: one.ticks,
                    finished: finished.next().unwrap_or_default(),
                    untimed: one.untimed,
                    cal: one.cal,
                    switches: one.switches,
                    digest_ok,
                    anchor: if let Seat::Anchor(which) = seat { Some(which) } else { None },
                    discarded,
                }));
            }
        }
    }

    /// The anchor hashes one message whatever the block does, so that it is the same everywhere.
    fn visit_anchor<C: Clock>(
        &self,
        seed: u64,
        buffers: &mut Buffers,
        sampler: &mut Sampler<'_, C>,
        sink: &mut impl FnMut(Record),
    ) -> (Vec<Try>, bool) {
        let (input, output, cold) = buffers.split();
        let message = &mut input[..self.length];
        Random::new(seed).fill(message);
        let message = &*message;
        let output = &mut output[..32];
        output.fill(0);
        let mut hash: HashFn =
            black_box(Box::new(|message, output| output.copy_from_slice(&sha2::Sha256::digest(message))));
        let tries = self.time(&mut || hash(message, output), cold, sampler, sink);
        let (head, tail) = message.split_at(self.length / 2);
        let want = sha2::Sha256::new().chain_update(head).chain_update(tail).finalize();
        (tries, output == want.as_slice())
    }

    fn visit<C: Clock>(
        &self,
        name: &str,
        seed: u64,
        entry: &mut Entry<'_>,
        buffers: &mut Buffers,
        sampler: &mut Sampler<'_, C>,
        sink: &mut impl FnMut(Record),
    ) -> (Vec<Try>, bool) {
        let Some(hasher) = entry.hashers.get_mut(name) else { return (Vec::new(), false) };
        let digest = entry.algorithm.output.default;
        let mut random = Random::new(seed);
        let lengths = message_lengths(self.plan.operation, self.plan.messages, self.length, &mut random);
        let (input, output, cold) = buffers.split();
        let mut messages: Vec<&[u8]> = Vec::with_capacity(lengths.len());
        let mut rest: &mut [u8] = input;
        for &length in &lengths {
            let (message, more) = rest.split_at_mut(length.next_multiple_of(ALIGNMENT));
            let message = &mut message[..length];
            random.fill(message);
            messages.push(message);
            rest = more;
        }
        let squeezed = self.plan.operation == Operation::Xof;
        let output = &mut output[..if squeezed { self.length } else { digest * messages.len() }];
        output.fill(0);
        if squeezed {
            // The message is short: what is measured is the output.
            messages[0] = &messages[0][..messages[0].len().min(XOF_MESSAGE)];
        }
        let tries = self.call(black_box(hasher), &messages, output, cold, sampler, sink);
        let mut digest_ok = true;
        if squeezed {
            let mut want = vec![0; output.len()];
            if let Some(xof) = entry.reference.as_mut().and_then(|reference| reference.xof.as_mut()) {
                xof(messages[0], &mut want);
                digest_ok = want == output;
            }
        } else if let Some(reference) = &mut entry.reference {
            let mut want = vec![0; digest];
            for (message, got) in messages.iter().zip(output.chunks_exact(digest)) {
                (reference.hash)(message, &mut want);
                digest_ok &= want == got;
            }
        }
        (tries, digest_ok)
    }

    /// A visit of windows on several threads. The ticks of each try are those of its windows, and beside them stands what each
    /// thread finished.
    fn visit_threads<C: Clock>(
        &self,
        name: Option<&str>,
        seed: u64,
        entry: &mut Entry<'_>,
        buffers: &mut Buffers,
        sampler: &mut Sampler<'_, C>,
        sink: &mut impl FnMut(Record),
    ) -> (Vec<Try>, Vec<Vec<Vec<u64>>>, bool) {
        let helpers = self.plan.messages.max(1) - 1;
        let digest = if name.is_some() { entry.algorithm.output.default } else { 32 };
        let mut anchor = threads::anchor();
        let mut unknown: HashFn = Box::new(|_, _| ());
        let hash = match name {
            None => &mut anchor,
            Some(name) => entry.hashers.get_mut(name).map_or(&mut unknown, |hasher| &mut hasher.hash),
        };
        let hash = black_box(hash);
        let (input, output, _) = buffers.split();
        let (message, output) = (&mut input[..self.length], &mut output[..digest]);
        Random::new(seed).fill(message);
        output.fill(0);
        let work = Work {
            algorithm: self.plan.algorithm.clone(),
            implementation: name.map(str::to_owned),
            length: self.length,
            digest,
            seed,
        };
        self.crew.prepare(helpers, &work);

        let clock = sampler.clock();
        let one = sampler.estimate(&mut || hash(message, output));
        let calls = (self.rate.ticks_per_second * WINDOW / one as f64).ceil().max(1.0) as u64;
        let mut windows: Vec<(u64, Vec<u64>)> = Vec::new();
        let mut digests: Vec<Vec<u8>> = Vec::new();
        let call = &mut || {
            let (ticks, others) = self.crew.window(helpers, || {
                let start = clock.read();
                for _ in 0..calls {
                    hash(message, output);
                }
                clock.read().wrapping_sub(start)
            });
            let counts = std::iter::once(calls).chain(others.iter().map(|(count, _)| *count)).collect();
            windows.push((ticks, counts));
            digests = others.into_iter().map(|(_, digest)| digest).collect();
        };
        let timing = Timing::Loops { untimed: 0, calls: 1, loops: WINDOWS };
        let mut tries = sampler.visit(timing, &mut || (), call, sink);
        // The sampler's ticks hold the waking of the threads; those of the windows do not.
        let mut windows = windows.into_iter();
        let mut finished = Vec::new();
        for one in &mut tries {
            one.untimed.iter_mut().zip(&mut windows).for_each(|(ticks, window)| *ticks = window.0);
            let (ticks, counts) = windows.by_ref().take(one.ticks.len()).unzip();
            one.ticks = ticks;
            finished.push(counts);
        }

        let mut want = vec![0; digest];
        let mut right = |message: &[u8], got: &[u8]| {
            match (name, &mut entry.reference) {
                (None, _) => want.copy_from_slice(&sha2::Sha256::digest(message)),
                (Some(_), Some(reference)) => (reference.hash)(message, &mut want),
                (Some(_), None) => return true,
            }
            want == got
        };
        let mut digest_ok = right(message, output);
        for (number, got) in digests.iter().enumerate() {
            Random::new(threads::seed(seed, number)).fill(message);
            digest_ok &= right(message, got);
        }
        (tries, finished, digest_ok)
    }

    /// The timed call of each operation, through one pointer that the compiler cannot see through.
    fn call<C: Clock>(
        &self,
        hasher: &mut Hasher,
        messages: &[&[u8]],
        output: &mut [u8],
        cold: &mut [u8],
        sampler: &mut Sampler<'_, C>,
        sink: &mut impl FnMut(Record),
    ) -> Vec<Try> {
        match (self.plan.operation, &mut hasher.stream, &mut hasher.batch) {
            (Operation::Stream, Some(stream), _) => {
                let call = &mut || {
                    stream.update(messages[0]);
                    stream.finish(output);
                };
                self.time(call, cold, sampler, sink)
            }
            (Operation::Batch | Operation::Ragged, _, Some(batch)) => {
                self.time(&mut || (batch.call)(messages, output), cold, sampler, sink)
            }
            (Operation::Xof | Operation::Tree, _, _) => {
                let call = if self.plan.operation == Operation::Xof { &mut hasher.xof } else { &mut hasher.tree };
                match call {
                    Some(call) => self.time(&mut || call(messages[0], output), cold, sampler, sink),
                    None => Vec::new(),
                }
            }
            (Operation::Hash, _, _) => self.time(&mut || (hasher.hash)(messages[0], output), cold, sampler, sink),
            // Who has no call for many messages takes them one after another.
            _ => {
                let digest = output.len() / messages.len();
                let call = &mut || {
                    for (message, output) in messages.iter().zip(output.chunks_exact_mut(digest)) {
                        (hasher.hash)(message, output);
                    }
                };
                self.time(call, cold, sampler, sink)
            }
        }
    }

    fn time<C: Clock>(
        &self,
        call: &mut impl FnMut(),
        cold: &mut [u8],
        sampler: &mut Sampler<'_, C>,
        sink: &mut impl FnMut(Record),
    ) -> Vec<Try> {
        let one = if self.plan.profile == Profile::Native { 1 } else { sampler.estimate(call) };
        let timing =
            self.plan.profile.timing(one, sampler.ticks_per_cycle(), self.rate.ticks_per_second, self.plan.seconds);
        let sweep = &mut || {
            // A write to each line: reading alone would leave lines that are to be written back.
            for line in cold.iter_mut().step_by(ALIGNMENT) {
                *line = line.wrapping_add(1);
            }
            black_box(&mut *cold);
        };
        sampler.visit(timing, sweep, call, sink)
    }
}
