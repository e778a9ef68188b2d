//! Window read of the Write Unit: takes the lines of a local store from a Write Window (thesis section
//! 5.1.1).
//!
//! The block requests rows of two lines from the Window Controller; a row arrives three cycles later. Up to
//! four rows are in flight or wait, which sustains one line per cycle. A line is held until it is taken.
//!
//! Lines are aligned as in the window: if the data begins in the upper half of a line, the lower half is
//! skipped, and the write control shifts the data to its destination. Data beyond the region is taken and not
//! stored.

use hdl::{Bundle, Clocked, Fifo, FifoIn, Item, Package, Probe, Quiet, Role, Visitor};

use super::read_control::room;
use crate::line::{LAST, Line, MIDDLE};
use crate::window_controller::pins::VectorStore;

/// Most rows in the FIFO and in flight together.
pub const ROWS: u16 = 4;

hdl::bundle! {
    /// Input pins of the window read.
    pub struct In in window_read_pkg {
        /// Begins a local store; high for one cycle.
        begin_store: bool,
        /// The local store that begins, in the cycle of `begin_store`.
        vector_store: VectorStore,
        /// SO-DIMM capacity: a region holds 256 MB << capacity.
        capacity: u8 : 3,
        /// Two lines of the Write Window, read most recently.
        write_window_rdata: u128,
        /// The line is taken in this cycle.
        take: bool,
    }
}

hdl::bundle! {
    /// Output pins of the window read.
    pub struct Out in window_read_pkg {
        /// Requests the next row.
        row_next: bool,
        /// Line of the window; the one with identifier 10 ends the data.
        line: Line,
        /// `line` holds a line that has not been taken.
        line_valid: bool,
        /// The data ends in the lower half of the line.
        line_ends_low: bool,
        /// Bytes of the line to store.
        line_enable: u8,
        /// The store has no data; high for one cycle.
        empty: bool,
        /// Data in the lines taken so far extends past the region.
        overrun: bool,
    }
}

/// Registers and the FIFO of rows.
#[derive(Clone, Debug, Default)]
pub struct WindowRead {
    /// Registers except the FIFO.
    pub q: Registers,
    /// Rows that wait; the present one is on the FIFO's output.
    pub fifo: Fifo<u128, { ROWS as usize }>,
}

