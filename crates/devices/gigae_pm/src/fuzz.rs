//! Fuzz targets: functions of any bytes that panic if a card violates the protocol.
//!
//! Whatever arrives, a card neither hangs nor delivers a message that was not sent: a frame is
//! counted as its bytes require, or the rules are applied. `testbench/fuzz` runs the targets with
//! libFuzzer, `tests/frames.rs` with bytes from proptest.

use hdl::{Clocked, Device, Instants, Model, Nic, Quiet};

use crate::GigaePm;
use crate::clocks;
use crate::firmware::dispatcher;
use crate::header::{ETHER_TYPE, MAC_PREFIX};
use crate::header::{Frame, Identity, header_bytes};
use crate::mac::crc32::frame_check_sequence;
use crate::memory_map::{MTU, OTHER, control_structure};
use crate::network_dma::receive_dma::ReceiveCounts;
use crate::pins::In;
use crate::protocol::{Control, Kind, precedes, receiver, sender};
use crate::traffic::host::{Delivery, Host, Setup};
use crate::traffic::wire::{Faults, Wire};

/// Node of the card; the only other node is the peer.
const NODE: u16 = 0;
const PEER: u16 = 1;
/// Most frames of an input.
const FRAMES: usize = 12;
/// Picoseconds within which a card has processed a frame; wire, PCI DMA and firmware take a fifth
/// of that.
const DONE: u64 = 200_000_000;
/// Bytes of an Ethernet frame with its check sequence.
const SHORTEST: usize = 64;
const LONGEST: usize = 1518;

/// Sends frames of any content: each is counted, dropped, answered or delivered as its bytes
/// require.
pub fn frames(input: &[u8]) {
    let (mut card, mut expected) = (Card::new(), Expected::new());
    let mut bytes = Bytes(input);
    for _ in 0..FRAMES {
        if bytes.0.is_empty() {
            break;
        }
        let frame = any_frame(&mut bytes);
        let good = !bytes.byte().is_multiple_of(8);
        let sequence = frame_check_sequence(&frame) ^ u32::from(!good);
        card.arrive([&[0x55; 7][..], &[0xd5], &frame, &sequence.to_le_bytes()].concat());
        expected.frame(&frame, good);
        card.compare(&expected, &frame);
    }
    card.still_works(&mut expected);
}

/// Sends bytes and gaps of any content: the card becomes idle, and the next frame is received.
pub fn noise(input: &[u8]) {
    let mut card = Card::new();
    for stretch in input.chunks(200) {
        let mut bytes = Bytes(stretch);
        let gap = 1 + usize::from(bytes.byte() % 16);
        // Sometimes a delimiter, so that there is a frame.
        let begins: &[u8] = if bytes.byte() % 2 == 0 { &[0x55, 0xd5] } else { &[] };
        card.wire.inject(begins.iter().chain(bytes.0).copied().map(Some).chain(vec![None; gap]));
    }
    card.wire.inject([None; 12]);
    card.rest();
    assert!(
        card.host.deliveries.is_empty(),
        "a check sequence came about by chance: {:?}",
        card.host.deliveries
    );
    assert_eq!(card.sent, 0, "nothing that can be answered has arrived");
    card.still_works(&mut Expected::new());
}

/// Input bytes; 0 after the last one.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn short(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// One of the usual values, or any value.
    fn pick<const N: usize>(&mut self, usual: [u32; N]) -> u32 {
        let which = usize::from(self.byte());
        match usual.get(which % (N + 1)) {
            Some(value) => *value,
            None => u32::from(self.short()) << 16 | u32::from(self.short()),
        }
    }
}

/// A frame without check sequence: valid except for one error, or arbitrary.
fn any_frame(bytes: &mut Bytes) -> Vec<u8> {
    if bytes.byte().is_multiple_of(8) {
        let length = usize::from(bytes.short()) % 1700;
        return (0..length).map(|_| bytes.byte()).collect();
    }
    let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: PEER };
    let number = bytes.pick([1, 2, 3, 4, 0, 8, 9, u32::MAX]);
    let length = bytes.pick([4, 0, 40, 700, MTU.into(), u32::from(MTU) + 1]) % 1500;
    let frame = Frame {
        size: bytes.pick([length, length, 0, length + 20]) as u16 & 0x7ff,
        kind: bytes.pick([1, 1, 2, 3, 4, 5, 0, 6]) as u8 & 7,
        channel: bytes.byte() & 3,
        node: NODE,
        number,
        epoch: bytes.pick([1, 1, 1, 2]) as u16,
        ..Frame::default()
    };
    let mut all = header_bytes(&identity, &frame);
    all.extend((0..length).map(|_| bytes.byte()));
    // Changes up to two bytes.
    for _ in 0..bytes.byte() % 3 {
        let at = usize::from(bytes.byte()) % all.len().min(60);
        all[at] ^= bytes.byte();
    }
    let least = if bytes.byte().is_multiple_of(16) { 0 } else { SHORTEST - 4 };
    all.resize(all.len().max(least), 0);
    all
}

