//! Bytes on Ethernet cables.

use cluster::{Destination, Unit};

/// Bytes in front of a frame: preamble and start delimiter.
pub const PREAMBLE: usize = 8;

/// Contents of a cable for the time of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A byte of a frame.
    Byte(u8),
    /// The silence that ends a frame.
    Silence,
}

impl Symbol {
    /// The byte, if the symbol is one.
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

    /// The first bit of an address marks a group, as broadcast is; otherwise the last two bytes are the number of the
    /// node, high byte first (decision 0028).
    fn destination(frame: &[Self]) -> Option<Destination> {
        let address: Vec<u8> =
            frame.get(PREAMBLE..PREAMBLE + 6)?.iter().map_while(|unit| unit.byte()).collect();
        let address: [u8; 6] = address.try_into().ok()?;
        Some(if address[0] & 1 == 1 {
            Destination::Group { with_sender: false }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame for this address.
    fn frame(address: [u8; 6]) -> Vec<Symbol> {
        let bytes = [&[0x55; 7][..], &[0xd5], &address, &[9; 58]].concat();
        bytes.into_iter().map(Symbol::Byte).chain([Symbol::Silence]).collect()
    }

    #[test]
    fn last_two_bytes_of_an_address_are_the_number_of_the_node() {
        let destination = Symbol::destination(&frame([2, 0, 0x47, 0x50, 0x03, 0xff]));
        assert_eq!(destination, Some(Destination::Address(1023)));
    }

    #[test]
    fn first_bit_of_an_address_is_that_of_a_group() {
        for group in [[0xff; 6], [0x33, 0x33, 0, 0, 0, 0xfb]] {
            assert_eq!(Symbol::destination(&frame(group)), Some(Destination::Group { with_sender: false }));
        }
    }

    #[test]
    fn frame_that_ends_within_its_address_goes_nowhere() {
        let mut frame = frame([2, 0, 0x47, 0x50, 0, 1]);
        frame[PREAMBLE + 5] = Symbol::Silence;
        assert_eq!(Symbol::destination(&frame), None);
        assert_eq!(Symbol::destination(&frame[..PREAMBLE]), None);
        assert_eq!(Symbol::destination(&[]), None);
    }

    #[test]
    fn silence_alone_ends_a_frame() {
        assert!(Symbol::Silence.ends() && !Symbol::Byte(0).ends());
        let units = frame([2, 0, 0x47, 0x50, 0, 1]);
        assert_eq!(frame_bytes(&units)[..6], [2, 0, 0x47, 0x50, 0, 1]);
        assert_eq!(frame_bytes(&units).len(), 64);
        assert_eq!(frame_bytes(&units[..PREAMBLE]), []);
    }

    #[test]
    fn every_symbol_comes_back_from_its_word() {
        for symbol in (0..=255).map(Symbol::Byte).chain([Symbol::Silence]) {
            assert_eq!(Symbol::from_word(symbol.to_word()), symbol);
        }
    }

    #[test]
    fn silence_cannot_be_damaged() {
        assert_eq!(Symbol::Byte(8).damaged(1), Symbol::Byte(10));
        assert_eq!(Symbol::Silence.damaged(1), Symbol::Silence);
    }
}
