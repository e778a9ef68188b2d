//! Datatypes: the bytes of memory that make up a message, and their order.
//!
//! A datatype is a value and holds no memory. [`Datatype::runs`] lists the byte ranges of its elements;
//! [`pack`](Datatype::pack) and [`unpack`](Datatype::unpack) copy them between memory and the bytes of a
//! message. Offsets are in bytes from the buffer address of a call and may be negative.

mod contents;
mod darray;
mod external;
mod kind;
mod layout;
mod pack;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use contents::{Contents, Order};
pub use darray::{DistributedDimension, Distribution};
pub use external::{external_size, of_external, to_external};
pub use kind::{Class, Kind};
use layout::{Blocks, Layout};
pub use pack::Span;

use crate::error::Error;

/// A datatype. Clones are the same datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datatype(Arc<Node>);

#[derive(Debug, PartialEq, Eq)]
struct Node {
    contents: Contents,
    layout: Layout,
    body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Body {
    Kind(Kind),
    Blocks(Vec<Blocks>),
}

impl Datatype {
    /// A predefined datatype. [Contents](Datatype::contents) returns `label` to the caller.
    pub fn named(kind: Kind, label: u64) -> Datatype {
        let contents = Contents::Named { kind, label };
        Datatype(Arc::new(Node { contents, layout: Layout::of_kind(kind), body: Body::Kind(kind) }))
    }

    /// A predefined datatype chosen by decimal digits and decimal exponent (`MPI_Type_create_f90_real` and others).
    pub fn f90(class: Class, precision: Option<i32>, range: Option<i32>, kind: Kind, label: u64) -> Datatype {
        Datatype::named(kind, label).with_contents(Contents::F90 { class, precision, range, kind, label })
    }

    /// A datatype with the same layout (`MPI_Type_dup`).
    pub fn duplicate(&self) -> Datatype {
        let contents = Contents::Duplicate { of: self.clone() };
        Datatype(Arc::new(Node { contents, layout: self.0.layout, body: self.0.body.clone() }))
    }

    /// `count` consecutive elements (`MPI_Type_contiguous`).
    pub fn contiguous(&self, count: u64) -> Result<Datatype, Error> {
        let blocks = vec![self.blocks(0, 1, 0, count)];
        Datatype::of(Contents::Contiguous { count, of: self.clone() }, blocks, false)
    }

    /// Blocks with a stride in extents (`MPI_Type_vector`).
    pub fn vector(&self, count: u64, length: u64, stride: i64) -> Result<Datatype, Error> {
        let blocks = vec![self.blocks(0, count, self.extents(stride)?, length)];
        Datatype::of(Contents::Vector { count, length, stride, of: self.clone() }, blocks, false)
    }

    /// Blocks with a stride in bytes (`MPI_Type_create_hvector`).
    pub fn hvector(&self, count: u64, length: u64, stride: i64) -> Result<Datatype, Error> {
        let blocks = vec![self.blocks(0, count, stride, length)];
        Datatype::of(Contents::Hvector { count, length, stride, of: self.clone() }, blocks, false)
    }

    /// Blocks of different lengths at displacements in extents (`MPI_Type_indexed`).
    pub fn indexed(&self, lengths: &[u64], displacements: &[i64]) -> Result<Datatype, Error> {
        let blocks = self.indexed_blocks(lengths, displacements, true)?;
        let (lengths, displacements) = (lengths.to_vec(), displacements.to_vec());
        Datatype::of(Contents::Indexed { lengths, displacements, of: self.clone() }, blocks, false)
    }

    /// Blocks of different lengths at displacements in bytes (`MPI_Type_create_hindexed`).
    pub fn hindexed(&self, lengths: &[u64], displacements: &[i64]) -> Result<Datatype, Error> {
        let blocks = self.indexed_blocks(lengths, displacements, false)?;
        let (lengths, displacements) = (lengths.to_vec(), displacements.to_vec());
        Datatype::of(Contents::Hindexed { lengths, displacements, of: self.clone() }, blocks, false)
    }

    /// Blocks of one length at displacements in extents (`MPI_Type_create_indexed_block`).
    pub fn indexed_block(&self, length: u64, displacements: &[i64]) -> Result<Datatype, Error> {
        let blocks = self.indexed_blocks(&vec![length; displacements.len()], displacements, true)?;
        let displacements = displacements.to_vec();
        Datatype::of(Contents::IndexedBlock { length, displacements, of: self.clone() }, blocks, false)
    }

    /// Blocks of one length at displacements in bytes (`MPI_Type_create_hindexed_block`).
    pub fn hindexed_block(&self, length: u64, displacements: &[i64]) -> Result<Datatype, Error> {
        let blocks = self.indexed_blocks(&vec![length; displacements.len()], displacements, false)?;
        let displacements = displacements.to_vec();
        Datatype::of(Contents::HindexedBlock { length, displacements, of: self.clone() }, blocks, false)
    }

    /// Blocks of several datatypes at displacements in bytes (`MPI_Type_create_struct`). The upper bound is
    /// rounded up to the largest alignment of the parts unless one of them was resized.
    pub fn structure(lengths: &[u64], displacements: &[i64], of: &[Datatype]) -> Result<Datatype, Error> {
        if lengths.len() != displacements.len() || lengths.len() != of.len() {
            return Err(Error::Argument("a structure has as many displacements and datatypes as blocks"));
        }
        let parts = lengths.iter().zip(displacements).zip(of);
        let blocks = parts.map(|((length, at), of)| of.blocks(*at, 1, 0, *length)).collect();
        let (lengths, displacements) = (lengths.to_vec(), displacements.to_vec());
        Datatype::of(Contents::Struct { lengths, displacements, of: of.to_vec() }, blocks, true)
    }

