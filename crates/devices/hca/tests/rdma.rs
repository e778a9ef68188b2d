//! RDMA WRITE and READ between two models.

use hca::contexts::Attributes;
use hca::layout::SendWqe;
use hca::layout::{Operation, Status, timeout_ticks};
use hca::receive_engine::State;
use hca::registers::cause;
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::datagrams::KEY;
use hca::traffic::wire::Faults;

use crate::{Ends, message, run};

/// Sizes around multiples of the MTU.
const SIZES: [usize; 9] = [0, 1, 3, 511, 512, 513, 1_024, 1_025, 5_000];

/// Connection with a short time-out.
fn ends(seed: u64, faults: Faults) -> Ends {
    Ends::new(seed, faults, |attributes| Attributes { timeout: 1, ..attributes })
}

impl Ends {
    fn write(&mut self, bytes: &[u8], remote: u32, immediate: Option<u32>) {
        self.programs[0].write(&mut self.pair.hosts[0], bytes, remote, immediate);
    }

    fn read(&mut self, length: usize, remote: u32) {
        self.programs[0].read(&mut self.pair.hosts[0], length as u32, remote);
    }

    fn request(&mut self, wqe: SendWqe) {
        self.programs[0].send_request(&mut self.pair.hosts[0], &wqe);
    }
}

#[test]
fn bytes_of_any_number_are_written_where_the_request_says() {
    let mut ends = ends(1, Faults::default());
    for (i, size) in SIZES.into_iter().enumerate() {
        let to = WINDOW.0 + 0x1801 * i as u32;
        let around = |ends: &Ends| ends.pair.hosts[1].load(to - 8, size + 16);
        let before = around(&ends);
        ends.write(&message(i, size), to, None);
        ends.run(150);
        let after = around(&ends);
        assert_eq!(after[8..8 + size], message(i, size), "{size} bytes");
        assert_eq!((&after[..8], &after[8 + size..]), (&before[..8], &before[8 + size..]), "{size} bytes");
        assert_eq!(ends.programs[0].waiting(), 0, "{size} bytes");
    }
    assert!(ends.programs[1].received.is_empty(), "the peer is not told");
    assert!(ends.programs.iter().all(|program| program.errors.is_empty()));
}

#[test]
fn immediate_data_of_an_rdma_write_take_a_receive_request() {
    let mut ends = ends(1, Faults::default());
    ends.write(&message(1, 1_300), WINDOW.0, Some(77));
    ends.run(100);
    assert_eq!(ends.programs[0].waiting(), 1, "there is no receive request");
    ends.programs[1].post(&mut ends.pair.hosts[1]);
    ends.run(2_000);
    assert_eq!(ends.programs[1].received, [(vec![], Some(77))]);
    assert_eq!(
        (ends.programs[0].waiting(), ends.pair.hosts[1].load(WINDOW.0, 1_300)),
        (0, message(1, 1_300))
    );
}

#[test]
fn bytes_of_any_number_are_read_from_where_the_request_says() {
    let mut ends = ends(1, Faults::default());
    for (i, size) in SIZES.into_iter().enumerate() {
        let from = WINDOW.0 + 0x1801 * i as u32;
        ends.pair.hosts[1].store(from, &message(i, size));
        ends.read(size, from);
        ends.run(150);
        assert_eq!(ends.programs[0].read.last(), Some(&message(i, size)), "{size} bytes");
    }
    assert!(ends.programs.iter().all(|program| program.errors.is_empty()));
    // One packet for each request, and one for each packet of data in return.
    let back: usize = SIZES.into_iter().map(|size| size.div_ceil(512).max(1)).sum();
    assert_eq!((ends.pair.wires[0].sent.len(), ends.pair.wires[1].sent.len()), (SIZES.len(), back));
}

#[test]
fn requests_complete_once_and_in_order_over_a_bad_cable() {
    for seed in 1..6 {
        let mut ends = ends(seed, Faults { lost: 6, damaged: 9, cut: 12 });
        ends.pair.hosts[1].store(WINDOW.0 + 0x4000, &message(7, 3_000));
        for i in 0..12 {
            ends.programs[1].post(&mut ends.pair.hosts[1]);
            let size = 300 * i + 1;
            match i % 3 {
                0 => ends.write(&message(i, size), WINDOW.0, None),
                1 => ends.programs[0].send(&mut ends.pair.hosts[0], &message(i, size), None),
                // Reads back the bytes just written.
                _ => ends.read(300 * (i - 2) + 1, WINDOW.0),
            }
            // A read may be requested again from its middle.
            ends.read(3_000, WINDOW.0 + 0x4000);
            for _ in 0..200 {
                if ends.programs[0].waiting() != 0 {
                    ends.run(100);
                }
            }
            assert_eq!(ends.programs[0].waiting(), 0, "seed {seed}, request {i}");
        }
        assert!(ends.programs.iter().all(|program| program.errors.is_empty()), "seed {seed}");
        let reads: Vec<_> = ends.programs[0].read.iter().filter(|bytes| bytes.len() != 3_000).collect();
        let written = [0, 3, 6, 9].map(|i| message(i, 300 * i + 1));
        assert_eq!(reads, written.iter().collect::<Vec<_>>(), "seed {seed}");
        let long = ends.programs[0].read.iter().filter(|bytes| **bytes == message(7, 3_000)).count();
        let received = ends.programs[1].received.len();
        assert_eq!((long, received), (12, 4), "seed {seed}");
        assert!(ends.pair.wires.iter().all(|wire| wire.losses > 5));
    }
}

