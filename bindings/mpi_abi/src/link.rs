//! Connection to the simulator: one call at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use processes::mpi::call::{Answer, Call, CallMessage, CallingThread, LONG, MemoryAddress, Place, Region};
use processes::{LONGEST, Slot};

use crate::child;
use crate::clock;
use crate::concurrency;
use crate::count;
use crate::fault::Fault;
use crate::function;
use crate::objects;
use crate::place;
use crate::repeat;
use crate::slot;
use crate::types::*;

/// Serializes the calls of threads.
static TURN: Mutex<()> = Mutex::new(());
/// Whether the run has ended for this process.
static OVER: AtomicBool = AtomicBool::new(false);

/// Calls that the simulator has answered, messages sent, and their bytes.
static COUNTERS: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Counters of this rank: calls that the simulator has answered, point-to-point messages sent, and their bytes.
pub fn counters() -> [u64; 3] {
    COUNTERS.each_ref().map(|counter| counter.load(Ordering::Relaxed))
}

/// Memory of this process that a call names.
#[derive(Default)]
pub struct Named {
    /// An address that the call needs.
    pub memory: Option<MemoryAddress>,
    /// Where the data of the call is, if it is not in the call.
    pub data: Option<Region>,
    /// Buffers for data of the answer, if the simulator can write into them.
    pub places: Vec<Option<Place>>,
}

impl Named {
    /// The address that a call needs.
    pub fn address(memory: Option<MemoryAddress>) -> Self {
        Named { memory, ..Named::default() }
    }

    /// The only buffer for data of the answer.
    pub fn place(place: Option<Place>) -> Self {
        Named { places: vec![place], ..Named::default() }
    }
}

/// Whether the simulator can access the memory of this process.
static IS_REACHED: AtomicBool = AtomicBool::new(false);

/// Notes whether the simulator can access the memory of this process.
pub fn set_reached(is_reached: bool) {
    IS_REACHED.store(is_reached, Ordering::Relaxed);
}

/// Whether the simulator can access the memory of this process.
pub fn is_reached() -> bool {
    IS_REACHED.load(Ordering::Relaxed)
}

fn add_to_counters(call: &Call, named: &Named) {
    let (messages, bytes) = match call {
        Call::Send { bytes, .. } => (1, named.data.map_or(bytes.len() as u64, |data| data.length)),
        _ => (0, 0),
    };
    for (counter, more) in COUNTERS.iter().zip([1, messages, bytes]) {
        counter.fetch_add(more, Ordering::Relaxed);
    }
}

/// Makes a call of the simulator and serves the simulator's requests until the answer arrives.
pub fn ask(call: Call) -> Result<Answer, Fault> {
    ask_with(call, Named::default())
}

/// Makes a call that names memory of this process.
pub fn ask_with(call: Call, mut named: Named) -> Result<Answer, Fault> {
    let slot = slot::get()
        .ok_or_else(|| Fault::new(MPI_ERR_OTHER, "this process is no rank: `memonet mpirun` starts ranks"))?;
    if call.is_look()
        && let Some(answer) = repeat::answer(function::name(), &call, slot.time_ps())
    {
        // Other threads may bring about what this one looks for.
        concurrency::yield_now();
        return Ok(answer);
    }
    add_to_counters(&call, &named);
    let asked = call.is_look().then(|| call.clone());
    let caller = concurrency::caller();
    if caller.is_some() || !is_reached() {
        // The answer may come to a call of another thread.
        named.places.clear();
    }
    let answer = converse(call, named, caller)?;
    let answer = match caller {
        Some(caller) => {
            let answer = concurrency::settle(caller.number, answer, wait_for_any);
            answer.ok_or_else(|| lost(&"it answers no thread"))?
        }
        None => answer,
    };
    match answer {
        Answer::Nothing { until_ps, look_ps } => {
            let asked = asked.ok_or_else(|| other(Answer::Nothing { until_ps, look_ps }))?;
            let answer = repeat::nothing(&asked).expect("it is a look");
            repeat::remember(function::name(), asked, until_ps, look_ps);
            Ok(answer)
        }
        Answer::Failed(error) => Err(Fault::from_failure(&error)),
        answer => {
            if caller.is_some()
                && asked.is_some_and(|asked| repeat::nothing(&asked).as_ref() == Some(&answer))
            {
                concurrency::yield_now();
            }
            Ok(answer)
        }
    }
}

