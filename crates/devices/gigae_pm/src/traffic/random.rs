//! Random traffic for one card: a host, and another card with its host at the other end of an
//! unreliable cable.
//!
//! The traffic is for lockstep runs and their benches. The two nodes exchange messages on all
//! channels and frames of other protocols; the cable loses and damages frames; hosts pause, let
//! receive rings fill up, write invalid descriptors and make forbidden accesses; malformed frames
//! of every kind are injected. From time to time both nodes begin a new session with other rules,
//! repaired or printed, so deadlocks of the printed rules do not last. The same seed gives the same
//! traffic on a model, on RTL and on both.

use hdl::{Edges, Model, Nic, Stimulus};

use super::host::{Host, Setup};
use super::wire::{Faults, Wire};
use crate::GigaePm;
use crate::clocks;
use crate::header::{ETHER_TYPE, MAC_PREFIX};
use crate::header::{Frame, Identity, header_bytes};
use crate::host_memory::send_area;
use crate::mac::crc32::frame_check_sequence;
use crate::memory_map::{MTU, OTHER, RINGS, SEND_RECORDS};
use crate::pins::{HostIn, In, Out};
use crate::protocol::Rules;
use crate::registers::Register;

/// Node of the card.
const NODE: u16 = 0;
/// Node of the card at the other end.
const PEER: u16 = 1;

/// Intensity of the traffic for some time.
#[derive(Clone, Copy, Debug, Default)]
struct Mood {
    /// A host sends once in `send` cycles on average; 0 is never.
    send: u64,
    /// Ring that hosts use; any if `None`.
    ring: Option<u8>,
    /// A frame is injected once in `stranger` cycles on average; 0 is never.
    stranger: u64,
    /// The host misbehaves once in `mischief` cycles on average; 0 is never.
    mischief: u64,
    /// Receive rings fill up; the next mood empties them.
    fills: bool,
    /// Cycles until the next mood.
    left: u64,
}

/// Random input pins for a card.
#[derive(Clone, Debug)]
pub struct Traffic {
    random: Stimulus,
    hosts: [Host; 2],
    peer: Model<GigaePm>,
    /// Cables from the card and to it.
    wires: [Wire; 2],
    pins: In,
    peer_pins: In,
    mood: Mood,
    /// Cycles until the next session.
    session: u64,
    epoch: u16,
}

impl Traffic {
    /// The stream of `seed`; it begins with the set-up of both nodes.
    pub fn new(seed: u64) -> Self {
        let faults = Faults { lost: 12, damaged: 30, cut: 30 };
        // A short timeout: a stopped sender soon probes. Rings fill up first, so every run covers
        // that.
        let setup = |node| Setup { timeout: 3_000, ..Setup::pair(node) };
        let mut hosts = [NODE, PEER].map(|node| Host::new(seed ^ u64::from(node), &setup(node)));
        hosts.iter_mut().for_each(|host| host.takes = false);
        let mood = Mood { send: 100, ring: Some(0), stranger: 0, mischief: 300, fills: true, left: 50_000 };
        Self {
            random: Stimulus::new(seed),
            hosts,
            peer: Model::new(GigaePm::default()),
            wires: [Wire::new(seed + 2, faults), Wire::new(seed + 3, faults)],
            pins: In::default(),
            peer_pins: In::default(),
            mood,
            session: 80_000,
            epoch: 1,
        }
    }

    /// The pins for the next instant, at which the clocks in `edges` rise; `out` are the card's
    /// present pins.
    pub fn pins(&mut self, edges: Edges, out: &Out) -> &In {
        let peer_out = *self.peer.outputs();
        if edges.meets(clocks::CORE) {
            self.live();
            (self.pins.host, self.pins.bus) = self.hosts[0].pins(out);
            (self.peer_pins.host, self.peer_pins.bus) = self.hosts[1].pins(&peer_out);
        }
        if edges.meets(clocks::NETWORK) {
            self.peer_pins.network = self.wires[0].carry(out.network);
            self.pins.network = self.wires[1].carry(peer_out.network);
        }
        self.peer.edge(edges, &self.peer_pins).unwrap_or_else(|error| panic!("a model never fails: {error}"));
        &self.pins
    }

