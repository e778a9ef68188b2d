//! Read control of the Write Unit: takes the data lines of a packet from SWIF (thesis table 7.4, dsh's
//! rctl_stat).
//!
//! Read control computes in two cycles how much of the packet fits in the region, requests the first data
//! line from SWIF, and holds it until it is taken. From then on it requests one line per cycle while the
//! SO-DIMM interface has room: after `sodimm_almost_full` rises, at most three more words follow. A strided
//! packet is stored in halves of 4 bytes; its next line is requested with every second half.
//!
//! The data of an IPUSH packet goes to a ring, where addresses wrap: none of it is cut, or all of it if the
//! packet is refused.
//!
//! A line holds 8 bytes of data, or the rest of the bytes announced by Packet Size; lines beyond that are
//! read and ignored. A first line within the packet makes it malformed: it and the lines after it are read
//! and ignored.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::line::{FIRST, Line};
use crate::receive_controller::pins::WriteRequest;
use crate::region::region;

/// Variant of a packet with listed elements.
pub(super) const LIST: u8 = 2;

hdl::fsm! {
    /// Read control of the Write Unit.
    pub enum State in read_control_pkg {
        /// Waits for a packet.
        Idle => [Compute1: "start", Idle: "otherwise"],
        /// Computes the room in the region.
        Compute1 => [Compute2],
        /// Computes the bytes to store.
        Compute2 => [Read],
        /// Reads lines to the end of the packet.
        Read => [Idle: "last line taken, or no data", Read: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the read control.
    pub struct In in read_control_pkg {
        /// Destination of the packet, from Receive Controller.
        write_request: WriteRequest,
        /// The line most recently taken from SWIF.
        line: Line,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// The data goes to a ring.
        ring: bool,
        /// With `ring`: the packet is refused, and nothing of it may be stored.
        refused: bool,
        /// The line on `line` is taken in this cycle if it is a data line.
        accept: bool,
        /// Requests the next line: the line on `line` is taken in the next cycle at the latest, and so is the
        /// one after it.
        ask: bool,
    }
}

hdl::bundle! {
    /// Output pins of the read control.
    pub struct Out in read_control_pkg {
        /// Takes the next line of the packet.
        line_next: bool,
        /// The line on `line` is a data line that has not been taken.
        line_valid: bool,
        /// Bytes of that line to store, 0 to 8.
        line_bytes: u8 : 4,
        /// Bytes of that line that are data, 0 to 8.
        line_held: u8 : 4,
        /// The packet has no data lines; high for one cycle.
        empty: bool,
        /// Bytes of data in the lines taken so far, at most those announced by Packet Size.
        bytes: u16 : 12,
        /// Data in the lines taken so far extends past the region.
        overrun: bool,
        /// A first line was among the lines taken.
        broken: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the read control.
    pub struct ReadControl in read_control_pkg {
        /// State of the state machine.
        state: State,
        /// Offset in the region, a multiple of 4.
        offset: u32,
        /// Bytes announced by Packet Size that have not been taken.
        remaining: u16 : 12,
        /// Bytes that may still be stored.
        room: u16 : 12,
        /// Bytes of data in the lines taken so far.
        bytes: u16 : 12,
        /// Takes the next line.
        pull: bool,
        /// The line on `line` is a data line that has not been taken.
        line_valid: bool,
        /// The packet has no data lines.
        empty: bool,
        /// Data extended past the region.
        overrun: bool,
        /// A first line arrived within the packet.
        broken: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/read_control_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Bytes from `offset` to the end of the region, at most 4095.
#[inline]
pub(super) fn room(offset: u32, capacity: u8) -> u16 {
    region(capacity).limit.saturating_sub(u64::from(offset)).min(4095) as u16
}

impl Clocked for ReadControl {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            line_next: q.pull,
            line_valid: q.line_valid,
            line_bytes: q.room.min(8) as u8,
            line_held: q.remaining.min(8) as u8,
            empty: q.empty,
            bytes: q.bytes,
            overrun: q.overrun,
            broken: q.broken,
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
        if self.state == State::Idle && !self.empty { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ReadControl {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.empty = false;

        match q.state {
            // Idle: results are kept until the next packet starts.
            Idle => {
                if pins.write_request.start {
                    d.offset = pins.write_request.offset & !3;
                    d.remaining = pins.write_request.bytes;
                    d.bytes = 0;
                    d.overrun = false;
                    d.broken = false;
                    d.state = Compute1;
                }
            }
            // Compute1: 4095 bytes exceed the data of any packet.
            Compute1 => {
                d.room = match (pins.ring, pins.refused) {
                    (false, _) => room(q.offset, pins.capacity),
                    (true, false) => 4095,
                    (true, true) => 0,
                };
                d.state = Compute2;
            }
            // Compute2: announced bytes, clamped to the end of the region; listed elements are checked one by
            // one.
            Compute2 => {
                let listed = pins.write_request.variant == LIST;
                d.room = if listed { q.remaining } else { q.room.min(q.remaining) };
                d.pull = true;
                d.state = Read;
            }
            // Read: the first request shows whether there is data, because SWIF ignores it at a last line.
            Read => {
                let take = q.line_valid && pins.accept;
                d.pull = pins.ask;
                d.line_valid = if q.pull { !pins.line.is_last() } else { q.line_valid && !take };
                d.empty = q.pull && !q.line_valid && pins.line.is_last();
                if take {
                    d.count(pins.line);
                }
                if pins.line.is_last() && (take || d.empty) {
                    d.pull = false;
                    d.line_valid = false;
                    d.state = Idle;
                }
            }
        }
        d
    }

    /// Counts a taken line.
    #[inline]
    fn count(&mut self, line: Line) {
        if line.id == FIRST || self.broken {
            self.broken = true;
            self.remaining = 0;
            self.room = 0;
        } else {
            let (held, stored) = (self.remaining.min(8), self.room.min(8));
            self.remaining -= held;
            self.room -= stored;
            self.bytes = Self::WIDTHS.bytes.wrap(self.bytes + held);
            self.overrun |= stored < held;
        }
    }
}

impl Probe for ReadControl {
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
    fn room_ends_at_the_region_and_at_4_gb() {
        assert_eq!(room(0x1000_0000 - 4, 0), 4);
        assert_eq!(room(0x1000_0000, 0), 0);
        assert_eq!(room(0x1000_0000, 1), 4095);
        assert_eq!(room(0xffff_fff8, 3), 0);
        for capacity in 4..8 {
            assert_eq!(room(0xffff_fff8, capacity), 8);
        }
    }
}
