//! The MPI function that a thread is in.

use std::cell::Cell;

thread_local! {
    static FUNCTION: Cell<&'static str> = const { Cell::new("MPI_Init") };
}

/// Name of the MPI function that this thread is in.
pub fn name() -> &'static str {
    FUNCTION.get()
}

/// Sets the name of the MPI function that this thread is in.
pub fn set_name(name: &'static str) {
    FUNCTION.set(name);
}
