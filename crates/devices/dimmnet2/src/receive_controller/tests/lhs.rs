//! Tests of LHS: the head of a message goes to the LH Buffer, the rest to the ring (thesis section 7.2).

use super::bench::{Bench, Knobs, Trace};
use super::*;
use crate::receive_controller::head_write::with_flags;

/// Node of the sender in these tests, and word of its AMT entry.
const SENDER: (u16, u16) = (3, 0x20);
/// Start of the sender's ring.
const RING: u32 = 0x3_0000;
/// An envelope: Context, two unused bits, Rank, Tag.
const ENVELOPE: u64 = 0x1234 << 48 | 0x2abc << 32 | 0xdead_beef;

/// A bench with a cleared LH Buffer and a ring for the sender.
fn bench() -> Bench {
    let mut bench = Bench::new(Knobs::default());
    bench.configure_area(false, 1);
    bench.give_entry(SENDER.0, false, SENDER.1);
    bench.set_entry(false, SENDER.1, RING, RING);
    bench.cycles(128);
    bench
}

/// A message of one packet with `count` bytes of data after its envelope.
fn message(count: usize) -> Vec<Line> {
    let first = FirstLine { lflag: true, ..first(Primitive::LhsV1) };
    packet(first, &[0], &[&ENVELOPE.to_le_bytes()[..], &bytes(count)].concat())
}

/// The data in an entry.
fn data(lines: [u64; 8]) -> Vec<u8> {
    lines[2..].iter().flat_map(|line| line.to_le_bytes()).collect()
}

#[test]
fn short_message_stays_in_the_lh_buffer() {
    for count in [0, 1, 7, 8, 47, 48] {
        // A short message needs neither AMT entry nor ring.
        let mut bench = Bench::new(Knobs::default());
        bench.send(message(count));
        bench.cycles(128);
        bench.run();
        assert_eq!(bench.entries.len(), 1);
        let lines = bench.entries[0].lines;
        assert_eq!(lines[0], with_flags(ENVELOPE, true, true), "{count}");
        assert_eq!(lines[1], count as u64);
        assert_eq!(data(lines)[..count], bytes(count));
        assert_eq!((bench.stored(), bench.tails.len()), (0, 0));
        assert_eq!((bench.statuses[0].2, bench.statuses[0].3 >> 32), (0, count as u64 + 8));
    }
}

#[test]
fn long_message_puts_its_rest_into_the_ring() {
    for count in [49, 56, 57, 1000, 2024] {
        let mut bench = bench();
        bench.send(message(count));
        bench.run();
        let lines = bench.entries[0].lines;
        assert_eq!(lines[0], with_flags(ENVELOPE, true, true));
        assert_eq!(lines[1], u64::from(RING) << 32 | count as u64, "Pointer and Size");
        assert_eq!(data(lines), bytes(count)[..48]);
        assert_eq!(bench.memory(RING.into(), count - 48), bytes(count)[48..]);
        assert_eq!(bench.stored(), count - 48);
        let tail = RING + (count as u32 - 48).next_multiple_of(8);
        assert_eq!(bench.tails, [(false, SENDER.1, tail)]);
        assert_eq!((bench.statuses[0].2, bench.statuses[0].3 >> 32), (RING.into(), count as u64 + 8));
    }
}

#[test]
fn vl_is_held_from_the_head_until_the_rest_is_stored() {
    let mut bench = bench();
    bench.send(message(100));
    let trace: Vec<_> = (0..100).map(|_| bench.cycle()).collect();
    let at = |holds: &dyn Fn(&Trace) -> bool| trace.iter().position(holds).expect("it happens");
    let last = |holds: &dyn Fn(&Trace) -> bool| trace.iter().rposition(holds).expect("it happens");
    let room = at(&|t| t.ring == RingState::Hold);
    let valid = at(&|t| t.head == HeadState::Valid);
    let complete = at(&|t| t.head == HeadState::Complete);
    assert!(room < at(&|t| t.lh_write != 0));
    assert!((at(&|t| t.vl_hold == 0b01)..=last(&|t| t.vl_hold == 0b01)).contains(&valid));
    assert_eq!(last(&|t| t.vl_hold == 0b01), at(&|t| t.write_done), "until the rest is stored");
    assert!(complete < at(&|t| t.word), "the rest follows the head");
    assert!(at(&|t| t.write_done) < at(&|t| t.tail_write));
    assert!(at(&|t| t.tail_write) <= at(&|t| t.status_enable));
    assert_eq!(bench.statuses.len(), 1);
}

#[test]
fn sixty_three_heads_fill_the_lh_buffer() {
    let mut bench = bench();
    bench.reads_heads = false;
    for _ in 0..65 {
        bench.send(message(60));
    }
    bench.cycles(20_000);
    assert_eq!((bench.entries.len(), bench.main()), (63, Room));
    let trace = bench.cycle();
    assert!(
        trace.vl_hold == 0 && trace.storer == Storer::Idle && !trace.write_right_request,
        "it holds nothing"
    );
    bench.reads_heads = true;
    bench.run();
    let numbers: Vec<_> = bench.entries.iter().map(|entry| entry.number).collect();
    assert_eq!(numbers[60..], [60, 61, 62, 63, 0]);
    assert_eq!(bench.entries[63].lines[0], with_flags(ENVELOPE, true, true));
    assert_eq!(bench.entries[64].lines[0], with_flags(ENVELOPE, false, false), "the second pass inverts");
    assert_eq!(bench.received, [65, 0]);
}

