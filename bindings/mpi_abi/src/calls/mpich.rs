//! Functions of the MPICH ABI alone: functions that MPI 3.0 removed, and conversion of statuses for Fortran.

use crate::arguments::{List, Numbers, Out, OutNumbers};
use crate::fault::Outcome;
use crate::objects::any_datatype;
use crate::types::*;

/// `MPI_Type_extent`.
pub fn type_extent(kind: MPI_Datatype, extent: Out<MPI_Aint>) -> Outcome {
    extent.set(any_datatype(kind)?.layout.extent() as MPI_Aint)
}

/// `MPI_Type_lb`.
pub fn type_lb(kind: MPI_Datatype, lower: Out<MPI_Aint>) -> Outcome {
    lower.set(any_datatype(kind)?.layout.lower() as MPI_Aint)
}

/// `MPI_Type_ub`.
pub fn type_ub(kind: MPI_Datatype, upper: Out<MPI_Aint>) -> Outcome {
    let layout = any_datatype(kind)?.layout;
    upper.set(layout.lower().wrapping_add(layout.extent()) as MPI_Aint)
}

/// `MPI_Status_c2f`: both layouts have the same words.
pub fn status_c2f(from: List<MPI_Status>, to: OutNumbers) -> Outcome {
    to.set(from.list(1)?[0].words().map(i64::from))
}

/// `MPI_Status_f2c`.
pub fn status_f2c(from: Numbers, to: Out<MPI_Status>) -> Outcome {
    let words = from.list(MPI_Status::WORDS)?;
    to.set(MPI_Status::of(std::array::from_fn(|index| words[index] as c_int)))
}

/// `MPIX_GPU_query_support`: no kind of accelerator is supported.
pub fn gpu_query_support(_kind: c_int, supported: Out<c_int>) -> Outcome {
    supported.set(0)
}
