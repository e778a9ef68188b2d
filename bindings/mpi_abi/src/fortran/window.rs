//! Windows in Fortran: names have hidden lengths, and attributes are integers.

use super::attributes::create;
use super::{rows, take};
use crate::arguments::{Out, OutNumber, OutText, Text};
use crate::calls::window::attribute;
use crate::calls::window::{get_name, set_name};
use crate::fault::Outcome;
use crate::objects::Owner;
use crate::types::*;

rows! {
    MPI_Win_get_name(win, win_name, resultlen; length) = get_name(
        take::<MPI_Win>(win), OutText::of_length(win_name.cast(), length), take::<*mut c_int>(resultlen).into()
    );
    MPI_Win_set_name(win, win_name; length) =
        set_name(take::<MPI_Win>(win), Text::of_length(win_name.cast(), length));
    MPI_Win_create_keyval(copy, delete, keyval, extra) =
        create(Owner::Window, copy, delete, keyval, take::<MPI_Aint>(extra));
    MPI_Win_set_attr(win, keyval, value) =
        crate::calls::attribute::set(take::<MPI_Win>(win), take::<c_int>(keyval), take::<MPI_Aint>(value) as usize);
    MPI_Win_get_attr(win, keyval, value, flag) = get(win, keyval, value, flag);
}

fn get(win: *mut c_void, keyval: *mut c_void, value: *mut c_void, flag: *mut c_void) -> Outcome {
    let found = attribute::get(take::<MPI_Win>(win), take::<c_int>(keyval))?;
    Out::from(take::<*mut c_int>(flag)).set(found.is_some().into())?;
    match found {
        Some(found) => OutNumber::from(take::<*mut MPI_Aint>(value)).set(found.integer),
        None => Ok(()),
    }
}
