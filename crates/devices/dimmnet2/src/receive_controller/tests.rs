//! Tests of the receive side: Receive Controller, Write Unit, Request Separator and Status Write Unit
//! together.

mod bench;
mod ipush;
mod lhs;
mod oracle;
mod random;

use std::collections::BTreeSet;

use hdl::StateMachine;

use self::bench::{Bench, Knobs, Ring};
use super::head_write::State as HeadState;
use super::packet_control::State::{self as Main, *};
use super::packet_write::State as Writer;
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::packet::{FirstLine, FourthLine, SecondLine, ThirdLine};
use crate::primitive::Primitive;
use crate::registers::ReceiveCondition;
use crate::status::{StatusLower, StatusUpper};
use crate::status_write_unit::State as Status3;
use crate::write_unit::read_control::State as Reader;
use crate::write_unit::ring::State as RingState;
use crate::write_unit::write_control::State as Storer;

/// Process groups of the two processes in every test.
const PGIDS: [u8; 2] = [5, 0xa5];

/// A first line for WID 0 that requests a status.
fn first(otype: Primitive) -> FirstLine {
    FirstLine { otype: otype.code(), pgid: PGIDS[0], dlid: 3, eflag: true, ..Default::default() }
}

/// A packet of header lines and data with correct identifiers. Packet Size is filled in unless it is set.
fn packet(first: FirstLine, rest: &[u64], data: &[u8]) -> Vec<Line> {
    let size = 8 + 8 * rest.len() + data.len();
    let packet_size = if first.packet_size == 0 { size as u16 } else { first.packet_size };
    let mut words = vec![FirstLine { packet_size, ..first }.bits()];
    words.extend_from_slice(rest);
    for chunk in data.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        words.push(u64::from_le_bytes(bytes));
    }
    lines(&words)
}

/// `words` as the lines of one packet.
fn lines(words: &[u64]) -> Vec<Line> {
    let end = words.len() - 1;
    let id = |n| {
        if n == end {
            LAST
        } else if n == 0 {
            FIRST
        } else {
            MIDDLE
        }
    };
    words.iter().enumerate().map(|(n, &data)| Line { data, id: id(n) }).collect()
}

/// `count` bytes, each different from its neighbours.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|n| (n * 37 + 1) as u8).collect()
}

/// A PUSH packet for WID 0: RVS, contiguous, two header lines.
fn push(dstoff: u32, data: &[u8]) -> Vec<Line> {
    packet(first(Primitive::Rvs), &[SecondLine::writing(dstoff, dstoff).bits()], data)
}

/// Receives one packet without stalls.
fn receive(packet: Vec<Line>) -> Bench {
    let mut bench = Bench::new(Knobs::default());
    bench.send(packet);
    bench.run();
    bench
}

#[test]
fn push_of_24_bytes_takes_the_20_steps_of_table_7_4() {
    let mut bench = Bench::new(Knobs::default());
    bench.send(push(0x40, &[1, 2, 3, 4, 5, 6, 7, 8]));
    let trace: Vec<_> = (0..22).map(|_| bench.cycle()).collect();

    let mut main = vec![Idle, Request, Header1, Header2, Decode];
    main.extend([Memory; 13]);
    main.extend([Status, Idle, Idle, Idle]);
    assert_eq!(trace.iter().map(|t| t.main).collect::<Vec<_>>(), main);

    let mut reader = vec![Reader::Idle; 5];
    reader.extend([Reader::Compute1, Reader::Compute2]);
    reader.extend([Reader::Read; 4]);
    reader.extend([Reader::Idle; 11]);
    assert_eq!(trace.iter().map(|t| t.reader).collect::<Vec<_>>(), reader);

    let mut storer = vec![Storer::Idle; 9];
    storer.extend([Storer::Request, Storer::Request, Storer::Write]);
    storer.extend([Storer::Finish; 5]);
    storer.extend([Storer::Done, Storer::Idle, Storer::Idle, Storer::Idle, Storer::Idle]);
    assert_eq!(trace.iter().map(|t| t.storer).collect::<Vec<_>>(), storer);

    let at = |what: fn(&bench::Trace) -> bool| -> Vec<usize> {
        (0..trace.len()).filter(|&n| what(&trace[n])).collect()
    };
    assert_eq!(at(|t| t.packet_start), [1]);
    assert_eq!(at(|t| t.line.id == FIRST), [2]);
    assert_eq!(at(|t| t.line_next), [2, 7]);
    assert_eq!(at(|t| t.line.id == MIDDLE), [3, 4, 5, 6, 7]);
    assert_eq!(at(|t| t.write_start), [4]);
    assert_eq!(at(|t| t.write_right_request), (9..=16).collect::<Vec<_>>());
    assert_eq!(at(|t| t.write_right)[0], 10);
    assert_eq!(at(|t| t.word), [11]);
    assert_eq!(at(|t| !t.sodimm_idle), [12, 13, 14, 15]);
    assert_eq!(at(|t| t.write_done), [17]);
    assert_eq!(at(|t| t.status_enable), [18]);
    assert_eq!(at(|t| t.status == Status3::Write1), [19]);
    assert_eq!(at(|t| t.status == Status3::Write2), [20]);
    assert_eq!(bench.memory(0x40, 8), [1, 2, 3, 4, 5, 6, 7, 8]);
}

