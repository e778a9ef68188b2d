//! Write control of the Write Unit: sends words to the SO-DIMM interface (thesis table 7.4, dsh's wctl_stat).
//!
//! Write control requests the write right when the first data line has arrived, and holds it until the packet
//! is in the SO-DIMMs. Lines become words of 8 bytes, each with its own address over both SO-DIMMs: (WID *
//! region + offset) / 8. If the offset is not a multiple of 8, the upper half of each line is carried over
//! into the next word, and one more word may follow the last line. The data of a local store may begin in the
//! upper half of its first line, which also shifts all lines by 4 bytes. Addresses for a ring wrap within its
//! area. A strided store provides a location with each of its halves, and each half becomes a word of its
//! own.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::pins::MemoryWord;
use crate::line::{FIRST, Line};
use crate::receive_controller::pins::WriteRequest;
use crate::region::region;

hdl::fsm! {
    /// Write control of the Write Unit.
    pub enum State in write_control_pkg {
        /// Waits for the first data line.
        Idle => [Request: "first line valid", Done: "packet without data", Idle: "otherwise"],
        /// Requests the write right.
        Request => [Write: "write right", Request: "otherwise"],
        /// Sends words.
        Write => [Finish: "last word sent", Write: "otherwise"],
        /// Waits until the words are in the SO-DIMMs.
        Finish => [Done: "SO-DIMMs idle", Finish: "otherwise"],
        /// The packet is stored.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the write control.
    pub struct In in write_control_pkg {
        /// The packet or local store that begins.
        write_request: WriteRequest,
        /// With `write_request`: address bits that do not change from word to word; 0 except for a ring.
        keep: u32 : 31,
        /// The data begins in the upper half of the first line.
        skip: bool,
        /// Line from SWIF or Write Window.
        line: Line,
        /// `line` is a data line that has not been taken.
        line_valid: bool,
        /// Bytes of `line` to store.
        line_enable: u8,
        /// The packet or store has no data lines.
        empty: bool,
        /// Both halves of the line hold the same 4 bytes, which go to `place`.
        place_enable: bool,
        /// Offset in the region, a multiple of 4.
        place: u32,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The Write Unit has the right to write.
        write_right: bool,
        /// The SO-DIMM interface is almost full.
        sodimm_almost_full: bool,
        /// All words sent are in the SO-DIMMs, or will be after this cycle.
        sodimm_idle: bool,
    }
}

hdl::bundle! {
    /// Output pins of the write control.
    pub struct Out in write_control_pkg {
        /// Requests the right to write; held until the packet is stored.
        write_right_request: bool,
        /// Waits only for the write right.
        requesting: bool,
        /// Takes every data line immediately.
        writing: bool,
        /// Word to write, to the SO-DIMM interface.
        word: MemoryWord,
        /// The packet is stored; high for one cycle.
        done: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the write control.
    pub struct WriteControl in write_control_pkg {
        /// State of the state machine.
        state: State,
        /// Process whose region is written.
        wid: bool,
        /// Address of the word on the output, or of the next one.
        address: u32 : 31,
        /// Address bits that do not change from word to word.
        keep: u32 : 31,
        /// Lines straddle words.
        straddle: bool,
        /// Upper half of the line before.
        carry: u32,
        /// Bytes of `carry` to store.
        carry_enable: u8 : 4,
        /// Word to write.
        data: u64,
        /// Bytes of `data` to write.
        byte_enable: u8,
        /// The last line has been taken.
        last: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/write_control_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// First 8-byte word of a process's region.
#[inline]
fn base(wid: bool, capacity: u8) -> u32 {
    if wid { region(capacity).words } else { 0 }
}

impl Clocked for WriteControl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            write_right_request: matches!(q.state, Request | Write | Finish),
            requesting: q.state == Request,
            writing: q.state == Write,
            word: MemoryWord { data: q.data, address: q.address, byte_enable: q.byte_enable },
            done: q.state == Done,
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

impl WriteControl {
    /// Takes the destination.
    #[inline(always)]
    fn begin(&mut self, pins: &In) {
        let WriteRequest { wid, offset, .. } = pins.write_request;
        self.wid = wid;
        self.address = offset >> 3;
        self.keep = pins.keep;
        self.straddle = (offset >> 2 & 1 == 1) != pins.skip;
        self.carry_enable = 0;
        self.last = false;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.byte_enable = 0;
        if q.byte_enable != 0 {
            let next = (q.address + 1) & 0x7fff_ffff;
            d.address = q.address & q.keep | next & !q.keep;
        }

        match q.state {
            // Idle: the offset arrives with the request; the start of the region is added when the first line
            // arrives, which is later.
            Idle => {
                if pins.write_request.start {
                    d.begin(pins);
                } else if pins.line_valid {
                    d.address = Self::WIDTHS.address.wrap(base(q.wid, pins.capacity) + q.address);
                    d.state = Request;
                } else if pins.empty {
                    d.state = Done;
                }
            }
            // Request: the line is taken in the cycle in which the right is granted.
            Request => {
                if pins.write_right {
                    if pins.line_valid {
                        d.store(pins);
                    }
                    d.state = Write;
                }
            }
            // Write: the bytes left over by the last line make one more word.
            Write => {
                if pins.line_valid {
                    d.store(pins);
                } else if q.last && q.carry_enable == 0 {
                    d.state = Finish;
                } else if q.last && !pins.sodimm_almost_full {
                    d.data = u64::from(q.carry);
                    d.byte_enable = q.carry_enable;
                    d.carry_enable = 0;
                }
            }
            // Finish: completion is reported only when all data is in the SO-DIMMs.
            Finish => {
                if pins.sodimm_idle {
                    d.state = Done;
                }
            }
            // Done: the Receive Controller takes the result.
            Done => d.state = Idle,
        }
        d
    }

    /// Assembles a word from the line; a first line within the packet is not stored.
    #[inline]
    fn store(&mut self, pins: &In) {
        let mask = if pins.line.id == FIRST { 0 } else { pins.line_enable };
        if pins.place_enable {
            self.address = Self::WIDTHS.address.wrap(base(self.wid, pins.capacity) + (pins.place >> 3));
            self.data = pins.line.data;
            self.byte_enable = mask;
        } else if self.straddle {
            self.data = pins.line.data << 32 | u64::from(self.carry);
            self.byte_enable = mask << 4 | self.carry_enable;
            self.carry = (pins.line.data >> 32) as u32;
            self.carry_enable = mask >> 4;
        } else {
            self.data = pins.line.data;
            self.byte_enable = mask;
        }
        self.last = pins.line.is_last();
    }
}

impl Probe for WriteControl {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
