//! Core cycles counted by the processor, read in user space: perf_event_open(2) with RDPMC.
//!
//! Kernel and hypervisor are excluded. A counter that the kernel took away, or ran only part of the time, gives no value
//! rather than a wrong one.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(unsafe_code)]

use core::arch::asm;
use core::cell::Cell;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU32, Ordering, compiler_fence};
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

use super::{Clock, chain};

/// Bytes of `perf_event_attr` in its first published version, which holds all that is asked for here.
const ATTRIBUTE_BYTES: u32 = 64;
const TYPE_HARDWARE: u32 = 0;
const HARDWARE_CPU_CYCLES: u64 = 0;
/// `exclude_kernel` and `exclude_hv`.
const EXCLUDE: u64 = (1 << 5) | (1 << 6);
/// `cap_user_rdpmc` in `perf_event_mmap_page.capabilities`.
const USER_RDPMC: u64 = 1 << 2;
const PAGE: usize = 4096;

/// The first 64 bytes of `struct perf_event_attr` (linux/perf_event.h).
#[repr(C)]
#[derive(Default)]
struct Attribute {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    config1: u64,
}

/// The start of `struct perf_event_mmap_page` (linux/perf_event.h).
#[repr(C)]
struct Page {
    version: u32,
    compat_version: u32,
    lock: AtomicU32,
    index: u32,
    offset: i64,
    time_enabled: u64,
    time_running: u64,
    capabilities: u64,
    pmc_width: u16,
}

/// What the kernel's page says of a counter at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Number of the counter plus one; 0: it does not count now.
    pub index: u32,
    /// What is to be added to its value.
    pub offset: i64,
    /// Its width in bits.
    pub width: u16,
}

/// The count, from a state and the value that RDPMC gave; `None` if the counter does not count.
#[inline(always)]
pub const fn count(state: State, value: u64) -> Option<u64> {
    if state.index == 0 || state.width == 0 || state.width > 64 {
        return None;
    }
    // The counter is narrower than a word and counts up from a negative start.
    let shift = 64 - state.width as u32;
    let signed = ((value << shift) as i64) >> shift;
    Some(state.offset.wrapping_add(signed) as u64)
}

/// A counter's value over some time, as read(2) or `perf stat` gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// It counted all the time.
    Exact(f64),
    /// It counted part of the time; the value is extrapolated and must be marked.
    Scaled(f64),
    /// It did not count: there is no value, not a value of 0.
    None,
}

/// Decides what a counter's value is worth: `enabled` is for how long it was asked for, `running` for how long it counted.
pub fn reading(value: u64, enabled: u64, running: u64) -> Reading {
    if value == 0 || running == 0 || enabled == 0 {
        return Reading::None;
    }
    if running >= enabled {
        return Reading::Exact(value as f64);
    }
    Reading::Scaled(value as f64 * (enabled as f64 / running as f64))
}

/// The counter.
pub struct Perf {
    _file: OwnedFd,
    page: NonNull<Page>,
    lost: Cell<u64>,
}

impl Perf {
    /// Opens it for this thread.
    ///
    /// # Errors
    ///
    /// A sentence that says why there is none, and what would mend it.
    pub fn open() -> Result<Self, String> {
        let attribute = Attribute {
            kind: TYPE_HARDWARE,
            size: ATTRIBUTE_BYTES,
            config: HARDWARE_CPU_CYCLES,
            flags: EXCLUDE,
            ..Attribute::default()
        };
        // SAFETY: perf_event_open(2): the attribute is as large as it says and lives through the call; this thread (0), any
        // CPU (-1), no group (-1), no flags.
        let file = unsafe { libc::syscall(libc::SYS_perf_event_open, &raw const attribute, 0, -1, -1, 0) };
        if file < 0 {
            let error = io::Error::last_os_error();
            return Err(match error.raw_os_error() {
                Some(libc::EACCES | libc::EPERM) => {
                    "the kernel forbids it; allow it with `sysctl kernel.perf_event_paranoid=2`".to_owned()
                }
                Some(libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV) => {
                    "this machine has no cycle counter, as most virtual ones".to_owned()
                }
                Some(libc::ENOSYS) => "this kernel has no perf_event_open".to_owned(),
                _ => format!("perf_event_open: {error}"),
            });
        }
        // SAFETY: the kernel just gave this descriptor to us.
        let file = unsafe { OwnedFd::from_raw_fd(file as i32) };
        // SAFETY: mmap(2) of one page of that descriptor, where the kernel likes; checked below.
        let page = unsafe {
            let descriptor = std::os::fd::AsRawFd::as_raw_fd(&file);
            libc::mmap(core::ptr::null_mut(), PAGE, libc::PROT_READ, libc::MAP_SHARED, descriptor, 0)
        };
        let page = match NonNull::new(page.cast::<Page>()) {
            Some(page) if page.as_ptr().cast() != libc::MAP_FAILED => page,
            _ => return Err(format!("the counter's page cannot be mapped: {}", io::Error::last_os_error())),
        };
        let perf = Self { _file: file, page, lost: Cell::new(0) };
        // SAFETY: the page is mapped until `perf` is dropped; the kernel writes this field before it returns the page.
        let capabilities = unsafe { (&raw const (*page.as_ptr()).capabilities).read_volatile() };
        if capabilities & USER_RDPMC == 0 {
            return Err("programs may not read counters; allow it with `echo 2 > /sys/devices/cpu/rdpmc`".to_owned());
        }
        if perf.value().is_none() {
            return Err("the counter is not running: another program uses it, or this core type has none".to_owned());
        }
        Ok(perf)
    }

