//! Unreliable connections: nothing is acknowledged, and a message that is not whole is dropped.

use hca::contexts::Attributes;
use hca::layout::PacketKind::{self, *};
use hca::layout::{Operation, SendWqe, Status, UNRELIABLE};
use hca::registers::cause;
use hca::traffic::connection::{BUFFER, RECEIVE_BUFFERS, WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::KEY;
use hca::traffic::packet::Packet;
use hca::traffic::wire::{Faults, bytes};

use crate::alone::{Alone, PSN};
use crate::{Ends, message};

fn unreliable(attributes: Attributes) -> Attributes {
    Attributes { unreliable: true, ..attributes }
}

fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, faults, unreliable)
}

/// A packet of an unreliable connection; `psn` counts from the expected one.
fn packet(kind: PacketKind, psn: u32, data: &[u8]) -> Packet {
    let packet = Alone::packet(kind, PSN.wrapping_add(psn)).data(data);
    Packet { kind: kind.code() | UNRELIABLE, asks: false, ..packet }
}

fn write(kind: PacketKind, psn: u32, key: u32, length: u32, data: &[u8]) -> Packet {
    packet(kind, psn, data).remote(WINDOW.0.into(), key, length)
}

/// An adapter with `buffers` receive WQEs at which these packets have arrived.
fn after(buffers: u16, packets: &[Packet]) -> Alone {
    let mut alone = Alone::new(1, unreliable);
    (0..buffers).for_each(|_| alone.post());
    alone.wait(2);
    for packet in packets {
        alone.inject(packet);
        alone.run(20);
    }
    alone
}

/// Messages that have arrived.
fn received(alone: &Alone) -> Vec<Vec<u8>> {
    alone.program.received.iter().map(|(bytes, _)| bytes.clone()).collect()
}

#[test]
fn messages_arrive_without_an_answer() {
    let mut ends = ends(1, Faults::default());
    let sizes = [0, 1, 511, 512, 513, 1_025, 5_000, BUFFER as usize];
    for (i, size) in sizes.into_iter().enumerate() {
        ends.programs[1].post(&mut ends.pair.hosts[1]);
        let immediate = (i % 2 == 1).then_some(i as u32 + 0x1_0000);
        ends.programs[0].send(&mut ends.pair.hosts[0], &message(i, size), immediate);
        ends.run(150);
        assert_eq!(ends.programs[1].received.last(), Some(&(message(i, size), immediate)), "{size} bytes");
        let to = WINDOW.0 + 0x1801 * i as u32;
        ends.programs[0].write(&mut ends.pair.hosts[0], &message(i, size), to, None);
        ends.run(150);
        assert_eq!(ends.pair.hosts[1].load(to, size), message(i, size), "{size} bytes");
        assert_eq!(ends.programs[0].waiting(), 0, "{size} bytes");
    }
    let packets: usize = sizes.into_iter().map(|size| 2 * size.div_ceil(512).max(1)).sum();
    assert_eq!((ends.pair.wires[0].sent.len(), ends.pair.wires[1].sent.len()), (packets, 0));
    for words in &ends.pair.wires[0].sent {
        let packet = bytes(words).expect("its length is right");
        assert!((0x20..0x2c).contains(&packet[8]) && packet[16] == 0, "no acknowledgement is asked for");
    }
    assert!(ends.programs.iter().all(|program| program.errors.is_empty()));
}

