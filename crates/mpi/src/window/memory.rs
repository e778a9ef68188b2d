//! Memory of a window at its owner, and which parts of it other ranks may access.

use crate::error::Error;

/// Memory of the process that owns a window. Accesses take no virtual time; the library charges them.
pub trait Memory {
    /// Fills `into` with the bytes at `address`.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Error>;

    /// Stores bytes at `address`.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Error>;
}

/// A part of the target's memory: offset from the base of the window, or an address in a dynamic window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset or address of the first byte.
    pub at: u64,
    /// Length in bytes.
    pub bytes: u64,
}

/// Memory that a rank exposes in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposed {
    /// One region, fixed at the creation of the window.
    Fixed {
        /// Address of the first byte.
        base: u64,
        /// Length in bytes.
        size: u64,
    },
    /// Attached regions: address and length of each (`MPI_Win_create_dynamic`).
    Dynamic(Vec<(u64, u64)>),
}

impl Exposed {
    /// Address of a piece; an error unless the whole piece is exposed.
    pub fn address(&self, piece: Piece) -> Result<u64, Error> {
        let Piece { at, bytes } = piece;
        let range = Error::RmaRange { at, bytes };
        let end = at.checked_add(bytes).ok_or(range)?;
        match self {
            Exposed::Fixed { base, size } if end <= *size => base.checked_add(at).ok_or(range),
            Exposed::Dynamic(regions) if covered(regions, at, end) => Ok(at),
            _ => Err(range),
        }
    }

    /// Attaches a region to a dynamic window (`MPI_Win_attach`).
    pub fn attach(&mut self, base: u64, size: u64) -> Result<(), Error> {
        let Exposed::Dynamic(regions) = self else { return Err(NOT_DYNAMIC) };
        let end = base.checked_add(size).ok_or(Error::RmaAttach("the region ends beyond all addresses"))?;
        if regions.iter().any(|(other, bytes)| base < other + bytes && *other < end) {
            return Err(Error::RmaAttach("the region overlaps with one that is attached"));
        }
        regions.push((base, size));
        regions.sort_unstable();
        Ok(())
    }

    /// Detaches the region that begins at `base` (`MPI_Win_detach`).
    pub fn detach(&mut self, base: u64) -> Result<(), Error> {
        let Exposed::Dynamic(regions) = self else { return Err(NOT_DYNAMIC) };
        let at = regions.iter().position(|(other, _)| *other == base);
        regions.remove(at.ok_or(Error::RmaAttach("no attached region begins at this address"))?);
        Ok(())
    }
}

const NOT_DYNAMIC: Error = Error::RmaFlavor("the window is not dynamic");

/// Whether sorted regions, which may touch, cover all bytes from `begin` to `end`.
fn covered(regions: &[(u64, u64)], begin: u64, end: u64) -> bool {
    let mut next = begin;
    for (base, size) in regions {
        if *base <= next && next < base + size {
            next = base + size;
        }
    }
    next >= end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_region_is_exposed_to_its_last_byte() {
        let exposed = Exposed::Fixed { base: 1000, size: 16 };
        assert_eq!(exposed.address(Piece { at: 8, bytes: 8 }), Ok(1008));
        assert_eq!(exposed.address(Piece { at: 16, bytes: 0 }), Ok(1016));
        for (at, bytes) in [(9, 8), (17, 0), (u64::MAX, 2), (0, u64::MAX)] {
            let outside = exposed.address(Piece { at, bytes });
            assert_eq!(outside, Err(Error::RmaRange { at, bytes }));
        }
    }

    #[test]
    fn dynamic_regions_are_exposed_while_attached_and_may_touch() {
        let mut exposed = Exposed::Dynamic(Vec::new());
        let piece = Piece { at: 104, bytes: 8 };
        assert!(exposed.address(piece).is_err());
        exposed.attach(108, 8).unwrap();
        exposed.attach(100, 8).unwrap();
        assert_eq!(exposed.address(piece), Ok(104));
        assert!(matches!(exposed.attach(115, 4), Err(Error::RmaAttach(_))));
        exposed.detach(108).unwrap();
        assert!(exposed.address(piece).is_err());
        assert!(matches!(exposed.detach(108), Err(Error::RmaAttach(_))));
        assert!(Exposed::Fixed { base: 0, size: 1 }.attach(4, 4).is_err());
    }
}
