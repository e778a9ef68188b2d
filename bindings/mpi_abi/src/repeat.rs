//! Looks that find nothing. The simulator tells until when the same look finds nothing; until then the rank answers
//! itself, so that a program that polls need not change to the simulator each time.

use std::sync::{Mutex, PoisonError};

use processes::mpi::call::{Answer, Call};

use crate::clock;

static LOOK: Mutex<Option<Look>> = Mutex::new(None);

struct Look {
    function: String,
    call: Call,
    until_ps: u64,
    look_ps: u64,
    /// Time of each repetition since the answer of the simulator, in ps.
    repeated: Vec<u64>,
}

/// Remembers that a look has found nothing, and until when it finds nothing again.
pub fn remember(function: &str, call: Call, until_ps: u64, look_ps: u64) {
    let look = Look { function: function.to_owned(), call, until_ps, look_ps, repeated: Vec::new() };
    *LOOK.lock().unwrap_or_else(PoisonError::into_inner) = Some(look);
}

/// Answers a look without the simulator, if it repeats the last one and finds nothing. `answered_ps` is the virtual
/// time of the simulator's last answer.
pub fn answer(function: &str, call: &Call, answered_ps: u64) -> Option<Answer> {
    let mut look = LOOK.lock().unwrap_or_else(PoisonError::into_inner);
    let look = look.as_mut().filter(|look| look.call == *call && look.function == function)?;
    let begins = clock::computed_ps();
    if answered_ps.saturating_add(begins).saturating_add(look.look_ps) >= look.until_ps {
        return None;
    }
    clock::add_ps(look.look_ps);
    look.repeated.push(begins);
    nothing(call)
}

/// Forgets the last look and returns the times of its repetitions.
pub fn forget() -> Vec<u64> {
    let look = LOOK.lock().unwrap_or_else(PoisonError::into_inner).take();
    look.map(|look| look.repeated).unwrap_or_default()
}

/// The answer to a look that finds nothing; `None` for calls that are no looks.
pub fn nothing(call: &Call) -> Option<Answer> {
    match call {
        Call::Complete { .. } => Some(Answer::Completed(Vec::new())),
        Call::IsComplete(_) => Some(Answer::Flag(false)),
        Call::Probe { .. } => Some(Answer::Probed(None)),
        _ => None,
    }
}
