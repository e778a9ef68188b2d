//! Memory layout of a datatype: blocks of other datatypes at displacements, and the size and extent that
//! follow.

use super::{Datatype, Kind};
use crate::error::Error;

/// Blocks of one datatype at a constant stride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Displacement of the first block in bytes.
    pub at: i64,
    /// Number of blocks.
    pub times: u64,
    /// Bytes from one block to the next.
    pub stride: i64,
    /// Elements in each block.
    pub length: u64,
    pub of: Datatype,
}

/// Summary of a datatype, computed at its creation. Offsets are in bytes from the buffer address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub size: u64,
    /// Lower and upper bound; their difference is the extent.
    pub lower: i64,
    pub upper: i64,
    /// Bounds of the data alone, without padding.
    pub true_lower: i64,
    pub true_upper: i64,
    pub alignment: u64,
    /// The bounds were set by `MPI_Type_create_resized` and are not rounded.
    pub given: bool,
    /// The data is contiguous, in order, from the lower to the upper bound.
    pub dense: bool,
    pub elements: u64,
}

const TOO_LARGE: Error = Error::Type("a datatype has bounds that no address reaches");

impl Layout {
    pub fn of_kind(kind: Kind) -> Layout {
        let (value, index) = kind.parts();
        let last = index.map_or(value.size(), |index| kind.index_offset() + index.size());
        Layout {
            size: kind.size() as u64,
            lower: 0,
            upper: kind.extent() as i64,
            true_lower: 0,
            true_upper: last as i64,
            alignment: kind.alignment() as u64,
            given: false,
            dense: kind.size() == kind.extent(),
            elements: 1 + u64::from(index.is_some()),
        }
    }

    /// Layout of an empty datatype.
    const EMPTY: Layout = Layout {
        size: 0,
        lower: 0,
        upper: 0,
        true_lower: 0,
        true_upper: 0,
        alignment: 1,
        given: false,
        dense: true,
        elements: 0,
    };

    pub fn extent(&self) -> i64 {
        self.upper - self.lower
    }

    /// Layout of several blocks. `padded` rounds the upper bound up to the alignment, as in a C structure.
    pub fn of_blocks(blocks: &[Blocks], padded: bool) -> Result<Layout, Error> {
        let mut all: Option<Layout> = None;
        for block in blocks.iter().filter(|block| block.times > 0 && block.length > 0) {
            let layout = Layout::of_block(block)?;
            all = Some(match all {
                None => layout,
                Some(before) => before.and(layout)?,
            });
        }
        let mut all = all.unwrap_or(Layout::EMPTY);
        if padded && !all.given {
            let alignment = all.alignment as i64;
            let beyond = all.extent().rem_euclid(alignment);
            if beyond > 0 {
                all.upper = all.upper.checked_add(alignment - beyond).ok_or(TOO_LARGE)?;
                all.dense = false;
            }
        }
        Ok(all)
    }

    fn of_block(block: &Blocks) -> Result<Layout, Error> {
        let of = block.of.layout();
        let whole = |count: u64| i64::try_from(count).ok();
        let along = |count: u64, step: i64| whole(count - 1)?.checked_mul(step);
        let bounds = || -> Option<[i64; 4]> {
            let within = along(block.length, of.extent())?;
            let across = along(block.times, block.stride)?;
            let (first, last) =
                (within.min(0).checked_add(across.min(0))?, within.max(0).checked_add(across.max(0))?);
            let (first, last) = (first.checked_add(block.at)?, last.checked_add(block.at)?);
            Some([
                of.lower.checked_add(first)?,
                of.upper.checked_add(last)?,
                of.true_lower.checked_add(first)?,
                of.true_upper.checked_add(last)?,
            ])
        };
        let [lower, upper, true_lower, true_upper] = bounds().ok_or(TOO_LARGE)?;
        upper.checked_sub(lower).ok_or(TOO_LARGE)?;
        let count = block.times.checked_mul(block.length).ok_or(TOO_LARGE)?;
        let size = count.checked_mul(of.size).filter(|size| *size <= i64::MAX as u64).ok_or(TOO_LARGE)?;
        let touching = block.times == 1
            || whole(block.length).and_then(|n| n.checked_mul(of.extent())) == Some(block.stride);
        Ok(Layout {
            size,
            lower,
            upper,
            true_lower,
            true_upper,
            alignment: of.alignment,
            given: of.given,
            dense: of.dense && touching,
            elements: count.checked_mul(of.elements).ok_or(TOO_LARGE)?,
        })
    }

    fn and(self, next: Layout) -> Result<Layout, Error> {
        let (lower, upper) = (self.lower.min(next.lower), self.upper.max(next.upper));
        upper.checked_sub(lower).ok_or(TOO_LARGE)?;
        let size = self.size.checked_add(next.size).filter(|size| *size <= i64::MAX as u64);
        let (before, behind) = (self.size > 0, next.size > 0);
        Ok(Layout {
            size: size.ok_or(TOO_LARGE)?,
            lower,
            upper,
            true_lower: if before && behind {
                self.true_lower.min(next.true_lower)
            } else if before {
                self.true_lower
            } else {
                next.true_lower
            },
            true_upper: if before && behind {
                self.true_upper.max(next.true_upper)
            } else if before {
                self.true_upper
            } else {
                next.true_upper
            },
            alignment: self.alignment.max(next.alignment),
            given: self.given || next.given,
            dense: self.dense && next.dense && self.upper == next.lower,
            elements: self.elements.checked_add(next.elements).ok_or(TOO_LARGE)?,
        })
    }
}