#[test]
fn full_ring_delays_the_entry_and_holds_no_vl() {
    let mut bench = bench();
    bench.set_entry(false, SENDER.1, RING + 8, RING);
    bench.send(message(60));
    for _ in 0..300 {
        let trace = bench.cycle();
        assert!(trace.vl_hold == 0 && trace.lh_write == 0 && !trace.write_right_request);
    }
    bench.set_entry(false, SENDER.1, RING, RING);
    bench.run();
    assert_eq!((bench.entries.len(), bench.received), (1, [1, 0]));
}

#[test]
fn message_of_several_packets_has_one_head() {
    let mut bench = bench();
    let message = [&ENVELOPE.to_le_bytes()[..], &bytes(292)].concat();
    let third = ThirdLine { total_transfer_size: 300, stride_list: 0 }.bits();
    for (sent, end, eflag) in [(0, 104, false), (104, 208, false), (208, 300, true)] {
        let first = FirstLine { lflag: true, hflag: true, eflag, ..first(Primitive::Ipush) };
        let second = SecondLine::writing(sent as u32, 0).bits();
        bench.send(packet(first, &[second, third], &message[sent..end]));
    }
    bench.run();
    assert_eq!(bench.entries.len(), 1);
    assert_eq!(bench.entries[0].lines[1], u64::from(RING) << 32 | 292);
    assert_eq!(bench.memory(RING.into(), 244), message[56..]);
    let status = bench.statuses[0];
    assert_eq!((bench.statuses.len(), status.2, status.3 >> 32), (1, RING.into(), 300));
    assert_eq!(bench.received, [3, 0]);
}

#[test]
fn message_whose_rest_has_no_ring_is_refused() {
    let mut bench = bench();
    bench.configure_area(false, 0);
    bench.send(message(60));
    bench.send(message(40));
    bench.run();
    assert_eq!((bench.overruns, bench.received, bench.entries.len()), ([1, 0], [1, 0], 1));
    assert_eq!((bench.statuses.len(), bench.stored()), (1, 0));
}

#[test]
fn packet_without_data_makes_no_entry() {
    for (packet_size, words) in [(16, 2), (24, 2), (16, 5), (15, 3)] {
        let mut bench = bench();
        let first = FirstLine { lflag: true, packet_size, ..first(Primitive::LhsV1) };
        let mut packet = vec![first.bits()];
        packet.resize(words, 0);
        bench.send(lines(&packet));
        bench.send(message(8));
        bench.run();
        assert_eq!((bench.received, bench.entries.len()), ([2, 0], 1), "{packet_size} {words}");
        assert_eq!(bench.entries[0].number, 0);
    }
}

#[test]
fn first_line_within_the_head_withdraws_the_entry() {
    for count in [24, 100] {
        for broken in 2..9 {
            let mut bench = bench();
            let mut packet = message(count);
            if broken >= packet.len() - 1 {
                continue;
            }
            packet[broken].id = FIRST;
            bench.send(packet);
            bench.run();
            assert_eq!(bench.lh_lines(false, 0)[0] >> 46 & 0b11, 0, "{count} {broken}");
            assert_eq!((bench.entries.len(), bench.stored(), bench.tails.len()), (0, 0, 0));
            assert_eq!(bench.conditions, [(false, ReceiveCondition::ReceiveOverlap.code())]);
            bench.send(message(count));
            bench.run();
            assert_eq!((bench.entries.len(), bench.entries[0].number), (1, 0));
            assert_eq!(bench.entries[0].lines[0], with_flags(ENVELOPE, true, true));
        }
    }
}

#[test]
fn first_line_within_the_rest_keeps_the_head() {
    let mut bench = bench();
    let mut packet = message(100);
    packet[10].id = FIRST;
    bench.send(packet);
    bench.run();
    assert_eq!((bench.entries.len(), bench.tails.len(), bench.statuses.len()), (1, 0, 0));
    assert_eq!(bench.conditions, [(false, ReceiveCondition::ReceiveOverlap.code())]);
}

#[test]
fn lhs_v1_and_lhs_v2_are_received_alike() {
    for primitive in [Primitive::Ipush, Primitive::LhsV1, Primitive::LhsV2] {
        let mut bench = bench();
        let mut packet = message(20);
        packet[0].data = FirstLine { otype: primitive.code(), ..FirstLine::from_bits(packet[0].data) }.bits();
        bench.send(packet);
        bench.run();
        assert_eq!((bench.entries.len(), bench.statuses[0].3 as u8 & 0x1f), (1, primitive.code()));
    }
}
