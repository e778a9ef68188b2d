use hca::Hca;
use hca::contexts::Attributes;
use hca::layout::SendWqe;
use hca::layout::{Operation, PacketKind, Status, timeout_ticks};
use hca::protocol::responder::ACK;
use hca::send_engine::State;
use hca::traffic::connection::{BUFFER, WINDOW};
use hca::traffic::wire::Faults;

use crate::{Ends, message};

impl Ends {
    fn post(&mut self, node: usize) {
        self.programs[node].post(&mut self.pair.hosts[node]);
    }

    fn send(&mut self, node: usize, bytes: &[u8], immediate: Option<u32>) {
        self.programs[node].send(&mut self.pair.hosts[node], bytes, immediate);
    }
}

#[test]
fn message_of_any_length_arrives_in_packets_and_is_acknowledged() {
    let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
    for (i, size) in [0, 1, 3, 511, 512, 513, 1_024, 1_025, 5_000, BUFFER as usize].into_iter().enumerate() {
        ends.post(1);
        let immediate = (i % 2 == 1).then_some(i as u32 + 0x1_0000);
        ends.send(0, &message(i, size), immediate);
        ends.run(150);
        assert_eq!(ends.programs[1].received.last(), Some(&(message(i, size), immediate)), "{size} bytes");
        assert_eq!(ends.programs[0].waiting(), 0, "{size} bytes");
    }
    assert!(ends.programs.iter().all(|program| program.errors.is_empty()));
    let packets = |size: usize| size.div_ceil(512).max(1);
    let expected: usize =
        [0, 1, 3, 511, 512, 513, 1_024, 1_025, 5_000, BUFFER as usize].into_iter().map(packets).sum();
    assert_eq!((ends.pair.wires[0].sent.len(), ends.pair.wires[1].sent.len()), (expected, 10));
}

