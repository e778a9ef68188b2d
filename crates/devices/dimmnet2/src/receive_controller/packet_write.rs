//! Packet writer of the Receive Controller: stores data in a Prefetch Window or in LLCM (thesis section 4.2,
//! dsh's PWrite).
//!
//! The writer takes the data lines of a packet from SWIF and assembles words of 8 bytes. If the offset is not
//! a multiple of 8, the upper half of each line is carried over into the next word. Both memories accept a
//! word in every cycle, a Prefetch Window as half a row of 16 bytes, so a line is taken in every cycle. The
//! LLCM port is free meanwhile, because a status is written before the next packet's header is read.
//!
//! Data beyond the window of 512 bytes or beyond the 32 KB of LLCM is cut. So is all data of a later packet
//! whose transfer began in another window. Offset bits above the four windows are ignored; an LLCM offset of
//! 32 KB or more stores nothing. A quarter of a window is reported when its last byte is stored, and all
//! quarters at the end of the transfer. A first line within the packet makes it malformed: it and the lines
//! after it are read and ignored.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::line::{FIRST, Line};

hdl::fsm! {
    /// Packet writer of the Receive Controller.
    pub enum State in packet_write_pkg {
        /// Waits for a packet.
        Idle => [Read: "start", Idle: "otherwise"],
        /// Takes the first data line from SWIF, if there is one.
        Read => [Write: "line follows the header", Done: "header ends the packet"],
        /// Stores lines to the end of the packet.
        Write => [Done: "all lines and bytes stored", Write: "otherwise"],
        /// The packet is stored.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the packet writer.
    pub struct In in packet_write_pkg {
        /// Starts the packet writer; high for one cycle.
        start: bool,
        /// Writes to 0: Prefetch Window, 1: LLCM.
        to_llcm: bool,
        /// Receiving process.
        wid: bool,
        /// Offset in the process's windows or LLCM; bits 1:0 are ignored.
        offset: u32,
        /// Bytes of data in the packet, from Packet Size.
        bytes: u16 : 12,
        /// The data lies outside the Prefetch Window in which its transfer began.
        outside: bool,
        /// The packet is the last one of its transfer.
        last_packet: bool,
        /// The line most recently taken from SWIF.
        line: Line,
    }
}

hdl::bundle! {
    /// Output pins of the packet writer.
    pub struct Out in packet_write_pkg {
        /// Takes the next line of the packet.
        line_next: bool,
        /// Bytes of a Prefetch Window to write.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// Bytes of an LLCM word to write; 0 writes nothing.
        llcm_byte_enable: u8,
        /// Word of 8 bytes: WID, word in the process's 32 KB.
        llcm_address: u16 : 13,
        /// Data for LLCM.
        llcm_wdata: u64,
        /// The packet is stored and read to its end; high for one cycle.
        done: bool,
        /// With `done`: data extended past its area and was cut.
        overrun: bool,
        /// With `done`: a first line arrived within the packet.
        broken: bool,
        /// With `done`: bytes of data in the packet.
        bytes: u16 : 12,
        /// Quarters of the window that have been stored; each for one cycle, all of them after the last
        /// packet.
        quarters: u8 : 4,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the packet writer.
    pub struct PacketWrite in packet_write_pkg {
        /// State of the state machine.
        state: State,
        /// Writes to 0: Prefetch Window, 1: LLCM.
        to_llcm: bool,
        /// Address of the word on the output, or of the next one: WID and word in LLCM, or WID, window and
        /// word.
        address: u16 : 13,
        /// The offset is not a multiple of 8: lines straddle words.
        straddle: bool,
        /// Bytes announced by Packet Size that have not been taken.
        remaining: u16 : 12,
        /// Bytes that may still be stored.
        room: u16 : 12,
        /// Bytes of data in the lines taken so far.
        bytes: u16 : 12,
        /// Takes the next line; in `Write`, the line on `line` is a data line.
        pull: bool,
        /// Upper half of the line before.
        carry: u32,
        /// Bytes of `carry` to store.
        carry_enable: u8 : 4,
        /// Word to write.
        data: u64,
        /// Bytes of `data` to write.
        byte_enable: u8,
        /// Data extended past its area.
        overrun: bool,
        /// A first line arrived within the packet.
        broken: bool,
        /// The packet ends a transfer into a window.
        completes: bool,
        /// Quarters completed in the cycle before.
        quarters: u8 : 4,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/receive_controller/packet_write_pkg",
    source: file!(),
    items: &[Item::StateMachine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Bytes from `offset`, a multiple of 4, to the end of its window or of LLCM, at most 4095.
#[inline]
fn room(offset: u32, to_llcm: bool) -> u16 {
    let room = if to_llcm { 0x8000u32.saturating_sub(offset) } else { 0x200 - offset % 0x200 };
    room.min(4095) as u16
}

impl Clocked for PacketWrite {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        let half = 8 * (q.address & 1);
        Out {
            line_next: q.pull,
            prefetch_window_byte_enable: if q.to_llcm { 0 } else { u16::from(q.byte_enable) << half },
            prefetch_window_address: (q.address >> 1) as u8,
            prefetch_window_wdata: u128::from(q.data) << 64 | u128::from(q.data),
            llcm_byte_enable: if q.to_llcm { q.byte_enable } else { 0 },
            llcm_address: q.address,
            llcm_wdata: q.data,
            done: q.state == State::Done,
            overrun: q.overrun,
            broken: q.broken,
            bytes: q.bytes,
            quarters: q.quarters,
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
        if self.state == State::Idle && self.quarters == 0 { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl PacketWrite {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        d.quarters = 0;

        match q.state {
            // Idle: results are kept until the next packet starts.
            Idle => {
                if pins.start {
                    d.begin(pins);
                    d.state = Read;
                }
            }
            // Read: SWIF ignores the request at a last line; the packet then has no data.
            Read => {
                d.pull = !pins.line.is_last();
                d.room = q.room.min(q.remaining);
                d.state = if pins.line.is_last() { Done } else { Write };
            }
            // Write: the bytes left over by the last line make one more word.
            Write => {
                d.byte_enable = 0;
                if q.byte_enable != 0 {
                    d.address = Self::WIDTHS.address.wrap(q.address + 1);
                }
                if !q.to_llcm && q.byte_enable >> 7 == 1 && q.address & 0xf == 0xf {
                    d.quarters = 1 << (q.address >> 4 & 3);
                }
                if q.pull {
                    d.store(pins.line);
                    d.pull = !pins.line.is_last();
                } else {
                    d.data = u64::from(q.carry);
                    d.byte_enable = q.carry_enable;
                    d.carry_enable = 0;
                    d.state = if q.carry_enable == 0 { Done } else { Write };
                }
            }
            // Done: the packet control takes the result.
            Done => {
                d.quarters = if q.completes && !q.broken { 0xf } else { 0 };
                d.state = Idle;
            }
        }
        d
    }

    /// Latches the destination and the announced size.
    #[inline]
    fn begin(&mut self, pins: &In) {
        let word = (pins.offset >> 3) as u16;
        self.to_llcm = pins.to_llcm;
        self.address = match pins.to_llcm {
            true => (pins.wid as u16) << 12 | word & 0xfff,
            false => (pins.wid as u16) << 8 | word & 0xff,
        };
        self.straddle = pins.offset >> 2 & 1 == 1;
        self.remaining = pins.bytes;
        self.room = room(pins.offset & !3, pins.to_llcm);
        if pins.outside && !pins.to_llcm {
            self.room = 0;
        }
        self.completes = pins.last_packet && !pins.to_llcm;
        self.bytes = 0;
        self.pull = true;
        self.carry_enable = 0;
        self.overrun = false;
        self.broken = false;
    }

    /// Assembles a word from the line; a first line within the packet and all lines after it are not stored.
    #[inline]
    fn store(&mut self, line: Line) {
        let broken = line.id == FIRST || self.broken;
        let held = if broken { 0 } else { self.remaining.min(8) };
        let stored = if broken { 0 } else { self.room.min(8) };
        self.remaining -= held;
        self.room -= stored;
        self.bytes = Self::WIDTHS.bytes.wrap(self.bytes + held);
        self.overrun |= stored < held;
        self.broken = broken;

        let mask = ((1u16 << stored) - 1) as u8;
        if self.straddle {
            self.data = line.data << 32 | u64::from(self.carry);
            self.byte_enable = mask << 4 | self.carry_enable;
            self.carry = (line.data >> 32) as u32;
            self.carry_enable = mask >> 4;
        } else {
            self.data = line.data;
            self.byte_enable = mask;
        }
    }
}

impl Probe for PacketWrite {
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
    fn room_ends_at_the_end_of_the_window_or_of_llcm() {
        assert_eq!((room(0, false), room(0x1fc, false), room(0xffff_fa00, false)), (512, 4, 512));
        assert_eq!((room(0, true), room(0x7ffc, true), room(0x8000, true)), (4095, 4, 0));
        assert_eq!(room(0xffff_fffc, true), 0);
    }

    #[test]
    fn write_llcm_takes_a_word_in_every_cycle() {
        let mut writer = PacketWrite::default();
        let pins = In { to_llcm: true, offset: 0x44, bytes: 40, ..In::default() };
        writer.tick(&In { start: true, ..pins });
        // A header line is on the output, followed by five data lines.
        let (mut number, mut words, mut cycle) = (0, vec![], 0);
        while writer.state != State::Idle {
            let id = if number == 5 { crate::line::LAST } else { crate::line::MIDDLE };
            let line = Line { data: number * 0x1_0000_0001, id };
            let out = writer.outputs();
            if out.llcm_byte_enable != 0 {
                words.push((cycle, out.llcm_address, out.llcm_wdata, out.llcm_byte_enable));
            }
            writer.tick(&In { line, ..pins });
            number += (out.line_next && id != crate::line::LAST) as u64;
            cycle += 1;
        }
        assert_eq!(
            words,
            [
                (2, 8, 1 << 32, 0xf0),
                (3, 9, 2 << 32 | 1, 0xff),
                (4, 10, 3 << 32 | 2, 0xff),
                (5, 11, 4 << 32 | 3, 0xff),
                (6, 12, 5 << 32 | 4, 0xff),
                (7, 13, 5, 0x0f),
            ]
        );
    }
}
