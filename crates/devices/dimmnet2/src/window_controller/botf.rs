//! BOTF module: sends the packet image in a Write Window as one packet (thesis section 5.3.3, figure 5.11).
//!
//! The image is sent line by line, one line per cycle. Two fields of its first line are replaced: PGID, so
//! that no process can impersonate another group, and Packet Size. A Write Window read returns two lines, so
//! the state machine works in pairs: `Botf3` requests the next two lines while the second line of a pair
//! leaves, `Botf4` uses up the pair.
//!
//! The Transfer Counter starts at lines + 1. With that, the printed arcs send every line: 24 bytes take 10
//! cycles from the Acceptor's `Nop` to `BotfEnd2`, 512 bytes take 66 cycles from `Botf1` to `BotfEnd1`.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::line::{FIRST, LAST, Line, MIDDLE};

/// Bytes in a Write Window; a longer BOTF is cut to it (thesis section 4.5.1).
pub const WINDOW_BYTES: u16 = 512;

/// Lines of a full Write Window: the longest packet that does not depend on MTU.
pub const WINDOW_LINES: u16 = 64;

hdl::fsm! {
    /// BOTF module of the Request Executor (figure 5.11).
    pub enum State in botf_pkg {
        /// Waits for a BOTF.
        Prim => [
            Wait: "Size != 0, SWIF FIFO almost full",
            Botf1: "Size != 0, SWIF FIFO not almost full",
            Prim: "no primitive, or Size = 0",
        ],
        /// Waits for room in the SWIF FIFO.
        Wait => [Botf1: "SWIF FIFO not almost full", Wait: "SWIF FIFO almost full"],
        /// Waits for the Write Window; the first read is in progress.
        Botf1 => [Botf2],
        /// Latches the first line with PGID and Packet Size replaced.
        Botf2 => [Botf3: "TC != 1", BotfEnd1: "TC = 1"],
        /// Sends the latched line, latches the next and requests two more.
        Botf3 => [Botf4: "TC != 1", BotfEnd1: "TC = 1"],
        /// Sends the latched line and latches the next.
        Botf4 => [Botf3: "TC != 1", BotfEnd1: "TC = 1"],
        /// Sends the last line.
        BotfEnd1 => [BotfEnd2],
        /// Resets the internal registers.
        BotfEnd2 => [Prim],
    }
}

hdl::bundle! {
    /// Input pins of the BOTF module.
    pub struct In in botf_pkg {
        /// Two lines, from Write Window: the answer to the most recent read.
        write_window_rdata: u128,
        /// The Request Executor dispatches a BOTF; high for one cycle, only while `idle`.
        start: bool,
        /// Process that issued the BOTF.
        wid: bool,
        /// Write Window to send.
        window: u8 : 2,
        /// Bytes to send, packet header included; 0 sends nothing.
        size: u16 : 10,
        /// Process group of WID 0, from Configuration Register.
        pgid0: u8,
        /// Process group of WID 1, from Configuration Register.
        pgid1: u8,
        /// The SWIF FIFO has less room than one packet needs.
        swif_fifo_almost_full: bool,
    }
}

