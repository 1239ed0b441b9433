//! Memory that ends where reading behind it ends the process: for the tests of the families.

#![allow(unsafe_code)]

/// Bytes that [`Fenced`] holds.
pub const PAGE: usize = 4096;

/// [`PAGE`] bytes, readable and writable, with a page right behind them that is neither.
#[derive(Debug)]
pub struct Fenced {
    start: *mut u8,
    /// Bytes of the mapping: up to the fence, and the fence.
    before: usize,
    fence: usize,
}

impl Fenced {
    /// Zeros before a fence.
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new() -> Self {
        // SAFETY: sysconf(3) has no conditions.
        let system = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a system has pages");
        let (before, fence) = (PAGE.next_multiple_of(system), system);
        // SAFETY: a new anonymous mapping, the last page of which is closed; nothing else knows of it.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let at = libc::mmap(core::ptr::null_mut(), before + fence, access, flags, -1, 0);
            assert_ne!(at, libc::MAP_FAILED, "no memory for a fence");
            assert_eq!(libc::mprotect(at.byte_add(before), fence, libc::PROT_NONE), 0, "the fence cannot be closed");
            Self { start: at.cast(), before, fence }
        }
    }

    /// The bytes; the last of them stands right before the fence.
    pub fn page(&mut self) -> &mut [u8] {
        // SAFETY: the bytes before the fence are mapped, readable and writable as long as `self` lives, and borrowed with it.
        unsafe { core::slice::from_raw_parts_mut(self.start.add(self.before - PAGE), PAGE) }
    }
}

impl Default for Fenced {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made, and no borrow of it is left.
        let closed = unsafe { libc::munmap(self.start.cast(), self.before + self.fence) };
        debug_assert_eq!(closed, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_there() {
        let mut fenced = Fenced::new();
        fenced.page().fill(7);
        assert_eq!(fenced.page(), [7; PAGE]);
    }

    /// The fence must close: runs itself again and reads one byte too many.
    #[test]
    fn the_byte_behind_ends_the_process() {
        const MARK: &str = "BENCHKIT_TEST_FENCE";
        if std::env::var_os(MARK).is_some() {
            let mut fenced = Fenced::new();
            let end = fenced.page().as_ptr_range().end;
            // SAFETY: none; the test is that this access faults, and it has a process of its own.
            let byte = unsafe { end.read_volatile() };
            println!("read {byte}");
            return;
        }
        let mut again = std::process::Command::new(std::env::current_exe().expect("a test is a program"));
        let name = "fence::tests::the_byte_behind_ends_the_process";
        let output = again.args(["--exact", name, "--nocapture"]).env(MARK, "1").output().expect("it starts");
        assert!(!output.status.success(), "{output:?}");
        assert!(!String::from_utf8_lossy(&output.stdout).contains("read "), "{output:?}");
    }
}
