//! Head writer of the Receive Controller: writes the head of a message into the LH Buffer (thesis section
//! 7.2, figures 7.6 and 7.7).
//!
//! The first 64 bits of a message are its envelope. The envelope and the next 48 bytes of data become an
//! entry of eight lines. The host relies on the order of the writes:
//!
//! | State | Line | Content |
//! |---|---|---|
//! | `Sizes` | 1 | Pointer 63:32, the start of the rest in the ring, 0 without a rest; Size 31:0, bytes of the message less the envelope |
//! | `Valid` | 0 | the envelope, in its unused bits 47:46 Valid Flag inverted and Complete Flag unchanged |
//! | `Data`, `Last` | 2-7 | data |
//! | `Complete` | 0 | the envelope, both flags inverted; the Tail of the LH Buffer advances |
//!
//! The writer starts when there is room for the entry and for the rest, so it never stalls. If there is a
//! rest, the seventh data line stays on SWIF's output for the Write Unit; otherwise the packet is read to its
//! end. A first line within the packet makes it malformed: the entry is withdrawn by writing line 0 with its
//! old flags, and the rest of the packet is read and ignored. A packet without data makes no entry (decision
//! 0021).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::line::{FIRST, Line};

/// Bytes of a message that go to the LH Buffer: the envelope and 48 bytes of data.
pub const HEAD_BYTES: u8 = 56;

