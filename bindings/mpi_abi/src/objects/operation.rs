//! User-defined operations of a rank: callbacks of the program that combine elements.
#![allow(unsafe_code)]

use super::{Type, fault, numbered, used_datatype, within};
use crate::arguments::Memory;
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// A user-defined reduction function.
#[derive(Clone, Copy)]
pub enum Combine {
    /// Takes counts of 32 bits.
    Small(MPI_User_function),
    /// Takes counts of 64 bits.
    Large(MPI_User_function_c),
}

/// A user-defined operation.
#[derive(Clone, Copy)]
pub struct Operation {
    /// Function that combines elements.
    pub combine: Combine,
    /// Whether the operation commutes.
    pub commutative: bool,
}

/// Combines packed elements with a callback of the program; the result replaces the second operand.
pub fn combine(operation: u32, kind: u32, first: &[u8], second: Vec<u8>) -> Outcome<Vec<u8>> {
    let found = within(|objects| objects.operations.used(numbered(operation)).copied())?;
    let kind = used_datatype(datatype_of_number(kind).unwrap_or_else(|| numbered(kind)))?;
    let count = second.len() / (kind.layout.size().max(1) as usize);
    // An algorithm may leave a rank no element. Callbacks that know their length do not look at the count.
    if count == 0 {
        return Ok(second);
    }
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
