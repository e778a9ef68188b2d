//! Answers of a responder to packets in any order, from a peer that obeys no rule. The monitor judges each answer;
//! the tests here ask for the orders in which rules meet.

use std::collections::BTreeMap;

use hca::contexts::Attributes;
use hca::layout::PacketKind::{self, *};
use hca::traffic::connection::{BUFFER, Connection, RECEIVE_BUFFERS, WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::KEY;
use hca::traffic::packet::Packet;
use hdl::Stimulus;

use crate::alone::{Alone, PSN, QPNS};

fn send(psn: u32) -> Packet {
    Alone::packet(SendOnly, PSN.wrapping_add(psn)).data(&[psn as u8; 8])
}

fn quiet(packet: Packet) -> Packet {
    Packet { asks: false, ..packet }
}

fn read(psn: u32, offset: u32, length: u32) -> Packet {
    Alone::packet(ReadRequest, PSN.wrapping_add(psn)).remote((WINDOW.0 + offset).into(), WINDOW_KEY, length)
}

fn write(kind: PacketKind, psn: u32, length: u32, data: usize) -> Packet {
    let packet = Alone::packet(kind, PSN.wrapping_add(psn)).data(&vec![psn as u8; data]);
    if matches!(kind, WriteFirst | WriteOnly | WriteOnlyImmediate) {
        packet.remote(WINDOW.0.into(), WINDOW_KEY, length)
    } else {
        packet
    }
}

/// Packets that arrive together, while data of an RDMA READ keep answers waiting; and the answers after the data.
fn behind_data(buffers: u16, packets: &[Packet]) -> Vec<(u32, u8, u32)> {
    let mut alone = Alone::new(1, |attributes| attributes);
    (0..buffers).for_each(|_| alone.post());
    alone.wait(2);
    alone.inject(&read(0, 0, 8 * 256));
    packets.iter().for_each(|packet| alone.inject(packet));
    alone.run(400);
    alone.answers()
}

#[test]
fn waiting_nak_is_overwritten_by_no_acknowledgement() {
    // After the data of PSNs 0 to 7, PSN 9 leaves a gap; then comes a duplicate.
    assert_eq!(behind_data(2, &[send(9), send(0xff_ffff)]), [(8, 0x60, 1)]);
    // The NAK is sent once, also for a second gap.
    assert_eq!(behind_data(2, &[send(9), send(0xff_ffff), send(10), send(9)]), [(8, 0x60, 1)]);
}

#[test]
fn waiting_rnr_nak_stays_until_it_is_sent() {
    for later in [send(9), send(0xff_ffff), send(10)] {
        assert_eq!(behind_data(0, &[send(8), later]), [(8, 0x23, 1)]);
    }
}

#[test]
fn waiting_nak_is_forgotten_when_its_packet_comes() {
    assert_eq!(behind_data(2, &[send(9), quiet(send(8))]), []);
    assert_eq!(behind_data(2, &[send(9), read(8, 0, 8)]), []);
    // The next gap has a NAK again.
    assert_eq!(behind_data(2, &[send(9), quiet(send(8)), send(10)]), [(9, 0x60, 2)]);
    assert_eq!(behind_data(2, &[send(9), read(8, 0, 8), send(10)]), [(9, 0x60, 2)]);
}

#[test]
fn waiting_acknowledgement_survives_an_rdma_read() {
    assert_eq!(behind_data(2, &[send(8), read(9, 0, 8)]), [(8, 0x1f, 3)]);
    assert_eq!(behind_data(2, &[send(8), send(9), read(10, 0, 8)]), [(9, 0x1f, 4)]);
}

#[test]
fn message_number_counts_each_message_once() {
    let mut alone = Alone::new(1, |attributes| attributes);
    (0..6).for_each(|_| alone.post());
    let full = vec![1; 256];
    type Answer = (u32, u8, u32);
    let steps: [(Vec<Packet>, &[Answer]); 7] = [
        (vec![send(0)], &[(0, 0x1f, 1)]),
        (vec![read(1, 0, 700)], &[]),
        (vec![send(4)], &[(4, 0x1f, 3)]),
        (vec![write(WriteOnly, 5, 8, 8)], &[(5, 0x1f, 4)]),
        // A packet in the middle is acknowledged if it asks for that, and is no message.
        (vec![Packet { asks: true, ..Alone::packet(SendFirst, PSN + 6).data(&full) }], &[(6, 0x1f, 4)]),
        (vec![Alone::packet(SendLast, PSN + 7).data(&[1])], &[(7, 0x1f, 5)]),
        // Duplicates are no messages, and are acknowledged with the last PSN.
        (vec![send(0)], &[(7, 0x1f, 5)]),
    ];
    for (packets, expected) in steps {
        packets.iter().for_each(|packet| alone.inject(packet));
        alone.run(40);
        assert_eq!(alone.answers(), expected);
    }
}

#[test]
fn duplicates_reach_back_half_a_circle() {
    for (distance, expected) in [
        (1, (0, 0x1f, 1)),
        (0x7f_ffff, (0, 0x1f, 1)),
        (0x80_0000, (0, 0x1f, 1)),
        (0x80_0001, (1, 0x60, 1)),
        (0xff_fffe, (1, 0x60, 1)),
    ] {
        let mut alone = Alone::new(1, |attributes| attributes);
        (0..4).for_each(|_| alone.post());
        alone.inject(&send(0));
        alone.run(20);
        alone.left();
        alone.inject(&send(1_u32.wrapping_sub(distance)));
        alone.run(20);
        assert_eq!(alone.answers(), [expected], "{distance:#x} before the expected PSN");
    }
}

#[test]
fn psn_with_a_flipped_bit_is_taken_by_no_responder() {
    for bit in 0..24 {
        let mut alone = Alone::new(1, |attributes| attributes);
        (0..2).for_each(|_| alone.post());
        let packet = send(0);
        alone.inject(&Packet { psn: packet.psn ^ 1 << bit, ..packet });
        alone.run(20);
        assert!(alone.program.received.is_empty(), "bit {bit}");
        let left = alone.answers();
        assert!(matches!(left[..], [(0, 0x60, 0) | (0xff_ffff, 0x1f, 0)]), "bit {bit}: {left:?}");
    }
}

#[test]
fn packet_of_another_message_breaks_the_connection_within_one() {
    let full = vec![7; 256];
    let begin = [Alone::packet(SendFirst, PSN).data(&full), write(WriteFirst, 0, 700, 256)];
    for (inside_write, first) in [false, true].into_iter().zip(begin) {
        for kind in [
            SendFirst,
            SendMiddle,
            SendLast,
            SendLastImmediate,
            SendOnly,
            SendOnlyImmediate,
            WriteFirst,
            WriteMiddle,
            WriteLast,
            WriteLastImmediate,
            WriteOnly,
            WriteOnlyImmediate,
            ReadRequest,
        ] {
            let continues = matches!(kind, SendMiddle | SendLast | SendLastImmediate);
            let writes = matches!(kind, WriteMiddle | WriteLast | WriteLastImmediate);
            let data = match kind {
                ReadRequest => 0,
                WriteFirst | WriteMiddle | SendFirst | SendMiddle => 256,
                // The rest of the RDMA WRITE would be too much for one packet.
                WriteLast | WriteLastImmediate => 200,
                _ => 8,
            };
            let mut packet = write(kind, 1, 256 * 2 + 188, data);
            if matches!(kind, SendLastImmediate | SendOnlyImmediate | WriteLastImmediate | WriteOnlyImmediate)
            {
                packet.immediate = Some(5);
            }
            match kind {
                ReadRequest => packet = read(1, 0, 8),
                WriteOnly | WriteOnlyImmediate => packet.extension[3] = 8,
                _ => (),
            }
            let mut alone = Alone::new(1, |attributes| attributes);
            (0..3).for_each(|_| alone.post());
            alone.inject(&first);
            alone.inject(&packet);
            alone.run(30);
            // An RDMA WRITE of 700 bytes has 444 left: a middle packet may follow, a last one may not.
            let ok = if inside_write { kind == WriteMiddle } else { continues };
            let wrong_end = inside_write && writes && kind != WriteMiddle;
            assert_eq!(alone.responder().failed, !ok, "{kind:?} after {:#x}", first.kind);
            if !ok || wrong_end {
                assert_eq!(alone.answers(), [(1, 0x61, 0)], "{kind:?} after {:#x}", first.kind);
                // Nothing is answered any more, not even the expected packet.
                alone.inject(&send(1));
                alone.inject(&send(0));
                alone.run(30);
                assert_eq!(alone.left(), [], "{kind:?} after {:#x}", first.kind);
                assert!(alone.program.received.is_empty());
            }
        }
    }
}

#[test]
fn lengths_are_taken_up_to_their_edges() {
    let first = |length| write(WriteFirst, 0, length, 256);
    let last = |psn, data| write(WriteLast, psn, 0, data);
    let send_first = Alone::packet(SendFirst, PSN).data(&[1; 256]);
    let send_last = |data: usize| Alone::packet(SendLast, PSN + 1).data(&vec![1; data]);
    let only = |data: usize| Alone::packet(SendOnly, PSN).data(&vec![1; data]);
    let cases: &[(&str, Vec<Packet>, bool)] = &[
        ("SEND of nothing", vec![only(0)], true),
        ("SEND of a whole packet", vec![only(256)], true),
        ("SEND of a byte more", vec![only(257)], false),
        ("last packet of a byte", vec![send_first.clone(), send_last(1)], true),
        ("last packet of nothing", vec![send_first.clone(), send_last(0)], false),
        ("last packet that is full", vec![send_first.clone(), send_last(256)], true),
        ("last packet of a byte more", vec![send_first.clone(), send_last(257)], false),
        ("first packet of a byte less", vec![Alone::packet(SendFirst, PSN).data(&[1; 255])], false),
        ("first packet of a byte more", vec![Alone::packet(SendFirst, PSN).data(&[1; 257])], false),
        ("WRITE of what it says", vec![write(WriteOnly, 0, 100, 100)], true),
        ("WRITE of a byte less", vec![write(WriteOnly, 0, 101, 100)], false),
        ("WRITE of a byte more", vec![write(WriteOnly, 0, 99, 100)], false),
        ("WRITE whose first packet has it all", vec![first(256)], false),
        ("WRITE whose first packet has all but a byte", vec![first(257), last(1, 1)], true),
        ("WRITE that ends a byte early", vec![first(300), last(1, 43)], false),
        ("WRITE that ends in time", vec![first(300), last(1, 44)], true),
        ("WRITE that ends a byte late", vec![first(300), last(1, 45)], false),
        ("WRITE whose middle packet has the rest", vec![first(512), write(WriteMiddle, 1, 0, 256)], false),
        ("READ of 2^30 and a byte", vec![read(0, 0, 0x4000_0001)], false),
    ];
    for (what, packets, good) in cases {
        let mut alone = Alone::new(1, |attributes| attributes);
        (0..2).for_each(|_| alone.post());
        packets.iter().for_each(|packet| alone.inject(packet));
        alone.run(40);
        let psn = packets.len() as u32 - 1;
        let expected = if *good { (psn, 0x1f, 1) } else { (psn, 0x61, 0) };
        assert_eq!(alone.answers(), [expected], "{what}");
        assert_eq!(alone.responder().failed, !good, "{what}");
    }
}

#[test]
fn longest_read_is_refused_for_its_key_and_not_for_its_length() {
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&read(0, 0, 0x4000_0000));
    alone.run(40);
    assert_eq!(alone.answers(), [(0, 0x62, 0)]);
}

