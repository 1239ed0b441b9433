//! A machine whose time passes only by what is done on it, and toy implementations that take a known time there.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use benchkit::clock::{CHAIN_OPERATIONS, Clock};
use benchkit::random::Random;
use benchkit::suite::{Algorithm, Batch, Hasher, Implementation, Options, OutputLength, Pages, Suite};
use digest::Digest as _;

/// Ticks a second of the simulated counter.
pub(crate) const TICKS_PER_SECOND: f64 = 2.6e9;
/// Ticks a core cycle at the usual speed.
pub(crate) const K: f64 = 0.725;
/// Ticks that a read takes.
pub(crate) const READ: f64 = 25.0;

/// The machine.
pub(crate) struct Machine {
    /// Ticks so far.
    pub(crate) now: Cell<f64>,
    /// Ticks a cycle at the moment.
    pub(crate) k: Cell<f64>,
    /// Relative noise of everything that takes time.
    pub(crate) noise: Cell<f64>,
    /// The counter stands still.
    pub(crate) dead: Cell<bool>,
    /// Cycles that a multiplication takes.
    pub(crate) multiply: Cell<f64>,
    /// Until then everything takes 1.3 times as long.
    pub(crate) slow_until: Cell<f64>,
    /// Times the CPU was taken away.
    pub(crate) switches: Cell<u64>,
    /// When somebody else uses the core's units, by time.
    pub(crate) stranger: Cell<fn(f64) -> bool>,
    random: RefCell<Random>,
}

impl Machine {
    pub(crate) fn new(seed: u64) -> Rc<Self> {
        Rc::new(Self {
            now: Cell::new(1e9),
            k: Cell::new(K),
            noise: Cell::new(0.0),
            dead: Cell::new(false),
            multiply: Cell::new(3.0),
            slow_until: Cell::new(0.0),
            switches: Cell::new(0),
            stranger: Cell::new(|_| false),
            random: RefCell::new(Random::new(seed)),
        })
    }

    /// Lets the core work.
    pub(crate) fn spend(&self, cycles: f64) {
        let slow = if self.now.get() < self.slow_until.get() { 1.3 } else { 1.0 };
        let unit = self.random.borrow_mut().next() as f64 / u64::MAX as f64;
        let noise = 1.0 + self.noise.get() * (unit - 0.5);
        self.now.set(self.now.get() + cycles * self.k.get() * slow * noise);
    }
}

impl Machine {
    /// Lets the core do what keeps several units busy: 1.6 times as long when they are not all its own.
    pub(crate) fn work(&self, cycles: f64) {
        let shared = (self.stranger.get())(self.now.get());
        self.spend(if shared { 1.6 * cycles } else { cycles });
    }
}

/// The clock of the machine.
pub(crate) struct Simulated(pub(crate) Rc<Machine>);

impl Clock for Simulated {
    fn read(&self) -> u64 {
        if self.0.dead.get() {
            return 7;
        }
        self.0.now.set(self.0.now.get() + READ);
        self.0.now.get() as u64
    }

    fn chain(&self, steps: u32) {
        self.0.spend(f64::from(steps * CHAIN_OPERATIONS));
    }

    fn multiply_chain(&self, steps: u32) {
        self.0.spend(f64::from(steps * CHAIN_OPERATIONS) * self.0.multiply.get());
    }

    fn wide(&self, steps: u32) {
        self.0.work(f64::from(steps * CHAIN_OPERATIONS));
    }

    fn switches(&self) -> u64 {
        self.0.switches.get()
    }

    fn name(&self) -> &'static str {
        "simulated"
    }
}

/// SHA-256 in a way that takes `cycles(bytes)`, a quarter of it in batches, half of it as a tree; `after` runs behind each
/// single call. Its extendable output is toy output.
pub(crate) fn costing(
    machine: &Rc<Machine>,
    backend: &str,
    cycles: impl Fn(usize) -> f64 + Clone + 'static,
    after: impl Fn(&Machine) + Clone + 'static,
) -> Implementation {
    let machine = Rc::clone(machine);
    let name = backend.to_owned();
    Implementation::ready("toy", backend, "toy 1", move |_| {
        let (one, one_cycles, after, name) = (Rc::clone(&machine), cycles.clone(), after.clone(), name.clone());
        let (many, many_cycles) = (Rc::clone(&machine), cycles.clone());
        let (squeezer, squeeze_cycles) = (Rc::clone(&machine), cycles.clone());
        let (planter, tree_cycles) = (Rc::clone(&machine), cycles.clone());
        Ok(Hasher {
            hash: Box::new(move |message, output| {
                output.copy_from_slice(&sha2::Sha256::digest(message));
                one.work(one_cycles(message.len()));
                after(&one);
            }),
            stream: None,
            batch: Some(Batch {
                lanes: 4,
                call: Box::new(move |messages, outputs| {
                    for (message, output) in messages.iter().zip(outputs.chunks_exact_mut(32)) {
                        output.copy_from_slice(&sha2::Sha256::digest(message));
                        many.work(many_cycles(message.len()) / 4.0);
                    }
                }),
            }),
            bits: None,
            xof: Some(Box::new(move |message, output| {
                Random::new(message.iter().map(|&byte| u64::from(byte)).sum()).fill(output);
                squeezer.work(squeeze_cycles(output.len()));
            })),
            tree: Some(Box::new(move |message, output| {
                output.copy_from_slice(&sha2::Sha256::digest(message));
                planter.work(tree_cycles(message.len()) / 2.0);
            })),
            ran: Box::new(move || name.clone()),
        })
    })
    .ours()
}

/// One algorithm with these implementations.
pub(crate) fn suite(implementations: Vec<Implementation>) -> Suite {
    Suite {
        family: "toys",
        algorithms: vec![Algorithm {
            id: "toy",
            pages: Pages::default(),
            block_bytes: 64,
            output: OutputLength::fixed(32),
            bits: None,
            options: Options::default(),
            vectors: Vec::new(),
            implementations,
        }],
    }
}
