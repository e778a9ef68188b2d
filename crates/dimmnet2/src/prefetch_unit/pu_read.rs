//! Reader of the Prefetch Unit: asks the SO-DIMM interface for words (thesis section 4.5.6, dsh's ST_R).
//!
//! A run consists of elements, each of them contiguous: one element for contiguous data, else as many as Iteration
//! says, each at its own offset. An element is cut into words of 8 bytes; of its first and its last word it may want
//! one half only. For each word asked for, a piece tells the writer which bytes of it are wanted. Words of one
//! element follow each other in every cycle; from one element to the next it takes a cycle more.
//!
//! The right to read is asked for before the first word and held until the last one is on its way back: a run
//! into a window is at most 512 bytes, less than a packet. An element that does not end within the region ends the run.
//!
//! A run into the packet buffer is read in parts of 256 words. The right is given back after each, and asked for
//! again only when the buffer has room for the next one: nobody waits for the SO-DIMMs because the network stalls
//! (decision 0019). Words beyond the region are not read; they are pieces of zeros.
//!
//! A run that is read together asks for two words at once, one of each SO-DIMM, wherever the first one is of SO-DIMM1, both
//! are wanted whole, and the data before them fills whole lines (decision 0041).

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use super::pins::MemoryRead;
use super::pu_ctl::Run;
use crate::region::region;

hdl::machine! {
    /// Reader of the Prefetch Unit.
    pub enum State in pu_read_pkg {
        /// Waits for a run.
        Idle => [Room, Request],
        /// Waits until the packet buffer has room for a part of the run.
        Room => [Request],
        /// Asks for the right to read.
        Request => [Element, Read],
        /// Computes where the next element lies.
        Element => [Read, Finish],
        /// Asks for the words of the element.
        Read => [Element, Finish],
        /// Waits until all words are on their way back.
        Finish => [Idle, Room],
    }
}

hdl::bundle! {
    /// Which bytes of a word belong to the data.
    pub struct Piece in pu_read_pkg {
        /// The word comes from SO-DIMM2.
        second: bool,
        /// The bytes begin in the upper half of the word.
        upper: bool,
        /// Bytes, 1 to 8.
        bytes: u8 : 4,
        /// No word is read for them: they are 0.
        absent: bool,
        /// Two words, of SO-DIMM1 and of SO-DIMM2, with 8 bytes each.
        pair: bool,
    }
}

hdl::bundle! {
    /// Input pins of the reader.
    pub struct In in pu_read_pkg {
        /// From the control; high for one cycle.
        start: bool,
        /// From the control.
        run: Run,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
        /// The SO-DIMM interface has little room.
        sodimm_almost_full: bool,
        /// All words handed over are on their way back, or will be after this cycle.
        sodimm_idle: bool,
        /// The writer has little room for pieces.
        pieces_almost_full: bool,
        /// Two offsets of the list, from the list buffer.
        list_rdata: u64,
        /// The packet buffer has room for a part of a run.
        packet_room: bool,
    }
}

