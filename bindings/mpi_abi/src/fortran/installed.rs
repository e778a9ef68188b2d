//! Symbols that an installed Fortran library of MPICH (`libmpifort.so.12`, Debian's `libmpichfort.so.12`) takes
//! from the C library, besides the functions of the standard: so `use mpi_f08` works through that library.
#![allow(unsafe_code)]

use crate::arguments::{Memory, Out};
use crate::calls::attribute::{self, Value};
use crate::types::*;

/// Type of a variable that an attribute is read into.
mod kind {
    use crate::types::c_int;

    /// A pointer of C.
    pub const POINTER: c_int = 0;
    /// An INTEGER of Fortran.
    pub const INTEGER: c_int = 3;
}

// SAFETY of all names below: they belong to MPICH, and nothing else in this library has them.

/// Reads an attribute into a variable of a [`kind`]; other kinds are integers as wide as an address.
#[unsafe(no_mangle)]
extern "C" fn MPII_Comm_get_attr(
    on: MPI_Comm,
    key: c_int,
    value: *mut c_void,
    flag: *mut c_int,
    kind: c_int,
) -> c_int {
    let get = || {
        let found = attribute::get(on, keyval_of_fortran(key))?;
        Out::from(flag).set(found.is_some().into())?;
        match (found, kind) {
            (Some(Value::Standard(number)), kind::POINTER) => {
                Memory::from(value).set_word(std::ptr::from_ref(number) as usize)
            }
            (Some(Value::Standard(number)), kind::INTEGER) => {
                Out::from(value.cast::<c_int>()).set(attribute::number(number))
            }
            (Some(Value::Standard(number)), _) => {
                Memory::from(value).set_word(attribute::number(number) as usize)
            }
            (Some(Value::Program(word)), kind::INTEGER) => {
                Out::from(value.cast::<c_int>()).set(word as c_int)
            }
            (Some(Value::Program(word)), _) => Memory::from(value).set_word(word),
            (None, _) => Ok(()),
        }
    };
    crate::leave("MPI_Comm_get_attr", crate::enter("MPI_Comm_get_attr", get))
}

/// Sets an attribute to a word, whatever its kind is.
#[unsafe(no_mangle)]
extern "C" fn MPII_Comm_set_attr(on: MPI_Comm, key: c_int, value: usize, _kind: c_int) -> c_int {
    crate::leave("MPI_Comm_set_attr", crate::enter("MPI_Comm_set_attr", || attribute::set(on, key, value)))
}

/// Words of a status that stands for an ignored one.
type Status = [c_int; MPI_Status::WORDS];

/// `MPI_BOTTOM` of `mpi_f08`, recognized by its address.
#[unsafe(no_mangle)]
static MPIR_F08_MPI_BOTTOM: c_int = 0;
/// `MPI_IN_PLACE` of `mpi_f08`.
#[unsafe(no_mangle)]
static MPIR_F08_MPI_IN_PLACE: c_int = 0;
/// `MPI_STATUS_IGNORE` of `mpi_f08`.
#[unsafe(no_mangle)]
static MPIR_F08_MPI_STATUS_IGNORE_OBJ: Status = [0; MPI_Status::WORDS];
/// `MPI_STATUSES_IGNORE` of `mpi_f08`.
#[unsafe(no_mangle)]
static MPIR_F08_MPI_STATUSES_IGNORE_OBJ: Status = [0; MPI_Status::WORDS];
/// Address of the ignored status of `mpi_f08`, for C.
#[unsafe(no_mangle)]
static MPI_F08_STATUS_IGNORE: &Status = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
/// Address of the ignored statuses of `mpi_f08`, for C.
#[unsafe(no_mangle)]
static MPI_F08_STATUSES_IGNORE: &Status = &MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