/// Expected state after all frames so far.
struct Expected {
    counts: ReceiveCounts,
    malformed: u16,
    wrong_epoch: u16,
    discarded: u16,
    answers: usize,
    deliveries: Vec<Delivery>,
    /// Control structures of the peer, by channel.
    controls: [Control; 4],
    setup: Setup,
}

impl Expected {
    fn new() -> Self {
        let setup = Setup::pair(NODE);
        Self {
            counts: ReceiveCounts::default(),
            malformed: 0,
            wrong_epoch: 0,
            discarded: 0,
            answers: 0,
            deliveries: Vec::new(),
            controls: [Control::open(setup.epoch); 4],
            setup,
        }
    }

    fn frame(&mut self, frame: &[u8], good: bool) {
        let length = frame.len() + 4;
        let prefix = MAC_PREFIX.to_le_bytes();
        let own = [&prefix[..], &NODE.to_be_bytes()].concat();
        if length < SHORTEST {
            self.counts.runts += 1;
        } else if length > LONGEST {
            self.counts.giants += 1;
        } else if !good {
            self.counts.fcs_errors += 1;
        } else if frame[0] & 1 == 0 && frame[..6] != own {
            self.counts.foreign += 1;
        } else {
            self.counts.good += 1;
            if frame[12..14] == ETHER_TYPE.to_be_bytes() {
                self.of_protocol(frame);
            } else {
                let bytes = [&[0, 0], frame].concat();
                self.deliveries.push(Delivery { ring: OTHER, node: 0, bytes });
            }
        }
    }

    fn of_protocol(&mut self, frame: &[u8]) {
        let short = |at: usize| u16::from_le_bytes([frame[at], frame[at + 1]]);
        let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| frame[at + i]));
        let (version, kind, channel) = (frame[14] >> 4, Kind::from_code(frame[14] & 0xf), frame[15]);
        let (source, destination) = (word(18), word(22));
        let (size, epoch) = (usize::from(short(34)), short(36));
        let form = match kind {
            Some(Kind::Message) => size > 0 && size <= MTU.into() && frame.len() >= size + 46,
            Some(Kind::Nothing) | None => false,
            Some(_) => size == 0,
        };
        let known = version == 1 && channel < 4 && short(16) == 0;
        if !form || !known || source != u32::from(PEER) || destination != u32::from(NODE) {
            self.malformed += 1;
            return;
        }
        let control = &mut self.controls[usize::from(channel)];
        self.wrong_epoch += u16::from(epoch != control.epoch);
        let (rules, window) = (self.setup.rules, self.setup.window);
        if kind != Some(Kind::Message) {
            let (cause, number) = (frame[14] & 7, word(30));
            let pins = |control, cause, offered| sender::In {
                control,
                rules,
                cause,
                number,
                epoch,
                offered,
                window,
                ..Default::default()
            };
            let mut out = sender::apply(&pins(*control, cause, false));
            // S1 retransmits the messages that a forged GO names, but finds no buffer that holds
            // them.
            let mut again = out.taken;
            while again {
                let before = precedes(out.control.sent, out.control.highest);
                out = sender::apply(&pins(out.control, sender::Cause::Offer.code(), before));
                again = out.send;
            }
            *control = out.control;
            return;
        }
        let (cause, number) = (receiver::Cause::Message.code(), word(26));
        let pins =
            receiver::In { control: *control, rules, cause, number, epoch, room: true, ..Default::default() };
        let out = receiver::apply(&pins);
        *control = out.control;
        self.answers += usize::from(out.reply != Kind::Nothing.code());
        if out.deliver {
            let bytes = frame[46..46 + size].to_vec();
            self.deliveries.push(Delivery { ring: channel, node: PEER, bytes });
        } else {
            self.discarded += 1;
        }
    }
}

/// A card between a host and a cable.
struct Card {
    card: Model<GigaePm>,
    host: Host,
    wire: Wire,
    pins: In,
    instants: Instants,
    /// Frames that it sent.
    sent: usize,
    sending: bool,
}

impl Card {
    fn new() -> Self {
        let mut card = Self {
            card: Model::new(GigaePm::default()),
            host: Host::new(1, &Setup::pair(NODE)),
            wire: Wire::new(1, Faults::default()),
            pins: In::default(),
            instants: Instants::new(&clocks::CLOCKS),
            sent: 0,
            sending: false,
        };
        (0..1_000).for_each(|_| card.step());
        card
    }

