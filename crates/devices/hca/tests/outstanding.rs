//! Several outstanding requests of a reliable connection: they overlap, end in order, and go back together. The monitor
//! judges each packet.

use hca::contexts::{Attributes, OUTSTANDING, PairState, Requester};
use hca::layout::{Operation, SendWqe, Status};
use hca::protocol::responder::{ACK, NAK, RNR_NAK};
use hca::send_engine::{In, SendEngine, State};
use hca::traffic::connection::{Connection, WINDOW};
use hca::traffic::datagrams::SEND_RING;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hca::{Hca, layout};
use hdl::{Clocked, Model};

use crate::alone::{Alone, LIDS, PSN, QPNS};

/// Binary logarithm of the places of a ring for more requests than may be outstanding.
const LOG: u8 = 5;
/// Bytes of three packets.
const THREE: usize = 600;

/// An adapter without time-outs, with a ring of 32 places.
fn wide() -> Alone {
    Alone::new(1, |attributes| Attributes { timeout: 0, send_log: LOG, ..attributes })
}

impl Alone {
    /// Puts a request at its place of the ring of 32 places.
    fn put(&mut self, place: u16, wqe: &SendWqe) {
        self.host().put_send(SEND_RING.0, LOG, place, wqe);
    }

    /// Posts requests behind those that were posted before.
    pub fn request(&mut self, wqes: &[SendWqe]) {
        let first = self.program.sent;
        for (place, wqe) in (first..).zip(wqes) {
            self.put(place, wqe);
        }
        self.program.sent = first + wqes.len() as u16;
        let count = self.program.sent;
        self.host().ring(hca::registers::Doorbell::SendBell, QPNS.1, count, false);
    }

    /// A signalled SEND from the first send buffer.
    pub fn message(&self, bytes: usize) -> SendWqe {
        SendWqe { address: 0x1_0003, ..self.program.request(bytes as u32) }
    }

    /// An ACK or NAK arrives and is handled; PSNs count from the first one.
    pub fn hear(&mut self, psn: u32, syndrome: u8) {
        self.inject(&Self::acknowledge(PSN + psn, syndrome));
        self.run(20);
    }

    /// PSNs of the packets that have left, from the first one.
    pub fn numbers(&mut self) -> Vec<u32> {
        self.left().iter().map(|left| left.psn.wrapping_sub(PSN)).collect()
    }

    /// Statuses of failed requests, the oldest first.
    pub fn failed(&self) -> Vec<u8> {
        self.program.errors.iter().map(|cqe| cqe.status).collect()
    }

    /// Outstanding requests, and those whose packets have all been sent.
    pub fn under_way(&self) -> (u8, u8) {
        let Requester { begun, sent, .. } = self.requester();
        (begun, sent)
    }
}

#[test]
fn one_ack_ends_sixteen_requests_in_order() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe; 20]);
    alone.run(40);
    assert_eq!(alone.numbers(), (0..16).collect::<Vec<_>>());
    assert_eq!(alone.under_way(), (16, 16));
    assert_eq!(OUTSTANDING, 16);
    alone.hear(2, ACK);
    assert_eq!((alone.program.done, alone.numbers()), (3, vec![16, 17, 18]));
    alone.hear(18, ACK);
    assert_eq!((alone.program.done, alone.numbers()), (19, vec![19]));
    alone.hear(19, ACK);
    assert_eq!((alone.program.done, alone.under_way()), (20, (0, 0)));
    assert!(alone.failed().is_empty() && !alone.requester().active);
}

#[test]
fn requests_without_completion_end_with_the_others() {
    let mut alone = wide();
    let wqe = alone.message(10);
    let silent = SendWqe { signalled: false, ..wqe };
    alone.request(&[silent, silent, wqe, silent, wqe, silent]);
    alone.run(20);
    alone.hear(5, ACK);
    assert_eq!((alone.program.taken, alone.requester().consumed), (2, 6));
}

#[test]
fn nak_goes_back_over_several_requests() {
    let mut alone = wide();
    let (short, long) = (alone.message(10), alone.message(THREE));
    alone.request(&[short, long, short, short]);
    alone.run(30);
    assert_eq!(alone.numbers(), (0..6).collect::<Vec<_>>());
    // The second packet of the long one is missing: the short one before it is done.
    alone.hear(2, NAK);
    assert_eq!((alone.program.done, alone.numbers()), (1, vec![2, 3, 4, 5]));
    // One of the packets to send again is acknowledged while they leave.
    alone.inject(&Alone::acknowledge(PSN + 4, NAK));
    alone.inject(&Alone::acknowledge(PSN + 5, ACK));
    alone.run(20);
    assert_eq!((alone.program.done, alone.under_way()), (4, (0, 0)));
    assert_eq!(alone.requester().psn, PSN + 6);
}

