//! Atomic operations in lockstep: over a faulty cable, with both ends at the same word, and with every kind of error.

use hca::contexts::{Attributes, Key};
use hca::layout::{Operation, PacketKind, Status};
use hca::registers::cause;
use hca::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::wire::{Faults, bytes};

use crate::ends::Ends;

/// The word on which operations work.
const WORD: u32 = WINDOW.0 + 0x1238;

/// Ends that differ in their time-outs.
fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, "atomics", faults, |end, attributes| Attributes { timeout: 1 + end, ..attributes })
}

/// The word at one end.
fn word(ends: &Ends, end: usize) -> u64 {
    ends.pair.hosts[end].memory[WORD as usize / 8]
}

#[test]
fn operation_is_executed_once_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let mut ends = ends(seed, Faults { lost: 9, damaged: 12, cut: 16 });
        ends.pair.hosts[0].stalls = 2;
        ends.pair.wires[1].stalls = 3;
        for round in 0..10 {
            for (program, host) in ends.programs.iter_mut().zip(&mut ends.pair.hosts) {
                program.fetch_add(host, 1, WORD);
                program.read(host, 8, WORD);
                // Every other comparison fails.
                program.compare_swap(host, round + 1 + round % 2, round + 1, WORD);
            }
            for _ in 0..300 {
                if ends.programs.iter().any(|program| program.waiting() != 0) {
                    ends.run(50);
                }
            }
            let errors = ends.programs.each_ref().map(|program| program.errors.len());
            assert_eq!(errors, [0; 2], "seed {seed}");
            assert_eq!([0, 1].map(|end| word(&ends, end)), [round + 1; 2], "seed {seed}");
        }
        let expected: Vec<u64> = (0..10).flat_map(|round| [round, round + 1, round + 1]).collect();
        for program in &ends.programs {
            let read: Vec<u64> = program.read.iter().map(|bytes| bytes[0].into()).collect();
            assert_eq!(read, expected, "seed {seed}");
            assert!(program.errors.is_empty() && program.received.is_empty(), "seed {seed}");
        }
        ends.finish();
    }
}

#[test]
fn request_that_is_not_allowed_is_refused_and_touches_nothing() {
    type Change = fn(Key) -> Key;
    let cases: [(Change, u32, Status); 5] = [
        (|key| key, WORD + 4, Status::RemoteInvalidRequest),
        (|key| Key { remote_atomic: false, ..key }, WORD, Status::RemoteAccess),
        (|key| Key { domain: 4, ..key }, WORD, Status::RemoteAccess),
        (|key| Key { valid: false, ..key }, WORD, Status::RemoteAccess),
        (|key| Key { length: WORD - WINDOW.0 + 7, ..key }, WORD, Status::RemoteAccess),
    ];
    for operation in [Operation::FetchAdd, Operation::CompareSwap] {
        for (number, (key, remote, status)) in cases.into_iter().enumerate() {
            let mut ends = ends(1, Faults::default());
            ends.pair.hosts[1].set_key(WINDOW_KEY, key(Connection::window()));
            ends.run(50);
            let before = ends.pair.hosts[1].memory.clone();
            let wqe = ends.programs[0].remote(operation, 8, remote);
            ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
            ends.run(50);
            let found: Vec<_> = ends.programs[0].errors.iter().map(|cqe| cqe.status).collect();
            assert_eq!(found, [status.code()], "{operation:?}, case {number}");
            assert!(ends.pair.hosts[1].memory == before && ends.programs[0].read.is_empty());
            assert_ne!(ends.device().events.causes & cause::QUEUE_PAIR, 0);
            ends.finish();
        }
    }
}

#[test]
fn duplicates_and_answers_without_a_request_change_nothing() {
    let mut ends = ends(1, Faults::default());
    // The test plays the first adapter: its queue pair sends nothing.
    let packet = |kind, psn: u32| Packet::new(kind, (1, 2), 9, 0xff_fff0 + psn);
    let add = |psn| packet(PacketKind::FetchAddRequest, psn).atomic(WORD.into(), WINDOW_KEY, [3, 0]);
    let arrivals = [
        add(0),
        add(0),
        packet(PacketKind::ReadRequest, 1).remote(WORD.into(), WINDOW_KEY, 8),
        add(0),
        add(2),
        add(2),
        packet(PacketKind::AtomicAcknowledge, 0).original(1, 5),
    ];
    for packet in arrivals {
        ends.pair.wires[0].inject_packet(&packet.bytes());
        ends.run(15);
    }
    assert_eq!(word(&ends, 1), 6);
    let sent = ends.pair.wires[1].sent.iter();
    let kinds: Vec<u8> = sent.map(|words| bytes(words).expect("whole")[8]).collect();
    // The duplicate behind the READ has no answer.
    assert_eq!(kinds, [0x12, 0x12, 0x10, 0x12, 0x12]);
    ends.finish();
}
