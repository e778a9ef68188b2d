use std::collections::BTreeMap;

use super::*;
use crate::header::Identity;

/// The block with models of NIC memory, of a rule that accepts or not, and of PCI DMA that refuses or not.
struct Bench {
    block: SendMessage,
    memory: BTreeMap<u32, u32>,
    accepts: bool,
    refuses: bool,
    busy: u32,
}

/// Actions on a descriptor.
#[derive(Debug, Default)]
struct Seen {
    transfers: Vec<Transfer>,
    requests: Vec<Request>,
    frames: Vec<Frame>,
    writes: Vec<(u32, u32)>,
    refused_one: u32,
    cycles: u32,
}

fn configuration() -> Configuration {
    let identity = Identity { node: 3, ..Identity::default() };
    Configuration { identity, nodes: 0x201, ..Configuration::default() }
}

impl Bench {
    fn new() -> Self {
        let memory = (0..RINGS).map(|ring| (AREAS + 2 * u32::from(ring), 0x4000_0000 + u32::from(ring)));
        Self {
            block: SendMessage::default(),
            memory: memory.collect(),
            accepts: true,
            refuses: false,
            busy: 0,
        }
    }

    fn describe(&mut self, ring: u8, slot: u8, words: [u32; 4]) {
        let first = send_descriptor(ring, slot);
        self.memory.extend((first..).zip(words));
    }

    fn post(&mut self, ring: u8) {
        self.block.tick(&In { posted: 1 << ring, ..In::default() });
    }

    /// Starts work on the next ready ring, if there is one.
    fn turn(&mut self) -> bool {
        (0..RINGS).for_each(|_| self.block.tick(&In::default()));
        self.block.outputs().wanted
    }

    /// Works until no ring is ready: after one descriptor, there may be another.
    fn look(&mut self) {
        while self.turn() {
            assert_eq!(self.work().requests, []);
        }
    }

    fn work(&mut self) -> Seen {
        assert!(self.turn(), "a ring is ready");
        let mut seen = Seen::default();
        let (mut rdata, mut busy) = (0, self.busy);
        loop {
            let out = self.block.outputs();
            let mut pins = In {
                start: seen.cycles == 0,
                configuration: configuration(),
                memory_rdata: rdata,
                ..In::default()
            };
            if out.memory.read {
                rdata = self.memory.get(&out.memory.address).copied().unwrap_or(0xdead_beef);
            }
            if out.memory.write {
                seen.writes.push((out.memory.address, out.memory.wdata));
                self.memory.insert(out.memory.address, out.memory.wdata);
            }
            if out.transfer_start {
                seen.transfers.push(out.transfer);
            }
            if out.rule_start {
                seen.requests.push(out.request);
            }
            (pins.transfer_done, pins.transfer_refused) = (self.block.state == State::Moving, self.refuses);
            (pins.rule_done, pins.rule_accepted) = (self.block.state == State::Judge, self.accepts);
            pins.transmit_idle = busy == 0;
            if out.frame_start {
                if busy == 0 {
                    seen.frames.push(out.frame);
                }
                busy = busy.saturating_sub(1);
            }
            seen.refused_one += u32::from(out.refused_one);
            if out.done {
                self.block.tick(&pins);
                assert_eq!(self.block.state, State::Idle);
                return seen;
            }
            seen.cycles += 1;
            self.block.tick(&pins);
            assert!(seen.cycles < 1_000, "the work ends");
        }
    }
}

const FULL: u32 = Flag::Full as u32;
/// Idle, six cycles of loading, and the examination.
const CHECKED: u32 = 1 + 6 + SEND_CYCLES as u32 + 1;

fn buffer(ring: u8, slot: u8) -> u32 {
    SEND_BUFFERS + BUFFER_WORDS * (16 * u32::from(ring) + u32::from(slot))
}

#[test]
fn message_is_moved_into_its_buffer_and_offered() {
    let mut bench = Bench::new();
    bench.describe(2, 0, [0x1234_5678, 0x5b9, 0x200, FULL]);
    bench.post(2);
    let seen = bench.work();
    let transfer = Transfer {
        host_address: 0x1234_5678,
        nic_address: buffer(2, 0),
        words: 0x5b9_u16.div_ceil(4),
        to_host: false,
        area: 0x4000_0002,
    };
    assert_eq!(seen.transfers, [transfer]);
    let request = Request {
        cause: sender::Cause::Offer.code(),
        channel: 2,
        node: 0x200,
        size: 0x5b9,
        ..Request::default()
    };
    assert_eq!(seen.requests, [request]);
    assert_eq!((seen.frames.len(), seen.writes.len(), seen.refused_one), (0, 0, 0));
    // Copy, Moving, Offer, Judge.
    assert_eq!(seen.cycles, CHECKED + 4);
    assert_eq!(bench.block.outputs().sent, 1);
}

#[test]
fn slots_of_each_ring_are_used_in_order_while_posted() {
    let mut bench = Bench::new();
    for ring in [1, 3] {
        for slot in 0..16 {
            bench.describe(ring, slot, [0, 4, 7, FULL]);
        }
        bench.post(ring);
    }
    let mut taken = Vec::new();
    for _ in 0..34 {
        let seen = bench.work();
        for request in seen.requests {
            // The send buffers would do this.
            bench.describe(request.channel, request.slot, [0, 4, 7, Flag::Kept.code().into()]);
            taken.push((request.channel, request.slot));
        }
    }
    // The last poll of each ring finds nothing.
    assert!(!bench.turn());
    for ring in [1, 3] {
        let slots = taken.iter().filter(|place| place.0 == ring).map(|place| place.1);
        assert!(slots.eq(0..16), "{ring}");
    }
    assert_eq!(taken[..4], [(1, 0), (3, 0), (1, 1), (3, 1)]);
    assert_eq!(bench.block.outputs().sent, 32);
}

