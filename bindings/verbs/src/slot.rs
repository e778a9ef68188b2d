//! The slot of this process, through which it calls the simulator, and the number of its host.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use libc::c_int;
use processes::Slot;
use processes::verbs::INTERFACE;
use rustix::process::Signal;
use slots::Memory;

/// The slot of this process, if it belongs to a run.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();
/// This process is a fork of a program, and does not belong to the run.
static IS_FORK: AtomicBool = AtomicBool::new(false);

extern "C" fn mark_fork() {
    IS_FORK.store(true, Relaxed);
}

/// The slot of this process, if `memonet verbs` has started it.
pub fn get() -> Option<&'static Slot> {
    let slot = SLOT.get_or_init(attach).as_ref();
    slot.filter(|_| !IS_FORK.load(Relaxed))
}

fn descriptor() -> Option<c_int> {
    std::env::var(INTERFACE.slot_variable).ok()?.parse().ok()
}

fn attach() -> Option<Slot> {
    let slot = Slot::process(Arc::new(Memory::inherited(descriptor()?).ok()?));
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // SAFETY: the handler in the child only stores a flag.
    unsafe { libc::pthread_atfork(None, None, Some(mark_fork)) };
    Some(slot)
}

/// Keeps the slot for this process: programs that it executes do not belong to the run.
pub fn keep() {
    if let Some(descriptor) = descriptor() {
        let _ = Memory::close_on_exec(descriptor);
    }
}

/// The number of this program's host.
pub fn host() -> Option<c_int> {
    get()?;
    std::env::var(INTERFACE.number_variable).ok()?.parse().ok()
}