hdl::bundle! {
    /// Output pins of the BOTF module.
    pub struct Out in botf_pkg {
        /// Line to the SWIF FIFO.
        line: Line,
        /// Writes `line` into the SWIF FIFO.
        line_enable: bool,
        /// Reads two lines of the Write Window.
        write_window_read_enable: bool,
        /// Row of 16 bytes: WID, window, row in the window.
        write_window_address: u8,
        /// A BOTF is complete; high for one cycle.
        done: bool,
        /// Process whose BOTF is complete.
        done_wid: bool,
        /// The module can accept a BOTF.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the BOTF module.
    pub struct Botf in botf_pkg {
        /// State of the state machine.
        state: State,
        /// Write Window accesses left, plus the one that fills the pipeline.
        transfer_counter: u8 : 7,
        /// Bytes to send, at most 512.
        size: u16 : 10,
        /// Process that issued the BOTF.
        wid: bool,
        /// Write Window to send.
        window: u8 : 2,
        /// Next row of the window to read.
        row: u8 : 5,
        /// The latched line.
        line: u64,
        /// The latched line is the first of the packet.
        first: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/botf_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "WindowBytes",
            width: 10,
            value: WINDOW_BYTES as u64,
            doc: "Bytes in a Write Window.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Botf {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let id = match q.state {
            BotfEnd1 => LAST,
            _ if q.first => FIRST,
            _ => MIDDLE,
        };
        Out {
            line: Line { data: q.line, id },
            line_enable: matches!(q.state, Botf3 | Botf4 | BotfEnd1),
            write_window_read_enable: matches!(q.state, Botf1 | Botf3),
            write_window_address: (q.wid as u8) << 7 | q.window << 5 | q.row,
            done: q.state == BotfEnd2,
            done_wid: q.wid,
            idle: q.state == Prim,
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
        if self.state == State::Prim { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Botf {
    /// Takes the parameters of a packet of `size` bytes.
    #[inline(always)]
    fn begin(&mut self, pins: &In, size: u16) {
        let lines = size.div_ceil(8) as u8;
        self.transfer_counter = lines + 1;
        self.size = size;
        self.wid = pins.wid;
        self.window = pins.window;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let size = pins.size.min(WINDOW_BYTES);
        let pgid = if q.wid { pins.pgid1 } else { pins.pgid0 };
        let even_line = pins.write_window_rdata as u64;
        let odd_line = (pins.write_window_rdata >> 64) as u64;

        match q.state {
            // Prim: a BOTF of size 0 is invalid; it is ignored and never reported as done.
            Prim => {
                if pins.start && size != 0 {
                    d.begin(pins, size);
                    d.state = if pins.swif_fifo_almost_full { Wait } else { Botf1 };
                }
            }
            // Wait: the FIFO has room for a whole packet unless it is almost full, so it is not tested again.
            Wait => {
                if !pins.swif_fifo_almost_full {
                    d.state = Botf1;
                }
            }
            // Botf1: the Write Window answers in the next cycle.
            Botf1 => {
                d.transfer_counter = q.transfer_counter - 1;
                d.row = q.row + 1;
                d.state = Botf2;
            }
            // Botf2: PGID is bits 27:20 of the first line, Packet Size bits 11:0.
            Botf2 => {
                d.line = even_line & !0x0ff0_0fff | (pgid as u64) << 20 | q.size as u64;
                d.first = true;
                d.transfer_counter = q.transfer_counter - 1;
                d.state = if q.transfer_counter == 1 { BotfEnd1 } else { Botf3 };
            }
            // Botf3: the odd line follows the even one; a full window wraps the row after its last use.
            Botf3 => {
                d.line = odd_line;
                d.first = false;
                d.row = Self::WIDTHS.row.wrap(q.row + 1);
                d.transfer_counter = q.transfer_counter - 1;
                d.state = if q.transfer_counter == 1 { BotfEnd1 } else { Botf4 };
            }
            // Botf4: the even line of the next pair.
            Botf4 => {
                d.line = even_line;
                d.transfer_counter = q.transfer_counter - 1;
                d.state = if q.transfer_counter == 1 { BotfEnd1 } else { Botf3 };
            }
            // BotfEnd1: the last line leaves.
            BotfEnd1 => d.state = BotfEnd2,
            // BotfEnd2: back to the reset values.
            BotfEnd2 => d = Self::default(),
        }
        d
    }
}

impl Probe for Botf {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::State::*;
    use super::*;

    /// A Write Window in which line n holds n, and the lines sent.
    struct Bench {
        botf: Botf,
        rdata: u128,
        states: Vec<State>,
        lines: Vec<Line>,
    }

    impl Bench {
        fn new() -> Self {
            Self { botf: Botf::default(), rdata: 0, states: vec![], lines: vec![] }
        }

        fn cycle(&mut self, pins: In) {
            let out = self.botf.outputs();
            self.states.push(out.state);
            if out.line_enable {
                self.lines.push(out.line);
            }
            self.botf.tick(&In { write_window_rdata: self.rdata, ..pins });
            if out.write_window_read_enable {
                let row = out.write_window_address as u128 & 0x1f;
                self.rdata = (2 * row + 1) << 64 | (2 * row);
            }
        }

        fn send(size: u16) -> Self {
            let mut bench = Self::new();
            let config = In { pgid0: 0xa5, pgid1: 0x5a, ..In::default() };
            bench.cycle(In { start: true, size, ..config });
            while !bench.botf.outputs().idle {
                bench.cycle(config);
            }
            bench
        }
    }

    #[test]
    fn prim_size_zero_ends_at_once() {
        let bench = Bench::send(0);
        assert_eq!(bench.states, [Prim]);
        assert_eq!(bench.botf, Botf::default());
    }

    #[test]
    fn prim_fifo_almost_full_waits_until_it_is_not() {
        let mut bench = Bench::new();
        let full = In { swif_fifo_almost_full: true, ..In::default() };
        bench.cycle(In { start: true, size: 24, ..full });
        for _ in 0..5 {
            bench.cycle(full);
        }
        bench.cycle(In::default());
        assert_eq!(bench.states, [Prim, Wait, Wait, Wait, Wait, Wait, Wait]);
        assert_eq!(bench.botf.state, Botf1);
    }

    #[test]
    fn packet_of_24_bytes_takes_seven_executor_cycles() {
        let bench = Bench::send(24);
        assert_eq!(bench.states, [Prim, Botf1, Botf2, Botf3, Botf4, BotfEnd1, BotfEnd2]);
        let first = 0xa5 << 20 | 24;
        assert_eq!(
            bench.lines,
            [Line { data: first, id: FIRST }, Line { data: 1, id: MIDDLE }, Line { data: 2, id: LAST }]
        );
    }

    #[test]
    fn packet_of_512_bytes_takes_66_cycles_from_botf1_to_end1() {
        let bench = Bench::send(512);
        assert_eq!(bench.states.len(), 1 + 66 + 1);
        assert_eq!(bench.states[1], Botf1);
        assert_eq!(bench.states[66], BotfEnd1);
        assert_eq!(bench.lines.len(), 64);
        assert!((1..64).all(|n| bench.lines[n].data == n as u64));
    }

    #[test]
    fn packet_longer_than_the_window_is_cut_to_512_bytes() {
        let bench = Bench::send(1023);
        assert_eq!(bench.lines.len(), 64);
        assert_eq!(bench.lines[0].data & 0xfff, 512);
    }

    #[test]
    fn group_and_size_of_the_first_line_are_not_those_of_the_host() {
        for (wid, pgid) in [(false, 0xa5), (true, 0x5a)] {
            for bit in 0..64 {
                let mut bench = Bench::new();
                let config = In { pgid0: 0xa5, pgid1: 0x5a, wid, ..In::default() };
                bench.cycle(In { start: true, size: 8, ..config });
                bench.cycle(config);
                bench.rdata = 1 << bit;
                while !bench.botf.outputs().idle {
                    bench.cycle(config);
                }
                let kept = if matches!(bit, 0..12 | 20..28) { 0 } else { 1 << bit };
                assert_eq!(bench.lines, [Line { data: kept | pgid << 20 | 8, id: LAST }], "bit {bit}");
            }
        }
    }

    #[test]
    fn packet_of_one_line_has_the_last_identifier() {
        let bench = Bench::send(8);
        assert_eq!(bench.states, [Prim, Botf1, Botf2, BotfEnd1, BotfEnd2]);
        assert_eq!(bench.lines, [Line { data: 0xa5 << 20 | 8, id: LAST }]);
    }

    #[test]
    fn every_size_sends_its_lines_once() {
        for size in 1..=512u16 {
            let bench = Bench::send(size);
            let lines = size.div_ceil(8) as usize;
            assert_eq!(bench.lines.len(), lines, "{size} bytes");
            assert_eq!(bench.states.len(), lines + 4, "{size} bytes");
        }
    }
}
