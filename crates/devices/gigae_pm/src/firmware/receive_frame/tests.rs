use std::collections::BTreeMap;

use super::*;
use crate::header::{Frame, Identity, header_word};
use crate::protocol::Rules;

const OWN: Identity = Identity { mac_prefix: 0x5047_0002, ether_type: 0x88b5, node: 0x155 };
const PEER: Identity = Identity { node: 0x2aa, ..OWN };

/// A message of channel 2.
const MESSAGE: Frame = Frame {
    address: 0,
    size: 0x3a5,
    raw: false,
    kind: Kind::Message as u8,
    channel: 2,
    node: OWN.node,
    number: 0x8765_4321,
    epoch: 0xa005,
};

fn configuration() -> Configuration {
    Configuration { identity: OWN, nodes: 0x2ab, rules: Rules::REPAIRED, ..Configuration::default() }
}

/// The block with models of NIC memory, of a rule that delivers or not, and of PCI DMA.
struct Bench {
    block: ReceiveFrame,
    memory: BTreeMap<u32, u32>,
    configuration: Configuration,
    delivers: bool,
}

/// Actions on a frame.
#[derive(Debug, Default)]
struct Seen {
    requests: Vec<Request>,
    transfers: Vec<Transfer>,
    writes: Vec<(u32, u32)>,
    others: u32,
    cycles: u32,
}

impl Bench {
    fn new() -> Self {
        let areas = (0..RINGS).map(|ring| (AREAS + 2 * u32::from(ring) + 1, 0x1_0000 * u32::from(ring)));
        Self {
            block: ReceiveFrame::default(),
            memory: areas.collect(),
            configuration: configuration(),
            delivers: true,
        }
    }

    /// Stores a frame in a buffer, as network DMA does.
    fn store(&mut self, buffer: u8, from: &Identity, frame: &Frame, length: u16) -> u32 {
        let first = FRAMES + BUFFER_WORDS * u32::from(buffer);
        self.memory.extend((0..12).map(|word| (first + u32::from(word), header_word(word, from, frame))));
        self.memory.insert(first + LENGTH_WORD, length.into());
        first
    }

    /// Processes the frame in a buffer.
    fn deal(&mut self, slot: u8) -> Seen {
        let mut seen = Seen::default();
        let mut rdata = 0;
        loop {
            let out = self.block.outputs();
            let mut pins =
                In { slot, configuration: self.configuration, memory_rdata: rdata, ..In::default() };
            pins.start = seen.cycles == 0;
            if out.memory.read {
                rdata = self.memory.get(&out.memory.address).copied().unwrap_or(0xdead_beef);
            }
            if out.memory.write {
                seen.writes.push((out.memory.address, out.memory.wdata));
            }
            if out.rule_start {
                seen.requests.push(out.request);
            }
            if out.transfer_start {
                seen.transfers.push(out.transfer);
            }
            (pins.rule_done, pins.rule_deliver) = (self.block.state == State::Judge, self.delivers);
            pins.transfer_done = self.block.state == State::Moving;
            seen.others += u32::from(out.other_delivered);
            if out.done {
                self.block.tick(&pins);
                assert_eq!(self.block.state, State::Idle);
                assert!(!self.block.outputs().done);
                return seen;
            }
            seen.cycles += 1;
            self.block.tick(&pins);
            assert!(seen.cycles < 1_000, "the work ends");
        }
    }

    /// Processes a frame in buffer 0.
    fn frame(&mut self, frame: Frame) -> Seen {
        self.store(0, &PEER, &frame, frame.size + 46);
        self.deal(0)
    }

    fn release(&mut self, ring: u8) {
        self.block.tick(&In { released: true, released_ring: ring, ..In::default() });
    }

    fn counts(&self) -> [u16; 3] {
        let out = self.block.outputs();
        [out.malformed, out.discarded, out.delivered]
    }
}

fn held(bench: &Bench, ring: u8) -> u32 {
    bench.block.outputs().held >> (5 * ring) & 0x1f
}

/// Idle, nine cycles of loading, and the examination.
const CHECKED: u32 = 1 + 9 + RECEIVE_CYCLES as u32 + 1;
const DESCRIBED: u32 = DELIVER_CYCLES as u32 + 4;

