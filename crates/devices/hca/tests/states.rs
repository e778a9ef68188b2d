use hca::contexts::{Attributes, PairState, Report};
use hca::layout::{PacketKind, RECEIVED, Status};
use hca::registers::{Doorbell, cause};
use hca::traffic::datagrams::Datagrams;
use hca::traffic::host::Cqe;
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;
use hdl::Bits;

use crate::alone::{Alone, PSN, QPNS};
use crate::{PEER, adapters, run};

fn in_state(attributes: Attributes, state: PairState) -> Attributes {
    Attributes { state: state.code(), ..attributes }
}

/// A connection whose queue pair is set up in a state.
fn set_up(state: PairState) -> Alone {
    Alone::new(1, |attributes| in_state(attributes, state))
}

/// The host changes the state of the queue pair.
fn change(alone: &mut Alone, state: PairState) {
    let attributes = in_state(alone.program.attributes, state);
    alone.host().change_pair(QPNS.1, attributes);
    alone.run(40);
}

/// A SEND of 8 bytes arrives.
fn arrive(alone: &mut Alone, number: u32) {
    let packet = Alone::packet(PacketKind::SendOnly, PSN + number).data(&[0x5a; 8]);
    alone.inject(&Packet { asks: true, ..packet });
    alone.run(10);
}

/// The progress of the queue pair, as the host reads it.
fn report(alone: &mut Alone) -> Report {
    alone.host().request_report(QPNS.1);
    alone.run(40);
    let words = alone.device().host_port.staging_low;
    Report::take(&[words as u64, (words >> 64) as u64], 0, Report::WIDTH)
}

/// Statuses of flushed WQEs: of the send queue, and of the receive queue.
fn flushed(alone: &Alone) -> [usize; 2] {
    let flushed = alone.program.errors.iter().filter(|cqe| cqe.status == Status::Flushed.code());
    let (receives, sends): (Vec<Cqe>, Vec<Cqe>) = flushed.partition(|cqe| cqe.operation & RECEIVED != 0);
    assert!(receives.windows(2).all(|cqes| cqes[1].index == cqes[0].index + 1));
    [sends.len(), receives.len()]
}

#[test]
fn packets_are_dropped_before_the_pair_is_ready_to_receive() {
    for state in [PairState::Reset, PairState::Init] {
        let mut alone = set_up(state);
        alone.post();
        alone.send(b"too early");
        arrive(&mut alone, 0);
        assert_eq!(alone.device().receive_engine.counts.unknown_qp, 1, "{state:?}");
        assert_eq!((alone.left(), alone.program.received.len()), (vec![], 0), "{state:?}");
        assert_eq!(report(&mut alone).state, state.code());
    }
}

#[test]
fn queue_pair_ready_to_receive_answers_and_sends_no_request() {
    let mut alone = set_up(PairState::ReadyToReceive);
    (0..3).for_each(|_| alone.post());
    arrive(&mut alone, 0);
    alone.send(b"too early");
    arrive(&mut alone, 1);
    assert_eq!(alone.program.received.len(), 2);
    assert_eq!(alone.left().iter().map(|left| left.kind).collect::<Vec<_>>(), [0x11, 0x11]);
    assert_eq!(report(&mut alone).receive_psn, PSN + 2);
    // The send queue begins with the PSN that the host names now, and the receive queue goes on.
    let ready =
        Attributes { send_psn: 0x12_3456, ..in_state(alone.program.attributes, PairState::ReadyToSend) };
    alone.host().start_sends(QPNS.1, ready);
    alone.run(40);
    alone.host().ring(Doorbell::SendBell, QPNS.1, 1, false);
    alone.run(10);
    let sent = alone.left();
    assert_eq!((sent.len(), sent[0].psn), (1, 0x12_3456));
    arrive(&mut alone, 2);
    assert_eq!(alone.program.received.len(), 3);
    let progress = report(&mut alone);
    assert_eq!((progress.state, progress.outstanding), (PairState::ReadyToSend.code(), true));
    assert_eq!((progress.send_psn, progress.receive_psn), (0x12_3457, PSN + 3));
    assert_eq!((progress.sends, progress.receives), (0, 3));
}

#[test]
fn error_state_flushes_both_queues_and_drops_packets() {
    let mut alone = set_up(PairState::ReadyToSend);
    (0..3).for_each(|_| alone.post());
    // One request is outstanding, one waits.
    alone.send(b"outstanding");
    alone.send(b"waiting");
    alone.run(10);
    change(&mut alone, PairState::Error);
    assert_eq!(flushed(&alone), [2, 3]);
    alone.left();
    arrive(&mut alone, 0);
    alone.inject(&Alone::acknowledge(PSN, 0x1f));
    alone.run(10);
    assert_eq!(alone.device().receive_engine.counts.unknown_qp, 2);
    // WQEs that are posted later are flushed, too, and nothing leaves.
    alone.post();
    alone.run(10);
    alone.send(b"too late");
    alone.run(10);
    assert_eq!((flushed(&alone), alone.left()), ([3, 4], vec![]));
    let progress = report(&mut alone);
    assert_eq!((progress.state, progress.outstanding), (PairState::Error.code(), false));
    // Set up anew, the queue pair works.
    let ready = Alone::attributes();
    alone.host().set_pair(QPNS.1, ready);
    alone.run(40);
    assert_eq!(report(&mut alone).state, PairState::ReadyToSend.code());
    alone.host().ring(Doorbell::ReceiveBell, QPNS.1, 1, false);
    alone.run(10);
    assert_eq!(flushed(&alone), [3, 4]);
    arrive(&mut alone, 0);
    assert_eq!(alone.program.received.len(), 1);
}

