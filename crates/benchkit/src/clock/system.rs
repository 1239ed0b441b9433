//! The system's clock: nanoseconds, where there is nothing better.

use super::{Clock, chain};

/// The monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct System(());

impl System {
    /// There is one everywhere.
    pub fn new() -> Self {
        Self(())
    }
}

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for System {
    /// The call is not inlined and reads a fenced counter itself on the systems that matter.
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    #[inline(never)]
    fn read(&self) -> u64 {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: clock_gettime(2) writes one timespec. CLOCK_MONOTONIC_RAW exists since Linux 2.6.28; were it refused, the
        // clock would stand still and fail its self-test.
        unsafe {
            libc::clock_gettime(libc::CLOCK_MONOTONIC_RAW, &mut time);
        }
        (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
    }

    #[cfg(not(target_os = "linux"))]
    #[inline(never)]
    fn read(&self) -> u64 {
        use std::{sync::OnceLock, time::Instant};
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }

    #[inline(always)]
    fn chain(&self, steps: u32) {
        chain::chain(steps);
    }

    #[inline(always)]
    fn multiply_chain(&self, steps: u32) {
        chain::multiply_chain(steps);
    }

    #[inline(always)]
    fn wide(&self, steps: u32) {
        chain::wide(steps);
    }

    fn switches(&self) -> u64 {
        crate::system::involuntary_switches()
    }

    fn name(&self) -> &'static str {
        "time"
    }
}
