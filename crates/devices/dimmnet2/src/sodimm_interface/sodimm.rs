//! One SO-DIMM channel: turns words into bursts, opens and closes rows (thesis sections 4.1 and 4.5.6, table
//! 7.4).
//!
//! Words to write and to read wait in one FIFO; the oldest one is on the FIFO's output while `loaded`. A
//! burst has length 2, so one command moves 16 bytes in one core cycle; a write masks the bytes of the other
//! half, a read drops them. A row stays open as long as words for it arrive in time; any other word closes it
//! and opens its own.
//!
//! A word on the pins in cycle 11 is seen in 12, opens its row in 13 and 14, and is written in 15: the first
//! five of the six cycles that table 7.4 gives for the write. In 16, the sixth, `idle` is high again. A word
//! to read takes the same path: its command is in 15, its data are on the pins in 17 (CAS latency 2) and in
//! the data FIFO in 18. The master must not request more words than the data FIFO holds.
//!
//! Times are those of DDR200 (JEDEC JESD79), rounded up to cycles of 10 ns: tRCD 20 ns, tRP 20 ns, tWR 15 ns
//! after the data, which follow the write command by one cycle. The shortest row cycle is then 80 ns from
//! Activate to Activate (tRC 70 ns) and 60 ns from Activate to Precharge (tRAS 50 ns); see decisions 0011 and
//! 0016. Between a write and a read, in either order, the right changes hands, which takes longer than the
//! turnaround of the data bus.

