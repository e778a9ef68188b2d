//! The way to the simulator: one call at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use processes::mpi::INTERFACE;
use processes::mpi::call::{Answer, Call, CallMessage};
use processes::{LONGEST, Slot};
use rustix::process::Signal;
use slots::Memory;

use crate::calls::operation;
use crate::child;
use crate::clock;
use crate::count;
use crate::fault::{self, Fault};
use crate::place;
use crate::types::*;

/// The slot of this process, if it is a rank.
static SLOT: OnceLock<Option<Slot>> = OnceLock::new();
/// Threads take turns.
static TURN: Mutex<()> = Mutex::new(());
/// The run is over for this process.
static OVER: AtomicBool = AtomicBool::new(false);

/// The slot of this process, if `memonet mpirun` has started it.
pub fn slot() -> Option<&'static Slot> {
    let find = || Some(Slot::process(Arc::new(Memory::inherited(descriptor()?).ok()?)));
    SLOT.get_or_init(find).as_ref()
}

/// The number of the descriptor that it was given.
fn descriptor() -> Option<i32> {
    std::env::var(INTERFACE.slot_variable).ok()?.parse().ok()
}

/// The process is a rank from now on: its children are none, and it ends with its parent.
pub fn take() {
    if let Some(descriptor) = descriptor() {
        let _ = Memory::close_on_exec(descriptor);
    }
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    child::know();
}

/// Asks the simulator, and does what it asks for in the meantime.
pub fn ask(call: Call) -> Result<Answer, Fault> {
    let slot = slot()
        .ok_or_else(|| Fault::new(MPI_ERR_OTHER, "this process is no rank: `memonet mpirun` starts ranks"))?;
    let mut call = call;
    loop {
        match exchange(slot, call)? {
            Answer::Reduce { operation, datatype, first, second } => {
                call =
                    Call::Reduced(operation::combine(operation, datatype, &first, second.into_vec())?.into());
            }
            Answer::Locate => call = Call::Location(place::of_call()),
            Answer::Failed(error) => return Err(Fault::told(&error)),
            answer => return Ok(answer),
        }
    }
}

fn exchange(slot: &Slot, call: Call) -> Result<Answer, Fault> {
    // What an operation of the program computes counts before its next call.
    let blocks = if matches!(call, Call::Reduced(_) | Call::Location(_)) { 0 } else { count::take() };
    let function = fault::function().to_owned();
    let called = CallMessage { function, computed_ps: clock::take_ps(), blocks, call };
    let lost =
        |error: &dyn std::fmt::Display| Fault::new(MPI_ERR_INTERN, format!("the simulator is gone: {error}"));
    if child::is() {
        return Err(Fault::new(MPI_ERR_OTHER, "this process is no rank: a rank has forked it"));
    }
    if OVER.load(Ordering::Relaxed) {
        return Err(lost(&"the run is over"));
    }
    let called = processes::encode(&called);
    if called.len() as u64 > LONGEST {
        let why = format!("{} bytes are more than a message can have", called.len());
        return Err(Fault::new(MPI_ERR_COUNT, why));
    }
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    slot.send(&called, &mut || true).map_err(|error| lost(&error))?;
    let bytes = slot.receive(&mut || true).map_err(|error| lost(&error))?;
    processes::decode(&bytes).map_err(|error| lost(&error))
}

/// Ends all ranks, with this exit code.
pub fn abort(code: i32, why: String) -> ! {
    if slot().is_some() && !child::is() && !OVER.swap(true, Ordering::Relaxed) {
        OVER.store(false, Ordering::Relaxed);
        let slot = slot().expect("there is one");
        let why = at_place(why);
        // There is no answer but this one: nobody else tells why.
        if exchange(slot, Call::Abort { code, reason: why.clone() }).is_err() {
            eprintln!("memonet: {why}");
        }
        OVER.store(true, Ordering::Relaxed);
    } else {
        eprintln!("memonet: {why}");
    }
    std::process::exit(if code == 0 { 1 } else { code })
}

/// What is wrong, and where; an end that the program itself asked for has no reason.
fn at_place(why: String) -> String {
    match place::of_call() {
        place if why.is_empty() || place.is_empty() => why,
        place => format!("{why}, at {place}"),
    }
}

/// An answer that does not belong to its question.
pub fn other(answer: Answer) -> Fault {
    Fault::new(
        MPI_ERR_INTERN,
        format!("the simulator answers something else: {answer:?}").chars().take(200).collect::<String>(),
    )
}
