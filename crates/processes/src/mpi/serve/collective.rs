//! Collective operations of a rank as operations of the MPI library.

use std::rc::Rc;

use mpi::{Communicator, Error, Operation, UserFunction};
use serde_bytes::ByteBuf;

use super::{Server, call_error, error, size};
use crate::mpi::call::{Answer, CallError, Collective, Reduction, Root};
use crate::mpi::standard::{ERR_COUNT, ERR_INTERN, standard};
use crate::slot::LONGEST;

impl Server {
    /// The operation of the library for this call.
    pub(super) fn collective(
        &self,
        communicator: &Communicator,
        operation: Collective,
    ) -> Result<mpi::Collective, CallError> {
        Ok(match operation {
            Collective::Barrier => mpi::Collective::Barrier,
            Collective::Broadcast { root, length, bytes } => {
                let is_root = match root {
                    Root::Rank(root) => {
                        communicator.remote_group().is_none() && communicator.rank() == root as usize
                    }
                    Root::Here | Root::Elsewhere => true,
                };
                let bytes = if is_root { bytes.into_vec() } else { zeros(length)? };
                mpi::Collective::Broadcast { bytes, root: library_root(root) }
            }
            Collective::Gather { root, bytes, lengths } => {
                let (bytes, root) = (bytes.into_vec(), library_root(root));
                match lengths {
                    None => mpi::Collective::Gather { bytes, root },
                    Some(lengths) => mpi::Collective::Gatherv { bytes, counts: sizes(lengths), root },
                }
            }
            Collective::Scatter { root, bytes, lengths, own } => {
                let (bytes, count, root) = (bytes.into_vec(), size(own), library_root(root));
                match lengths {
                    None => mpi::Collective::Scatter { bytes, count, root },
                    Some(lengths) => mpi::Collective::Scatterv { bytes, counts: sizes(lengths), count, root },
                }
            }
            Collective::Allgather { bytes, lengths } => all_gather(bytes.into_vec(), lengths)?,
            Collective::Alltoall { bytes, lengths } => all_to_all(bytes.into_vec(), lengths)?,
            Collective::Neighbours { bytes, sends, receives } => {
                neighbours(bytes.into_vec(), sends, receives)?
            }
            Collective::Reduce { root, bytes, reduction } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(reduction)?);
                match root {
                    Some(root) => mpi::Collective::Reduce { bytes, operation, root: library_root(root) },
                    None => mpi::Collective::Allreduce { bytes, operation },
                }
            }
            Collective::ReduceScatter { bytes, lengths, reduction } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(reduction)?);
                mpi::Collective::ReduceScatter { bytes, counts: sizes(lengths), operation }
            }
            Collective::Scan { bytes, inclusive, reduction } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(reduction)?);
                match inclusive {
                    true => mpi::Collective::Scan { bytes, operation },
                    false => mpi::Collective::Exscan { bytes, operation },
                }
            }
        })
    }

    /// The operation of a reduction. A user-defined one is a question to the process, which waits in a call whenever the
    /// simulator runs.
    fn operation(&self, reduction: Reduction) -> Result<Operation, CallError> {
        let (operation, datatype, element, commutative) = match reduction {
            Reduction::Predefined { operation, datatype } => {
                let (operation, kind) = standard(operation, datatype).map_err(call_error)?;
                return Ok(Operation::Predefined(operation, kind));
            }
            Reduction::User { operation, datatype, element, commutative } => {
                (operation, datatype, size(element), commutative)
            }
        };
        let (process, memory, run) = (self.process.clone(), self.memory.clone(), self.run.clone());
        let function: UserFunction = Rc::new(move |first, second| {
            let (process, memory, run) = (process.clone(), memory.clone(), run.clone());
            Box::pin(async move {
                let (first, second) = (ByteBuf::from(first), ByteBuf::from(second));
                let question = Answer::Reduce { operation, datatype, first, second };
                let reduced = process.borrow_mut().reduce(&question, &memory, &mut || run.is_running());
                reduced.map_err(|error| {
                    run.fail(error.into());
                    Error::User(ERR_INTERN)
                })
            })
        });
        Ok(Operation::User { commutative, element, function })
    }
}

/// Allgather, or Allgatherv with the lengths from each rank.
fn all_gather(bytes: Vec<u8>, lengths: Option<Vec<u64>>) -> Result<mpi::Collective, CallError> {
    let Some(lengths) = lengths else { return Ok(mpi::Collective::Allgather { bytes }) };
    check_total(&lengths)?;
    Ok(mpi::Collective::Allgatherv { bytes, counts: sizes(lengths) })
}

/// Alltoall, or Alltoallv with the lengths to and from each rank.
fn all_to_all(bytes: Vec<u8>, lengths: Option<(Vec<u64>, Vec<u64>)>) -> Result<mpi::Collective, CallError> {
    let Some((to, from)) = lengths else { return Ok(mpi::Collective::Alltoall { bytes }) };
    check_total(&from)?;
    Ok(mpi::Collective::Alltoallv { bytes, sends: sizes(to), receives: sizes(from) })
}

/// Exchange with neighbours: ranks with the bytes for each and from each.
fn neighbours(
    bytes: Vec<u8>,
    sends: Vec<(u32, u64)>,
    receives: Vec<(u32, u64)>,
) -> Result<mpi::Collective, CallError> {
    check_total(&receives.iter().map(|(_, length)| *length).collect::<Vec<_>>())?;
    let parts = |parts: Vec<(u32, u64)>| {
        parts.into_iter().map(|(rank, count)| (rank as usize, size(count))).collect()
    };
    Ok(mpi::Collective::Neighbours { bytes, sends: parts(sends), receives: parts(receives) })
}

fn sizes(lengths: Vec<u64>) -> Vec<usize> {
    lengths.into_iter().map(size).collect()
}

fn library_root(root: Root) -> mpi::Root {
    match root {
        Root::Rank(rank) => mpi::Root::Rank(rank as usize),
        Root::Here => mpi::Root::Here,
        Root::Elsewhere => mpi::Root::Elsewhere,
    }
}

/// An error if all parts together exceed the longest message.
fn check_total(lengths: &[u64]) -> Result<(), CallError> {
    let total = lengths.iter().fold(0u64, |all, length| all.saturating_add(*length));
    if total > LONGEST { Err(too_long()) } else { Ok(()) }
}

fn too_long() -> CallError {
    error(ERR_COUNT, "more bytes than a message can have")
}

/// A buffer of `length` zeros, unless it exceeds the longest message.
fn zeros(length: u64) -> Result<Vec<u8>, CallError> {
    match length <= LONGEST {
        true => Ok(vec![0; size(length)]),
        false => Err(too_long()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_have_the_longest_message_together() {
        for (lengths, fits) in [
            (&[][..], true),
            (&[LONGEST], true),
            (&[LONGEST + 1], false),
            (&[LONGEST - 1, 1], true),
            (&[LONGEST, 1], false),
            (&[u64::MAX, 1], false),
        ] {
            assert_eq!(
                check_total(lengths).map_err(|error| error.class),
                if fits { Ok(()) } else { Err(ERR_COUNT) }
            );
        }
    }

    #[test]
    fn buffer_is_as_long_as_a_message_at_most() {
        assert_eq!(zeros(3), Ok(vec![0; 3]));
        assert_eq!(zeros(LONGEST + 1).unwrap_err().class, ERR_COUNT);
    }
}
