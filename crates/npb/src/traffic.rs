//! The world of a kernel: its calls of MPI are counted by their size, its partners by name.

use std::cell::RefCell;
use std::collections::BTreeSet;

use cluster::{Duration, Time};
use mpi::{Collective, Communicator, Operation, Predefined, Source, Tag};

use crate::error::Error;
use crate::packed::{Number, pack, unpack};

/// Calls and partners of a rank in a whole run, its preparation and verification included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Sends, receives and collective calls with data, by their bytes: below each of [`LIMITS`], and the
    /// others. The bytes of a receive are those of its buffer, as a tracer of calls sees them.
    pub calls: [u64; 4],
    /// Ranks to which this rank sends messages of its own.
    pub partners: usize,
}

/// Limits between classes of sizes, in bytes (thesis of DIMMnet-2, table 2.1).
pub const LIMITS: [usize; 3] = [2 << 10, 16 << 10, 1 << 20];

/// A communicator that counts.
pub(crate) struct World<'a> {
    communicator: &'a Communicator,
    /// Calls by their bytes, and the ranks to which messages went.
    counted: RefCell<([u64; 4], BTreeSet<usize>)>,
}

impl<'a> World<'a> {
    pub fn new(communicator: &'a Communicator) -> World<'a> {
        World { communicator, counted: RefCell::default() }
    }

    pub fn rank(&self) -> usize {
        self.communicator.rank()
    }

    pub fn size(&self) -> usize {
        self.communicator.size()
    }

    pub fn now(&self) -> Time {
        self.communicator.now()
    }

    pub async fn compute(&self, time: Duration) {
        self.communicator.compute(time).await;
    }

    pub async fn barrier(&self) -> Result<(), Error> {
        Ok(self.communicator.barrier().await?)
    }

    /// Sends numbers to one rank and receives at most `most` from another, or the same one.
    pub async fn exchange<N: Number>(
        &self,
        (to, from): (usize, usize),
        tag: u32,
        numbers: &[N],
        most: usize,
    ) -> Result<Vec<N>, Error> {
        let (bytes, source) = (pack(numbers), (Source::Rank(from), Tag::Is(tag)));
        self.count(bytes.len());
        self.count(most * N::BYTES);
        self.counted.borrow_mut().1.insert(to);
        let got = self.communicator.exchange((to, tag), bytes, source, most * N::BYTES).await?;
        Ok(unpack(&got.bytes))
    }

    /// Sends numbers to a rank.
    pub async fn send<N: Number>(&self, to: usize, tag: u32, numbers: &[N]) -> Result<(), Error> {
        let bytes = pack(numbers);
        self.count(bytes.len());
        self.counted.borrow_mut().1.insert(to);
        Ok(self.communicator.send(to, tag, &bytes).await?)
    }

    /// Receives at most `most` numbers from a rank.
    pub async fn receive<N: Number>(&self, from: usize, tag: u32, most: usize) -> Result<Vec<N>, Error> {
        self.count(most * N::BYTES);
        let got = self.communicator.receive(Source::Rank(from), Tag::Is(tag), most * N::BYTES).await?;
        Ok(unpack(&got.bytes))
    }

    /// Combines numbers of all ranks.
    pub async fn allreduce<N: Number>(&self, numbers: &[N], by: Predefined) -> Result<Vec<N>, Error> {
        let (bytes, by) = (pack(numbers), Operation::Predefined(by, N::KIND));
        self.count(bytes.len());
        Ok(unpack(&self.communicator.allreduce(bytes, by).await?))
    }

    /// All numbers of all ranks.
    pub async fn allgather<N: Number>(&self, numbers: &[N]) -> Result<Vec<N>, Error> {
        let bytes = pack(numbers);
        self.count(bytes.len());
        Ok(unpack(&self.communicator.call(Collective::Allgather { bytes }).await?))
    }

    /// Sends an equal share of the numbers to each rank.
    pub async fn alltoall<N: Number>(&self, numbers: &[N]) -> Result<Vec<N>, Error> {
        let bytes = pack(numbers);
        self.count(bytes.len());
        Ok(unpack(&self.communicator.call(Collective::Alltoall { bytes }).await?))
    }

    /// Sends and receives these counts of numbers to and from each rank.
    pub async fn alltoallv<N: Number>(
        &self,
        numbers: &[N],
        sends: &[u32],
        receives: &[u32],
    ) -> Result<Vec<N>, Error> {
        let lengths = |counts: &[u32]| counts.iter().map(|count| N::BYTES * *count as usize).collect();
        let (sends, receives) = (lengths(sends), lengths(receives));
        let bytes = pack(numbers);
        self.count(bytes.len());
        Ok(unpack(&self.communicator.call(Collective::Alltoallv { bytes, sends, receives }).await?))
    }

    /// Traffic so far.
    pub fn traffic(&self) -> Traffic {
        let (calls, partners) = &*self.counted.borrow();
        Traffic { calls: *calls, partners: partners.len() }
    }

    fn count(&self, bytes: usize) {
        self.counted.borrow_mut().0[LIMITS.partition_point(|limit| *limit <= bytes)] += 1;
    }
}
