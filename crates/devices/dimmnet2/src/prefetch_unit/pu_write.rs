//! Writer of the Prefetch Unit: packs pieces into words and stores them (thesis section 4.5.6, dsh's pu_write).
//!
//! Pieces wait in a FIFO. The oldest one is on the FIFO's output while `loaded`; its word is taken from the
//! SO-DIMM interface as soon as it arrives. In the next cycle its bytes are appended to those before, so that
//! a word of 8 bytes is stored for every 8 bytes that arrive. The bytes left over by the last piece make one
//! more word.
//!
//! Words go into the list buffer, into a Prefetch Window, or into the packet buffer. The Receive Controller
//! has priority on the window port: a word waits for a free cycle, and one more may wait behind it. Lines in
//! the packet buffer have zeros in the bytes that are not data. The two machines that dsh shows share one
//! state register: PW is busy during a run into a window or the list buffer, FIFO during one into the packet
//! buffer.
//!
//! The two words of a pair are taken together, as soon as both have arrived, and become two lines of the
//! packet buffer.

use hdl::{
    Bundle, Clocked, Fifo, FifoIn, Item, Package, Probe, Quiet, Role, StateMachine, Visitor, byte_mask,
};

use super::pins::MemoryData;
use super::pu_read::Piece;

/// Pieces in the FIFO; one more is loaded. This also limits the words in flight: the SO-DIMM interface can
/// hold all of them even if they come from one module.
pub const DEPTH: usize = 16;

/// Number of pieces in the FIFO from which no more are requested; one may still be in flight to it.
pub const ALMOST_FULL: u8 = 12;

hdl::fsm! {
    /// Writer of the Prefetch Unit: PW.
    pub enum State in pu_write_pkg {
        /// Waits for a run.
        Idle => [Write: "start", Idle: "otherwise"],
        /// Stores words to the end of the run.
        Write => [Idle: "run ended, all bytes stored", Write: "otherwise"],
    }
}

hdl::bundle! {
    /// Input pins of the writer.
    pub struct In in pu_write_pkg {
        /// Starts a run, from the control; high for one cycle.
        start: bool,
        /// The run goes into the list buffer.
        to_list: bool,
        /// The run goes into the packet buffer.
        to_packet: bool,
        /// Destination in the Prefetch Windows in units of 4 bytes: WID, window, half word.
        destination: u16 : 10,
        /// Piece, from the reader.
        piece: Piece,
        /// `piece` is valid.
        piece_enable: bool,
        /// All pieces of the run have been sent.
        ended: bool,
        /// Words read, from SO-DIMM interface.
        data: MemoryData,
        /// The Prefetch Window port is free in this cycle.
        prefetch_window_free: bool,
    }
}

hdl::bundle! {
    /// Output pins of the writer.
    pub struct Out in pu_write_pkg {
        /// The FIFO has room for few more pieces.
        pieces_almost_full: bool,
        /// Waits for words, or holds the most recently taken one.
        waits: bool,
        /// Takes a word of SO-DIMM1.
        data_next0: bool,
        /// Takes a word of SO-DIMM2.
        data_next1: bool,
        /// Bytes of a Prefetch Window to write; held until a cycle with `prefetch_window_free`.
        prefetch_window_byte_enable: u16,
        /// Row of 16 bytes: WID, window, row in the window.
        prefetch_window_address: u8,
        /// Data for the Prefetch Window.
        prefetch_window_wdata: u128,
        /// Writes `list_wdata` into the list buffer.
        list_write_enable: bool,
        /// Row of 8 bytes in the list buffer.
        list_row: u8 : 7,
        /// Two offsets.
        list_wdata: u64,
        /// Writes `packet_wdata` into the packet buffer.
        packet_write_enable: bool,
        /// Line of a packet.
        packet_wdata: u64,
        /// Writes `packet_second` after `packet_wdata`.
        packet_pair: bool,
        /// The next line of a packet.
        packet_second: u64,
        /// Quarters of the window that have been stored, each for one cycle; all of them at the end of the
        /// run.
        quarters: u8 : 4,
        /// The present or the last run goes into the packet buffer.
        to_packet: bool,
        /// The writer is idle.
        idle: bool,
        /// State number, for Module State.
        state: State,
    }
}

