//! Encapsulation: one InfiniBand frame per packet (thesis section 4.2, decision 0010).
//!
//! A frame consists of the local route header, two lines of base transport header and the unchanged lines of
//! the packet. Line identifiers mark the frame: 01 the LRH, 10 the packet's last line, 11 all others. The
//! frame ends with the packet's own last line; the length in its LRH is computed from Packet Size.
//!
//! The state machine starts only when a whole packet waits and always has the next line available, so a frame
//! has no gaps except those caused by `tx_ready`.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use super::infiniband::{
    HEADER_WORDS, LOCAL, LocalRouteHeader, PARTITION, QUEUE_PAIR, SEND_ONLY, TransportHeader0,
    TransportHeader1,
};
use crate::line::{FIRST, LAST, Line, MIDDLE};

hdl::fsm! {
    /// Progress within the frame being sent (decision 0010).
    pub enum State in encapsulation_pkg {
        /// Waits for a whole packet; takes its first line.
        Idle => [Header: "whole packet in the FIFO", Idle: "otherwise"],
        /// Builds the local route header from the first line.
        Header => [Lrh],
        /// Sends the local route header.
        Lrh => [Bth1: "tx_ready", Lrh: "otherwise"],
        /// Sends the first line of the base transport header.
        Bth1 => [Bth2: "tx_ready", Bth1: "otherwise"],
        /// Sends the second line of the base transport header.
        Bth2 => [Payload: "tx_ready", Bth2: "otherwise"],
        /// Sends the packet.
        Payload => [Idle: "tx_ready, last line", Payload: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the encapsulation.
    pub struct In in encapsulation_pkg {
        /// At least one whole packet waits in the transmit FIFO.
        packet_available: bool,
        /// Line most recently taken from the transmit FIFO.
        line: Line,
        /// The link accepts `tx_line` in this cycle.
        tx_ready: bool,
        /// LID of this port.
        sma_lid: u16,
    }
}

hdl::bundle! {
    /// Output pins of the encapsulation.
    pub struct Out in encapsulation_pkg {
        /// Takes the first line of a packet, as soon as one is available.
        packet_next: bool,
        /// Takes the next line of the packet with each line that the link accepts, up to the last one.
        line_next: bool,
        /// Line to the link.
        tx_line: Line,
        /// `tx_line` is valid.
        tx_valid: bool,
    }
}

hdl::bundle! {
    /// Registers of the encapsulation.
    pub struct Encapsulation in encapsulation_pkg {
        /// State of the state machine.
        state: State,
        /// Line on `tx_line`.
        line: Line,
        /// Packet sequence number of the next frame.
        sequence: u32 : 24,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/swif/encapsulation_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for Encapsulation {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            packet_next: q.state == Idle,
            line_next: matches!(q.state, Bth2 | Payload),
            tx_line: q.line,
            tx_valid: matches!(q.state, Lrh | Bth1 | Bth2 | Payload),
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

impl Encapsulation {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        // Packet Size is bits 11:0 of the first line, which stays on `line` until Bth2.
        let size = pins.line.data as u16 & 0xfff;
        let lrh = LocalRouteHeader {
            slid: pins.sma_lid,
            packet_length: HEADER_WORDS + size.div_ceil(4),
            dlid: (pins.line.data >> 32) as u16,
            next_header: LOCAL,
            service_level: 0,
            version: 0,
            virtual_lane: 0,
        };
        let bth0 = TransportHeader0 {
            queue_pair: QUEUE_PAIR,
            partition: PARTITION,
            version: 0,
            pad_count: size.wrapping_neg() as u8 & 3,
            migrated: false,
            solicited: false,
            opcode: SEND_ONLY,
        };
        let bth1 = TransportHeader1 { sequence_number: q.sequence, acknowledge: false };
        let payload = Line { data: pins.line.data, id: if pins.line.is_last() { LAST } else { MIDDLE } };

        match q.state {
            // Idle: the first line is on `line` in the next cycle.
            Idle => {
                if pins.packet_available {
                    d.state = Header;
                }
            }
            // Header: DLID and Packet Size are in the first line.
            Header => {
                d.line = Line { data: lrh.bits().swap_bytes(), id: FIRST };
                d.state = Lrh;
            }
            // Lrh: the frame begins.
            Lrh => {
                if pins.tx_ready {
                    d.line = Line { data: bth0.bits().swap_bytes(), id: MIDDLE };
                    d.state = Bth1;
                }
            }
            // Bth1: the last 4 bytes of the transport header are a line of their own.
            Bth1 => {
                if pins.tx_ready {
                    d.line = Line { data: bth1.bits().swap_bytes(), id: MIDDLE };
                    d.sequence = Self::WIDTHS.sequence.wrap(q.sequence + 1);
                    d.state = Bth2;
                }
            }
            // Bth2: the packet's first line follows; it is also the last if the packet has one line.
            Bth2 => {
                if pins.tx_ready {
                    d.line = payload;
                    d.state = Payload;
                }
            }
            // Payload: up to the packet's own last line, regardless of Packet Size.
            Payload => {
                if pins.tx_ready {
                    if q.line.id == LAST {
                        d.state = Idle;
                    } else {
                        d.line = payload;
                    }
                }
            }
        }
        d
    }
}

impl Probe for Encapsulation {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
