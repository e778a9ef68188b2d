//! Tests of IPUSH: packets that go to the ring of their sender (thesis sections 7.1.4 and 7.1.5, table 7.5).

use super::bench::{Bench, Knobs, Trace};
use super::*;

const KB: u32 = 1024;

/// Node of the sender in these tests, and word of its AMT entry.
const SENDER: (u16, u16) = (3, 0x20);

/// A bench with a ring of 64 KB for the sender in WID 0, with this Head and Tail.
fn bench(head: u32, tail: u32) -> Bench {
    let mut bench = Bench::new(Knobs::default());
    bench.configure_area(false, 1);
    bench.give_entry(SENDER.0, false, SENDER.1);
    bench.set_entry(false, SENDER.1, head, tail);
    bench
}

fn ipush(data: &[u8]) -> Vec<Line> {
    packet(first(Primitive::Ipush), &[0], data)
}

/// Index of the first trace that satisfies `holds`.
fn at(trace: &[Trace], holds: impl Fn(&Trace) -> bool) -> Option<usize> {
    trace.iter().position(holds)
}

#[test]
fn ipush_takes_24_cycles_step_by_step() {
    let mut bench = bench(0x3_0000, 0x3_0000);
    bench.send(ipush(&[1, 2, 3, 4, 5, 6, 7, 8]));
    let trace: Vec<_> = (0..26).map(|_| bench.cycle()).collect();
    let first_at = |holds: &dyn Fn(&Trace) -> bool| at(&trace, holds);
    // Table 7.5, row by row; each number is the cycle in which the row is complete.
    assert_eq!(first_at(&|t| t.packet_start), Some(1), "read request to SWIF");
    assert_eq!(first_at(&|t| t.line.id == FIRST), Some(2), "first header line");
    assert_eq!(first_at(&|t| t.amt_read), Some(2), "AMT Address Table in the same cycle");
    assert_eq!(first_at(&|t| t.main == Header2), Some(3), "second header line");
    assert_eq!(first_at(&|t| t.main == Decode), Some(4), "decoded, Write Unit started");
    assert_eq!(first_at(&|t| t.llcm_read), Some(5), "Head and Tail fetched");
    assert_eq!(first_at(&|t| t.ring == RingState::Start), Some(6), "start computed");
    assert_eq!(first_at(&|t| t.ring == RingState::End), Some(7), "end computed");
    assert_eq!(first_at(&|t| t.ring == RingState::Test), Some(8), "free space tested");
    assert_eq!(first_at(&|t| t.reader == Reader::Compute2), Some(10), "size and address computed");
    assert_eq!(first_at(&|t| t.reader == Reader::Read), Some(11), "read request for the data");
    assert_eq!(first_at(&|t| t.line.id == LAST), Some(12), "data received");
    assert_eq!(first_at(&|t| t.write_right_request), Some(13), "requests the write right");
    assert_eq!(first_at(&|t| t.write_right), Some(14), "the write right is granted");
    let word = first_at(&|t| t.word).expect("a word is written");
    let stored = (word..26).find(|&n| trace[n].sodimm_idle && n > word);
    assert_eq!((word, stored), (15, Some(20)), "writes data");
    assert_eq!(first_at(&|t| t.write_done), Some(21), "handed over");
    assert_eq!(first_at(&|t| t.tail_write), Some(22), "Tail, before the status");
    assert_eq!(first_at(&|t| t.status == Status3::Write2), Some(24), "status written");
    assert_eq!(bench.memory(0x3_0000, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(bench.entry(false, SENDER.1), (0x3_0000, 0x3_0008));
}

#[test]
fn messages_are_stored_in_whole_lines() {
    let mut bench = bench(0x1_0000, 0x1_0000);
    for size in [13, 8, 1, 0, 24] {
        bench.send(ipush(&bytes(size)));
    }
    bench.run();
    let places = [(0x1_0000, 13), (0x1_0010, 8), (0x1_0018, 1), (0x1_0020, 0), (0x1_0020, 24)];
    let statuses: Vec<_> = bench.statuses.iter().map(|&(_, _, upper, lower)| (upper, lower >> 32)).collect();
    assert_eq!(statuses, places.map(|(at, size)| (at, size)));
    for (at, size) in places {
        assert_eq!(bench.memory(at, size as usize), bytes(size as usize));
    }
    assert_eq!(bench.tails.last(), Some(&(false, SENDER.1, 0x1_0038)));
}

#[test]
fn message_wraps_at_the_end_of_the_ring() {
    for (area_size, start) in [(1u16, 0x5_0000u32), (2, 0x6_0000), (16, 0x20_0000)] {
        let size = u32::from(area_size) * 64 * KB;
        for left in [8, 16, 1000, 2032] {
            let tail = start + size - left;
            let mut bench = bench(tail, tail);
            bench.configure_area(false, area_size);
            bench.send(ipush(&bytes(2032)));
            bench.run();
            let mut ring = bench.memory(tail.into(), left as usize);
            ring.extend(bench.memory(start.into(), 2032 - left as usize));
            assert_eq!(ring, bytes(2032));
            assert_eq!(bench.stored(), 2032);
            assert_eq!(bench.tails, [(false, SENDER.1, start + (2032 - left))]);
            assert_eq!(bench.statuses[0].2, tail.into());
        }
    }
}

#[test]
fn table_entries_make_rings_private_or_shared() {
    let mut bench = bench(0, 0);
    bench.configure_area(true, 1);
    for (lid, swid, word) in [(4, false, SENDER.1), (4, true, 0x21), (0x3005, true, 0x21)] {
        bench.give_entry(lid, swid, word);
    }
    bench.set_entry(false, 0x21, 0x1_0000, 0x1_0000);
    bench.set_entry(true, SENDER.1, 0x2_0000, 0x2_0000);
    let from = |dlid, swid, dwid: bool, byte| {
        let first = FirstLine { dlid, swid, dwid, pgid: PGIDS[dwid as usize], ..first(Primitive::Ipush) };
        packet(first, &[0], &[byte; 8])
    };
    for (dlid, swid, dwid, byte) in [
        (3, false, false, 1),
        (4, true, false, 2),
        (4, false, false, 3),
        (0x3005, true, false, 4),
        (3, false, true, 5),
    ] {
        bench.send(from(dlid, swid, dwid, byte));
    }
    bench.run();
    let line = |bench: &Bench, at| bench.memory(at, 8)[0];
    assert_eq!([line(&bench, 0), line(&bench, 8)], [1, 3], "nodes 3 and 4 share a ring");
    assert_eq!([line(&bench, 0x1_0000), line(&bench, 0x1_0008)], [2, 4], "two more share another");
    assert_eq!(line(&bench, 0x1002_0000), 5, "the other process has its own AMT");
    let senders: Vec<_> =
        bench.statuses.iter().map(|&(wid, _, _, lower)| (wid, StatusLower::from_bits(lower).sclid)).collect();
    assert_eq!(senders, [(false, 3), (false, 4), (false, 4), (false, 0x305), (true, 3)]);
}

#[test]
fn full_ring_stalls_without_loss() {
    // The ring has room for one line.
    let mut bench = bench(0x1_0010, 0x1_0000);
    for byte in 1..4 {
        bench.send(ipush(&[byte; 8]));
    }
    bench.cycles(300);
    assert_eq!((bench.statuses.len(), bench.entry(false, SENDER.1).1), (1, 0x1_0008));
    let trace = bench.cycle();
    assert!(!trace.write_right_request && trace.storer == Storer::Idle, "it holds nothing");
    let tail = bench.entry(false, SENDER.1).1;
    bench.set_entry(false, SENDER.1, 0x1_0018, tail);
    bench.cycles(300);
    assert_eq!((bench.statuses.len(), bench.entry(false, SENDER.1).1), (2, 0x1_0010));
    bench.set_entry(false, SENDER.1, 0x1_0010, 0x1_0010);
    bench.run();
    assert_eq!(bench.memory(0x1_0000, 24), [[1; 8], [2; 8], [3; 8]].concat());
    assert_eq!(bench.received, [3, 0]);
}

#[test]
fn room_is_found_four_cycles_after_the_fetch() {
    let mut bench = bench(0x1_0008, 0x1_0000);
    bench.send(ipush(&[7; 8]));
    while bench.cycle().ring != RingState::Test {}
    bench.set_entry(false, SENDER.1, 0x1_0000, 0x1_0000);
    let trace: Vec<_> = (0..40).map(|_| bench.cycle()).collect();
    assert!(trace[0].llcm_read);
    assert_eq!(at(&trace, |t| t.reader == Reader::Compute1), Some(4));
}

#[test]
fn packets_of_a_message_are_contiguous() {
    let mut bench = bench(0x7_fff8, 0x7_fff8);
    let third = ThirdLine { total_transfer_size: 72, stride_list: 0 }.bits();
    for (sent, eflag, size) in [(0, false, 32), (32, false, 32), (64, true, 8)] {
        let first = FirstLine { hflag: true, eflag, ..first(Primitive::Ipush) };
        let second = SecondLine::writing(0x100 + sent, 0x100).bits();
        bench.send(packet(first, &[second, third], &bytes(72)[sent as usize..][..size]));
    }
    bench.run();
    let status = bench.statuses[0];
    assert_eq!((bench.statuses.len(), status.2, status.3 >> 32), (1, 0x7_fff8, 72));
    let mut message = bench.memory(0x7_fff8, 8);
    message.extend(bench.memory(0x7_0000, 64));
    assert_eq!(message, bytes(72));
}

#[test]
fn packet_larger_than_its_ring_is_refused() {
    for (area_size, capacity, tail) in
        [(0, 0, 0), (1, 0, 0x1000_0000), (0x8000, 2, 0), (0x1000, 0, 0x1000_0000 - 8)]
    {
        let mut bench = Bench::new(Knobs { capacity, ..Default::default() });
        bench.configure_area(false, area_size);
        bench.set_entry(false, 0, tail, tail);
        bench.send(ipush(&bytes(24)));
        bench.send(push(0x40, &bytes(8)));
        bench.run();
        let refused = !(area_size == 0x1000 && tail < 0x1000_0000);
        assert_eq!(bench.overruns, [refused as u64, 0], "{area_size} {tail:#x}");
        assert_eq!(bench.received, [2 - refused as u64, 0]);
        assert_eq!((bench.statuses.len(), bench.tails.is_empty()), (2 - refused as usize, refused));
        assert_eq!(bench.memory(0x40, 8), bytes(8));
    }
}

#[test]
fn sender_without_an_entry_uses_word_0() {
    // Software keeps an entry outside the region there, so an unknown sender is refused.
    let mut bench = bench(0, 0);
    bench.set_entry(false, 0, 0xffff_fff8, 0xffff_fff8);
    bench.send(packet(FirstLine { dlid: 77, ..first(Primitive::Ipush) }, &[0], &bytes(16)));
    bench.run();
    assert_eq!((bench.overruns, bench.received, bench.stored()), ([1, 0], [0, 0], 0));
}

#[test]
fn first_line_within_data_leaves_tail_unchanged() {
    let mut bench = bench(0, 0);
    let mut packet = ipush(&bytes(40));
    packet[4].id = FIRST;
    bench.send(packet);
    bench.send(ipush(&[9; 8]));
    bench.run();
    assert_eq!(bench.conditions, [(false, ReceiveCondition::ReceiveOverlap.code())]);
    assert_eq!((bench.tails.as_slice(), bench.received), ([(false, SENDER.1, 8)].as_slice(), [1, 0]));
    assert_eq!(bench.memory(0, 8), [9; 8]);
}
