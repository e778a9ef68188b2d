//! Collective calls: async functions over point-to-point messages, with algorithms chosen by size and number
//! of ranks.
//!
//! All ranks of a communicator make its collective calls in the same order. The number of a call keeps its
//! messages apart from those of other calls. A non-blocking call runs the same function, which progresses
//! during the other calls of the process.

mod agree;
mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod between;
mod broadcast;
mod create;
mod gather;
mod intercommunicator;
mod neighbours;
mod parts;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;

use std::rc::Rc;

pub use crate::algorithms::{
    Algorithms, Allgather, Allreduce, Alltoall, Broadcast, ChoiceError, Gather, Reduce, ReduceScatter,
};

pub use create::Duplicate;
pub use intercommunicator::Peer;

use crate::communicator::{Communicator, Mode};
use crate::completion::{Completion, Place};
use crate::error::Error;
use crate::matching::{Source, Tag};
use crate::operation::Operation;
use crate::request::Request;

/// Root of a collective call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A rank; in an intercommunicator one of the remote group.
    Rank(usize),
    /// This process, whose data moves to or from the remote group (`MPI_ROOT`).
    Here,
    /// Another process of the local group (`MPI_PROC_NULL`): this one takes no part.
    Elsewhere,
}

impl From<usize> for Root {
    fn from(rank: usize) -> Self {
        Root::Rank(rank)
    }
}

impl Root {
    /// Root of a call within a group.
    fn rank(self) -> Result<usize, Error> {
        match self {
            Root::Rank(rank) => Ok(rank),
            Root::Here | Root::Elsewhere => Err(Error::NoRank),
        }
    }
}

/// A collective call with the arguments of this rank. All data is packed. Counts and results are in bytes;
/// results of several ranks are concatenated in the order of ranks.
///
/// Arguments that are significant only at the root are ignored elsewhere.
///
/// In an intercommunicator each group contributes data, and the other group gets the result; with a root, one
/// group contributes and the other gets the result (MPI 4.1, section 6.2.2). Counts of parts to be received
/// are those of the remote group. At the root of a gather or reduction only the length of `bytes` counts.
#[derive(Clone, Debug)]
pub enum Collective {
    /// Returns when all ranks have entered the call.
    Barrier,
    /// Returns the `bytes` of the root. Other ranks pass a buffer of the same length.
    Broadcast {
        /// At the root, the data of the broadcast.
        bytes: Vec<u8>,
        /// Rank that has the data.
        root: Root,
    },
    /// Returns the parts of all ranks at the root, nothing elsewhere. All parts have the same length.
    Gather {
        /// Part of this rank.
        bytes: Vec<u8>,
        /// Rank that receives all parts.
        root: Root,
    },
    /// Gather of parts with different lengths.
    Gatherv {
        /// Part of this rank.
        bytes: Vec<u8>,
        /// At the root, bytes of each rank's part.
        counts: Vec<usize>,
        /// Rank that receives all parts.
        root: Root,
    },
    /// Returns the part of this rank of the data of the root.
    Scatter {
        /// At the root, the parts of all ranks.
        bytes: Vec<u8>,
        /// Bytes of each part.
        count: usize,
        /// Rank that has the data.
        root: Root,
    },
    /// Scatter of parts with different lengths.
    Scatterv {
        /// At the root, the parts of all ranks.
        bytes: Vec<u8>,
        /// At the root, bytes of each part.
        counts: Vec<usize>,
        /// Bytes of this rank's part.
        count: usize,
        /// Rank that has the data.
        root: Root,
    },
    /// Returns the parts of all ranks at every rank. All parts have the same length.
    Allgather {
        /// Part of this rank.
        bytes: Vec<u8>,
    },
    /// Allgather of parts with different lengths.
    Allgatherv {
        /// Part of this rank.
        bytes: Vec<u8>,
        /// Bytes of each rank's part.
        counts: Vec<usize>,
    },
    /// Returns the parts that all ranks have for this rank. All parts have the same length.
    Alltoall {
        /// Parts of this rank for every rank.
        bytes: Vec<u8>,
    },
    /// All-to-all of parts with different lengths; also `MPI_Alltoallw`, whose parts are packed with
    /// different datatypes.
    Alltoallv {
        /// Parts of this rank for every rank.
        bytes: Vec<u8>,
        /// Bytes of this rank's part for each rank.
        sends: Vec<usize>,
        /// Bytes of each rank's part for this rank.
        receives: Vec<usize>,
    },
    /// Sends parts to neighbours and returns the parts of neighbours, in the order of `receives`. A rank may occur several
    /// times; its parts match in order.
    Neighbours {
        /// Parts of this rank, in the order of `sends`.
        bytes: Vec<u8>,
        /// Receivers, and bytes for each.
        sends: Vec<(usize, usize)>,
        /// Senders, and bytes from each.
        receives: Vec<(usize, usize)>,
    },
    /// Returns the operands of all ranks combined in rank order at the root, nothing elsewhere.
    Reduce {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// Operation that combines the operands.
        operation: Operation,
        /// Rank that receives the result.
        root: Root,
    },
    /// Reduction whose result is returned at every rank.
    Allreduce {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// Operation that combines the operands.
        operation: Operation,
    },
    /// Reduction that returns one part of the result at each rank; also `MPI_Reduce_scatter_block`, with
    /// equal counts.
    ReduceScatter {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// Bytes of each rank's part.
        counts: Vec<usize>,
        /// Operation that combines the operands.
        operation: Operation,
    },
    /// Returns the operands of the ranks up to and including this one combined.
    Scan {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// Operation that combines the operands.
        operation: Operation,
    },
    /// Returns the operands of the ranks before this one combined; nothing at rank 0.
    Exscan {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// Operation that combines the operands.
        operation: Operation,
    },
}

