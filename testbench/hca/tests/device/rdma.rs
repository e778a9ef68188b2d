//! RDMA WRITE and READ in lockstep: over a faulty cable, and with every kind of error.

use hca::contexts::{Attributes, Key};
use hca::layout::SendWqe;
use hca::layout::{Operation, Status};
use hca::registers::cause;
use hca::traffic::connection::{Connection, WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::KEY;
use hca::traffic::wire::{Faults, bytes};

use crate::ends::Ends;

/// Ends that differ in their time-outs and retries.
fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, "rdma", faults, |end, attributes| Attributes {
        timeout: 1 + end,
        rnr_timer: 4 - 3 * end,
        retries: 7 - end,
        send_psn: 0,
        receive_psn: 0,
        ..attributes
    })
}

/// Bytes that tell one message from another.
fn message(i: usize, size: usize) -> Vec<u8> {
    (0..size).map(|b| (b * 7 + i * 13) as u8).collect()
}

/// A packet of the connection, from the first adapter to the second.
fn packet(kind: u8, psn: u8, remote: Option<(u64, u32, u32)>, data: &[u8]) -> Vec<u8> {
    let reth = remote.map_or(vec![], |(address, key, length)| {
        [&address.to_be_bytes()[..], &key.to_be_bytes(), &length.to_be_bytes()].concat()
    });
    let bth = [kind, 0x00, 0xff, 0xff, 0, 0, 0, 9, 0x80, 0, 0, psn];
    let units = 2 + (bth.len() + reth.len() + data.len()) / 4 + 1;
    let lrh = [0x00, 0x02, 0x00, 0x02, (units >> 8) as u8, units as u8, 0x00, 0x01];
    [&lrh[..], &bth, &reth, data].concat()
}

#[test]
fn two_adapters_in_lockstep_write_and_read_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let mut ends = ends(seed, Faults { lost: 7, damaged: 10, cut: 13 });
        ends.pair.hosts[0].stalls = 2;
        ends.pair.wires[1].stalls = 3;
        let mut expected = Vec::new();
        for i in 0..6 {
            let size = 400 * i + 1;
            ends.programs[1].post(&mut ends.pair.hosts[1]);
            let immediate = (i % 2 == 1).then_some(i as u32);
            ends.programs[0].write(&mut ends.pair.hosts[0], &message(i, size), WINDOW.0 + 3, immediate);
            ends.programs[0].read(&mut ends.pair.hosts[0], size as u32, WINDOW.0 + 3);
            expected.push(message(i, size));
            for _ in 0..300 {
                if ends.programs[0].waiting() != 0 {
                    ends.run(50);
                }
            }
            assert_eq!(ends.programs[0].waiting(), 0, "seed {seed}, request {i}");
        }
        assert!(ends.programs.iter().all(|program| program.errors.is_empty()), "seed {seed}");
        assert!(ends.programs[0].read == expected, "seed {seed}");
        assert_eq!(ends.programs[1].received.len(), 3, "seed {seed}");
        ends.finish();
    }
}

#[test]
fn access_without_a_right_is_refused_and_touches_nothing() {
    let keys: [fn(Key) -> Key; 4] = [
        |key| Key { remote_write: false, remote_read: false, ..key },
        |key| Key { domain: 4, ..key },
        |key| Key { valid: false, ..key },
        |key| Key { length: 1_499, ..key },
    ];
    for operation in [Operation::RdmaWrite, Operation::RdmaRead] {
        for key in keys {
            let mut ends = ends(1, Faults::default());
            ends.pair.hosts[1].set_key(WINDOW_KEY, key(Connection::window()));
            ends.run(50);
            let before = ends.pair.hosts[1].memory.clone();
            let wqe = ends.programs[0].remote(operation, 1_500, WINDOW.0);
            ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
            ends.run(50);
            let status: Vec<_> = ends.programs[0].errors.iter().map(|cqe| cqe.status).collect();
            assert_eq!(status, [Status::RemoteAccess.code()], "{operation:?}");
            assert!(ends.pair.hosts[1].memory == before && ends.programs[0].read.is_empty());
            assert_ne!(ends.device().events.causes & cause::QUEUE_PAIR, 0);
            ends.finish();
        }
    }
}

