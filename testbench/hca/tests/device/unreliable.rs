//! Unreliable connections in lockstep: over a faulty cable, and with packets that no message has.

use hca::contexts::Attributes;
use hca::layout::{Operation, PacketKind, Status, UNRELIABLE};
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::ends::Ends;

fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, "unreliable", faults, |_, attributes| Attributes { unreliable: true, ..attributes })
}

/// A packet to the second adapter.
fn packet(kind: PacketKind, psn: u32, data: &[u8]) -> Packet {
    let packet = Packet::new(kind, (1, 2), 9, 0xff_fff0 + psn).data(data);
    Packet { kind: kind.code() | UNRELIABLE, asks: false, ..packet }
}

#[test]
fn messages_of_both_ends_cross_a_bad_cable() {
    for seed in testbench::seeds() {
        let mut ends = ends(seed, Faults { lost: 9, damaged: 12, cut: 16 });
        ends.pair.hosts[0].stalls = 2;
        ends.pair.wires[1].stalls = 3;
        for i in 0..12 {
            let bytes: Vec<u8> = (0..i * 211).map(|at| (at * 7 + i) as u8).collect();
            for (program, host) in ends.programs.iter_mut().zip(&mut ends.pair.hosts) {
                if usize::from(program.posted) < program.received.len() + 4 {
                    program.post(host);
                }
                program.send(host, &bytes, (i % 2 == 0).then_some(i as u32));
                program.write(host, &bytes, WINDOW.0 + 1, (i % 3 == 0).then_some(i as u32));
            }
            ends.run(100);
        }
        for program in &ends.programs {
            assert!(program.waiting() == 0 && program.errors.is_empty(), "seed {seed}");
            assert!(!program.received.is_empty(), "seed {seed}");
        }
        ends.finish();
    }
}

#[test]
fn packets_out_of_order_are_dropped_alike() {
    use PacketKind::*;
    let full = [3; 512];
    let mut ends = ends(1, Faults::default());
    (0..3).for_each(|_| ends.programs[1].post(&mut ends.pair.hosts[1]));
    let to = |kind, psn, data: &[u8]| packet(kind, psn, data).remote(WINDOW.0.into(), WINDOW_KEY, 1_024);
    let arrivals = [
        packet(SendFirst, 0, &full),
        packet(SendLast, 2, b"gap"),
        packet(SendLast, 0, b"no beginning"),
        packet(SendFirst, 5, &full),
        packet(WriteLast, 6, b"of another message"),
        to(WriteFirst, 9, &full),
        packet(WriteLast, 10, &full),
        to(WriteFirst, 11, &full),
        packet(SendOnly, 12, b"whole"),
        packet(WriteLast, 13, &full),
        // Refused, because its key has no rights; a kind that does not exist; one of a reliable connection.
        to(WriteFirst, 14, &full).remote(WINDOW.0.into(), 0x999, 1_024),
        Packet { kind: 0x2c, ..packet(SendOnly, 15, b"READ") },
        Packet { kind: SendOnly.code(), ..packet(SendOnly, 15, b"RC") },
    ];
    for packet in arrivals {
        ends.pair.wires[0].inject_packet(&packet.bytes());
        ends.run(15);
    }
    assert_eq!(ends.programs[1].received, [(b"whole".to_vec(), None)]);
    assert_eq!(ends.pair.hosts[1].load(WINDOW.0, 1_024), [3; 1_024]);
    let counts = ends.device().receive_engine.counts;
    assert_eq!((counts.malformed, counts.unknown_qp), (1, 1));
    assert!(ends.pair.wires[1].sent.is_empty() && ends.programs[1].errors.is_empty());
    ends.finish();
}

#[test]
fn operations_that_need_an_answer_are_refused() {
    for operation in [Operation::RdmaRead, Operation::FetchAdd, Operation::CompareSwap] {
        let mut ends = ends(1, Faults::default());
        let wqe = ends.programs[0].remote(operation, 8, WINDOW.0);
        ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
        ends.run(50);
        assert_eq!(ends.programs[0].errors[0].status, Status::OperationError.code(), "{operation:?}");
        assert!(ends.pair.wires[0].sent.is_empty());
        ends.finish();
    }
}
