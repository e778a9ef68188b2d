//! Steps of a program that runs on a host and is written elsewhere, such as in Python.

use cluster::Duration;

/// Condition that ends a poll: `value & mask` is equal to `value`, or is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Accept {
    /// Bits that count.
    pub mask: u64,
    /// Value of these bits.
    pub value: u64,
    /// The poll ends when the bits have the value; otherwise when they have another one.
    pub equal: bool,
}

impl Accept {
    /// Ends a poll at its first read.
    pub const ANY: Accept = Accept { mask: 0, value: 0, equal: true };

    /// Whether a value ends the poll.
    pub fn holds(&self, value: u64) -> bool {
        (value & self.mask == self.value) == self.equal
    }
}

/// A step of a program. Addresses of `Load`, `Store` and `Poll` are those of the network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Computes.
    Compute(Duration),
    /// Reads a register or a word of the network interface.
    Load(u32),
    /// Reads bytes of the network interface.
    LoadBytes(u32, u32),
    /// Writes a register or a word of the network interface.
    Store(u32, u64),
    /// Writes bytes to the network interface.
    StoreBytes(u32, Vec<u8>),
    /// Reads a register or a word until a value is accepted.
    Poll(u32, Accept),
    /// Waits until the stores before have left the processor.
    Fence,
    /// Reads memory that the shell's `mem_read` reads: address and size in bytes.
    ReadMemory(u32, u32),
    /// Sets the network interface up, as its driver does.
    Open,
    /// Sends a message to a node.
    Send(u16, Vec<u8>),
    /// Waits for a message.
    Receive,
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StepAnswer {
    /// Success without data.
    Done,
    /// Value of a register or word.
    Word(u64),
    /// Contents of memory.
    Bytes(Vec<u8>),
    /// A message with the number of its sender.
    Message(u16, Vec<u8>),
}

/// A refused step, with the reason and the valid range.
pub type StepResult = Result<StepAnswer, String>;
