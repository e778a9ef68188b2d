//! Error handlers of windows.
#![allow(unsafe_code)]

use super::{change, read};
use crate::arguments::{Memory, Out};
use crate::calls::error;
use crate::fault::{Fault, Outcome};
use crate::objects::within;
use crate::types::*;

/// Error handler of a window; that of the standard if the handle is invalid.
pub fn handler(win: MPI_Win) -> MPI_Errhandler {
    read(win, |window| window.handler).unwrap_or(MPI_ERRORS_ARE_FATAL)
}

/// `MPI_Win_create_errhandler`. Handlers of windows and communicators get the address of a handle, so one table
/// holds both.
pub fn create_errhandler(function: Memory, handler: Out<MPI_Errhandler>) -> Outcome {
    if function.address() == 0 {
        return Err(Fault::new(MPI_ERR_ARG, "an error handler is a function"));
    }
    // SAFETY: the program passes a function of two pointers; handles of all types have one representation.
    let function: MPI_Comm_errhandler_function = unsafe { std::mem::transmute(function.address()) };
    handler.set(within(|objects| Ok(objects.handlers.add(function)))?)
}

/// `MPI_Win_set_errhandler`.
pub fn set_errhandler(win: MPI_Win, handler: MPI_Errhandler) -> Outcome {
    read(win, |_| ())?;
    if ![MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&handler) {
        let known = within(|objects| objects.handlers.get(handler).map(|_| ()));
        known.map_err(|fault| fault.on_window(win))?;
    }
    change(win, |window| window.handler = handler)
}

/// `MPI_Win_get_errhandler`.
pub fn get_errhandler(win: MPI_Win, handler: Out<MPI_Errhandler>) -> Outcome {
    handler.set(read(win, |window| window.handler)?)
}

/// `MPI_Win_call_errhandler`.
pub fn call_errhandler(win: MPI_Win, code: c_int) -> Outcome {
    read(win, |_| ())?;
    let fault = Fault::new(code, error::text(code)).on_window(win);
    error::handle("MPI_Win_call_errhandler", &fault);
    Ok(())
}
