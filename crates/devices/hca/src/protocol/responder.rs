//! Responder: one rule of the receiving side of a connection (IBA volume 1, sections 9.7.4, 9.7.5).
//!
//! Packets are taken in order. A duplicate is acknowledged again; a packet after a gap is answered by one
//! NAK. Without a receive WQE, an RNR NAK asks the requester to retry later. A message that breaks the rules,
//! does not fit or has no right to its memory is refused for good: the connection breaks.
//!
//! An RDMA WRITE names its destination in its first packet; an RDMA READ takes a PSN for each packet of its
//! data. RDMA READs that arrive while one is answered wait behind it, up to 15; one more is dropped, as if it
//! were lost. A duplicate RDMA READ is read again (IBA volume 1, section 9.7.5), in place of the data that were
//! still to be sent; those that continue it wait behind it. An RDMA READ that waits is refused when the data before it have
//! been sent. An atomic operation is executed once: a duplicate has the saved answer, and is dropped if
//! a later RDMA READ or atomic operation has taken its place.
//!
//! An unreliable connection has no answers. Its messages may begin with any PSN; a message that is not whole is
//! dropped, and leaves its receive WQE to the next one (IBA volume 1, section 9.8.2).
//!
//! A message takes a WQE from a shared receive queue with its first packet, from an own one with its last. The engine
//! counts the WQEs of a shared one.
//!
//! Combinational from all inputs to all outputs; the state is the row of the queue pair. The engine makes the
//! comparisons for `follows`, `repeats` and `sized` one cycle earlier.

use hdl::{Bundle, Item, Package};

use super::{psn_after, syndrome_type};
use crate::contexts::{Read, Reader, Responder};

/// Syndrome of an ACK without a credit count (IBA volume 1, table 44).
pub const ACK: u8 = 0x1f;
/// Syndrome of an RNR NAK; its timer is in bits 4:0.
pub const RNR_NAK: u8 = 0x20;
/// Syndrome of a NAK; its code is in bits 4:0: 0 PSN sequence error, 1 invalid request, 2 remote access
/// error, 3 remote operational error.
pub const NAK: u8 = 0x60;

/// Code of a NAK for a remote operational error, a fault of the responder's own buffer.
const OPERATION_CODE: u8 = 3;

hdl::codes! {
    /// Event of a responder.
    pub enum Cause in responder_pkg, width 3 {
        /// No event: the rows stay as they are.
        Nothing = 0,
        /// A packet arrives.
        Arrive = 1,
        /// The packet is taken: its buffer has room.
        Take = 2,
        /// The packet is refused for good.
        Refuse = 3,
        /// A packet of RDMA READ data is sent.
        Respond = 4,
    }
}

hdl::bundle! {
    /// Input pins of the responder.
    pub struct In in responder_pkg {
        /// Row of the queue pair.
        row: Responder,
        /// Row of the peer's RDMA READ or atomic operation.
        reader: Reader,
        /// Event, a `Cause`.
        cause: u8 : 3,
        /// PSN of the packet.
        psn: u32 : 24,
        /// The connection is unreliable: packets are SENDs and RDMA WRITEs.
        unreliable: bool,
        /// The packet has the expected PSN.
        follows: bool,
        /// The packet is a duplicate.
        repeats: bool,
        /// The packet is the first one of its message.
        first: bool,
        /// The packet is the last one of its message.
        last: bool,
        /// The packet belongs to an RDMA WRITE.
        write: bool,
        /// The packet requests an RDMA READ.
        read: bool,
        /// The packet requests an atomic operation.
        atomic: bool,
        /// The saved answer is that of the packet.
        saved: bool,
        /// The RDMA READ waits behind the one that is answered.
        appends: bool,
        /// The RDMA READ would wait, and there is no place.
        crowded: bool,
        /// The oldest RDMA READ that waits.
        next: Read,
        /// The packet has immediate data.
        immediate: bool,
        /// The packet requests an acknowledgement.
        asks: bool,
        /// Bytes of data; 0 to 2,048.
        bytes: u16 : 12,
        /// The packet has as many bytes as its kind may have.
        sized: bool,
        /// Bytes of a full packet.
        mtu: u16 : 12,
        /// A receive WQE is posted.
        ready: bool,
        /// Receive WQEs come from a shared receive queue.
        shared: bool,
        /// RNR timer for the peer (IBA volume 1, table 45).
        rnr_timer: u8 : 5,
        /// Code of the NAK of `Refuse`.
        code: u8 : 2,
        /// Byte address of the RDMA WRITE or READ, of the atomic operation, or of the buffer of a SEND.
        address: u32,
        /// Bytes that the RDMA WRITE or READ still has, or of the buffer of a SEND.
        length: u32,
        /// r_key of the RDMA WRITE or READ, l_key of the buffer of a SEND.
        key: u32,
        /// Packets of RDMA READ data after the first one; 0 for an atomic operation.
        more: u32 : 24,
        /// Value before the atomic operation.
        original: u64,
    }
}