hdl::bundle! {
    /// Registers of the writer.
    pub struct Registers in pu_write_pkg {
        /// State of the state machine.
        state: State,
        /// The run goes into the list buffer.
        to_list: bool,
        /// The run goes into the packet buffer.
        to_packet: bool,
        /// Location of the present or the next word: WID, window, word.
        address: u16 : 9,
        /// The piece on the FIFO's output has not been taken.
        loaded: bool,
        /// The FIFO has room for few more pieces.
        almost_full: bool,
        /// The piece whose word was taken.
        piece: Piece,
        /// The piece has not been appended yet.
        piece_valid: bool,
        /// The next byte goes into the upper half of a word.
        high: bool,
        /// The lower half of the word being assembled.
        carry: u32,
        /// Bytes of `carry` to write.
        carry_enable: u8 : 4,
        /// The word to store.
        data: u64,
        /// Bytes of `data` to write.
        byte_enable: u8,
        /// The word after `data`.
        behind: u64,
        /// Bytes of `behind` to write.
        behind_enable: u8,
        /// `behind` goes into the packet buffer together with `data`.
        pair: bool,
        /// Quarters of the window completed in the cycle before.
        quarters: u8 : 4,
    }
}

/// Writer of the Prefetch Unit: packing logic and the FIFO of pieces.
#[derive(Clone, Debug, Default)]
pub struct PuWrite {
    /// Registers except the FIFO.
    pub q: Registers,
    /// Pieces whose words have not arrived.
    pub pieces: Fifo<Piece, DEPTH>,
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/prefetch_unit/pu_write_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "AlmostFull",
            width: 5,
            value: ALMOST_FULL as u64,
            doc: "Pieces in the FIFO from which no more are requested; one may still be in flight.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for PuWrite {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = &self.q;
        let pieces = self.pieces.outputs();
        let next = q.loaded && q.behind_enable == 0;
        let half = 8 * (q.address & 1);
        Out {
            pieces_almost_full: q.almost_full,
            waits: !pieces.empty || q.loaded || q.piece_valid,
            data_next0: next && !pieces.rdata.absent && !pieces.rdata.second,
            data_next1: next && !pieces.rdata.absent && (pieces.rdata.second || pieces.rdata.pair),
            prefetch_window_byte_enable: if q.to_list || q.to_packet {
                0
            } else {
                u16::from(q.byte_enable) << half
            },
            prefetch_window_address: (q.address >> 1) as u8,
            prefetch_window_wdata: u128::from(q.data) << 64 | u128::from(q.data),
            list_write_enable: q.to_list && q.byte_enable != 0,
            list_row: q.address as u8 & 0x7f,
            list_wdata: q.data,
            packet_write_enable: q.to_packet && q.byte_enable != 0,
            packet_wdata: q.data & byte_mask(q.byte_enable),
            packet_pair: q.pair,
            packet_second: q.behind,
            quarters: q.quarters,
            to_packet: q.to_packet,
            idle: q.state == State::Idle,
            state: q.state,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let pieces = self.pieces.outputs();
        let there0 = pieces.rdata.second || !pins.data.empty0;
        let there1 = !(pieces.rdata.second || pieces.rdata.pair) || !pins.data.empty1;
        let there = pieces.rdata.absent || there0 && there1;
        let take = self.q.loaded && self.q.behind_enable == 0 && there;
        let load = !pieces.empty && (!self.q.loaded || take);
        self.q = self.next(pins, take, load);
        if load || pins.piece_enable {
            self.pieces.tick(&FifoIn {
                write_enable: pins.piece_enable,
                wdata: pins.piece,
                read_enable: load,
            });
            self.q.almost_full = self.pieces.outputs().count as u8 >= ALMOST_FULL;
        }
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.pieces.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let q = &self.q;
        let pieces = !self.pieces.outputs().empty || q.loaded || q.piece_valid;
        let words = q.byte_enable != 0 || q.behind_enable != 0 || q.quarters != 0;
        if q.state == State::Idle && !pieces && !words { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl PuWrite {
    #[inline(always)]
    fn next(&self, pins: &In, take: bool, load: bool) -> Registers {
        use State::*;
        let q = &self.q;
        let mut d = *q;

        let to_window = !q.to_list && !q.to_packet;
        let stored = q.byte_enable != 0 && (!to_window || pins.prefetch_window_free);
        let free = q.byte_enable == 0 || stored;
        let pieces = self.pieces.outputs();

        d.quarters = 0;
        d.pair = false;
        d.loaded = load || q.loaded && !take;
        if take {
            d.piece = pieces.rdata;
        }
        if stored {
            d.address = (q.address + 1) & 0x1ff;
            if to_window && q.address & 0xf == 0xf {
                d.quarters = 1 << (q.address >> 4 & 3);
            }
        }
        if free {
            d.byte_enable = q.behind_enable;
            d.behind_enable = 0;
            if q.behind_enable != 0 {
                d.data = q.behind;
            }
        }
        if q.behind_enable == 0 {
            d.piece_valid = take;
            if q.piece_valid {
                let data = match (q.piece.absent, q.piece.second) {
                    (true, _) => 0,
                    (false, true) => pins.data.data1,
                    (false, false) => pins.data.data0,
                };
                d.join(q.piece, data, free);
                // The packet buffer always has room, so `behind` is empty.
                if q.piece.pair {
                    d.behind = if q.piece.absent { 0 } else { pins.data.data1 };
                    d.pair = true;
                }
            }
        }

        match q.state {
            // Idle: the run before has left nothing.
            Idle => {
                if pins.start {
                    d.begin(pins);
                    d.state = Write;
                }
            }
            // Write: the bytes left over by the last piece make one more word.
            Write => {
                let pending = !pieces.empty || q.loaded || q.piece_valid || q.behind_enable != 0;
                if pins.ended && !pending && free {
                    d.data = u64::from(q.carry);
                    d.byte_enable = q.carry_enable;
                    d.carry_enable = 0;
                    if q.carry_enable == 0 {
                        d.quarters = if to_window { 0xf } else { 0 };
                        d.state = Idle;
                    }
                }
            }
        }
        d
    }
}

impl Registers {
    /// Starts a run at its first byte.
    #[inline]
    fn begin(&mut self, pins: &In) {
        self.to_list = pins.to_list;
        self.to_packet = pins.to_packet;
        self.address = if pins.to_list { 0 } else { pins.destination >> 1 };
        self.high = !pins.to_list && !pins.to_packet && pins.destination & 1 == 1;
        self.carry_enable = 0;
    }

    /// Appends the bytes of a piece to those carried over. A complete word becomes `data`, or `behind` if
    /// `data` is occupied.
    #[inline]
    fn join(&mut self, piece: Piece, data: u64, free: bool) {
        let data = if piece.upper { data >> 32 } else { data };
        let mask = ((1u16 << piece.bytes) - 1) as u8;
        let carry = (self.carry, self.carry_enable);
        let whole = self.high || piece.bytes > 4;
        let (word, enable) =
            if self.high { (data << 32 | u64::from(carry.0), mask << 4 | carry.1) } else { (data, mask) };
        if self.high {
            (self.carry, self.carry_enable) = ((data >> 32) as u32, mask >> 4);
            self.high = piece.bytes > 4;
        } else if !whole {
            (self.carry, self.carry_enable) = (data as u32, mask);
            self.high = true;
        }
        if whole && free {
            (self.data, self.byte_enable) = (word, enable);
        } else if whole {
            (self.behind, self.behind_enable) = (word, enable);
        }
    }
}

impl Probe for PuWrite {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.pins(Role::Outputs, || self.outputs());
        visitor.block("pieces", &self.pieces);
    }
}