#[test]
fn messages_arrive_once_and_in_order_whatever_the_cable_loses() {
    for seed in 1..5 {
        let mut ends = Ends::new(seed, Faults { lost: 8, damaged: 12, cut: 15 }, |attributes| attributes);
        let size = |i: usize| (i * 397) % 3_000;
        let mut sent = [0; 2];
        for _ in 0..4_000 {
            for node in [0, 1] {
                if ends.programs[node].waiting() < 4 && sent[node] < 30 {
                    ends.send(node, &message(sent[node], size(sent[node])), None);
                    sent[node] += 1;
                }
                let posted = usize::from(ends.programs[node].posted);
                // The receiver posts its buffers late at times.
                if posted < ends.programs[node].received.len() + 2 {
                    ends.post(node);
                }
            }
            ends.run(5);
        }
        for program in &ends.programs {
            let expected: Vec<_> = (0..30).map(|i| (message(i, size(i)), None)).collect();
            assert_eq!(program.received.len(), 30, "seed {seed}");
            assert!(program.received == expected && program.errors.is_empty() && program.waiting() == 0);
        }
        assert!(ends.pair.wires.iter().all(|wire| wire.losses > 5));
        assert!(ends.pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn message_waits_for_a_receive_request() {
    let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
    ends.send(0, &message(1, 2_000), None);
    ends.run(100);
    assert!(ends.programs[1].received.is_empty() && ends.programs[0].waiting() == 1);
    ends.post(1);
    ends.run(100);
    assert_eq!(ends.programs[1].received, [(message(1, 2_000), None)]);
    assert_eq!(ends.programs[0].waiting(), 0);
}

#[test]
fn silent_or_busy_peer_exhausts_retries_and_flushes_the_queue() {
    let silent = Faults { lost: 1, ..Faults::default() };
    let never = |attributes| Attributes { rnr_retries: 2, ..attributes };
    for (faults, attributes, status) in [
        (silent, (|attributes| attributes) as fn(Attributes) -> Attributes, Status::RetryExceeded),
        (Faults::default(), never, Status::RnrRetryExceeded),
    ] {
        let mut ends = Ends::new(1, faults, attributes);
        for i in 0..3 {
            ends.send(0, &message(i, 100), None);
        }
        ends.run(1_000);
        let errors = ends.programs[0].errors.iter().map(|cqe| (cqe.index, cqe.operation, cqe.status));
        // A flushed WQE was never read, so its CQE has operation 0.
        let flushed = Status::Flushed.code();
        let expected = [(0, Operation::Send.code(), status.code()), (1, 0, flushed), (2, 0, flushed)];
        assert_eq!(errors.collect::<Vec<_>>(), expected);
        assert!(ends.programs[1].received.is_empty());
    }
}

#[test]
fn message_longer_than_its_buffer_breaks_the_connection() {
    let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
    ends.post(1);
    ends.send(0, &message(1, BUFFER as usize + 1), None);
    ends.run(300);
    assert_eq!(ends.programs[0].errors[0].status, Status::RemoteInvalidRequest.code());
    assert_eq!(ends.programs[1].errors[0].status, Status::LengthError.code());
    assert!(ends.programs[1].received.is_empty());
    let place = hca::traffic::connection::RECEIVE_BUFFERS.0 + BUFFER;
    assert_eq!(ends.pair.hosts[1].load(place, 16), [0; 16], "nothing is written behind the buffer");
}

#[test]
fn request_without_rights_breaks_the_connection_unsent() {
    for (change, status) in [
        ((|wqe| SendWqe { l_key: 0x605, ..wqe }) as fn(SendWqe) -> SendWqe, Status::ProtectionError),
        (|wqe| SendWqe { length: 0x4000_0001, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { length: 0x8000_000a, ..wqe }, Status::LengthError),
        (|wqe| SendWqe { operation: 0x13, ..wqe }, Status::OperationError),
    ] {
        let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
        let wqe = change(ends.programs[0].request(10));
        ends.programs[0].send_request(&mut ends.pair.hosts[0], &wqe);
        ends.run(50);
        assert_eq!(ends.programs[0].errors[0].status, status.code());
        assert!(ends.pair.wires[0].sent.is_empty());
    }
}

#[test]
fn acknowledgement_half_of_all_numbers_away_is_for_nothing() {
    let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
    ends.pair.wires[1].set_faults(Faults { lost: 1, ..Faults::default() });
    ends.post(1);
    ends.send(0, &message(1, 100), None);
    ends.run(5);
    // PSNs start at 0xff_fff0.
    for (psn, waiting) in [(0x7f, 1), (0xff, 0)] {
        let lrh = [0x00, 0x02, 0x00, 0x01, 0x00, 7, 0x00, 0x02];
        let bth = [PacketKind::Acknowledge.code(), 0x00, 0xff, 0xff, 0, 0, 0, 2, 0, psn, 0xff, 0xf0];
        let aeth = [ACK, 0, 0, 1];
        ends.pair.wires[1].inject_packet(&[&lrh[..], &bth, &aeth].concat());
        ends.run(2);
        assert_eq!(ends.programs[0].waiting(), waiting, "of packet {psn:#x}_fff0");
    }
}

/// Lost packets and late receivers, so that all deadlines matter.
#[test]
fn time_in_ticks_may_come_round() {
    let packets = |now| {
        let mut adapter = Hca::default();
        adapter.retry_timer.now = now;
        let faults = Faults { lost: 4, ..Faults::default() };
        let mut ends = Ends::of(adapter, 1, faults, |attributes| Attributes { timeout: 1, ..attributes });
        for i in 0..8 {
            ends.send(0, &message(i, 1_500), None);
            ends.run(100);
            ends.post(1);
            ends.programs[0].read(&mut ends.pair.hosts[0], 1_500, WINDOW.0);
            ends.run(300);
        }
        assert_eq!((ends.programs[1].received.len(), ends.programs[0].read.len()), (8, 8));
        ends.pair.wires.map(|wire| wire.sent)
    };
    let usual = packets(0);
    for now in [0x7fff_fff0, 0xffff_fff0] {
        assert!(packets(now) == usual, "from tick {now:#x} on");
    }
}

/// On a slow bus, ticks pass between a request and the headers of its packet; before the first request, time
/// stands still.
#[test]
fn deadline_of_a_packet_counts_from_its_headers() {
    let mut ends = Ends::new(1, Faults::default(), |attributes| attributes);
    ends.pair.hosts[0].stalls = 60;
    for i in 0..3 {
        ends.post(1);
        ends.send(0, &message(i, 500), None);
    }
    let mut late = 0;
    for _ in 0..100_000 {
        let adapter = ends.pair.adapters[0].device();
        let (before, now) = (adapter.send_engine, adapter.retry_timer.now);
        ends.pair.step().expect("a model never fails");
        if before.state == State::Header {
            let after = &ends.pair.adapters[0].device().send_engine;
            assert_eq!(after.deadline, now + timeout_ticks(3));
            late += u32::from(after.deadline != before.deadline);
        }
    }
    assert_eq!((late, ends.pair.wires[0].sent.len()), (2, 3));
}
