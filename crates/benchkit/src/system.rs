//! What is asked of the operating system: a fixed CPU, memory that stays, switches counted.

#![allow(unsafe_code)]

/// How often the system took the CPU away from this thread so far; 0 where it does not tell.
pub fn involuntary_switches() -> u64 {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: `rusage` is plain data for which zeros are valid, and getrusage(2) writes at most one of it.
        unsafe {
            let mut usage: libc::rusage = core::mem::zeroed();
            if libc::getrusage(libc::RUSAGE_THREAD, &mut usage) == 0 {
                return usage.ru_nivcsw as u64;
            }
        }
    }
    0
}

/// The CPUs that this thread may run on, in order; empty where the system does not tell.
pub fn allowed_cpus() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: `cpu_set_t` is plain data for which zeros are valid; sched_getaffinity(2) writes at most the size it is
        // told, and CPU_ISSET is asked only about numbers below CPU_SETSIZE.
        unsafe {
            let mut set: libc::cpu_set_t = core::mem::zeroed();
            if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) == 0 {
                return (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &set)).collect();
            }
        }
    }
    Vec::new()
}

/// Keeps this thread on one CPU.
///
/// # Errors
///
/// A sentence that says why not: the CPU may not be used, or the system knows no such thing.
pub fn pin(cpu: usize) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    {
        if cpu >= libc::CPU_SETSIZE as usize {
            return Err(format!("there is no CPU {cpu}"));
        }
        // SAFETY: as in `allowed_cpus`; `cpu` is below CPU_SETSIZE, and sched_setaffinity(2) only reads the set.
        let status = unsafe {
            let mut set: libc::cpu_set_t = core::mem::zeroed();
            libc::CPU_SET(cpu, &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set)
        };
        if status == 0 {
            return Ok(());
        }
        Err(format!("CPU {cpu} cannot be had: {}", std::io::Error::last_os_error()))
    }
    #[cfg(not(target_os = "linux"))]
    {
        Err(format!("this system does not pin a thread to CPU {cpu}"))
    }
}

/// Keeps the bytes in memory; whether that was allowed.
pub fn lock(bytes: &[u8]) -> bool {
    #[cfg(unix)]
    {
        // SAFETY: the range is that of a live slice; mlock(2) changes none of it.
        unsafe { libc::mlock(bytes.as_ptr().cast(), bytes.len()) == 0 }
    }
    #[cfg(not(unix))]
    {
        let _ = bytes;
        false
    }
}

/// Time that the hypervisor gave to others so far, in clock ticks over all CPUs; `None` where the system does not tell.
pub fn steal() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/stat").ok()?;
    text.lines().next()?.split_ascii_whitespace().nth(8)?.parse().ok()
}

/// Bytes of the second-level cache; `None` where the system does not tell.
pub fn second_level_cache() -> Option<usize> {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size").ok()?;
    let kibibytes: usize = text.trim().strip_suffix('K')?.parse().ok()?;
    kibibytes.checked_mul(1024)
}
