//! The clocks of this machine.

use super::choose::{Choice, Probe};
use super::system::System;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
type Perf = super::perf::Perf;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
type Perf = System;

/// All of them, opened for this thread. Another thread opens its own.
pub struct Here {
    /// Core cycles counted by the processor, or why not.
    pub perf: Result<Perf, String>,
    /// The counter that every program may read, or why not.
    pub counter: Result<super::Hardware, String>,
    /// The system's clock.
    pub system: System,
}

impl Here {
    /// Opens them.
    pub fn open() -> Self {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        let perf = Perf::open();
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        let perf = Err("not on this system".to_owned());
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        let counter = Ok(super::counter::Counter::new());
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let counter = Err("not on this architecture".to_owned());
        Self { perf, counter, system: System::new() }
    }

    /// Tests one of them: some ten milliseconds, a few times that for one that fails.
    pub fn probe(&self, choice: Choice) -> Probe {
        match choice {
            Choice::Perf => Probe::of(choice, self.perf.as_ref().map_err(Clone::clone)),
            Choice::Tsc => Probe::of(choice, self.counter.as_ref().map_err(Clone::clone)),
            Choice::Time => Probe::of(choice, Ok(&self.system)),
        }
    }
}
