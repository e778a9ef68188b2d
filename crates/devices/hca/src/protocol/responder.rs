//! Responder: one rule of the receiving side of a connection (IBA volume 1, sections 9.7.4, 9.7.5).
//!
//! Packets are taken in order. One that came before is acknowledged again; one behind a gap is answered by a NAK, once. Without a receive
//! WQE a message is put off by an RNR NAK. A message that breaks the rules, finds no room or has no right is refused for good.
//!
//! An RDMA WRITE says in its first packet where it goes; an RDMA READ has a number for each packet of its data. One that is asked for again
//! is read again (IBA volume 1, section 9.7.5): the data that were to be sent before give way.
//!
//! Combinational: all inputs to all outputs. The registers are the row of the queue pair.

use hdl::{Bundle, Item, Package};

use super::PSN_MASK;
use crate::contexts::{Reader, Responder};

/// Syndrome of an ACK; it says nothing of credits (IBA volume 1, table 44).
pub const ACK: u8 = 0x1f;
/// Of an RNR NAK, with the timer in bits 4:0.
pub const RNR_NAK: u8 = 0x20;
/// Of a NAK, with its code in bits 4:0: 0 a gap, 1 an invalid request, 2 no access, 3 the responder cannot.
pub const NAK: u8 = 0x60;

hdl::codes! {
    /// What happens to a responder.
    pub enum Cause in responder_pkg, width 3 {
        /// Nothing.
        Nothing = 0,
        /// A packet arrives.
        Arrive = 1,
        /// It is taken: its buffer has room for it.
        Take = 2,
        /// It is refused for good.
        Refuse = 3,
        /// A packet of the data of an RDMA READ leaves.
        Respond = 4,
    }
}

hdl::bundle! {
    /// Input pins of the responder.
    pub struct In in responder_pkg {
        /// Row of the queue pair.
        row: Responder,
        /// Its RDMA READ.
        reader: Reader,
        /// What happens.
        cause: u8 : 3,
        /// PSN of the packet.
        psn: u32 : 24,
        /// It is the next one: whoever asks has compared before, here and with its bytes.
        follows: bool,
        /// It came before.
        repeats: bool,
        /// It is the first one of its message.
        first: bool,
        /// It is the last one.
        last: bool,
        /// It is of an RDMA WRITE.
        write: bool,
        /// It is an RDMA READ.
        read: bool,
        /// Immediate data come with it.
        immediate: bool,
        /// It asks for an answer.
        asks: bool,
        /// Bytes of data.
        bytes: u16 : 12,
        /// They are as many as such a packet has.
        sized: bool,
        /// Bytes that every packet but the last one has.
        mtu: u16 : 12,
        /// There is a receive WQE.
        ready: bool,
        /// RNR timer that is asked of the peer.
        rnr_timer: u8 : 5,
        /// Code of the NAK of `Refuse`.
        code: u8 : 2,
        /// Where an RDMA WRITE goes, or an RDMA READ is from.
        address: u32,
        /// Bytes of it that are still to come.
        length: u32,
        /// Its r_key.
        key: u32,
        /// Packets of the data of an RDMA READ behind the first one.
        more: u32 : 24,
    }
}