impl Collective {
    /// Name of its function in MPI.
    fn name(&self) -> &'static str {
        match self {
            Collective::Barrier => "MPI_Barrier",
            Collective::Broadcast { .. } => "MPI_Bcast",
            Collective::Gather { .. } => "MPI_Gather",
            Collective::Gatherv { .. } => "MPI_Gatherv",
            Collective::Scatter { .. } => "MPI_Scatter",
            Collective::Scatterv { .. } => "MPI_Scatterv",
            Collective::Allgather { .. } => "MPI_Allgather",
            Collective::Allgatherv { .. } => "MPI_Allgatherv",
            Collective::Alltoall { .. } => "MPI_Alltoall",
            Collective::Alltoallv { .. } => "MPI_Alltoallv",
            Collective::Neighbours { .. } => "MPI_Neighbor_alltoallv",
            Collective::Reduce { .. } => "MPI_Reduce",
            Collective::Allreduce { .. } => "MPI_Allreduce",
            Collective::ReduceScatter { .. } => "MPI_Reduce_scatter",
            Collective::Scan { .. } => "MPI_Scan",
            Collective::Exscan { .. } => "MPI_Exscan",
        }
    }
}

impl Communicator {
    /// Makes a collective call and returns its result at this rank.
    pub async fn call(&self, call: Collective) -> Result<Vec<u8>, Error> {
        let _told = self.host().call(call.name());
        self.check(&call)?;
        let channel = self.channel();
        self.drive(channel.carry_out(call)).await
    }

    /// Begins a collective call. The completion of the request has its result.
    pub async fn begin(&self, call: Collective) -> Result<Request, Error> {
        let _told = self.host().call(call.name());
        self.check(&call)?;
        let channel = self.channel();
        let end = async move { channel.carry_out(call).await.map(Completion::result) };
        let request = Request::spawn(self.library().clone(), end);
        self.library().turn().await;
        Ok(request)
    }

    /// Waits until all ranks have entered the barrier (`MPI_Barrier`).
    pub async fn barrier(&self) -> Result<(), Error> {
        self.call(Collective::Barrier).await.map(|_| ())
    }

    /// Waits until all ranks have called it and all messages of this process have left (`MPI_Finalize`).
    pub async fn finalize(&self) -> Result<(), Error> {
        let _call = self.host().call("MPI_Finalize");
        self.barrier().await?;
        self.drain().await;
        Ok(())
    }

    /// Waits until all messages of this process have left.
    pub async fn drain(&self) {
        self.library().drain().await;
    }

    /// Returns the data of the root at every rank (`MPI_Bcast`).
    pub async fn broadcast(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        self.call(Collective::Broadcast { bytes, root: root.into() }).await
    }

