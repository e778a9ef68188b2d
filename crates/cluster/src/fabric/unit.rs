//! What a link carries in one go: a line of 8 bytes, a byte.

use std::fmt::Debug;

/// The smallest part of a frame that a link carries. A frame is units that follow each other up to one that ends it.
pub trait Unit: Copy + Debug + PartialEq + Send + 'static {
    /// Bits of a unit that a fault can turn over.
    const BITS: u32;

    /// Bits of a frame among which random damage chooses: within the shortest frame, and where it is found out.
    const DAMAGED: std::ops::Range<u32>;

    /// The unit that ends a frame which is cut.
    const END: Self;

    /// Whether a frame ends with it.
    fn ends(self) -> bool;

    /// The same with a bit turned over.
    fn damaged(self, bit: u32) -> Self;

    /// Where a frame goes, by its beginning; none if it says nothing sensible.
    fn destination(frame: &[Self]) -> Option<Destination>;

    /// Whether a frame that begins with it is the business of links alone, so that no observation shows it.
    fn is_hidden(self) -> bool {
        false
    }

    /// As a word, for frames that leave the process.
    fn to_word(self) -> (u64, u8);

    /// Back from a word.
    fn from_word(word: (u64, u8)) -> Self;
}

/// Where a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To the node with this address: an InfiniBand LID, the number in an Ethernet address.
    Address(u16),
    /// To all others.
    Group,
}