/// An RVSI of `count` 4-byte elements, with DSTOff 0x100 and its list at 0x1004; it ends its transfer.
fn rvsi(count: u8, data: &[u8]) -> Vec<Line> {
    let first = FirstLine { hflag: true, dtype: 2, iteration: count, ..first(Primitive::Rvsi) };
    let third = (0x1004 << 32) | (u64::from(count) * 4);
    packet(first, &[SecondLine::writing(0x100, 0x100).bits(), third], data)
}

#[test]
fn rvsi_stores_elements_at_the_offsets_of_its_list() {
    const PLACES: [u32; 5] = [0x40, 0x1000, 0, 0x44, 0x3d];
    let mut bench = Bench::new(Knobs::default());
    bench.send(push(0x1004, &PLACES.map(u32::to_le_bytes).concat()));
    bench.send(rvsi(5, &bytes(20)));
    bench.run();
    for (element, place) in PLACES.into_iter().enumerate() {
        let place = u64::from(0x100 + place) & !3;
        assert_eq!(bench.memory(place, 4), bytes(20)[4 * element..][..4], "{place:#x}");
    }
    let (_, _, _, lower) = bench.statuses[1];
    assert_eq!((lower >> 32, lower >> 8 & 0xff), (0x1004, 5), "List Address, elements of the transfer");
}

#[test]
fn rvsi_ends_at_the_first_element_without_an_offset() {
    let mut bench = Bench::new(Knobs::default());
    bench.send(push(0x1004, &[0x40u32, 0x80, 0x0fff_ff00, 0xc0].map(u32::to_le_bytes).concat()));
    // The third element lies beyond the region; Iteration of the other packet counts two of four.
    bench.send(rvsi(4, &[1; 16]));
    bench.send(rvsi(2, &[2; 16]));
    bench.run();
    assert_eq!(bench.overruns, [2, 0]);
    assert_eq!((bench.memory(0x140, 4), bench.memory(0x180, 4)), (vec![2; 4], vec![2; 4]));
    assert_eq!(bench.stored(), 16 + 8 + 8);
}

#[test]
fn rvsi_without_data_lines_reads_no_list() {
    let mut bench = Bench::new(Knobs::default());
    bench.send(push(0x1004, &[0x40u32, 0x80].map(u32::to_le_bytes).concat()));
    // Packet Size announces data that does not arrive.
    let mut empty = rvsi(2, &[]);
    empty[0].data |= 32;
    bench.send(empty);
    bench.send(rvsi(2, &[3; 8]));
    bench.run();
    assert_eq!((bench.memory(0x140, 4), bench.memory(0x180, 4)), (vec![3; 4], vec![3; 4]));
    assert_eq!(bench.overruns, [0, 0]);
}

#[test]
fn push_into_a_prefetch_window_takes_11_cycles() {
    let rvs = FirstLine { rflag: true, ..first(Primitive::Rvs) };
    let mut bench = Bench::new(Knobs::default());
    bench.send(packet(rvs, &[SecondLine::writing(0x210, 0x210).bits()], &[9; 8]));
    let trace: Vec<_> = (0..13).map(|_| bench.cycle()).collect();
    let main: Vec<_> = trace.iter().map(|t| t.main).collect();
    let expected =
        [Idle, Request, Header1, Header2, Decode, Local, Local, Local, Local, Status, Idle, Idle, Idle];
    assert_eq!(main, expected);
    let writer: Vec<_> = trace.iter().map(|t| t.writer).collect();
    assert_eq!(writer[5..10], [Writer::Read, Writer::Write, Writer::Write, Writer::Done, Writer::Idle]);
    assert_eq!(trace.iter().position(|t| t.window_write), Some(7));
    assert_eq!(trace.iter().position(|t| t.status == Status3::Write2), Some(11));
    assert_eq!(bench.windows[0x210..0x218], [9; 8]);
}