    /// Combines the operands of all ranks and returns the result at every rank (`MPI_Allreduce`).
    pub async fn allreduce(&self, bytes: Vec<u8>, operation: Operation) -> Result<Vec<u8>, Error> {
        self.call(Collective::Allreduce { bytes, operation }).await
    }

    /// Channel of the next collective call of this communicator.
    fn channel(&self) -> Channel {
        Channel { communicator: self.clone(), call: self.next_call() }
    }

    /// Checks the arguments of this rank.
    fn check(&self, call: &Collective) -> Result<(), Error> {
        if let Some(remote) = self.remote_group() {
            return self.check_between(call, remote.size());
        }
        let (size, rank) = (self.size(), self.rank());
        let is_root = |root: Root| match root.rank()? {
            root if root < size => Ok(root == rank),
            root => Err(Error::Root { rank: root, size }),
        };
        let parts = |bytes: &[u8], counts: &[usize]| match counts.len() == size {
            true => filled(bytes, parts::total(counts)?),
            false => Err(Error::Argument("there is a count for each rank")),
        };
        match call {
            Collective::Barrier | Collective::Allgather { .. } => Ok(()),
            Collective::Broadcast { root, .. } | Collective::Gather { root, .. } => {
                is_root(*root).map(|_| ())
            }
            Collective::Gatherv { bytes, counts, root } => match is_root(*root)? {
                true if counts.len() != size => Err(Error::Argument("there is a count for each rank")),
                true => parts::total(counts).and_then(|_| filled(bytes, counts[rank])),
                false => Ok(()),
            },
            Collective::Scatter { bytes, count, root } => match is_root(*root)? {
                true => filled(bytes, count.checked_mul(size).ok_or(Error::Count(usize::MAX))?),
                false => Ok(()),
            },
            Collective::Scatterv { bytes, counts, root, .. } => match is_root(*root)? {
                true => parts(bytes, counts),
                false => Ok(()),
            },
            Collective::Allgatherv { bytes, counts } => match counts.len() == size {
                true => parts::total(counts).and_then(|_| filled(bytes, counts[rank])),
                false => Err(Error::Argument("there is a count for each rank")),
            },
            Collective::Alltoall { bytes } => match bytes.len().is_multiple_of(size) {
                true => Ok(()),
                false => Err(Error::Argument("all parts are of one length")),
            },
            Collective::Alltoallv { bytes, sends, receives } => match receives.len() == size {
                true => parts::total(receives).and_then(|_| parts(bytes, sends)),
                false => Err(Error::Argument("there is a count for each rank")),
            },
            Collective::Neighbours { bytes, sends, receives } => {
                neighbours::check(size, bytes, sends, receives)
            }
            Collective::Reduce { bytes, operation, root } => {
                is_root(*root)?;
                operation.check(bytes.len())
            }
            Collective::Allreduce { bytes, operation }
            | Collective::Scan { bytes, operation }
            | Collective::Exscan { bytes, operation } => operation.check(bytes.len()),
            Collective::ReduceScatter { bytes, counts, operation } => {
                parts(bytes, counts)?;
                counts.iter().try_for_each(|count| operation.check(*count))
            }
        }
    }
}

fn filled(bytes: &[u8], need: usize) -> Result<(), Error> {
    match bytes.len() == need {
        true => Ok(()),
        false => Err(Error::Buffer { have: bytes.len(), need }),
    }
}

/// Messages of one collective call, which no other call receives.
struct Channel {
    communicator: Communicator,
    call: u32,
}

impl Channel {
    fn rank(&self) -> usize {
        self.communicator.rank()
    }

    fn size(&self) -> usize {
        self.communicator.size()
    }

    fn algorithms(&self) -> &Algorithms {
        &self.communicator.library().options.algorithms
    }

