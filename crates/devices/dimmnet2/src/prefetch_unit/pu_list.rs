//! List service of the Prefetch Unit: reads the lists of the Write Unit (thesis section 4.6.4, decision 0022).
//!
//! A VSI and a received RVSI have their list in own SO-DIMM. The service reads it word by word into a buffer
//! of its own. It starts in a cycle in which the reader neither has nor requests the right to read and the
//! writer waits for no word. It therefore overtakes a stalled request of the Window Controller and never
//! waits for the network. While the service works, the right is hidden from the reader, and the Prefetch Unit
//! reports busy to new requests.
//!
//! Words are stored as they are in SO-DIMM; a list at an odd multiple of 4 begins in the upper half of its
//! first word.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::{ListRequest, MemoryData, MemoryRead};
use crate::region::region;

/// Most words in flight: the capacity of the FIFO of one SO-DIMM.
const UNDER_WAY: u8 = 16;

hdl::fsm! {
    /// List service of the Prefetch Unit.
    pub enum State in pu_list_pkg {
        /// Waits for a request.
        Idle => [
            Wait: "request, list within the region",
            Done: "request, list empty",
            Idle: "otherwise",
        ],
        /// Waits until the reader is inactive.
        Wait => [Request: "reader and writer inactive", Wait: "otherwise"],
        /// Requests the right to read.
        Request => [Read: "read right", Request: "otherwise"],
        /// Requests words.
        Read => [Finish: "last word requested", Read: "otherwise"],
        /// Waits for the last word.
        Finish => [Done: "last word in the buffer", Finish: "otherwise"],
        /// The list is in its buffer.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the list service.
    pub struct In in pu_list_pkg {
        /// List request, from Write Unit.
        list_request: ListRequest,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The reader requests the right to read.
        reader_asks: bool,
        /// The writer waits for words.
        writer_waits: bool,
        /// The Prefetch Unit has the right to read.
        read_right: bool,
        /// The SO-DIMM interface is almost full.
        sodimm_almost_full: bool,
        /// Words read, from SO-DIMM interface.
        data: MemoryData,
    }
}

hdl::bundle! {
    /// Output pins of the list service.
    pub struct Out in pu_list_pkg {
        /// A list is being read.
        busy: bool,
        /// The right to read and arriving words belong to the list.
        owns: bool,
        /// Word to read, to SO-DIMM interface.
        read: MemoryRead,
        /// Takes a word of SO-DIMM1.
        data_next0: bool,
        /// Takes a word of SO-DIMM2.
        data_next1: bool,
        /// Writes the most recently taken word into the buffer.
        write_enable: bool,
        /// The word to write is from SO-DIMM2.
        write_second: bool,
        /// Row of 8 bytes in the buffer.
        write_row: u8 : 7,
        /// The list is in its buffer; high for one cycle.
        ready: bool,
        /// With `ready`: number of offsets.
        entries: u8,
    }
}

hdl::bundle! {
    /// Registers of the list service.
    pub struct PuList in pu_list_pkg {
        /// State of the state machine.
        state: State,
        /// Number of offsets, clamped to the region.
        entries: u8,
        /// Word address over both SO-DIMMs of the requested word.
        address: u32 : 31,
        /// The word is requested in this cycle.
        enable: bool,
        /// Words still to request.
        left: u8,
        /// Words in flight, 0 to 16.
        under_way: u8 : 5,
        /// The next word to take is from SO-DIMM2.
        second: bool,
        /// A word was taken in the cycle before.
        taken: bool,
        /// Row of the buffer for the taken word.
        row: u8 : 7,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_list_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "UnderWay",
            width: 5,
            value: UNDER_WAY as u64,
            doc: "Most words in flight: the capacity of the FIFO of one SO-DIMM.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Offsets from `list` to the end of the region, at most 255.
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
            // The modules alternate, and `second` already names the next one.
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
            // Idle: a list entirely beyond the region is empty.
            Idle => {
                if pins.list_request.request {
                    d.locate(pins);
                    d.state = if d.entries == 0 { Done } else { Wait };
                }
            }
            // Wait: the reader has nothing in flight.
            Wait => {
                if !pins.reader_asks && !pins.writer_waits {
                    d.state = Request;
                }
            }
            // Request: the reader may request the right too; it gets it after the list.
            Request => {
                if pins.read_right {
                    d.state = Read;
                }
            }
            // Read: a word per cycle, as long as all words in flight fit into one FIFO.
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
            // Done: the Write Unit is informed.
            Done => d.state = Idle,
        }
        d.under_way = q.under_way + u8::from(d.enable) - u8::from(d.taken);
        d
    }

    /// Computes address and size of the list.
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
