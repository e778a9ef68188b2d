//! Receive engine: finds the queue pair of a packet, takes a receive WQE and puts the data there (IBA volume 1, sections 9.8.3, 10.7.3).
//!
//! Data of a datagram lie 40 bytes behind the beginning of the buffer, where a global route header would be. A packet that is not for a
//! queue pair of ours is dropped and counted, and takes no WQE; a WQE whose buffer or key does not allow the packet ends with an error.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::completion::Entry;
use crate::contexts::{Attributes, Key, Responder};
use crate::host_dma::Transfer;
use crate::key_check;
use crate::layout::{GRH_BYTES, PacketKind, RECEIVE_WQE_BYTES, RECEIVED, Status};
use crate::registers::ReceiveCounts;
use crate::send_engine::WQE_WORD;

hdl::machine! {
    /// Receive engine.
    pub enum State in receive_engine_pkg {
        /// Waits for a packet.
        Idle => [Head],
        /// Reads its headers.
        Head => [Sort],
        /// Is it of a known form, and for this port?
        Sort => [Load, Release],
        /// Reads the rows of the queue pair and the doorbell.
        Load => [Look],
        /// Does the queue pair take it?
        Look => [Fetch, Store, Release],
        /// Gets the receive WQE.
        Fetch => [Key],
        /// Reads the row of its key.
        Key => [Check],
        /// Is there room for it?
        Check => [Copy, Complete],
        /// Writes the data.
        Copy => [Complete],
        /// Has a CQE written.
        Complete => [Store],
        /// Writes the row of the responder.
        Store => [Release],
        /// Gives the slot back, and reports the end.
        Release => [Idle],
    }
}

hdl::bundle! {
    /// Input pins of the receive engine.
    pub struct In in receive_engine_pkg {
        /// A packet may be received; looked at in `Idle` only.
        start: bool,
        /// Its slot.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the receiver's memory that was read last.
        memory_rdata: u64,
        /// Rows of the queue pair.
        attributes: Attributes,
        /// How far its receive queue is.
        responder: Responder,
        /// Its doorbell.
        bell: u16,
        /// Row of the key.
        key: Key,
        /// Host DMA has got a word.
        word_valid: bool,
        /// The word.
        word: u64,
        /// Its place in the WQE.
        place: u8 : 3,
        /// Host DMA is done.
        copied: bool,
        /// The CQE is written.
        completed: bool,
    }
}

hdl::bundle! {
    /// Output pins of the receive engine.
    pub struct Out in receive_engine_pkg {
        /// Reads a word of the receiver's memory.
        memory_read: bool,
        /// Which one.
        memory_address: u16 : 10,
        /// Reads the rows of the queue pair.
        load: bool,
        /// Which one.
        pair: u8 : 4,
        /// Reads the row of the key.
        key_load: bool,
        /// Which one.
        key: u8 : 4,
        /// Writes the row of the responder.
        store: bool,
        /// The row.
        responder: Responder,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it.
        copy: bool,
        /// Has a CQE written.
        complete: bool,
        /// The CQE.
        entry: Entry,
        /// The queue pair fails; high for one cycle.
        fail: bool,
        /// Over: the slot is free; high for one cycle.
        done: bool,
        /// Counters.
        counts: ReceiveCounts,
    }
}

