//! A card in lockstep between a host and a cable with arbitrary input.

use cosim::Lockstep;
use gigae_pm::clocks;
use gigae_pm::header::{ETHER_TYPE, MAC_PREFIX};
use gigae_pm::header::{Frame, Identity, header_bytes, read_header};
use gigae_pm::mac::crc32::frame_check_sequence;
use gigae_pm::pins::In;
use gigae_pm::traffic::host::{Host, Setup};
use gigae_pm::traffic::wire::{Faults, Wire};
use gigae_pm::{GigaePm, RESETS};
use hdl::{Instants, Model, Nic};

/// The node of the card; its peer is node 1.
pub const NODE: u16 = 0;
/// The peer that sends to it.
pub const PEER: u16 = 1;

/// A card with its host and cable.
pub struct Card {
    lockstep: Lockstep<Model<GigaePm>>,
    /// Host that drives the PCI pins of the card.
    pub host: Host,
    wire: Wire,
    pins: In,
    instants: Instants,
    /// Frames sent, with preamble and check sequence.
    pub sent: Vec<Vec<u8>>,
    sending: bool,
}

impl Card {
    /// A card that its host has set up.
    pub fn new() -> Self {
        Self::with(&Setup::pair(NODE))
    }

    /// A card that its host has set up with these parameters.
    pub fn with(setup: &Setup) -> Self {
        let rtl = gigae_pm_rtl::open("gigae_pm").expect("the card is verilated");
        let pair = Lockstep::open(Model::new(GigaePm::default()), Box::new(rtl));
        let mut card = Self {
            lockstep: pair
                .unwrap_or_else(|error| panic!("{error}"))
                .resets(RESETS)
                .replay(0, "cargo test -p testbench_gigae_pm --test device"),
            host: Host::new(1, setup),
            wire: Wire::new(1, Faults::default()),
            pins: In::default(),
            instants: Instants::new(&clocks::CLOCKS),
            sent: Vec::new(),
            sending: false,
        };
        card.run_us(10);
        card
    }

    /// The model, which lockstep keeps equal to the RTL.
    pub fn device(&self) -> &GigaePm {
        self.lockstep.model().device()
    }

    /// Whether the card requests an interrupt.
    pub fn interrupt_request(&self) -> bool {
        self.lockstep.outputs().host.interrupt_request
    }

    /// Runs for `time` microseconds.
    pub fn run_us(&mut self, time: u64) {
        let end = self.instants.now + time * 1_000_000;
        while self.instants.now < end {
            let edges = self.instants.next_edges();
            let out = *self.lockstep.outputs();
            if edges.meets(clocks::CORE) {
                (self.pins.host, self.pins.bus) = self.host.pins(&out);
            }
            if edges.meets(clocks::NETWORK) {
                self.pins.network = self.wire.carry(Default::default());
                if out.network.tx_enable {
                    if !self.sending {
                        self.sent.push(Vec::new());
                    }
                    self.sent.last_mut().expect("it was begun").push(out.network.tx_data);
                }
                self.sending = out.network.tx_enable;
            }
            self.lockstep.step(edges, &self.pins).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    /// Runs until an arriving frame and all its consequences are processed.
    pub fn settle(&mut self) {
        self.run_us(100);
        self.lockstep.compare_memories().unwrap_or_else(|error| panic!("{error}"));
    }

    /// Sends a frame to the card, with preamble and check sequence.
    pub fn arrive(&mut self, frame: &[u8]) {
        let sequence = frame_check_sequence(frame).to_le_bytes();
        self.arrive_raw(&[&[0x55; 7][..], &[0xd5], frame, &sequence].concat());
    }

    /// Sends raw bytes to the card, followed by a gap.
    pub fn arrive_raw(&mut self, bytes: &[u8]) {
        self.wire.inject(bytes.iter().copied().map(Some).chain([None; 12]));
    }

    /// Kinds and numbers of the frames of GigaE PM that were sent.
    pub fn answers(&self) -> Vec<(u8, u32)> {
        let frames = self.sent.iter().filter_map(|bytes| read_header(&bytes[8..], ETHER_TYPE));
        frames.map(|(_, frame)| (frame.kind, frame.number)).collect()
    }
}

/// A message of node 1 in session 1, as on the wire, padded.
pub fn message(number: u32, bytes: &[u8]) -> Vec<u8> {
    frame(
        Frame { size: bytes.len() as u16, kind: 1, node: NODE, number, epoch: 1, ..Frame::default() },
        bytes,
    )
}

/// A frame of node 1, padded to the shortest that may be sent.
pub fn frame(frame: Frame, bytes: &[u8]) -> Vec<u8> {
    let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: PEER };
    let mut frame = [&header_bytes(&identity, &frame), bytes].concat();
    frame.resize(frame.len().max(60), 0);
    frame
}