hdl::bundle! {
    /// Output pins of the responder.
    pub struct Out in responder_pkg {
        /// Row of the queue pair after the event.
        row: Responder,
        /// Row of the peer's RDMA READ or atomic operation after the event.
        reader: Reader,
        /// The packet is the expected one and may be taken.
        takes: bool,
        /// The connection is broken.
        breaks: bool,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/protocol/responder_pkg",
    source: file!(),
    items: &[
        Item::Constant { name: "Ack", width: 8, value: ACK as u64, doc: "Syndrome of an ACK." },
        Item::Constant {
            name: "RnrNak",
            width: 8,
            value: RNR_NAK as u64,
            doc: "Syndrome of an RNR NAK; bits 4:0 are its timer.",
        },
        Item::Constant {
            name: "Nak",
            width: 8,
            value: NAK as u64,
            doc: "Syndrome of a NAK; bits 4:0 are its code.",
        },
        Item::Codes(Cause::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

/// Facts about the packet that several events need.
struct Packet {
    /// The packet continues the message that has begun, or begins one when none has.
    ordered: bool,
    /// The packet is of a SEND, which takes a receive WQE with its first packet.
    sends: bool,
    /// The packet needs a receive WQE.
    takes_wqe: bool,
    /// A NAK is still to be sent.
    nak_waits: bool,
}

impl Packet {
    #[inline]
    fn of(pins: &In) -> Self {
        let q = &pins.row;
        let sends = !pins.write && !pins.read && !pins.atomic;
        Self {
            ordered: pins.first != q.midway && (pins.first || pins.write == q.writes),
            sends,
            takes_wqe: if pins.write { pins.immediate } else { sends && pins.first },
            nak_waits: q.answer && syndrome_type(q.syndrome) != 0,
        }
    }
}

/// Output pins for the input pins of the same cycle.
#[inline]
pub fn apply(pins: &In) -> Out {
    let mut out = Out { row: pins.row, reader: pins.reader, takes: false, breaks: false };
    match Cause::from_code(pins.cause) {
        Some(Cause::Arrive) if pins.unreliable => arrive_unreliable(&mut out, pins),
        Some(Cause::Arrive) => arrive(&mut out, pins),
        Some(Cause::Take) if pins.read || pins.atomic => take_read(&mut out, pins),
        Some(Cause::Take) => take(&mut out.row, pins),
        Some(Cause::Refuse) if pins.unreliable && pins.code != OPERATION_CODE => abandon(&mut out.row),
        Some(Cause::Refuse) => {
            if !pins.unreliable {
                answer(&mut out.row, NAK | pins.code, pins.psn);
            }
            // The WQE of a SEND is used up.
            if Packet::of(pins).sends {
                out.row.midway = false;
                if !pins.shared {
                    out.row.consumed = pins.row.consumed.wrapping_add(1);
                }
            }
            out.reader.active = false;
            out.row.failed = true;
            out.breaks = true;
        }
        // Respond: the next RDMA READ follows the last packet.
        Some(Cause::Respond) => {
            let ends = pins.reader.psn == pins.reader.last;
            if ends && pins.reader.waiting != 0 {
                out.reader.advance(&pins.next);
            } else {
                respond(&mut out.reader, pins, ends);
            }
        }
        Some(Cause::Nothing) | None => (),
    }
    out
}

/// Respond: all packets but the last one are full; a saved answer stays as it is.
#[inline]
fn respond(d: &mut Reader, pins: &In, ends: bool) {
    let q = &pins.reader;
    (d.active, d.begun, d.psn) = (!ends, true, psn_after(q.psn, 1));
    if !q.atomic {
        d.address = q.address.wrapping_add(pins.mtu.into());
        d.left = q.left.wrapping_sub(pins.mtu.into());
    }
}

/// An answer is to be sent.
#[inline]
fn answer(d: &mut Responder, syndrome: u8, psn: u32) {
    (d.answer, d.syndrome, d.answer_psn) = (true, syndrome, psn);
}

/// Arrive: only the expected packet, or a duplicate of an RDMA READ, may be taken. A duplicate of an atomic operation
/// has the saved answer or none.
#[inline]
fn arrive(out: &mut Out, pins: &In) {
    let (q, d) = (&pins.row, &mut out.row);
    let packet = Packet::of(pins);
    if pins.follows {
        if !packet.ordered || !pins.sized {
            answer(d, NAK | 1, q.psn);
            d.failed = true;
            out.breaks = true;
        } else if packet.takes_wqe && !pins.ready {
            answer(d, RNR_NAK | pins.rnr_timer, q.psn);
            d.refused = true;
        } else {
            out.takes = !pins.crowded;
        }
    } else if pins.repeats && pins.read && pins.sized {
        out.takes = !pins.crowded;
    } else if pins.repeats && pins.atomic {
        if pins.saved {
            (out.reader.active, out.reader.begun, out.reader.psn) = (true, false, pins.psn);
        }
    } else if pins.repeats {
        // A NAK that is still to be sent takes precedence over this acknowledgement.
        if !packet.nak_waits {
            answer(d, ACK, psn_after(q.psn, u32::MAX));
        }
    } else if !q.refused {
        answer(d, NAK, q.psn);
        d.refused = true;
    }
}

/// The message of an unreliable connection is dropped; its receive WQE stays.
#[inline]
fn abandon(d: &mut Responder) {
    (d.midway, d.received) = (false, 0);
}

/// Arrive on an unreliable connection: a first packet is taken with any PSN and ends the message before it; all
/// others have to follow.
#[inline]
fn arrive_unreliable(out: &mut Out, pins: &In) {
    let packet = Packet::of(pins);
    let is_next = pins.first || pins.follows && packet.ordered;
    out.takes = is_next && pins.sized && (pins.ready || !packet.takes_wqe);
    if pins.first || !out.takes {
        abandon(&mut out.row);
    }
    if out.takes {
        out.row.psn = pins.psn;
    }
}

/// Take: an RDMA READ takes the PSNs of all packets of its data, an atomic operation one.
#[inline]
fn take_read(out: &mut Out, pins: &In) {
    let (q, d) = (&pins.row, &mut out.row);
    let last = psn_after(pins.psn, pins.more);
    if pins.appends {
        out.reader.waiting = Reader::WIDTHS.waiting.wrap(pins.reader.waiting + 1);
    } else {
        out.reader = Reader {
            active: true,
            psn: pins.psn,
            last,
            address: if pins.atomic { pins.original as u32 } else { pins.address },
            left: if pins.atomic { (pins.original >> 32) as u32 } else { pins.length },
            key: pins.key,
            atomic: pins.atomic,
            ..Reader::default()
        };
    }
    out.reader.newest = last;
    if pins.follows {
        d.psn = psn_after(q.psn, pins.more + 1);
        d.refused = false;
        d.messages = Responder::WIDTHS.messages.wrap(q.messages + 1);
        d.answer = q.answer && !Packet::of(pins).nak_waits;
    }
}

/// Take: the next packet is expected. A NAK that is still to be sent is out of date.
#[inline]
fn take(d: &mut Responder, pins: &In) {
    let q = &pins.row;
    let packet = Packet::of(pins);
    let bytes = u32::from(pins.bytes);
    d.psn = psn_after(q.psn, 1);
    d.refused = false;
    d.midway = !pins.last;
    d.received = if pins.last { 0 } else { q.received.wrapping_add(bytes) };
    d.writes = pins.write;
    // An RDMA WRITE goes on behind these bytes; a SEND counts in `received`.
    let passed = if pins.write { bytes } else { 0 };
    d.address = pins.address.wrapping_add(passed);
    d.length = pins.length.wrapping_sub(passed);
    d.key = pins.key;
    if pins.last {
        d.messages = Responder::WIDTHS.messages.wrap(q.messages + 1);
    }
    if pins.last && (packet.sends || pins.immediate) && !pins.shared {
        d.consumed = q.consumed.wrapping_add(1);
    }
    if pins.asks && !pins.unreliable {
        answer(d, ACK, q.psn);
    } else if packet.nak_waits {
        d.answer = false;
    }
}
