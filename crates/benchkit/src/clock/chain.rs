//! Operations that must follow one another, in inline assembly so that no compiler shortens them.
//!
//! Register to register only: current cores eliminate an addition of a constant.
//!
//! And operations that need not follow one another, four at a time, which show whether the core's units are all ours.

pub(super) use machine::{chain, multiply_chain, wide};

/// That many operations of one cycle, of which each waits for the one before it and the first for `x`; what comes out
/// depends on all of them. No loop but over whole steps of 64: the processor guesses the end of a loop wrong, which costs
/// as much as a dozen operations.
pub(crate) fn dependent(mut x: u64, operations: u32) -> u64 {
    for _ in 0..operations / 64 {
        x = machine::operations::<32, 0>(x);
    }
    if operations & 32 != 0 {
        x = machine::operations::<16, 0>(x);
    }
    if operations & 16 != 0 {
        x = machine::operations::<8, 0>(x);
    }
    if operations & 8 != 0 {
        x = machine::operations::<4, 0>(x);
    }
    if operations & 4 != 0 {
        x = machine::operations::<2, 0>(x);
    }
    if operations & 2 != 0 {
        x = machine::operations::<1, 0>(x);
    }
    if operations & 1 != 0 {
        x = machine::operations::<0, 1>(x);
    }
    x
}

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

    #[inline(never)]
    pub(crate) fn wide(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: as in `chain`.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 64", "add {w}, {a}", "add {x}, {a}", "add {y}, {a}", "add {z}, {a}", ".endr",
                "dec {n:e}",
                "jnz 2b",
                w = inout(reg) 1_u64 => _,
                x = inout(reg) 2_u64 => _,
                y = inout(reg) 3_u64 => _,
                z = inout(reg) 4_u64 => _,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }

    /// So many pairs of operations, and so many single ones.
    #[inline(always)]
    pub(super) fn operations<const PAIRS: usize, const SINGLE: usize>(mut x: u64) -> u64 {
        // SAFETY: as in `chain`, without a loop.
        unsafe {
            asm!(
                ".rept {pairs}", "xor {x}, {a}", "sub {x}, {b}", ".endr",
                ".rept {single}", "xor {x}, {a}", ".endr",
                pairs = const PAIRS,
                single = const SINGLE,
                x = inout(reg) x,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                b = in(reg) 0x1111_7777_1111_7777_u64,
                options(nostack, nomem)
            );
        }
        x
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

    #[inline(never)]
    pub(crate) fn wide(steps: u32) {
        if steps == 0 {
            return;
        }
        // SAFETY: as in `chain`.
        unsafe {
            asm!(
                ".p2align 6",
                "2:",
                ".rept 64", "add {w}, {w}, {a}", "add {x}, {x}, {a}", "add {y}, {y}, {a}", "add {z}, {z}, {a}", ".endr",
                "subs {n:w}, {n:w}, #1",
                "b.ne 2b",
                w = inout(reg) 1_u64 => _,
                x = inout(reg) 2_u64 => _,
                y = inout(reg) 3_u64 => _,
                z = inout(reg) 4_u64 => _,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                n = inout(reg) steps => _,
                options(nostack)
            );
        }
    }

    /// So many pairs of operations, and so many single ones.
    #[inline(always)]
    pub(super) fn operations<const PAIRS: usize, const SINGLE: usize>(mut x: u64) -> u64 {
        // SAFETY: as in `chain`, without a loop.
        unsafe {
            asm!(
                ".rept {pairs}", "eor {x}, {x}, {a}", "sub {x}, {x}, {b}", ".endr",
                ".rept {single}", "eor {x}, {x}, {a}", ".endr",
                pairs = const PAIRS,
                single = const SINGLE,
                x = inout(reg) x,
                a = in(reg) 0x5555_5555_3333_3333_u64,
                b = in(reg) 0x1111_7777_1111_7777_u64,
                options(nostack, nomem)
            );
        }
        x
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

    #[inline(never)]
    pub(crate) fn wide(steps: u32) {
        let a = black_box(0x5555_5555_usize);
        let [mut w, mut x, mut y, mut z] = black_box([1_usize, 2, 3, 4]);
        for _ in 0..steps * 64 {
            [w, x, y, z] = black_box([w.wrapping_add(a), x.wrapping_add(a), y.wrapping_add(a), z.wrapping_add(a)]);
        }
        black_box([w, x, y, z]);
    }

    #[inline(always)]
    pub(super) fn operations<const PAIRS: usize, const SINGLE: usize>(x: u64) -> u64 {
        let (a, b) = (black_box(0x5555_5555_3333_3333_u64), black_box(0x1111_7777_1111_7777_u64));
        let paired = (0..PAIRS).fold(x, |x, _| black_box(x ^ a).wrapping_sub(b));
        (0..SINGLE).fold(paired, |x, _| black_box(x ^ a))
    }
}

#[cfg(test)]
mod tests {
    use super::dependent;

    #[test]
    fn each_operation_is_done() {
        for operations in [0, 1, 2, 3, 63, 64, 65, 127, 140, 2219] {
            let want = (0..operations).fold(7_u64, |x, n| {
                // Within a step they alternate; a single one comes last.
                if n % 2 == 0 { x ^ 0x5555_5555_3333_3333 } else { x.wrapping_sub(0x1111_7777_1111_7777) }
            });
            assert_eq!(dependent(7, operations), want, "{operations}");
        }
    }
}