#[test]
fn message_may_fill_its_buffer_and_no_more() {
    for (more, expected) in [(0, 0x1f), (1, 0x61)] {
        let mut alone = Alone::new(1, |attributes| Attributes { mtu: 4, ..attributes });
        alone.post();
        let packets = BUFFER / 2_048;
        for psn in 0..packets {
            let kind = if psn == 0 { SendFirst } else { SendMiddle };
            alone.inject(&Alone::packet(kind, PSN + psn).data(&[1; 2_048]));
        }
        // The buffer is made longer by one byte, or shorter by none.
        let length = BUFFER + 1 - more;
        let at = hca::traffic::datagrams::RECEIVE_RING;
        alone.host().put_receive(at.0, at.1, 0, RECEIVE_BUFFERS.0, length, KEY);
        alone.inject(&Alone::packet(SendLast, PSN + packets).data(&[1; 1]));
        alone.run(120);
        let messages = 1 - more;
        assert_eq!(alone.answers(), [(packets, expected, messages)]);
    }
}

#[test]
fn repeated_read_is_answered_as_it_asks_now() {
    let data = |alone: &mut Alone| {
        let left = alone.left().into_iter();
        left.map(|left| (left.kind, left.psn.wrapping_sub(PSN) & 0xff_ffff)).collect::<Vec<_>>()
    };
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&read(0, 0, 1_000));
    alone.run(60);
    assert_eq!(data(&mut alone), [(0x0d, 0), (0x0e, 1), (0x0e, 2), (0x0f, 3)]);
    let cases: [(Packet, &[(u8, u32)]); 6] = [
        (read(0, 0, 1_000), &[(0x0d, 0), (0x0e, 1), (0x0e, 2), (0x0f, 3)]),
        (read(2, 512, 488), &[(0x0d, 2), (0x0f, 3)]),
        (read(3, 768, 232), &[(0x10, 3)]),
        (read(0, 0, 0), &[(0x10, 0)]),
        (read(1, 256, 256), &[(0x10, 1)]),
        (read(1, 256, 257), &[(0x0d, 1), (0x0f, 2)]),
    ];
    for (packet, expected) in cases {
        alone.inject(&packet);
        alone.run(60);
        assert_eq!(data(&mut alone), expected);
    }
    // Repeated while its data are sent: they begin again.
    alone.inject(&read(0, 0, 1_000));
    alone.inject(&read(0, 0, 1_000));
    alone.run(100);
    let left = data(&mut alone);
    assert!(left.len() > 4 && left.ends_with(&[(0x0d, 0), (0x0e, 1), (0x0e, 2), (0x0f, 3)]), "{left:?}");
    assert_eq!(left[0], (0x0d, 0));
    // None takes PSNs or counts as a message again; one that is too long is a duplicate like others.
    alone.inject(&read(1, 0, 0x4000_0001));
    alone.run(40);
    assert_eq!(alone.answers(), [(3, 0x1f, 1)]);
}

