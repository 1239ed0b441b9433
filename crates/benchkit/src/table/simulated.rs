//! Records of a machine that is made up: known cycles a call, seeded noise. For tests.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::machine::Machine;
use crate::profile::Profile;
use crate::protocol::AlgorithmInfo;
use crate::random::Random;
use crate::record::{
    AbsentRow, Build, Cal, Discarded, End, Kat, Overhead, Process, ProcessEnd, ReadOutcome, Record, Run, SCHEMA, Unit,
    Visit, read_lines,
};
use crate::suite::Operation;

/// Ticks of the clock a second.
pub(crate) const TICKS_PER_SECOND: f64 = 4e9;

/// A run as it is recorded.
pub(crate) struct Simulation {
    pub(crate) records: Vec<Record>,
    pub(crate) random: Random,
    /// Ticks a cycle. Far above 1, so that whole ticks do not round the figures.
    pub(crate) k: f64,
    /// Largest relative error of a sample.
    pub(crate) noise: f64,
    pub(crate) unit: Unit,
    pub(crate) work: (Operation, usize),
    pub(crate) profile: Profile,
    /// Untimed calls of a visit, of which the first takes three times as long.
    pub(crate) untimed: usize,
    process: u32,
    cal: u32,
    block: u32,
}

impl Simulation {
    /// A run of that name, begun at that second of 2026, on that machine.
    pub(crate) fn new(machine: &str, run: &str, second: u32) -> Self {
        #[allow(clippy::needless_update, reason = "whatever other facts there are do not matter")]
        let head = Run {
            schema: SCHEMA,
            run: run.to_owned(),
            started: format!("2026-01-01T00:00:{second:02}Z"),
            arguments: vec!["bench".to_owned()],
            seed: u64::from(second),
            rounds: 2,
            cpu: Some(1),
            machine: Machine { slug: machine.to_owned(), brand: format!("Brand {machine}"), ..Default::default() },
            build: Build { rustc: "rustc 1.95.0".to_owned(), profile: "bench".to_owned(), ..Default::default() },
        };
        Self {
            records: vec![Record::Run(Box::new(head))],
            random: Random::new(u64::from(second)),
            k: 64.0,
            noise: 0.001,
            unit: Unit::Cycles,
            work: (Operation::Hash, 1),
            profile: Profile::Native,
            untimed: 0,
            process: u32::MAX,
            cal: 0,
            block: 0,
        }
    }

    /// An algorithm with its implementations; whether each is ours.
    pub(crate) fn algorithm(&mut self, id: &str, ebash: Option<&str>, implementations: &[(&str, bool)]) -> &mut Self {
        let implementations: Vec<_> = implementations
            .iter()
            .map(|(name, ours)| {
                let (provider, backend) = name.split_once('/').unwrap();
                json!({
                    "name": name, "provider": provider, "backend": backend, "version": "1.0", "ours": ours,
                    "available": true, "operations": ["hash"], "lanes": 0,
                })
            })
            .collect();
        let info: AlgorithmInfo = serde_json::from_value(json!({
            "id": id, "pages": { "ebash": ebash }, "block_bytes": 64,
            "output": { "default": 32, "min": 32, "max": 32 }, "bits": null, "options": {},
            "implementations": implementations,
        }))
        .unwrap();
        self.records.push(Record::Algorithm(Box::new(info)));
        self
    }

    /// The known answers passed, or failed for a reason.
    pub(crate) fn kat(&mut self, algorithm: &str, implementation: &str, failure: Option<&str>) -> &mut Self {
        self.records.push(Record::Kat(Kat {
            algorithm: algorithm.to_owned(),
            implementation: implementation.to_owned(),
            version: "1.0".to_owned(),
            ok: failure.is_none(),
            checks: 100,
            failure: failure.map(str::to_owned),
            skipped: 0,
            vectors: BTreeMap::new(),
        }));
        self
    }

    /// An implementation is not there.
    pub(crate) fn absent(&mut self, algorithm: &str, implementation: &str, reason: &str, remedy: &str) -> &mut Self {
        self.records.push(Record::Absent(AbsentRow {
            algorithm: algorithm.to_owned(),
            implementation: implementation.to_owned(),
            reason: reason.to_owned(),
            remedy: Some(remedy.to_owned()),
        }));
        self
    }

    /// The next process, in which an empty call takes that many cycles.
    pub(crate) fn process(&mut self, overhead: f64) -> &mut Self {
        self.process = self.process.wrapping_add(1);
        (self.cal, self.block) = (0, 0);
        self.records.push(Record::Process(Process {
            process: self.process,
            family: "x".to_owned(),
            seed: 1,
            clock: "tsc".to_owned(),
            ticks_per_second: TICKS_PER_SECOND,
            unit: self.unit,
            self_test: "as wished".to_owned(),
            cpu: Some(1),
            locked: true,
            environment: BTreeMap::new(),
        }));
        let k = self.k;
        let cal = self.calibrations([k, k]);
        let ticks = (0..16).map(|_| (overhead * k) as u64).collect();
        self.records.push(Record::Overhead(Overhead { process: self.process, ticks, cal }));
        self
    }