hdl::bundle! {
    /// Output pins of the reader.
    pub struct Out in pu_read_pkg {
        /// Asks for the right to read.
        read_right_request: bool,
        /// To SO-DIMM interface.
        read: MemoryRead,
        /// To the writer, with every word that is asked for.
        piece: Piece,
        /// There is a piece in this cycle.
        piece_enable: bool,
        /// Reads the offset of the element after this one; that of the first one is read when the run starts.
        list_read_enable: bool,
        /// Row of two offsets in the list buffer.
        list_row: u8 : 7,
        /// No piece follows.
        ended: bool,
        /// Bytes of the run that were not asked for; stays until the next run.
        remaining: u32,
        /// The reader is idle.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the reader.
    pub struct PuRead in pu_read_pkg {
        /// State.
        state: State,
        /// Offset of the next element, or what is added to its offset in the list.
        offset: u32,
        /// Number of the next element.
        index: u8,
        /// Offset of the next element in the list; 0 if the run has none.
        listed: u32,
        /// Last offset at which an element ends within the region.
        last_offset: u32,
        /// It is below 0.
        none_fits: bool,
        /// Next place to read in the region, in units of 4 bytes.
        position: u32,
        /// Bytes left of the element.
        left: u32,
        /// Bytes left of the run.
        remaining: u32,
        /// Words left of the part of a run into the packet buffer.
        part: u16 : 9,
        /// Another part follows.
        more: bool,
        /// The word that is asked for.
        address: u32 : 31,
        /// It is asked for in this cycle.
        enable: bool,
        /// It lies beyond the region, and is 0 unread.
        absent: bool,
        /// The bytes wanted begin in its upper half.
        upper: bool,
        /// Bytes wanted of it.
        bytes: u8 : 4,
        /// The word behind it is asked for too.
        pair: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_read_pkg",
    source: "crates/dimmnet2/src/prefetch_unit/pu_read.rs",
    items: &[
        Item::Constant {
            name: "PartWords",
            width: 9,
            value: PART_WORDS as u64,
            doc: "Words in a part of a run into the packet buffer.",
        },
        Item::Machine(State::TABLE),
        Item::Bundle(Piece::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Words in a part of a run into the packet buffer; less than a packet may have.
pub const PART_WORDS: u16 = 256;

impl Clocked for PuRead {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            read_right_request: !matches!(q.state, Idle | Room),
            read: MemoryRead { address: q.address, enable: q.enable && !q.absent, pair: q.pair },
            piece: Piece {
                second: q.address & 1 == 1,
                upper: q.upper,
                bytes: q.bytes,
                absent: q.absent,
                pair: q.pair,
            },
            piece_enable: q.enable,
            list_read_enable: q.state == Element,
            list_row: if q.state == Idle { 0 } else { q.index.wrapping_add(1) >> 1 },
            ended: matches!(q.state, Idle | Finish) && !q.enable && !q.more,
            remaining: q.remaining,
            idle: q.state == Idle,
            state: q.state,
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

impl PuRead {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.enable = false;

        match q.state {
            // Idle: there is something to read in every run.
            Idle => {
                if pins.start {
                    d.offset = pins.run.offset;
                    d.index = 0;
                    let last = region(pins.capacity).limit.wrapping_sub(pins.run.element_bytes.into());
                    (d.last_offset, d.none_fits) = (last as u32, last >> 32 & 1 == 1);
                    d.left = 0;
                    d.remaining = pins.run.bytes;
                    d.more = false;
                    d.state = if pins.run.to_packet { Room } else { Request };
                }
            }
            // Room: the SO-DIMMs are free for others meanwhile.
            Room => {
                d.part = PART_WORDS;
                d.more = false;
                if pins.packet_room {
                    d.state = Request;
                }
            }
            // Request: the list buffer has been read; a part may begin inside an element.
            Request => {
                d.listed = q.listed(pins);
                if pins.read_right {
                    d.state = if q.left == 0 { Element } else { Read };
                }
            }
            // Element: one that does not end within the region ends a run that is not padded.
            Element => d.state = if d.locate(pins) || pins.run.padded { Read } else { Finish },
            // Read: a word per cycle; meanwhile the offset of the next element comes from the list buffer.
            Read => {
                d.listed = q.listed(pins);
                if !pins.sodimm_almost_full && !pins.pieces_almost_full {
                    d.ask(pins);
                    d.more = pins.run.to_packet && d.part == 0 && d.remaining != 0;
                    d.state = match (d.left, d.remaining) {
                        _ if d.more => Finish,
                        (0, 0) => Finish,
                        (0, _) => Element,
                        _ => Read,
                    };
                }
            }
            // Finish: only now may the other master turn the data bus around.
            Finish => {
                if !q.enable && pins.sodimm_idle {
                    d.state = if q.more { Room } else { Idle };
                }
            }
        }
        d
    }

    /// Offset of the next element in the list.
    #[inline]
    fn listed(&self, pins: &In) -> u32 {
        if pins.run.listed { (pins.list_rdata >> (32 * (self.index & 1))) as u32 } else { 0 }
    }

    /// Finds the next element; false if it is not in the region.
    #[inline]
    fn locate(&mut self, pins: &In) -> bool {
        let element = self.offset.wrapping_add(self.listed) & !3;
        if !pins.run.listed {
            self.offset = self.offset.wrapping_add(pins.run.stride);
        }
        self.index = self.index.wrapping_add(1);
        self.position = element >> 2;
        self.left = pins.run.element_bytes.min(self.remaining);
        !self.none_fits && element <= self.last_offset
    }

    /// Whether the next word and the one behind it can be asked for at once. What was asked for are whole lines if the bytes
    /// left and those of the run differ by a multiple of 8.
    #[inline]
    fn pairs(&self, pins: &In) -> bool {
        let whole_lines = (pins.run.bytes ^ self.remaining) & 4 == 0;
        pins.run.together && self.position & 3 == 0 && whole_lines && self.left >= 16 && self.part >= 2
    }

    /// Asks for a word, or for two.
    #[inline]
    fn ask(&mut self, pins: &In) {
        let base = if pins.run.wid { region(pins.capacity).words } else { 0 };
        let place = u64::from(self.position);
        self.upper = self.position & 1 == 1;
        self.pair = self.pairs(pins);
        let held = match (self.pair, self.upper) {
            (true, _) => 16,
            (false, true) => 4,
            (false, false) => 8,
        };
        let bytes = self.left.min(held);
        self.bytes = bytes.min(8) as u8;
        self.address = Self::WIDTHS.address.wrap(base.wrapping_add(self.position >> 1));
        self.enable = true;
        self.absent = pins.run.padded && place >= region(pins.capacity).limit >> 2;
        self.position = self.position.wrapping_add(held >> 2);
        self.left -= bytes;
        self.remaining = self.remaining.wrapping_sub(bytes);
        self.part = Self::WIDTHS.part.wrap(self.part.wrapping_sub(1 + u16::from(self.pair)));
    }
}

impl Probe for PuRead {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_of_more_than_half_of_all_addresses_is_one_element() {
        let bytes = 0x8000_0010;
        let run = Run { element_bytes: bytes, bytes, padded: true, to_packet: true, ..Run::default() };
        let pins = In { run, packet_room: true, read_right: true, sodimm_idle: true, ..In::default() };
        let mut reader = PuRead::default();
        reader.tick(&In { start: true, ..pins });
        let mut addresses = vec![];
        for _ in 0..11 {
            reader.tick(&pins);
            if reader.outputs().piece_enable {
                addresses.push(reader.address);
            }
        }
        assert_eq!(addresses, (0..8).collect::<Vec<_>>());
        assert_eq!((reader.state, reader.left), (State::Read, bytes - 64));
    }
}
