//! Attributes in Fortran: values are integers and callbacks are subroutines.
#![allow(unsafe_code)]

use super::{named, rows, take, tell};
use crate::arguments::{Out, OutNumber};
use crate::calls::attribute::{self, Value};
use crate::fault::Outcome;
use crate::objects::{Calls, Copied, Key, Owner};
use crate::types::*;

/// Copy callback: `(communicator, key, extra, value, new value, flag, error code)`, all by reference.
type Copy = extern "C" fn(&c_int, &c_int, &MPI_Aint, &MPI_Aint, &mut MPI_Aint, &mut c_int, &mut c_int);
/// Delete callback: `(communicator, key, value, extra, error code)`, all by reference.
type Delete = extern "C" fn(&c_int, &c_int, &MPI_Aint, &MPI_Aint, &mut c_int);

/// Callbacks of Fortran programs.
static OF_FORTRAN: Calls = Calls { copy, delete };

rows! {
    MPI_Comm_create_keyval(copy, delete, keyval, extra) = create(Owner::Communicator, copy, delete, keyval, take::<MPI_Aint>(extra));
    MPI_Comm_set_attr(comm, keyval, value) = set(comm, keyval, take::<MPI_Aint>(value));
    MPI_Comm_get_attr(comm, keyval, value, flag) = get(comm, keyval, flag, |word| OutNumber::from(take::<*mut MPI_Aint>(value)).set(word));
    MPI_Type_create_keyval(copy, delete, keyval, extra) =
        create(Owner::Datatype, copy, delete, keyval, take::<MPI_Aint>(extra));
    MPI_Type_set_attr(datatype, keyval, value) = attribute::set(
        take::<MPI_Datatype>(datatype), take::<c_int>(keyval), take::<MPI_Aint>(value) as usize
    );
    MPI_Type_get_attr(datatype, keyval, value, flag) = {
        let found = attribute::get_stored(take::<MPI_Datatype>(datatype), take::<c_int>(keyval))?;
        Out::from(take::<*mut c_int>(flag)).set(found.is_some().into())?;
        found.map_or(Ok(()), |word| OutNumber::from(take::<*mut MPI_Aint>(value)).set(word as i64))
    };
    // Names of MPI 1, with values of 4 bytes.
    MPI_Keyval_create(copy, delete, keyval, extra) = create(Owner::Communicator, copy, delete, keyval, take::<c_int>(extra) as MPI_Aint);
    MPI_Attr_put(comm, keyval, value) = set(comm, keyval, take::<c_int>(value) as MPI_Aint);
    MPI_Attr_get(comm, keyval, value, flag) = get(comm, keyval, flag, |word| Out::from(take::<*mut c_int>(value)).set(word as c_int));
}

pub(super) fn create(
    owner: Owner,
    copy: *mut c_void,
    delete: *mut c_void,
    keyval: *mut c_void,
    extra: MPI_Aint,
) -> Outcome {
    let [copy, delete, extra] = [copy as usize, delete as usize, extra as usize];
    attribute::create(
        Key { owner, copy, delete, extra, calls: &OF_FORTRAN, uses: 0, freed: false },
        take::<*mut c_int>(keyval).into(),
    )
}

fn set(comm: *mut c_void, keyval: *mut c_void, value: MPI_Aint) -> Outcome {
    attribute::set(take::<MPI_Comm>(comm), take::<c_int>(keyval), value as usize)
}

fn get(comm: *mut c_void, keyval: *mut c_void, flag: *mut c_void, put: impl Fn(i64) -> Outcome) -> Outcome {
    let found = attribute::get(take::<MPI_Comm>(comm), keyval_of_fortran(take::<c_int>(keyval)))?;
    Out::from(take::<*mut c_int>(flag)).set(found.is_some().into())?;
    match found {
        Some(Value::Standard(number)) => put(attribute::number(number).into()),
        Some(Value::Program(word)) => put(word as i64),
        None => Ok(()),
    }
}

fn copy(function: usize, on: usize, key: c_int, extra: usize, value: usize) -> Copied {
    // SAFETY: the program has registered the subroutine as a copy callback.
    let copy: Copy = unsafe { std::mem::transmute(function) };
    let (mut new, mut flag, mut code) = (0, 0, MPI_SUCCESS);
    copy(&(on as c_int), &key, &(extra as MPI_Aint), &(value as MPI_Aint), &mut new, &mut flag, &mut code);
    (code, (flag != 0).then_some(new as usize))
}

fn delete(function: usize, on: usize, key: c_int, value: usize, extra: usize) -> c_int {
    // SAFETY: as above.
    let delete: Delete = unsafe { std::mem::transmute(function) };
    let mut code = MPI_SUCCESS;
    delete(&(on as c_int), &key, &(value as MPI_Aint), &(extra as MPI_Aint), &mut code);
    code
}

/// Predefined callbacks: copy nothing, copy the value, and delete nothing.
macro_rules! predefined {
    ($($nothing:ident $duplicate:ident $delete:ident: $kind:ty;)*) => {
        $(
            named! {
                $nothing(
                    _on: *mut c_void, _key: *mut c_void, _extra: *mut c_void, _value: *mut c_void, _new: *mut c_void, flag: *mut c_int,
                    ierror: *mut c_int
                ) {
                    Out::from(flag).offer(0);
                    tell(ierror, MPI_SUCCESS);
                }
            }

            named! {
                $duplicate(
                    _on: *mut c_void, _key: *mut c_void, _extra: *mut c_void, value: *mut c_void, new: *mut c_void, flag: *mut c_int,
                    ierror: *mut c_int
                ) {
                    Out::from(take::<*mut $kind>(new)).offer(take::<$kind>(value));
                    Out::from(flag).offer(1);
                    tell(ierror, MPI_SUCCESS);
                }
            }

            named! {
                $delete(
                    _on: *mut c_void, _key: *mut c_void, _value: *mut c_void, _extra: *mut c_void, ierror: *mut c_int
                ) {
                    tell(ierror, MPI_SUCCESS);
                }
            }
        )*
    };
}

predefined! {
    mpi_comm_null_copy_fn mpi_comm_dup_fn mpi_comm_null_delete_fn: MPI_Aint;
    mpi_type_null_copy_fn mpi_type_dup_fn mpi_type_null_delete_fn: MPI_Aint;
    mpi_win_null_copy_fn mpi_win_dup_fn mpi_win_null_delete_fn: MPI_Aint;
    mpi_null_copy_fn mpi_dup_fn mpi_null_delete_fn: c_int;
}