    async fn carry_out(&self, call: Collective) -> Result<Vec<u8>, Error> {
        if self.communicator.remote_group().is_some() {
            return self.carry_out_between(call).await;
        }
        match call {
            Collective::Barrier => self.barrier().await,
            Collective::Broadcast { bytes, root } => self.broadcast(bytes, root.rank()?).await,
            Collective::Gather { bytes, root } => self.gather(bytes, root.rank()?).await,
            Collective::Gatherv { bytes, counts, root } => self.gatherv(bytes, &counts, root.rank()?).await,
            Collective::Scatter { bytes, count, root } => self.scatter(bytes, count, root.rank()?).await,
            Collective::Scatterv { bytes, counts, count, root } => {
                self.scatterv(bytes, &counts, count, root.rank()?).await
            }
            Collective::Allgather { bytes } => {
                let counts = vec![bytes.len(); self.size()];
                self.allgather(bytes, &counts).await
            }
            Collective::Allgatherv { bytes, counts } => self.allgather(bytes, &counts).await,
            Collective::Alltoall { bytes } => self.alltoall(bytes).await,
            Collective::Alltoallv { bytes, sends, receives } => {
                self.alltoallv(bytes, &sends, &receives).await
            }
            Collective::Neighbours { bytes, sends, receives } => {
                self.neighbours(bytes, &sends, &receives).await
            }
            Collective::Reduce { bytes, operation, root } => {
                self.reduce(bytes, &operation, root.rank()?).await
            }
            Collective::Allreduce { bytes, operation } => self.allreduce(bytes, &operation).await,
            Collective::ReduceScatter { bytes, counts, operation } => {
                self.reduce_scatter(bytes, &counts, &operation).await
            }
            Collective::Scan { bytes, operation } => {
                self.scan(bytes, &operation).await.map(|(_, with_own)| with_own)
            }
            Collective::Exscan { bytes, operation } => {
                self.scan(bytes, &operation).await.map(|(before, _)| before.unwrap_or_default())
            }
        }
    }

    fn begin_send(&self, to: usize, bytes: Vec<u8>) -> Result<Rc<Place>, Error> {
        let context = self.communicator.collective_context();
        self.communicator.post_send(context, Mode::Standard, to, self.call, bytes)
    }

    fn begin_receive(&self, from: usize, most: usize) -> Result<Rc<Place>, Error> {
        let context = self.communicator.collective_context();
        self.communicator.post_receive(context, Source::Rank(from), Tag::Is(self.call), most)
    }

    async fn send(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error> {
        self.begin_send(to, bytes)?.end().await.map(|_| ())
    }

    /// Receives a message of exactly `count` bytes.
    async fn receive(&self, from: usize, count: usize) -> Result<Vec<u8>, Error> {
        let bytes = self.begin_receive(from, count)?.end().await?.bytes;
        filled(&bytes, count).map(|()| bytes)
    }

    /// Sends to one rank and receives from another at the same time.
    async fn exchange(&self, to: usize, bytes: Vec<u8>, from: usize, count: usize) -> Result<Vec<u8>, Error> {
        let receive = self.begin_receive(from, count)?;
        let send = self.begin_send(to, bytes)?;
        let bytes = receive.end().await?.bytes;
        send.end().await?;
        filled(&bytes, count).map(|()| bytes)
    }

    /// Computes `lower op higher`.
    async fn combine(&self, operation: &Operation, lower: &[u8], higher: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.charge(higher.len());
        let at_work = &self.communicator.library().signs.operations;
        at_work.set(at_work.get() + 1);
        let result = operation.combine(lower, higher).await;
        at_work.set(at_work.get() - 1);
        result
    }

    /// Combines the operand of this rank with that of `rank`, in the order of ranks.
    async fn combine_with(
        &self,
        operation: &Operation,
        mine: Vec<u8>,
        rank: usize,
        other: Vec<u8>,
    ) -> Result<Vec<u8>, Error> {
        match rank < self.rank() {
            true => self.combine(operation, &other, mine).await,
            false => self.combine(operation, &mine, other).await,
        }
    }

    /// Charges the time to copy `bytes` in memory.
    fn charge(&self, bytes: usize) {
        self.communicator.library().charge_bytes(bytes);
    }

    /// Rank `places` after this one, modulo the number of ranks.
    fn behind(&self, places: usize) -> usize {
        (self.rank() + places) % self.size()
    }

    /// Rank `places` before this one, modulo the number of ranks.
    fn before(&self, places: usize) -> usize {
        (self.rank() + self.size() - places % self.size()) % self.size()
    }
}
