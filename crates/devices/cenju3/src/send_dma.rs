//! Send DMA: cuts a transfer into segments and reads their data from local memory into packets (paper,
//! section 3).
//!
//! A packet begins when the transmit FIFO has room for the longest one, so only memory can delay it. The data
//! of the last segment is followed by the six words that the receiver writes as header; those of the library
//! are read from the entry.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::mask::Transfer;
use crate::memory_map::{Addresses, Control, Header, Kind, LIBRARY_WORDS, PACKET_WORDS};
use crate::pins::LinkWord;

/// Capacity of the transmit FIFO, in words.
pub const FIFO_WORDS: usize = 64;

hdl::fsm! {
    /// Send DMA.
    pub enum State in send_dma_pkg {
        /// Waits for a transfer.
        Idle => [Room: "start", Idle: "otherwise"],
        /// Waits for room for a packet.
        Room => [Begin: "FIFO has room for a packet", Room: "otherwise"],
        /// Writes the header of the packet.
        Begin => [Data],
        /// Reads data.
        Data => [
            Room: "segment read, not the last",
            Describe: "last segment read",
            Data: "otherwise",
        ],
        /// Writes kind, source and length.
        Describe => [Locate],
        /// Writes the address of the data.
        Locate => [Library],
        /// Reads the words of the library.
        Library => [Done: "last word read", Library: "otherwise"],
        /// Reports that the transfer is sent.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of send DMA.
    pub struct In in send_dma_pkg {
        /// Transfer to send.
        transfer: Transfer,
        /// Sends it; high until it is sent.
        start: bool,
        /// Number of this processor element.
        pe: u8,
        /// Words in the transmit FIFO.
        fifo_count: u8 : 7,
        /// From memory: a word is read in this cycle.
        memory_ready: bool,
        /// From memory: word that is read.
        memory_rdata: u64,
    }
}

hdl::bundle! {
    /// Output pins of send DMA.
    pub struct Out in send_dma_pkg {
        /// No transfer is in progress, and no word is being stored in the FIFO.
        idle: bool,
        /// To memory: requests a read.
        memory_request: bool,
        /// To memory: byte address of the word.
        memory_address: u32 : 26,
        /// To memory: words left in the burst, this one included.
        memory_left: u8 : 6,
        /// To the FIFO: a word of a packet.
        word: LinkWord,
        /// To the FIFO: stores the word.
        word_enable: bool,
        /// The transfer is sent; high for one cycle.
        sent: bool,
    }
}

hdl::bundle! {
    /// Registers of send DMA.
    pub struct SendDma in send_dma_pkg {
        /// Step of the transfer; `Idle` between transfers.
        state: State,
        /// Byte address that is read next.
        source: u32 : 26,
        /// DMA write address of the segment.
        destination: u32 : 26,
        /// Bytes still to be sent, those of the segment included.
        left: u32 : 26,
        /// Words left in the burst.
        words: u8 : 6,
        /// The last segment.
        last: bool,
        /// Word for the FIFO.
        word: LinkWord,
        /// Stores the word in the FIFO.
        word_enable: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "cenju3/send_dma_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "FifoWords",
            width: 7,
            value: FIFO_WORDS as u64,
            doc: "Words of the transmit FIFO.",
        },
        Item::Constant {
            name: "LibraryWords",
            width: 6,
            value: LIBRARY_WORDS as u64,
            doc: "Words of the library.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for SendDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            idle: q.state == Idle && !q.word_enable,
            memory_request: matches!(q.state, Data | Library),
            memory_address: q.source,
            memory_left: q.words,
            word: q.word,
            word_enable: q.word_enable,
            sent: q.state == Done,
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
        matches!(self.state, State::Idle | State::Data | State::Library) && !self.word_enable
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle && !self.word_enable { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl SendDma {
    /// Whether a segment waits for room behind this number of words, and nothing else happens.
    #[inline(always)]
    pub(crate) fn lacks_room(&self, fifo_count: u8) -> bool {
        self.state == State::Room
            && !self.word_enable
            && fifo_count >= FIFO_WORDS as u8 - PACKET_WORDS
            && self.segment() == (self.last, self.words)
    }

    /// Whether the next segment is the last one, and its words; a partial word counts as one.
    #[inline(always)]
    fn segment(&self) -> (bool, u8) {
        let words = ((self.left & 0x1ff) + 7) >> 3;
        match self.left <= crate::memory_map::SEGMENT_BYTES {
            true => (true, Self::WIDTHS.words.wrap(words)),
            false => (false, 32),
        }
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let dma = pins.transfer.kind == Kind::Dma.code();

        d.word_enable = false;
        match q.state {
            // Idle: takes the transfer.
            Idle => {
                if pins.start {
                    d.source = Self::WIDTHS.source.wrap(pins.transfer.source);
                    d.destination =
                        if dma { Self::WIDTHS.destination.wrap(pins.transfer.destination) } else { 0 };
                    d.left = Self::WIDTHS.left.wrap(pins.transfer.length);
                    d.state = Room;
                }
            }
            // Room: one more free place is needed, for a word that is still in `word`.
            Room => {
                (d.last, d.words) = q.segment();
                if pins.fifo_count < FIFO_WORDS as u8 - PACKET_WORDS {
                    d.state = Begin;
                }
            }
            // Begin: the first word is requested next.
            Begin => {
                let header = Header {
                    kind: pins.transfer.kind,
                    last: q.last,
                    pe: pins.transfer.pe,
                    source: pins.pe,
                    bytes: if q.last { (q.left as u8).wrapping_sub(1) } else { 0xff },
                    address: q.destination,
                };
                d.word = LinkWord { data: header.bits(), last: false };
                d.word_enable = true;
                d.state = Data;
            }
            // Data: one burst for each segment.
            Data => {
                if pins.memory_ready {
                    d.word = LinkWord { data: pins.memory_rdata, last: q.words == 1 && !q.last };
                    d.word_enable = true;
                    d.source = Self::WIDTHS.source.wrap(q.source + 8);
                    d.words = Self::WIDTHS.words.wrap(q.words.wrapping_sub(1));
                    if q.words == 1 {
                        d.destination =
                            if dma { Self::WIDTHS.destination.wrap(q.destination + 256) } else { 0 };
                        d.left = Self::WIDTHS.left.wrap(q.left.wrapping_sub(256));
                        d.state = if q.last { Describe } else { Room };
                    }
                }
            }
            // Describe: first word of the header in the receiver's ring.
            Describe => {
                let control = Control { kind: pins.transfer.kind, pe: pins.pe, length: pins.transfer.length };
                d.word = LinkWord { data: control.bits(), last: false };
                d.word_enable = true;
                d.state = Locate;
            }
            // Locate: the receiver fills in the address of a message.
            Locate => {
                let source = if dma { pins.transfer.destination } else { 0 };
                d.word = LinkWord { data: Addresses { source, destination: 0 }.bits(), last: false };
                d.word_enable = true;
                d.source = pins.transfer.entry | 16;
                d.words = LIBRARY_WORDS;
                d.state = Library;
            }
            // Library: after these words the entry is not needed any more.
            Library => {
                if pins.memory_ready {
                    d.word = LinkWord { data: pins.memory_rdata, last: q.words == 1 };
                    d.word_enable = true;
                    d.source = Self::WIDTHS.source.wrap(q.source + 8);
                    d.words = Self::WIDTHS.words.wrap(q.words.wrapping_sub(1));
                    if q.words == 1 {
                        d.state = Done;
                    }
                }
            }
            // Done: the transfer is still on the input pins.
            Done => d.state = Idle,
        }
        d
    }
}

impl Probe for SendDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_map::MEMORY_BYTES;

    #[test]
    fn packet_begins_when_the_fifo_has_one_place_more_than_it_needs() {
        let transfer = Transfer { length: 8, ..Transfer::default() };
        let full = FIFO_WORDS as u8 - PACKET_WORDS;
        for (fifo_count, begins) in [(full - 1, true), (full, false), (full + 1, false)] {
            let mut dma = SendDma::default();
            (0..2).for_each(|_| dma.tick(&In { start: true, transfer, fifo_count, ..In::default() }));
            assert_eq!(dma.state == State::Begin, begins, "{fifo_count} words");
        }
    }

    #[test]
    fn burst_counts_its_words_at_the_end_of_memory() {
        let (source, destination, length) = (MEMORY_BYTES - 48, MEMORY_BYTES - 24, 24);
        let transfer =
            Transfer { kind: Kind::Dma.code(), source, destination, length, ..Transfer::default() };
        let mut dma = SendDma::default();
        let (mut words, mut left, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
        for cycle in 0..20 {
            let out = dma.outputs();
            if out.memory_request {
                left.push(out.memory_left);
                addresses.push(out.memory_address);
            }
            dma.tick(&In { start: cycle == 0, transfer, memory_ready: out.memory_request, ..In::default() });
            if dma.outputs().word_enable {
                words.push(dma.outputs().word.data);
            }
        }
        assert_eq!(left, [3, 2, 1, 4, 3, 2, 1]);
        // Data first, then words of the entry.
        assert_eq!(addresses, [source, source + 8, source + 16, 16, 24, 32, 40]);
        assert_eq!(words.len(), 1 + 3 + 6);
        assert_eq!(Header::from_bits(words[0]).address, destination);
        assert_eq!(Addresses::from_bits(words[5]).source, destination);
    }
}
