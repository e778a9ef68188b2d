//! Packing of memory into the bytes of a message, and unpacking.

use super::layout::Blocks;
use super::{Body, Datatype, Kind};
use crate::error::Error;

/// Bytes from `begin` up to, but without, `end`; offsets from the buffer address of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub begin: i64,
    /// Offset after the last byte.
    pub end: i64,
}

impl Datatype {
    /// Calls `visit` with offset and length of each byte run of `count` elements, in message order. Adjacent
    /// runs may be merged.
    pub fn runs(&self, count: u64, mut visit: impl FnMut(i64, usize)) -> Result<(), Error> {
        self.span(count)?;
        self.walk_many(0, count, &mut visit);
        Ok(())
    }

    /// Offset and length of the only byte run of `count` elements; `None` if there may be several.
    pub fn run(&self, count: u64) -> Option<(i64, usize)> {
        let layout = self.layout();
        let bytes = layout.size.checked_mul(count).and_then(|bytes| usize::try_from(bytes).ok())?;
        layout.dense.then_some((layout.lower, bytes))
    }

    /// Range of memory that `count` elements may touch.
    pub fn span(&self, count: u64) -> Result<Span, Error> {
        if count == 0 || self.size() == 0 {
            return Ok(Span { begin: 0, end: 0 });
        }
        let last = i64::try_from(count - 1).ok().and_then(|last| last.checked_mul(self.extent()));
        let layout = self.layout();
        let reach = |last: i64| {
            Some((layout.true_lower.checked_add(last.min(0))?, layout.true_upper.checked_add(last.max(0))?))
        };
        let (begin, end) =
            last.and_then(reach).ok_or(Error::Type("a buffer of them is larger than memory"))?;
        Ok(Span { begin, end })
    }

    /// Packs `count` elements. `memory[origin]` is at the buffer address of the call.
    pub fn pack(&self, count: u64, memory: &[u8], origin: usize) -> Result<Vec<u8>, Error> {
        self.check(count, memory.len(), origin)?;
        let bytes = self.size().checked_mul(count).ok_or(Error::Type("a message is larger than memory"))?;
        let mut packed = Vec::new();
        packed
            .try_reserve_exact(bytes as usize)
            .map_err(|_| Error::Type("a message is larger than memory"))?;
        self.runs(count, |at, length| {
            packed.extend_from_slice(&memory[(origin as i64 + at) as usize..][..length]);
        })?;
        Ok(packed)
    }

    /// Unpacks a message of at most `count` elements, which may end early. A longer message is an error.
    pub fn unpack(&self, count: u64, memory: &mut [u8], origin: usize, packed: &[u8]) -> Result<(), Error> {
        let most = self.size().saturating_mul(count).min(usize::MAX as u64) as usize;
        if packed.len() > most {
            return Err(Error::Truncated { bytes: packed.len(), most });
        }
        let size = self.size().max(1);
        let count = (packed.len() as u64).div_ceil(size);
        self.check(count, memory.len(), origin)?;
        let mut packed = packed;
        self.runs(count, |at, length| {
            let (run, rest) = packed.split_at(length.min(packed.len()));
            memory[(origin as i64 + at) as usize..][..run.len()].copy_from_slice(run);
            packed = rest;
        })?;
        Ok(())
    }

    /// Number of whole elements in `bytes` of a message; `None` if a part remains (`MPI_Get_count`).
    pub fn count(&self, bytes: u64) -> Option<u64> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => bytes.is_multiple_of(size).then_some(bytes / size),
        }
    }

    /// Number of whole predefined elements in `bytes` of a message; `None` if a part remains
    /// (`MPI_Get_elements`).
    pub fn elements_of(&self, bytes: u64) -> Option<u64> {
        let (whole, mut rest) = match self.size() {
            0 => return (bytes == 0).then_some(0),
            size => (bytes / size, bytes % size),
        };
        let mut elements = whole * self.elements();
        self.parts(&mut |kind| {
            if rest >= kind.size() as u64 && rest > 0 {
                rest -= kind.size() as u64;
                elements += 1;
                return true;
            }
            false
        });
        (rest == 0).then_some(elements)
    }

    fn check(&self, count: u64, bytes: usize, origin: usize) -> Result<(), Error> {
        let Span { begin, end } = self.span(count)?;
        let origin = i64::try_from(origin).map_err(|_| Error::Type("a buffer lies outside of memory"))?;
        let last = origin.checked_add(end).ok_or(Error::Type("a buffer lies outside of memory"))?;
        if origin.checked_add(begin).is_none_or(|first| first < 0) || last > bytes as i64 {
            return Err(Error::Buffer { have: bytes, need: last.max(0) as usize });
        }
        Ok(())
    }

    fn walk_many(&self, at: i64, count: u64, visit: &mut impl FnMut(i64, usize)) {
        if count == 0 || self.size() == 0 {
            return;
        }
        if self.layout().dense {
            return visit(at + self.lower(), (count * self.size()) as usize);
        }
        for i in 0..count as i64 {
            self.walk(at + i * self.extent(), visit);
        }
    }

    fn walk(&self, at: i64, visit: &mut impl FnMut(i64, usize)) {
        match &self.0.body {
            Body::Kind(kind) => match kind.parts() {
                (value, None) => visit(at, value.size()),
                (value, Some(index)) => {
                    visit(at, value.size());
                    visit(at + kind.index_offset() as i64, index.size());
                }
            },
            Body::Blocks(blocks) => {
                for Blocks { at: first, times, stride, length, of } in blocks {
                    for i in 0..*times as i64 {
                        of.walk_many(at + first + i * stride, *length, visit);
                    }
                }
            }
        }
    }

    /// Visits the predefined parts one by one until the visitor returns false. Returns whether all were
    /// visited.
    fn parts(&self, visit: &mut impl FnMut(Kind) -> bool) -> bool {
        match &self.0.body {
            Body::Kind(kind) => match kind.parts() {
                (value, None) => visit(value),
                (value, Some(index)) => visit(value) && visit(index),
            },
            Body::Blocks(blocks) => blocks
                .iter()
                .filter(|block| block.of.size() > 0)
                .all(|block| (0..block.times).all(|_| (0..block.length).all(|_| block.of.parts(visit)))),
        }
    }
}
