//! Accesses with the shared file pointer in the order of ranks (MPI 5.0, section 14.4.4).

use super::collective::{class_word, exchange};
use super::position;
use super::transfer::{self, Buffer, Direction};
use crate::fault::{Fault, Outcome};
use crate::objects::OpenFile;
use crate::types::*;

/// Carries out an access in all ranks. A rank with wrong arguments accesses no data, and the others do.
pub(super) fn run(direction: Direction, file: &OpenFile, buffer: Outcome<Buffer>) -> Outcome<MPI_Status> {
    let sized = buffer.and_then(|buffer| buffer.etypes(file).map(|etypes| (buffer, etypes)));
    let own = sized.as_ref().map_or(0, |(_, etypes)| *etypes);
    let all = exchange(file.communicator, &[own])?;
    let sum = |ranks: &[Vec<i64>]| ranks.iter().try_fold(0i64, |sum, words| sum.checked_add(words[0]));
    // All ranks have come, so no other access moves the pointer.
    let moved = if file.rank == 0 { advance(file, sum(&all)) } else { Ok(0) };
    let first = exchange(file.communicator, &[class_word(&moved), moved.as_ref().copied().unwrap_or(0)])?;
    let (class, base) = (first[0][0], first[0][1]);
    moved?;
    if class != 0 {
        return Err(Fault::new(class as c_int, "rank 0 of the file could not move the shared file pointer"));
    }
    let (buffer, _) = sized?;
    let offset = sum(&all[..file.rank]).and_then(|before| base.checked_add(before)).ok_or_else(beyond)?;
    transfer::run(direction, file, offset, &buffer)
}

/// Moves the shared file pointer by the etypes of all ranks. Returns where it was.
fn advance(file: &OpenFile, etypes: Option<i64>) -> Outcome<i64> {
    let base = position::shared(file)?;
    let behind = etypes.and_then(|etypes| base.checked_add(etypes)).ok_or_else(beyond)?;
    position::set_shared(file, behind)?;
    Ok(base)
}

fn beyond() -> Fault {
    Fault::new(MPI_ERR_ARG, "the shared file pointer is beyond any file")
}
