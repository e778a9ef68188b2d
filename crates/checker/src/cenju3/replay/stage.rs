//! Two NIFs on a cable, the memories of their PEs, and hosts that follow the script.
//!
//! An entry lies in its queue from when it is posted. The NIF sees it when it is served, because only then the queue's write position
//! moves. A slow NIF is one whose entries are not served yet.

use cenju3::clocks;
use cenju3::memory_map::{Addresses, Control, ENTRIES, ENTRY_BYTES, LIBRARY_WORDS};
use cenju3::pins::{HostIn, In, MemoryIn, MemoryOut, Out};
use cenju3::registers::Register;
use cenju3::traffic::element::Entry;
use cenju3::traffic::layout::{self, HEADERS, POSITIONS, QUEUES, RINGS};
use hdl::{Nic, NicError};
use mpi_de::Header;

/// The queue that everything goes through: the user's.
const QUEUE: usize = 1;
/// Cycles between two looks at positions.
const LOOK: u64 = 64;
/// Cycles within which an entry is served and has arrived, or is held: a unit of 8 KB takes some 16,000.
pub const SOON: u64 = 40_000;

/// A PE, as its NIF sees it.
pub struct Side {
    memory: Vec<u64>,
    posted: u8,
    served: u8,
    taken: [u8; RINGS.len()],
    /// Places of the message ring that are used; the others are kept from the NIF.
    places: u8,
}

/// Two PEs.
pub struct Stage<N> {
    nifs: [N; 2],
    /// The PE of each NIF.
    pub sides: [Side; 2],
    /// Cycles since reset.
    pub cycles: u64,
}

impl Side {
    fn new(places: u8) -> Self {
        Self {
            memory: vec![0; layout::BYTES as usize / 8],
            posted: 0,
            served: 0,
            taken: [0; RINGS.len()],
            places,
        }
    }

    /// Bytes of memory; addresses are multiples of 8.
    pub fn bytes(&self, address: u32, length: u32) -> Vec<u8> {
        let words = &self.memory[address as usize / 8..(address + length).div_ceil(8) as usize];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length as usize);
        bytes
    }

    /// Puts bytes there, whole words of them.
    pub fn put(&mut self, address: u32, bytes: &[u8]) {
        let words = &mut self.memory[address as usize / 8..];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        }
    }

    /// Puts an entry into the queue, which the NIF has not yet.
    pub fn post(&mut self, entry: &Entry) {
        let at = QUEUES[QUEUE] + u32::from(self.posted) * ENTRY_BYTES;
        let words = [entry.control.bits(), entry.addresses.bits()].into_iter().chain(entry.library);
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        self.put(at, &bytes);
        self.posted = (self.posted + 1) % ENTRIES;
    }

    /// Entries that the NIF has not.
    pub fn waiting(&self) -> u8 {
        (self.posted + ENTRIES - self.served) % ENTRIES
    }

    /// A header in a ring: from whom, and what it says.
    fn header(&self, ring: usize, place: u8) -> (u8, Option<Header>) {
        let at = HEADERS[ring] + u32::from(place) * ENTRY_BYTES;
        let word = |number: u32| {
            let bytes = self.bytes(at + 8 * number, 8);
            u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
        };
        let library = std::array::from_fn(|i| word(2 + i as u32));
        const { assert!(LIBRARY_WORDS as usize == mpi_de::WORDS) };
        (Control::from_bits(word(0)).pe, Header::from_words(library))
    }

    fn answer(&mut self, out: &MemoryOut) -> MemoryIn {
        if !out.request {
            return MemoryIn::default();
        }
        let Some(word) = self.memory.get_mut(out.address as usize / 8) else {
            return MemoryIn { rdata: 0, ready: true };
        };
        let rdata = *word;
        if out.write {
            let mut bytes = rdata.to_le_bytes();
            for (i, new) in out.wdata.to_le_bytes().into_iter().enumerate() {
                if out.strobe >> i & 1 == 1 {
                    bytes[i] = new;
                }
            }
            *word = u64::from_le_bytes(bytes);
        }
        MemoryIn { rdata, ready: true }
    }
}

impl<N: Nic<In = In, Out = Out>> Stage<N> {
    /// NIFs after reset, which are set up; `places` of each message ring are used.
    pub fn new(nifs: [N; 2], places: u8) -> Result<Self, NicError> {
        let places = places.min(ENTRIES - 1);
        let mut stage = Self { nifs, sides: [Side::new(places), Side::new(places)], cycles: 0 };
        for pe in [0, 1] {
            for (register, value) in layout::setup(pe as u8) {
                stage.write(pe, register, value)?;
            }
            stage.make_room(pe, 0)?;
        }
        Ok(stage)
    }

