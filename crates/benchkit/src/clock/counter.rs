//! The counter that every program may read: TSC on x86-64, CNTVCT on AArch64. It ticks at a rate of its own.

#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#![allow(unsafe_code)]

use core::arch::asm;

use super::{Clock, chain};

/// The counter.
#[derive(Clone, Copy, Debug)]
pub struct Counter(());

impl Counter {
    /// There is one on every processor of these architectures.
    pub fn new() -> Self {
        Self(())
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for Counter {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn read(&self) -> u64 {
        let ticks: u64;
        // SAFETY: LFENCE and RDTSC exist on every x86-64 processor; only the named registers and no memory are touched
        // (memory is left a clobber so that the compiler keeps calls on their side of the read).
        unsafe {
            asm!(
                "lfence", "rdtsc", "lfence", "shl rdx, 32", "or rax, rdx",
                out("rax") ticks, out("rdx") _, options(nostack)
            );
        }
        ticks
    }

    #[cfg(target_arch = "aarch64")]
    #[inline(always)]
    fn read(&self) -> u64 {
        let ticks: u64;
        // SAFETY: CNTVCT_EL0 is readable from user space under every system this builds for; no memory is touched.
        unsafe {
            asm!("isb", "mrs {ticks}, cntvct_el0", "isb", ticks = out(reg) ticks, options(nostack));
        }
        ticks
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
        if cfg!(target_arch = "x86_64") { "tsc" } else { "cntvct" }
    }
}