hdl::fsm! {
    /// Head writer of the Receive Controller.
    pub enum State in head_write_pkg {
        /// Waits for a message.
        Idle => [Sizes: "start", Idle: "otherwise"],
        /// Writes Pointer and Size, takes the envelope from SWIF.
        Sizes => [Envelope: "line follows the header", Done: "header ends the packet"],
        /// Examines the envelope.
        Envelope => [Valid: "well-formed, with data", Data: "malformed, or no data announced"],
        /// Writes the envelope with Valid Flag inverted, takes the next data line.
        Valid => [Data: "line follows the envelope", Complete: "envelope is the last line"],
        /// Takes and writes data lines.
        Data => [Last: "last line, or head complete", Data: "otherwise"],
        /// Writes the last data line.
        Last => [Complete],
        /// Writes the envelope with both flags inverted.
        Complete => [Done],
        /// The head is stored.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the head writer.
    pub struct In in head_write_pkg {
        /// The packet control waits for the head; low in the cycle after `done`.
        start: bool,
        /// Start of the rest in the ring; 0 without a rest.
        pointer: u32,
        /// Bytes of the message, envelope included.
        size: u32,
        /// Bytes of data in the packet, from Packet Size.
        bytes: u16 : 12,
        /// Value of the flags of a new entry.
        polarity: bool,
        /// The line most recently taken from SWIF.
        line: Line,
    }
}

hdl::bundle! {
    /// Output pins of the head writer.
    pub struct Out in head_write_pkg {
        /// Takes the next line of the packet.
        line_next: bool,
        /// Banks of the LH Buffer to write, bit 0 Even; 0 writes nothing.
        write_enable: u8 : 2,
        /// Row of 16 bytes in the entry.
        row: u8 : 2,
        /// Line to write.
        wdata: u64,
        /// The entry is complete: the Tail advances; high for one cycle.
        advance: bool,
        /// The head is stored; high for one cycle.
        done: bool,
        /// With `done`: a first line arrived within the head, and the packet has been read to its end.
        broken: bool,
        /// Bytes of the message in the head, 0 to 56.
        bytes: u8 : 6,
    }
}

hdl::bundle! {
    /// Registers of the head writer.
    pub struct HeadWrite in head_write_pkg {
        /// State of the state machine.
        state: State,
        /// Value of the flags of a new entry.
        polarity: bool,
        /// The message has a rest, which the Write Unit reads.
        rest: bool,
        /// Bytes of the head that Packet Size announces and that have not been taken.
        remaining: u8 : 6,
        /// Bytes of the message in the lines taken so far.
        bytes: u8 : 6,
        /// Envelope as received.
        envelope: u64,
        /// The envelope was the last line of the packet.
        last: bool,
        /// Pointer and Size, or the data line to write.
        data: u64,
        /// `data` is a data line to write.
        write: bool,
        /// Data lines taken, up to 6.
        count: u8 : 3,
        /// The entry is visible to the host.
        entry: bool,
        /// A first line arrived within the packet.
        broken: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/receive_controller/head_write_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "HeadBytes",
            width: 6,
            value: HEAD_BYTES as u64,
            doc: "Bytes of a message that go to the LH Buffer: the envelope and 48 bytes of data.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// An envelope with Valid Flag and Complete Flag replaced.
#[inline]
pub const fn with_flags(envelope: u64, valid: bool, complete: bool) -> u64 {
    envelope & !(0b11 << 46) | (valid as u64) << 47 | (complete as u64) << 46
}

impl Clocked for HeadWrite {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        // Data line n, counted from 0, is line n + 2 of the entry; `count` is one ahead of the line on the
        // output.
        let line = q.count.wrapping_add(1) & 7;
        Out {
            line_next: match q.state {
                Sizes => true,
                Valid => !q.last,
                Data => q.count < 5 || !q.rest || q.broken,
                _ => false,
            },
            write_enable: match q.state {
                Sizes => 0b10,
                Valid | Complete => 0b01,
                Data | Last if q.write => 1 << (line & 1),
                _ => 0,
            },
            row: if matches!(q.state, Data | Last) { line >> 1 } else { 0 },
            wdata: match q.state {
                Valid => with_flags(q.envelope, q.polarity, !q.polarity),
                Complete => {
                    let flags = q.polarity == q.entry;
                    with_flags(q.envelope, flags, flags)
                }
                _ => q.data,
            },
            advance: q.state == Complete && q.entry,
            done: q.state == Done,
            broken: q.broken,
            bytes: q.bytes,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl HeadWrite {
    /// Counts `held` bytes of a line, after `before` bytes of the packet.
    #[inline(always)]
    fn take(&mut self, before: u8, held: u8) {
        self.remaining -= held;
        self.bytes = before + held;
    }

    /// Gives up the entry of a malformed packet.
    #[inline(always)]
    fn withdraw(&mut self) {
        self.broken = true;
        self.entry = false;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let first = pins.line.id == FIRST;
        let last = pins.line.is_last();
        let held = q.remaining.min(8);

        match q.state {
            // Idle: results are kept until the next message starts.
            Idle => {
                if pins.start {
                    d.begin(pins);
                    d.state = Sizes;
                }
            }
            // Sizes: if the header ends the packet, there is no data.
            Sizes => d.state = if last { Done } else { Envelope },
            // Envelope: a packet that is malformed or announces no data is read to its end.
            Envelope => {
                d.envelope = pins.line.data;
                d.last = last;
                d.broken = first;
                d.entry = !first && q.remaining != 0;
                if d.entry {
                    d.take(0, held);
                }
                d.state = if d.entry { Valid } else { Data };
            }
            // Valid: from now on the host may wait for Complete Flag.
            Valid => d.state = if q.last { Complete } else { Data },
            // Data: a line without announced bytes is not written.
            Data => {
                let stored = q.entry && !first;
                d.write = stored && held != 0;
                d.data = pins.line.data;
                if stored {
                    d.take(q.bytes, held);
                }
                d.count = if q.count == 6 { 6 } else { q.count + 1 };
                if first {
                    d.withdraw();
                }
                if last || q.count >= 5 && q.rest && !q.broken && !first {
                    d.state = Last;
                }
            }
            // Last: the most recently taken line is written.
            Last => {
                d.write = false;
                d.state = Complete;
            }
            // Complete: the entry is completed or withdrawn.
            Complete => d.state = Done,
            // Done: the packet control takes the result.
            Done => d.state = Idle,
        }
        d
    }

    /// Latches the parameters of the message.
    #[inline]
    fn begin(&mut self, pins: &In) {
        let size = pins.size.saturating_sub(8);
        self.polarity = pins.polarity;
        self.rest = pins.bytes > HEAD_BYTES.into();
        self.remaining = pins.bytes.min(HEAD_BYTES.into()) as u8;
        self.bytes = 0;
        self.data = u64::from(pins.pointer) << 32 | u64::from(size);
        self.write = false;
        self.count = 0;
        self.entry = false;
        self.broken = false;
    }
}

impl Probe for HeadWrite {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{LAST, MIDDLE};

    /// Result of one packet: the writes with their cycles, the lines left over, and the final outputs.
    struct Head {
        writes: Vec<(u32, usize, u64)>,
        left: usize,
        advanced: bool,
        out: Out,
        cycles: u32,
    }

    /// Receives a packet of `lines` data lines; line n holds n. The line at `broken` is a first line.
    fn receive(bytes: u16, lines: usize, polarity: bool, broken: Option<usize>) -> Head {
        receive_into(&mut HeadWrite::default(), bytes, lines, polarity, broken)
    }

    fn receive_into(
        head: &mut HeadWrite,
        bytes: u16,
        lines: usize,
        polarity: bool,
        broken: Option<usize>,
    ) -> Head {
        let mut packet: Vec<_> =
            (0..=lines as u64).map(|n| Line { data: n.wrapping_sub(1), id: MIDDLE }).collect();
        packet.last_mut().expect("there is a header").id = LAST;
        if let Some(broken) = broken {
            packet[broken + 1].id = FIRST;
        }
        let pins = In { start: true, pointer: 0x100, size: bytes.into(), bytes, polarity, ..In::default() };
        let (mut at, mut writes, mut advanced) = (0, vec![], false);
        for cycle in 0..1000 {
            let out = head.outputs();
            for bank in (0..2).filter(|bank| out.write_enable >> bank & 1 == 1) {
                writes.push((cycle, usize::from(out.row) * 2 + bank, out.wdata));
            }
            advanced |= out.advance;
            if out.done {
                return Head { writes, left: packet.len() - 1 - at, advanced, out, cycles: cycle };
            }
            head.tick(&In { line: packet[at], ..pins });
            if out.line_next && packet[at].id != LAST {
                at += 1;
            }
        }
        panic!("stuck in {:?}", head.state);
    }

    const VALID: u64 = 1 << 47;
    const COMPLETE: u64 = 1 << 46;

    #[test]
    fn message_of_56_bytes_fills_an_entry_line_by_line() {
        let head = receive(56, 7, true, None);
        let lines: Vec<_> = head.writes.iter().map(|&(cycle, line, _)| (cycle, line)).collect();
        assert_eq!(lines, [(1, 1), (3, 0), (5, 2), (6, 3), (7, 4), (8, 5), (9, 6), (10, 7), (11, 0)]);
        let data: Vec<_> = head.writes.iter().map(|&(.., data)| data).collect();
        assert_eq!(data, [0x100 << 32 | 48, VALID, 1, 2, 3, 4, 5, 6, VALID | COMPLETE]);
        assert_eq!((head.cycles, head.left, head.out.bytes, head.advanced), (12, 0, 56, true));
    }

    #[test]
    fn rest_of_a_message_costs_no_cycle() {
        let whole = receive(56, 7, true, None);
        for bytes in [57, 64, 65, 2_040] {
            let head = receive(bytes, usize::from(bytes).div_ceil(8), true, None);
            let place = |head: &Head| head.writes.iter().map(|write| (write.0, write.1)).collect::<Vec<_>>();
            assert_eq!((place(&head), head.cycles), (place(&whole), whole.cycles), "{bytes} bytes");
        }
    }

    #[test]
    fn message_does_not_count_bytes_of_the_previous_one() {
        let mut head = HeadWrite::default();
        for (bytes, lines, held) in [(56, 7, 56), (0, 0, 0), (24, 3, 24), (0, 3, 0)] {
            assert_eq!(receive_into(&mut head, bytes, lines, true, None).out.bytes, held);
            while head.state != State::Idle {
                head.tick(&In::default());
            }
        }
    }

    #[test]
    fn flags_invert_with_each_pass() {
        for (polarity, valid, complete) in [(true, VALID, VALID | COMPLETE), (false, COMPLETE, 0)] {
            let head = receive(24, 3, polarity, None);
            let zero: Vec<_> = head.writes.iter().filter(|write| write.1 == 0).map(|write| write.2).collect();
            assert_eq!(zero, [valid, complete]);
        }
    }

    #[test]
    fn every_length_stores_its_lines_and_leaves_the_rest() {
        for lines in 0..12 {
            for bytes in 0..=100u16 {
                let head = receive(bytes, lines, true, None);
                let announced = usize::from(bytes).min(8 * lines).min(56);
                assert_eq!(usize::from(head.out.bytes), announced, "{bytes} bytes in {lines} lines");
                let rest = if bytes > 56 { lines.saturating_sub(7) } else { 0 };
                assert_eq!((head.left, head.advanced), (rest, announced > 0));
                let data: Vec<_> =
                    head.writes.iter().filter(|write| write.1 > 1).map(|write| write.2).collect();
                assert_eq!(data, (1..announced.div_ceil(8) as u64).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn first_line_inside_the_head_withdraws_the_entry() {
        for lines in 2..12 {
            for broken in 0..(lines - 1).min(7) {
                for bytes in [8 * lines as u16, 8, 100] {
                    let head = receive(bytes, lines, true, Some(broken));
                    assert!(head.out.broken && !head.advanced && head.left == 0, "{lines} {broken} {bytes}");
                    let line0 = head.writes.iter().rfind(|write| write.1 == 0).expect("line 0 is written");
                    assert_eq!(line0.2 & (VALID | COMPLETE), 0);
                }
            }
        }
    }
}
