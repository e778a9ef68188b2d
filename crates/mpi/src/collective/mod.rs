//! Collective calls: each is an async function over messages from rank to rank, chosen by size and ranks.
//!
//! Calls of a communicator are made in one order by all its ranks, so their number keeps the messages of one apart from those of the
//! next. A non-blocking call is the same function, which goes on whenever the process is in another call.

mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod broadcast;
mod choice;
mod create;
mod gather;
mod parts;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;

use std::rc::Rc;

pub use choice::{
    Algorithms, Allgather, Allreduce, Alltoall, Broadcast, ChoiceError, Gather, Reduce, ReduceScatter,
};

use crate::communicator::{Communicator, Mode};
use crate::error::Error;
use crate::matching::{Source, Tag};
use crate::operation::Operation;
use crate::request::{Completion, Place, Request};

/// A collective call with the arguments of this rank. All data is packed; counts and results are in bytes, those of several ranks one
/// after the other in the order of ranks.
///
/// What is significant only at the root may be anything elsewhere.
#[derive(Clone, Debug)]
pub enum Collective {
    /// Returns when all have called it.
    Barrier,
    /// What `bytes` is at the root. Elsewhere it is as long.
    Broadcast {
        /// At the root what all get.
        bytes: Vec<u8>,
        /// Who has it.
        root: usize,
    },
    /// All of all, at the root; elsewhere nothing. All give the same number of bytes.
    Gather {
        /// What this rank gives.
        bytes: Vec<u8>,
        /// Who gets it.
        root: usize,
    },
    /// The same of any numbers of bytes.
    Gatherv {
        /// What this rank gives.
        bytes: Vec<u8>,
        /// At the root: how much each gives.
        counts: Vec<usize>,
        /// Who gets it.
        root: usize,
    },
    /// The part of this rank, of what the root has.
    Scatter {
        /// At the root: the parts of all.
        bytes: Vec<u8>,
        /// How long each part is.
        count: usize,
        /// Who has it.
        root: usize,
    },
    /// The same of any numbers of bytes.
    Scatterv {
        /// At the root: the parts of all.
        bytes: Vec<u8>,
        /// At the root: how long each part is.
        counts: Vec<usize>,
        /// How long that of this rank is.
        count: usize,
        /// Who has it.
        root: usize,
    },
    /// All of all, at all. All give the same number of bytes.
    Allgather {
        /// What this rank gives.
        bytes: Vec<u8>,
    },
    /// The same of any numbers of bytes.
    Allgatherv {
        /// What this rank gives.
        bytes: Vec<u8>,
        /// How much each gives.
        counts: Vec<usize>,
    },
    /// What all have for this rank. All parts have the same number of bytes.
    Alltoall {
        /// What this rank has for each.
        bytes: Vec<u8>,
    },
    /// The same of any numbers of bytes; also `MPI_Alltoallw`, whose parts are packed by different datatypes.
    Alltoallv {
        /// What this rank has for each.
        bytes: Vec<u8>,
        /// How much that is.
        sends: Vec<usize>,
        /// How much each has for this rank.
        receives: Vec<usize>,
    },
    /// Operands of all ranks combined, in their order, at the root; elsewhere nothing.
    Reduce {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// What combines them.
        operation: Operation,
        /// Who gets the result.
        root: usize,
    },
    /// The same, at all.
    Allreduce {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// What combines them.
        operation: Operation,
    },
    /// The same; each rank gets its part of the result. Also `MPI_Reduce_scatter_block`, whose counts are equal.
    ReduceScatter {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// How long the part of each is.
        counts: Vec<usize>,
        /// What combines them.
        operation: Operation,
    },
    /// Operands of the ranks up to this one combined.
    Scan {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// What combines them.
        operation: Operation,
    },
    /// Operands of the ranks before this one combined; at the first, nothing.
    Exscan {
        /// Operand of this rank.
        bytes: Vec<u8>,
        /// What combines them.
        operation: Operation,
    },
}