#[test]
fn repeated_read_needs_its_right_again() {
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.inject(&read(0, 0, 100));
    alone.run(40);
    assert_eq!(alone.left().len(), 1);
    alone.host().set_key(WINDOW_KEY, hca::contexts::Key::default());
    alone.run(40);
    alone.inject(&read(0, 0, 100));
    alone.run(40);
    assert_eq!(alone.answers(), [(0, 0x62, 1)]);
}

#[test]
fn write_takes_a_receive_request_only_for_immediate_data() {
    let mut alone = Alone::new(1, |attributes| attributes);
    alone.post();
    alone.wait(2);
    alone.inject(&write(WriteOnly, 0, 8, 8));
    alone.inject(&write(WriteFirst, 1, 264, 256));
    alone.inject(&write(WriteLast, 2, 0, 8));
    alone.inject(&send(3));
    alone.run(60);
    assert_eq!(alone.program.received.len(), 1);
    alone.left();
    let immediate = |psn| Packet { immediate: Some(77), ..write(WriteOnlyImmediate, psn, 8, 8) };
    alone.inject(&immediate(4));
    alone.run(40);
    assert_eq!(alone.answers(), [(4, 0x23, 3)], "there is no receive request");
    alone.post();
    alone.wait(2);
    alone.inject(&immediate(4));
    alone.run(40);
    assert_eq!(alone.answers(), [(4, 0x1f, 4)]);
    assert_eq!(alone.program.received.last(), Some(&(vec![], Some(77))));
}