#[test]
fn answer_that_is_not_defined_ends_nothing() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe; 3]);
    alone.run(20);
    // A reserved type, and a reserved code of a NAK: to a later request, then to the oldest one.
    for syndrome in [2 << 5, NAK | 5] {
        for number in [1, 0] {
            alone.hear(number, syndrome);
            assert_eq!((alone.program.done, alone.under_way()), (0, (3, 3)), "{syndrome:#x} to {number}");
        }
    }
    alone.hear(2, ACK);
    assert_eq!((alone.program.done, alone.under_way()), (3, (0, 0)));
}

#[test]
fn peer_that_is_not_ready_holds_all_later_requests() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe; 3]);
    alone.run(20);
    alone.hear(1, RNR_NAK | 9);
    assert_eq!((alone.program.done, alone.under_way(), alone.numbers()), (1, (2, 0), vec![0, 1, 2]));
    // A request that is posted meanwhile waits, too.
    alone.request(&[wqe]);
    alone.run(100);
    assert!(alone.numbers().is_empty() && alone.requester().waiting);
    alone.run(200);
    assert_eq!(alone.numbers(), [1, 2, 3]);
    alone.hear(3, ACK);
    assert_eq!(alone.program.done, 4);
}

#[test]
fn time_out_goes_back_to_the_oldest_packet_and_its_wqe() {
    let mut alone = Alone::new(1, |attributes| Attributes { send_log: LOG, ..attributes });
    let wqes = [10, THREE, 20].map(|bytes| alone.message(bytes));
    alone.request(&wqes);
    alone.run(30);
    assert_eq!(alone.numbers(), (0..5).collect::<Vec<_>>());
    alone.hear(1, ACK);
    // Time-out code 4 is 65.536 us. The monitor compares what is sent again with what it was.
    alone.run(100);
    assert_eq!((alone.program.done, alone.numbers()), (1, vec![2, 3, 4]));
    assert_eq!(alone.restarts().timeouts, 1);
}

#[test]
fn failure_ends_its_request_and_flushes_later_ones() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe; 5]);
    alone.run(20);
    alone.hear(2, NAK | 2);
    let flushed = Status::Flushed.code();
    assert_eq!(alone.failed(), [Status::RemoteAccess.code(), flushed, flushed]);
    let indices: Vec<_> = alone.program.errors.iter().map(|cqe| cqe.index).collect();
    assert_eq!((indices, alone.program.done), (vec![2, 3, 4], 5));
    assert!(!alone.requester().active && alone.requester().begun == 0);
}

#[test]
fn retries_that_are_exhausted_end_the_oldest_request() {
    let mut alone =
        Alone::new(1, |attributes| Attributes { send_log: LOG, retries: 1, timeout: 2, ..attributes });
    let wqe = alone.message(10);
    alone.request(&[wqe; 3]);
    alone.run(200);
    let flushed = Status::Flushed.code();
    assert_eq!(alone.failed(), [Status::RetryExceeded.code(), flushed, flushed]);
    assert_eq!(alone.numbers(), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn rdma_read_and_atomic_operation_are_outstanding_alone() {
    for (operation, bytes) in [(Operation::RdmaRead, 300), (Operation::FetchAdd, 8)] {
        let mut alone = wide();
        let send = alone.message(10);
        let alone_only = SendWqe { address: 0x1_0003, ..alone.program.remote(operation, bytes, WINDOW.0) };
        alone.request(&[send, send, alone_only, send]);
        alone.run(30);
        assert_eq!((alone.numbers(), alone.under_way()), (vec![0, 1], (2, 2)));
        assert!(alone.requester().held);
        alone.hear(0, ACK);
        assert!(alone.numbers().is_empty(), "{operation:?} waits for all before it");
        alone.hear(1, ACK);
        assert_eq!((alone.numbers(), alone.under_way()), (vec![2], (1, 1)));
        assert!(!alone.requester().held);
        alone.run(30);
        assert!(alone.numbers().is_empty(), "nothing begins behind it");
    }
}

#[test]
fn invalid_request_fails_when_those_before_it_are_done() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe, wqe, SendWqe { l_key: 0, ..wqe }, wqe]);
    alone.run(30);
    assert_eq!((alone.numbers(), alone.program.done), (vec![0, 1], 0));
    alone.hear(0, ACK);
    assert!(alone.failed().is_empty() && alone.program.done == 1);
    alone.hear(1, ACK);
    assert_eq!(alone.failed(), [Status::ProtectionError, Status::Flushed].map(Status::code));
    assert_eq!((alone.program.done, alone.numbers()), (4, vec![]));
}