    /// One cycle of both hosts.
    fn live(&mut self) {
        self.mood.left = self.mood.left.saturating_sub(1);
        if self.mood.left == 0 {
            self.change_mood();
        }
        self.session = self.session.saturating_sub(1);
        if self.session == 0 {
            self.begin_session();
        }
        let Mood { send, stranger, mischief, .. } = self.mood;
        for host in [0, 1] {
            if self.once_in(send) && self.hosts[host].waiting() < 8 {
                self.send(host);
            }
        }
        if self.once_in(stranger) && self.wires[1].is_empty() {
            self.injected_frame();
        }
        if self.once_in(mischief) {
            self.misbehave();
        }
    }

    fn once_in(&mut self, odds: u64) -> bool {
        odds != 0 && self.random.one_in(odds)
    }

    fn change_mood(&mut self) {
        let (before, random) = (self.mood, &mut self.random);
        let mut level = |levels: [u64; 4]| levels[random.below(4) as usize];
        self.mood = Mood {
            send: level([0, 100, 400, 1_000]),
            ring: None,
            stranger: level([0, 300, 1_000, 3_000]),
            mischief: level([0, 300, 1_000, 3_000]),
            fills: false,
            left: level([5_000, 10_000, 20_000, 30_000]),
        };
        if before.fills {
            self.mood.ring = before.ring;
        } else if level([0, 0, 1, 1]) == 1 {
            // One ring gets more messages than it holds.
            let ring = level([0, 1, 2, 3]) as u8;
            let mood = Mood { send: 100, ring: Some(ring), mischief: 300, ..self.mood };
            self.mood = Mood { fills: true, left: 40_000, ..mood };
            self.session = self.session.max(50_000);
        }
        for host in &mut self.hosts {
            host.stalls = if self.mood.fills { 1 } else { level([1, 1, 2, 5]) };
            host.takes = !self.mood.fills;
        }
    }

    fn begin_session(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        let random = &mut self.random;
        self.session = 20_000 + random.below(100_000);
        let rules = match random.below(4) {
            0 => Rules::PRINTED,
            1 => Rules::from_bits(random.word() as u32 & 0x3_ffff),
            _ => Rules::REPAIRED,
        };
        let setup = Setup {
            rules,
            window: 1 + random.below(12) as u16,
            timeout: 2_000 + random.below(10_000) as u32,
            limit: [0, 0, 3][random.below(3) as usize],
            room: 1 + random.below(8) as u8,
            scan_period: 20 + random.below(400) as u16,
            epoch: self.epoch,
            ..Setup::pair(NODE)
        };
        let delay = [0, 0, 100, 1_000][self.random.below(4) as usize];
        for (host, node) in self.hosts.iter_mut().zip([NODE, PEER]) {
            host.restart(&Setup { node, ..setup });
            host.write_register(Register::InterruptDelay, delay);
        }
    }