#[test]
fn unsent_message_stays_first_until_a_rule_is_accepted() {
    let mut bench = Bench::new();
    bench.accepts = false;
    bench.describe(0, 0, [0, 4, 7, FULL]);
    bench.describe(0, 1, [0, 8, 7, FULL]);
    bench.post(0);
    assert_eq!(bench.work().transfers.len(), 1);
    assert_eq!(bench.block.outputs().sent, 0);
    // A new post does not unblock the ring.
    bench.post(0);
    assert!(!bench.turn());
    bench.block.tick(&In { unblock: true, ..In::default() });
    bench.accepts = true;
    let again = bench.work();
    assert_eq!((again.transfers.len(), again.requests.len()), (0, 1));
    assert_eq!((again.requests[0].slot, again.requests[0].size), (0, 4));
    let next = bench.work();
    assert_eq!((next.transfers.len(), next.requests[0].slot, next.requests[0].size), (1, 1, 8));
}

#[test]
fn ring_that_waits_for_its_peer_does_not_hold_up_the_others() {
    let mut bench = Bench::new();
    bench.accepts = false;
    for ring in [0, 1] {
        bench.describe(ring, 0, [0, 4, 7, FULL]);
    }
    bench.post(0);
    bench.work();
    bench.accepts = true;
    bench.post(1);
    assert_eq!(bench.work().requests[0].channel, 1);
}

#[test]
fn other_frame_is_sent_unchanged_and_frees_its_descriptor() {
    let mut bench = Bench::new();
    // The word of the peer is ignored.
    bench.describe(OTHER, 0, [64, OTHER_MTU.into(), 0xffff_ffff, FULL]);
    bench.post(OTHER);
    bench.busy = 5;
    let seen = bench.work();
    let frame = Frame { address: buffer(OTHER, 0), size: OTHER_MTU, raw: true, ..Frame::default() };
    assert_eq!(seen.frames, [frame]);
    assert_eq!(seen.writes, [(send_descriptor(OTHER, 0) + 3, Flag::Free.code().into())]);
    assert_eq!((seen.requests.len(), seen.transfers[0].area), (0, 0x4000_0004));
    // Copy, Moving, five cycles and Raw, Mark.
    assert_eq!(seen.cycles, CHECKED + 4 + 5);
    assert_eq!(bench.block.outputs().sent, 1);
    bench.describe(OTHER, 1, [64, OTHER_LEAST.into(), 0, FULL]);
    bench.busy = 0;
    assert_eq!(bench.work().frames[0].address, buffer(OTHER, 1));
}

#[test]
fn invalid_descriptors_are_refused_and_skipped() {
    let mut bench = Bench::new();
    let of_channel = [
        [0, 0, 7, FULL],
        [0, u32::from(MTU) + 1, 7, FULL],
        [0, 0x804, 7, FULL],
        [0, 0x8000_0004, 7, FULL],
        [0, 4, 3, FULL],
        [0, 4, 0x201, FULL],
        [0, 4, 0x8000_0007, FULL],
    ];
    let of_others = [[0, u32::from(OTHER_LEAST) - 1, 0, FULL], [0, u32::from(OTHER_MTU) + 1, 0, FULL]];
    let cases = of_channel.map(|words| (1, words)).into_iter().chain(of_others.map(|words| (OTHER, words)));
    let mut slots = [0; 5];
    for (refused, (ring, words)) in (1..).zip(cases) {
        let slot = slots[usize::from(ring)];
        slots[usize::from(ring)] += 1;
        bench.describe(ring, slot, words);
        bench.post(ring);
        let seen = bench.work();
        assert_eq!(
            seen.writes,
            [(send_descriptor(ring, slot) + 3, Flag::Refused.code().into())],
            "{words:x?}"
        );
        assert_eq!((seen.transfers.len(), seen.requests.len(), seen.refused_one), (0, 0, 1));
        assert_eq!(bench.block.outputs().refused, refused);
        bench.look();
    }
    // The longest valid message.
    bench.describe(1, slots[1], [0, MTU.into(), 7, FULL]);
    bench.post(1);
    assert_eq!(bench.work().requests.len(), 1);
    bench.look();
    // PCI DMA refuses memory that is not pinned.
    bench.refuses = true;
    for ring in [0, OTHER] {
        let slot = if ring == OTHER { slots[4] } else { 0 };
        bench.describe(ring, slot, [0, 64, 7, FULL]);
        bench.post(ring);
        let seen = bench.work();
        assert_eq!((seen.transfers.len(), seen.requests.len(), seen.frames.len()), (1, 0, 0));
        assert_eq!(seen.refused_one, 1);
        bench.look();
    }
    // The next descriptor is not affected by the refusal.
    bench.refuses = false;
    bench.describe(0, 1, [0, 64, 7, FULL]);
    bench.post(0);
    assert_eq!(bench.work().transfers.len(), 1);
}

#[test]
fn descriptor_that_is_filled_in_after_the_look_is_not_forgotten() {
    let mut bench = Bench::new();
    bench.post(2);
    let seen = bench.work();
    assert_eq!((seen.transfers.len(), seen.cycles), (0, CHECKED));
    assert!(!bench.turn());
    // The host posts while the work is past the flag.
    bench.post(2);
    bench.turn();
    bench.block.tick(&In { start: true, configuration: configuration(), ..In::default() });
    (0..10).for_each(|_| bench.block.tick(&In { configuration: configuration(), ..In::default() }));
    bench.block.tick(&In { posted: 1 << 2, ..In::default() });
    while bench.block.state != State::Idle {
        bench.block.tick(&In::default());
    }
    assert!(bench.turn());
}
