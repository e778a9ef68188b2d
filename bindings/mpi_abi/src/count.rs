//! Counter of the basic blocks that an instrumented program executes.
//!
//! With `-fsanitize-coverage=trace-pc` gcc and clang insert a call of one function into each basic block.
//! This module defines the function, which increments the counter. Without the option nothing is counted.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks executed by all threads since the last call of MPI.
static BLOCKS: AtomicU64 = AtomicU64::new(0);

/// Takes the blocks since the last call, to report them with the next one.
pub fn take() -> u64 {
    BLOCKS.swap(0, Ordering::Relaxed)
}

// SAFETY: compilers call this name for the option; the function has no arguments and no result.
/// Called at the beginning of each basic block.
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