#[test]
fn reason_of_a_refusal_is_in_its_syndrome() {
    let protected = |alone: &mut Alone, key| {
        let ring = hca::traffic::datagrams::RECEIVE_RING;
        alone.host().put_receive(ring.0, ring.1, 0, RECEIVE_BUFFERS.0, 8, key);
    };
    let cases: [(&str, Packet, u32, u8); 4] = [
        ("a buffer too short", Alone::packet(SendOnly, PSN).data(&[1; 9]), KEY, 0x61),
        ("a buffer without a right", send(0), 0x706, 0x63),
        (
            "an r_key without a right",
            Packet { extension: vec![0, WINDOW.0, KEY, 8], ..write(WriteOnly, 0, 8, 8) },
            KEY,
            0x62,
        ),
        (
            "an address above 32 bits",
            Packet { extension: vec![0x8000_0000, WINDOW.0, WINDOW_KEY, 8], ..write(WriteOnly, 0, 8, 8) },
            KEY,
            0x62,
        ),
    ];
    for (what, packet, key, syndrome) in cases {
        let mut alone = Alone::new(1, |attributes| attributes);
        alone.post();
        protected(&mut alone, key);
        alone.wait(2);
        alone.inject(&packet);
        alone.run(40);
        assert_eq!(alone.answers(), [(0, syndrome, 0)], "{what}");
        alone.inject(&send(0));
        alone.inject(&send(1));
        alone.run(40);
        assert_eq!(alone.left(), [], "{what}: the connection is broken");
    }
}

/// A peer that sends anything: mostly the next packet of a message, at times a duplicate, a gap or nonsense.
struct Peer {
    random: Stimulus,
    /// Packets still to come of the message, bytes of an RDMA WRITE still to come, and whether it is one.
    left: Option<(u32, u32, bool)>,
}