#[test]
fn packet_that_contradicts_its_first_one_breaks_the_connection() {
    let window = (u64::from(WINDOW.0), WINDOW_KEY, 700);
    let full = vec![0x55; 512];
    let some = [0x55; 8];
    let send = packet(0x02, 1, None, &some);
    // Packets that arrive, and the code of the NAK that answers them.
    let cases: [(&[Vec<u8>], u8); 9] = [
        // A WRITE with fewer bytes than in its RETH, with more, and with a first packet that is not full.
        (&[packet(0x0a, 0, Some(window), &some)], 0x61),
        (&[packet(0x06, 0, Some((window.0, window.1, 512)), &full)], 0x61),
        (&[packet(0x06, 0, Some(window), &some)], 0x61),
        // A WRITE that ends too early, and one without a first packet.
        (&[packet(0x06, 0, Some(window), &full), packet(0x08, 1, None, &some)], 0x61),
        (&[packet(0x07, 0, None, &full)], 0x61),
        // A SEND within a WRITE; a READ within a WRITE.
        (&[packet(0x06, 0, Some(window), &full), send], 0x61),
        (&[packet(0x06, 0, Some(window), &full), packet(0x0c, 1, Some(window), &[])], 0x61),
        // A READ longer than the longest message; an address above 32 bits.
        (&[packet(0x0c, 0, Some((window.0, window.1, 0x4000_0001)), &[])], 0x61),
        (&[packet(0x0c, 0, Some((window.0 | 1 << 32, window.1, 8)), &[])], 0x62),
    ];
    for (i, (packets, syndrome)) in cases.into_iter().enumerate() {
        let mut ends = ends(1, Faults::default());
        for packet in packets {
            ends.pair.wires[0].inject_packet(packet);
        }
        ends.run(30);
        let answers: Vec<_> =
            ends.pair.wires[1].sent.iter().map(|words| bytes(words).expect("whole")).collect();
        let last = answers.last().unwrap_or_else(|| panic!("case {i} has no answer"));
        assert_eq!((last[8], last[20]), (0x11, syndrome), "case {i}");
        assert_ne!(ends.device().events.causes & cause::QUEUE_PAIR, 0, "case {i}");
        assert!(ends.programs[1].received.is_empty() && ends.programs[1].errors.is_empty(), "case {i}");
        // Packets after it are dropped.
        let dropped = ends.device().receive_engine.counts.unknown_qp;
        ends.pair.wires[0].inject_packet(&packet(0x04, 2, None, &some));
        ends.run(10);
        assert_eq!(ends.device().receive_engine.counts.unknown_qp, dropped + 1, "case {i}");
        ends.finish();
    }
}

#[test]
fn packet_of_no_form_is_counted_and_the_connection_lives() {
    let mut ends = ends(1, Faults::default());
    let window = (u64::from(WINDOW.0), WINDOW_KEY, 8);
    let wrong = [
        // A READ with data, one whose header is cut off, an acknowledgement with data.
        packet(0x0c, 0, Some(window), &[1, 2, 3, 4]),
        packet(0x0c, 0, None, &[]),
        // Atomic operations with data, and with a header that is cut off; original values of 4 and 12 bytes.
        packet(0x13, 0, Some(window), &[0; 16]),
        packet(0x14, 0, Some(window), &[0; 8]),
        packet(0x12, 0, None, &[0; 8]),
        packet(0x12, 0, None, &[0; 16]),
        packet(0x11, 0, None, &[0; 8]),
    ];
    for packet in &wrong {
        ends.pair.wires[0].inject_packet(packet);
    }
    // Data without a request.
    ends.pair.wires[0].inject_packet(&packet(0x10, 0, None, &[0; 12]));
    ends.run(30);
    assert_eq!(usize::from(ends.device().receive_engine.counts.malformed), wrong.len());
    let before = ends.pair.hosts[1].load(WINDOW.0, 64);
    ends.programs[0].read(&mut ends.pair.hosts[0], 64, WINDOW.0);
    ends.run(30);
    assert_eq!(ends.programs[0].read, [before]);
    ends.finish();
}

#[test]
fn data_that_were_not_asked_for_end_the_request_in_a_status() {
    // The test plays the peer: only packets put on the cable answer queue pair 9 of the second adapter.
    for (kind, size) in [(0x0d, 512), (0x10, 64), (0x0f, 1_024)] {
        let mut ends = ends(1, Faults::default());
        ends.pair.wires[1].set_faults(Faults { lost: 1, ..Faults::default() });
        let before = ends.pair.hosts[1].memory.clone();
        let wqe = ends.programs[1].remote(Operation::RdmaRead, 100, WINDOW.0);
        ends.programs[1]
            .send_request(&mut ends.pair.hosts[1], &SendWqe { address: WINDOW.0, l_key: KEY, ..wqe });
        ends.run(4);
        // AETH and data.
        ends.pair.wires[0].inject_packet(&packet(kind, 0, None, &vec![0x1f; 4 + size]));
        ends.run(20);
        assert_eq!(ends.programs[1].errors[0].status, Status::BadResponse.code(), "{kind:#x}");
        let window = WINDOW.0 as usize / 8;
        assert!(ends.pair.hosts[1].memory[window..] == before[window..], "{kind:#x}");
        ends.finish();
    }
}