#[test]
fn message_goes_to_the_next_slot_and_its_flag_is_last() {
    let mut bench = Bench::new();
    let request = Request {
        receives: true,
        cause: Kind::Message.code(),
        channel: 2,
        node: PEER.node,
        number: MESSAGE.number,
        epoch: MESSAGE.epoch,
        ..Request::default()
    };
    for turn in 0..17 {
        let (buffer, slot) = (turn & 0xf, turn & 0xf);
        let first = bench.store(buffer, &PEER, &MESSAGE, MESSAGE.size + 46);
        let seen = bench.deal(buffer);
        assert_eq!(seen.requests, [request]);
        let place = 0x2_0000 + RECEIVE_SLOT_BYTES * u32::from(slot);
        let transfer = Transfer {
            host_address: place,
            nic_address: first + HEADER_WORDS,
            words: MESSAGE.size.div_ceil(4),
            to_host: true,
            area: 0x2_0000,
        };
        assert_eq!(seen.transfers, [transfer]);
        let descriptor = receive_descriptor(2, slot);
        let words = [place, MESSAGE.size.into(), PEER.node.into(), Flag::Full.code().into()];
        assert_eq!(seen.writes, (descriptor..).zip(words).collect::<Vec<_>>());
        // Rule, Judge, Area, Place, Copy, Moving.
        assert_eq!((seen.cycles, seen.others), (CHECKED + 6 + DESCRIBED, 0));
        assert_eq!(bench.counts(), [0, 0, u16::from(turn) + 1]);
        bench.release(2);
    }
}

#[test]
fn slots_that_the_host_holds_are_counted_ring_by_ring() {
    let mut bench = Bench::new();
    for channel in 0..4 {
        for slots in 1..=16 {
            bench.frame(Frame { channel, ..MESSAGE });
            assert_eq!(held(&bench, channel), slots);
            assert_eq!(bench.block.outputs().full, ((1 << channel) - 1) | u8::from(slots == 16) << channel);
        }
    }
    for channel in [1, 3, 0, 2] {
        let full = bench.block.outputs().full;
        bench.release(channel);
        assert_eq!((held(&bench, channel), bench.block.outputs().full), (15, full & !(1 << channel)));
    }
    // A slot of an empty ring, or of no ring, cannot be given back.
    let before = bench.block.outputs().held;
    (4..8).for_each(|ring| bench.release(ring));
    assert_eq!(bench.block.outputs().held, before);
}

#[test]
fn slot_that_is_given_back_while_one_is_taken_counts_too() {
    let mut bench = Bench::new();
    bench.frame(MESSAGE);
    bench.store(0, &PEER, &MESSAGE, MESSAGE.size + 46);
    let mut rdata = 0;
    bench.block.tick(&In { start: true, ..In::default() });
    while bench.block.state != State::Idle {
        let out = bench.block.outputs();
        let last = out.memory.write && bench.block.count == 3;
        let pins = In {
            configuration: configuration(),
            memory_rdata: rdata,
            rule_done: true,
            rule_deliver: true,
            transfer_done: true,
            released: last,
            released_ring: 2,
            ..In::default()
        };
        if out.memory.read {
            rdata = bench.memory[&out.memory.address];
        }
        bench.block.tick(&pins);
    }
    assert_eq!((held(&bench, 2), bench.counts()[2]), (1, 2));
}

#[test]
fn control_frames_are_for_the_sender_and_have_their_own_number() {
    let mut bench = Bench::new();
    for kind in [Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go] {
        let seen = bench.frame(Frame { kind: kind.code(), size: 0, ..MESSAGE });
        let [request] = seen.requests[..] else { panic!("{kind:?}: {:?}", seen.requests) };
        assert_eq!((request.receives, request.cause, request.number), (false, kind.code(), MESSAGE.number));
        assert_eq!((request.channel, request.node, request.epoch), (2, PEER.node, MESSAGE.epoch));
        assert_eq!((seen.transfers.len(), seen.cycles), (0, CHECKED + 2));
    }
    assert_eq!(bench.counts(), [0, 0, 0]);
}

#[test]
fn message_that_the_rule_drops_is_counted_and_goes_nowhere() {
    let mut bench = Bench::new();
    bench.delivers = false;
    let seen = bench.frame(MESSAGE);
    assert_eq!((seen.transfers.len(), seen.writes.len(), bench.counts()), (0, 0, [0, 1, 0]));
}

