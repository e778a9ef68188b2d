//! Subroutines of MPI 1 that MPI 3.0 removed, with addresses in INTEGERs of 4 bytes.

use super::{rows, take};
use crate::arguments::{Memory, Number, OutNumber};
use crate::calls::{datatype, error};
use crate::fault::{Fault, Outcome};
use crate::types::*;

rows! {
    MPI_Address(location, address) = narrow(Memory::from(take::<*const c_void>(location)).address() as i64, address);
    MPI_Errhandler_create(function, errhandler) =
        error::comm_create_errhandler(take::<MPI_Comm_errhandler_function>(function), take::<*mut MPI_Errhandler>(errhandler));
    MPI_Errhandler_get(comm, errhandler) =
        error::comm_get_errhandler(take::<MPI_Comm>(comm), take::<*mut MPI_Errhandler>(errhandler));
    MPI_Errhandler_set(comm, errhandler) =
        error::comm_set_errhandler(take::<MPI_Comm>(comm), take::<MPI_Errhandler>(errhandler));
    MPI_Type_extent(datatype, extent) = span(take::<MPI_Datatype>(datatype), |_, extent| extent, extent);
    MPI_Type_lb(datatype, displacement) = span(take::<MPI_Datatype>(datatype), |lower, _| lower, displacement);
    MPI_Type_ub(datatype, displacement) =
        span(take::<MPI_Datatype>(datatype), |lower, extent| lower.wrapping_add(extent), displacement);
    MPI_Type_hvector(count, blocklength, stride, oldtype, newtype) = datatype::type_create_hvector(
        integer(count), integer(blocklength), integer(stride), take::<MPI_Datatype>(oldtype), take::<*mut MPI_Datatype>(newtype)
    );
    MPI_Type_hindexed(count, lengths, places, oldtype, newtype) = datatype::type_create_hindexed(
        integer(count), take::<*const c_int>(lengths).into(), take::<*const c_int>(places).into(), take::<MPI_Datatype>(oldtype),
        take::<*mut MPI_Datatype>(newtype)
    );
    MPI_Type_struct(count, lengths, places, kinds, newtype) = datatype::type_create_struct(
        integer(count), take::<*const c_int>(lengths).into(), take::<*const c_int>(places).into(),
        take::<*const MPI_Datatype>(kinds), take::<*mut MPI_Datatype>(newtype)
    );
}

fn integer(pointer: *mut c_void) -> Number {
    take::<c_int>(pointer).into()
}

/// Stores a value computed from lower bound and extent of a datatype.
fn span(kind: MPI_Datatype, of: fn(i64, i64) -> i64, to: *mut c_void) -> Outcome {
    let (mut lower, mut extent) = (0, 0);
    datatype::type_get_extent(kind, OutNumber::from(&raw mut lower), OutNumber::from(&raw mut extent))?;
    narrow(of(lower, extent), to)
}

/// Stores a distance in an INTEGER; an error if it does not fit.
fn narrow(distance: i64, to: *mut c_void) -> Outcome {
    let fits = c_int::try_from(distance);
    let too_far = |_| {
        Fault::new(
            MPI_ERR_ARG,
            "an address that no INTEGER holds: MPI_GET_ADDRESS and the other names of MPI 2 have room",
        )
    };
    OutNumber::from(take::<*mut c_int>(to)).set(fits.map_err(too_far)?.into())
}