    fn step(&mut self) {
        let edges = self.instants.next_edges();
        let out = *self.card.outputs();
        if edges.meets(clocks::CORE) {
            (self.pins.host, self.pins.bus) = self.host.pins(&out);
        }
        if edges.meets(clocks::NETWORK) {
            self.pins.network = self.wire.carry(Default::default());
            self.sent += usize::from(out.network.tx_enable && !self.sending);
            self.sending = out.network.tx_enable;
        }
        self.card.edge(edges, &self.pins).unwrap_or_else(|error| panic!("a model never fails: {error}"));
    }

    fn arrive(&mut self, bytes: Vec<u8>) {
        self.wire.inject(bytes.into_iter().map(Some).chain([None; 12]));
        self.rest();
    }

    /// Waits until the wire is empty and all frames are processed.
    fn rest(&mut self) {
        while !self.wire.is_empty() {
            self.step();
        }
        let start = self.instants.now;
        let mut quiet = 0;
        // The host polls, so the card as a whole is never quiescent; the input is processed when
        // these blocks have been quiescent for a while.
        while quiet < 2_000 {
            assert!(self.instants.now - start < DONE, "the card does not come to rest");
            self.step();
            let device = self.card.device();
            let waits = device.receive_dma.outputs().frame_waiting || device.mac.quiescent() == Quiet::Busy;
            let works = device.firmware.dispatcher.state != dispatcher::State::Idle;
            quiet = if waits || works || self.sending { 0 } else { quiet + 1 };
        }
    }

    fn compare(&self, expected: &Expected, frame: &[u8]) {
        let device = self.card.device();
        let (receive, rule) = (&device.firmware.receive_frame, &device.firmware.apply_rule);
        assert_eq!(device.receive_dma.counts, expected.counts, "{frame:02x?}");
        let counts = (receive.malformed, rule.wrong_epoch, receive.discarded);
        let wanted = (expected.malformed, expected.wrong_epoch, expected.discarded);
        assert_eq!(counts, wanted, "malformed, of another session, discarded: {frame:02x?}");
        assert_eq!(self.host.deliveries, expected.deliveries, "{frame:02x?}");
        assert_eq!(self.sent, expected.answers, "{frame:02x?}");
        for (channel, control) in (0..).zip(&expected.controls) {
            let first = control_structure(channel, PEER) as usize;
            let words = &device.nic_memory.words()[first..];
            let seen = Control::from_words(std::array::from_fn(|word| words[word]));
            // The time stamp is not predicted.
            assert_eq!(Control { stamp: 0, ..seen }, *control, "channel {channel}: {frame:02x?}");
        }
    }

    /// Checks that the next message in order is delivered and answered.
    fn still_works(&mut self, expected: &mut Expected) {
        let before = (self.host.deliveries.len(), self.sent);
        let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: PEER };
        let Control { received, epoch, .. } = expected.controls[0];
        let number = received.wrapping_add(1);
        let frame = Frame { size: 4, kind: 1, node: NODE, number, epoch, ..Frame::default() };
        let frame = [&header_bytes(&identity, &frame)[..], b"good", &[0; 10]].concat();
        self.arrive(crate::traffic::wire::with_preamble(&frame));
        let good = Delivery { ring: 0, node: PEER, bytes: b"good".to_vec() };
        assert_eq!(self.host.deliveries[before.0..], [good]);
        assert_eq!(self.sent, before.1 + 1);
    }
}

#[cfg(test)]
mod tests {
    use hdl::Stimulus;

    use super::*;

    #[test]
    fn frames_of_random_bytes_come_to_every_end() {
        let (mut expected, mut random) = (Expected::new(), Stimulus::new(1));
        let mut without_f18 = Expected::new();
        without_f18.setup.rules.sent_only = false;
        for _ in 0..2_000 {
            let input: Vec<u8> = (0..2_000).map(|_| random.word() as u8).collect();
            let mut bytes = Bytes(&input);
            let frame = any_frame(&mut bytes);
            let good = !bytes.byte().is_multiple_of(8);
            expected.frame(&frame, good);
            without_f18.frame(&frame, good);
        }
        let ReceiveCounts { good, fcs_errors, runts, giants, foreign, missed } = expected.counts;
        let ends = [good, fcs_errors, runts, giants, foreign, expected.malformed, expected.wrong_epoch];
        assert!(ends.iter().all(|&count| count > 20) && missed == 0, "{ends:?}");
        let of = |ring: u8| expected.deliveries.iter().filter(|delivery| delivery.ring == ring).count();
        assert!((0..=OTHER).all(|ring| of(ring) > 0));
        assert!(expected.discarded > 20 && expected.answers > 50);
        // Forged control frames are within their bounds too, but name messages that were never
        // sent.
        assert!(without_f18.controls.iter().any(|control| control.acked != 0));
        assert!(expected.controls.iter().all(|control| control.acked == 0));
    }
}
