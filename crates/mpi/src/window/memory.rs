//! Memory of a window at its owner, and which parts of it other ranks may access.

use std::cell::RefCell;
use std::rc::Rc;

use crate::carrier::Piece;
use crate::error::Error;

/// Memory of the process that owns a window. Accesses take no virtual time; the library charges them.
pub trait Memory {
    /// Fills `into` with the bytes at `address`.
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Error>;

    /// Stores bytes at `address`.
    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Error>;

    /// Lets other processes find this memory as that of a window, by the number of the window's communicator.
    fn expose(&self, _window: u16, _base: u64) {}

    /// Memory of another process in the same window, and the address of its base, for data that the network
    /// stores there by itself. `None` if only the library of the other process accesses it.
    fn of_peer(&self, _window: u16, _process: usize) -> Option<(Rc<dyn Memory>, u64)> {
        None
    }
}

/// Memory of a program in Rust: bytes from address [`BASE`](Self::BASE) on. Clones are the same memory.
#[derive(Clone, Debug)]
pub struct Bytes(Rc<RefCell<Vec<u8>>>);

/// Memory of all processes, one part a process.
#[derive(Clone, Debug)]
pub struct AllBytes {
    /// Memory of each process.
    pub parts: Rc<Vec<Bytes>>,
    /// The process whose part this is.
    pub own: usize,
}

impl Memory for AllBytes {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Error> {
        self.parts[self.own].read(address, into)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        self.parts[self.own].write(address, bytes)
    }

    fn of_peer(&self, _: u16, process: usize) -> Option<(Rc<dyn Memory>, u64)> {
        let part = self.parts.get(process)?.clone();
        Some((Rc::new(part), Bytes::BASE))
    }
}

impl Bytes {
    /// Address of the first byte.
    pub const BASE: u64 = 4096;

    /// Memory of zeros.
    pub fn new(bytes: usize) -> Bytes {
        Bytes(Rc::new(RefCell::new(vec![0; bytes])))
    }

    /// Copy of all bytes.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.borrow().clone()
    }

    fn place(&self, address: u64, bytes: usize) -> Result<usize, Error> {
        let begin = address.checked_sub(Bytes::BASE).and_then(|begin| usize::try_from(begin).ok());
        let inside = |begin: &usize| begin.checked_add(bytes).is_some_and(|end| end <= self.0.borrow().len());
        begin.filter(inside).ok_or(Error::RmaMemory)
    }
}

impl Memory for Bytes {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Error> {
        let begin = self.place(address, into.len())?;
        into.copy_from_slice(&self.0.borrow()[begin..begin + into.len()]);
        Ok(())
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Error> {
        let begin = self.place(address, bytes.len())?;
        self.0.borrow_mut()[begin..begin + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
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