impl Peer {
    fn next(&mut self, expected: &mut u32) -> Packet {
        let random = &mut self.random;
        if random.one_in(4) {
            let away = match random.below(4) {
                0 => 1 + random.below(3) as u32,
                1 | 2 => (1 + random.below(6) as u32).wrapping_neg(),
                _ => 0x80_0000_u32.wrapping_add(random.below(3) as u32).wrapping_sub(1),
            };
            let psn = expected.wrapping_add(away) & 0xff_ffff;
            return match random.below(3) {
                0 => Alone::packet(ReadRequest, psn).remote(
                    WINDOW.0.into(),
                    WINDOW_KEY,
                    random.below(900) as u32,
                ),
                1 => Alone::packet(SendOnly, psn).data(&vec![3; random.below(257) as usize]),
                _ => Alone::packet(WriteOnly, psn).remote(WINDOW.0.into(), WINDOW_KEY, 4).data(&[4; 4]),
            };
        }
        let psn = *expected;
        *expected = (psn + 1) & 0xff_ffff;
        let mut packet = match self.left.take() {
            Some((packets, bytes, write)) => {
                let ends = packets == 1;
                let data = if ends { if write { bytes } else { 1 + random.below(256) as u32 } } else { 256 };
                let kind = match (write, ends, random.one_in(3)) {
                    (true, true, true) => WriteLastImmediate,
                    (true, true, false) => WriteLast,
                    (true, false, _) => WriteMiddle,
                    (false, true, true) => SendLastImmediate,
                    (false, true, false) => SendLast,
                    (false, false, _) => SendMiddle,
                };
                self.left = (!ends).then(|| (packets - 1, bytes.wrapping_sub(256), write));
                Alone::packet(kind, psn).data(&vec![5; data as usize])
            }
            None => {
                let length = random.below(700) as u32;
                match random.below(3) {
                    0 => {
                        *expected = (psn + length.div_ceil(256).max(1)) & 0xff_ffff;
                        Alone::packet(ReadRequest, psn).remote(WINDOW.0.into(), WINDOW_KEY, length)
                    }
                    kind => {
                        let (write, packets) = (kind == 1, length.div_ceil(256).max(1));
                        self.left = (packets > 1).then(|| (packets - 1, length.wrapping_sub(256), write));
                        let kind = match (write, packets, random.one_in(3)) {
                            (true, 1, true) => WriteOnlyImmediate,
                            (true, 1, false) => WriteOnly,
                            (true, ..) => WriteFirst,
                            (false, 1, true) => SendOnlyImmediate,
                            (false, 1, false) => SendOnly,
                            (false, ..) => SendFirst,
                        };
                        let packet = Alone::packet(kind, psn).data(&vec![6; length.min(256) as usize]);
                        if write { packet.remote(WINDOW.0.into(), WINDOW_KEY, length) } else { packet }
                    }
                }
            }
        };
        if [SendLastImmediate, SendOnlyImmediate, WriteLastImmediate, WriteOnlyImmediate]
            .iter()
            .any(|kind| kind.code() == packet.kind)
        {
            packet.immediate = Some(9);
        }
        if packet.kind != ReadRequest.code() && self.random.one_in(4) {
            packet.asks = !packet.asks;
        }
        // Now and then the message is out of form.
        if self.random.one_in(50) {
            packet.kind = self.random.below(0xc) as u8;
        }
        packet
    }
}

#[test]
fn answers_follow_the_rules_whatever_a_peer_sends() {
    let mut seen = BTreeMap::<u8, u32>::new();
    for seed in 0..12 {
        let mut alone = Alone::new(seed, |attributes| attributes);
        let mut peer = Peer { random: Stimulus::new(seed), left: None };
        alone.pair.wires[1].stalls = 1 + 9 * (seed % 3);
        for _ in 0..20 {
            let mut expected = alone.responder().psn;
            for _ in 0..1 + peer.random.below(7) {
                if peer.random.one_in(3) {
                    alone.post();
                }
                let packet = peer.next(&mut expected);
                alone.inject(&packet);
                alone.wait(peer.random.below(3));
            }
            alone.run(150);
            // A refused message is not continued.
            if expected != alone.responder().psn {
                peer.left = None;
            }
            for left in alone.left() {
                *seen.entry(left.answer.map_or(0xff, |(syndrome, _)| syndrome)).or_default() += 1;
            }
            let midway = alone.responder().midway;
            if alone.responder().failed || midway && peer.left.is_none() {
                let psn = peer.random.below(1 << 24) as u32;
                let attributes = Attributes { receive_psn: psn, ..Alone::attributes() };
                alone.host().set_pair(QPNS.1, attributes);
                alone.program = Connection { posted: 0, taken: alone.program.taken, ..alone.program.clone() };
                alone.wait(40);
                peer.left = None;
            }
        }
    }
    for syndrome in [0x1f, 0x23, 0x60, 0x61, 0xff] {
        assert!(seen.get(&syndrome).is_some_and(|&count| count > 5), "{syndrome:#x}: {seen:?}");
    }
}
