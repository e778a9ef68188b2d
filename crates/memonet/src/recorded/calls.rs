//! MPI calls of ranks as a signal: the function that a rank is in.

use std::sync::LazyLock;

use hdl::{Edges, Kind, MOST_CLOCKS, Signal, SignalRole, StateInfo, StateMachineTable};
use waveform::Pick;

/// The calls in a layout.
pub(super) const PICK: Pick = Pick { title: "MPI", signals: &[("", &["call"])] };

/// The rank computes, has not started or has ended.
const OUTSIDE: &str = "outside";
/// The function is not in the list.
const OTHER: &str = "other";

/// All functions as states.
static TABLE: LazyLock<StateMachineTable> = LazyLock::new(|| {
    #[cfg(feature = "programs")]
    let functions = processes::mpi::functions();
    #[cfg(not(feature = "programs"))]
    let functions = std::iter::empty();
    let names = [OUTSIDE, OTHER].into_iter().chain(functions);
    let states: Vec<_> = names.map(|name| StateInfo { name, doc: "", next: &[] }).collect();
    let doc = "The function of MPI that a rank is in.";
    StateMachineTable { name: "Call", package: "mpi", doc, states: states.leak() }
});

/// The function that a rank is in, as a signal.
pub(super) fn signal() -> Signal {
    let role = SignalRole::Register(Kind::StateMachine(&TABLE));
    let width = TABLE.width();
    Signal { block: String::new(), name: "call", width, word: 0, role, clocks: Edges::all(MOST_CLOCKS) }
}

/// The code of a function; `None` is outside of MPI.
pub(super) fn code(function: Option<&str>) -> u64 {
    let code = TABLE.code(function.unwrap_or(OUTSIDE));
    code.or_else(|| TABLE.code(OTHER)).expect("it is in the table")
}