    /// The same data with other bounds (`MPI_Type_create_resized`).
    pub fn resized(&self, lower: i64, extent: i64) -> Result<Datatype, Error> {
        let upper = lower.checked_add(extent).ok_or(Error::Type("bounds that no address reaches"))?;
        let old = self.layout();
        let dense = old.dense && lower == old.lower && upper == old.upper;
        let layout = Layout { lower, upper, given: true, dense, ..*old };
        let contents = Contents::Resized { lower, extent, of: self.clone() };
        Ok(Datatype(Arc::new(Node { contents, layout, body: self.0.body.clone() })))
    }

    /// Part of an array, with the extent of the whole array (`MPI_Type_create_subarray`).
    pub fn subarray(
        &self,
        sizes: &[u64],
        parts: &[u64],
        starts: &[u64],
        order: Order,
    ) -> Result<Datatype, Error> {
        if sizes.is_empty() || sizes.len() != parts.len() || sizes.len() != starts.len() {
            return Err(Error::Argument("an array has a dimension, and each has a size, a part and a start"));
        }
        let mut dimensions: Vec<_> = (0..sizes.len()).collect();
        if order == Order::C {
            dimensions.reverse();
        }
        let whole = |count: u64| i64::try_from(count).map_err(|_| Error::Type("an array is too large"));
        let large = Error::Type("an array is too large");
        let (mut inner, mut row, mut at) = (self.clone(), self.extent(), 0i64);
        for dimension in dimensions {
            let (size, part, start) = (sizes[dimension], parts[dimension], starts[dimension]);
            if part == 0 || start.checked_add(part).is_none_or(|end| end > size) {
                return Err(Error::Argument("a part of an array lies in it, and is not empty"));
            }
            inner = inner.hvector(part, 1, row)?;
            at = whole(start)?.checked_mul(row).and_then(|offset| at.checked_add(offset)).ok_or(large)?;
            row = row.checked_mul(whole(size)?).ok_or(large)?;
        }
        let placed = inner.hindexed(&[1], &[at])?.resized(0, row)?;
        let contents = Contents::Subarray {
            sizes: sizes.to_vec(),
            parts: parts.to_vec(),
            starts: starts.to_vec(),
            order,
            of: self.clone(),
        };
        Ok(placed.with_contents(contents))
    }

    /// Bytes of data (`MPI_Type_size`).
    pub fn size(&self) -> u64 {
        self.layout().size
    }

    /// Lower bound in bytes (`MPI_Type_get_extent`).
    pub fn lower(&self) -> i64 {
        self.layout().lower
    }

    /// Extent: bytes from one element to the next (`MPI_Type_get_extent`).
    pub fn extent(&self) -> i64 {
        self.layout().extent()
    }

    /// Offset of the first data byte (`MPI_Type_get_true_extent`).
    pub fn true_lower(&self) -> i64 {
        self.layout().true_lower
    }

    /// Bytes from the first data byte to the end of the data (`MPI_Type_get_true_extent`).
    pub fn true_extent(&self) -> i64 {
        self.layout().true_upper - self.layout().true_lower
    }

    /// Number of predefined elements; both parts of a pair count.
    pub fn elements(&self) -> u64 {
        self.layout().elements
    }

    /// Constructor of the datatype with its arguments.
    pub fn contents(&self) -> &Contents {
        &self.0.contents
    }

    /// Common kind of all elements, which a reduction needs; `None` if they differ or there are none.
    pub fn kind(&self) -> Option<Kind> {
        match &self.0.body {
            Body::Kind(kind) => Some(*kind),
            Body::Blocks(blocks) => {
                let mut kinds = blocks.iter().filter(|b| b.times * b.length > 0).map(|block| block.of.kind());
                let first = kinds.next()??;
                kinds.all(|kind| kind == Some(first)).then_some(first)
            }
        }
    }

    /// The same layout, made by another constructor.
    fn with_contents(&self, contents: Contents) -> Datatype {
        Datatype(Arc::new(Node { contents, layout: self.0.layout, body: self.0.body.clone() }))
    }

    fn of(contents: Contents, blocks: Vec<Blocks>, padded: bool) -> Result<Datatype, Error> {
        let layout = Layout::of_blocks(&blocks, padded)?;
        Ok(Datatype(Arc::new(Node { contents, layout, body: Body::Blocks(blocks) })))
    }

    fn layout(&self) -> &Layout {
        &self.0.layout
    }

    fn blocks(&self, at: i64, times: u64, stride: i64, length: u64) -> Blocks {
        Blocks { at, times, stride, length, of: self.clone() }
    }

    fn indexed_blocks(
        &self,
        lengths: &[u64],
        displacements: &[i64],
        extents: bool,
    ) -> Result<Vec<Blocks>, Error> {
        if lengths.len() != displacements.len() {
            return Err(Error::Argument("there are as many displacements as blocks"));
        }
        let at = |displacement: i64| if extents { self.extents(displacement) } else { Ok(displacement) };
        let each = lengths.iter().zip(displacements);
        each.map(|(length, displacement)| Ok(self.blocks(at(*displacement)?, 1, 0, *length))).collect()
    }

    /// Bytes of `count` extents.
    fn extents(&self, count: i64) -> Result<i64, Error> {
        count.checked_mul(self.extent()).ok_or(Error::Type("a displacement that no address reaches"))
    }
}
