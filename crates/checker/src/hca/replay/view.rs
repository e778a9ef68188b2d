//! The part of a state that checker and adapters share: rows of both queue pairs, and packets in flight.

use std::collections::VecDeque;

use ::hca::contexts::{Reader, Requester, Responder};
use ::hca::layout::{Operation, PacketKind, SequenceHeader, TransportHeader};
use ::hca::protocol::responder::NAK;
use ::hca::traffic::connection::WINDOW;
use ::hca::traffic::wire::bytes;
use hdl::NicError;

use super::super::world::{Packet, SIDES, State, World};
use super::requests;

/// Bytes of a full packet of an adapter; a packet of the checker has one byte.
pub const BYTES: u32 = 256;

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    name: &'static str,
    psn: u32,
}

/// Rows of a queue pair, in units of the checker, without deadlines and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    pub requester: Requester,
    pub responder: Responder,
    pub reader: Reader,
}

/// Both queue pairs, and packets in flight by sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub ends: [Rows; 2],
    pub wires: [Vec<Flight>; 2],
}

impl Flight {
    fn of(world: &World, from: usize, packet: Packet) -> Self {
        match packet {
            Packet::Request { psn, request, .. } => {
                Self { name: world.requests[from][usize::from(request)].name(), psn }
            }
            Packet::Response { psn, .. } => Self { name: "data", psn },
            Packet::Original { psn, .. } => Self { name: "original value", psn },
            Packet::Answer { psn, syndrome } => Self { name: answer(syndrome), psn },
        }
    }

    /// A packet that has left an adapter.
    pub fn on_wire(words: &[u64]) -> Result<Self, NicError> {
        let strange = || format!("an adapter has sent what no queue pair sends: {words:x?}");
        let bytes = bytes(words).filter(|bytes| bytes.len() >= 20).ok_or_else(strange)?;
        let word = |at: usize| {
            let word = bytes[at..].iter().chain(&[0; 8]).take(8);
            word.fold(0u64, |word, byte| word << 8 | u64::from(*byte))
        };
        let kind = PacketKind::from_code(TransportHeader::from_bits(word(8)).kind);
        let psn = SequenceHeader::from_bits(word(16)).psn;
        use PacketKind::*;
        let name = match kind.ok_or_else(strange)? {
            SendFirst | SendMiddle | SendLast | SendOnly => "SEND",
            WriteFirst | WriteMiddle | WriteLast | WriteOnly => "RDMA WRITE",
            ReadRequest => "RDMA READ",
            FetchAddRequest => "fetch-and-add",
            AtomicAcknowledge => "original value",
            ReadFirst | ReadMiddle | ReadLast | ReadOnly => "data",
            Acknowledge => answer((word(16) >> 24) as u8),
            _ => return Err(strange().into()),
        };
        Ok(Self { name, psn })
    }

    fn words(self) -> String {
        format!("{} {:06x}", self.name, self.psn)
    }
}

/// An acknowledgement or NAK, by its syndrome.
fn answer(syndrome: u8) -> &'static str {
    match syndrome >> 5 & 3 {
        0 => "ACK",
        1 => "RNR NAK",
        _ if syndrome == NAK => "NAK for a gap",
        _ => "NAK for good",
    }
}

impl Rows {
    /// The rows without parts that the checker leaves out.
    fn comparable(self) -> Self {
        let Self { requester, responder, reader } = self;
        let write = responder.midway && responder.writes;
        Self {
            requester: Requester { deadline: 0, ..requester },
            responder: Responder {
                address: if write { responder.address } else { 0 },
                length: if write { responder.length } else { 0 },
                key: 0,
                ..responder
            },
            reader: Reader {
                address: if reader.active { reader.address } else { 0 },
                left: if reader.active { reader.left } else { 0 },
                key: 0,
                place: 0,
                ..reader
            },
        }
    }

