//! Error handlers of windows.

use super::{change, read};
use crate::arguments::{Memory, Out};
use crate::calls::error;
use crate::fault::Outcome;
use crate::objects::{HandlerOwner, within};
use crate::types::*;

/// Error handler of a window; that of the standard if the handle is invalid.
pub fn handler(win: MPI_Win) -> MPI_Errhandler {
    read(win, |window| window.handler).unwrap_or(MPI_ERRORS_ARE_FATAL)
}

/// `MPI_Win_create_errhandler`.
pub fn create_errhandler(function: Memory, handler: Out<MPI_Errhandler>) -> Outcome {
    error::create(HandlerOwner::Window, function.address(), handler)
}

/// `MPI_Win_set_errhandler`.
pub fn set_errhandler(win: MPI_Win, handler: MPI_Errhandler) -> Outcome {
    read(win, |_| ())?;
    within(|objects| error::check(objects, handler, HandlerOwner::Window)).map_err(|fault| fault.on(win))?;
    change(win, |window| window.handler = handler)
}

/// `MPI_Win_get_errhandler`.
pub fn get_errhandler(win: MPI_Win, handler: Out<MPI_Errhandler>) -> Outcome {
    handler.set(read(win, |window| window.handler)?)
}

/// `MPI_Win_call_errhandler`.
pub fn call_errhandler(win: MPI_Win, code: c_int) -> Outcome {
    read(win, |_| ())?;
    error::call("MPI_Win_call_errhandler", win, code);
    Ok(())
}
