//! Operations of reductions: predefined ones by number, and callbacks of the program.
#![allow(unsafe_code)]

use processes::mpi::call::Reduction;

use crate::arguments::{Memory, Number, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{Combine, Operation, Type, any_datatype, datatype, fault, number, numbered, within};
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
    within(|objects| objects.operations.remove(freed))?;
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

/// Combines packed elements with a callback of the program; the result replaces the second operand.
pub fn combine(operation: u32, kind: u32, first: &[u8], second: Vec<u8>) -> Outcome<Vec<u8>> {
    let found = within(|objects| objects.operations.get(numbered(operation)).copied())?;
    let kind = any_datatype(datatype_of_number(kind).unwrap_or_else(|| numbered(kind)))?;
    let count = second.len() / (kind.layout.size().max(1) as usize);
    let (mut one, mut other) = (Elements::new(&kind, count)?, Elements::new(&kind, count)?);
    one.fill(&kind, count, first)?;
    other.fill(&kind, count, &second)?;
    call(found.combine, one.address(), other.address(), count, kind.handle)?;
    kind.pack(Memory::from(other.address()), count)
}

/// Memory for the elements of a datatype, laid out as the datatype describes.
struct Elements {
    words: Vec<u128>,
    /// Byte offset of the first element.
    origin: i64,
}

impl Elements {
    fn new(kind: &Type, count: usize) -> Outcome<Self> {
        let span = kind.layout.span(count as u64).map_err(fault)?;
        // The origin is a multiple of 16 bytes, so elements are aligned like those of the program.
        let before = (-span.begin).max(0).unsigned_abs().next_multiple_of(16) as usize;
        let bytes = before + span.end.max(0) as usize;
        let mut words = Vec::new();
        let room = words.try_reserve_exact(bytes.div_ceil(16));
        room.map_err(|_| Fault::new(MPI_ERR_NO_MEM, "there is no memory for operands"))?;
        words.resize(bytes.div_ceil(16), 0);
        Ok(Elements { words, origin: before as i64 })
    }

    fn address(&mut self) -> *mut c_void {
        self.words.as_mut_ptr().cast::<u8>().wrapping_add(self.origin as usize).cast()
    }

    fn fill(&mut self, kind: &Type, count: usize, bytes: &[u8]) -> Outcome {
        kind.unpack(Memory::from(self.address()), count, bytes)
    }
}

/// Calls a user function of the program.
fn call(
    function: Combine,
    first: *mut c_void,
    second: *mut c_void,
    count: usize,
    mut kind: MPI_Datatype,
) -> Outcome {
    let large = || Fault::new(MPI_ERR_COUNT, "more elements than a C int counts");
    // SAFETY: the program has registered the function as an operation; it combines `count` elements of
    // `kind`, which both buffers hold.
    match function {
        Combine::Small(Some(function)) => {
            let mut count = c_int::try_from(count).map_err(|_| large())?;
            unsafe { function(first, second, &mut count, &mut kind) };
        }
        Combine::Large(Some(function)) => {
            let mut count = count as MPI_Count;
            unsafe { function(first, second, &mut count, &mut kind) };
        }
        Combine::Small(None) | Combine::Large(None) => {}
    }
    Ok(())
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
