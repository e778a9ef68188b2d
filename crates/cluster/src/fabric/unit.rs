//! Unit of transfer of a link, for example a line of 8 bytes or a byte.

use std::fmt::Debug;

/// The smallest part of a frame that a link transfers. A frame is a sequence of units up to one that ends it.
pub trait Unit: Copy + Debug + PartialEq + Send + 'static {
    /// Bits of a unit that a fault can invert.
    const BITS: u32;

    /// Units of a frame that random corruption may affect: within the shortest frame, and covered by its
    /// checksum.
    const DAMAGED: std::ops::Range<u32>;

    /// The unit that ends a truncated frame.
    const END: Self;

    /// Whether the unit ends a frame.
    fn ends(self) -> bool;

    /// The unit with one bit inverted.
    fn damaged(self, bit: u32) -> Self;

    /// Destination of a frame, from its first units; `None` if they are invalid.
    fn destination(frame: &[Self]) -> Option<Destination>;

    /// Whether a frame that begins with this unit concerns only links and is not observed.
    fn is_hidden(self) -> bool {
        false
    }

    /// Packs the unit, for frames that leave the process.
    fn to_word(self) -> (u64, u8);

    /// Unpacks a unit.
    fn from_word(word: (u64, u8)) -> Self;
}

/// Destination of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The node with this address: an InfiniBand LID, or the number in an Ethernet address.
    Address(u16),
    /// All other nodes, or the sender too.
    Group {
        /// The sender gets the frame too.
        with_sender: bool,
    },
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A unit with 16 bits that can be damaged, the destination of its frame, and a mark.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flit {
        pub to: u16,
        pub mark: u16,
        pub bits: u16,
        pub last: bool,
    }

    /// Mark of frames that no observation shows.
    pub const HIDDEN: u16 = 0xffff;

    impl Unit for Flit {
        const BITS: u32 = 16;
        const DAMAGED: std::ops::Range<u32> = 1..4;
        const END: Self = Flit { to: 0, mark: 0, bits: 0, last: true };

        fn ends(self) -> bool {
            self.last
        }

        fn damaged(self, bit: u32) -> Self {
            Flit { bits: self.bits ^ 1 << bit, ..self }
        }

        /// 0xffff addresses all others, 0xfffe everyone.
        fn destination(frame: &[Self]) -> Option<Destination> {
            Some(match frame.first()?.to {
                0xffff => Destination::Group { with_sender: false },
                0xfffe => Destination::Group { with_sender: true },
                to => Destination::Address(to),
            })
        }

        fn is_hidden(self) -> bool {
            self.mark == HIDDEN
        }

        fn to_word(self) -> (u64, u8) {
            (
                [self.to, self.mark, self.bits].iter().fold(0, |word, part| word << 16 | u64::from(*part)),
                self.last.into(),
            )
        }

        fn from_word((word, last): (u64, u8)) -> Self {
            Flit { to: (word >> 32) as u16, mark: (word >> 16) as u16, bits: word as u16, last: last == 1 }
        }
    }

    /// A frame of `units` units, whose bits count from 1.
    pub fn frame(to: u16, mark: u16, units: u16) -> Vec<Flit> {
        (1..=units).map(|n| Flit { to, mark, bits: n, last: n == units }).collect()
    }
}