#[test]
fn printed_rules_hear_of_a_message_again_when_it_is_stored() {
    let mut bench = Bench::new();
    bench.configuration.rules = Rules::PRINTED;
    let seen = bench.frame(MESSAGE);
    let causes: Vec<_> = seen.requests.iter().map(|request| (request.receives, request.cause)).collect();
    assert_eq!(causes, [(true, Kind::Message.code()), (true, receiver::Cause::Stored.code())]);
    // Delivered once, whatever the result of the second rule.
    assert_eq!((seen.transfers.len(), bench.counts()), (1, [0, 0, 1]));
}

#[test]
fn frame_of_another_protocol_is_handed_over_as_it_is() {
    let mut bench = Bench::new();
    let foreign = Identity { ether_type: 0x0800, ..PEER };
    for slot in 0..16 {
        let first = bench.store(7, &foreign, &MESSAGE, 601);
        let seen = bench.deal(7);
        let place = 0x4_0000 + RECEIVE_SLOT_BYTES * slot;
        let transfer = Transfer {
            host_address: place,
            nic_address: first,
            words: 603_u16.div_ceil(4),
            to_host: true,
            area: 0x4_0000,
        };
        assert_eq!((seen.transfers, seen.requests.len(), seen.others), (vec![transfer], 0, 1));
        let written: Vec<_> = seen.writes.iter().map(|write| write.1).collect();
        assert_eq!(written, [place, 603, 0, 1]);
        assert_eq!(seen.writes[0].0, receive_descriptor(OTHER, slot as u8));
    }
    assert_eq!(bench.counts(), [0, 0, 16]);
    // Without room it is dropped without a report.
    let seen = bench.deal(7);
    assert_eq!((seen.transfers.len(), seen.others, seen.cycles), (0, 0, CHECKED));
    assert_eq!(bench.counts(), [0, 1, 16]);
}

#[test]
fn frames_of_no_known_form_are_counted_and_dropped() {
    let mut bench = Bench::new();
    let ack = Frame { kind: Kind::Ack.code(), size: 0, ..MESSAGE };
    let cases = [
        ("of nobody's number", Identity { node: 0x2ab, ..PEER }, MESSAGE, 1_000),
        ("of this node itself", OWN, MESSAGE, 1_000),
        ("for another node", PEER, Frame { node: OWN.node ^ 0x200, ..MESSAGE }, 1_000),
        ("of no kind", PEER, Frame { kind: 0, size: 0, ..MESSAGE }, 1_000),
        ("of an unknown kind", PEER, Frame { kind: 6, size: 0, ..MESSAGE }, 1_000),
        ("a control frame with data", PEER, Frame { size: 1, ..ack }, 1_000),
        ("an empty message", PEER, Frame { size: 0, ..MESSAGE }, 1_000),
        ("a message longer than its frame", PEER, MESSAGE, MESSAGE.size + 45),
        ("a message longer than the MTU", PEER, Frame { size: MTU + 1, ..MESSAGE }, 1_600),
    ];
    for (malformed, (what, from, frame, length)) in (1..).zip(cases) {
        bench.store(0, &from, &frame, length);
        let seen = bench.deal(0);
        assert_eq!(
            (seen.requests.len(), seen.cycles, bench.counts()),
            (0, CHECKED, [malformed, 0, 0]),
            "{what}"
        );
    }
    // Version, bits that are always 0, and those of numbers and sizes that no node has.
    for (word, bit) in (4..7).flat_map(|word| (0..32).map(move |bit| (word, bit))).chain([(9, 11), (9, 15)]) {
        let known = word == 4 && (bit < 3 || bit == 8 || bit == 9);
        let may = known || word == 5 && bit < 10;
        if may {
            continue;
        }
        let first = bench.store(0, &PEER, &MESSAGE, MESSAGE.size + 46);
        *bench.memory.get_mut(&(first + word)).unwrap() ^= 1 << bit;
        let before = bench.counts()[0];
        bench.deal(0);
        assert_eq!(bench.counts(), [before + 1, 0, 0], "bit {bit} of word {word}");
    }
    let longest = Frame { size: MTU, ..MESSAGE };
    assert_eq!(bench.frame(longest).transfers.len(), 1);
}
