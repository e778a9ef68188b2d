//! Collective operations of a rank, as those of the library.

use std::rc::Rc;

use mpi::{Communicator, Error, Operation, UserFunction};
use serde_bytes::ByteBuf;

use super::{Server, failure, size, wrong};
use crate::mpi::call::{Answer, Collective, Combination, Failure};
use crate::mpi::standard::standard;
use crate::slot::LONGEST;

impl Server {
    /// The operation that a rank asks for.
    pub(super) fn collective(&self, on: &Communicator, what: Collective) -> Result<mpi::Collective, Failure> {
        let sizes = |lengths: Vec<u64>| lengths.into_iter().map(size).collect::<Vec<_>>();
        Ok(match what {
            Collective::Barrier => mpi::Collective::Barrier,
            Collective::Broadcast { root, length, bytes } => {
                let root = root as usize;
                let bytes = match on.rank() == root {
                    true => bytes.into_vec(),
                    false => zeros(length)?,
                };
                mpi::Collective::Broadcast { bytes, root }
            }
            Collective::Gather { root, bytes, lengths } => {
                let (bytes, root) = (bytes.into_vec(), root as usize);
                match lengths {
                    None => mpi::Collective::Gather { bytes, root },
                    Some(lengths) => mpi::Collective::Gatherv { bytes, counts: sizes(lengths), root },
                }
            }
            Collective::Scatter { root, bytes, lengths, own } => {
                let (bytes, count, root) = (bytes.into_vec(), size(own), root as usize);
                match lengths {
                    None => mpi::Collective::Scatter { bytes, count, root },
                    Some(lengths) => mpi::Collective::Scatterv { bytes, counts: sizes(lengths), count, root },
                }
            }
            Collective::GatherAll { bytes, lengths } => match lengths {
                None => mpi::Collective::Allgather { bytes: bytes.into_vec() },
                Some(lengths) => {
                    mpi::Collective::Allgatherv { bytes: bytes.into_vec(), counts: sizes(lengths) }
                }
            },
            Collective::ToAll { bytes, lengths } => match lengths {
                None => mpi::Collective::Alltoall { bytes: bytes.into_vec() },
                Some((to, from)) => {
                    zeros(from.iter().fold(0, |all, length| all.saturating_add(*length)))?;
                    let (sends, receives) = (sizes(to), sizes(from));
                    mpi::Collective::Alltoallv { bytes: bytes.into_vec(), sends, receives }
                }
            },
            Collective::Reduce { root, bytes, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                match root {
                    Some(root) => mpi::Collective::Reduce { bytes, operation, root: root as usize },
                    None => mpi::Collective::Allreduce { bytes, operation },
                }
            }
            Collective::ReduceScatter { bytes, lengths, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                mpi::Collective::ReduceScatter { bytes, counts: sizes(lengths), operation }
            }
            Collective::Scan { bytes, inclusive, how } => {
                let (bytes, operation) = (bytes.into_vec(), self.operation(how)?);
                match inclusive {
                    true => mpi::Collective::Scan { bytes, operation },
                    false => mpi::Collective::Exscan { bytes, operation },
                }
            }
        })
    }

    /// An operation; one of the program is a call of its process, which waits in a call of its own whenever anybody here runs.
    fn operation(&self, how: Combination) -> Result<Operation, Failure> {
        let (operation, datatype, element, commutative) = match how {
            Combination::Standard { operation, datatype } => {
                let (operation, kind) = standard(operation, datatype).map_err(failure)?;
                return Ok(Operation::Predefined(operation, kind));
            }
            Combination::Program { operation, datatype, element, commutative } => {
                (operation, datatype, size(element), commutative)
            }
        };
        let (process, run) = (self.process.clone(), self.run.clone());
        let function: UserFunction = Rc::new(move |first, second| {
            let (process, run) = (process.clone(), run.clone());
            Box::pin(async move {
                let (first, second) = (ByteBuf::from(first), ByteBuf::from(second));
                let asked = Answer::Combine { operation, datatype, first, second };
                let combined = process.borrow_mut().combine(&asked, &mut || run.goes_on());
                combined.map_err(|ended| {
                    run.end(ended.into());
                    Error::User(17)
                })
            })
        });
        Ok(Operation::User { commutative, element, function })
    }
}

/// So many zeros, if a message can have them.
fn zeros(length: u64) -> Result<Vec<u8>, Failure> {
    match length <= LONGEST {
        true => Ok(vec![0; size(length)]),
        false => Err(wrong(2, "more bytes than a message can have")),
    }
}
