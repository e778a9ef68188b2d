//! Error handlers of communicators, sessions and files, and those of all objects when they are called.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{error_code, window};
use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome, Target};
use crate::link;
use crate::objects::{Handler, HandlerOwner, Objects, communicator, with, within};
use crate::types::*;

/// A handler of the program: `(object, error code)`.
type Function = unsafe extern "C" fn(*mut c_void, *mut c_int, ...);

/// Error handler of `MPI_FILE_NULL`, which new files inherit; 0 stands for `MPI_ERRORS_RETURN`.
static OF_FILES: AtomicUsize = AtomicUsize::new(0);

/// Calls the error handler for a fault and returns the error code of the function, unless the handler ends
/// the run.
pub fn handle(name: &str, fault: &Fault) -> c_int {
    let (on, handler) = handler_of(fault.on);
    if handler == MPI_ERRORS_RETURN {
        return fault.class;
    }
    match with(|objects| objects.handlers.get(handler).copied()) {
        Ok(Handler { function, .. }) => {
            let mut code = fault.class;
            // SAFETY: the program has registered the function as an error handler for this kind of object; the
            // arguments are those of the standard.
            let call = |object: *mut c_void, code: *mut c_int| unsafe {
                std::mem::transmute::<usize, Function>(function)(object, code);
            };
            match on {
                Target::Communicator(mut on) => call((&raw mut on).cast(), &mut code),
                Target::Session(mut on) => call((&raw mut on).cast(), &mut code),
                Target::Window(mut on) => call((&raw mut on).cast(), &mut code),
                Target::File(mut on) => call((&raw mut on).cast(), &mut code),
                Target::Tool => {}
            }
            code
        }
        _ => link::abort(fault.class, format!("{name}: {}", fault.why)),
    }
}

/// Object and error handler of a fault. Faults without an object belong to `MPI_COMM_SELF` (MPI 5.0, section 9.3), or
/// to `MPI_COMM_WORLD` while the handler of `MPI_COMM_SELF` is the initial one: programs for MPI 3.1 set that of
/// `MPI_COMM_WORLD` alone.
fn handler_of(on: Option<Target>) -> (Target, MPI_Errhandler) {
    let of = |on| communicator(on).map_or(MPI_ERRORS_ARE_FATAL, |found| found.handler);
    let on = on.unwrap_or_else(|| {
        Target::Communicator(match of(MPI_COMM_SELF) == MPI_ERRORS_ARE_FATAL {
            true => MPI_COMM_WORLD,
            false => MPI_COMM_SELF,
        })
    });
    let handler = match on {
        Target::Communicator(on) => of(on),
        Target::Session(on) => with(|objects| objects.sessions.get(on).map(|session| session.handler))
            .unwrap_or(MPI_ERRORS_ARE_FATAL),
        Target::Window(on) => window::error::handler(on),
        Target::Tool => MPI_ERRORS_RETURN,
        Target::File(on) => of_file(on).unwrap_or_else(|_| of_files()),
    };
    (on, handler)
}

/// Error handler of `MPI_FILE_NULL`, which new files inherit.
pub(super) fn of_files() -> MPI_Errhandler {
    match OF_FILES.load(Ordering::Relaxed) {
        0 => MPI_ERRORS_RETURN,
        handler => MPI_Errhandler::of(handler),
    }
}

/// Checks that a handler is predefined or one of the program for this kind of object.
pub(super) fn check(objects: &Objects, handler: MPI_Errhandler, owner: HandlerOwner) -> Outcome {
    if [MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&handler)
        || objects.handlers.get(handler)?.owner == owner
    {
        return Ok(());
    }
    Err(Fault::new(MPI_ERR_ERRHANDLER, "the error handler is one for another kind of object"))
}

/// Creates an error handler for a kind of object. Programs may do so at any time.
pub(super) fn create(owner: HandlerOwner, function: usize, handler: Out<MPI_Errhandler>) -> Outcome {
    if function == 0 {
        return Err(Fault::new(MPI_ERR_ARG, "an error handler is a function"));
    }
    handler.set(with(|objects| objects.handlers.add(Handler { owner, function })))
}

/// Calls an error handler for a code of the program.
pub(super) fn call(name: &str, on: impl Into<Target>, code: c_int) {
    handle(name, &Fault::new(code, error_code::text(code)).on(on));
}

/// `MPI_Comm_set_errhandler`.
pub fn comm_set_errhandler(on: MPI_Comm, handler: MPI_Errhandler) -> Outcome {
    within(|objects| {
        check(objects, handler, HandlerOwner::Communicator)?;
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
    create(HandlerOwner::Communicator, function.map_or(0, |function| function as usize), handler)
}

/// `MPI_Comm_call_errhandler`.
pub fn comm_call_errhandler(on: MPI_Comm, code: c_int) -> Outcome {
    communicator(on)?;
    call("MPI_Comm_call_errhandler", on, code);
    Ok(())
}

/// `MPI_File_create_errhandler`.
pub fn file_create_errhandler(function: Memory, handler: Out<MPI_Errhandler>) -> Outcome {
    create(HandlerOwner::File, function.address(), handler)
}

/// Error handler of a file or of `MPI_FILE_NULL`; an error if the handle is invalid.
fn of_file(on: MPI_File) -> Outcome<MPI_Errhandler> {
    match on {
        MPI_FILE_NULL => Ok(of_files()),
        on => with(|objects| objects.files.get(on).map(|file| file.handler))
            .map_err(|fault| fault.on(MPI_FILE_NULL)),
    }
}

/// `MPI_File_set_errhandler`.
pub fn file_set_errhandler(on: MPI_File, handler: MPI_Errhandler) -> Outcome {
    of_file(on)?;
    with(|objects| {
        check(objects, handler, HandlerOwner::File).map_err(|fault| fault.on(on))?;
        match on {
            MPI_FILE_NULL => OF_FILES.store(handler.value(), Ordering::Relaxed),
            on => objects.files.get_mut(on)?.handler = handler,
        }
        Ok(())
    })
}

/// `MPI_File_get_errhandler`.
pub fn file_get_errhandler(on: MPI_File, handler: Out<MPI_Errhandler>) -> Outcome {
    handler.set(of_file(on)?)
}

/// `MPI_File_call_errhandler`.
pub fn file_call_errhandler(on: MPI_File, code: c_int) -> Outcome {
    of_file(on)?;
    call("MPI_File_call_errhandler", on, code);
    Ok(())
}

/// `MPI_Errhandler_free`. Objects keep a freed handler.
pub fn errhandler_free(handler: Out<MPI_Errhandler>) -> Outcome {
    let freed = handler.get()?;
    if ![MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN].contains(&freed) {
        with(|objects| objects.handlers.get(freed).map(|_| ()))?;
    }
    handler.set(MPI_ERRHANDLER_NULL)
}