    /// Two calibrations that find those ticks a cycle.
    pub(crate) fn calibrations(&mut self, k: [f64; 2]) -> [u32; 2] {
        k.map(|k| {
            let ticks = vec![(k * 192.0 * 64.0).round() as u64; 16];
            let wide = vec![(k * 32.0 * 64.0).round() as u64; 8];
            self.records.push(Record::Cal(Cal { cal: self.cal, process: self.process, ticks, settled: 0, wide }));
            self.cal += 1;
            self.cal - 1
        })
    }

    /// A block: an opening visit, one of each implementation that takes so many cycles a call (overhead included),
    /// two anchors that take 1000; the visits of implementations alone in the profiles of pages.
    pub(crate) fn block(&mut self, algorithm: &str, length: usize, cycles: &[(&str, f64)]) -> &mut Self {
        let mut seats: Vec<(&str, f64, Option<u8>)> =
            cycles.iter().map(|&(name, cycles)| (name, cycles, None)).collect();
        let opens = self.profile.interleaved();
        if opens {
            seats.insert(0, (cycles[0].0, 5.0 * cycles[0].1, None));
            seats.extend([1, 2].map(|anchor| ("anchor/sha256", 1000.0, Some(anchor))));
        }
        let (calls, readings) = match self.profile {
            Profile::Native | Profile::Cold => (1, 16),
            Profile::Throughput => (100, 8),
            Profile::Openssl => (100, 12),
            Profile::Niccs => (20, 5),
            Profile::Minmean => (100, 10),
        };
        for (position, (implementation, cycles, anchor)) in seats.into_iter().enumerate() {
            let k = self.k;
            let cal = self.calibrations([k, k]);
            let untimed = if self.profile == Profile::Native { self.untimed } else { 0 };
            let untimed = (0..untimed).map(|call| self.sample(if call == 0 { 3.0 * cycles } else { cycles })).collect();
            let ticks = (0..readings).map(|_| self.sample(cycles * calls as f64)).collect();
            self.records.push(Record::Visit(Visit {
                process: self.process,
                block: self.block,
                position: position as u32,
                attempt: 0,
                algorithm: algorithm.to_owned(),
                implementation: implementation.to_owned(),
                operation: self.work.0,
                profile: self.profile,
                length,
                messages: self.work.1,
                seed: 0,
                calls,
                ticks,
                finished: Vec::new(),
                untimed,
                cal,
                switches: 0,
                digest_ok: true,
                anchor,
                discarded: (opens && position == 0).then_some(Discarded::Opening),
            }));
        }
        self.block += 1;
        self
    }

    fn sample(&mut self, cycles: f64) -> u64 {
        let unit = self.random.below(2001) as f64 / 1000.0 - 1.0;
        (cycles * (1.0 + self.noise * unit) * self.k).round() as u64
    }

    /// The visits of one implementation at one length, to change them.
    pub(crate) fn visits(&mut self, implementation: &str, length: usize) -> impl Iterator<Item = &mut Visit> {
        self.records.iter_mut().filter_map(move |record| match record {
            Record::Visit(visit) if visit.implementation == implementation && visit.length == length => Some(visit),
            _ => None,
        })
    }

    /// The process ended, and meanwhile the hypervisor took that many ticks away.
    pub(crate) fn process_end(&mut self, steal: u64) -> &mut Self {
        let (process, steal) = (self.process, Some(steal));
        self.records.push(Record::ProcessEnd(ProcessEnd { process, visits: 0, repeated_for_switch: 0, steal }));
        self
    }

    /// The run ended well.
    pub(crate) fn end(&mut self) -> &mut Self {
        let visits = self.records.iter().filter(|record| matches!(record, Record::Visit(_))).count() as u64;
        let (ended, outcome) = ("2026-01-01T00:01:00Z".to_owned(), "complete".to_owned());
        self.records.push(Record::End(End { ended, visits, outcome }));
        self
    }

    /// The records as they come back from a file.
    pub(crate) fn read(&self) -> ReadOutcome {
        let lines: Vec<String> = self.records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
        let outcome = read_lines(lines.join("\n").as_bytes(), Path::new("simulated"));
        assert_eq!(outcome.problems, []);
        assert_eq!(outcome.records, self.records);
        outcome
    }
}

/// Cycles of a call, without the overhead: fixed cost and cost of a byte.
pub(crate) const MODELS: [(&str, f64, f64); 3] =
    [("ours/fast", 44.0, 2.0), ("ours/portable", 60.0, 8.0), ("peer/evp", 240.0, 2.1)];

/// What [`MODELS`] say at a length, overhead included.
pub(crate) fn cycles(length: usize, overhead: f64) -> Vec<(&'static str, f64)> {
    MODELS.iter().map(|&(name, fixed, byte)| (name, fixed + byte * length as f64 + overhead)).collect()
}

/// Two processes of two visits of SHA-256 at those lengths; an empty call takes 20 cycles in the first process and 30
/// in the second.
pub(crate) fn usual(machine: &str, run: &str, second: u32, lengths: &[usize]) -> Simulation {
    let mut run = Simulation::new(machine, run, second);
    run.algorithm("sha256", Some("sha256"), &[("ours/fast", true), ("ours/portable", true), ("peer/evp", false)]);
    for name in ["ours/fast", "ours/portable", "peer/evp"] {
        run.kat("sha256", name, None);
    }
    for overhead in [20.0, 30.0] {
        run.process(overhead);
        for _ in 0..2 {
            for &length in lengths {
                run.block("sha256", length, &cycles(length, overhead));
            }
        }
    }
    run.end();
    run
}
