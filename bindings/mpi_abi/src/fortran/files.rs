//! Fortran wrappers of functions on files that have strings.
#![allow(unsafe_code)]

use super::{rows, take};
use crate::arguments::{Memory, OutText, Text};
use crate::calls::file::{open, representation, view};
use crate::types::*;

fn text(pointer: *mut c_void, length: usize) -> Text {
    Text::of_length(pointer.cast(), length)
}

rows! {
    MPI_File_open(comm, filename, amode, info, fh; length) = open::file_open(
        take::<MPI_Comm>(comm), text(filename, length), take::<c_int>(amode), take::<MPI_Info>(info),
        take::<*mut MPI_File>(fh)
    );
    MPI_File_delete(filename, info; length) = open::file_delete(text(filename, length), take::<MPI_Info>(info));
    MPI_File_set_view(fh, disp, etype, filetype, datarep, info; length) = view::file_set_view(
        take::<MPI_File>(fh), take::<MPI_Offset>(disp), take::<MPI_Datatype>(etype), take::<MPI_Datatype>(filetype),
        text(datarep, length), take::<MPI_Info>(info)
    );
    MPI_File_get_view(fh, disp, etype, filetype, datarep; length) = view::file_get_view(
        take::<MPI_File>(fh), take::<*mut MPI_Offset>(disp).into(), take::<*mut MPI_Datatype>(etype),
        take::<*mut MPI_Datatype>(filetype), OutText::of_length(datarep.cast(), length)
    );
    MPI_Register_datarep(datarep, read, write, extent, state; length) = representation::register_datarep(
        text(datarep, length), conversion(read), conversion(write), extent.into(), state.into()
    );
}

/// Conversion function of a representation, null for `MPI_CONVERSION_FN_NULL`.
fn conversion(function: *mut c_void) -> Memory {
    let is_null = std::ptr::eq(function, mpi_conversion_fn_null_ as *const c_void);
    if is_null { std::ptr::null_mut::<c_void>().into() } else { function.into() }
}

// SAFETY: the standard defines the name for Fortran, and no other function of this library has it.
/// `MPI_CONVERSION_FN_NULL`, which is never called.
#[unsafe(no_mangle)]
extern "C" fn mpi_conversion_fn_null_() {}