hdl::bundle! {
    /// Output pins of the responder.
    pub struct Out in responder_pkg {
        /// Row of the queue pair after the event.
        row: Responder,
        /// Its RDMA READ after the event.
        reader: Reader,
        /// The packet is the next one, and may be taken.
        takes: bool,
        /// The connection is broken.
        breaks: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/protocol/responder_pkg",
    source: file!(),
    items: &[
        Item::Constant { name: "Ack", width: 8, value: ACK as u64, doc: "Syndrome of an ACK." },
        Item::Constant { name: "RnrNak", width: 8, value: RNR_NAK as u64, doc: "Of an RNR NAK." },
        Item::Constant { name: "Nak", width: 8, value: NAK as u64, doc: "Of a NAK." },
        Item::Codes(Cause::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let q = &pins.row;
    let mut d = *q;
    let mut reader = pins.reader;
    let mut takes = false;
    let mut breaks = false;

    let ordered = pins.first != q.midway && (pins.first || pins.write == q.writes);
    let bytes = u32::from(pins.bytes);
    // What takes a receive WQE: a SEND, and immediate data of an RDMA WRITE.
    let sends = !pins.write && !pins.read;
    let takes_wqe = if pins.write { pins.immediate } else { sends && pins.first };
    let nak_waits = q.answer && q.syndrome >> 5 & 3 != 0;

    match Cause::from_code(pins.cause) {
        // Arrive: the next one.
        Some(Cause::Arrive) if pins.follows => {
            if !ordered || !pins.sized {
                (d.answer, d.syndrome, d.answer_psn) = (true, NAK | 1, q.psn);
                d.dead = true;
                breaks = true;
            } else if takes_wqe && !pins.ready {
                (d.answer, d.syndrome, d.answer_psn) = (true, RNR_NAK | pins.rnr_timer, q.psn);
                d.refused = true;
            } else {
                takes = true;
            }
        }
        // Arrive: an RDMA READ that came before.
        Some(Cause::Arrive) if pins.repeats && pins.read && pins.sized => takes = true,
        // Arrive: another one that came before. A NAK that waits tells more.
        Some(Cause::Arrive) if pins.repeats => {
            if !nak_waits {
                (d.answer, d.syndrome, d.answer_psn) = (true, ACK, q.psn.wrapping_sub(1) & PSN_MASK);
            }
        }
        // Arrive: there is a gap before it.
        Some(Cause::Arrive) => {
            if !q.refused {
                (d.answer, d.syndrome, d.answer_psn) = (true, NAK, q.psn);
                d.refused = true;
            }
        }
        // Take: the data of an RDMA READ have the numbers from its own on.
        Some(Cause::Take) if pins.read => {
            reader = Reader {
                active: true,
                begun: false,
                psn: pins.psn,
                last: pins.psn.wrapping_add(pins.more) & PSN_MASK,
                address: pins.address,
                left: pins.length,
                key: pins.key,
            };
            if pins.follows {
                d.psn = q.psn.wrapping_add(pins.more).wrapping_add(1) & PSN_MASK;
                d.refused = false;
                d.messages = q.messages.wrapping_add(1) & PSN_MASK;
                d.answer = q.answer && !nak_waits;
            }
        }
        // Take: the next packet is due. A NAK that waits is out of date.
        Some(Cause::Take) => {
            d.psn = q.psn.wrapping_add(1) & PSN_MASK;
            d.refused = false;
            d.midway = !pins.last;
            d.received = if pins.last { 0 } else { q.received.wrapping_add(pins.bytes.into()) };
            d.writes = pins.write;
            d.write_address = pins.address.wrapping_add(bytes);
            d.write_left = pins.length.wrapping_sub(bytes);
            d.write_key = pins.key;
            if pins.last {
                d.messages = q.messages.wrapping_add(1) & PSN_MASK;
            }
            if pins.last && (sends || pins.immediate) {
                d.consumed = q.consumed.wrapping_add(1);
            }
            if pins.asks {
                (d.answer, d.syndrome, d.answer_psn) = (true, ACK, q.psn);
            } else if nak_waits {
                d.answer = false;
            }
        }
        // Refuse: the WQE of a SEND is used up.
        Some(Cause::Refuse) => {
            (d.answer, d.syndrome, d.answer_psn) = (true, NAK | pins.code, pins.psn);
            if sends {
                d.consumed = q.consumed.wrapping_add(1);
            }
            reader.active = false;
            d.dead = true;
            breaks = true;
        }
        // Respond: all packets but the last one are full.
        Some(Cause::Respond) => {
            reader = Reader {
                active: pins.reader.psn != pins.reader.last,
                begun: true,
                psn: pins.reader.psn.wrapping_add(1) & PSN_MASK,
                address: pins.reader.address.wrapping_add(pins.mtu.into()),
                left: pins.reader.left.wrapping_sub(pins.mtu.into()),
                ..pins.reader
            };
        }
        Some(Cause::Nothing) | None => (),
    }
    Out { row: d, reader, takes, breaks }
}
