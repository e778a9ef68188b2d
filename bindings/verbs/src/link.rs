//! The connection to the simulator: one call at a time.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use libc::c_int;
use processes::verbs::{Answer, Call, CallMessage, INTERFACE};
use processes::{LONGEST, Slot};
use rustix::process::Signal;
use slots::Memory;

use crate::clock;

/// The slot of this process, if it belongs to a run.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();
/// Held during a call: threads call one after the other.
static CALL: Mutex<()> = Mutex::new(());
/// The process has used a socket since its last call.
static SENT_OUT_OF_BAND: AtomicBool = AtomicBool::new(false);
/// This process is a fork of a program, and does not belong to the run.
static IS_FORK: AtomicBool = AtomicBool::new(false);

extern "C" fn mark_fork() {
    IS_FORK.store(true, Relaxed);
}

/// The slot of this process, if `memonet verbs` has started it.
pub fn slot() -> Option<&'static Slot> {
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
    slot()?;
    std::env::var(INTERFACE.number_variable).ok()?.parse().ok()
}

/// The program has used a socket; the next call reports it.
pub fn report_out_of_band() {
    SENT_OUT_OF_BAND.store(true, Relaxed);
}

/// Makes a call of the simulator; an `errno` if it fails.
pub fn ask(function: &str, call: Call) -> Result<Answer, c_int> {
    let slot = slot().ok_or(libc::ENODEV)?;
    let sent_out_of_band = SENT_OUT_OF_BAND.swap(false, Relaxed);
    let function = function.to_owned();
    let message = CallMessage { function, computed_ps: clock::take_ps(), sent_out_of_band, call };
    let message = processes::encode(&message);
    if message.len() as u64 > LONGEST {
        return Err(libc::EINVAL);
    }
    let _call = CALL.lock().unwrap_or_else(PoisonError::into_inner);
    // Without a simulator the process is about to be killed.
    slot.send(&message, &mut || true).map_err(|_| libc::EIO)?;
    let bytes = slot.receive(&mut || true).map_err(|_| libc::EIO)?;
    match processes::decode(&bytes).map_err(|_| libc::EIO)? {
        Answer::Failed(errno) => Err(errno),
        answer => Ok(answer),
    }
}

/// Makes a call that returns nothing; 0 or an `errno`.
pub fn errno_of(function: &str, call: Call) -> c_int {
    ask(function, call).err().unwrap_or(0)
}

/// Makes a call that returns a number.
pub fn number(function: &str, call: Call) -> Result<u32, c_int> {
    match ask(function, call)? {
        Answer::Number(number) => Ok(number),
        _ => Err(libc::EIO),
    }
}

/// Sets `errno` of this thread.
pub fn set_errno(errno: c_int) {
    // SAFETY: the pointer is that of this thread's `errno`.
    unsafe { *libc::__errno_location() = errno };
}

/// A pointer to a new object, or null with `errno`.
pub fn into_pointer<T>(object: Result<T, c_int>) -> *mut T {
    match object {
        Ok(object) => Box::into_raw(Box::new(object)),
        Err(errno) => {
            set_errno(errno);
            std::ptr::null_mut()
        }
    }
}
