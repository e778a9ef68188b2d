//! The connection to the simulator: one call at a time.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use libc::c_int;
use processes::LONGEST;
use processes::verbs::call::{Listener, MemoryAddress};
use processes::verbs::{Answer, Call, CallMessage};

pub use crate::errno::set_errno;
use crate::fair_lock::FairLock;
use crate::{fork_place, slot, timers, virtual_clock};

/// Held during a call: threads call one after the other.
static CALL: FairLock = FairLock::new();
/// The process has used a socket since its last call.
static SENT_OUT_OF_BAND: AtomicBool = AtomicBool::new(false);
/// Ports on which the process has begun to listen since its last call.
static LISTENS: Mutex<Vec<Listener>> = Mutex::new(Vec::new());
/// Virtual time that a thread waits in one call while the program has others, in ps: 100 us, a tick.
const SLICE_PS: u64 = 100_000_000;

/// The program has used its adapter.
static USES_ADAPTER: AtomicBool = AtomicBool::new(false);
/// Calls that the process has begun.
static SENT: AtomicU64 = AtomicU64::new(0);

/// Calls that the process has begun.
pub fn sent() -> u64 {
    SENT.load(Relaxed)
}

/// Whether the program has used its adapter: opened it, or something of the connection manager.
pub fn uses_adapter() -> bool {
    USES_ADAPTER.load(Relaxed)
}

/// Makes a call that is encoded already and returns nothing, unless a thread makes another one; whether it was made. It
/// may be used in a signal handler.
pub fn try_send_and_wait(message: &[u8]) -> bool {
    let (Some(slot), Some(_call)) = (slot::get(), CALL.try_lock()) else { return false };
    slot.send(message, &mut || true).is_ok() && slot.receive_nothing(&mut || true).is_ok()
}

/// The part of a wait of `ps` for which a thread may hold up the others.
pub fn slice_ps(ps: u64) -> u64 {
    // Threads that run freely are held up.
    let has_others = threads::caller().is_some_and(|_| !threads::is_one_of_several());
    if has_others { ps.min(SLICE_PS) } else { ps }
}

/// The program listens on a port; the next call reports it.
pub fn report_listening(listener: Listener) {
    LISTENS.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
}

/// Waits for a time of virtual time at which the program may send through sockets to others of the run, or look at what
/// they have sent.
pub fn prepare_sockets(function: &str, sends: bool) {
    let _ = ask(function, Call::UseSockets { sends });
}

/// The program has used a socket; the next call reports it.
pub fn report_out_of_band() {
    SENT_OUT_OF_BAND.store(true, Relaxed);
}

/// The place of an address, for a call that is about memory.
pub fn place(address: u64) -> MemoryAddress {
    // SAFETY: the call has no arguments.
    let process = unsafe { libc::syscall(libc::SYS_getpid) } as u32;
    MemoryAddress { process, address }
}

/// Makes a call of the simulator; an `errno` if it fails. Timers whose time has come expire.
pub fn ask(function: &str, call: Call) -> Result<Answer, c_int> {
    ask_about(function, call, None)
}

/// Makes a call that is about memory of this process, or of a peer.
pub fn ask_about(function: &str, call: Call, memory: Option<MemoryAddress>) -> Result<Answer, c_int> {
    let answer = ask_once(function, call, memory);
    timers::run();
    threads::step();
    answer
}

fn ask_once(function: &str, call: Call, memory: Option<MemoryAddress>) -> Result<Answer, c_int> {
    let slot = slot::get().ok_or(libc::ENODEV)?;
    let _call = CALL.lock();
    if !matches!(call, Call::UseSockets { .. }) {
        fork_place::go_on(slot);
    }
    if call.is_of_adapter() {
        USES_ADAPTER.store(true, Relaxed);
    }
    SENT.fetch_add(1, Relaxed);
    let sent_out_of_band = SENT_OUT_OF_BAND.swap(false, Relaxed);
    let listens = std::mem::take(&mut *LISTENS.lock().unwrap_or_else(PoisonError::into_inner));
    let function = function.to_owned();
    let computed_ps = virtual_clock::take_ps();
    let message = CallMessage { function, computed_ps, sent_out_of_band, listens, memory, call };
    let message = processes::encode(&message);
    if message.len() as u64 > LONGEST {
        return Err(libc::EINVAL);
    }
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
