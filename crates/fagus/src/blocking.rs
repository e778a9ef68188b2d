//! Blocking API of the shared memory, for programs that are not async.

use std::ops::Range;

use crate::block::Plain;
use crate::carrier::Member;
use crate::carrier::udp::{self, Peers, Seat};
use crate::config::{Config, Stats};
use crate::dsm::LockGuard;
use crate::error::Error;
use crate::shared::{ReadGuard, Shared, WriteGuard};

pub use crate::executor::block_on;

/// A node over UDP with blocking calls.
pub struct Node(Member);

impl Node {
    /// Joins a run and waits for no other node.
    pub fn join(seat: Seat, peers: Peers, config: Config) -> Result<Node, Error> {
        udp::member(seat, peers, config).map(Node)
    }

    /// 0 to `nodes() - 1`.
    pub fn node(&self) -> usize {
        self.0.dsm().node()
    }

    /// Number of nodes in the run.
    pub fn nodes(&self) -> usize {
        self.0.dsm().nodes()
    }

    /// Counters of this node.
    pub fn stats(&self) -> Stats {
        Stats { strangers: self.0.strangers(), ..self.0.dsm().stats() }
    }

    /// As [`Dsm::shared`](crate::Dsm::shared).
    pub fn shared<T: Plain>(&self, name: &str, length: usize) -> Result<Array<T>, Error> {
        block_on(self.0.dsm().shared(name, length)).map(Array)
    }

    /// As [`Dsm::shared_in`](crate::Dsm::shared_in).
    pub fn shared_in<T: Plain>(
        &self,
        name: &str,
        length: usize,
        parts: &[Range<usize>],
    ) -> Result<Array<T>, Error> {
        block_on(self.0.dsm().shared_in(name, length, parts)).map(Array)
    }

    /// As [`Dsm::barrier`](crate::Dsm::barrier).
    pub fn barrier(&self) -> Result<(), Error> {
        block_on(self.0.dsm().barrier())
    }

    /// As [`Dsm::lock`](crate::Dsm::lock).
    pub fn lock(&self, number: usize) -> Result<LockGuard, Error> {
        block_on(self.0.dsm().lock(number))
    }

    /// Waits until all nodes leave, then ends this one.
    pub fn leave(self) -> Result<(), Error> {
        self.0.leave()
    }
}

/// A shared array with blocking calls.
pub struct Array<T>(Shared<[T]>);

impl<T: Plain> Array<T> {
    /// As [`Shared::read`].
    pub fn read(&self, range: Range<usize>) -> Result<ReadGuard<T>, Error> {
        block_on(self.0.read(range))
    }

    /// As [`Shared::write`].
    pub fn write(&self, range: Range<usize>) -> Result<WriteGuard<T>, Error> {
        block_on(self.0.write(range))
    }

    /// As [`Shared::gather`].
    pub fn gather(&self, range: Range<usize>) -> Result<Vec<T>, Error> {
        block_on(self.0.gather(range))
    }

    /// As [`Shared::fetch`].
    pub fn fetch(&self, range: Range<usize>) -> Result<(), Error> {
        block_on(self.0.fetch(range))
    }

    /// As [`Shared::push`].
    pub fn push(&self, range: Range<usize>, to: usize) -> Result<(), Error> {
        self.0.push(range, to)
    }
}