    fn bytes(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.random.word() as u8).collect()
    }

    /// A message on any channel, or a frame of another protocol.
    fn send(&mut self, host: usize) {
        let ring = self.mood.ring.unwrap_or(self.random.below(RINGS.into()) as u8);
        let most = [4, 100, 600, MTU.into()][self.random.below(4) as usize];
        let size = 1 + self.random.below(if self.mood.fills { 40 } else { most });
        if ring == OTHER {
            let frame = self.other_frame(host, size);
            self.hosts[host].send(ring, 0, [vec![0, 0], frame].concat());
        } else {
            let bytes = self.bytes(size);
            self.hosts[host].send(ring, [PEER, NODE][host], bytes);
        }
    }

    /// A frame of another protocol from one node to the other or to all, without check sequence.
    fn other_frame(&mut self, from: usize, size: u64) -> Vec<u8> {
        let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: 0x0800, node: [NODE, PEER][from] };
        let frame = Frame { node: [PEER, NODE][from], ..Frame::default() };
        let mut bytes = header_bytes(&identity, &frame);
        bytes.truncate(14);
        if self.random.one_in(4) {
            bytes[..6].fill(0xff);
        }
        bytes.extend(self.bytes(size));
        bytes
    }

    /// Injects a frame of another protocol, or one of GigaE PM with an error.
    fn injected_frame(&mut self) {
        let most = if self.random.one_in(4) { MTU.into() } else { 80 };
        let size = self.random.below(most);
        let mut bytes = if self.random.one_in(4) {
            self.other_frame(1, size)
        } else {
            let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: PEER };
            let frame = Frame {
                address: 0,
                size: if self.random.one_in(2) { 0 } else { size as u16 },
                raw: false,
                kind: self.random.below(8) as u8,
                channel: self.random.below(4) as u8,
                node: NODE,
                number: self.random.below(40) as u32,
                epoch: self.epoch.wrapping_sub(self.random.below(2) as u16),
            };
            let mut bytes = header_bytes(&identity, &frame);
            bytes.extend(self.bytes(size));
            if self.random.one_in(2) {
                let at = self.random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << self.random.below(8);
            }
            bytes
        };
        match self.random.below(8) {
            // A runt, or a giant.
            0 => bytes.truncate(40),
            1 => bytes.resize(1_520, 0),
            _ => bytes.resize(bytes.len().max(60), 0),
        }
        let sequence = frame_check_sequence(&bytes).to_le_bytes();
        let wire = [&[0x55; 7][..], &[0xd5], &bytes, &sequence].concat();
        let gap = if self.random.one_in(8) { 1 } else { 12 };
        let frame: Vec<_> = wire.into_iter().map(Some).chain(vec![None; gap]).collect();
        // Sometimes more frames than the card can store.
        let times = if !self.mood.fills && self.random.one_in(16) { 60 } else { 1 + self.random.below(2) };
        for _ in 0..times {
            self.wires[1].inject(frame.iter().copied());
        }
    }

    /// Makes the host misbehave.
    fn misbehave(&mut self) {
        let ring = self.random.below(RINGS.into()) as u8;
        let size = [0, 8, 1_469, 1_600][self.random.below(4) as usize];
        let bytes = self.bytes(size);
        let access = HostIn {
            address: self.random.below(1 << 14) as u16 & !3,
            wdata: self.random.word() as u32,
            write: self.random.one_in(2),
            user: true,
            ..HostIn::default()
        };
        let host = &mut self.hosts[0];
        match self.random.below(7) {
            // A message that is not pinned, has an invalid size, or an unknown peer.
            0 => host.send_from(ring, send_area(ring) - 8, PEER, bytes),
            1 => host.send_from(ring, send_area(ring), PEER, bytes),
            2 => host.send_from(ring, send_area(ring), self.random.below(4) as u16, vec![1; 20]),
            // An access by a user to any address, or by the kernel to an allowed one.
            3 | 4 => host.access(access),
            // The kernel erases the records of the send buffers.
            5 if self.mood.fills && self.mood.left < 10_000 => {
                (0..64).for_each(|record| host.poke(SEND_RECORDS + 2 * record, 0));
            }
            _ => {
                // Causes are cleared; any register is read.
                let address = 0x1000 + (access.address & 0xfc);
                let write = access.write && address == 0x1004;
                host.access(HostIn { address, write, user: false, ..access });
                host.access(HostIn { address: 0x1004, write: true, user: false, ..access });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hdl::Instants;

    use super::*;

    #[test]
    fn both_nodes_get_messages_again_and_again() {
        let (mut card, mut traffic) = (Model::new(GigaePm::default()), Traffic::new(1));
        let mut delivered = [0; 2];
        let mut instants = Instants::new(&clocks::CLOCKS);
        for _ in 0..3_000_000 {
            let edges = instants.next_edges();
            let pins = *traffic.pins(edges, card.outputs());
            card.edge(edges, &pins).unwrap();
            for (count, host) in delivered.iter_mut().zip(&mut traffic.hosts) {
                *count += std::mem::take(&mut host.deliveries).len();
            }
        }
        let counts = card.device().receive_dma.counts;
        assert!(delivered.iter().all(|&count| count > 100), "{delivered:?}");
        assert!(counts.runts > 0 && counts.giants > 0 && counts.fcs_errors > 0, "{counts:?}");
        assert!(traffic.epoch > 3);
    }
}
