//! The way to the simulator: one call at a time.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use libc::c_int;
use processes::verbs::{Answer, Call, Called, environment};
use processes::{LONGEST, Slot};
use rustix::process::Signal;
use slots::Memory;

use crate::clock;

/// The slot of this process, if it is a guest.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();
/// Threads take turns.
static TURN: Mutex<()> = Mutex::new(());
/// The process has told others something in a socket since its last call.
static SPOKE: AtomicBool = AtomicBool::new(false);
/// This process was forked by a guest, and is none.
static FORKED: AtomicBool = AtomicBool::new(false);

extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
}

/// The slot of this process, if `memonet verbs` has started it.
pub fn slot() -> Option<&'static Slot> {
    let slot = SLOT.get_or_init(find).as_ref();
    slot.filter(|_| !FORKED.load(Ordering::Relaxed))
}

fn find() -> Option<Slot> {
    let descriptor = std::env::var(environment::SLOT).ok()?.parse().ok()?;
    let slot = Slot::rank(Arc::new(Memory::inherited(descriptor).ok()?));
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // SAFETY: what runs in the child stores a flag, and no more.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    Some(slot)
}

/// This process uses verbs: programs that it executes are no guests any more.
pub fn keep() {
    let descriptor = std::env::var(environment::SLOT).ok().and_then(|number| number.parse().ok());
    if let Some(descriptor) = descriptor {
        let _ = Memory::keep(descriptor);
    }
}

/// The number of the host of this guest.
pub fn host() -> Option<c_int> {
    slot()?;
    std::env::var(environment::HOST).ok()?.parse().ok()
}

/// Others have been told something.
pub fn speaks() {
    SPOKE.store(true, Ordering::Relaxed);
}

/// Asks the simulator; an error number of the operating system if it cannot be.
pub fn ask(function: &str, call: Call) -> Result<Answer, c_int> {
    let slot = slot().ok_or(libc::ENODEV)?;
    let spoke = SPOKE.swap(false, Ordering::Relaxed);
    let called = Called { function: function.to_owned(), computed_ps: clock::take_ps(), spoke, call };
    let called = processes::encode(&called);
    if called.len() as u64 > LONGEST {
        return Err(libc::EINVAL);
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    // Without a simulator the process ends soon.
    slot.send(&called, &mut || true).map_err(|_| libc::EIO)?;
    let bytes = slot.receive(&mut || true).map_err(|_| libc::EIO)?;
    match processes::decode(&bytes).map_err(|_| libc::EIO)? {
        Answer::Failed(errno) => Err(errno),
        answer => Ok(answer),
    }
}

/// Asks for what has no answer but that it is done; 0 or an error number.
pub fn done(function: &str, call: Call) -> c_int {
    ask(function, call).err().unwrap_or(0)
}

/// Asks for a number.
pub fn number(function: &str, call: Call) -> Result<u32, c_int> {
    match ask(function, call)? {
        Answer::Number(number) => Ok(number),
        _ => Err(libc::EIO),
    }
}

/// Sets `errno`.
pub fn fail(errno: c_int) {
    // SAFETY: the place is that of this thread.
    unsafe { *libc::__errno_location() = errno };
}

/// What was made, or null with `errno`.
pub fn made<T>(made: Result<T, c_int>) -> *mut T {
    match made {
        Ok(made) => Box::into_raw(Box::new(made)),
        Err(errno) => {
            fail(errno);
            std::ptr::null_mut()
        }
    }
}
