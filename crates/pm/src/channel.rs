//! Channels.

/// A channel: a virtual network of its own, which one parallel application uses at a time (paper section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel(u8);

impl Channel {
    /// Channels of a node (paper section 4.1).
    pub const COUNT: usize = 4;

    /// The channel of that number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// Number of the channel, below [`Channel::COUNT`].
    pub const fn number(self) -> usize {
        self.0 as usize
    }
}
