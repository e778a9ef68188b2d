//! Operations of reductions (MPI 5.0, section 6.9).

use super::functions;
use crate::calls::operation;
use crate::types::*;

functions! {
    MPI_Op_commutative(op: MPI_Op, commute: *mut c_int) = operation::op_commutative;
    MPI_Op_create(user_fn: MPI_User_function, commute: c_int, op: *mut MPI_Op) = operation::op_create;
    MPI_Op_create_c(user_fn: MPI_User_function_c, commute: c_int, op: *mut MPI_Op) = operation::op_create;
    MPI_Op_free(op: *mut MPI_Op) = operation::op_free;
    MPI_Reduce_local[_c](
        inbuf: *const c_void, inoutbuf: *mut c_void, count: Count, datatype: MPI_Datatype, op: MPI_Op
    ) = operation::reduce_local;
}