#[test]
fn push_into_llcm_takes_11_cycles() {
    // The first line is the published one of a 24-byte RVS with lflag.
    let mut bench = Bench::new(Knobs::default());
    bench.send(lines(&[0x4000_0003_0051_4018 | 1 << 60, SecondLine::writing(8, 8).bits(), 0x77]));
    let trace: Vec<_> = (0..13).map(|_| bench.cycle()).collect();
    assert_eq!(trace.iter().position(|t| t.llcm_write), Some(7));
    assert_eq!(trace.iter().position(|t| t.status_enable), Some(9));
    assert_eq!(trace.iter().position(|t| t.status == Status3::Write2), Some(11));
    assert_eq!(bench.llcm[8..16], 0x77u64.to_le_bytes());
}

#[test]
fn published_first_lines_are_received() {
    let without_status = receive(lines(&[0x4000_0003_0051_4018, 0, 1]));
    assert_eq!((without_status.received, without_status.statuses.len()), ([1, 0], 0));
    let second = SecondLine::writing(0x100, 0x100).bits();
    let with_status = receive(lines(&[0x1000_0003_1a51_4018, second, 1]));
    assert_eq!((with_status.received, with_status.statuses.len()), ([0, 1], 1));
    assert_eq!(with_status.memory(0x1000_0100, 8), [1, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn status_describes_sender_data_and_location() {
    let rvs = FirstLine {
        swid: true,
        dlid: 0x1005,
        dtype: 3,
        iteration: 0x55,
        hflag: true,
        ..first(Primitive::Rvs)
    };
    let second = SecondLine::writing(0x2800, 0x2000).bits();
    let third = ThirdLine { total_transfer_size: 0x900, stride_list: 7 }.bits();
    let bench = receive(packet(rvs, &[second, third], &bytes(13)));
    let lower = StatusLower {
        otype: Primitive::Rvs.code(),
        dtype: 3,
        iteration: 0x55,
        swid: true,
        sclid: 0x105,
        eflag: true,
        size_list_stride: 0x80d,
    };
    let upper = StatusUpper { first_address: 0x2000 };
    assert_eq!(bench.statuses, [(false, 0, upper.bits(), lower.bits())]);
    assert_eq!(bench.memory(0x2800, 13), bytes(13));
}

#[test]
fn packet_without_eflag_is_stored_and_counted_without_a_status() {
    let rvs = FirstLine { eflag: false, ..first(Primitive::Rvs) };
    let bench = receive(packet(rvs, &[0], &bytes(8)));
    assert_eq!((bench.received, bench.statuses.len()), ([1, 0], 0));
    assert_eq!(bench.memory(0, 8), bytes(8));
}

#[test]
fn every_offset_and_size_stores_exactly_its_bytes() {
    for offset in [0, 4, 8, 12, 1, 7] {
        for size in 0..40 {
            for (rflag, lflag) in [(false, false), (true, false), (false, true)] {
                let rvs = FirstLine { rflag, lflag, ..first(Primitive::Rvs) };
                let second = SecondLine::writing(0x60 + offset, 0x60).bits();
                let bench = receive(packet(rvs, &[second], &bytes(size)));
                let at = 0x60 + (offset as usize & !3);
                let stored = match (rflag, lflag) {
                    (false, false) => bench.memory(0x40, 0x80),
                    (true, _) => bench.windows[0x40..0xc0].to_vec(),
                    (_, true) => bench.llcm[0x40..0xc0].to_vec(),
                };
                let mut expected = vec![0; 0x80];
                expected[at - 0x40..][..size].copy_from_slice(&bytes(size));
                assert_eq!(stored, expected, "{size} bytes at {at:#x}, {rflag} {lflag}");
                assert_eq!(bench.statuses[0].3 >> 32, u64::from(offset) + size as u64);
            }
        }
    }
}

#[test]
fn long_packet_goes_to_sodimm_at_one_line_per_cycle() {
    let mut bench = Bench::new(Knobs::default());
    bench.send(push(0, &bytes(2032)));
    let trace: Vec<_> = (0..300).map(|_| bench.cycle()).collect();
    let words: Vec<_> = (0..300).filter(|&n| trace[n].word).collect();
    let mut expected = vec![11];
    expected.extend(13..13 + 253);
    assert_eq!(words, expected);
    bench.run();
    assert_eq!(bench.memory(0, 2032), bytes(2032));
}

#[test]
fn data_beyond_an_area_is_cut_and_flagged() {
    let end = 0x1000_0000u32;
    for (rflag, lflag, offset, room) in [
        (false, false, end - 12, 12),
        (false, false, end - 4, 4),
        (false, false, end, 0),
        (true, false, 0x3f8, 8),
        (true, false, 0x1_05fc, 4),
        (false, true, 0x7ff4, 12),
        (false, true, 0x8000, 0),
    ] {
        let rvs = FirstLine { rflag, lflag, dwid: true, pgid: PGIDS[1], ..first(Primitive::Rvs) };
        let second = SecondLine::writing(offset, offset).bits();
        let bench = receive(packet(rvs, &[second], &bytes(20)));
        assert_eq!(bench.overruns, [0, 1], "{offset:#x}");
        assert_eq!(bench.received, [0, 1]);
        assert_eq!(bench.statuses[0].3 >> 32, 20);
        assert_eq!(bench.stored(), room, "{offset:#x}");
        let exact = receive(packet(rvs, &[second], &bytes(room)));
        assert_eq!((exact.overruns, exact.stored()), ([0, 0], room));
    }
}

#[test]
fn region_size_follows_the_capacity() {
    for capacity in 0..6 {
        let mut bench = Bench::new(Knobs { capacity, ..Default::default() });
        let limit = (0x1000_0000u64 << capacity).min(1 << 32);
        let rvs = FirstLine { dwid: true, pgid: PGIDS[1], ..first(Primitive::Rvs) };
        let offset = (limit - 8) as u32;
        bench.send(packet(rvs, &[SecondLine::writing(offset, offset).bits()], &bytes(16)));
        bench.run();
        assert_eq!((bench.overruns, bench.stored()), ([0, 1], 8));
        assert_eq!(bench.memory((0x1000_0000 << capacity) + limit - 8, 8), bytes(8));
    }
}

#[test]
fn smaller_of_packet_size_and_lines_is_stored() {
    for (packet_size, held) in [(0, 24), (16, 0), (15, 0), (1, 0), (17, 1), (29, 13), (40, 24), (4095, 24)] {
        let rvs = FirstLine { packet_size, ..first(Primitive::Rvs) };
        let bench = receive(packet(rvs, &[SecondLine::writing(0, 0).bits()], &bytes(24)));
        assert_eq!((bench.stored(), bench.statuses[0].3 >> 32), (held, held as u64), "{packet_size}");
        assert_eq!(bench.memory(0, held), bytes(held));
    }
}

#[test]
fn packet_of_another_group_is_dropped() {
    for pgid in [PGIDS[0] + 1, PGIDS[1]] {
        let bench = receive(packet(FirstLine { pgid, ..first(Primitive::Rvs) }, &[0], &bytes(64)));
        assert!(bench.untouched());
    }
}

#[test]
fn packet_of_other_types_is_dropped() {
    for code in 0..32 {
        if [0b100, 0b101, 0b110].contains(&(code >> 2)) && code & 3 != 3 {
            continue;
        }
        let bench = receive(packet(FirstLine { otype: code, ..first(Primitive::Rvs) }, &[0], &bytes(64)));
        assert!(bench.untouched(), "type {code}");
    }
}

#[test]
fn remote_request_becomes_a_command_of_the_requester() {
    let third = ThirdLine { total_transfer_size: 0x111, stride_list: 0x222 };
    let fourth = FourthLine { otype: 1, dtype: 3, iteration: 4, stride_list: 0x40 };
    for (primitive, size) in [(Primitive::Rvl, 0x111), (Primitive::Rvls, 0x222), (Primitive::Rvli, 0x222)] {
        for ex in [None, Some(fourth.bits())] {
            let request = FirstLine {
                hflag: true,
                rflag: true,
                swid: true,
                dwid: true,
                pgid: PGIDS[1],
                dlid: 0x3007,
                dtype: 2,
                iteration: 9,
                ..first(primitive)
            };
            let mut rest = vec![SecondLine::reading(0x1000, 0x2000).bits(), third.bits()];
            rest.extend(ex);
            let bench = receive(packet(request, &rest, &[]));
            let lower = crate::Lower {
                otype: primitive.code(),
                dtype: 2,
                iteration: 9,
                dwid: true,
                dclid: 0x307,
                eflag: true,
                size_list_stride: size,
            };
            let upper = crate::Upper { srcoff: 0x1000, dstoff: 0x2000 };
            let request = crate::Request {
                lower: lower.bits(),
                upper: upper.bits(),
                to_prefetch_window: true,
                wid: true,
            };
            assert_eq!(bench.remotes, [(request, ex.unwrap_or(0))]);
            assert_eq!((bench.received, bench.statuses.len()), ([0, 1], 0));
        }
    }
}

#[test]
fn malformed_headers_only_raise_their_condition() {
    use ReceiveCondition::*;
    let rvs = FirstLine { packet_size: 64, ..first(Primitive::Rvs) }.bits();
    let rvs3 = FirstLine { packet_size: 64, hflag: true, ..first(Primitive::Rvs) }.bits();
    let rvl = FirstLine { packet_size: 64, hflag: true, ..first(Primitive::Rvl) }.bits();
    let rvl2 = FirstLine { packet_size: 64, ..first(Primitive::Rvl) }.bits();
    let rvss2 = FirstLine { packet_size: 64, ..first(Primitive::Rvss) }.bits();
    let rvsi2 = FirstLine { rflag: true, packet_size: 64, ..first(Primitive::Rvsi) }.bits();
    let mut middle_first = lines(&[rvs, 0, 1]);
    middle_first[0].id = MIDDLE;
    let overlap = |words: &[u64], at: usize| {
        let mut packet = lines(words);
        packet[at].id = FIRST;
        packet
    };
    for (condition, packet) in [
        (ReceiveHeaderMismatch, lines(&[rvs])),
        (ReceiveHeaderMismatch, middle_first),
        (ReceiveHeaderMismatch, lines(&[rvs3, 0])),
        (ReceiveHeaderMismatch, lines(&[rvl, 0])),
        (ReceiveHeaderMismatch, lines(&[rvl2, 0])),
        (ReceiveHeaderMismatch, lines(&[rvl2, 0, 1, 2])),
        (ReceiveHeaderMismatch, lines(&[rvss2, 0, 1, 2])),
        (ReceiveHeaderMismatch, lines(&[rvsi2, 0, 1, 2])),
        (ReceiveMalformedRvl, lines(&[rvl, 0, 1, 2, 3])),
        (ReceiveMalformedRvl, lines(&[rvl, 0, 1, 2, 3, 4, 5, 6, 7])),
        (ReceiveOverlap, overlap(&[rvs, rvs, 1, 2], 1)),
        (ReceiveOverlap, overlap(&[rvs3, 0, rvs, 2, 3], 2)),
        (ReceiveOverlap, overlap(&[rvl, 0, rvs, 2], 2)),
        (ReceiveOverlap, overlap(&[rvl, 0, 1, rvs, 2], 3)),
        (ReceiveOverlap, overlap(&[rvs, 0, rvs, 2], 2)),
    ] {
        let mut bench = Bench::new(Knobs::default());
        bench.send(packet.clone());
        bench.send(push(0x80, &bytes(8)));
        bench.run();
        assert_eq!(bench.conditions, [(false, condition.code())], "{packet:x?}");
        // The next packet is received normally.
        assert_eq!((bench.received, bench.statuses.len(), bench.stored()), ([1, 0], 1, 8));
        assert_eq!(bench.memory(0x80, 8), bytes(8));
    }
}

#[test]
fn first_line_within_data_ends_the_packet_without_a_status() {
    for (rflag, lflag) in [(false, false), (true, false), (false, true)] {
        for offset in [0x40, 0x44] {
            let rvs = FirstLine { rflag, lflag, ..first(Primitive::Rvs) };
            let mut packet = packet(rvs, &[SecondLine::writing(offset, offset).bits()], &bytes(40));
            packet[4].id = FIRST;
            let bench = receive(packet);
            assert_eq!(bench.conditions, [(false, ReceiveCondition::ReceiveOverlap.code())]);
            assert_eq!((bench.received, bench.statuses.len(), bench.stored()), ([0, 0], 0, 16));
        }
    }
}

#[test]
fn full_status_ring_stalls_without_loss() {
    let mut bench = Bench::new(Knobs::default());
    bench.configure_ring(Ring { wid: false, initial: 0x200, size: 1, reads: false });
    for n in 0..5 {
        bench.send(push(0x100 * n, &bytes(8)));
    }
    bench.cycles(400);
    assert_eq!(bench.statuses.len(), 3);
    assert_eq!((bench.main(), bench.received), (Status, [4, 0]));
    bench.configure_ring(Ring { wid: false, initial: 0x200, size: 1, reads: true });
    bench.cycles(400);
    let slots: Vec<_> = bench.statuses.iter().map(|&(_, address, ..)| address).collect();
    assert_eq!(slots, [0x200, 0x210, 0x220, 0x230, 0x200]);
    let first_addresses: Vec<_> = bench.statuses.iter().map(|&(_, _, upper, _)| upper).collect();
    assert_eq!(first_addresses, [0, 0x100, 0x200, 0x300, 0x400]);
    assert_eq!((bench.main(), bench.received), (Idle, [5, 0]));
}

#[test]
fn full_remote_fifo_stalls_without_loss() {
    let mut bench = Bench::new(Knobs { remote_fifo_full: true, ..Default::default() });
    let rvl = FirstLine { hflag: true, ..first(Primitive::Rvl) };
    bench.send(packet(rvl, &[1, 2, 3], &[]));
    bench.cycles(100);
    assert_eq!((bench.main(), bench.remotes.len(), bench.received), (Remote, 0, [0, 0]));
    bench.knobs.remote_fifo_full = false;
    bench.run();
    assert_eq!((bench.remotes.len(), bench.received), (1, [1, 0]));
}

#[test]
fn both_processes_receive_independently() {
    let mut bench = Bench::new(Knobs::default());
    for n in 0..4 {
        let dwid = n % 2 == 1;
        let rvs = FirstLine { dwid, pgid: PGIDS[dwid as usize], ..first(Primitive::Rvs) };
        bench.send(packet(rvs, &[SecondLine::writing(n * 8, 0).bits()], &[n as u8 + 1; 8]));
    }
    bench.run();
    assert_eq!(bench.received, [2, 2]);
    let places: Vec<_> = bench.statuses.iter().map(|&(wid, address, ..)| (wid, address)).collect();
    assert_eq!(places, [(false, 0), (true, 0), (false, 16), (true, 16)]);
    assert_eq!(bench.memory(0, 32), [[1; 8], [0; 8], [3; 8], [0; 8]].concat());
    assert_eq!(bench.memory(0x1000_0000, 32), [[0; 8], [2; 8], [0; 8], [4; 8]].concat());
}

#[test]
fn status_requests_are_at_least_eight_cycles_apart() {
    for (rflag, lflag) in [(false, false), (true, false), (false, true)] {
        let mut bench = Bench::new(Knobs::default());
        for _ in 0..20 {
            bench.send(packet(FirstLine { rflag, lflag, ..first(Primitive::Rvs) }, &[0], &[]));
        }
        let enables: Vec<_> = (0..600u64).filter(|_| bench.cycle().status_enable).collect();
        assert_eq!(enables.len(), 20);
        assert!(enables.windows(2).all(|pair| pair[1] - pair[0] >= 8), "{enables:?}");
    }
}

#[test]
fn taken_arcs_are_the_declared_ones() {
    let walked = random::arcs();
    let declared = |table: &'static hdl::StateMachineTable| table.arcs().collect::<BTreeSet<_>>();
    assert_eq!(walked.main, declared(Main::TABLE));
    assert_eq!(walked.writer, declared(Writer::TABLE));
    assert_eq!(walked.reader, declared(Reader::TABLE));
    assert_eq!(walked.storer, declared(Storer::TABLE));
    assert_eq!(walked.status, declared(Status3::TABLE));
    assert_eq!(walked.ring, declared(RingState::TABLE));
    assert_eq!(walked.head, declared(HeadState::TABLE));
}