/// Waits for the end of a call of any thread.
fn wait_for_any(caller: CallingThread) -> Option<(u32, Answer)> {
    match converse(Call::Await { until_ps: None }, Named::default(), Some(caller)) {
        Ok(Answer::OfThread { thread, answer }) => Some((thread, *answer)),
        Ok(_) | Err(_) => None,
    }
}

/// Makes a call and serves the simulator's questions until it answers.
pub fn converse(mut call: Call, mut named: Named, caller: Option<CallingThread>) -> Result<Answer, Fault> {
    let slot = slot::get().ok_or_else(|| lost(&"this process is no rank"))?;
    loop {
        match exchange(slot, call, std::mem::take(&mut named), caller)? {
            Answer::Reduce { operation, datatype, first, second } => {
                call =
                    Call::Reduced(objects::combine(operation, datatype, &first, second.into_vec())?.into());
            }
            Answer::Locate => call = Call::Location(place::of_call()),
            answer => return Ok(answer),
        }
    }
}

fn lost(error: &dyn std::fmt::Display) -> Fault {
    Fault::new(MPI_ERR_INTERN, format!("the simulator is gone: {error}"))
}

fn exchange(
    slot: &Slot,
    mut call: Call,
    Named { memory, mut data, places }: Named,
    thread: Option<CallingThread>,
) -> Result<Answer, Fault> {
    // Blocks executed inside a user-defined operation count towards the next call of the program.
    let blocks = if matches!(call, Call::Reduced(_) | Call::Location(_)) { 0 } else { count::take() };
    let function = function::name().to_owned();
    let looks = repeat::forget();
    // The bytes stay where they are until the answer has come.
    let held = call.data_mut().filter(|bytes| is_reached() && bytes.len() >= LONG).map(std::mem::take);
    if let Some(bytes) = &held {
        data = Some(Region { address: bytes.as_ptr() as u64, length: bytes.len() as u64 });
    }
    let computed_ps = clock::take_ps();
    let called = CallMessage { function, computed_ps, blocks, looks, thread, call, memory, data, places };
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

/// Whether the run has ended for this process.
pub fn is_over() -> bool {
    OVER.load(Ordering::Relaxed)
}

/// Ends all ranks with this exit code.
pub fn abort(code: i32, why: String) -> ! {
    if slot::get().is_some() && !child::is() && !OVER.swap(true, Ordering::Relaxed) {
        OVER.store(false, Ordering::Relaxed);
        let slot = slot::get().expect("there is one");
        let why = at_place(why);
        // The simulator answers by ending the run. If it cannot report the reason, this process does.
        if exchange(slot, Call::Abort { code, reason: why.clone() }, Named::default(), None).is_err() {
            eprintln!("memonet: {why}");
        }
        OVER.store(true, Ordering::Relaxed);
    } else {
        eprintln!("memonet: {why}");
    }
    std::process::exit(if code == 0 { 1 } else { code })
}

/// Appends the place of the call to the reason. An abort by the program itself has no reason.
fn at_place(why: String) -> String {
    match place::of_call() {
        place if why.is_empty() || place.is_empty() => why,
        place => format!("{why}, at {place}"),
    }
}

/// Fault for an answer that does not fit its call.
pub fn other(answer: Answer) -> Fault {
    Fault::new(
        MPI_ERR_INTERN,
        format!("the simulator answers something else: {answer:?}").chars().take(200).collect::<String>(),
    )
}
