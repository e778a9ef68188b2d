//! A channel: frames in flight in one direction between two nodes.

use std::hash::{Hash, Hasher};

use ::gigae_pm::protocol::Kind;

/// A direction between a sender and the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the receiver.
    Data,
    /// To the sender.
    Replies,
}

/// A frame in flight, reduced to the fields that the protocol reads. The data of a message is its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    /// Kind of frame, a code of [`Kind`].
    pub kind: u8,
    /// Session.
    pub epoch: u16,
    /// i of a message or k of a control frame, before truncation to its width on the wire.
    pub number: u32,
}

impl Frame {
    pub fn kind(self) -> Kind {
        Kind::from_code(self.kind).expect("only kinds are sent")
    }
}

/// Most frames that a channel can hold.
pub const MOST: usize = 4;

/// Frames in the order in which they were sent or, on a network that reorders, in ascending order, so that states which differ
/// in that order alone are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    frames: [Frame; MOST],
    length: u8,
}

impl Default for Channel {
    fn default() -> Self {
        Self { frames: [EMPTY; MOST], length: 0 }
    }
}

impl Hash for Channel {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.frames().hash(hasher);
    }
}

/// Content of unused places.
const EMPTY: Frame = Frame { kind: 0, epoch: 0, number: 0 };

impl Channel {
    /// The frames, oldest first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames[..usize::from(self.length)]
    }

    /// Adds a frame. There must be room for it.
    pub fn send(&mut self, frame: Frame, ordered: bool) {
        self.frames[usize::from(self.length)] = frame;
        self.length += 1;
        if !ordered {
            self.frames[..usize::from(self.length)].sort_unstable();
        }
    }

    /// Removes the frame at a place.
    pub fn take(&mut self, at: usize) -> Frame {
        let frame = self.frames[at];
        let length = usize::from(self.length);
        self.frames.copy_within(at + 1..length, at);
        self.length -= 1;
        self.frames[length - 1] = EMPTY;
        frame
    }
}
