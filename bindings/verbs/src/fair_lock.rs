//! A lock that threads get in the order in which they ask for it.
//!
//! A thread that blocks in virtual time gives the lock up after each slice of its wait, and must not take it back before
//! the others.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU32, Ordering::AcqRel, Ordering::Acquire};

/// The lock: tickets, as in a shop.
pub struct FairLock {
    next: AtomicU32,
    served: AtomicU32,
}

/// The lock is held until this is dropped.
pub struct Guard<'a>(&'a FairLock);

impl FairLock {
    /// A free lock.
    pub const fn new() -> Self {
        FairLock { next: AtomicU32::new(0), served: AtomicU32::new(0) }
    }

    /// Takes the lock if it is free.
    pub fn try_lock(&self) -> Option<Guard<'_>> {
        let served = self.served.load(Acquire);
        let taken = self.next.compare_exchange(served, served.wrapping_add(1), AcqRel, Acquire);
        // A guard gives the lock up, so a caller without the lock makes none.
        taken.is_ok().then(|| Guard(self))
    }

    /// Waits for the lock.
    pub fn lock(&self) -> Guard<'_> {
        let ticket = self.next.fetch_add(1, AcqRel);
        loop {
            let served = self.served.load(Acquire);
            if served == ticket {
                return Guard(self);
            }
            // SAFETY: the word is valid; the kernel waits only while it has this value.
            unsafe {
                let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
                libc::syscall(
                    libc::SYS_futex,
                    self.served.as_ptr(),
                    operation,
                    served,
                    std::ptr::null::<u8>(),
                );
            }
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let served = self.0.served.fetch_add(1, AcqRel).wrapping_add(1);
        if self.0.next.load(Acquire) != served {
            // SAFETY: the word is valid; the call wakes threads that wait for it.
            unsafe {
                let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
                libc::syscall(libc::SYS_futex, self.0.served.as_ptr(), operation, i32::MAX);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::UnsafeCell;

    use super::*;

    struct Counter(UnsafeCell<u64>);
    // SAFETY: the test uses the counter under the lock alone.
    unsafe impl Sync for Counter {}

    #[test]
    fn one_thread_at_a_time_has_the_lock() {
        let (lock, counter) = (FairLock::new(), Counter(UnsafeCell::new(0)));
        let count = || {
            for _ in 0..10_000 {
                let _held = lock.lock();
                let counter: &Counter = &counter;
                // SAFETY: the lock is held.
                unsafe { *counter.0.get() += 1 };
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(count);
            }
        });
        assert_eq!(counter.0.into_inner(), 40_000);
        let held = lock.try_lock();
        assert!(held.is_some() && lock.try_lock().is_none());
        drop(held);
        assert!(lock.try_lock().is_some());
    }
}
