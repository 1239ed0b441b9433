//! The proofs of the bench on a simulated machine: they hold where they should, and fail where they should.

#[allow(dead_code, reason = "other tests use the rest")]
mod simulated;

use std::cell::RefCell;
use std::rc::Rc;

use benchkit::clock::choose::{self, Choice, Probe};
use benchkit::clock::{CHAIN_OPERATIONS, Clock};
use benchkit::measure::{Rate, measure};
use benchkit::proofs::{
    Delay, Effort, FOLDED, NEW, OLD, PORTABLE, Proof, Readings, Request, Rig, Stop, prove, prove_into,
};
use benchkit::random::Random;
use benchkit::record::Record;
use benchkit::suite::{Algorithm, Hasher, Implementation, Options, OutputLength, Pages, Suite};
use simulated::{K, Machine, Simulated, TICKS_PER_SECOND};

/// How the simulated functions behave.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Standard deviation of what the address layout of a process does to a function.
    process: f64,
    /// Standard deviation of a visit.
    visit: f64,
    /// How much slower the new one is though it is the same.
    bias: f64,
    /// Whether a slower copy is slower.
    delayed: bool,
    /// Whether the folded one is.
    folded: bool,
}

/// As a quiet virtual machine is.
const USUAL: Habits = Habits { process: 0.001, visit: 0.002, bias: 0.0, delayed: true, folded: true };

struct Toys {
    machine: Rc<Machine>,
    habits: Habits,
    random: Rc<RefCell<Random>>,
}

/// Normal deviate, from twelve even ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.next() as f64 / u64::MAX as f64).sum::<f64>() - 6.0
}

/// Tells messages apart that are drawn at random; cheap, since 65,536 bytes are hashed 32 times a visit.
fn fingerprint(message: &[u8]) -> u64 {
    let start = &message[..message.len().min(32)];
    let bytes = start.iter().copied().chain(message.len().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Toys {
    fn new(seed: u64, habits: Habits) -> Self {
        let machine = Machine::new(seed);
        machine.noise.set(0.001);
        Self { machine, habits, random: Rc::new(RefCell::new(Random::new(seed))) }
    }

    fn hasher(&self, name: &'static str, byte: f64, delays: &[Delay]) -> Hasher {
        let (machine, habits, random) = (Rc::clone(&self.machine), self.habits, Rc::clone(&self.random));
        let mut layout = 1.0 + habits.process * normal(&mut random.borrow_mut());
        if name == NEW {
            layout *= 1.0 + habits.bias;
        }
        let delays: Vec<Delay> = if name == NEW && habits.delayed { delays.to_vec() } else { Vec::new() };
        let mut last = (0, 1.0, 0);
        let hash = move |message: &[u8], output: &mut [u8]| {
            let print = fingerprint(message);
            if last.0 != print {
                // A message that was not seen before: a visit begins.
                let first = if last.2 == 0 || !(name == FOLDED && habits.folded) { print } else { last.2 };
                last = (print, 1.0 + habits.visit * normal(&mut random.borrow_mut()), first);
            }
            Random::new(last.2).fill(output);
            let delay = delays.iter().find(|delay| delay.length == message.len()).map_or(0, |delay| delay.cycles);
            machine.spend((300.0 + byte * message.len() as f64) * layout * last.1 + f64::from(delay));
        };
        let ran = name.split_once('/').expect("provider/backend").1;
        Hasher::new(Box::new(hash), || ran.to_owned())
    }

    fn suite(&self, request: &Request) -> Suite {
        let algorithms = [("sha256", 2.0, 32), ("sha512", 5.0, 64)].map(|(id, byte, digest)| {
            let delays: Vec<Delay> = request.delays.iter().filter(|delay| delay.algorithm == id).cloned().collect();
            let implementation = |name: &'static str| {
                let (toys, delays) = (
                    Self { machine: Rc::clone(&self.machine), random: Rc::clone(&self.random), ..*self },
                    delays.clone(),
                );
                let (provider, backend) = name.split_once('/').expect("provider/backend");
                Implementation::ready(provider, backend, "1", move |_| Ok(toys.hasher(name, byte, &delays))).ours()
            };
            Algorithm {
                id,
                pages: Pages::default(),
                block_bytes: 64,
                output: OutputLength::fixed(digest),
                bits: None,
                options: Options::default(),
                vectors: Vec::new(),
                implementations: [PORTABLE, OLD, NEW, FOLDED].map(implementation).into(),
            }
        });
        Suite { family: "proofs", algorithms: algorithms.into() }
    }
}

impl Rig for Toys {
    fn clock(&mut self) -> Result<Readings, String> {
        Ok(Readings::take(Choice::Tsc, &Simulated(Rc::clone(&self.machine))))
    }

    fn here(&mut self, request: &Request) -> Result<Vec<Record>, String> {
        let clock = Simulated(Rc::clone(&self.machine));
        let probe = Probe::of(Choice::Tsc, Ok(&clock));
        let (_, unit, self_test) = choose::decide(None, &[probe])?;
        let rate = Rate { ticks_per_second: TICKS_PER_SECOND, unit, self_test };
        let mut records = Vec::new();
        measure(&self.suite(request), &request.measure, &clock, rate, &mut |record| records.push(record))?;
        Ok(records)
    }

    fn process(&mut self, request: &Request) -> Result<Vec<Record>, String> {
        self.here(request)
    }
}

/// Enough to see a proof fail.
fn little() -> Effort {
    Effort { repeats: 4, lengths: vec![64, 576, 1536, 4096], batched: vec![64], searches: 3, ..Effort::default() }
}

fn proved(mut toys: Toys, effort: &Effort) -> Vec<Proof> {
    prove(&mut toys, effort, 7, &mut |_, _| ()).expect("the simulated machine is there")
}

#[track_caller]
fn failed(proofs: &[Proof], about: &[&str]) {
    let failed: Vec<&str> = proofs.iter().filter(|proof| !proof.passed).map(|proof| &*proof.name).collect();
    let as_wished = failed.len() == about.len() && failed.iter().zip(about).all(|(name, about)| name.contains(about));
    assert!(as_wished, "{about:?} should fail: {proofs:#?}");
}

/// 20 repetitions over 51 cells in 6 processes each, a slower copy at three lengths, three traps, rebuilt tables.
#[test]
fn all_proofs_hold_on_a_quiet_machine() {
    let mut told = Vec::new();
    let mut toys = Toys::new(1, USUAL);
    let proofs = prove(&mut toys, &Effort::default(), 7, &mut |share, _| told.push(share)).expect("it is there");
    failed(&proofs, &[]);
    assert_eq!(proofs.len(), 11, "{proofs:#?}");
    assert!(told.is_sorted() && told.last() == Some(&1.0), "{told:?}");
    let cells = proofs.iter().find(|proof| proof.name.starts_with("A/A: 20 times 51 cells, 6 processes"));
    assert!(cells.is_some_and(|proof| proof.measured.contains("of 1020 flagged")), "{proofs:#?}");
}

#[test]
fn a_clock_that_counts_no_cycles_refuses_the_machine() {
    let toys = Toys::new(2, USUAL);
    toys.machine.noise.set(0.03);
    let proofs = proved(toys, &little());
    assert_eq!(proofs.len(), 2, "nothing else is proved with it: {proofs:#?}");
    assert!(!proofs[0].passed && proofs[0].refuses, "{proofs:#?}");
}

#[test]
fn processes_whose_clock_fails_refuse_the_machine() {
    struct Late(Toys);
    impl Rig for Late {
        fn clock(&mut self) -> Result<Readings, String> {
            self.0.clock()
        }
        fn here(&mut self, request: &Request) -> Result<Vec<Record>, String> {
            self.0.here(request)
        }
        fn process(&mut self, request: &Request) -> Result<Vec<Record>, String> {
            self.0.machine.noise.set(0.03);
            self.0.here(request)
        }
    }
    let mut made = Vec::new();
    let stop = prove_into(&mut Late(Toys::new(9, USUAL)), &little(), 7, &mut |_, _| (), &mut made);
    // What was proved until then is there: the clock, at least.
    assert!(!made.is_empty() && made.iter().all(|proof| proof.passed), "{made:?}");
    assert!(matches!(&stop, Err(Stop::Refused(why)) if why.contains("self-test in 21 processes")), "{stop:?}");
}

/// A clock whose core slows down while it is looked at.
struct Drifting(Simulated);

impl Clock for Drifting {
    fn read(&self) -> u64 {
        self.0.read()
    }
    fn chain(&self, steps: u32) {
        let k = &self.0.0.k;
        k.set(k.get() * (1.0 + 5e-6 * f64::from(steps * CHAIN_OPERATIONS) / 1e3));
        self.0.chain(steps);
    }
    fn multiply_chain(&self, steps: u32) {
        self.0.multiply_chain(steps);
    }
    fn wide(&self, steps: u32) {
        self.0.wide(steps);
    }
    fn switches(&self) -> u64 {
        0
    }
    fn name(&self) -> &'static str {
        "drifting"
    }
}