hdl::bundle! {
    /// Registers of the window read.
    pub struct Registers in window_read_pkg {
        /// Rows still to request.
        rows: u8 : 7,
        /// A row is requested in this cycle.
        asked: bool,
        /// The Window Controller reads the requested row.
        reading: bool,
        /// The row is on the pins.
        arrived: bool,
        /// The FIFO's output holds the present row.
        loaded: bool,
        /// The present line is the odd one of the row.
        odd: bool,
        /// The lower half of the present line is not data.
        skip: bool,
        /// Bytes of data from the present line on.
        remaining: u16 : 10,
        /// Bytes of `remaining` that may be stored.
        room: u16 : 10,
        /// The store has no data.
        empty: bool,
        /// Data extended past the region.
        overrun: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/write_unit/window_read_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Rows",
            width: 3,
            value: ROWS as u64,
            doc: "Most rows in the FIFO and in flight together.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for WindowRead {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = &self.q;
        let row = self.fifo.outputs().rdata;
        let data = if q.odd { (row >> 64) as u64 } else { row as u64 };
        let mask = ((1u16 << q.stored()) - 1) as u8;
        Out {
            row_next: q.asked,
            line: Line { data, id: if q.last() { LAST } else { MIDDLE } },
            line_valid: q.loaded,
            line_ends_low: !q.skip && q.remaining <= 4,
            line_enable: if q.skip { mask << 4 } else { mask },
            empty: q.empty,
            overrun: q.overrun,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let fifo = self.fifo.outputs();
        let take = pins.take && self.q.loaded;
        let row_done = take && (self.q.odd || self.q.last());
        let load = !fifo.empty && (!self.q.loaded || row_done);
        let arrived = self.q.arrived;
        self.q = self.next(pins, take, row_done, load);
        self.fifo.tick(&FifoIn { write_enable: arrived, wdata: pins.write_window_rdata, read_enable: load });
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.fifo.reset();
    }

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        let q = &self.q;
        let under_way = q.asked || q.reading || q.arrived || q.loaded || q.rows != 0 || q.empty;
        if under_way || !self.fifo.outputs().empty { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl Registers {
    /// Bytes of the present line that can be data, 4 or 8.
    #[inline(always)]
    fn width(&self) -> u16 {
        if self.skip { 4 } else { 8 }
    }

    /// Bytes of the present line to store.
    #[inline(always)]
    fn stored(&self) -> u16 {
        self.room.min(self.width())
    }

    /// Whether the present line is the last one.
    #[inline(always)]
    fn last(&self) -> bool {
        self.remaining <= self.width()
    }
}

impl WindowRead {
    #[inline(always)]
    fn next(&self, pins: &In, take: bool, row_done: bool, load: bool) -> Registers {
        let q = &self.q;
        let mut d = *q;

        // Rows in flight; no more are requested than fit.
        let under_way = self.fifo.outputs().count + q.asked as u16 + q.reading as u16 + q.arrived as u16;
        d.asked = q.rows != 0 && under_way < ROWS;
        d.rows = q.rows - d.asked as u8;
        d.reading = q.asked;
        d.arrived = q.reading;

        // The taken line.
        d.loaded = load || q.loaded && !row_done;
        d.empty = false;
        if take {
            let held = q.remaining.min(q.width());
            d.remaining = q.remaining - held;
            d.room = q.room - q.stored();
            d.overrun = q.overrun || q.stored() < held;
            d.odd = !q.odd;
            d.skip = false;
        }

        // A store that begins requests its first row at once.
        if pins.begin_store {
            let store = &pins.vector_store;
            let rows = ((4 * u16::from(store.first) + store.bytes + 15) >> 4) as u8;
            d.asked = store.bytes != 0;
            d.rows = if store.bytes == 0 { 0 } else { rows - 1 };
            d.reading = false;
            d.arrived = false;
            d.odd = store.first >> 1 == 1;
            d.skip = store.first & 1 == 1;
            d.remaining = store.bytes;
            // Listed elements are checked one by one; so are strided elements of a copy, which arrive in
            // chunks.
            d.room = if store.listed || store.copies && store.strided {
                store.bytes
            } else {
                room(store.offset & !3, pins.capacity).min(store.bytes)
            };
            d.empty = store.bytes == 0;
            d.overrun = false;
        }
        d
    }
}

impl Probe for WindowRead {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.block("fifo", &self.fifo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines taken, each with its identifier and its bytes to store, from a window whose line n holds n; bits
    /// of `ready` say in which cycles a line is taken. Also the number of cycles.
    fn taken(first: u8, bytes: u16, ready: u32) -> (Vec<(Line, u8)>, u32) {
        let mut reader = WindowRead::default();
        let vector_store = VectorStore { first, bytes, ..VectorStore::default() };
        reader.tick(&In { begin_store: true, vector_store, ..In::default() });
        let (mut lines, mut cycle, mut row, mut reading, mut rdata) = (vec![], 1, 0u128, false, 0);
        while reader.quiescent() == Quiet::Busy {
            let out = reader.outputs();
            let take = ready.rotate_right(cycle) & 1 == 1;
            if take && out.line_valid {
                lines.push((out.line, out.line_enable));
            }
            reader.tick(&In { write_window_rdata: rdata, take, ..In::default() });
            if reading {
                rdata = (2 * row + 1) << 64 | (2 * row);
                row += 1;
            }
            reading = out.row_next;
            cycle += 1;
            assert!(cycle < 2000, "{first} {bytes}");
        }
        (lines, cycle)
    }

    #[test]
    fn every_line_is_delivered_exactly_once() {
        for first in 0..4 {
            for bytes in 1..=512 - 4 * u16::from(first) {
                for ready in [u32::MAX, 0x5555_5555, 0x0001_0100, 0xf0f3_0f01] {
                    let (lines, _) = taken(first, bytes, ready);
                    let (from, to) = (4 * u16::from(first), 4 * u16::from(first) + bytes);
                    let numbers: Vec<_> = lines.iter().map(|(line, _)| line.data as u16).collect();
                    assert_eq!(numbers, (from / 8..to.div_ceil(8)).collect::<Vec<_>>());
                    for (line, enable) in &lines {
                        let number = line.data as u16;
                        let data = |byte: u16| (from..to).contains(&(8 * number + byte));
                        let expected =
                            (0..8).filter(|&byte| data(byte)).fold(0, |mask, byte| mask | 1 << byte);
                        assert_eq!(*enable, expected, "{bytes} bytes from {from}, line {number}");
                        assert_eq!(line.is_last(), 8 * number + 8 >= to);
                    }
                }
            }
        }
    }

    #[test]
    fn lines_arrive_in_every_cycle_from_the_fifth_on() {
        assert_eq!(taken(0, 512, u32::MAX).1, 5 + 64);
        assert_eq!(taken(0, 8, u32::MAX).1, 5 + 1);
    }
}
