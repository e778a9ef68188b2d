//! The slot of this process, through which a rank calls the simulator.

use std::sync::atomic::AtomicI32;
use std::sync::{Arc, OnceLock};

use processes::Slot;
use processes::mpi::{INTERFACE, PROGRAM_VARIABLE};
use rustix::process::Signal;
use slots::Memory;

use crate::child;

/// Slot of this process; `None` if it is not a rank.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();

/// Slot of this process, if `memonet mpirun` has started it.
pub fn get() -> Option<&'static Slot> {
    let find = || Some(Slot::process(Arc::new(Memory::inherited(descriptor()?).ok()?)));
    SLOT.get_or_init(find).as_ref()
}

/// Number of the inherited file descriptor of the slot.
fn descriptor() -> Option<i32> {
    std::env::var(INTERFACE.slot_variable).ok()?.parse().ok()
}

/// Number of this rank's program on the command line of the run; 0 where there is one program.
pub fn program_number() -> &'static AtomicI32 {
    static NUMBER: OnceLock<AtomicI32> = OnceLock::new();
    let number = || std::env::var(PROGRAM_VARIABLE).ok()?.parse().ok();
    NUMBER.get_or_init(|| AtomicI32::new(number().unwrap_or(0)))
}

/// Makes the process a rank: its children are not ranks, and it is killed when its parent ends.
pub fn take() {
    if let Some(descriptor) = descriptor() {
        let _ = Memory::close_on_exec(descriptor);
    }
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    child::know();
}