#[test]
fn lossy_cable_leaves_whole_messages_in_order() {
    for seed in 1..4 {
        let mut ends = ends(seed, Faults { lost: 8, damaged: 12, cut: 15 });
        let all: Vec<Vec<u8>> = (0..40).map(|i| message(i, (i * 397) % 3_000)).collect();
        for bytes in &all {
            // Lost messages leave their buffers.
            if usize::from(ends.programs[1].posted) < ends.programs[1].received.len() + 4 {
                ends.programs[1].post(&mut ends.pair.hosts[1]);
            }
            ends.programs[0].send(&mut ends.pair.hosts[0], bytes, None);
            ends.run(60);
        }
        let [sender, receiver] = &ends.programs;
        assert!(sender.waiting() == 0 && sender.errors.is_empty() && receiver.errors.is_empty());
        let mut sent = all.iter();
        let in_order = receiver.received.iter().all(|(bytes, _)| sent.any(|other| other == bytes));
        assert!(in_order && (10..40).contains(&receiver.received.len()), "seed {seed}");
        assert!(ends.pair.wires[1].sent.is_empty());
        assert!(ends.pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn first_packet_is_taken_with_any_number() {
    let alone = after(
        4,
        &[
            packet(SendOnly, 0, b"next"),
            packet(SendOnly, 1_000, b"ahead"),
            packet(SendOnly, 2, b"back"),
            packet(SendOnly, 2, b"again"),
        ],
    );
    assert_eq!(received(&alone), [&b"next"[..], b"ahead", b"back", b"again"]);
    assert_eq!(alone.responder().psn, PSN + 3);
}

#[test]
fn message_with_a_gap_is_dropped_and_its_buffer_is_used_again() {
    let (full, other) = ([1; 256], [2; 256]);
    let broken: [&[Packet]; 5] = [
        // A packet is missing; another message comes before the end; the end comes without its beginning.
        &[packet(SendFirst, 0, &full), packet(SendLast, 2, b"end")],
        &[packet(SendFirst, 0, &full), packet(SendMiddle, 1, &full)],
        &[packet(SendMiddle, 0, &full), packet(SendLast, 1, b"end")],
        // A WRITE continues a SEND; a packet is too short to be the first one.
        &[packet(SendFirst, 0, &full), packet(WriteLast, 1, b"end")],
        &[packet(SendFirst, 0, b"short"), packet(SendLast, 1, b"end")],
    ];
    for (case, packets) in broken.into_iter().enumerate() {
        let next = [packet(SendFirst, 7, &other), packet(SendLast, 8, b"whole")];
        let mut alone = after(1, &[packets, &next].concat());
        assert_eq!(received(&alone), [[&other[..], b"whole"].concat()], "case {case}");
        assert_eq!((alone.responder().consumed, alone.responder().failed), (1, false), "case {case}");
        assert!(alone.left().is_empty() && alone.program.errors.is_empty(), "case {case}");
    }
}

#[test]
fn message_without_a_buffer_or_too_long_for_it_is_dropped() {
    let mut alone = after(0, &[packet(SendOnly, 0, b"no buffer"), packet(SendFirst, 1, &[1; 256])]);
    alone.post();
    alone.wait(2);
    // The buffer came too late for the message that had begun.
    alone.inject(&packet(SendLast, 2, b"end"));
    alone.run(20);
    assert!(alone.program.received.is_empty() && alone.responder().consumed == 0);
    let packets = BUFFER / 256;
    alone.inject(&packet(SendFirst, 3, &[3; 256]));
    (0..packets - 1).for_each(|i| alone.inject(&packet(SendMiddle, 4 + i, &[3; 256])));
    alone.inject(&packet(SendLast, 3 + packets, b"one packet more"));
    alone.run(200);
    assert_eq!((alone.responder().consumed, alone.responder().failed), (0, false));
    assert_eq!(alone.host().load(RECEIVE_BUFFERS.0 + BUFFER, 16), [0; 16]);
    alone.inject(&packet(SendOnly, 900, b"fits"));
    alone.run(20);
    assert_eq!(received(&alone), [b"fits"]);
    assert!(alone.left().is_empty() && alone.program.errors.is_empty());
}

#[test]
fn write_without_rights_is_dropped() {
    let data = [9; 8];
    let invalid: [&[Packet]; 4] = [
        &[write(WriteOnly, 0, WINDOW_KEY + 0x1000, 8, &data)],
        &[write(WriteOnly, 0, WINDOW_KEY, 9, &data)],
        &[packet(WriteOnly, 0, &data).remote(1 << 32 | u64::from(WINDOW.0), WINDOW_KEY, 8)],
        &[packet(WriteOnlyImmediate, 0, &[]).remote(WINDOW.0.into(), WINDOW_KEY, 0)],
    ];
    for (case, packets) in invalid.into_iter().enumerate() {
        let mut alone = after(0, packets);
        assert_ne!(alone.host().load(WINDOW.0, 8), data, "case {case}");
        assert!(!alone.responder().failed && alone.program.errors.is_empty(), "case {case}");
        alone.inject(&write(WriteOnly, 1, WINDOW_KEY, 8, &data));
        alone.run(20);
        assert_eq!(alone.host().load(WINDOW.0, 8), data, "case {case}: the connection lives");
        assert!(alone.left().is_empty(), "case {case}");
    }
}

#[test]
fn buffer_without_rights_breaks_the_connection() {
    let mut alone = Alone::new(1, unreliable);
    alone.host().set_key(KEY, hca::contexts::Key::default());
    alone.post();
    alone.post();
    alone.wait(50);
    alone.inject(&packet(SendOnly, 0, b"no key"));
    alone.run(50);
    let errors: Vec<u8> = alone.program.errors.iter().map(|cqe| cqe.status).collect();
    assert_eq!(errors, [Status::ProtectionError.code(), Status::Flushed.code()]);
    assert!(alone.left().is_empty() && alone.device().events.causes & cause::QUEUE_PAIR != 0);
}

#[test]
fn packets_of_another_service_are_counted_and_dropped() {
    let reliable = |kind| Alone::packet(kind, PSN).data(b"RC");
    let mut alone = after(2, &[reliable(SendOnly), Alone::acknowledge(PSN, 0x1f)]);
    assert_eq!(alone.device().receive_engine.counts.unknown_qp, 2);
    // There are no READs, answers and atomic operations among the kinds.
    for kind in (0x2c..0x40).chain([0x20 | 0x11]) {
        let before = alone.device().receive_engine.counts.malformed;
        alone.inject(&Packet { kind, ..packet(SendOnly, 0, &[]) });
        alone.run(5);
        assert_eq!(alone.device().receive_engine.counts.malformed, before + 1, "{kind:#x}");
    }
    assert!(alone.program.received.is_empty());
    // A reliable connection takes no packet of an unreliable one.
    let mut other = Alone::new(1, |attributes| attributes);
    other.post();
    other.inject(&packet(SendOnly, 0, b"UC"));
    other.run(20);
    assert_eq!(other.device().receive_engine.counts.unknown_qp, 1);
    assert!(other.program.received.is_empty() && other.left().is_empty());
}

#[test]
fn read_and_atomic_operation_fail_unsent() {
    for operation in [Operation::RdmaRead, Operation::FetchAdd, Operation::CompareSwap] {
        let mut ends = ends(1, Faults::default());
        let wqe = SendWqe { signalled: false, ..ends.programs[0].remote(operation, 8, WINDOW.0) };
        ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
        ends.run(50);
        assert_eq!(ends.programs[0].errors[0].status, Status::OperationError.code());
        assert!(ends.pair.wires[0].sent.is_empty());
    }
}

#[test]
fn unsignalled_messages_have_no_completion() {
    let mut ends = ends(1, Faults::default());
    (0..3).for_each(|_| ends.programs[1].post(&mut ends.pair.hosts[1]));
    for signalled in [false, false, true] {
        let wqe = SendWqe { signalled, ..ends.programs[0].request(700) };
        ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
    }
    ends.run(100);
    assert_eq!((ends.programs[0].taken, ends.programs[1].received.len()), (1, 3));
}
