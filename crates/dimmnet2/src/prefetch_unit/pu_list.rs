//! List service of the Prefetch Unit: reads the lists of the Write Unit (thesis section 4.6.4, decision 0022).
//!
//! A VSI and a received RVSI have their list in own SO-DIMM. It is read on its own, word by word, into a buffer of its
//! own: in any cycle in which the reader neither has the right to read nor asks for it, and the writer waits for no
//! word. So it passes a request of the Window Controller that stands still, and never waits for the network. While the
//! service is at work the reader does not see the right, and the Prefetch Unit is busy for those who would begin.
//!
//! Words are kept as they lie in SO-DIMM; a list at an odd multiple of 4 begins in the upper half of its first word.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use super::pins::{ListRequest, MemoryData, MemoryRead};
use crate::region::region;

/// Words that may be on their way: no more than the FIFO of one SO-DIMM holds.
const UNDER_WAY: u8 = 16;

hdl::machine! {
    /// List service of the Prefetch Unit.
    pub enum State in pu_list_pkg {
        /// Waits for a request.
        Idle => [Wait, Done],
        /// Waits until the reader is out of the way.
        Wait => [Request],
        /// Asks for the right to read.
        Request => [Read],
        /// Asks for words.
        Read => [Finish],
        /// Waits for the last word.
        Finish => [Done],
        /// The list can be read.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the list service.
    pub struct In in pu_list_pkg {
        /// From Write Unit.
        list_request: ListRequest,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The reader asks for the right to read.
        reader_asks: bool,
        /// The writer waits for words.
        writer_waits: bool,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
        /// The SO-DIMM interface has little room.
        sodimm_almost_full: bool,
        /// From SO-DIMM interface.
        data: MemoryData,
    }
}

hdl::bundle! {
    /// Output pins of the list service.
    pub struct Out in pu_list_pkg {
        /// A list is being read.
        busy: bool,
        /// The right to read, and words that come, are for the list.
        owns: bool,
        /// To SO-DIMM interface.
        read: MemoryRead,
        /// Takes a word of SO-DIMM1.
        data_next0: bool,
        /// Takes a word of SO-DIMM2.
        data_next1: bool,
        /// Writes the word taken last into the buffer.
        write_enable: bool,
        /// It comes from SO-DIMM2.
        write_second: bool,
        /// Row of 8 bytes.
        write_row: u8 : 7,
        /// The list can be read; high for one cycle.
        ready: bool,
        /// With `ready`: offsets in it.
        entries: u8,
    }
}

hdl::bundle! {
    /// Registers of the list service.
    pub struct PuList in pu_list_pkg {
        /// State.
        state: State,
        /// Offsets to read.
        entries: u8,
        /// Word address over both SO-DIMMs of the word that is asked for.
        address: u32 : 31,
        /// It is asked for in this cycle.
        enable: bool,
        /// Words still to ask for.
        left: u8,
        /// Words on their way.
        under_way: u8 : 5,
        /// The next word comes from SO-DIMM2.
        second: bool,
        /// A word was taken.
        taken: bool,
        /// Row for it.
        row: u8 : 7,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_list_pkg",
    source: "crates/dimmnet2/src/prefetch_unit/pu_list.rs",
    items: &[
        Item::Constant {
            name: "UnderWay",
            width: 5,
            value: UNDER_WAY as u64,
            doc: "Words that may be on their way: no more than the FIFO of one SO-DIMM holds.",
        },
        Item::Machine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Offsets from `list` to the end of the region, or 255 if there are more.
#[inline]
fn room(list: u32, capacity: u8) -> u8 {
    (region(capacity).limit.saturating_sub(u64::from(list & !3)) >> 2).min(255) as u8
}

impl Clocked for PuList {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let takes = q.under_way != 0;
        Out {
            busy: q.state != Idle,
            owns: matches!(q.state, Request | Read | Finish),
            read: MemoryRead { address: q.address, enable: q.enable, pair: false },
            data_next0: takes && !q.second,
            data_next1: takes && q.second,
            write_enable: q.taken,
            // Words come in turns, and the next one is the other module's.
            write_second: !q.second,
            write_row: q.row,
            ready: q.state == Done,
            entries: q.entries,
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

impl PuList {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let empty = if q.second { pins.data.empty1 } else { pins.data.empty0 };
        d.taken = q.under_way != 0 && !empty;
        d.enable = false;
        if q.enable {
            d.address = Self::WIDTHS.address.wrap(q.address + 1);
        }
        if q.taken {
            d.row = Self::WIDTHS.row.wrap(q.row + 1);
        }
        if d.taken {
            d.second = !q.second;
        }

        match q.state {
            // Idle: a list that lies beyond the region as a whole is empty.
            Idle => {
                if pins.list_request.request {
                    d.locate(pins);
                    d.state = if d.entries == 0 { Done } else { Wait };
                }
            }
            // Wait: nothing of the reader's is on its way.
            Wait => {
                if !pins.reader_asks && !pins.writer_waits {
                    d.state = Request;
                }
            }
            // Request: the reader may ask too; it gets the right after the list.
            Request => {
                if pins.read_right {
                    d.state = Read;
                }
            }
            // Read: a word per cycle, as long as all would fit into one FIFO.
            Read => {
                if !pins.sodimm_almost_full && q.under_way < UNDER_WAY {
                    d.enable = true;
                    d.left = q.left - 1;
                    if q.left == 1 {
                        d.state = Finish;
                    }
                }
            }
            // Finish: all words are in the buffer.
            Finish => {
                if q.under_way == 0 && !q.taken {
                    d.state = Done;
                }
            }
            // Done: the Write Unit hears it.
            Done => d.state = Idle,
        }
        d.under_way = q.under_way + u8::from(d.enable) - u8::from(d.taken);
        d
    }

    /// Finds the list.
    #[inline]
    fn locate(&mut self, pins: &In) {
        let request = &pins.list_request;
        let base = if request.wid { region(pins.capacity).words } else { 0 };
        let odd = request.offset >> 2 & 1;
        self.entries = request.entries.min(room(request.offset, pins.capacity));
        self.address = Self::WIDTHS.address.wrap(base + (request.offset >> 3));
        self.second = self.address & 1 == 1;
        self.left = ((u32::from(self.entries) + odd + 1) >> 1) as u8;
        self.row = 0;
    }
}

impl Probe for PuList {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
