//! Several threads at once, each on a CPU of its own and with messages of its own, for one common window.
//!
//! The thread that measures is one of them. It starts the window when all are ready, makes as many calls as the window is to
//! last, and ends it; the others count the calls that they finished until then. The window is timed on this thread's
//! clock, between its first call and its last.

use std::collections::BTreeMap;
use std::hint::{black_box, spin_loop};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use digest::Digest as _;

use super::ALIGNMENT;
use crate::random::Random;
use crate::suite::{HashFn, Hasher, Parameters, Suite};
use crate::system;

/// How long a window lasts, in seconds; longer where one call takes longer.
pub(super) const WINDOW: f64 = 5e-3;
/// Windows of a visit, behind one that warms up.
pub(super) const WINDOWS: usize = 4;
/// Looks at a flag between two looks at whether somebody died.
const PATIENCE: usize = 1 << 16;

/// The threads besides the one that measures.
pub(super) struct Crew {
    helpers: Vec<Helper>,
    flags: Arc<Flags>,
}

struct Helper {
    orders: Sender<Order>,
    answers: Receiver<Answer>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Flags {
    ready: AtomicUsize,
    go: AtomicBool,
    stop: AtomicBool,
}

enum Order {
    /// Make ready for windows with that work.
    Prepare(Work),
    /// Take part in a window.
    Run,
}

/// What a thread hashes.
#[derive(Clone)]
pub(super) struct Work {
    pub(super) algorithm: String,
    /// `None`: the anchor.
    pub(super) implementation: Option<String>,
    pub(super) length: usize,
    pub(super) digest: usize,
    pub(super) seed: u64,
}

enum Answer {
    /// Prepared, or why not.
    Ready(Result<(), String>),
    /// Calls that were finished in the window, and the last digest.
    Finished(u64, Vec<u8>),
}

impl Crew {
    /// Starts `helpers` threads on these CPUs, the first ones; `None`: where the system puts them. Each makes the suite anew:
    /// what a suite holds stays in its thread.
    ///
    /// # Errors
    ///
    /// There are not as many CPUs.
    pub(super) fn new(helpers: usize, cpus: Option<&[usize]>, suite: fn() -> Suite) -> Result<Self, String> {
        if let Some(cpus) = cpus.filter(|cpus| cpus.len() < helpers) {
            return Err(format!("{} threads need as many CPUs, and {} are allowed", helpers + 1, cpus.len() + 1));
        }
        let flags = Arc::new(Flags::default());
        let start = |number: usize| {
            let (orders, receiver) = channel();
            let (sender, answers) = channel();
            let (flags, cpu) = (Arc::clone(&flags), cpus.map(|cpus| cpus[number]));
            let thread = std::thread::spawn(move || help(suite, cpu, &flags, &receiver, &sender));
            Helper { orders, answers, thread }
        };
        Ok(Self { helpers: (0..helpers).map(start).collect(), flags })
    }

    /// Makes the first `helpers` of them ready for windows, each with a message that follows from its number.
    ///
    /// # Panics
    ///
    /// A thread cannot do that work, or died.
    pub(super) fn prepare(&self, helpers: usize, work: &Work) {
        for (number, helper) in self.helpers[..helpers].iter().enumerate() {
            helper.tell(Order::Prepare(Work { seed: seed(work.seed, number), ..work.clone() }));
        }
        for helper in &self.helpers[..helpers] {
            match helper.answer() {
                Answer::Ready(Ok(())) => {}
                Answer::Ready(Err(sentence)) => panic!("{sentence}"),
                Answer::Finished(..) => panic!("a thread answered out of turn"),
            }
        }
    }

