//! Error handlers and error codes.
#![allow(unsafe_code)]

use super::window;
use crate::arguments::{Out, OutText};
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{communicator, within};
use crate::types::*;

/// Calls the error handler for a fault and returns the error code of the function, unless the handler ends
/// the run.
pub fn handle(name: &str, fault: &Fault) -> c_int {
    let (on, handler) = match fault.window {
        // A user function gets the address of the handle, whatever its type.
        Some(win) => (MPI_Comm::of(win.value()), window::error::handler(win)),
        None => handler_of(fault.on),
    };
    if handler == MPI_ERRORS_RETURN {
        return fault.class;
    }
    match within(|objects| objects.handlers.get(handler).copied()) {
        Ok(Some(function)) => {
            let (mut on, mut code) = (on, fault.class);
            // SAFETY: the program has registered the function as an error handler; the arguments are those of
            // the standard.
            unsafe { function(&mut on, &mut code) };
            code
        }
        _ => link::abort(fault.class, format!("{name}: {}", fault.why)),
    }
}

/// Communicator and error handler of a fault. Faults without a communicator belong to `MPI_COMM_SELF` (MPI
/// 5.0, section 9.3), or to `MPI_COMM_WORLD` while the handler of `MPI_COMM_SELF` is the initial one: programs
/// for MPI 3.1 set that of `MPI_COMM_WORLD` alone.
fn handler_of(on: Option<MPI_Comm>) -> (MPI_Comm, MPI_Errhandler) {
    let handler = |on| communicator(on).map_or(MPI_ERRORS_ARE_FATAL, |found| found.handler);
    let on = on.unwrap_or(match handler(MPI_COMM_SELF) == MPI_ERRORS_ARE_FATAL {
        true => MPI_COMM_WORLD,
        false => MPI_COMM_SELF,
    });
    (on, handler(on))
}

/// `MPI_Comm_set_errhandler`.
pub fn comm_set_errhandler(on: MPI_Comm, handler: MPI_Errhandler) -> Outcome {
    within(|objects| {
        if ![MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&handler) {
            objects.handlers.get(handler)?;
        }
        objects.communicators.get_mut(on)?.handler = handler;
        Ok(())
    })
}

/// `MPI_Comm_get_errhandler`.
pub fn comm_get_errhandler(on: MPI_Comm, handler: Out<MPI_Errhandler>) -> Outcome {
    handler.set(communicator(on)?.handler)
}

/// `MPI_Comm_create_errhandler`.
pub fn comm_create_errhandler(
    function: MPI_Comm_errhandler_function,
    handler: Out<MPI_Errhandler>,
) -> Outcome {
    if function.is_none() {
        return Err(Fault::new(MPI_ERR_ARG, "an error handler is a function"));
    }
    handler.set(within(|objects| Ok(objects.handlers.add(function)))?)
}

/// `MPI_Comm_call_errhandler`.
pub fn comm_call_errhandler(on: MPI_Comm, code: c_int) -> Outcome {
    let fault = Fault::new(code, text(code)).on(on);
    handle("MPI_Comm_call_errhandler", &fault);
    Ok(())
}

/// `MPI_Errhandler_free`. Communicators keep a freed handler.
pub fn errhandler_free(handler: Out<MPI_Errhandler>) -> Outcome {
    let freed = handler.get()?;
    if ![MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&freed) {
        within(|objects| objects.handlers.get(freed).map(|_| ()))?;
    }
    handler.set(MPI_ERRHANDLER_NULL)
}

/// `MPI_Error_class`: error codes and error classes are equal.
pub fn error_class(code: c_int, class: Out<c_int>) -> Outcome {
    class.set(code)
}

/// `MPI_Error_string`.
pub fn error_string(code: c_int, string: OutText, length: Out<c_int>) -> Outcome {
    length.set(string.set(&text(code), MPI_MAX_ERROR_STRING as usize)? as c_int)
}

/// Name of an error class.
pub(super) fn text(code: c_int) -> String {
    let is = |constant: &&Constant| {
        constant.value == i64::from(code)
            && (constant.name.starts_with("MPI_ERR_") || constant.name == "MPI_SUCCESS")
    };
    let known = all().find(|constant| constant.kind.is_empty() && is(constant));
    known.map_or_else(|| format!("error {code}"), |constant| constant.name.to_owned())
}
