//! Symbols of `libmpi.so.12` that the standard ABI lacks: functions that MPI 3.0 removed, extensions,
//! conversions of Fortran handles, and data.
//!
//! Programs linked with MPICH import them. They are not in the generated headers and page, because such
//! programs are compiled with MPICH's own headers.
#![allow(unsafe_code)]

use super::{functions, symbols};
use crate::arguments::Out;
use crate::calls::{datatype, error, mpich, pack};
use crate::types::*;

functions! {
    MPI_Address(location: *mut c_void, address: *mut MPI_Aint) = pack::get_address;
    MPI_Errhandler_create(
        comm_errhandler_fn: MPI_Comm_errhandler_function, errhandler: *mut MPI_Errhandler
    ) = error::comm_create_errhandler;
    MPI_Errhandler_get(comm: MPI_Comm, errhandler: *mut MPI_Errhandler) = error::comm_get_errhandler;
    MPI_Errhandler_set(comm: MPI_Comm, errhandler: MPI_Errhandler) = error::comm_set_errhandler;
    MPI_Status_c2f(c_status: *const MPI_Status, f_status: *mut c_int) = mpich::status_c2f;
    MPI_Status_f2c(f_status: *const c_int, c_status: *mut MPI_Status) = mpich::status_f2c;
    MPI_Type_extent(datatype: MPI_Datatype, extent: *mut MPI_Aint) = mpich::type_extent;
    MPI_Type_hindexed(
        count: c_int, array_of_blocklengths: *mut c_int, array_of_displacements: *mut MPI_Aint, oldtype: MPI_Datatype, newtype: *mut
        MPI_Datatype
    ) = datatype::type_create_hindexed;
    MPI_Type_hvector(
        count: c_int, blocklength: c_int, stride: MPI_Aint, oldtype: MPI_Datatype, newtype: *mut MPI_Datatype
    ) = datatype::type_create_hvector;
    MPI_Type_lb(datatype: MPI_Datatype, displacement: *mut MPI_Aint) = mpich::type_lb;
    MPI_Type_struct(
        count: c_int, array_of_blocklengths: *mut c_int, array_of_displacements: *mut MPI_Aint, array_of_types: *mut MPI_Datatype,
        newtype: *mut MPI_Datatype
    ) = datatype::type_create_struct;
    MPI_Type_ub(datatype: MPI_Datatype, displacement: *mut MPI_Aint) = mpich::type_ub;
    // Extensions.
    MPIX_Comm_agree(comm: MPI_Comm, flag: *mut c_int);
    MPIX_Comm_failure_ack(comm: MPI_Comm);
    MPIX_Comm_failure_get_acked(comm: MPI_Comm, failedgrp: *mut MPI_Group);
    MPIX_Comm_revoke(comm: MPI_Comm);
    MPIX_Comm_shrink(comm: MPI_Comm, newcomm: *mut MPI_Comm);
    MPIX_GPU_query_support(gpu_type: c_int, is_supported: *mut c_int) = mpich::gpu_query_support;
}

symbols! { MPIX_Query_cuda_support() -> c_int { NO_ACCELERATOR } }
symbols! { MPIX_Query_hip_support() -> c_int { NO_ACCELERATOR } }
symbols! { MPIX_Query_ze_support() -> c_int { NO_ACCELERATOR } }

/// Answer of queries for a kind of accelerator.
const NO_ACCELERATOR: c_int = 0;

/// Conversions between handles and Fortran integers, which keep the value.
pub mod fortran {
    use crate::table::integers;
    use crate::types::*;

    integers! {
        MPI_Comm_c2f, MPI_Comm_f2c: MPI_Comm;
        MPI_Errhandler_c2f, MPI_Errhandler_f2c: MPI_Errhandler;
        MPI_File_c2f, MPI_File_f2c: MPI_File;
        MPI_Group_c2f, MPI_Group_f2c: MPI_Group;
        MPI_Info_c2f, MPI_Info_f2c: MPI_Info;
        MPI_Message_c2f, MPI_Message_f2c: MPI_Message;
        MPI_Op_c2f, MPI_Op_f2c: MPI_Op;
        MPI_Request_c2f, MPI_Request_f2c: MPI_Request;
        MPI_Session_c2f, MPI_Session_f2c: MPI_Session;
        MPI_Type_c2f, MPI_Type_f2c: MPI_Datatype;
        MPI_Win_c2f, MPI_Win_f2c: MPI_Win;
    }
}

// SAFETY of all names below: they belong to MPICH, and nothing else in this library has them.

/// Callback behind `MPI_COMM_DUP_FN` in MPICH: copies the value.
#[unsafe(no_mangle)]
extern "C" fn MPIR_Dup_fn(
    _on: MPI_Comm,
    _key: c_int,
    _extra: usize,
    value: usize,
    new: *mut usize,
    flag: *mut c_int,
) -> c_int {
    let copied = Out::from(new).set(value).and_then(|()| Out::from(flag).set(1));
    copied.map_or_else(|fault| fault.class, |()| MPI_SUCCESS)
}

/// Target of `MPI_UNWEIGHTED` and `MPI_WEIGHTS_EMPTY`, which are recognized by their addresses.
static NO_WEIGHTS: [c_int; 2] = [0; 2];

/// `MPI_UNWEIGHTED`.
#[unsafe(no_mangle)]
static MPI_UNWEIGHTED: &c_int = &NO_WEIGHTS[0];
/// `MPI_WEIGHTS_EMPTY`.
#[unsafe(no_mangle)]
static MPI_WEIGHTS_EMPTY: &c_int = &NO_WEIGHTS[1];
/// Target of `MPI_T_PVAR_ALL_HANDLES`, which is recognized by its address.
static ALL_HANDLES: c_int = 0;
/// `MPI_T_PVAR_ALL_HANDLES`.
#[unsafe(no_mangle)]
static MPI_T_PVAR_ALL_HANDLES: &c_int = &ALL_HANDLES;

/// Address of `MPI_T_PVAR_ALL_HANDLES`.
pub fn all_handles() -> usize {
    std::ptr::from_ref(&ALL_HANDLES) as usize
}

/// Address that `MPI_UNWEIGHTED` is in C.
pub fn unweighted() -> usize {
    std::ptr::from_ref(MPI_UNWEIGHTED) as usize
}

/// Address that `MPI_WEIGHTS_EMPTY` is in C.
pub fn weights_empty() -> usize {
    std::ptr::from_ref(MPI_WEIGHTS_EMPTY) as usize
}

/// `MPI_F_STATUS_IGNORE`, which MPICH's Fortran library would set.
#[unsafe(no_mangle)]
static MPI_F_STATUS_IGNORE: usize = 0;
/// `MPI_F_STATUSES_IGNORE`.
#[unsafe(no_mangle)]
static MPI_F_STATUSES_IGNORE: usize = 0;