    /// Rows of an adapter, whose packets have 256 bytes and whose memory begins at the window. An atomic operation of 8
    /// bytes is one of a byte in the checker.
    pub fn of_adapter(self, (done, taken): (u16, u16)) -> Self {
        let Self { requester, responder, reader } = self.comparable();
        let cell = |address: u32| address.wrapping_sub(WINDOW.0) / BYTES;
        let write = responder.midway && responder.writes;
        Self {
            requester: Requester {
                consumed: requester.consumed + done,
                length: requester.length.div_ceil(BYTES),
                ..requester
            },
            responder: Responder {
                consumed: responder.consumed + taken,
                received: responder.received / BYTES,
                address: if write { cell(responder.address) } else { 0 },
                length: responder.length / BYTES,
                ..responder
            },
            reader: Reader {
                address: match (reader.active, reader.atomic) {
                    (false, _) => 0,
                    (true, true) => reader.address & 0xff,
                    (true, false) => cell(reader.address),
                },
                left: if reader.atomic { 0 } else { reader.left / BYTES },
                ..reader
            },
        }
    }
}

impl View {
    /// A state of the checker.
    pub fn of(world: &World, state: &State) -> Self {
        let rows = |me: usize| {
            let side = &state.sides[me];
            let (requester, responder, reader) = (side.requester, side.responder, side.reader);
            Rows { requester, responder, reader }.comparable()
        };
        let flights = |from: usize| flights(world, from, &state.wires[from]);
        Self { ends: SIDES.map(rows), wires: SIDES.map(flights) }
    }

    /// A line for each requester, each responder and each direction of the link.
    pub fn words(&self, world: &World) -> Vec<String> {
        let mut lines = Vec::new();
        for me in requests(world) {
            lines.push(format!("QP {me}: {}", requester_words(&self.ends[me].requester)));
            let Rows { responder, reader, .. } = &self.ends[1 - me];
            lines.push(format!("QP {}: {}", 1 - me, responder_words(responder, reader)));
        }
        for from in SIDES {
            let flights: Vec<_> = self.wires[from].iter().map(|flight| flight.words()).collect();
            let flights = if flights.is_empty() { "nothing".into() } else { flights.join(", ") };
            lines.push(format!("to QP {}: {flights}", 1 - from));
        }
        lines
    }
}

/// Packets in flight from a queue pair, the oldest first.
pub fn flights(world: &World, from: usize, packets: &VecDeque<Packet>) -> Vec<Flight> {
    packets.iter().map(|packet| Flight::of(world, from, *packet)).collect()
}

fn requester_words(row: &Requester) -> String {
    let Requester { consumed, psn, oldest, last, retries, rnr, .. } = row;
    if !row.active {
        let failed = if row.failed { ", failed" } else { "" };
        return format!("{consumed} done{failed}, next {psn:06x}");
    }
    let reads = match Operation::from_code(row.operation) {
        Some(Operation::RdmaRead) => "READ ",
        Some(Operation::FetchAdd) => "fetch-and-add ",
        _ => "",
    };
    let mut words = format!("{consumed} done, {reads}{oldest:06x} to {last:06x}, next {psn:06x}");
    if *retries > 0 {
        words += &format!(", retries {retries}");
    }
    if *rnr > 0 {
        words += &format!(", RNR NAKs {rnr}");
    }
    if row.waiting {
        words += ", waits";
    }
    words
}

fn responder_words(row: &Responder, reader: &Reader) -> String {
    let mut words = format!("{} received, expects {:06x}", row.messages, row.psn);
    if row.midway {
        words += ", in a message";
    }
    if row.refused {
        words += ", has refused it";
    }
    if row.failed {
        words += ", broken";
    }
    if reader.active && reader.atomic {
        words += &format!(", original value {:06x} to send", reader.psn);
    } else if reader.active {
        words += &format!(", data {:06x} to {:06x} to send", reader.psn, reader.last);
    }
    words
}
