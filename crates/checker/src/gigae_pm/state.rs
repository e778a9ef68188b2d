//! A state of the model: the contents of every node and channel.

use ::gigae_pm::protocol::{Control, Receiving};

use crate::gigae_pm::channel::{Channel, Direction};

/// Most senders of a model.
pub const SENDERS: usize = 2;

/// A sender, the receiver's control structure for it, and the channels between the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// Control structure of the receiver, at the sender.
    pub sender: Control,
    /// Control structure of the sender, at the receiver.
    pub receiver: Control,
    /// Messages in flight.
    pub data: Channel,
    /// Control frames in flight.
    pub replies: Channel,
    /// Last message that the host of the receiver has or will have; known to the judge only.
    pub delivered: u32,
    /// Messages that are being transferred to the host, where that is a step of its own.
    pub storing: u8,
    /// Messages up to this one have lost their buffers without an acknowledgement, by a misreading.
    pub gone: u32,
    /// The firmware looked for a message that has no buffer any more.
    pub asked_freed: bool,
    /// A message was delivered a second time.
    pub repeated: bool,
    /// A message was delivered before the one that precedes it.
    pub misplaced: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// Every sender with its channels; those beyond the number of senders stay as they are.
    pub links: [Link; SENDERS],
    /// State of the receive buffers: the first is that of all senders, unless two nodes send to each other.
    pub receiving: [Receiving; SENDERS],
    /// Messages in each receive buffer.
    pub used: [u8; SENDERS],
}

impl Link {
    pub fn channel(&self, way: Direction) -> &Channel {
        match way {
            Direction::Data => &self.data,
            Direction::Replies => &self.replies,
        }
    }

    pub fn quiet(&self) -> bool {
        self.data.frames().is_empty() && self.replies.frames().is_empty()
    }
}
