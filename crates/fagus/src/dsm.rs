//! What a program has: the memory that it shares with the programs of all other nodes.

use std::future::Future;
use std::marker::PhantomData;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::block::Plain;
use crate::config::Stats;
use crate::error::Error;
use crate::node::{Call, LOCKS, Node};
use crate::shared::Shared;

/// Sends what a call has to say, where nobody else does that.
type Flush = Box<dyn Fn(&mut Node) + Send + Sync>;

/// A node and the way to the others.
pub(crate) struct Handle {
    node: Mutex<Node>,
    flush: Flush,
}

impl Handle {
    pub fn new(node: Node, flush: Flush) -> Arc<Handle> {
        Arc::new(Handle { node: Mutex::new(node), flush })
    }

    /// The node. A program that panics within a call leaves it whole: its steps are.
    pub fn node(&self) -> MutexGuard<'_, Node> {
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the node, and sends what follows.
    pub fn with<T>(&self, what: impl FnOnce(&mut Node) -> T) -> T {
        let mut node = self.node();
        let result = what(&mut node);
        (self.flush)(&mut node);
        result
    }
}

/// Ends when a call does.
pub(crate) struct Wait<'a> {
    handle: &'a Handle,
    call: Option<Call>,
    waits: bool,
}

impl<'a> Wait<'a> {
    pub fn new(handle: &'a Handle, call: Call) -> Wait<'a> {
        Wait { handle, call: Some(call), waits: false }
    }
}

impl Future for Wait<'_> {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let handle = self.handle;
        if let Some(call) = self.call.take() {
            if let Err(error) = handle.with(|node| node.begin(call)) {
                return Poll::Ready(Err(error));
            }
            self.waits = true;
        }
        let Some(result) = handle.node().end(context.waker()) else { return Poll::Pending };
        self.waits = false;
        Poll::Ready(result)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if self.waits {
            self.handle.with(Node::forget);
        }
    }
}

/// The memory that all nodes share, as one of them has it. Clones are the same.
#[derive(Clone)]
pub struct Dsm {
    pub(crate) handle: Arc<Handle>,
}

impl Dsm {
    /// Number of this node.
    pub fn node(&self) -> usize {
        self.handle.node().me().into()
    }

    /// Nodes that there are.
    pub fn nodes(&self) -> usize {
        self.handle.node().nodes()
    }

    /// The time, from the beginning of the run.
    pub fn now(&self) -> Duration {
        self.handle.node().now()
    }

    /// What this node has counted.
    pub fn stats(&self) -> Stats {
        self.handle.node().stats()
    }

    /// Declares an array of so many elements, all zero, in as many equal parts as there are nodes, each first owned by one of them. All nodes declare the same
    /// in the same order, and meet here.
    pub async fn shared<T: Plain>(&self, name: &str, length: usize) -> Result<Shared<[T]>, Error> {
        let (nodes, length_of) = (self.nodes(), |part: usize| part * length / self.nodes());
        let parts: Vec<_> = (0..nodes).map(|part| length_of(part)..length_of(part + 1)).collect();
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.shared_in(name, length, &parts).await
    }

    /// The same as one part, which node 0 owns at first.
    pub async fn shared_whole<T: Plain>(&self, name: &str, length: usize) -> Result<Shared<[T]>, Error> {
        let all = 0..length;
        self.shared_in(name, length, std::slice::from_ref(&all)).await
    }

    /// The same in these parts, which cover it in their order. Of `p` parts, part `i` belongs to node `i * nodes / p` at first.
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

    /// Waits until all nodes are here.
    pub async fn barrier(&self) -> Result<(), Error> {
        Wait::new(&self.handle, Call::Barrier(0)).await
    }

    /// Waits for one of the 64 locks, which belong to no data.
    pub async fn lock(&self, number: usize) -> Result<LockGuard, Error> {
        if number >= LOCKS {
            return Err(Error::NoSuch { what: "lock", number, count: LOCKS });
        }
        let number = number as u32;
        Wait::new(&self.handle, Call::Lock(number)).await?;
        Ok(LockGuard { handle: self.handle.clone(), number })
    }

    /// Lets time pass, as if the program computed for so long.
    pub async fn compute(&self, time: Duration) -> Result<(), Error> {
        let until = self.now() + time;
        Wait::new(&self.handle, Call::Until(until)).await
    }

    /// Computes so many operations, which take the time that the run's [`Config`](crate::Config) says.
    pub async fn operations(&self, count: usize) -> Result<(), Error> {
        let ps = self.handle.node().operation_ps() * count as u64;
        match ps / 1000 {
            0 => Ok(()),
            ns => self.compute(Duration::from_nanos(ns)).await,
        }
    }

    /// The last barrier of a run: whoever comes to another one instead finds out.
    pub(crate) async fn leave(&self) -> Result<(), Error> {
        Wait::new(&self.handle, Call::Barrier(1)).await
    }
}

/// Has a lock until it is dropped.
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

/// Parts are to cover all elements, in their order, each once.
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
