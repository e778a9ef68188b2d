//! The start of a loop in which a thread spins.
//!
//! The signal of a timer finds the thread anywhere in the loop, as the processor has it, and so would all that the program
//! does next depend on the processor. Therefore the thread executes single instructions, until it is at the first one of
//! the loop in the outermost function that takes part. This is the same place in each run, and the thread holds no lock
//! there of a function that the loop calls.
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use libc::{c_int, c_void, siginfo_t, ucontext_t};

use crate::time_stamps;

/// Instructions at most: some 50 ms.
const MOST: u32 = 30_000;
/// Flag of the processor: a trap follows the next instruction.
const TRAP: i64 = 0x100;

/// Is called at the start, or at the last instruction if the loop has no end, with the address.
type Arrive = fn(usize);

static ARRIVE: OnceLock<Arrive> = OnceLock::new();
static IS_STEPPING: AtomicBool = AtomicBool::new(false);
static STEPS: AtomicU32 = AtomicU32::new(0);
/// The thread was at each place of the loop.
static HAS_ROUND: AtomicBool = AtomicBool::new(false);
static FIRST: SharedPlace = SharedPlace::new();
static START: SharedPlace = SharedPlace::new();

/// A point of the program: addresses of the stack, which grows downwards, and of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    stack: usize,
    pub instruction: usize,
}

impl Place {
    /// Whether the place is in a function further out, or earlier in the same one.
    fn is_before(self, other: Place) -> bool {
        self.stack > other.stack || self.stack == other.stack && self.instruction < other.instruction
    }
}

/// A place that handlers of one thread share.
struct SharedPlace {
    stack: AtomicUsize,
    instruction: AtomicUsize,
}

impl SharedPlace {
    const fn new() -> Self {
        SharedPlace { stack: AtomicUsize::new(0), instruction: AtomicUsize::new(0) }
    }

    fn set(&self, place: Place) {
        self.stack.store(place.stack, Relaxed);
        self.instruction.store(place.instruction, Relaxed);
    }

    fn get(&self) -> Place {
        Place { stack: self.stack.load(Relaxed), instruction: self.instruction.load(Relaxed) }
    }
}

/// Prepares the search. `arrive` is called in a signal handler.
pub fn prepare(arrive: Arrive) {
    let _ = ARRIVE.set(arrive);
    // SAFETY: numbers, null pointers and absent functions may be zero; the calls use a valid structure.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = step as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigfillset(&mut action.sa_mask);
        time_stamps::real_sigaction(libc::SIGTRAP, &action, null_mut());
    }
}

/// Whether a search goes on.
pub fn is_sought() -> bool {
    IS_STEPPING.load(Relaxed)
}

/// Begins to search the loop of the interrupted code, which goes on when the handler returns; false if this processor
/// cannot.
pub fn seek(context: *mut c_void) -> bool {
    let Some(place) = place(context) else { return false };
    FIRST.set(place);
    START.set(place);
    STEPS.store(0, Relaxed);
    HAS_ROUND.store(false, Relaxed);
    IS_STEPPING.store(true, Relaxed);
    set_trap(context, true);
    true
}

/// The thread has executed an instruction.
extern "C" fn step(_signal: c_int, _information: *mut siginfo_t, context: *mut c_void) {
    let Some(place) = place(context).filter(|_| is_sought()) else { return };
    if !HAS_ROUND.load(Relaxed) {
        if place.is_before(START.get()) {
            START.set(place);
        }
        HAS_ROUND.store(place == FIRST.get(), Relaxed);
    }
    let is_at_start = HAS_ROUND.load(Relaxed) && place == START.get();
    if is_at_start || STEPS.fetch_add(1, Relaxed) >= MOST {
        set_trap(context, false);
        IS_STEPPING.store(false, Relaxed);
        if let Some(arrive) = ARRIVE.get() {
            arrive(place.instruction);
        }
    }
}

/// The place that a signal has interrupted; none on processors whose registers are not known.
#[cfg(target_arch = "x86_64")]
pub fn place(context: *mut c_void) -> Option<Place> {
    // SAFETY: the kernel passes a valid context.
    let registers = unsafe { &(*context.cast::<ucontext_t>()).uc_mcontext.gregs };
    let [stack, instruction] =
        [libc::REG_RSP, libc::REG_RIP].map(|register| registers[register as usize] as usize);
    Some(Place { stack, instruction })
}

#[cfg(not(target_arch = "x86_64"))]
pub fn place(_context: *mut c_void) -> Option<Place> {
    None
}

#[cfg(target_arch = "x86_64")]
fn set_trap(context: *mut c_void, traps: bool) {
    // SAFETY: the kernel passes a valid context.
    let flags = unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs[libc::REG_EFL as usize] };
    *flags = if traps { *flags | TRAP } else { *flags & !TRAP };
}

#[cfg(not(target_arch = "x86_64"))]
fn set_trap(_context: *mut c_void, _traps: bool) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_in_the_outermost_function() {
        let place = |stack, instruction| Place { stack, instruction };
        assert!(place(200, 9).is_before(place(100, 5)) && !place(100, 5).is_before(place(200, 9)));
        assert!(place(100, 4).is_before(place(100, 5)) && !place(100, 5).is_before(place(100, 5)));
    }
}
