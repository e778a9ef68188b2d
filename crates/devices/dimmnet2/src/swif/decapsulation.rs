//! Decapsulation: extracts the packet from an InfiniBand frame (thesis section 4.2, decisions 0005 and 0010).
//!
//! The InfiniBand headers are removed. A packet has no field for its sender's LID, so the DLID field of its
//! first line is replaced by the SLID of the local route header. Line identifiers mark the packet again: 01
//! first, 11 middle, 10 last line; a packet of one line is 10.
//!
//! A frame is stored whole or not at all. A frame for another LID is dropped, and so is a frame that begins
//! while there is less room than the longest packet needs. Stored lines of a cut frame stay: the next
//! packet's first line follows them, and the Receive Controller sees a first line within a packet. If no
//! frame follows in time, two closing lines are added with the same effect, so that the lines can be read and
//! their room becomes free.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::infiniband::LocalRouteHeader;
use crate::line::{FIRST, LAST, Line, MIDDLE};

/// Lines of the longest packet: Packet Size has 12 bits.
pub const LONGEST_PACKET: u16 = 512;

/// Free lines required to accept a frame: the longest packet, one line in flight to the FIFO, the two lines
/// that close a cut packet, and one spare.
pub const START_LINES: u16 = LONGEST_PACKET + 4;

/// Free lines required for `rx_ready`: 512 + 256. `START_LINES` of them are for a frame. The other 252 are
/// for lines that arrive before it, one per cycle, because the link sees `rx_ready` late and its lines arrive
/// late. At 125 MHz that is a round trip of 2 us, or some 200 m of cable.
pub const READY_LINES: u16 = LONGEST_PACKET + 256;

/// Cycles without a line after which an unfinished packet gets the first of its two closing lines. A frame on
/// an InfiniBand link has no gaps, so it has ended by then.
pub const GAP_LIMIT: u8 = 254;