impl Communicator {
    /// Makes a collective call; its result at this rank.
    pub async fn call(&self, call: Collective) -> Result<Vec<u8>, Error> {
        self.check(&call)?;
        let channel = self.channel();
        self.drive(channel.carry_out(call)).await
    }

    /// Begins a collective call. The end of the request has its result.
    pub async fn begin(&self, call: Collective) -> Result<Request, Error> {
        self.check(&call)?;
        let channel = self.channel();
        let end = async move { channel.carry_out(call).await.map(Completion::result) };
        let request = Request::spawn(self.library().clone(), end);
        self.library().turn().await;
        Ok(request)
    }

    /// Waits for all (`MPI_Barrier`).
    pub async fn barrier(&self) -> Result<(), Error> {
        self.call(Collective::Barrier).await.map(|_| ())
    }

    /// Gives all what the root has (`MPI_Bcast`).
    pub async fn broadcast(&self, bytes: Vec<u8>, root: usize) -> Result<Vec<u8>, Error> {
        self.call(Collective::Broadcast { bytes, root }).await
    }

    /// Combines operands of all, for all (`MPI_Allreduce`).
    pub async fn allreduce(&self, bytes: Vec<u8>, operation: Operation) -> Result<Vec<u8>, Error> {
        self.call(Collective::Allreduce { bytes, operation }).await
    }

    /// What the next collective call of this communicator talks over.
    fn channel(&self) -> Channel {
        Channel { communicator: self.clone(), call: self.next_call() }
    }

    /// Whether the arguments of this rank can be.
    fn check(&self, call: &Collective) -> Result<(), Error> {
        let (size, rank) = (self.size(), self.rank());
        let is_root = |root: usize| match root < size {
            true => Ok(root == rank),
            false => Err(Error::Root { rank: root, size }),
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

/// What one collective call talks over: messages that no other call gets.
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
        match call {
            Collective::Barrier => self.barrier().await,
            Collective::Broadcast { bytes, root } => self.broadcast(bytes, root).await,
            Collective::Gather { bytes, root } => self.gather(bytes, root).await,
            Collective::Gatherv { bytes, counts, root } => self.gatherv(bytes, &counts, root).await,
            Collective::Scatter { bytes, count, root } => self.scatter(bytes, count, root).await,
            Collective::Scatterv { bytes, counts, count, root } => {
                self.scatterv(bytes, &counts, count, root).await
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
            Collective::Reduce { bytes, operation, root } => self.reduce(bytes, &operation, root).await,
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

    /// A message of exactly so many bytes.
    async fn receive(&self, from: usize, count: usize) -> Result<Vec<u8>, Error> {
        let bytes = self.begin_receive(from, count)?.end().await?.bytes;
        filled(&bytes, count).map(|()| bytes)
    }

    /// Sends to one and receives from one, at the same time.
    async fn exchange(&self, to: usize, bytes: Vec<u8>, from: usize, count: usize) -> Result<Vec<u8>, Error> {
        let receive = self.begin_receive(from, count)?;
        let send = self.begin_send(to, bytes)?;
        let bytes = receive.end().await?.bytes;
        send.end().await?;
        filled(&bytes, count).map(|()| bytes)
    }

    /// `lower op higher`.
    async fn combine(&self, operation: &Operation, lower: &[u8], higher: Vec<u8>) -> Result<Vec<u8>, Error> {
        self.charge(higher.len());
        let at_work = &self.communicator.library().signs.operations;
        at_work.set(at_work.get() + 1);
        let result = operation.combine(lower, higher).await;
        at_work.set(at_work.get() - 1);
        result
    }

    /// `mine op other`, in the order of their ranks.
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

    /// Copies so many bytes in memory.
    fn charge(&self, bytes: usize) {
        self.communicator.library().charge_bytes(bytes);
    }

    /// The rank so many places behind this one, round.
    fn behind(&self, places: usize) -> usize {
        (self.rank() + places) % self.size()
    }

    /// The rank so many places before this one, round.
    fn before(&self, places: usize) -> usize {
        (self.rank() + self.size() - places % self.size()) % self.size()
    }
}