use hdl::{Bundle, Clocked, Fifo, FifoIn, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::pins::{MemoryIn, MemoryOut};

/// Words in the command FIFO, and in the data FIFO.
pub const DEPTH: usize = 16;

/// Number of words in the FIFO from which it may have room for fewer than four, the word on the pins not
/// counted.
pub const ALMOST_FULL: u8 = DEPTH as u8 - 4;

/// Cycles between the cycle after a write and the cycle before Precharge: 1 for the data to follow the
/// command, 1 for the data, 2 for tWR, less the two ends. A read keeps the row open equally long, which
/// satisfies tRAS.
pub const WRITE_RECOVERY: u8 = 2;

/// Bits of a burst address that select the column: a row of a module of 256 Mbit x8 devices holds 8 KB.
pub const COLUMN_BITS: u32 = 9;

hdl::fsm! {
    /// Row state of one SO-DIMM (decision 0011).
    pub enum State in sodimm_pkg {
        /// No row is open; waits for a word.
        Idle => [Activate: "word loaded", Idle: "otherwise"],
        /// Opens the row of the loaded word.
        Activate => [ActivateWait],
        /// Waits for tRCD.
        ActivateWait => [Burst],
        /// Writes or reads words of the open row, one per cycle in which the module is ready.
        Burst => [Recover: "no next word, or another row", Burst: "otherwise"],
        /// Waits for tWR, or for another word of the open row.
        Recover => [
            Burst: "next word loaded",
            Precharge1: "tWR over, no next word",
            Recover: "otherwise",
        ],
        /// Closes the row.
        Precharge1 => [Precharge2],
        /// Waits for tRP.
        Precharge2 => [Idle: "no word loaded", Activate: "word loaded"],
    }
}

hdl::bundle! {
    /// A word for one SO-DIMM.
    pub struct Word in sodimm_pkg {
        /// Data to write.
        data: u64,
        /// Burst address in the module, in units of 16 bytes.
        burst: u32 : 29,
        /// Half of the burst: 1 is the upper 8 bytes.
        upper: bool,
        /// Bytes to write.
        byte_enable: u8,
        /// The word is read; otherwise it is written.
        read: bool,
    }
}

hdl::bundle! {
    /// Input pins of an SO-DIMM channel.
    pub struct In in sodimm_pkg {
        /// Word to write or to read.
        word: Word,
        /// `word` is valid.
        word_enable: bool,
        /// Takes a word read; it is on `rdata` in the next cycle. Ignored when there is none.
        data_next: bool,
        /// SO-DIMM access is enabled; otherwise writes are discarded and reads return 0.
        sodimm_enabled: bool,
        /// SO-DIMM slot.
        memory: MemoryIn,
    }
}

hdl::bundle! {
    /// Output pins of an SO-DIMM channel.
    pub struct Out in sodimm_pkg {
        /// After the word on the pins in this cycle there may be room for fewer than four more.
        almost_full: bool,
        /// All words before this cycle are written, on the way back, or discarded.
        idle: bool,
        /// The most recently taken word that was read.
        rdata: u64,
        /// The data FIFO is empty.
        data_empty: bool,
        /// SO-DIMM slot.
        memory: MemoryOut,
    }
}

/// One SO-DIMM channel with its FIFOs.
#[derive(Clone, Debug, Default)]
pub struct Sodimm {
    /// Registers except the FIFOs.
    pub q: Registers,
    /// Words waiting for their commands.
    pub fifo: Fifo<Word, DEPTH>,
    /// Words that have been read.
    pub data: Fifo<u64, DEPTH>,
}

hdl::bundle! {
    /// Registers of an SO-DIMM channel.
    pub struct Registers in sodimm_pkg {
        /// State of the state machine.
        state: State,
        /// The word on the FIFO's output has not been written or read.
        loaded: bool,
        /// After the word on the pins in this cycle there may be room for fewer than four more.
        almost_full: bool,
        /// The open row.
        row: u32 : 20,
        /// Cycles until Precharge is allowed.
        recovery: u8 : 2,
        /// SO-DIMM access is enabled.
        enabled: bool,
        /// A read command was accepted in the cycle before.
        sent: bool,
        /// Half of the burst that the accepted read uses.
        sent_upper: bool,
        /// The burst of a read is on the pins.
        due: bool,
        /// Half of the burst on the pins that is used.
        due_upper: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/sodimm_interface/sodimm_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "AlmostFull",
            width: 5,
            value: ALMOST_FULL as u64,
            doc: "Words in the FIFO from which it may have room for fewer than four more.",
        },
        Item::Constant {
            name: "WriteRecovery",
            width: 2,
            value: WRITE_RECOVERY as u64,
            doc: "Cycles between the cycle after a write and the cycle before Precharge.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(Word::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Sodimm {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = &self.q;
        let fifo = self.fifo.outputs();
        let word = fifo.rdata;
        let data = self.data.outputs();
        let command = self.hit() && q.enabled;
        let write = command && !word.read;
        let byte_enable = if word.upper { (word.byte_enable as u16) << 8 } else { word.byte_enable as u16 };
        Out {
            almost_full: q.almost_full,
            idle: fifo.empty && !q.loaded && matches!(q.state, Idle | Recover | Precharge1 | Precharge2),
            rdata: data.rdata,
            data_empty: data.empty,
            memory: MemoryOut {
                wdata: (word.data as u128) << 64 | word.data as u128,
                address: word.burst,
                byte_enable: if write { byte_enable } else { 0 },
                write,
                read: command && word.read,
            },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let fifo = self.fifo.outputs();
        let done = self.hit() && (pins.memory.ready || !self.q.enabled);
        let load = !fifo.empty && (!self.q.loaded || done);
        let due = self.q.due;
        if due || pins.data_next {
            let half =
                if self.q.due_upper { (pins.memory.rdata >> 64) as u64 } else { pins.memory.rdata as u64 };
            let wdata = if self.q.enabled { half } else { 0 };
            self.data.tick(&FifoIn { write_enable: due, wdata, read_enable: pins.data_next });
        }
        self.q = self.next(pins, done, load);
        if load || pins.word_enable {
            self.fifo.tick(&FifoIn { write_enable: pins.word_enable, wdata: pins.word, read_enable: load });
            self.q.almost_full = self.fifo.outputs().count as u8 >= ALMOST_FULL;
        }
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.fifo.reset();
        self.data.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let empty = self.fifo.outputs().empty && !self.q.loaded && self.q.recovery == 0;
        let read = self.q.sent || self.q.due || !self.data.outputs().empty;
        if self.q.state == State::Idle && empty && !read { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Sodimm {
    /// Whether the channel has seen that SO-DIMM access is enabled.
    #[inline]
    pub(super) fn enabled(&self) -> bool {
        self.q.enabled
    }

    /// Whether the row of the loaded word is open, so that it is written or read once the module is ready.
    #[inline(always)]
    fn hit(&self) -> bool {
        let row = self.fifo.outputs().rdata.burst >> COLUMN_BITS;
        self.q.state == State::Burst && self.q.loaded && row == self.q.row
    }

    #[inline(always)]
    fn next(&self, pins: &In, done: bool, load: bool) -> Registers {
        use State::*;
        let q = &self.q;
        let mut d = *q;

        let word = self.fifo.outputs().rdata;
        d.loaded = load || q.loaded && !done;
        d.recovery = if done { WRITE_RECOVERY } else { q.recovery.saturating_sub(1) };
        d.enabled = pins.sodimm_enabled;
        d.sent = done && word.read;
        d.sent_upper = word.upper;
        d.due = q.sent;
        d.due_upper = q.sent_upper;

        match q.state {
            // Idle: the first word is loaded while the state changes.
            Idle => {
                if load {
                    d.state = Activate;
                }
            }
            // Activate: the row of the loaded word is open from now on.
            Activate => {
                d.row = word.burst >> COLUMN_BITS;
                d.state = ActivateWait;
            }
            // ActivateWait: tRCD is two cycles.
            ActivateWait => d.state = Burst,
            // Burst: continues if another word follows; one of another row is detected in the next cycle.
            Burst => {
                if self.hit() {
                    if done && !load {
                        d.state = Recover;
                    }
                } else {
                    d.state = Recover;
                }
            }
            // Recover: the row is still open; a word that is already loaded belongs to another row.
            Recover => {
                if load {
                    d.state = Burst;
                } else if q.recovery == 0 {
                    d.state = Precharge1;
                }
            }
            // Precharge1: a word that arrives now is loaded, but opens its row after tRP.
            Precharge1 => d.state = Precharge2,
            // Precharge2: tRP is two cycles.
            Precharge2 => d.state = if d.loaded { Activate } else { Idle },
        }
        d
    }
}

impl Probe for Sodimm {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.block("fifo", &self.fifo);
        visitor.block("data", &self.data);
    }
}