    #[inline(always)]
    fn value(&self) -> Option<u64> {
        let page = self.page.as_ptr();
        loop {
            // SAFETY: the page is mapped as long as `self` lives and holds a `Page`; the kernel may write it at any time,
            // so each field is read volatile, and the lock tells whether they belong together. RDPMC is allowed
            // (`cap_user_rdpmc` was checked) for the index that the page names.
            unsafe {
                let lock = (*page).lock.load(Ordering::Relaxed);
                compiler_fence(Ordering::SeqCst);
                let state = State {
                    index: (&raw const (*page).index).read_volatile(),
                    offset: (&raw const (*page).offset).read_volatile(),
                    width: (&raw const (*page).pmc_width).read_volatile(),
                };
                let value = if state.index == 0 { 0 } else { rdpmc(state.index - 1) };
                compiler_fence(Ordering::SeqCst);
                if (*page).lock.load(Ordering::Relaxed) == lock {
                    return count(state, value);
                }
            }
        }
    }
}

/// # Safety
///
/// RDPMC is allowed in user space, and the counter exists.
#[inline(always)]
unsafe fn rdpmc(counter: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: the caller answers for the instruction; only the named registers are written.
    unsafe {
        asm!("lfence", "rdpmc", "lfence", in("ecx") counter, out("eax") low, out("edx") high, options(nostack));
    }
    u64::from(high) << 32 | u64::from(low)
}

impl Drop for Perf {
    fn drop(&mut self) {
        // SAFETY: mapped by `open`, and not used after this.
        unsafe {
            libc::munmap(self.page.as_ptr().cast(), PAGE);
        }
    }
}

impl Clock for Perf {
    #[inline(always)]
    fn read(&self) -> u64 {
        self.value().unwrap_or_else(|| {
            self.lost.set(self.lost.get() + 1);
            0
        })
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
        // A counter that was taken away spoils a visit just as an interruption does.
        crate::system::involuntary_switches() + self.lost.get()
    }

    fn name(&self) -> &'static str {
        "perf"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_did_not_count_gives_no_value() {
        for (value, enabled, running, want) in [
            (0, 100, 100, Reading::None),
            (0, 100, 0, Reading::None),
            (5, 100, 0, Reading::None),
            (5, 0, 0, Reading::None),
            (700, 100, 100, Reading::Exact(700.0)),
            (700, 100, 101, Reading::Exact(700.0)),
            (350, 100, 50, Reading::Scaled(700.0)),
        ] {
            assert_eq!(reading(value, enabled, running), want, "{value} {enabled} {running}");
        }
    }

    #[test]
    fn a_narrow_counter_is_extended_by_its_sign() {
        let state = |index, offset, width| State { index, offset, width };
        assert_eq!(count(state(0, 10, 48), 5), None);
        assert_eq!(count(state(1, 10, 0), 5), None);
        assert_eq!(count(state(1, 10, 65), 5), None);
        assert_eq!(count(state(1, 10, 48), 5), Some(15));
        assert_eq!(count(state(1, 1 << 47, 48), 1 << 47), Some(0));
        assert_eq!(count(state(1, 0x8000_0000, 48), 0xffff_8000_0000 | 7), Some(7));
        assert_eq!(count(state(2, 3, 64), u64::MAX), Some(2));
    }

    #[test]
    fn the_counter_counts_or_says_why_not() {
        match Perf::open() {
            Ok(perf) => {
                let start = perf.read();
                perf.chain(1000);
                assert!(perf.read().wrapping_sub(start) >= 30_000, "64,000 dependent operations take time");
            }
            Err(why) => assert!(why.len() > 20, "{why}"),
        }
    }
}
