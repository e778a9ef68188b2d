//! Windows in Fortran: names have hidden lengths, attributes are integers and callbacks are subroutines.
#![allow(unsafe_code)]

use super::{rows, take, tell};
use crate::arguments::{Out, OutNumber, OutText, Text};
use crate::calls::window::attribute;
use crate::calls::window::{get_name, set_name};
use crate::fault::Outcome;
use crate::objects::WindowKey;
use crate::types::*;

/// Delete callback: `(window, key, value, extra, error code)`, all by reference.
type Delete = extern "C" fn(&c_int, &c_int, &MPI_Aint, &MPI_Aint, &mut c_int);

rows! {
    MPI_Win_get_name(win, win_name, resultlen; length) = get_name(
        take::<MPI_Win>(win), OutText::of_length(win_name.cast(), length), take::<*mut c_int>(resultlen).into()
    );
    MPI_Win_set_name(win, win_name; length) =
        set_name(take::<MPI_Win>(win), Text::of_length(win_name.cast(), length));
    MPI_Win_create_keyval(_copy, delete, keyval, extra) = {
        let (delete, extra) = (delete as usize, take::<MPI_Aint>(extra) as usize);
        attribute::create(WindowKey { delete, extra, call, is_freed: false }, take::<*mut c_int>(keyval).into())
    };
    MPI_Win_set_attr(win, keyval, value) =
        attribute::set(take::<MPI_Win>(win), take::<c_int>(keyval), take::<MPI_Aint>(value) as usize);
    MPI_Win_get_attr(win, keyval, value, flag) = get(win, keyval, value, flag);
}

// SAFETY of all names below: the standard defines them for Fortran, and no other function of this library has
// them.

/// `MPI_WIN_NULL_COPY_FN`, which nothing calls: windows are never duplicated.
#[unsafe(no_mangle)]
extern "C" fn mpi_win_null_copy_fn_() {}

/// `MPI_WIN_DUP_FN`, which nothing calls.
#[unsafe(no_mangle)]
extern "C" fn mpi_win_dup_fn_() {}

/// `MPI_WIN_NULL_DELETE_FN`.
#[unsafe(no_mangle)]
extern "C" fn mpi_win_null_delete_fn_(
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    ierror: *mut c_int,
) {
    tell(ierror, MPI_SUCCESS);
}

fn get(win: *mut c_void, keyval: *mut c_void, value: *mut c_void, flag: *mut c_void) -> Outcome {
    let found = attribute::get(take::<MPI_Win>(win), take::<c_int>(keyval))?;
    Out::from(take::<*mut c_int>(flag)).set(found.is_some().into())?;
    match found {
        Some(found) => OutNumber::from(take::<*mut MPI_Aint>(value)).set(found.integer),
        None => Ok(()),
    }
}

fn call(function: usize, win: MPI_Win, key: c_int, value: usize, extra: usize) -> c_int {
    // SAFETY: the program has registered the subroutine as a delete callback.
    let delete: Delete = unsafe { std::mem::transmute(function) };
    let mut code = MPI_SUCCESS;
    delete(&(win.value() as c_int), &key, &(value as MPI_Aint), &(extra as MPI_Aint), &mut code);
    code
}