#[test]
fn failure_of_one_queue_flushes_the_other_one() {
    // A NAK for good; a packet that is malformed.
    for refuses in [false, true] {
        let mut alone = set_up(PairState::ReadyToSend);
        (0..2).for_each(|_| alone.post());
        alone.send(b"refused");
        alone.run(10);
        alone.left();
        if refuses {
            alone.inject(&Alone::packet(PacketKind::SendMiddle, PSN).data(&[0x5a; 8]));
        } else {
            alone.inject(&Alone::acknowledge(PSN, 0x61));
        }
        alone.run(30);
        assert_eq!(report(&mut alone).state, PairState::Error.code());
        let answers: Vec<_> = alone.answers().iter().map(|answer| answer.1).collect();
        assert_eq!(answers, if refuses { vec![0x61] } else { vec![] });
        assert_eq!(flushed(&alone), [usize::from(refuses), 2]);
        assert_ne!(alone.device().events.causes & cause::QUEUE_PAIR, 0);
        arrive(&mut alone, 0);
        assert_eq!((alone.program.received.len(), alone.left()), (0, vec![]));
        // A change of attributes does not repair it.
        change(&mut alone, PairState::ReadyToSend);
        assert_eq!(report(&mut alone).state, PairState::Error.code());
    }
}

#[test]
fn drained_queue_ends_its_requests_and_begins_none() {
    let mut alone = set_up(PairState::ReadyToSend);
    alone.post();
    alone.send(b"outstanding");
    alone.send(b"outstanding");
    alone.run(10);
    change(&mut alone, PairState::Drained);
    alone.send(b"waiting");
    let progress = report(&mut alone);
    assert_eq!((progress.state, progress.outstanding), (PairState::Drained.code(), true));
    alone.inject(&Alone::acknowledge(PSN, 0x1f));
    alone.run(20);
    assert!(alone.program.waiting() == 2 && report(&mut alone).outstanding);
    alone.inject(&Alone::acknowledge(PSN + 1, 0x1f));
    alone.run(20);
    assert_eq!(alone.program.waiting(), 1);
    assert!(!report(&mut alone).outstanding);
    alone.left();
    arrive(&mut alone, 0);
    assert_eq!(alone.program.received.len(), 1);
    assert_eq!(alone.left().iter().map(|left| left.kind).collect::<Vec<_>>(), [0x11]);
    change(&mut alone, PairState::ReadyToSend);
    assert_eq!(alone.left().iter().map(|left| left.psn).collect::<Vec<_>>(), [PSN + 2]);
}

#[test]
fn doorbell_beyond_the_ring_is_not_flushed() {
    for (doorbell, flushes) in [(Doorbell::SendBell, [0, 2]), (Doorbell::ReceiveBell, [1, 0])] {
        let mut alone = set_up(PairState::ReadyToReceive);
        (0..2).for_each(|_| alone.post());
        alone.send(b"flushed");
        alone.host().ring(doorbell, QPNS.1, 1_000, false);
        change(&mut alone, PairState::Error);
        assert_eq!(flushed(&alone), flushes, "{doorbell:?}");
        let progress = report(&mut alone);
        let dead = [progress.sends_dead, progress.receives_dead];
        assert_eq!(dead, [doorbell == Doorbell::SendBell, doorbell == Doorbell::ReceiveBell]);
    }
}

#[test]
fn datagram_queue_pair_is_flushed_by_the_host() {
    let (mut pair, mut programs) = adapters(1, Faults::default());
    let posted = usize::from(programs[1].posted);
    pair.hosts[1].change_pair(PEER, in_state(Datagrams::attributes(), PairState::Error));
    run(&mut pair, 200);
    (0..40).for_each(|_| programs[1].poll(&mut pair.hosts[1]));
    let flushed = &programs[1].errors;
    assert_eq!(flushed.len(), posted);
    assert!(flushed.iter().all(|cqe| cqe.status == Status::Flushed.code() && cqe.pair == PEER));
    programs[0].send(&mut pair.hosts[0], 2, PEER.into(), b"dropped", None);
    run(&mut pair, 30);
    assert_eq!(pair.adapters[1].device().receive_engine.counts.unknown_qp, 1);
}
