//! Receive ring: stores a packet in local memory. Data is written first, then the header; then the position
//! moves, then the host may be interrupted (paper, section 3).
//!
//! The NIF has three: two receive message buffers, whose data goes to the slot with the number of the header,
//! and the receive header buffer of DMA, whose data goes to the address in the packet. Only the last segment
//! of a transfer has a header.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::memory_map::{ENTRY_WORDS, Header};
use crate::pins::{LinkWord, MemoryOut};

hdl::fsm! {
    /// Receive ring.
    pub enum State in receive_ring_pkg {
        /// Waits for a packet.
        Idle => [Store: "packet begins", Idle: "otherwise"],
        /// Writes the data, and after the last segment the header.
        Store => [
            Settle: "last word where announced",
            Fault: "packet too short or too long",
            Store: "otherwise",
        ],
        /// Waits until the last word is in memory.
        Settle => [Move: "last word in memory", Settle: "otherwise"],
        /// Moves the position after a header.
        Move => [Idle],
        /// Reports a malformed packet.
        Fault => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of a receive ring.
    pub struct In in receive_ring_pkg {
        /// The ring is a receive message buffer.
        message: bool,
        /// Number of the 4 KB page that holds the headers.
        header_base: u16 : 14,
        /// Number of the 8 KB page that holds the data of messages; not used by the ring of DMA.
        data_base: u16 : 13,
        /// A packet begins.
        start: bool,
        /// Its first word.
        header: u64,
        /// `word` is the next word of the packet; it stays until it is taken.
        word_valid: bool,
        /// Word of the packet.
        word: LinkWord,
        /// From memory: the word is written in this cycle.
        memory_ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of a receive ring.
    pub struct Out in receive_ring_pkg {
        /// No packet is being stored.
        idle: bool,
        /// Takes the word if it is valid.
        word_next: bool,
        /// To memory: requests a write.
        memory_request: bool,
        /// To memory: byte address of the word.
        memory_address: u32 : 26,
        /// To memory: word to write.
        memory_wdata: u64,
        /// To memory: bytes that are written, a bit each.
        memory_strobe: u8,
        /// The packet is malformed; high for one cycle.
        fault: bool,
        /// A transfer has arrived; high for one cycle, the first one with the new position.
        arrived: bool,
        /// Header that is written next.
        write: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of a receive ring.
    pub struct ReceiveRing in receive_ring_pkg {
        /// Step of the packet; `Idle` between packets.
        state: State,
        /// Header that is written next.
        write: u8 : 6,
        /// The packet is the last segment of its transfer.
        last: bool,
        /// Words of data still to arrive, minus 1.
        words: u8 : 5,
        /// Bytes of the last word of data, minus 1.
        bytes: u8 : 3,
        /// The words that arrive are those of the header.
        heading: bool,
        /// Word of the header that is written next; 0 to 5.
        count: u8 : 3,
        /// Byte address of the next word of data.
        address: u32 : 26,
        /// Byte address of the first word of data of a message.
        data: u32 : 26,
        /// A word is to be written.
        writing: bool,
        /// Byte address of the word to write.
        write_address: u32 : 26,
        /// Word of the packet.
        wdata: u64,
        /// Bytes that are written, a bit each.
        strobe: u8,
        /// A transfer has arrived; high for one cycle.
        arrived: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/receive_ring_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "HeaderEnd",
            width: 3,
            value: ENTRY_WORDS as u64 - 1,
            doc: "Last word of a header.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Out {
    /// Request to local memory: one word to write, never a longer burst.
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

    #[inline(always)]
    fn waits(&self) -> bool {
        match self.state {
            State::Idle => !self.arrived,
            State::Store => true,
            State::Settle => self.writing,
            State::Move | State::Fault => false,
        }
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
                    d.bytes = Self::WIDTHS.bytes.wrap(header.bytes);
                    d.heading = false;
                    d.count = 0;
                    d.data = u32::from(pins.data_base) << 13 | u32::from(q.write) << 7;
                    d.address = if pins.message { d.data } else { Self::WIDTHS.address.wrap(header.address) };
                    d.state = Store;
                }
            }
            // Store: the last word of data may be partial. A packet that is too short or too long is
            // malformed.
            Store => {
                let end = if q.heading { end_of_header } else { end_of_data && !q.last };
                if takes && pins.word.last != end {
                    d.state = Fault;
                } else if takes {
                    d.writing = true;
                    if q.heading {
                        // Only the receiver knows the place of a message's data.
                        d.write_address = u32::from(pins.header_base) << 12
                            | u32::from(q.write) << 6
                            | u32::from(q.count) << 3;
                        d.wdata = if pins.message && q.count == 1 { q.data.into() } else { pins.word.data };
                        d.strobe = 0xff;
                        d.count = Self::WIDTHS.count.wrap(q.count + 1);
                    } else {
                        d.write_address = q.address;
                        d.wdata = pins.word.data;
                        d.strobe = if end_of_data { 0xff >> (7 - q.bytes) } else { 0xff };
                        d.address = Self::WIDTHS.address.wrap(q.address + 8);
                        d.words = Self::WIDTHS.words.wrap(q.words.wrapping_sub(1));
                        d.heading = end_of_data;
                    }
                    if end {
                        d.state = Settle;
                    }
                }
            }
            // Settle: the position must not move before the header is in memory.
            Settle => {
                if !q.writing {
                    d.state = Move;
                }
            }
            // Move: the interrupt cause is raised with the position. Only the last segment has a header.
            Move => {
                if q.last {
                    d.write = Self::WIDTHS.write.wrap(q.write + 1);
                    d.arrived = true;
                }
                d.state = Idle;
            }
            // Fault: words written before lie outside any header.
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
        // The second word of the header holds the address of the data.
        let told = |i: u32| if i == 1 { data.into() } else { u64::from(i) + 2 };
        let words: Vec<_> = words.chain((0..6).map(|i| (head + 8 * i, told(i)))).collect();
        assert_eq!(written, words);
    }
}