hdl::fsm! {
    /// Progress within the arriving frame (decision 0010).
    pub enum State in decapsulation_pkg {
        /// Waits for a local route header.
        Idle => [Bth1: "LRH: own LID, room", Drop: "LRH: other LID, or no room", Idle: "otherwise"],
        /// Waits for the first line of the base transport header.
        Bth1 => [
            Idle: "last line",
            Bth2: "line",
            Drop: "LRH: other LID, or no room",
            Bth1: "no line, or LRH: own LID, room",
        ],
        /// Waits for the second line of the base transport header.
        Bth2 => [
            Idle: "last line",
            Bth1: "LRH: own LID, room",
            First: "line",
            Drop: "LRH: other LID, or no room",
            Bth2: "no line",
        ],
        /// Waits for the first line of the packet.
        First => [
            Idle: "last line",
            Bth1: "LRH: own LID, room",
            Payload: "line",
            Drop: "LRH: other LID, or no room",
            First: "no line",
        ],
        /// Waits for the other lines of the packet.
        Payload => [
            Idle: "last line, or gap",
            Bth1: "LRH: own LID, room",
            Drop: "too long, or LRH: other LID or no room",
            Payload: "otherwise",
        ],
        /// Waits for the end of a frame that is not stored, or no longer stored.
        Drop => [Idle: "last line", Bth1: "LRH: own LID, room", Drop: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the decapsulation.
    pub struct In in decapsulation_pkg {
        /// Line from the link.
        rx_line: Line,
        /// `rx_line` is valid.
        rx_valid: bool,
        /// LID of this port.
        sma_lid: u16,
        /// Free lines in the receive FIFO.
        fifo_free: u16 : 11,
    }
}

hdl::bundle! {
    /// Output pins of the decapsulation.
    pub struct Out in decapsulation_pkg {
        /// Line to the receive FIFO.
        line: Line,
        /// Writes `line` into the receive FIFO.
        line_enable: bool,
        /// A frame may start: there is room for the longest one and for lines in flight.
        rx_ready: bool,
    }
}

hdl::bundle! {
    /// Registers of the decapsulation.
    pub struct Decapsulation in decapsulation_pkg {
        /// State of the state machine.
        state: State,
        /// LID of the sender.
        slid: u16,
        /// Line to write into the receive FIFO.
        line: Line,
        /// Writes `line` into the receive FIFO.
        line_enable: bool,
        /// A frame may start; value of `rx_ready`.
        ready: bool,
        /// The lines stored so far do not end a packet.
        open: bool,
        /// Cycles since the last line of an open packet.
        gap: u8,
        /// Frames dropped because they are for another LID.
        foreign: u16,
        /// Frames dropped because there was no room.
        overflows: u16,
        /// Frames that ended too early, too late or not at all.
        malformed: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/swif/decapsulation_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "StartLines",
            width: 11,
            value: START_LINES as u64,
            doc: "Free lines required to accept a frame.",
        },
        Item::Constant {
            name: "ReadyLines",
            width: 11,
            value: READY_LINES as u64,
            doc: "Free lines required for rx_ready: the longest packet and 256 lines in flight.",
        },
        Item::Constant {
            name: "GapLimit",
            width: 8,
            value: GAP_LIMIT as u64,
            doc: "Cycles without a line after which an unfinished packet is closed.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Decapsulation {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { line: self.line, line_enable: self.line_enable, rx_ready: self.ready }
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
        if self.open || self.line_enable || self.gap != 0 { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl Decapsulation {
    /// Whether `rx_ready` already has the value for this number of free lines.
    #[inline]
    pub fn settled(&self, fifo_free: u16) -> bool {
        self.ready == (fifo_free >= READY_LINES)
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let valid = pins.rx_valid && pins.rx_line.id != 0;
        let begins = valid && pins.rx_line.id == FIRST;
        let inside = valid && !begins;
        let ends = valid && pins.rx_line.is_last();
        let header = LocalRouteHeader::from_bits(pins.rx_line.data.swap_bytes());

        // A frame that is too long for the room at its start is cut while the closing lines still fit.
        let too_long = !ends && pins.fifo_free < 4;
        let store = inside && matches!(q.state, First | Payload);
        let mut malformed = false;

        d.line_enable = false;
        d.ready = pins.fifo_free >= READY_LINES;
        d.gap = if q.open { q.gap.wrapping_add(1) } else { 0 };

        match q.state {
            // Idle: lines of a frame whose beginning was not seen are discarded.
            Idle => (),
            // Bth1: opcode, partition and queue pair have a single valid value and are not checked.
            Bth1 => {
                if inside {
                    malformed = ends;
                    d.state = if ends { Idle } else { Bth2 };
                }
            }
            // Bth2: the sequence number is not checked, because end-to-end retransmission is part of the
            // link.
            Bth2 => {
                if inside {
                    malformed = ends;
                    d.state = if ends { Idle } else { First };
                }
            }
            // First: DLID, bits 47:32, is replaced by the sender's LID.
            First => {
                if inside {
                    d.line.data = pins.rx_line.data & !(0xffff << 32) | (q.slid as u64) << 32;
                    d.line.id = if ends { LAST } else { FIRST };
                    d.state = if ends { Idle } else { Payload };
                }
            }
            // Payload: up to the last line of the frame.
            Payload => {
                if inside {
                    d.line.data = pins.rx_line.data;
                    d.line.id = if ends || too_long { LAST } else { MIDDLE };
                    malformed = too_long;
                    d.state = match (ends, too_long) {
                        (true, _) => Idle,
                        (_, true) => Drop,
                        _ => Payload,
                    };
                }
            }
            // Drop: the rest of the frame is discarded.
            Drop => {
                if ends {
                    d.state = Idle;
                }
            }
        }

        if store {
            d.line_enable = true;
            d.open = d.line.id != LAST;
            d.gap = 0;
        } else if q.open && q.gap >= GAP_LIMIT {
            // The first closing line marks the packet as malformed, the second ends it.
            let end = q.gap != GAP_LIMIT;
            d.line = Line { data: 0, id: if end { LAST } else { FIRST } };
            d.line_enable = true;
            d.open = !end;
            if q.state == Payload {
                malformed = true;
                d.state = Idle;
            }
        }

        // A local route header begins a frame in any state.
        if begins {
            malformed = matches!(q.state, Bth1 | Bth2 | First | Payload);
            let foreign = header.dlid != pins.sma_lid;
            let overflow = !foreign && pins.fifo_free < START_LINES;
            d.slid = header.slid;
            d.foreign = q.foreign.wrapping_add(foreign as u16);
            d.overflows = q.overflows.wrapping_add(overflow as u16);
            d.state = if foreign || overflow { Drop } else { Bth1 };
        }
        d.malformed = q.malformed.wrapping_add(malformed as u16);
        d
    }
}

impl Probe for Decapsulation {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
