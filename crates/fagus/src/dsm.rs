//! API of a program: memory shared with the programs of all other nodes.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::block::Plain;
use crate::config::Stats;
use crate::error::Error;
use crate::handle::{Handle, Wait};
use crate::node::{Call, LOCKS};
use crate::shared::Shared;

/// Shared memory of one node. Clones are the same memory.
#[derive(Clone)]
pub struct Dsm {
    pub(crate) handle: Arc<Handle>,
}

impl Dsm {
    /// 0 to `nodes() - 1`.
    pub fn node(&self) -> usize {
        self.handle.node().me().into()
    }

    /// Number of nodes in the run.
    pub fn nodes(&self) -> usize {
        self.handle.node().nodes()
    }

    /// Time since the beginning of the run.
    pub fn now(&self) -> Duration {
        self.handle.node().now()
    }

    /// Counters of this node.
    pub fn stats(&self) -> Stats {
        self.handle.node().stats()
    }

    /// Declares an array of `length` zeros, in as many equal parts as there are nodes, each initially owned
    /// by one node. All nodes make the same declarations in the same order and synchronize here.
    pub async fn shared<T: Plain>(&self, name: &str, length: usize) -> Result<Shared<[T]>, Error> {
        let (nodes, length_of) = (self.nodes(), |part: usize| part * length / self.nodes());
        let parts: Vec<_> = (0..nodes).map(|part| length_of(part)..length_of(part + 1)).collect();
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.shared_in(name, length, &parts).await
    }

    /// Declares an array with a single part, initially owned by node 0.
    pub async fn shared_whole<T: Plain>(&self, name: &str, length: usize) -> Result<Shared<[T]>, Error> {
        let all = 0..length;
        self.shared_in(name, length, std::slice::from_ref(&all)).await
    }

    /// Declares an array with these parts, which cover it in order. Of `p` parts, part `i` is initially owned
    /// by node `i * nodes / p`.
    pub async fn shared_in<T: Plain>(
        &self,
        name: &str,
        length: usize,
        parts: &[Range<usize>],
    ) -> Result<Shared<[T]>, Error> {
        const { assert!(align_of::<T>() <= 8, "types of more than 8 bytes alignment cannot be shared") };
        const { assert!(size_of::<T>() > 0, "types without bytes cannot be shared") };
        check(name, length, parts)?;
        let nodes = self.nodes();
        let objects = self.handle.with(|node| {
            let declare = |(number, part): (usize, &Range<usize>)| {
                let home = (number * nodes / parts.len()) as u16;
                node.declare(format!("`{name}` {part:?}"), part.len() * size_of::<T>(), home)
            };
            parts.iter().enumerate().map(declare).collect()
        });
        let said = format!("{name} {length} {} {parts:?}", size_of::<T>());
        Wait::new(&self.handle, Call::Barrier(xxh3_64(said.as_bytes()))).await?;
        Ok(Shared {
            handle: self.handle.clone(),
            name: name.into(),
            parts: parts.into(),
            objects,
            kind: PhantomData,
        })
    }

    /// Waits until all nodes have reached the barrier.
    pub async fn barrier(&self) -> Result<(), Error> {
        Wait::new(&self.handle, Call::Barrier(0)).await
    }

    /// Acquires one of the 64 locks, which are independent of data.
    pub async fn lock(&self, number: usize) -> Result<LockGuard, Error> {
        if number >= LOCKS {
            return Err(Error::NoSuch { what: "lock", number, count: LOCKS });
        }
        let number = number as u32;
        Wait::new(&self.handle, Call::Lock(number)).await?;
        Ok(LockGuard { handle: self.handle.clone(), number })
    }

    /// Computes for `time`.
    pub async fn compute(&self, time: Duration) -> Result<(), Error> {
        let until = self.now() + time;
        Wait::new(&self.handle, Call::Until(until)).await
    }

    /// Computes `count` operations at the speed of [`Config`](crate::Config).
    pub async fn operations(&self, count: usize) -> Result<(), Error> {
        let ps = self.handle.node().operation_ps() * count as u64;
        match ps / 1000 {
            0 => Ok(()),
            ns => self.compute(Duration::from_nanos(ns)).await,
        }
    }

    /// Last barrier of a run. A node at a different barrier is reported as an error.
    pub(crate) async fn leave(&self) -> Result<(), Error> {
        Wait::new(&self.handle, Call::Barrier(1)).await
    }
}

/// Holds a lock and releases it when dropped.
#[must_use = "the lock is given back when this is dropped"]
pub struct LockGuard {
    handle: Arc<Handle>,
    number: u32,
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        self.handle.with(|node| node.release(self.number));
    }
}

/// Checks that parts cover all elements in order, each once.
fn check(name: &str, length: usize, parts: &[Range<usize>]) -> Result<(), Error> {
    let mut end = 0;
    for (number, part) in parts.iter().enumerate() {
        let before = parts[..number].iter().find(|before| before.start < part.end && part.start < before.end);
        if let Some(first) = before {
            return Err(Error::Overlap { name: name.into(), first: first.clone(), second: part.clone() });
        }
        if part.start != end || part.is_empty() || part.end > length {
            return Err(Error::Gap { name: name.into(), length, part: part.clone() });
        }
        end = part.end;
    }
    match end == length && length > 0 {
        true => Ok(()),
        false => Err(Error::Gap { name: name.into(), length, part: end..length }),
    }
}