#[test]
fn calibrations_that_drift_apart_fail() {
    struct Drifts(Toys);
    impl Rig for Drifts {
        fn clock(&mut self) -> Result<Readings, String> {
            let mut readings = self.0.clock()?;
            let clock = Drifting(Simulated(Rc::clone(&self.0.machine)));
            readings.calibrations = Readings::take(Choice::Tsc, &clock).calibrations;
            self.0.machine.k.set(K);
            Ok(readings)
        }
        fn here(&mut self, request: &Request) -> Result<Vec<Record>, String> {
            self.0.here(request)
        }
        fn process(&mut self, request: &Request) -> Result<Vec<Record>, String> {
            self.0.process(request)
        }
    }
    let mut rig = Drifts(Toys::new(3, USUAL));
    let proofs = prove(&mut rig, &little(), 7, &mut |_, _| ()).expect("it is there");
    let proof = proofs.iter().find(|proof| proof.name.contains("20 calibrations")).expect("it was proved");
    assert!(!proof.passed, "{proof:?}");
}

#[test]
fn a_machine_with_three_percent_of_noise_fails() {
    let proofs = proved(Toys::new(4, Habits { visit: 0.03, ..USUAL }), &little());
    let noise = proofs.iter().find(|proof| proof.name.starts_with("A/A: differences")).expect("it was proved");
    assert!(!noise.passed, "{proofs:#?}");
}

#[test]
fn a_bench_that_favours_one_of_two_equal_functions_fails() {
    let proofs = proved(Toys::new(5, Habits { bias: 0.03, ..USUAL }), &little());
    failed(&proofs, &["A/A: 4 times", "A/A: differences"]);
}

#[test]
fn a_slower_copy_that_is_not_slower_is_not_found() {
    let proofs = proved(Toys::new(6, Habits { delayed: false, ..USUAL }), &little());
    failed(&proofs, &["at 4096 bytes, by "]);
    let effort = Effort { slower: 0.0, ..little() };
    failed(&proved(Toys::new(6, USUAL), &effort), &["at 576 bytes, by scaling", "at 4096 bytes, by 0 operations"]);
}

#[test]
fn a_trap_that_is_not_caught_fails() {
    failed(&proved(Toys::new(8, Habits { folded: false, ..USUAL }), &little()), &["constant folding"]);
}