    /// The NIF takes the next entry of its queue. Tells whether it was read and has arrived.
    pub fn serve(&mut self, pe: usize) -> Result<bool, NicError> {
        let before = self.written(1 - pe)?;
        let (write, read) = POSITIONS[QUEUE];
        self.sides[pe].served = (self.sides[pe].served + 1) % ENTRIES;
        let served = self.sides[pe].served;
        self.write(pe, write, served.into())?;
        let end = self.cycles + SOON;
        while self.cycles < end {
            self.rest(LOOK)?;
            if self.read(pe, read)? == u32::from(served) && self.written(1 - pe)? != before {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Headers in a ring that the host has not taken: from whom, and what they say.
    pub fn headers(&mut self, pe: usize, ring: usize) -> Result<Vec<(u8, Option<Header>)>, NicError> {
        let write = self.written(pe)?[ring];
        let side = &self.sides[pe];
        let count = (write + ENTRIES - side.taken[ring]) % ENTRIES;
        Ok((0..count).map(|i| side.header(ring, (side.taken[ring] + i) % ENTRIES)).collect())
    }

    /// The host takes the oldest header out of a ring, if there is one.
    pub fn take(&mut self, pe: usize, ring: usize) -> Result<Option<(u8, Option<Header>)>, NicError> {
        let first = self.headers(pe, ring)?.first().copied();
        if first.is_some() {
            self.sides[pe].taken[ring] = (self.sides[pe].taken[ring] + 1) % ENTRIES;
            self.make_room(pe, ring)?;
        }
        Ok(first)
    }

    /// The host's handler looks whether the NIF asks for an interrupt, and clears what it asks for.
    pub fn interrupt(&mut self, pe: usize) -> Result<bool, NicError> {
        let asks = self.nifs[pe].outputs().host.interrupt_request;
        if asks {
            self.write(pe, Register::InterruptCause, 0xf)?;
        }
        Ok(asks)
    }

    /// Time passes.
    pub fn rest(&mut self, cycles: u64) -> Result<(), NicError> {
        (0..cycles).try_for_each(|_| self.cycle(None))
    }

    /// The write positions of the NIF in all rings.
    pub fn written(&mut self, pe: usize) -> Result<[u8; RINGS.len()], NicError> {
        let mut written = [0; RINGS.len()];
        for (written, (write, _)) in written.iter_mut().zip(RINGS) {
            *written = self.read(pe, write)? as u8;
        }
        Ok(written)
    }

    /// Tells the NIF which headers it may overwrite. In the message ring, `places` of them are free at most.
    fn make_room(&mut self, pe: usize, ring: usize) -> Result<(), NicError> {
        let side = &self.sides[pe];
        let kept = if ring == 0 { side.places + 1 } else { 0 };
        let read = (side.taken[ring] + kept) % ENTRIES;
        self.write(pe, RINGS[ring].1, read.into())
    }

    fn write(&mut self, pe: usize, register: Register, value: u32) -> Result<(), NicError> {
        let address = register.info().offset;
        self.cycle(Some((pe, HostIn { wdata: value, address, enable: true, write: true })))
    }

    fn read(&mut self, pe: usize, register: Register) -> Result<u32, NicError> {
        let address = register.info().offset;
        self.cycle(Some((pe, HostIn { wdata: 0, address, enable: true, write: false })))?;
        Ok(self.nifs[pe].outputs().host.rdata)
    }

    /// A cycle, in which a host may have an access.
    fn cycle(&mut self, access: Option<(usize, HostIn)>) -> Result<(), NicError> {
        let outs = [*self.nifs[0].outputs(), *self.nifs[1].outputs()];
        for (pe, (nif, side)) in self.nifs.iter_mut().zip(&mut self.sides).enumerate() {
            let other = &outs[1 - pe];
            let host = access.filter(|(of, _)| *of == pe).map(|(_, access)| access).unwrap_or_default();
            let pins = In {
                new_rom: true,
                host,
                memory: side.answer(&outs[pe].memory),
                receive_valid: other.transmit_valid,
                receive: other.transmit,
                transmit_ready: other.receive_ready,
            };
            nif.edge(clocks::CORE, &pins)?;
        }
        self.cycles += 1;
        Ok(())
    }
}

/// An entry that brings a header, and of a DMA a unit: from where to where, and its bytes.
pub fn entry(to: u8, header: Header, length: u32, dma: Option<(u32, u32)>) -> Entry {
    use cenju3::memory_map::Kind;
    let kind = if dma.is_some() { Kind::Dma } else { Kind::Message0 };
    let (source, destination) = dma.unwrap_or((layout::SOURCE, 0));
    Entry {
        control: Control { kind: kind.code(), pe: to, length },
        addresses: Addresses { source, destination },
        library: header.words(),
    }
}
