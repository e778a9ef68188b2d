//! Reader of the Prefetch Unit: requests words from the SO-DIMM interface (thesis section 4.5.6, dsh's ST_R).
//!
//! A run consists of contiguous elements: one element for contiguous data, otherwise Iteration elements, each
//! at its own offset. An element is cut into words of 8 bytes; only one half may be used of its first and of
//! its last word. With each requested word, a piece tells the writer which of its bytes are used. Words of
//! one element are requested in consecutive cycles; each new element costs one more cycle.
//!
//! The right to read is requested before the first word and held until the last one is on the way back: a run
//! into a window has at most 512 bytes, less than a packet. An element that does not end within the region
//! ends the run.
//!
//! A run into the packet buffer is read in parts of 256 words. The right is released after each part and
//! requested again only when the buffer has room for the next, so a stalled network never blocks the SO-DIMMs
//! (decision 0019). Words beyond the region are not read; their pieces are zeros.
//!
//! A run with `together` requests two words at once, one of each SO-DIMM. It does so wherever the first word
//! is in SO-DIMM1, both are used whole, and the data before them fills whole lines (decision 0041).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::MemoryRead;
use super::pu_ctl::Run;
use crate::region::region;

hdl::fsm! {
    /// Reader of the Prefetch Unit.
    pub enum State in pu_read_pkg {
        /// Waits for a run.
        Idle => [
            Room: "start, run to the packet buffer",
            Request: "start, other run",
            Idle: "otherwise",
        ],
        /// Waits until the packet buffer has room for a part of the run.
        Room => [Request: "packet buffer has room", Room: "otherwise"],
        /// Requests the right to read.
        Request => [
            Element: "read right, new element",
            Read: "read right, inside an element",
            Request: "otherwise",
        ],
        /// Computes the location of the next element.
        Element => [Read: "within the region, or padded run", Finish: "beyond the region"],
        /// Requests the words of the element.
        Read => [
            Element: "element requested, more follow",
            Finish: "run or its part requested",
            Read: "otherwise",
        ],
        /// Waits until all words are on the way back.
        Finish => [
            Idle: "SO-DIMMs idle, run complete",
            Room: "SO-DIMMs idle, next part follows",
            Finish: "otherwise",
        ],
    }
}

hdl::bundle! {
    /// The bytes of a word that belong to the data.
    pub struct Piece in pu_read_pkg {
        /// The word comes from SO-DIMM2.
        second: bool,
        /// The bytes begin in the upper half of the word.
        upper: bool,
        /// Number of bytes, 1 to 8.
        bytes: u8 : 4,
        /// The bytes are 0, and no word is read for them.
        absent: bool,
        /// Two words, of SO-DIMM1 and of SO-DIMM2, of 8 bytes each.
        pair: bool,
    }
}

hdl::bundle! {
    /// Input pins of the reader.
    pub struct In in pu_read_pkg {
        /// Starts a run, from the control; high for one cycle.
        start: bool,
        /// The run, from the control.
        run: Run,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
        /// The SO-DIMM interface is almost full.
        sodimm_almost_full: bool,
        /// All words requested are on the way back, or will be after this cycle.
        sodimm_idle: bool,
        /// The writer has room for few more pieces.
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
        /// Requests the right to read; held until the part of the run is on the way back.
        read_right_request: bool,
        /// Word to read, to SO-DIMM interface.
        read: MemoryRead,
        /// Piece of the requested word, to the writer.
        piece: Piece,
        /// `piece` is valid.
        piece_enable: bool,
        /// Reads the offset of the element after this one; the first offset is read when the run starts.
        list_read_enable: bool,
        /// Row of two offsets in the list buffer.
        list_row: u8 : 7,
        /// All pieces of the run have been sent.
        ended: bool,
        /// Bytes of the run that were not requested; held until the next run.
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
        /// State of the state machine.
        state: State,
        /// Offset of the next element, or the base that is added to its list offset.
        offset: u32,
        /// Number of the next element.
        index: u8,
        /// List offset of the next element; 0 if the run has no list.
        listed: u32,
        /// Greatest offset at which an element ends within the region.
        last_offset: u32,
        /// `last_offset` is negative: no element fits.
        none_fits: bool,
        /// Next location to read in the region, in units of 4 bytes.
        position: u32,
        /// Bytes left in the element.
        left: u32,
        /// Bytes left in the run.
        remaining: u32,
        /// Words left in the part of a run into the packet buffer.
        part: u16 : 9,
        /// Another part follows.
        more: bool,
        /// Word address of the requested word over both SO-DIMMs.
        address: u32 : 31,
        /// The word is requested in this cycle.
        enable: bool,
        /// The word lies beyond the region; it is 0 and not read.
        absent: bool,
        /// The used bytes begin in the upper half of the word.
        upper: bool,
        /// Bytes used of the word.
        bytes: u8 : 4,
        /// The next word is requested too.
        pair: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_read_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "PartWords",
            width: 9,
            value: PART_WORDS as u64,
            doc: "Words in a part of a run into the packet buffer.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(Piece::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Words in a part of a run into the packet buffer; fewer than the longest packet has.
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
    /// Takes the parameters of a run.
    #[inline(always)]
    fn begin(&mut self, pins: &In) {
        self.offset = pins.run.offset;
        self.index = 0;
        let last = region(pins.capacity).limit.wrapping_sub(pins.run.element_bytes.into());
        (self.last_offset, self.none_fits) = (last as u32, last >> 32 & 1 == 1);
        self.left = 0;
        self.remaining = pins.run.bytes;
        self.more = false;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.enable = false;

        match q.state {
            // Idle: every run has at least one byte to read.
            Idle => {
                if pins.start {
                    d.begin(pins);
                    d.state = if pins.run.to_packet { Room } else { Request };
                }
            }
            // Room: other masters can use the SO-DIMMs meanwhile.
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
            // Element: computes the location; beyond the region, only a padded run continues.
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
            // Finish: from now on the other master may turn the data bus around.
            Finish => {
                if !q.enable && pins.sodimm_idle {
                    d.state = if q.more { Room } else { Idle };
                }
            }
        }
        d
    }

    /// List offset of the next element.
    #[inline]
    fn listed(&self, pins: &In) -> u32 {
        if pins.run.listed { (pins.list_rdata >> (32 * (self.index & 1))) as u32 } else { 0 }
    }

    /// Computes the location of the next element; false if it is not within the region.
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

    /// Whether the next two words can be requested at once. The data requested so far fills whole lines if
    /// the bytes of the run and those left differ by a multiple of 8.
    #[inline]
    fn pairs(&self, pins: &In) -> bool {
        let whole_lines = (pins.run.bytes ^ self.remaining) & 4 == 0;
        pins.run.together && self.position & 3 == 0 && whole_lines && self.left >= 16 && self.part >= 2
    }

    /// Requests one word, or two.
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
    fn run_of_more_than_2_gb_is_one_element() {
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
