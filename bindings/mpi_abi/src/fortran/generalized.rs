//! Generalized requests in Fortran: callbacks are subroutines, and the extra state is an integer.
#![allow(unsafe_code)]

use super::{rows, take};
use crate::calls::generalized;
use crate::objects::{Generalized, GeneralizedCalls};
use crate::types::*;

type Query = extern "C" fn(&MPI_Aint, *mut MPI_Status, &mut c_int);
type Free = extern "C" fn(&MPI_Aint, &mut c_int);
type Cancel = extern "C" fn(&MPI_Aint, &c_int, &mut c_int);

/// Callbacks of Fortran programs.
static OF_FORTRAN: GeneralizedCalls = GeneralizedCalls { query, free, cancel };

rows! {
    MPI_Grequest_start(query, free, cancel, extra, request) = generalized::start(
        Generalized {
            query: query as usize,
            free: free as usize,
            cancel: cancel as usize,
            extra: take::<MPI_Aint>(extra) as usize,
            calls: &OF_FORTRAN,
        },
        take::<*mut MPI_Request>(request)
    );
}

fn query(function: usize, extra: usize, status: &mut MPI_Status) -> c_int {
    let mut code = MPI_SUCCESS;
    // SAFETY: the program has registered the subroutine as a query callback.
    unsafe { std::mem::transmute::<usize, Query>(function)(&(extra as MPI_Aint), status, &mut code) };
    code
}

fn free(function: usize, extra: usize) -> c_int {
    let mut code = MPI_SUCCESS;
    // SAFETY: as above, as a free callback.
    unsafe { std::mem::transmute::<usize, Free>(function)(&(extra as MPI_Aint), &mut code) };
    code
}

fn cancel(function: usize, extra: usize, complete: bool) -> c_int {
    let mut code = MPI_SUCCESS;
    // SAFETY: as above, as a cancel callback.
    unsafe {
        std::mem::transmute::<usize, Cancel>(function)(&(extra as MPI_Aint), &complete.into(), &mut code);
    }
    code
}
