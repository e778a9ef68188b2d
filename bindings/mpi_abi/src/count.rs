//! Basic blocks that a program goes through, counted exactly where its compiler was told so.
//!
//! `-fsanitize-coverage=trace-pc`, which gcc and clang know, has a program call one function in each basic block. That function is here
//! and adds one. A program that was compiled without the option counts nothing.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks since the last call, of all threads.
static BLOCKS: AtomicU64 = AtomicU64::new(0);

/// Blocks since the last call, for the next one.
pub fn take() -> u64 {
    BLOCKS.swap(0, Ordering::Relaxed)
}

// SAFETY: the name is the one that compilers call for this option, taken on purpose; the function has no arguments and no result.
/// A basic block begins.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_pc() {
    BLOCKS.fetch_add(1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_counts_once_and_for_one_call() {
        take();
        (0..5).for_each(|_| __sanitizer_cov_trace_pc());
        assert_eq!([take(), take()], [5, 0]);
    }
}
