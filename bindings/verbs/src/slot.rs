//! The slot of this process, through which it calls the simulator, and the number of its host.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use libc::c_int;
use processes::Slot;
use processes::verbs::{Call, CallMessage, INTERFACE, RANK_VARIABLES, SLOTS_VARIABLE};
use rustix::process::{Pid, Signal};
use slots::Memory;

use crate::fork_place;

/// The slot of this process, if it belongs to a run.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();
static IS_ATTACHING: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    /// Of module `scheduled`. Constructors of other libraries may attach before one of this library could name it.
    fn memonet_attached();
}

/// The slot of this process, if `memonet verbs` has started it, or if it is a fork that has the slot of its program.
pub fn get() -> Option<&'static Slot> {
    // Attaching closes descriptors, and looks whether they are of a run.
    if SLOT.get().is_none() && IS_ATTACHING.swap(true, Relaxed) {
        return None;
    }
    let is_new = SLOT.get().is_none();
    let slot = SLOT.get_or_init(attach).as_ref();
    if is_new && slot.is_some() {
        // SAFETY: the function has this type.
        unsafe { memonet_attached() };
    }
    slot.filter(|slot| fork_place::has(slot))
}

fn descriptor() -> Option<c_int> {
    variable(INTERFACE.slot_variable)?.parse().ok()
}

fn attach() -> Option<Slot> {
    let inherited = descriptor();
    let slot = match inherited {
        Some(descriptor) => Slot::process(Arc::new(Memory::inherited(descriptor).ok()?)),
        None => launched()?,
    };
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // The process of a launcher reads from a pipe too.
    if inherited.is_some() && fork_place::is_filter(&slot) {
        fork_place::stay_outside();
    }
    fork_place::watch();
    Some(slot)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Number of this process among those of a launcher.
fn rank() -> Option<usize> {
    RANK_VARIABLES.iter().find_map(|name| variable(name)?.parse().ok())
}

/// The slot of a process that a launcher has started as a rank, unless another process has taken it. When this returns it
/// is the turn of the process, so what it does from now on has its place in virtual time.
fn launched() -> Option<Slot> {
    let (slots, rank) = (variable(SLOTS_VARIABLE)?, rank()?);
    let (simulator, descriptors) = slots.split_once(':')?;
    let simulator = simulator.parse().ok()?;
    let descriptors: Vec<_> = descriptors.split(',').collect();
    let memory = |descriptor: &str| Memory::of_process(simulator, descriptor.parse().ok()?).ok();
    let Some(descriptor) = descriptors.get(rank) else {
        let slot =
            descriptors.first().and_then(|first| memory(first)).map(|first| Slot::process(Arc::new(first)));
        refuse(rank, descriptors.len(), slot.and_then(|slot| slot.launcher()));
    };
    let slot = Slot::process(Arc::new(memory(descriptor)?));
    if !slot.claim(std::process::id()) {
        return None;
    }
    let message = CallMessage {
        function: "start".to_owned(),
        computed_ps: 0,
        sent_out_of_band: false,
        listens: Vec::new(),
        memory: None,
        call: Call::Sleep(0),
    };
    slot.send(&processes::encode(&message), &mut || true).ok()?;
    slot.receive_nothing(&mut || true).ok()?;
    Some(slot)
}

/// Ends this process, a rank beyond the last host, and its launcher, which would wait for it with the other ranks.
fn refuse(rank: usize, hosts: usize, launcher: Option<u32>) -> ! {
    let message = format!("memonet verbs: rank {rank} has no host: there are {hosts}; -n gives more\n");
    // Functions of the C library look for the slot.
    // SAFETY: the call reads the text.
    unsafe { libc::syscall(libc::SYS_write, libc::STDERR_FILENO, message.as_ptr(), message.len()) };
    if let Some(launcher) = launcher.and_then(|launcher| Pid::from_raw(launcher as i32)) {
        let _ = rustix::process::kill_process(launcher, Signal::TERM);
    }
    // SAFETY: the call does not return.
    unsafe { libc::_exit(1) }
}

/// Number of the launcher that has started this program, if there is one.
pub fn launcher() -> Option<u32> {
    get()?.launcher()
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
    match variable(INTERFACE.number_variable) {
        Some(number) => number.parse().ok(),
        None => rank().and_then(|rank| c_int::try_from(rank).ok()),
    }
}