hdl::bundle! {
    /// Registers of the receive engine.
    pub struct ReceiveEngine in receive_engine_pkg {
        /// State.
        state: State,
        /// The slot.
        slot: bool,
        /// LID of the port.
        lid: u16,
        /// Word of the headers that is read; the one before comes.
        index: u8 : 3,
        /// What follows the LRH, 2 for a BTH; 0 for anything but version 0.
        next_header: u8 : 2,
        /// LID that it is for.
        destination_lid: u16,
        /// Units of 4 bytes, ICRC included.
        units: u16 : 11,
        /// LID that it is from.
        source_lid: u16,
        /// Kind of packet.
        kind: u8,
        /// Bytes that fill up the last unit of the data.
        pad: u8 : 2,
        /// Version of the transport header.
        version: u8 : 4,
        /// QPN that it is for.
        destination: u32 : 24,
        /// Q_Key.
        q_key: u32,
        /// QPN that it is from.
        source: u32 : 24,
        /// Immediate data.
        immediate: u32,
        /// Bytes of data.
        bytes: u16 : 12,
        /// Row of the responder.
        responder: Responder,
        /// CQ of the receive queue.
        ring: u8 : 2,
        /// The doorbell is beyond the ring.
        fail: bool,
        /// Where the WQE lies.
        wqe: u32,
        /// Address of the buffer.
        address: u32,
        /// Its length.
        length: u32,
        /// Its key.
        l_key: u32,
        /// How it ended.
        status: u8,
        /// Counters.
        counts: ReceiveCounts,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/receive_engine_pkg",
    source: "crates/hca/src/receive_engine.rs",
    items: &[Item::Machine(State::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for ReceiveEngine {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        let fetch = q.state == Fetch;
        let good = q.status == Status::Success.code();
        Out {
            memory_read: q.state == Head,
            memory_address: u16::from(q.slot) << 9 | u16::from(q.index),
            load: q.state == Load,
            pair: q.destination as u8 & 0xf,
            key_load: q.state == Key,
            key: q.l_key as u8 & 0xf,
            store: q.state == Store,
            responder: q.responder,
            transfer: Transfer {
                address: if fetch { q.wqe } else { q.address.wrapping_add(GRH_BYTES) },
                offset: if fetch { WQE_WORD << 3 } else { u16::from(q.slot) << 12 | 4 * q.header_units() },
                bytes: if fetch { RECEIVE_WQE_BYTES } else { q.bytes },
                to_host: !fetch,
            },
            copy: matches!(q.state, Fetch | Copy),
            complete: q.state == Complete,
            entry: Entry {
                ring: q.ring,
                index: q.responder.consumed.wrapping_sub(1),
                pair: q.destination as u8 & 0xf,
                operation: RECEIVED | u8::from(q.has_immediate()),
                status: q.status,
                source: q.source,
                source_lid: q.source_lid,
                bytes: if good { u32::from(q.bytes) + GRH_BYTES } else { 0 },
                immediate: if q.has_immediate() { q.immediate } else { 0 },
            },
            fail: q.state == Store && q.fail,
            done: q.state == Release,
            counts: q.counts,
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

impl ReceiveEngine {
    /// There is immediate data behind the headers.
    #[inline(always)]
    fn has_immediate(&self) -> bool {
        self.kind == PacketKind::DatagramSendImmediate.code()
    }

    /// Units of 4 bytes in front of the data: LRH, BTH, DETH, immediate data.
    #[inline(always)]
    fn header_units(&self) -> u16 {
        7 + u16::from(self.has_immediate())
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        // Two units of the headers: each had its highest byte first on the wire.
        let first = (pins.memory_rdata as u32).swap_bytes();
        let second = ((pins.memory_rdata >> 32) as u32).swap_bytes();
        // What is left for the data, the ICRC behind them.
        let known = q.kind == PacketKind::DatagramSend.code() || q.has_immediate();
        let overhead = q.header_units() + 1;
        let room = 4 * (q.units.wrapping_sub(overhead) & 0x7ff) & 0xfff;
        let formed = known
            && q.next_header == 2
            && q.version == 0
            && q.units >= overhead
            && room >= q.pad.into()
            && room <= 2048;
        // WQEs in the ring, and where the oldest one lies.
        let attributes = &pins.attributes;
        let posted = pins.bell.wrapping_sub(pins.responder.consumed);
        let size = 1u32 << attributes.receive_log;
        let place = u32::from(pins.responder.consumed) & (size - 1);
        // The data and what is in front of them must have room in the buffer.
        let needed = u32::from(q.bytes) + GRH_BYTES;
        let allowed = key_check::check(&key_check::In {
            row: pins.key,
            key: q.l_key,
            domain: attributes.domain,
            address: q.address,
            length: needed,
            local_write: true,
            ..key_check::In::default()
        })
        .allowed;

        match q.state {
            // Idle: the scheduler says when.
            Idle => {
                if pins.start {
                    d.slot = pins.slot;
                    d.lid = pins.lid;
                    d.index = 0;
                    d.fail = false;
                    d.status = Status::Success.code();
                    d.state = Head;
                }
            }
            // Head: a word is read while the one before is taken apart.
            Head => {
                match q.index {
                    1 => {
                        d.next_header = if first >> 24 & 0xf == 0 { (first >> 16) as u8 & 3 } else { 0 };
                        d.destination_lid = first as u16;
                        d.units = (second >> 16) as u16 & 0x7ff;
                        d.source_lid = second as u16;
                    }
                    2 => {
                        d.kind = (first >> 24) as u8;
                        d.pad = (first >> 20) as u8 & 3;
                        d.version = (first >> 16) as u8 & 0xf;
                        d.destination = second & 0xff_ffff;
                    }
                    3 => d.q_key = second,
                    4 => {
                        d.source = first & 0xff_ffff;
                        d.immediate = second;
                    }
                    _ => (),
                }
                d.index = (q.index + 1) & 7;
                if q.index == 4 {
                    d.state = Sort;
                }
            }
            // Sort: what is not for us is nobody's error.
            Sort => {
                d.bytes = room.wrapping_sub(q.pad.into()) & 0xfff;
                d.state = Release;
                if q.destination_lid != q.lid {
                    d.counts.foreign = q.counts.foreign.wrapping_add(1);
                } else if !formed {
                    d.counts.malformed = q.counts.malformed.wrapping_add(1);
                } else if q.destination >> 4 != 0 {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else {
                    d.state = Load;
                }
            }
            // Load: rows come in the next cycle.
            Load => d.state = Look,
            // Look: a datagram that cannot be taken is lost, and its sender is not told.
            Look => {
                d.responder = pins.responder;
                d.ring = attributes.receive_cq;
                d.wqe = attributes.receive_base.wrapping_add(u32::from(RECEIVE_WQE_BYTES) * place);
                d.state = Release;
                if !attributes.valid || attributes.connected || pins.responder.dead {
                    d.counts.unknown_qp = q.counts.unknown_qp.wrapping_add(1);
                } else if q.q_key != attributes.q_key {
                    d.counts.wrong_q_key = q.counts.wrong_q_key.wrapping_add(1);
                } else if posted == 0 {
                    d.counts.no_receive = q.counts.no_receive.wrapping_add(1);
                } else if u32::from(posted) > size {
                    d.responder.dead = true;
                    d.fail = true;
                    d.state = Store;
                } else {
                    d.state = Fetch;
                }
            }
            // Fetch: words of the WQE pass by.
            Fetch => {
                if pins.word_valid {
                    let (low, high) = (pins.word as u32, (pins.word >> 32) as u32);
                    match pins.place {
                        0 => (d.address, d.length) = (low, high),
                        1 => d.l_key = low,
                        _ => (),
                    }
                }
                if pins.copied {
                    d.state = Key;
                }
            }
            // Key: the row comes in the next cycle.
            Key => d.state = Check,
            // Check: the WQE is taken, whatever comes of it.
            Check => {
                d.responder.consumed = q.responder.consumed.wrapping_add(1);
                let status = if needed > q.length {
                    Status::LengthError
                } else if !allowed {
                    Status::ProtectionError
                } else {
                    Status::Success
                };
                d.status = status.code();
                if status == Status::Success {
                    d.counts.received = q.counts.received.wrapping_add(1);
                } else {
                    d.counts.failed = q.counts.failed.wrapping_add(1);
                }
                d.state = if status == Status::Success && q.bytes != 0 { Copy } else { Complete };
            }
            // Copy: the 40 bytes in front stay as they are.
            Copy => {
                if pins.copied {
                    d.state = Complete;
                }
            }
            // Complete: the data are there before the CQE is.
            Complete => {
                if pins.completed {
                    d.state = Store;
                }
            }
            // Store: the WQE counts as taken from here on.
            Store => d.state = Release,
            // Release: the next packet may come into the slot.
            Release => d.state = Idle,
        }
        d
    }
}

impl Probe for ReceiveEngine {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
