//! Shared receive queues in lockstep: two connections take turns, over a faulty cable, and with misuse.

use hca::contexts::{Attributes, Limit, PairState};
use hca::layout::{PacketKind, Status};
use hca::registers::{Doorbell, cause};
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::COMPLETIONS;
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::ends::Ends;

/// The shared receive queue, and the queue pairs on it.
const QUEUE: u8 = 1;
const PAIRS: [u8; 2] = [9, 4];

fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, "shared", faults, |_, attributes| Attributes {
        shared: true,
        shared_queue: QUEUE,
        ..attributes
    })
}

/// A second queue pair of the second adapter on the same queue, and `buffers` WQEs.
fn two(buffers: u16) -> Ends {
    let mut ends = ends(1, Faults::default());
    let attributes = ends.programs[1].attributes;
    ends.pair.hosts[1].set_pair(PAIRS[1], attributes);
    ends.run(40);
    (0..buffers).for_each(|_| ends.programs[1].post(&mut ends.pair.hosts[1]));
    ends.run(2);
    ends
}

/// A packet to one of the queue pairs; `psn` counts from the expected one.
fn packet(pair: u8, kind: PacketKind, psn: u32, data: &[u8]) -> Packet {
    Packet::new(kind, (1, 2), pair.into(), (0xff_fff0 + psn) & 0xff_ffff).data(data)
}

/// Packets arrive at the second adapter.
fn inject(ends: &mut Ends, packets: &[Packet]) {
    for packet in packets {
        ends.pair.wires[0].inject_packet(&packet.bytes());
        ends.run(15);
    }
}

/// Queue pair, count of the WQE and status of each CQE.
fn cqes(ends: &Ends) -> Vec<(u8, u16, u8)> {
    let host = &ends.pair.hosts[1];
    let cqe = |count| host.poll(COMPLETIONS.0, COMPLETIONS.1, count);
    (0..32).map_while(cqe).map(|cqe| (cqe.pair, cqe.index, cqe.status)).collect()
}

#[test]
fn messages_of_two_connections_interleave() {
    use PacketKind::*;
    let [one, other] = PAIRS;
    let mut ends = two(6);
    let limit = Limit { least: 4, armed: true };
    ends.pair.hosts[1].set_limit(QUEUE, limit);
    ends.run(40);
    let full = [5; 512];
    let write = |kind, psn, data: &[u8]| {
        let packet = packet(other, kind, psn, data).remote(WINDOW.0.into(), WINDOW_KEY, 600);
        Packet { immediate: (kind == WriteLastImmediate).then_some(7), ..packet }
    };
    inject(&mut ends, &[packet(one, SendFirst, 0, &full), write(WriteFirst, 0, &full)]);
    inject(&mut ends, &[packet(one, SendMiddle, 1, &full)]);
    assert_eq!(ends.device().limits.words()[usize::from(QUEUE)], limit);
    let last = Packet { extension: vec![], ..write(WriteLastImmediate, 1, &full[..88]) };
    inject(&mut ends, &[last, packet(one, SendLast, 2, b"end"), packet(other, SendOnly, 2, b"third")]);
    assert_eq!(cqes(&ends), [(other, 1, 0), (one, 0, 0), (other, 2, 0)]);
    assert_ne!(ends.device().events.causes & (cause::LIMIT << QUEUE), 0);
    assert_eq!(ends.device().limits.words()[usize::from(QUEUE)], Limit::default());
    ends.finish();
}

#[test]
fn failures_of_one_connection_leave_the_queue_to_the_other() {
    use PacketKind::*;
    let [one, other] = PAIRS;
    let mut ends = two(2);
    // Stopped in the middle of a message, whose WQE alone is flushed.
    inject(&mut ends, &[packet(one, SendFirst, 0, &[1; 512]), packet(other, SendOnly, 0, b"second")]);
    // Neither has a WQE left.
    inject(&mut ends, &[packet(other, SendOnly, 1, b"none")]);
    let stopped = Attributes { state: PairState::Error.code(), ..ends.programs[1].attributes };
    ends.pair.hosts[1].change_pair(one, stopped);
    ends.run(60);
    assert_eq!(cqes(&ends), [(other, 1, 0), (one, 0, Status::Flushed.code())]);
    ends.programs[1].post(&mut ends.pair.hosts[1]);
    ends.programs[1].post(&mut ends.pair.hosts[1]);
    ends.run(2);
    inject(&mut ends, &[packet(other, SendOnly, 1, b"now"), packet(other, SendMiddle, 2, b"out of order")]);
    assert_eq!(cqes(&ends)[2..], [(other, 2, 0)]);
    assert!(ends.device().responders.words()[usize::from(other)].failed);
    ends.finish();
}

#[test]
fn doorbell_beyond_the_ring_kills_who_takes() {
    let mut ends = two(0);
    ends.pair.hosts[1].ring(Doorbell::SharedBell, QUEUE, 0x8000, false);
    ends.run(2);
    inject(&mut ends, &[packet(PAIRS[1], PacketKind::SendOnly, 0, b"dies")]);
    let dead = PAIRS.map(|pair| ends.device().responders.words()[usize::from(pair)].dead);
    assert_eq!(dead, [false, true]);
    ends.finish();
}

#[test]
fn messages_of_both_ends_cross_a_bad_cable() {
    for seed in testbench::seeds() {
        let mut ends = ends(seed, Faults { lost: 9, damaged: 12, cut: 16 });
        ends.pair.hosts[0].stalls = 2;
        ends.pair.wires[1].stalls = 3;
        let text = |i: usize| (0..i * 211).map(|at| (at * 7 + i) as u8).collect::<Vec<_>>();
        for i in 0..12 {
            for (program, host) in ends.programs.iter_mut().zip(&mut ends.pair.hosts) {
                program.post(host);
                program.send(host, &text(i), (i % 2 == 0).then_some(i as u32));
            }
            ends.run(150);
        }
        ends.run(2_000);
        for program in &ends.programs {
            assert!(program.waiting() == 0 && program.errors.is_empty(), "seed {seed}");
            assert!(program.received.iter().enumerate().all(|(i, (bytes, _))| *bytes == text(i)));
            assert_eq!(program.received.len(), 12, "seed {seed}");
        }
        ends.finish();
    }
}
