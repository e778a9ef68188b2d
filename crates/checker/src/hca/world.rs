//! A world of two queue pairs: their requests, the link between them, and the states of both.

use std::collections::VecDeque;

use ::hca::contexts::{Read, Reader, Requester, Responder};

use super::defect::Defect;
use super::wrong::Wrong;

/// Both ends of the connection.
pub const SIDES: [usize; 2] = [0, 1];
/// Bytes of memory that a peer may write and read: the most packets of a request, since each brings one byte.
pub const CELLS: usize = 4;
/// Value that a fetch-and-add adds to a byte. It is larger than any number that an RDMA WRITE leaves there.
pub const ADDEND: u8 = 0x10;
/// PSN of the first packet. Numbers wrap after two.
pub const FIRST_PSN: u32 = 0xff_fffe;
/// PSN of the first packet of a connection that is made again.
pub const SECOND_PSN: u32 = 0x10_0000;
/// Bits of a PSN.
pub(super) const PSN_MASK: u32 = 0xff_ffff;
/// As many faults as the network likes.
pub const ALWAYS: u8 = u8::MAX;
/// Code of the delay in an RNR NAK: 0.08 ms (IBA volume 1, table 45).
pub const RNR_TIMER: u8 = 6;

/// How far a PSN is behind another one, up to 2^24 - 1.
pub(super) fn distance(from: u32, to: u32) -> u32 {
    to.wrapping_sub(from) & PSN_MASK
}

/// A work request, with its number of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// A SEND into the next receive WQE of the peer.
    Send(u8),
    /// An RDMA WRITE of the first bytes of the peer's memory, with the number of the request.
    Write(u8),
    /// An RDMA READ of the same bytes.
    Read(u8),
    /// An atomic fetch-and-add on the first of these bytes.
    Add,
}

impl Request {
    /// Packets with its data.
    pub fn packets(self) -> u8 {
        match self {
            Self::Send(packets) | Self::Write(packets) | Self::Read(packets) => packets,
            Self::Add => 1,
        }
    }

    /// As it is called in a trace.
    pub fn name(self) -> &'static str {
        match self {
            Self::Send(_) => "SEND",
            Self::Write(_) => "RDMA WRITE",
            Self::Read(_) => "RDMA READ",
            Self::Add => "fetch-and-add",
        }
    }
}

/// A world to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Work requests of each queue pair.
    pub requests: [Vec<Request>; 2],
    /// Work requests that a host has posted at most, of those that are not complete: how many may be outstanding.
    pub window: u8,
    /// RDMA READs that may be outstanding; 1 to 4.
    pub reads: u8,
    /// A rule that is left out.
    pub defect: Option<Defect>,
    /// Retries after time-outs and NAKs; 0 to 6.
    pub retries: u8,
    /// Retries after RNR NAKs; 7 for any number.
    pub rnr_retries: u8,
    /// Packets that the link loses at most.
    pub losses: u8,
    /// Packets that arrive twice at most.
    pub repeats: u8,
    /// Time-outs at most that are early: packets or answers are still in flight.
    pub early: u8,
    /// Packets at most that overtake the one before them.
    pub overtakes: u8,
    /// Times at most that the hosts make both queue pairs again, with packets in flight.
    pub remakes: u8,
    /// Receive WQEs are posted one by one, at any time. Otherwise there are enough from the beginning.
    pub slow: bool,
    /// SENDs take WQEs of a shared receive queue, from which a third queue pair takes this many, at any time.
    pub shared: Option<u8>,
    /// Queue pair 1 is dead: it receives nothing and sends nothing.
    pub dead: bool,
    /// Packets in flight at most in each direction; the send queue waits for room.
    pub room: usize,
    /// Send queues take all turns that they can before anything else happens, as those of an adapter do.
    pub eager: bool,
}

impl Default for World {
    fn default() -> Self {
        Self {
            requests: [vec![Request::Send(1)], Vec::new()],
            window: 1,
            reads: 1,
            defect: None,
            retries: 2,
            rnr_retries: 7,
            losses: 0,
            repeats: 0,
            early: 0,
            overtakes: 0,
            remakes: 0,
            slow: false,
            shared: None,
            dead: false,
            room: 4,
            eager: false,
        }
    }
}

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packet {
    /// A packet of a request.
    Request {
        /// Bits 23:0.
        psn: u32,
        /// Number of the work request. No rule reads it.
        request: u8,
        /// Number of the packet in it.
        packet: u8,
    },
    /// A packet of the data of an RDMA READ.
    Response {
        /// Bits 23:0.
        psn: u32,
        /// The byte that it brings.
        value: u8,
        /// It is the last one.
        ends: bool,
    },
    /// The original value of an atomic operation.
    Original {
        /// Bits 23:0.
        psn: u32,
        /// The byte before the operation.
        value: u8,
    },
    /// An ACK or NAK.
    Answer {
        /// Bits 23:0.
        psn: u32,
        /// ACK or NAK, and which (IBA volume 1, table 44).
        syndrome: u8,
    },
}

/// A queue pair, with the judge's view of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// It is queue pair 1.
    pub second: bool,
    /// Context of its requester.
    pub requester: Requester,
    /// Context of its responder.
    pub responder: Responder,
    /// The RDMA READ or atomic operation that its responder answers.
    pub reader: Reader,
    /// RDMA READs that wait behind it, the oldest first.
    pub reads: [Read; 4],
    /// Memory that the peer writes and reads.
    pub memory: [u8; CELLS],
    /// Receive WQEs posted.
    pub posted: u8,
    /// WQEs of the shared receive queue that were taken, and the count of that with the first packet of the message.
    pub shared: (u8, u8),
    /// The packet of the peer's requests to be executed next: number of the request, number in it.
    pub next: (u8, u8),
    /// Faults since its request began, counted up to the retry count.
    pub faults: u8,
}

/// Faults that may still happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaultBudget {
    /// Packets that may be lost.
    pub losses: u8,
    /// Packets that may arrive twice.
    pub repeats: u8,
    /// Time-outs that may be early.
    pub early: u8,
    /// Packets that may overtake another one.
    pub overtakes: u8,
    /// Times that the connection may be made again.
    pub remakes: u8,
    /// WQEs of shared receive queues that the third queue pair may take.
    pub others: u8,
}

/// A state of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The queue pairs.
    pub sides: [Side; 2],
    /// Packets in flight, by sender, in the order in which they were sent.
    pub wires: [VecDeque<Packet>; 2],
    /// Faults that may still happen.
    pub left: FaultBudget,
    /// The first violation.
    pub wrong: Option<Wrong>,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The send queue of a queue pair has a turn before its deadline.
    Turn(usize),
    /// The send queue of a queue pair has a turn after its deadline.
    TimeOut(usize),
    /// The oldest packet from a queue pair arrives.
    Arrive(usize),
    /// The oldest packet from a queue pair arrives, and will once more.
    Repeat(usize),
    /// The oldest packet from a queue pair is lost.
    Lose(usize),
    /// The second oldest packet from a queue pair arrives before the oldest one.
    Overtake(usize),
    /// The hosts make both queue pairs again.
    Remake,
    /// The host of a queue pair posts a receive WQE.
    Post(usize),
    /// The third queue pair on the shared receive queue of a queue pair takes a WQE.
    Share(usize),
}