#[test]
fn wqe_that_changes_is_refused_when_it_is_the_oldest() {
    for (place, before) in [(0, 0), (2, 2)] {
        let mut alone = wide();
        let wqe = alone.message(10);
        alone.request(&[wqe; 3]);
        alone.run(20);
        alone.left();
        alone.put(place, &SendWqe { length: 11, ..wqe });
        alone.hear(0, NAK);
        let sent: Vec<_> = (0..u32::from(place)).collect();
        assert_eq!((alone.numbers(), alone.program.done), (sent, if place == 0 { 3 } else { 0 }));
        if before > 0 {
            alone.hear(before - 1, ACK);
        }
        let mut expected = vec![Status::LengthError.code()];
        expected.resize(3 - usize::from(place), Status::Flushed.code());
        assert_eq!(alone.failed(), expected);
    }
}

#[test]
fn queue_pair_in_the_error_state_flushes_what_is_outstanding() {
    let mut alone = wide();
    let wqe = alone.message(10);
    alone.request(&[wqe; 4]);
    alone.run(20);
    let attributes = Attributes { timeout: 0, send_log: LOG, ..Alone::attributes() };
    alone.host().change_pair(QPNS.1, Attributes { state: PairState::Error.code(), ..attributes });
    alone.run(60);
    assert_eq!(alone.failed(), [Status::Flushed.code(); 4]);
}

#[test]
fn numbers_of_wqes_and_packets_wrap_with_requests_outstanding() {
    let mut alone = Alone::new(1, |attributes| Attributes {
        timeout: 0,
        send_log: LOG,
        send_psn: 0xff_fffe,
        ..attributes
    });
    let wqe = alone.message(10);
    let number = |i: u32| 0xff_fffe_u32.wrapping_add(i) & 0xff_ffff;
    for round in 0..5 {
        alone.request(&[wqe; 16]);
        alone.run(40);
        let psns: Vec<_> = alone.left().iter().map(|left| left.psn).collect();
        assert_eq!(psns, (0..16).map(|i| number(16 * round + i)).collect::<Vec<_>>());
        alone.inject(&Alone::acknowledge(number(16 * round + 15), ACK));
        alone.run(30);
        assert_eq!(u32::from(alone.program.done), 16 * (round + 1));
    }
}

/// Microseconds until `count` messages are complete, posted at once or one after the other.
fn time(count: u16, at_once: bool) -> u64 {
    let mut pair = Pair::new([0, 1].map(|_| Model::new(Hca::default())), 1, Faults::default());
    let lids = [LIDS.1, LIDS.0];
    let mut programs = [0, 1].map(|end: usize| {
        let attributes = Attributes { timeout: 10, ..Connection::attributes(lids[1 - end], QPNS.1.into()) };
        Connection::new(&mut pair.hosts[end], lids[end], QPNS.1, attributes)
    });
    (0..count).for_each(|_| programs[1].post(&mut pair.hosts[1]));
    let run = |pair: &mut Pair<_>| pair.run_until(1_000_000, |_| false).map(drop).expect("no rule is broken");
    (0..300).for_each(|_| run(&mut pair));
    let most = if at_once { count } else { 1 };
    let mut us = 0;
    while programs[0].done < count {
        while programs[0].sent < count && programs[0].waiting() < most {
            programs[0].send(&mut pair.hosts[0], b"a message", None);
        }
        run(&mut pair);
        us += 1;
        programs[0].poll(&mut pair.hosts[0]);
    }
    us
}

#[test]
fn requests_overlap() {
    let (alone, together) = (time(8, false), time(8, true));
    assert!(together * 3 < alone * 2, "{together} us together, {alone} us one after the other");
    assert_eq!(layout::SEND_WQE_BYTES, 64);
}

#[test]
fn packets_in_flight_are_fewer_than_half_of_all() {
    let state = PairState::ReadyToSend.code();
    for oldest in [0, 0x20_0000, 0xff_ffff] {
        for (flight, begins) in [(0, true), (0x3f_ffff, true), (0x40_0000, false), (0x80_0000, false)] {
            let mut engine = SendEngine { state: State::Look, ..SendEngine::default() };
            let psn = (oldest + flight) & 0xff_ffff;
            let requester =
                Requester { active: true, begun: 1, sent: 1, oldest, psn, ..Requester::default() };
            let attributes = Attributes { state, connected: true, ..Attributes::default() };
            engine.tick(&In { requester, attributes, bell: 2, ..In::default() });
            assert_eq!(engine.begins, begins, "{flight:#x} packets from {oldest:#x} on");
        }
    }
}
