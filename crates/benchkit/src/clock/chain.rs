//! Operations that must follow one another, in inline assembly so that no compiler shortens them.
//!
//! Register to register only: current cores eliminate an addition of a constant.

pub(super) use machine::{chain, multiply_chain};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod machine {
    use core::arch::asm;

    #[inline(never)]
    pub(crate) fn chain(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: arithmetic on the named registers, no memory; `steps` is not 0, so the loop ends.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 32", "xor {x}, {a}", "sub {x}, {b}", ".endr",
                "dec {n:e}",
                "jnz 2b",
                x = inout(reg) 0x0123_4567_89ab_cdef_u64 => _,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                b = in(reg) 0x1111_7777_1111_7777_u64,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }

    #[inline(never)]
    pub(crate) fn multiply_chain(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: as in `chain`.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 64", "imul {x}, {x}", ".endr",
                "dec {n:e}",
                "jnz 2b",
                x = inout(reg) 0x0123_4567_89ab_cdef_u64 => _,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }
}

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod machine {
    use core::arch::asm;

    #[inline(never)]
    pub(crate) fn chain(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: arithmetic on the named registers, no memory; `steps` is not 0, so the loop ends.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 32", "eor {x}, {x}, {a}", "sub {x}, {x}, {b}", ".endr",
                "subs {n:w}, {n:w}, #1",
                "b.ne 2b",
                x = inout(reg) 0x0123_4567_89ab_cdef_u64 => _,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                b = in(reg) 0x1111_7777_1111_7777_u64,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }

    #[inline(never)]
    pub(crate) fn multiply_chain(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: as in `chain`.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 64", "mul {x}, {x}, {x}", ".endr",
                "subs {n:w}, {n:w}, #1",
                "b.ne 2b",
                x = inout(reg) 0x0123_4567_89ab_cdef_u64 => _,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }
}

/// Elsewhere a chain that no one vouches for: the self-test decides whether it counts cycles.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    use core::hint::black_box;

    #[inline(never)]
    pub(crate) fn chain(steps: u32) {
        let (a, b) = (black_box(0x5555_5555_usize), black_box(0x1111_7777_usize));
        let mut x = black_box(1_usize);
        for _ in 0..steps {
            for _ in 0..32 {
                x = black_box(x ^ a).wrapping_sub(b);
            }
        }
        black_box(x);
    }

    #[inline(never)]
    pub(crate) fn multiply_chain(steps: u32) {
        let mut x = black_box(3_usize);
        for _ in 0..steps * 64 {
            x = black_box(x.wrapping_mul(x));
        }
        black_box(x);
    }
}
