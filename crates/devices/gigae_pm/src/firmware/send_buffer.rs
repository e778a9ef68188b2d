//! Send buffers: SBuf(r, i) of the paper's appendix, 16 in NIC memory for each channel.
//!
//! A message stays in its buffer until it is acknowledged, so a retransmission needs no PCI DMA.
//! Each buffer has a record of two words: used, peer and the low half of the message number; and
//! the size. A buffer is found by a linear search, because a channel has few of them, and a table
//! for each peer would grow with the cluster.
//!
//! Freeing a buffer also frees the send descriptor of the same slot, which tells the host that it
//! may use the slot again.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::{BufferRequest, MemoryAccess, Operation};
use crate::memory_map::{Flag, SEND_RECORDS, send_descriptor};

hdl::fsm! {
    /// Work on the send buffers of a channel.
    pub enum State in send_buffer_pkg {
        /// Waits for an operation.
        Idle => [
            Keep: "start, operation Keep",
            Search: "start, operation Find or Free",
            Idle: "otherwise",
        ],
        /// Writes peer and number of a record.
        Keep => [Size],
        /// Writes the size of a record.
        Size => [Mark],
        /// Reads peer and number of a record.
        Search => [Compare],
        /// Compares the record with the request.
        Compare => [
            Search: "no match, more slots",
            Fetch: "match, operation Find",
            Clear: "match, operation Free",
            Done: "no match, last slot",
        ],
        /// Reads the size of the record that was found.
        Fetch => [Take],
        /// Takes the size.
        Take => [Done],
        /// Clears a record.
        Clear => [Mark],
        /// Writes the flag of the send descriptor.
        Mark => [Search: "operation Free, more slots", Done: "operation Keep, or last slot"],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the send buffers.
    pub struct In in send_buffer_pkg {
        /// The operation and its operands.
        request: BufferRequest,
        /// Starts the operation; only while idle.
        start: bool,
        /// From NIC memory.
        memory_rdata: u32,
    }
}

hdl::bundle! {
    /// Output pins of the send buffers.
    pub struct Out in send_buffer_pkg {
        /// To NIC memory.
        memory: MemoryAccess,
        /// The operation is over; high for one cycle.
        done: bool,
        /// The message was found.
        found: bool,
        /// With `found`: buffer of the message.
        slot: u8 : 4,
        /// Bytes of the message.
        size: u16 : 11,
        /// At least one buffer is in use.
        outstanding: bool,
    }
}

hdl::bundle! {
    /// Registers of the send buffers.
    pub struct SendBuffer in send_buffer_pkg {
        /// Step of the operation.
        state: State,
        /// The operation and its operands.
        request: BufferRequest,
        /// Current buffer.
        slot: u8 : 4,
        /// The message was found.
        found: bool,
        /// Bytes of the message.
        size: u16 : 11,
        /// Buffers in use in all channels, 0 to 64.
        used: u8 : 7,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/send_buffer_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for SendBuffer {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let record = SEND_RECORDS + 32 * u32::from(q.request.channel) + 2 * u32::from(q.slot);
        let keeps = q.request.operation == Operation::Keep.code();
        let flag = if keeps { Flag::Kept } else { Flag::Free };
        Out {
            memory: match q.state {
                Keep => MemoryAccess::write(record, q.record()),
                Size => MemoryAccess::write(record + 1, q.request.size.into()),
                Search => MemoryAccess::read(record),
                Fetch => MemoryAccess::read(record + 1),
                Clear => MemoryAccess::write(record, 0),
                Mark => {
                    MemoryAccess::write(send_descriptor(q.request.channel, q.slot) + 3, flag.code().into())
                }
                Idle | Compare | Take | Done => MemoryAccess::default(),
            },
            done: q.state == Done,
            found: q.found,
            slot: q.slot,
            size: q.size,
            outstanding: q.used != 0,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl SendBuffer {
    /// First word of the record of the request's message.
    #[inline(always)]
    fn record(&self) -> u32 {
        1 << 31 | u32::from(self.request.node) << 16 | self.request.number & 0xffff
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let word = pins.memory_rdata;
        let finds = q.request.operation == Operation::Find.code();
        // 16 bits distinguish all messages of a window.
        let distance = word.wrapping_sub(q.request.number) & 0xffff;
        let of_peer = word >> 31 == 1 && word >> 16 & 0x3ff == u32::from(q.request.node);
        let last = q.slot == 15;

        match q.state {
            // Idle: the host chose the slot of a new message; a search begins with slot 0.
            Idle => {
                if pins.start {
                    let keeps = pins.request.operation == Operation::Keep.code();
                    d.request = pins.request;
                    d.slot = if keeps { pins.request.slot } else { 0 };
                    d.found = false;
                    d.state = if keeps { Keep } else { Search };
                }
            }
            // Keep: from now on, a search finds the message.
            Keep => {
                d.used = Self::WIDTHS.used.wrap(q.used + 1);
                d.state = Size;
            }
            // Size: a copy, because the host may change that of the descriptor.
            Size => d.state = Mark,
            // Search: the record arrives in the next cycle.
            Search => d.state = Compare,
            // Compare: Find matches one number, Free all `count` numbers from the first.
            Compare => {
                if finds && of_peer && distance == 0 {
                    d.state = Fetch;
                } else if !finds && of_peer && distance < q.request.count {
                    d.state = Clear;
                } else {
                    d.slot = if last { q.slot } else { q.slot + 1 };
                    d.state = if last { Done } else { Search };
                }
            }
            // Fetch: the size arrives in the next cycle.
            Fetch => d.state = Take,
            // Take: the size ends the search.
            Take => {
                d.found = true;
                d.size = Self::WIDTHS.size.wrap(word);
                d.state = Done;
            }
            // Clear: from now on, a search does not find the message.
            Clear => {
                d.used = Self::WIDTHS.used.wrap(q.used.wrapping_sub(1));
                d.state = Mark;
            }
            // Mark: the descriptor is in use, or free for the host.
            Mark => {
                let keeps = q.request.operation == Operation::Keep.code();
                d.slot = if last || keeps { q.slot } else { q.slot + 1 };
                d.state = if last || keeps { Done } else { Search };
            }
            // Done: the result is kept until the next operation.
            Done => d.state = Idle,
        }
        d
    }
}

impl Probe for SendBuffer {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests;
