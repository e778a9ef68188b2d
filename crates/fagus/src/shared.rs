//! Shared arrays and the guards that give access to their data.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use crate::block::{Block, Plain};
use crate::error::Error;
use crate::handle::{Handle, Wait};
use crate::node::Call;

/// A shared array. Each part is an object with a synchronization variable of its own, on which its guards
/// act.
pub struct Shared<S: ?Sized> {
    pub(crate) handle: Arc<Handle>,
    pub(crate) name: String,
    pub(crate) parts: Vec<Range<usize>>,
    pub(crate) objects: Vec<u32>,
    pub(crate) kind: PhantomData<fn() -> Box<S>>,
}

impl<T: Plain> Shared<[T]> {
    /// Ranges of the parts in order.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// Acquires a read guard for a range within one part. While the guard lives no node writes the part.
    pub async fn read(&self, range: Range<usize>) -> Result<ReadGuard<T>, Error> {
        let (object, range) = self.find(range)?;
        Wait::new(&self.handle, Call::Read(object)).await?;
        let block = self.handle.node().data(object);
        Ok(ReadGuard { held: Held { handle: self.handle.clone(), object }, block, range, kind: PhantomData })
    }

    /// Acquires a write guard for a range within one part, which makes this node its owner. While the guard
    /// lives no other node reads or writes the part.
    pub async fn write(&self, range: Range<usize>) -> Result<WriteGuard<T>, Error> {
        let (object, range) = self.find(range)?;
        Wait::new(&self.handle, Call::Write(object)).await?;
        let block = self.handle.node().take(object);
        Ok(WriteGuard { handle: self.handle.clone(), object, block, range, kind: PhantomData })
    }

    /// Whether this node owns the part with this range.
    pub fn is_own(&self, range: Range<usize>) -> Result<bool, Error> {
        let (object, _) = self.find(range)?;
        Ok(self.handle.node().owns(object))
    }

    /// Pushes the part with this range to another node, which can then read it without a request. An error
    /// unless this node is the owner (section 5.2, case a).
    pub fn push(&self, range: Range<usize>, to: usize) -> Result<(), Error> {
        let (object, _) = self.find(range)?;
        self.handle.with(|node| {
            if to >= node.nodes() {
                return Err(Error::NoSuch { what: "node", number: to, count: node.nodes() });
            }
            node.push(object, to as u16)
        })
    }

    /// Fetches a copy of the part with this range unless there is a valid one (section 5.2, case b).
    pub async fn fetch(&self, range: Range<usize>) -> Result<(), Error> {
        self.read(range).await.map(drop)
    }

    /// Reads a range over any number of parts, one after another; each part is current at the time of its
    /// read.
    pub async fn gather(&self, range: Range<usize>) -> Result<Vec<T>, Error> {
        let mut elements = Vec::with_capacity(range.len());
        while range.start + elements.len() < range.end {
            let start = range.start + elements.len();
            let part = self.parts.iter().find(|part| part.contains(&start));
            let end = part.ok_or_else(|| self.no_part(range.clone()))?.end.min(range.end);
            elements.extend_from_slice(&self.read(start..end).await?);
        }
        Ok(elements)
    }

    fn find(&self, range: Range<usize>) -> Result<(u32, Range<usize>), Error> {
        let (part, within) = within(&self.parts, &range).ok_or_else(|| self.no_part(range))?;
        Ok((self.objects[part], within))
    }

    fn no_part(&self, range: Range<usize>) -> Error {
        Error::NotAPart { name: self.name.clone(), range }
    }
}

/// Read access to an object.
struct Held {
    handle: Arc<Handle>,
    object: u32,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.handle.with(|node| node.end_read(self.object));
    }
}

/// Read access to elements until dropped.
#[must_use = "data can be read as long as this lives"]
pub struct ReadGuard<T> {
    block: Arc<Block>,
    range: Range<usize>,
    kind: PhantomData<fn() -> T>,
    /// Dropped last, after the block.
    #[expect(dead_code, reason = "what matters is that it is dropped")]
    held: Held,
}

impl<T: Plain> Deref for ReadGuard<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.block.numbers()[self.range.clone()]
    }
}

/// Write access to elements until dropped.
#[must_use = "data can be written as long as this lives"]
pub struct WriteGuard<T> {
    handle: Arc<Handle>,
    object: u32,
    block: Arc<Block>,
    range: Range<usize>,
    kind: PhantomData<fn() -> T>,
}

impl<T: Plain> Deref for WriteGuard<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.block.numbers()[self.range.clone()]
    }
}

impl<T: Plain> DerefMut for WriteGuard<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut Arc::make_mut(&mut self.block).numbers_mut()[self.range.clone()]
    }
}

impl<T> Drop for WriteGuard<T> {
    fn drop(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.handle.with(|node| node.end_write(self.object, block));
    }
}

/// Part that contains a range, and the range relative to it.
fn within(parts: &[Range<usize>], range: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let part = parts.partition_point(|part| part.end <= range.start);
    let of = parts
        .get(part)
        .filter(|of| range.start >= of.start && range.end <= of.end && range.start < range.end)?;
    Some((part, range.start - of.start..range.end - of.start))
}
