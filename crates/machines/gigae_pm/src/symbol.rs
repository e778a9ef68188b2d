//! Bytes on Ethernet cables.

use cluster::{Destination, Unit};

/// Bytes in front of a frame: preamble and start delimiter.
pub const PREAMBLE: usize = 8;

/// What is on a cable for the time of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A byte of a frame.
    Byte(u8),
    /// The silence by which the end of a frame is seen.
    Silence,
}

impl Symbol {
    /// The byte, if it is one.
    pub fn byte(self) -> Option<u8> {
        match self {
            Symbol::Byte(byte) => Some(byte),
            Symbol::Silence => None,
        }
    }
}

/// A frame from its destination address to its check sequence.
pub fn frame_bytes(units: &[Symbol]) -> Vec<u8> {
    units.iter().skip(PREAMBLE).filter_map(|unit| unit.byte()).collect()
}

impl Unit for Symbol {
    const BITS: u32 = 8;
    /// Behind the preamble, and within the shortest frame.
    const DAMAGED: std::ops::Range<u32> = PREAMBLE as u32..PREAMBLE as u32 + 60;
    const END: Self = Symbol::Silence;

    fn ends(self) -> bool {
        self == Symbol::Silence
    }

    fn damaged(self, bit: u32) -> Self {
        match self {
            Symbol::Byte(byte) => Symbol::Byte(byte ^ 1 << bit),
            Symbol::Silence => Symbol::Silence,
        }
    }

    /// The first bit of an address tells whether it is that of a group, as broadcast is; otherwise its
    /// last two bytes are the number of the node, high byte first (decision 0028).
    fn destination(frame: &[Self]) -> Option<Destination> {
        let address: Vec<u8> =
            frame.get(PREAMBLE..PREAMBLE + 6)?.iter().map_while(|unit| unit.byte()).collect();
        let address: [u8; 6] = address.try_into().ok()?;
        Some(if address[0] & 1 == 1 {
            Destination::Group
        } else {
            Destination::Address(u16::from(address[4]) << 8 | u16::from(address[5]))
        })
    }

    fn to_word(self) -> (u64, u8) {
        match self {
            Symbol::Byte(byte) => (byte.into(), 0),
            Symbol::Silence => (0, 1),
        }
    }

    fn from_word((byte, silence): (u64, u8)) -> Self {
        if silence == 1 { Symbol::Silence } else { Symbol::Byte(byte as u8) }
    }
}
