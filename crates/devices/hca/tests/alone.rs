//! One adapter with a connection, whose peer is the test: it puts packets on the cable and reads what leaves.

use hca::Hca;
use hca::contexts::{Attributes, Requester, Responder};
use hca::layout::PacketKind;
use hca::receive_engine::PacketForm;
use hca::traffic::connection::Connection;
use hca::traffic::host::Host;
use hca::traffic::monitor::Restarts;
use hca::traffic::packet::Packet;
use hca::traffic::pair::Pair;
use hca::traffic::wire::{Faults, bytes};
use hdl::Model;

/// LIDs of peer and adapter, and the queue pairs of both; no two share a byte.
pub const LIDS: (u16, u16) = (0x8531, 0x42c6);
pub const QPNS: (u32, u8) = (0xa5_7e3c, 9);
/// A PSN in the middle of all, none of whose bytes is 0.
pub const PSN: u32 = 0x5a_96c3;

/// A packet that left: operation code, PSN, and syndrome and MSN if it has an AETH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    pub kind: u8,
    pub psn: u32,
    pub answer: Option<(u8, u32)>,
}

/// The adapter and its program.
pub struct Alone {
    pub pair: Pair<Model<Hca>>,
    pub program: Connection,
    read: usize,
}

impl Alone {
    pub fn new(seed: u64, attributes: impl Fn(Attributes) -> Attributes) -> Self {
        let mut pair = Pair::new([0, 1].map(|_| Model::new(Hca::default())), seed, Faults::default());
        let usual = Self::attributes();
        let program = Connection::new(&mut pair.hosts[1], LIDS.1, QPNS.1, attributes(usual));
        let mut alone = Self { pair, program, read: 0 };
        alone.wait(220);
        alone
    }

    pub fn attributes() -> Attributes {
        Attributes {
            mtu: 1,
            timeout: 4,
            rnr_timer: 3,
            send_psn: PSN,
            receive_psn: PSN,
            ..Connection::attributes(LIDS.0, QPNS.0)
        }
    }

    /// A packet from the peer.
    pub fn packet(kind: PacketKind, psn: u32) -> Packet {
        Packet::new(kind, LIDS, QPNS.1.into(), psn & 0xff_ffff)
    }

    /// An ACK or NAK from the peer.
    pub fn acknowledge(psn: u32, syndrome: u8) -> Packet {
        Self::packet(PacketKind::Acknowledge, psn).answer(syndrome, 1)
    }

    pub fn inject(&mut self, packet: &Packet) {
        self.pair.wires[0].inject_packet(&packet.bytes());
    }

    /// Runs for a number of microseconds.
    pub fn wait(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Runs for a number of microseconds and polls for CQEs.
    pub fn run(&mut self, us: u64) {
        self.wait(us);
        (0..16).for_each(|_| self.program.poll(&mut self.pair.hosts[1]));
    }

    pub fn host(&mut self) -> &mut Host {
        &mut self.pair.hosts[1]
    }

    pub fn post(&mut self) {
        self.program.post(&mut self.pair.hosts[1]);
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.program.send(&mut self.pair.hosts[1], bytes, None);
    }

    pub fn device(&self) -> &Hca {
        self.pair.adapters[1].device()
    }

    pub fn responder(&self) -> Responder {
        self.device().responders.words()[usize::from(QPNS.1)]
    }

    pub fn requester(&self) -> Requester {
        self.device().requesters.words()[usize::from(QPNS.1)]
    }

    pub fn restarts(&self) -> Restarts {
        self.pair.monitor.restarts(1, QPNS.1)
    }

    /// Packets that have left since the last call.
    pub fn left(&mut self) -> Vec<Left> {
        let sent = &self.pair.wires[1].sent;
        let new = sent[self.read..].iter().map(|words| {
            let bytes = bytes(words).expect("its length is right");
            let unit = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
            let has_aeth = bytes[8] == 0x11 || PacketForm::of(bytes[8]).response && bytes[8] != 0x0e;
            Left {
                kind: bytes[8],
                psn: unit(16) & 0xff_ffff,
                answer: has_aeth.then(|| (bytes[20], unit(20) & 0xff_ffff)),
            }
        });
        let new = new.collect();
        self.read = sent.len();
        new
    }

    /// ACKs and NAKs that have left since the last call: PSN from the first one, syndrome and MSN.
    pub fn answers(&mut self) -> Vec<(u32, u8, u32)> {
        let left = self.left().into_iter();
        left.filter(|left| left.kind == 0x11)
            .filter_map(|left| {
                left.answer
                    .map(|(syndrome, messages)| (left.psn.wrapping_sub(PSN) & 0xff_ffff, syndrome, messages))
            })
            .collect()
    }
}
