//! Fortran wrappers written by hand: functions with strings, which have hidden lengths, and functions whose
//! arguments differ from C.
#![allow(unsafe_code)]

use super::{named, rows, take};
use crate::arguments::{Integers, Out, OutText, Text};
use crate::calls::{buffer, communicator, datatype, environment, error_code, external, info, session};
use crate::clock;
use crate::types::*;

fn nothing<T>() -> Out<T> {
    Out::from(std::ptr::null_mut::<T>())
}

fn room(pointer: *mut c_void, length: usize) -> OutText {
    OutText::of_length(pointer.cast(), length)
}

fn text(pointer: *mut c_void, length: usize) -> Text {
    Text::of_length(pointer.cast(), length)
}

fn key(pointer: *mut c_void, length: usize) -> Text {
    Text::of_key(pointer.cast(), length)
}

fn number(pointer: *mut c_void) -> Out<c_int> {
    take::<*mut c_int>(pointer).into()
}

rows! {
    MPI_Init() = environment::init(nothing(), nothing());
    MPI_Init_thread(required, provided) =
        environment::init_thread(nothing(), nothing(), take::<c_int>(required), number(provided));
    MPI_Get_library_version(version, resultlen; length) =
        environment::get_library_version(room(version, length), number(resultlen));
    MPI_Get_processor_name(name, resultlen; length) =
        environment::get_processor_name(room(name, length), number(resultlen));
    MPI_Error_string(errorcode, string, resultlen; length) =
        error_code::error_string(take::<c_int>(errorcode), room(string, length), number(resultlen));
    MPI_Buffer_detach(_buffer_addr, size) = {
        // Fortran cannot receive an address; the program knows its buffer.
        let mut address = 0usize;
        let place = std::ptr::from_mut(&mut address).cast::<c_void>();
        buffer::buffer_detach(place.into(), take::<*mut c_int>(size).into())
    };
    MPI_Comm_get_name(comm, comm_name, resultlen; length) =
        communicator::comm_get_name(take::<MPI_Comm>(comm), room(comm_name, length), number(resultlen));
    MPI_Comm_set_name(comm, comm_name; length) =
        communicator::comm_set_name(take::<MPI_Comm>(comm), text(comm_name, length));
    MPI_Type_get_name(datatype, type_name, resultlen; length) =
        datatype::type_get_name(take::<MPI_Datatype>(datatype), room(type_name, length), number(resultlen));
    MPI_Type_set_name(datatype, type_name; length) =
        datatype::type_set_name(take::<MPI_Datatype>(datatype), text(type_name, length));
    MPI_Group_from_session_pset(session, name, newgroup; length) = session::group_from_session_pset(
        take::<MPI_Session>(session), text(name, length), take::<*mut MPI_Group>(newgroup)
    );
    MPI_Session_get_nth_pset(session, info, n, pset_len, name; length) = {
        // In Fortran the length excludes the terminating zero of C.
        let integers = Integers { of: |length| if length > 0 { length.saturating_add(1) } else { 0 }, value: |length| length - 1 };
        session::session_get_nth_pset(
            take::<MPI_Session>(session), take::<MPI_Info>(info), take::<c_int>(n), Out::integers(pset_len.cast(), integers),
            room(name, length)
        )
    };
    MPI_Session_get_pset_info(session, name, info; length) = session::session_get_pset_info(
        take::<MPI_Session>(session), text(name, length), take::<*mut MPI_Info>(info)
    );
    MPI_Add_error_string(errorcode, string; length) =
        error_code::add_error_string(take::<c_int>(errorcode), text(string, length));
    MPI_Pack_external(datarep, inbuf, incount, datatype, outbuf, outsize, position; length) = external::pack_external(
        text(datarep, length), take::<*const c_void>(inbuf).into(), take::<c_int>(incount).into(),
        take::<MPI_Datatype>(datatype), take::<*mut c_void>(outbuf).into(), take::<MPI_Aint>(outsize).into(),
        take::<*mut MPI_Aint>(position).into()
    );
    MPI_Unpack_external(datarep, inbuf, insize, position, outbuf, outcount, datatype; length) =
        external::unpack_external(
            text(datarep, length), take::<*const c_void>(inbuf).into(), take::<MPI_Aint>(insize).into(),
            take::<*mut MPI_Aint>(position).into(), take::<*mut c_void>(outbuf).into(),
            take::<c_int>(outcount).into(), take::<MPI_Datatype>(datatype)
        );
    MPI_Pack_external_size(datarep, incount, datatype, size; length) = external::pack_external_size(
        text(datarep, length), take::<c_int>(incount).into(), take::<MPI_Datatype>(datatype),
        take::<*mut MPI_Aint>(size).into()
    );
    MPI_Info_create_env(info) = info::info_create_env(0, nothing(), take::<*mut MPI_Info>(info));
    MPI_Info_delete(info, name; length) = info::info_delete(take::<MPI_Info>(info), key(name, length));
    MPI_Info_get(info, name, valuelen, value, flag; name_length, length) = info::info_get(
        take::<MPI_Info>(info), key(name, name_length), take::<c_int>(valuelen), room(value, length), number(flag)
    );
    MPI_Info_get_nthkey(info, n, name; length) =
        info::info_get_nthkey(take::<MPI_Info>(info), take::<c_int>(n), room(name, length));
    MPI_Info_get_string(info, name, buflen, value, flag; name_length, length) = {
        // In Fortran the length excludes the terminating zero of C.
        let integers = Integers { of: |length| length.saturating_add(1), value: |length| length - 1 };
        let buflen = Out::integers(buflen.cast(), integers);
        info::info_get_string(take::<MPI_Info>(info), key(name, name_length), buflen, room(value, length), number(flag))
    };
    MPI_Info_get_valuelen(info, name, valuelen, flag; length) =
        info::info_get_valuelen(take::<MPI_Info>(info), key(name, length), number(valuelen), number(flag));
    MPI_Info_set(info, name, value; name_length, length) =
        info::info_set(take::<MPI_Info>(info), key(name, name_length), key(value, length));
}

/// Functions with a result have no error code.
macro_rules! results {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)? = $does:expr;)*) => {
        $(named! {
            $name($($argument: *mut c_void),*) $(-> $result)? {
                $(let $argument = take::<$kind>($argument);)*
                $does
            }
        })*
    };
}

results! {
    mpi_wtime() -> c_double = clock::read().as_secs_f64();
    mpi_wtick() -> c_double = clock::READ_COST.as_secs_f64();
    mpi_aint_add(base: MPI_Aint, disp: MPI_Aint) -> MPI_Aint = base.wrapping_add(disp);
    mpi_aint_diff(addr1: MPI_Aint, addr2: MPI_Aint) -> MPI_Aint = addr1.wrapping_sub(addr2);
    mpi_pcontrol() = ();
}