    /// One window: `work` is what this thread does in it, and gives what it took. Calls finished by each of the others, and
    /// their last digests.
    ///
    /// # Panics
    ///
    /// A thread died.
    pub(super) fn window(&self, helpers: usize, work: impl FnOnce() -> u64) -> (u64, Vec<(u64, Vec<u8>)>) {
        let Flags { ready, go, stop } = &*self.flags;
        ready.store(0, Ordering::Relaxed);
        go.store(false, Ordering::Relaxed);
        stop.store(false, Ordering::Relaxed);
        self.helpers[..helpers].iter().for_each(|helper| helper.tell(Order::Run));
        let mut looks = 0;
        while ready.load(Ordering::Acquire) < helpers {
            spin_loop();
            looks += 1;
            if looks % PATIENCE == 0 && self.helpers.iter().any(|helper| helper.thread.is_finished()) {
                panic!("a thread that was to hash beside this one ended");
            }
        }
        go.store(true, Ordering::Release);
        let ticks = work();
        stop.store(true, Ordering::Release);
        let finished = self.helpers[..helpers].iter().map(|helper| match helper.answer() {
            Answer::Finished(calls, digest) => (calls, digest),
            Answer::Ready(_) => panic!("a thread answered out of turn"),
        });
        (ticks, finished.collect())
    }
}

impl Helper {
    fn tell(&self, order: Order) {
        self.orders.send(order).expect("a thread that was to hash beside this one ended");
    }

    fn answer(&self) -> Answer {
        self.answers.recv().expect("a thread that was to hash beside this one ended")
    }
}

/// Of the message of the helper with that number.
pub(super) fn seed(seed: u64, helper: usize) -> u64 {
    seed ^ (helper as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The anchor, as every thread calls it.
pub(super) fn anchor() -> HashFn {
    Box::new(|message, output| output.copy_from_slice(&sha2::Sha256::digest(message)))
}

/// What a helper does all its life.
fn help(suite: fn() -> Suite, cpu: Option<usize>, flags: &Flags, orders: &Receiver<Order>, answers: &Sender<Answer>) {
    let pinned = cpu.map_or(Ok(()), system::pin);
    let suite = suite();
    let mut hashers: BTreeMap<(String, Option<String>), Hasher> = BTreeMap::new();
    let (mut input, mut output) = (Vec::new(), Vec::new());
    let mut work: Option<Work> = None;
    while let Ok(order) = orders.recv() {
        let answer = match (order, &work) {
            (Order::Prepare(next), _) => {
                let key = (next.algorithm.clone(), next.implementation.clone());
                let made = match hashers.contains_key(&key) {
                    true => Ok(()),
                    false => hasher(&suite, &next).map(|hasher| {
                        hashers.insert(key, hasher);
                    }),
                };
                let made = made.and(pinned.clone());
                input.resize(input.len().max(next.length + ALIGNMENT), 0);
                output.clear();
                output.resize(next.digest, 0);
                let skip = input.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
                Random::new(next.seed).fill(&mut input[skip..skip + next.length]);
                work = Some(next);
                Answer::Ready(made)
            }
            (Order::Run, None) => return,
            (Order::Run, Some(work)) => {
                let Some(hasher) = hashers.get_mut(&(work.algorithm.clone(), work.implementation.clone())) else {
                    return;
                };
                let skip = input.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
                let message = &input[skip..skip + work.length];
                let hasher = black_box(hasher);
                let mut finished = 0;
                flags.ready.fetch_add(1, Ordering::Release);
                while !flags.go.load(Ordering::Acquire) {
                    spin_loop();
                }
                loop {
                    (hasher.hash)(message, &mut output);
                    if flags.stop.load(Ordering::Acquire) {
                        break;
                    }
                    finished += 1;
                }
                Answer::Finished(finished, output.clone())
            }
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

fn hasher(suite: &Suite, work: &Work) -> Result<Hasher, String> {
    let Some(name) = &work.implementation else { return Ok(Hasher::new(anchor(), || super::ANCHOR.to_owned())) };
    let algorithm = super::find(suite, &work.algorithm)?;
    let found = algorithm.implementation(name);
    let found = found.ok_or_else(|| format!("{} has no implementation {name}", work.algorithm))?;
    found.make(&Parameters::default())
}
