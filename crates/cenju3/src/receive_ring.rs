//! Stores a packet in local memory: first its data, then its header, then the position moves, then the host may be interrupted (paper,
//! section 3).
//!
//! There are three: the two receive message buffers, whose data goes to the slot beside the header, and the receive header buffer of
//! DMA, whose data goes to the address in the packet. Only the last segment of a transfer has a header.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::memory_map::{ENTRY_WORDS, Header};
use crate::pins::{LinkWord, MemoryOut};

hdl::machine! {
    /// Receive ring.
    pub enum State in receive_ring_pkg {
        /// Waits for a packet.
        Idle => [Store],
        /// Writes data, and behind that of the last segment the header.
        Store => [Settle, Fault],
        /// Waits until the last word is in memory.
        Settle => [Move],
        /// Moves the position, behind a header.
        Move => [Idle],
        /// Reports that the words are no packet.
        Fault => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of a receive ring.
    pub struct In in receive_ring_pkg {
        /// The ring is one of messages.
        message: bool,
        /// Page of 4 KB of the headers.
        header_base: u16 : 14,
        /// Piece of 8 KB of the data, of messages.
        data_base: u16 : 13,
        /// A packet begins.
        start: bool,
        /// Its first word.
        header: u64,
        /// There is a word.
        word_valid: bool,
        /// The word.
        word: LinkWord,
        /// From memory: the word is written in this cycle.
        memory_ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of a receive ring.
    pub struct Out in receive_ring_pkg {
        /// Nothing is at hand.
        idle: bool,
        /// Takes the word, if there is one.
        word_next: bool,
        /// To memory: writes a word.
        memory_request: bool,
        /// To memory: where.
        memory_address: u32 : 26,
        /// To memory: the word.
        memory_wdata: u64,
        /// To memory: which bytes of it.
        memory_strobe: u8,
        /// The words are no packet; high for one cycle.
        fault: bool,
        /// A transfer has arrived; high for one cycle, the first in which the position says so.
        arrived: bool,
        /// Header that is written next.
        write: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of a receive ring.
    pub struct ReceiveRing in receive_ring_pkg {
        /// State.
        state: State,
        /// Header that is written next.
        write: u8 : 6,
        /// The last segment.
        last: bool,
        /// Words of data that are to come, less one.
        words: u8 : 5,
        /// Bytes of the last of them, less one.
        bytes: u8 : 3,
        /// The header is at hand.
        heading: bool,
        /// Word of the header.
        count: u8 : 3,
        /// Where the next word of data goes.
        address: u32 : 26,
        /// Byte address of the first word of data of a message.
        data: u32 : 26,
        /// Writes a word.
        writing: bool,
        /// Where.
        write_address: u32 : 26,
        /// The word.
        wdata: u64,
        /// Which bytes of it.
        strobe: u8,
        /// A transfer has arrived.
        arrived: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/receive_ring_pkg",
    source: "crates/cenju3/src/receive_ring.rs",
    items: &[
        Item::Constant {
            name: "HeaderEnd",
            width: 3,
            value: ENTRY_WORDS as u64 - 1,
            doc: "Last word of a header.",
        },
        Item::Machine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Out {
    /// What the ring asks of local memory: one word to write, never a longer burst.
    #[inline(always)]
    pub fn memory(&self) -> MemoryOut {
        MemoryOut {
            wdata: self.memory_wdata,
            address: self.memory_address,
            strobe: self.memory_strobe,
            left: 1,
            write: true,
            request: self.memory_request,
        }
    }
}

impl Clocked for ReceiveRing {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle,
            word_next: q.state == Store && !q.writing,
            memory_request: q.writing,
            memory_address: q.write_address,
            memory_wdata: q.wdata,
            memory_strobe: q.strobe,
            fault: q.state == Fault,
            arrived: q.arrived,
            write: q.write,
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
        if self.state == State::Idle && !self.arrived { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ReceiveRing {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let header = Header::from_bits(pins.header);
        let takes = pins.word_valid && !q.writing;
        let end_of_data = q.words == 0;
        let end_of_header = q.count == ENTRY_WORDS - 1;

        d.arrived = false;
        if pins.memory_ready {
            d.writing = false;
        }
        match q.state {
            // Idle: the slot of a message has the number of its header.
            Idle => {
                if pins.start {
                    d.last = header.last;
                    d.words = header.bytes >> 3;
                    d.bytes = header.bytes & 7;
                    d.heading = false;
                    d.count = 0;
                    d.data = u32::from(pins.data_base) << 13 | u32::from(q.write) << 7;
                    d.address = if pins.message { d.data } else { header.address & 0x3ff_ffff };
                    d.state = Store;
                }
            }
            // Store: the last word of data may have bytes that are not written. A packet that is too short or too long is none.
            Store => {
                let end = if q.heading { end_of_header } else { end_of_data && !q.last };
                if takes && pins.word.last != end {
                    d.state = Fault;
                } else if takes {
                    d.writing = true;
                    if q.heading {
                        // Where the data of a message is, only the receiver knows.
                        d.write_address = u32::from(pins.header_base) << 12
                            | u32::from(q.write) << 6
                            | u32::from(q.count) << 3;
                        d.wdata = if pins.message && q.count == 1 { q.data.into() } else { pins.word.data };
                        d.strobe = 0xff;
                        d.count = (q.count + 1) & 7;
                    } else {
                        d.write_address = q.address;
                        d.wdata = pins.word.data;
                        d.strobe = if end_of_data { 0xff >> (7 - q.bytes) } else { 0xff };
                        d.address = (q.address + 8) & 0x3ff_ffff;
                        d.words = q.words.wrapping_sub(1) & 0x1f;
                        d.heading = end_of_data;
                    }
                    if end {
                        d.state = Settle;
                    }
                }
            }
            // Settle: the position may not be seen before the header.
            Settle => {
                if !q.writing {
                    d.state = Move;
                }
            }
            // Move: with the position comes the cause of an interrupt. A segment that is not the last has no header.
            Move => {
                if q.last {
                    d.write = (q.write + 1) & 0x3f;
                    d.arrived = true;
                }
                d.state = Idle;
            }
            // Fault: what was written before lies where no header tells of it.
            Fault => d.state = Idle,
        }
        d
    }
}

impl Probe for ReceiveRing {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pins::LinkWord;

    #[test]
    fn message_lies_in_the_slot_of_its_header() {
        let mut ring = ReceiveRing { write: 63, ..ReceiveRing::default() };
        let header = Header { last: true, bytes: 15, address: 0x55, ..Header::default() }.bits();
        let bases = In { header, message: true, data_base: 0x1fff, header_base: 0x3fff, ..In::default() };
        ring.tick(&In { start: true, ..bases });
        let mut written = Vec::new();
        for i in 0..8 {
            let word = LinkWord { data: i, last: i == 7 };
            ring.tick(&In { word_valid: true, word, ..bases });
            let memory = ring.outputs().memory();
            written.push((memory.address, memory.wdata));
            ring.tick(&In { memory_ready: true, ..bases });
        }
        let (data, head) = (0x3ff_ff80, 0x3ff_ffc0);
        let words = (0..2).map(|i| (data + 8 * i, i.into()));
        // In place of its second word, the header tells where the data is.
        let told = |i: u32| if i == 1 { data.into() } else { u64::from(i) + 2 };
        let words: Vec<_> = words.chain((0..6).map(|i| (head + 8 * i, told(i)))).collect();
        assert_eq!(written, words);
    }
}
