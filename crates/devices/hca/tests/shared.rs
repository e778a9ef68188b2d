//! Shared receive queues: two connections, and datagrams, take WQEs from one ring.

use hca::contexts::{Attributes, Limit, PairState, SharedQueue};
use hca::layout::{PacketKind::*, RECEIVED, Status, UNRELIABLE, WRITTEN};
use hca::registers::{Doorbell, cause};
use hca::traffic::connection::{BUFFER, Connection, RECEIVE_BUFFERS, WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::{COMPLETIONS, Datagrams, RECEIVE_RING};
use hca::traffic::host::Cqe;
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::alone::{Alone, PSN, QPNS};
use crate::{Ends, PEER, adapters_with, message, run};

/// The shared receive queue, and the second queue pair on it.
const QUEUE: u8 = 2;
const OTHER: u8 = 4;

fn shared(attributes: Attributes) -> Attributes {
    Attributes { shared: true, shared_queue: QUEUE, ..attributes }
}

/// An adapter with two connections on a queue with `buffers` WQEs.
fn two(buffers: u16) -> Alone {
    let mut alone = Alone::new(1, shared);
    let other = Attributes { peer: 0x77_0001, ..alone.program.attributes };
    alone.host().set_pair(OTHER, other);
    alone.wait(40);
    (0..buffers).for_each(|_| alone.post());
    alone.wait(2);
    alone
}

/// A packet to the first queue pair, or to the other one.
fn to(pair: u8, packet: Packet) -> Packet {
    Packet { pair: pair.into(), ..packet }
}

fn packet(kind: hca::layout::PacketKind, psn: u32, data: &[u8]) -> Packet {
    Alone::packet(kind, PSN + psn).data(data)
}

fn inject(alone: &mut Alone, packets: &[Packet]) {
    for packet in packets {
        alone.inject(packet);
        alone.wait(10);
    }
}

/// CQEs so far.
fn cqes(alone: &mut Alone) -> Vec<Cqe> {
    let host = alone.host();
    (0..32).map_while(|count| host.poll(COMPLETIONS.0, COMPLETIONS.1, count)).collect()
}

/// Queue pair, count of the WQE and status of each CQE so far.
fn ends(alone: &mut Alone) -> Vec<(u8, u16, u8)> {
    cqes(alone).iter().map(|cqe| (cqe.pair, cqe.index, cqe.status)).collect()
}

fn buffer(alone: &mut Alone, count: u32, bytes: usize) -> Vec<u8> {
    alone.host().load(RECEIVE_BUFFERS.0 + RECEIVE_BUFFERS.1 * count, bytes)
}

fn taken(alone: &Alone) -> u16 {
    alone.device().shared_queues.words()[usize::from(QUEUE)].taken
}

const DONE: u8 = Status::Success as u8;

#[test]
fn messages_that_interleave_have_buffers_of_their_own() {
    let mut alone = two(4);
    let (full, end) = ([7; 256], [8; 100]);
    inject(
        &mut alone,
        &[
            packet(SendFirst, 0, &full),
            to(OTHER, packet(SendOnly, 0, b"short")),
            packet(SendMiddle, 1, &full),
            to(OTHER, packet(SendFirst, 1, &full)),
            packet(SendLast, 2, &end),
            to(OTHER, packet(SendLast, 2, &end)),
        ],
    );
    assert_eq!(ends(&mut alone), [(OTHER, 1, DONE), (QPNS.1, 0, DONE), (OTHER, 2, DONE)]);
    assert_eq!(cqes(&mut alone).iter().map(|cqe| cqe.bytes).collect::<Vec<_>>(), [5, 612, 356]);
    assert_eq!(buffer(&mut alone, 0, 612), [&full[..], &full, &end].concat());
    assert_eq!(buffer(&mut alone, 1, 5), b"short");
    assert_eq!(buffer(&mut alone, 2, 356), [&full[..], &end].concat());
    assert_eq!((taken(&alone), alone.responder().consumed), (3, 1));
}

#[test]
fn immediate_data_of_a_write_take_a_wqe_with_their_packet() {
    let mut alone = two(2);
    let write = |kind, psn, data: &[u8]| packet(kind, psn, data).remote(WINDOW.0.into(), WINDOW_KEY, 300);
    inject(&mut alone, &[write(WriteFirst, 0, &[1; 256]), to(OTHER, packet(SendOnly, 0, b"first"))]);
    let last = Packet { immediate: Some(5), ..packet(WriteLastImmediate, 1, &[2; 44]) };
    inject(&mut alone, &[last]);
    assert_eq!(ends(&mut alone), [(OTHER, 0, DONE), (QPNS.1, 1, DONE)]);
    assert_eq!(cqes(&mut alone)[1].operation, RECEIVED | WRITTEN | 1);
    // A WRITE without rights takes none.
    alone.post();
    alone.wait(2);
    let refused = packet(WriteOnlyImmediate, 2, &[3; 4]).remote(WINDOW.0.into(), 0x999, 4);
    inject(&mut alone, &[Packet { immediate: Some(6), ..refused }]);
    assert_eq!((taken(&alone), alone.responder().failed), (2, true));
}

#[test]
fn empty_queue_puts_the_sender_off() {
    let mut alone = two(1);
    inject(&mut alone, &[packet(SendFirst, 0, &[1; 256]), to(OTHER, packet(SendOnly, 0, b"none left"))]);
    assert_eq!(alone.answers(), [(0, 0x20 | 3, 0)], "an RNR NAK to the other one");
    alone.post();
    alone.wait(2);
    inject(&mut alone, &[to(OTHER, packet(SendOnly, 0, b"now")), packet(SendLast, 1, b"end")]);
    assert_eq!(ends(&mut alone), [(OTHER, 1, DONE), (QPNS.1, 0, DONE)]);
}

#[test]
fn limit_interrupts_once_when_fewer_wqes_are_left() {
    let mut alone = two(4);
    alone.host().set_limit(QUEUE, Limit { least: 3, armed: true });
    alone.wait(40);
    let low = |alone: &Alone| alone.device().events.causes & (cause::LIMIT << QUEUE) != 0;
    for (count, reached) in [(0, false), (1, true)] {
        inject(&mut alone, &[packet(SendOnly, count, b"one")]);
        assert_eq!(low(&alone), reached, "{} WQEs are left", 3 - count);
    }
    assert_eq!(alone.device().limits.words()[usize::from(QUEUE)], Limit::default());
    alone.host().write_register(hca::registers::Register::InterruptCause, 0x1ff);
    alone.wait(2);
    inject(&mut alone, &[packet(SendOnly, 2, b"one")]);
    assert!(!low(&alone), "it was told once");
    assert!(alone.device().events.causes & (0xf * cause::LIMIT) == 0, "nor are others");
}

#[test]
fn failed_pair_gives_back_the_wqe_of_its_message_alone() {
    let mut alone = two(4);
    inject(&mut alone, &[to(OTHER, packet(SendFirst, 0, &[1; 256])), packet(SendFirst, 0, &[2; 256])]);
    let stopped = Attributes { state: PairState::Error.code(), ..alone.program.attributes };
    alone.host().change_pair(QPNS.1, stopped);
    alone.wait(40);
    assert_eq!(ends(&mut alone), [(QPNS.1, 1, Status::Flushed.code())]);
    // The other connection goes on, and the next WQE is the third one.
    inject(&mut alone, &[to(OTHER, packet(SendLast, 1, b"end")), to(OTHER, packet(SendOnly, 2, b"next"))]);
    assert_eq!(ends(&mut alone)[1..], [(OTHER, 0, DONE), (OTHER, 2, DONE)]);
    // Without a message, nothing is flushed.
    let attributes = Attributes { peer: 0x77_0001, ..stopped };
    alone.host().change_pair(OTHER, attributes);
    alone.wait(40);
    assert_eq!(cqes(&mut alone).len(), 3);
}

#[test]
fn refused_message_uses_its_wqe_up_once() {
    let mut alone = two(3);
    let packets = BUFFER / 256;
    inject(&mut alone, &[packet(SendFirst, 0, &[1; 256])]);
    (1..packets).for_each(|i| alone.inject(&packet(SendMiddle, i, &[1; 256])));
    alone.wait(100);
    inject(&mut alone, &[packet(SendLast, packets, b"one byte more than fits")]);
    assert_eq!(ends(&mut alone), [(QPNS.1, 0, Status::LengthError.code())]);
    assert_eq!(taken(&alone), 1);
    inject(&mut alone, &[to(OTHER, packet(SendOnly, 0, b"goes on"))]);
    assert_eq!(ends(&mut alone)[1..], [(OTHER, 1, DONE)]);
}

#[test]
fn doorbell_beyond_the_ring_kills_who_takes() {
    let mut alone = two(0);
    alone.host().ring(Doorbell::SharedBell, QUEUE, (1 << RECEIVE_RING.1) + 1, false);
    alone.wait(2);
    inject(&mut alone, &[packet(SendOnly, 0, b"dies")]);
    assert!(alone.responder().dead && alone.device().events.causes & cause::QUEUE_PAIR != 0);
    assert!(alone.left().is_empty() && cqes(&mut alone).is_empty());
    assert!(!alone.device().responders.words()[usize::from(OTHER)].dead);
}

#[test]
fn set_up_begins_the_counts_anew() {
    let mut alone = two(4);
    inject(&mut alone, &[packet(SendOnly, 0, b"one"), packet(SendOnly, 1, b"two")]);
    let row = SharedQueue { log: RECEIVE_RING.1, base: RECEIVE_RING.0, ..SharedQueue::default() };
    alone.host().set_shared(QUEUE, row);
    alone.wait(40);
    inject(&mut alone, &[packet(SendOnly, 2, b"empty")]);
    assert_eq!((cqes(&mut alone).len(), taken(&alone)), (2, 0));
    alone.program.posted = 0;
    alone.post();
    alone.wait(2);
    inject(&mut alone, &[packet(SendOnly, 2, b"again")]);
    assert_eq!((ends(&mut alone)[2], taken(&alone)), ((QPNS.1, 0, DONE), 1));
}

#[test]
fn unreliable_connection_has_its_own_ring() {
    let mut alone = Alone::new(1, |attributes| Attributes { unreliable: true, ..shared(attributes) });
    alone.post();
    alone.wait(2);
    let packet = packet(SendOnly, 0, b"own ring");
    alone.inject(&Packet { kind: SendOnly.code() | UNRELIABLE, asks: false, ..packet });
    alone.run(20);
    assert_eq!(alone.program.received, [(b"own ring".to_vec(), None)]);
    assert_eq!((alone.responder().consumed, taken(&alone)), (1, 0));
}

#[test]
fn datagrams_come_into_buffers_of_the_shared_queue() {
    let (mut pair, mut programs) = adapters_with(1, Faults::default(), shared);
    for i in 0..40 {
        programs[0].send(&mut pair.hosts[0], 2, PEER.into(), &message(i, 50 * i), None);
        run(&mut pair, 40);
        for (program, host) in programs.iter_mut().zip(&mut pair.hosts) {
            (0..4).for_each(|_| program.poll(host));
        }
        let last = programs[1].received.last().map(|datagram| datagram.bytes.clone());
        assert_eq!(last, Some(message(i, 50 * i)));
    }
    assert_eq!(pair.adapters[1].device().shared_queues.words()[usize::from(QUEUE)].taken, 40);
    assert!(programs.iter().all(|program: &Datagrams| program.errors.is_empty()));
}

#[test]
fn bad_cable_loses_no_message_of_a_shared_queue() {
    for seed in 1..4 {
        let mut ends = Ends::new(seed, Faults { lost: 8, damaged: 12, cut: 15 }, shared);
        let all: Vec<Vec<u8>> = (0..20).map(|i| message(i, (i * 397) % 3_000)).collect();
        for bytes in &all {
            ends.programs[1].post(&mut ends.pair.hosts[1]);
            ends.programs[0].send(&mut ends.pair.hosts[0], bytes, None);
            ends.run(300);
        }
        ends.run(2_000);
        let received: Vec<_> = ends.programs[1].received.iter().map(|(bytes, _)| bytes.clone()).collect();
        assert_eq!(received, all, "seed {seed}");
        assert!(ends.programs.iter().all(|program: &Connection| program.errors.is_empty()));
    }
}
