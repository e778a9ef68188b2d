//! Operations of reductions: predefined ones by number, and callbacks of the program.

use processes::mpi::call::Reduction;

use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{Combine, Operation, Type, combine, datatype, fault, number, within};
use crate::types::*;

/// `MPI_Op_create`.
pub fn op_create(function: Function, commutes: c_int, operation: Out<MPI_Op>) -> Outcome {
    let combine = function.0.ok_or_else(|| Fault::new(MPI_ERR_ARG, "an operation is a function"))?;
    let made = Operation { combine, commutative: commutes != 0 };
    operation.set(within(|objects| Ok(objects.operations.add(made)))?)
}

/// A user function with a count of either size, or null.
pub struct Function(Option<Combine>);

impl From<MPI_User_function> for Function {
    fn from(function: MPI_User_function) -> Self {
        Function(function.map(|_| Combine::Small(function)))
    }
}

impl From<MPI_User_function_c> for Function {
    fn from(function: MPI_User_function_c) -> Self {
        Function(function.map(|_| Combine::Large(function)))
    }
}

/// `MPI_Op_free`.
pub fn op_free(operation: Out<MPI_Op>) -> Outcome {
    let freed = operation.get()?;
    within(|objects| objects.operations.free(freed))?;
    operation.set(MPI_OP_NULL)
}

/// `MPI_Op_commutative`: all predefined operations commute except `MPI_REPLACE` and `MPI_NO_OP`.
pub fn op_commutative(operation: MPI_Op, commutes: Out<c_int>) -> Outcome {
    commutes.set(match number_of_operation(operation) {
        Some(_) => (operation != MPI_REPLACE && operation != MPI_NO_OP).into(),
        None => within(|objects| Ok(objects.operations.get(operation)?.commutative))?.into(),
    })
}

/// Combination of elements of a datatype by an operation.
pub(super) fn combination(operation: MPI_Op, kind: &Type) -> Outcome<Reduction> {
    if let Some(operation) = number_of_operation(operation) {
        let datatype = number_of_datatype(kind.handle).ok_or_else(|| {
            Fault::new(MPI_ERR_OP, "operations of the standard are for datatypes of the standard")
        })?;
        return Ok(Reduction::Predefined { operation, datatype });
    }
    let found = within(|objects| objects.operations.get(operation).copied())?;
    Ok(Reduction::User {
        operation: number(operation),
        datatype: number_of_datatype(kind.handle).unwrap_or_else(|| number(kind.handle)),
        element: kind.layout.size(),
        commutative: found.commutative,
    })
}

/// `MPI_Reduce_local`.
pub fn reduce_local(first: Memory, second: Memory, count: Number, kind: MPI_Datatype, by: MPI_Op) -> Outcome {
    let (count, kind) = (count.count()?, datatype(kind)?);
    let (one, mut other) = (kind.pack(first, count)?, kind.pack(second, count)?);
    match combination(by, &kind)? {
        Reduction::Predefined { operation, datatype } => {
            let (operation, kind) = processes::mpi::standard(operation, datatype).map_err(fault)?;
            operation.combine(kind, &one, &mut other).map_err(fault)?;
        }
        Reduction::User { operation, datatype, .. } => other = combine(operation, datatype, &one, other)?,
    }
    kind.unpack(second, count, &other)
}
