//! Several RDMA READs of a reliable connection: they overlap up to their number, end in order and go back together; those
//! of the peer are answered one after the other. The monitor judges each packet.

use hca::contexts::{Attributes, OUTSTANDING, Reader};
use hca::layout::PacketKind::{Acknowledge, ReadFirst, ReadLast, ReadOnly, ReadRequest, SendOnly};
use hca::layout::{Operation, SendWqe, Status};
use hca::protocol::responder::NAK;
use hca::registers::Doorbell;
use hca::traffic::connection::{WINDOW, WINDOW_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::wire::Faults;

use crate::alone::{Alone, PSN, QPNS};
use crate::{Ends, message};

/// Bytes of two packets.
const TWO: u32 = 300;
/// RDMA READs that may be outstanding in these tests.
const READS: u8 = 3;

/// An adapter without time-outs, with a ring of 32 places.
fn wide() -> Alone {
    Alone::new(1, |attributes| Attributes { timeout: 0, send_log: 5, reads: READS, ..attributes })
}

/// Such an adapter that has begun the first of `posted` RDMA READs of two packets.
fn reading(posted: usize) -> Alone {
    let mut alone = wide();
    alone.request(&vec![read_of(&alone, TWO); posted]);
    alone.run(30);
    alone
}

fn read_of(alone: &Alone, bytes: u32) -> SendWqe {
    SendWqe { address: 0x1_0003, ..alone.program.remote(Operation::RdmaRead, bytes, WINDOW.0) }
}

/// The data of a READ of two packets arrive; PSNs count from the first one.
fn answer(alone: &mut Alone, psn: u32) {
    alone.inject(&Alone::packet(ReadFirst, PSN + psn).answer(0x1f, 1).data(&[7; 256]));
    alone.inject(&Alone::packet(ReadLast, PSN + psn + 1).answer(0x1f, 1).data(&[8; 44]));
    alone.run(20);
}

/// A request of the peer for an RDMA READ.
fn request(psn: u32, length: u32) -> Packet {
    Alone::packet(ReadRequest, PSN.wrapping_add(psn)).remote(WINDOW.0.into(), WINDOW_KEY, length)
}

fn reader(alone: &Alone) -> Reader {
    alone.device().readers.words()[usize::from(QPNS.1)]
}

/// PSNs of data that have left, and syndromes of NAKs, in order.
fn data(alone: &mut Alone) -> Vec<(u32, Option<u8>)> {
    let left = alone.left().into_iter();
    let nak = |kind: u8, answer: Option<(u8, u32)>| answer.filter(|_| kind == Acknowledge.code());
    left.map(|left| (left.psn.wrapping_sub(PSN), nak(left.kind, left.answer).map(|(code, _)| code))).collect()
}

#[test]
fn as_many_reads_overlap_as_the_host_allows() {
    for (reads, expected) in [(0, 1), (1, 1), (READS, 3), (16, 16), (31, 16)] {
        let mut alone =
            Alone::new(1, |attributes| Attributes { timeout: 0, send_log: 5, reads, ..attributes });
        let wqe = read_of(&alone, TWO);
        alone.request(&[wqe; 20]);
        alone.run(60);
        let psns: Vec<_> = (0..expected).map(|i| 2 * i).collect();
        assert_eq!((alone.numbers(), alone.under_way().0), (psns, expected as u8), "{reads}");
    }
}

#[test]
fn data_end_reads_in_order_and_the_next_one_begins() {
    let mut alone = wide();
    let wqe = read_of(&alone, TWO);
    let silent = SendWqe { signalled: false, ..wqe };
    alone.request(&[wqe, silent, read_of(&alone, 0), wqe]);
    alone.run(30);
    assert_eq!((alone.numbers(), alone.under_way()), (vec![0, 2, 4], (3, 3)));
    // Data of a later one are ignored.
    answer(&mut alone, 2);
    assert_eq!((alone.program.done, alone.under_way()), (0, (3, 3)));
    answer(&mut alone, 0);
    assert_eq!((alone.program.done, alone.numbers()), (1, vec![5]));
    answer(&mut alone, 2);
    assert_eq!((alone.requester().consumed, alone.under_way()), (2, (2, 2)));
    alone.inject(&Alone::packet(ReadOnly, PSN + 4).answer(0x1f, 1));
    alone.run(10);
    answer(&mut alone, 5);
    assert_eq!((alone.program.done, alone.under_way()), (4, (0, 0)));
    assert_eq!(alone.program.read.iter().map(Vec::len).collect::<Vec<_>>(), [300, 0, 300]);
    assert!(alone.failed().is_empty());
}

#[test]
fn answer_to_a_later_read_ends_none_before_it() {
    let mut alone = reading(3);
    alone.left();
    // An ACK, NAKs for good, and a NAK for a gap, which goes back to the oldest one.
    for syndrome in [0x1f, NAK | 1, NAK | 2, NAK | 3] {
        alone.hear(4, syndrome);
        assert_eq!((alone.program.done, alone.numbers()), (0, vec![]), "{syndrome:#x}");
    }
    assert!(!alone.requester().failed);
    alone.hear(4, NAK);
    assert_eq!((alone.program.done, alone.numbers()), (0, vec![0, 2, 4]));
    assert_eq!(alone.restarts().naks, 1);
}

#[test]
fn refused_read_flushes_later_ones() {
    let mut alone = reading(4);
    answer(&mut alone, 0);
    alone.hear(2, NAK | 2);
    let flushed = Status::Flushed.code();
    assert_eq!(alone.failed(), [Status::RemoteAccess.code(), flushed, flushed]);
    assert_eq!((alone.program.done, alone.under_way()), (4, (0, 0)));
}

#[test]
fn time_out_requests_the_rest_of_the_oldest_and_all_others() {
    let mut alone =
        Alone::new(1, |attributes| Attributes { send_log: 5, timeout: 4, reads: READS, ..attributes });
    let wqe = read_of(&alone, TWO);
    alone.request(&[wqe; 3]);
    alone.run(10);
    alone.inject(&Alone::packet(ReadFirst, PSN).answer(0x1f, 1).data(&[7; 256]));
    // Time-out code 4 is 65.536 us. The monitor compares what is sent again with what it was.
    alone.run(105);
    assert_eq!((alone.program.done, alone.numbers()), (0, vec![0, 2, 4, 1, 2, 4]));
    assert_eq!(alone.restarts().timeouts, 1);
    // Late data of the first requests are taken.
    alone.inject(&Alone::packet(ReadOnly, PSN + 1).answer(0x1f, 1).data(&[8; 44]));
    answer(&mut alone, 2);
    answer(&mut alone, 4);
    assert_eq!((alone.program.done, alone.under_way()), (3, (0, 0)));
}

#[test]
fn requests_of_another_kind_wait_for_all_reads() {
    for operation in [Operation::Send, Operation::FetchAdd] {
        let mut alone = wide();
        let (read, send) = (read_of(&alone, TWO), alone.message(8));
        let other = match operation {
            Operation::Send => send,
            _ => SendWqe { address: 0x1_0003, ..alone.program.remote(operation, 8, WINDOW.0) },
        };
        alone.request(&[read, read, other]);
        alone.run(30);
        assert_eq!((alone.numbers(), alone.under_way()), (vec![0, 2], (2, 2)));
        assert!(alone.requester().held);
        answer(&mut alone, 0);
        assert!(alone.numbers().is_empty(), "{operation:?} waits for all");
        answer(&mut alone, 2);
        assert_eq!((alone.numbers(), alone.under_way()), (vec![4], (1, 1)));
    }
}

#[test]
fn reads_of_the_peer_are_answered_one_after_the_other() {
    let mut alone = wide();
    [0, 3, 6, 7].into_iter().zip([600, 600, 0, 600]).for_each(|(psn, length)| {
        alone.inject(&request(psn, length));
    });
    alone.wait(60);
    assert_eq!(data(&mut alone), (0..10).map(|psn| (psn, None)).collect::<Vec<_>>());
    assert!(!reader(&alone).active && reader(&alone).waiting == 0);
}

#[test]
fn read_without_a_place_is_dropped_and_its_successor_is_a_gap() {
    let mut alone = wide();
    let length = WINDOW.1;
    let packets = length.div_ceil(256);
    (0..18).for_each(|i| alone.inject(&request(packets * i, length)));
    alone.wait(40);
    let most = OUTSTANDING as u32;
    assert_eq!(usize::from(reader(&alone).waiting), OUTSTANDING - 1);
    assert_eq!(alone.responder().psn, (PSN + packets * most) & 0xff_ffff);
    assert!(alone.responder().refused && alone.responder().answer);
    alone.wait(9_000);
    let mut expected: Vec<_> = (0..packets * most).map(|psn| (psn, None)).collect();
    expected.push((packets * most, Some(NAK)));
    assert_eq!(data(&mut alone), expected);
}

#[test]
fn read_without_a_right_is_refused_behind_those_before_it() {
    let mut alone = wide();
    alone.inject(&request(0, 3_000));
    let denied = Alone::packet(ReadRequest, PSN + 12).remote(WINDOW.0.into(), 0x999, 8);
    alone.inject(&denied);
    alone.inject(&request(13, 8));
    alone.wait(60);
    let mut expected: Vec<_> = (0..12).map(|psn| (psn, None)).collect();
    expected.push((12, Some(NAK | 2)));
    assert_eq!(data(&mut alone), expected);
    assert!(alone.responder().failed);
}

#[test]
fn read_that_kills_the_queue_leaves_those_that_wait() {
    let mut alone = wide();
    // 40 packets each.
    alone.inject(&request(0, 10_000));
    alone.inject(&request(40, 10_000));
    alone.wait(12);
    assert_eq!(reader(&alone).waiting, 1);
    alone.host().ring(Doorbell::ReceiveBell, QPNS.1, 1_000, false);
    alone.inject(&request(80, 8));
    alone.wait(300);
    assert!(alone.responder().dead);
    assert_eq!(data(&mut alone), (0..80).map(|psn| (psn, None)).collect::<Vec<_>>());
}

#[test]
fn repeated_reads_take_the_place_of_what_was_to_be_sent() {
    let mut alone = wide();
    let long = 20_000;
    let packets = u32::from(20_000u16.div_ceil(256));
    alone.inject(&request(0, long));
    alone.inject(&request(packets, long));
    alone.wait(12);
    let before = data(&mut alone);
    assert!(before.len() < packets as usize, "data are still to be sent");
    // The first one from its third packet on, then the second one.
    alone.inject(&request(2, long - 512));
    alone.inject(&request(packets, long));
    alone.wait(300);
    let all: Vec<_> = data(&mut alone).into_iter().map(|(psn, _)| psn).collect();
    let again = all.iter().rposition(|psn| *psn == 2).expect("it is read again");
    assert_eq!(all[again..], (2..2 * packets).collect::<Vec<_>>());
}

#[test]
fn send_queue_goes_between_reads_of_the_peer() {
    let mut alone = wide();
    (0..4).for_each(|i| alone.inject(&request(20 * i, 5_000)));
    alone.wait(12);
    alone.send(b"between");
    alone.wait(200);
    let kinds: Vec<_> = alone.left().iter().map(|left| left.kind).collect();
    let at = kinds.iter().position(|kind| *kind == SendOnly.code()).expect("it is sent");
    assert!((20..80).contains(&at), "{at}");
}

#[test]
fn reads_bring_their_bytes_over_a_bad_cable() {
    for seed in 1..5 {
        let mut ends = Ends::new(seed, Faults { lost: 8, damaged: 12, cut: 16 }, |attributes| Attributes {
            timeout: 1,
            reads: 8,
            ..attributes
        });
        ends.pair.hosts[1].store(WINDOW.0, &message(5, 9_000));
        let place = |i: usize| (WINDOW.0 + 700 * i as u32, 1_500 + 37 * i);
        for i in 0..8 {
            let (from, bytes) = place(i);
            ends.programs[0].read(&mut ends.pair.hosts[0], bytes as u32, from);
        }
        for _ in 0..300 {
            if ends.programs[0].waiting() != 0 {
                ends.run(50);
            }
        }
        assert!(ends.programs[0].errors.is_empty(), "seed {seed}");
        let expected: Vec<_> = (0..8).map(|i| message(5, 9_000)[700 * i..][..place(i).1].to_vec()).collect();
        assert!(ends.programs[0].read == expected, "seed {seed}");
        assert!(ends.pair.wires.iter().any(|wire| wire.losses > 2), "seed {seed}");
    }
}