#[test]
fn access_without_rights_at_the_peer_touches_no_memory() {
    use Operation::{RdmaRead, RdmaWrite, RdmaWriteImmediate};
    let good = |ends: &Ends, operation| ends.programs[0].remote(operation, 1_500, WINDOW.0);
    let wrong: [fn(SendWqe) -> SendWqe; 7] = [
        |wqe| SendWqe { r_key: 0x2b06, ..wqe },
        |wqe| SendWqe { r_key: KEY, ..wqe },
        |wqe| SendWqe { r_key: 0x2a07, ..wqe },
        |wqe| SendWqe { remote: u64::from(WINDOW.0) - 1, ..wqe },
        |wqe| SendWqe { remote: u64::from(WINDOW.0 + WINDOW.1) - 1_499, ..wqe },
        |wqe| SendWqe { remote: 1 << 32 | u64::from(WINDOW.0), ..wqe },
        |wqe| SendWqe { remote: 1 << 63 | u64::from(WINDOW.0), ..wqe },
    ];
    for operation in [RdmaRead, RdmaWrite, RdmaWriteImmediate] {
        for (i, wrong) in wrong.iter().enumerate() {
            let mut ends = ends(1, Faults::default());
            let before = ends.pair.hosts[1].memory.clone();
            let wqe = wrong(good(&ends, operation));
            ends.request(wqe);
            ends.run(100);
            let errors: Vec<_> = ends.programs[0].errors.iter().map(|cqe| cqe.status).collect();
            assert_eq!(errors, [Status::RemoteAccess.code()], "{operation:?}, case {i}");
            assert!(ends.pair.hosts[1].memory == before, "{operation:?}, case {i}");
            assert!(ends.pair.adapters.iter().all(|a| a.device().events.causes & cause::QUEUE_PAIR != 0));
            assert!(ends.programs[0].read.is_empty() && ends.programs[1].errors.is_empty());
        }
    }
}

#[test]
fn area_that_is_taken_back_under_way_is_read_no_further() {
    let mut ends = ends(1, Faults::default());
    ends.read(16_000, WINDOW.0);
    // A command waits until no engine runs, and so comes between packets.
    run(&mut ends.pair, 4);
    ends.pair.hosts[1].set_key(WINDOW_KEY, hca::contexts::Key::default());
    ends.run(200);
    assert_eq!(ends.programs[0].errors[0].status, Status::RemoteAccess.code());
    let sent = ends.pair.wires[1].sent.len();
    assert!(sent > 1 && sent < 32, "{sent} packets");
}

#[test]
fn data_are_read_into_memory_that_the_own_key_lets_write_only() {
    let mut ends = ends(1, Faults::default());
    let wqe = ends.programs[0].remote(Operation::RdmaRead, 100, WINDOW.0);
    ends.request(SendWqe { address: WINDOW.0, l_key: WINDOW_KEY, ..wqe });
    ends.run(50);
    assert_eq!(ends.programs[0].errors[0].status, Status::ProtectionError.code());
    assert!(ends.pair.wires[0].sent.is_empty(), "the peer is not even asked");
}

/// On a slow bus, ticks pass while the receive engine reads the WQE of the request again.
#[test]
fn deadline_of_an_rdma_read_counts_from_its_response() {
    let mut ends = ends(1, Faults::default());
    ends.pair.hosts[0].stalls = 60;
    ends.read(1_500, WINDOW.0);
    let (mut taken, mut late) = (0, 0);
    while taken < 3 {
        let adapter = ends.pair.adapters[0].device();
        let (before, now) = (adapter.receive_engine, adapter.retry_timer.now);
        ends.pair.step().expect("a model never fails");
        if before.state == State::Key {
            let after = &ends.pair.adapters[0].device().receive_engine;
            assert_eq!(after.deadline, now + timeout_ticks(1));
            taken += 1;
            late += u32::from(after.deadline != before.deadline);
        }
    }
    assert!(late > 0, "a tick has gone by meanwhile");
}
