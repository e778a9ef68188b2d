//! The RVS module with a packet buffer that is filled at a given rate, and a parser of the packets.

use std::collections::BTreeSet;

use hdl::Stimulus;

use super::State::*;
use super::*;
use crate::Primitive;

/// Content of line 0 of the Write Windows of WID 0; following lines count up. WID 1 starts at twice this
/// value.
const WINDOW: u64 = 0x1000_0000;

/// A module, the packet buffer from which it reads, and the packets sent.
struct Bench {
    rvs: Rvs,
    /// Lines in the buffer, and lines of the transfer still to arrive there.
    buffered: u64,
    coming: u64,
    /// Number of the next line to read; line n holds n.
    next: u64,
    data: u64,
    /// Two lines of the Write Windows; content of the transfer's first line there, and the number of lines.
    window_rdata: u128,
    window: (u64, u64),
    /// Cycles in 256 in which a line arrives, and in which the SWIF FIFO is almost full.
    pace: u64,
    full: u64,
    /// Packets wait for all of their data.
    awaited: bool,
    asked: Vec<VectorLoad>,
    states: Vec<State>,
    lines: Vec<Line>,
    /// Cycles, counted from 0, in which lines of data arrived in the buffer, and in which they were sent.
    came: Vec<usize>,
    left: Vec<usize>,
    done: u32,
    random: Stimulus,
}

impl Bench {
    fn new(pace: u64, full: u64) -> Self {
        Self {
            rvs: Rvs::default(),
            buffered: 0,
            coming: 0,
            next: 0,
            data: 0,
            window_rdata: 0,
            window: (0, 0),
            pace,
            full,
            awaited: false,
            asked: vec![],
            states: vec![],
            lines: vec![],
            came: vec![],
            left: vec![],
            done: 0,
            random: Stimulus::new(pace + 1000 * full),
        }
    }

    fn cycle(&mut self, pins: In) {
        let out = self.rvs.outputs();
        self.states.push(out.state);
        if out.line_enable {
            self.lines.push(out.line);
            if out.state == Rvs5 {
                self.left.push(self.states.len() - 1);
            }
        }
        self.done += out.done as u32;
        let full = self.random.below(256) < self.full;
        self.rvs.tick(&In {
            packet_data: self.data,
            write_window_rdata: self.window_rdata,
            packet_lines: self.buffered as u16,
            swif_fifo_almost_full: full,
            data_awaited: self.awaited,
            pgid0: 0xa5,
            pgid1: 0x5a,
            ..pins
        });
        if out.packet_next && self.buffered > 0 {
            self.buffered -= 1;
            self.data = self.next;
            self.next += 1;
        }
        if out.write_window_read_enable {
            let address = u64::from(out.write_window_address);
            let even = WINDOW * (1 + (address >> 7)) + 2 * (address & 0x7f);
            self.window_rdata = u128::from(even + 1) << 64 | u128::from(even);
        }
        if out.vector_load_start {
            self.asked.push(out.vector_load);
            self.coming = u64::from(out.vector_load.total).div_ceil(8);
        }
        if self.coming > 0 && self.buffered < 1024 && self.random.below(256) < self.pace {
            self.coming -= 1;
            self.buffered += 1;
            self.came.push(self.states.len());
        }
    }

    fn send(pins: In, pace: u64, full: u64) -> Self {
        let mut bench = Self::new(pace, full);
        let first = WINDOW * (1 + pins.wid as u64) + u64::from(pins.window);
        bench.window = (first, pins.sizes.window_lines.into());
        bench.awaited = pins.data_awaited;
        bench.cycle(In { start: true, ..pins });
        let mut cycles = 0;
        while !bench.rvs.outputs().idle || bench.rvs.outputs().done {
            // The request has been latched.
            bench.cycle(In::default());
            cycles += 1;
            assert!(cycles < 100_000, "hangs");
        }
        assert_eq!((bench.coming, bench.buffered), (0, 0), "every line is sent");
        bench
    }

    /// The packets sent: header lines and number of data lines.
    fn packets(&self) -> Vec<(FirstLine, SecondLine, Option<ThirdLine>, usize)> {
        let mut packets = vec![];
        let mut number = 0;
        for lines in self.lines.split_inclusive(|line| line.id == LAST) {
            let ids: Vec<_> = lines.iter().map(|line| line.id).collect();
            assert_eq!((ids[0], ids[ids.len() - 1]), (FIRST, LAST));
            assert!(ids[1..ids.len() - 1].iter().all(|&id| id == MIDDLE));
            let first = FirstLine::from_bits(lines[0].data);
            let header = if first.hflag { 3 } else { 2 };
            for line in &lines[header..] {
                let (first, count) = self.window;
                let expected = if number < count { first + number } else { number - count };
                assert_eq!(line.data, expected, "lines of the window, then in the order of the buffer");
                number += 1;
            }
            let bytes = lines.len() - header;
            assert_eq!(usize::from(first.packet_size).div_ceil(8), lines.len());
            packets.push((
                first,
                SecondLine::from_bits(lines[1].data),
                first.hflag.then(|| ThirdLine::from_bits(lines[2].data)),
                bytes,
            ));
        }
        packets
    }
}

fn rvs(total: u32, mtu: u16) -> In {
    In {
        otype: Primitive::Rvs.code(),
        wid: false,
        dwid: true,
        dclid: 3,
        eflag: true,
        srcoff: 0x1000,
        dstoff: 0x2000,
        sizes: Sizes { command: total, nothing: total == 0, ..Sizes::default() },
        mtu,
        ..In::default()
    }
}

fn elements(primitive: Primitive, dtype: u8, iteration: u8, stride_list: u32, mtu: u16) -> In {
    let target = Vector { variant: primitive.code() & 3, dtype, iteration, size_list_stride: stride_list };
    In { otype: primitive.code(), target, ..rvs(u32::from(iteration) << dtype, mtu) }
}

#[test]
fn prim_completes_a_primitive_without_data_at_once() {
    let bench = Bench::send(In { wid: true, ..rvs(0, 2048) }, 256, 0);
    assert_eq!((bench.states, bench.done, bench.lines.len()), (vec![Prim, Prim], 1, 0));
    let bench = Bench::send(In { remote: true, ..rvs(0, 2048) }, 256, 0);
    assert_eq!((bench.done, bench.asked.len()), (0, 0));
}

#[test]
fn packet_of_24_bytes_has_the_published_first_line() {
    let bench = Bench::send(rvs(8, 2048), 256, 0);
    let expected = [
        Line { data: 0x1000_0003_1a51_4018, id: FIRST },
        Line { data: 0x0000_2000_0000_2000, id: MIDDLE },
        Line { data: 0, id: LAST },
    ];
    assert_eq!(bench.lines, expected);
    assert_eq!(bench.done, 1);
    let asked = VectorLoad { srcoff: 0x1000, to_packet: true, total: 8, ..VectorLoad::default() };
    assert_eq!(bench.asked, [asked]);
}

#[test]
fn packet_takes_one_cycle_per_line() {
    let bench = Bench::send(rvs(80, 2048), 256, 0);
    let ready = bench.states.iter().position(|&state| state == Rvs4).unwrap();
    let mut expected = vec![Rvs4; 2];
    expected.extend([Rvs5; 10]);
    expected.push(RvsEnd);
    assert_eq!(bench.states[ready..], expected);
    let bench = Bench::send(elements(Primitive::Rvss, 3, 10, 64, 2048), 256, 0);
    let ready = bench.states.iter().position(|&state| state == Rvs4).unwrap();
    expected.insert(0, Rvs4);
    assert_eq!(bench.states[..4], [Prim, Rvss1, Rvs1, Rvs2]);
    assert_eq!(bench.states[ready..], expected);
}

#[test]
fn rvs3_sends_lines_two_cycles_after_they_arrive() {
    // One line arrives in every cycle.
    let bench = Bench::send(rvs(4000, 4088), 256, 0);
    assert_eq!(bench.states[..6], [Prim, Rvs1, Rvs3, Rvs4, Rvs4, Rvs5]);
    assert_eq!((bench.came[0], bench.left[0]), (2, 5));
    assert_eq!(bench.left, (5..505).collect::<Vec<_>>());
    // One line arrives in every fourth cycle.
    let bench = Bench::send(rvs(4000, 4088), 64, 0);
    let first = bench.came[0];
    assert_eq!(bench.states[first..first + 4], [Rvs3, Rvs4, Rvs4, Rvs5]);
    let mut free = first + 3;
    for (&came, &left) in bench.came.iter().zip(&bench.left) {
        assert_eq!(left, free.max(came + 2));
        free = left + 1;
    }
    let spent = bench.states.iter().filter(|&&state| state == Rvs5).count();
    assert!(spent > 1500 && spent == bench.left[499] + 1 - bench.left[0], "{spent} cycles for 500 lines");
}

#[test]
fn rvs3_data_awaited_begins_with_the_last_line() {
    for pace in [256, 64] {
        let bench = Bench::send(In { data_awaited: true, ..rvs(4000, 4088) }, pace, 0);
        let last = bench.came[499];
        assert_eq!(bench.states[last..last + 4], [Rvs3, Rvs4, Rvs4, Rvs5]);
        assert_eq!(bench.left, (last + 3..last + 503).collect::<Vec<_>>());
    }
}

#[test]
fn rvs2_data_awaited_begins_with_the_last_line_of_the_packet() {
    let bench = Bench::send(In { data_awaited: true, ..rvs(10_000, 256) }, 100, 0);
    let begin = |state: usize| bench.states[state] == Rvs2 && bench.states[state + 1] == Rvs4;
    let begun: Vec<_> = (0..bench.states.len() - 1).filter(|&state| begin(state)).collect();
    assert_eq!((begun.len(), bench.packets().len()), (44, 44));
    for (begun, lines) in begun.iter().zip((29..).step_by(29)) {
        let there = bench.came.partition_point(|came| came <= begun);
        assert!(there >= lines.min(1250), "{there} of {lines} lines");
    }
    for (begun, left) in begun.iter().zip(bench.left.chunks(29)) {
        let expected: Vec<_> = (begun + 4..).take(left.len()).collect();
        assert_eq!(left, expected, "three cycles for the header, then a line in each");
    }
}

#[test]
fn data_awaited_does_not_include_the_write_window() {
    // Two packets of 29 lines come from the window; of the third, 6 lines are available and 23 awaited, like
    // all of the fourth.
    let mut bench = Bench::new(0, 0);
    bench.awaited = true;
    bench.cycle(In { start: true, ..lhs_v2(8 * (64 + 40), 0, 64, 256) });
    for (coming, packets) in [(0, 2), (22, 2), (1, 3), (16, 3), (1, 4)] {
        bench.buffered += coming;
        (0..100).for_each(|_| bench.cycle(In::default()));
        assert_eq!(bench.lines.iter().filter(|line| line.id == LAST).count(), packets);
    }
    assert_eq!(bench.rvs, Rvs::default());
}

#[test]
fn rvs5_waits_while_no_line_is_available() {
    let mut bench = Bench::new(0, 0);
    bench.cycle(In { start: true, ..rvs(32, 2048) });
    for (buffered, cycles, sent) in [(0, 20, 0), (1, 20, 3), (0, 20, 3), (2, 2, 3), (0, 1, 4), (0, 20, 5)] {
        bench.buffered += buffered;
        (0..cycles).for_each(|_| bench.cycle(In::default()));
        assert_eq!(bench.lines.len(), sent);
    }
    assert_eq!((bench.rvs.state, bench.rvs.data_counter), (Rvs5, 1));
    bench.buffered = 1;
    (0..4).for_each(|_| bench.cycle(In::default()));
    assert_eq!((bench.lines.len(), bench.packets().len(), bench.rvs.state), (6, 1, Prim));
}

#[test]
fn rvs5_sends_window_lines_before_sodimm_data_arrives() {
    let mut bench = Bench::new(0, 0);
    bench.cycle(In { start: true, ..lhs_v2(88, 0, 8, 256) });
    (0..50).for_each(|_| bench.cycle(In::default()));
    assert_eq!((bench.lines.len(), bench.left[7] - bench.left[0]), (2 + 8, 7));
    assert_eq!((bench.rvs.state, bench.rvs.data_counter), (Rvs5, 3));
}

#[test]
fn nine_kilobytes_at_mtu_2048_are_five_packets() {
    let packets = Bench::send(rvs(9 * 1024, 2048), 256, 0).packets();
    let eflags: Vec<_> = packets.iter().map(|packet| packet.0.eflag).collect();
    assert_eq!(eflags, [false, false, false, false, true]);
    let sizes: Vec<_> = packets.iter().map(|packet| packet.0.packet_size).collect();
    assert_eq!(sizes, [2048, 2048, 2048, 2048, 9 * 1024 - 4 * 2024 + 24]);
    for (k, (_, second, third, _)) in packets.iter().enumerate() {
        assert_eq!((second.dstoff, second.initial_dstoff()), (0x2000 + 2024 * k as u32, 0x2000));
        assert_eq!(third.unwrap().total_transfer_size, 9 * 1024);
    }
}

#[test]
fn third_line_has_all_bits_of_the_transfer_size() {
    for total in [0x8000_0000, 0xffff_ffff] {
        let mut bench = Bench::new(256, 0);
        bench.cycle(In { start: true, ..rvs(total, 2048) });
        (0..20).for_each(|_| bench.cycle(In::default()));
        assert_eq!(ThirdLine::from_bits(bench.lines[2].data).total_transfer_size, total);
        assert_eq!(bench.asked[0].total, total);
    }
}

#[test]
fn single_packet_has_two_header_lines_at_every_mtu() {
    for mtu in [256, 512, 1024, 2048, 4088] {
        for total in [1, 7, 8, 9, u32::from(mtu) - 17, u32::from(mtu) - 16] {
            let packets = Bench::send(rvs(total, mtu), 256, 0).packets();
            assert_eq!(packets.len(), 1, "{total} bytes, MTU {mtu}");
            let (first, _, third, lines) = packets[0];
            assert_eq!((first.hflag, third, lines as u32), (false, None, total.div_ceil(8)));
            assert_eq!((first.packet_size, first.eflag), (total as u16 + 16, true));
        }
        for total in [u32::from(mtu) - 15, u32::from(mtu), 3 * u32::from(mtu) - 72, 10_000] {
            let packets = Bench::send(rvs(total, mtu), 256, 0).packets();
            let data = u32::from(mtu) - 24;
            assert_eq!(packets.len() as u32, total.div_ceil(data), "{total} bytes, MTU {mtu}");
            let last = packets.len() - 1;
            for (k, (first, ..)) in packets.iter().enumerate() {
                let size = if k == last { total - data * k as u32 + 24 } else { u32::from(mtu) };
                assert_eq!((u32::from(first.packet_size), first.hflag, first.eflag), (size, true, k == last));
            }
        }
    }
}

#[test]
fn strided_packets_advance_dstoff_by_their_strides() {
    for (dtype, per_packet) in [(2, 58), (3, 29), (4, 14), (5, 7), (6, 3), (7, 1)] {
        let pins = elements(Primitive::Rvss, dtype, 100, 0x106, 256);
        let packets = Bench::send(pins, 256, 0).packets();
        let counts: Vec<_> = packets.iter().map(|packet| u32::from(packet.0.iteration)).collect();
        assert_eq!(counts.iter().sum::<u32>(), 100);
        assert!(counts[..counts.len() - 1].iter().all(|&count| count == per_packet), "{counts:?}");
        let mut placed = 0;
        for (first, second, third, lines) in packets {
            let bytes = u32::from(first.iteration) << dtype;
            assert_eq!((u32::from(first.packet_size), first.dtype), (bytes + 24, dtype));
            assert_eq!(lines as u32, bytes.div_ceil(8));
            assert_eq!((second.dstoff, second.initial_dstoff()), (0x2000 + 0x104 * placed, 0x2000));
            let third = third.unwrap();
            assert_eq!((third.total_transfer_size, third.stride_list), (100 << dtype, 0x106));
            placed += u32::from(first.iteration);
        }
    }
}

#[test]
fn listed_packets_advance_the_list_instead_of_dstoff() {
    let packets = Bench::send(elements(Primitive::Rvsi, 4, 40, 0x700, 256), 256, 0).packets();
    let lists: Vec<_> = packets.iter().map(|packet| packet.2.unwrap().stride_list).collect();
    assert_eq!(lists, [0x700, 0x700 + 4 * 14, 0x700 + 4 * 28]);
    assert!(packets.iter().all(|packet| packet.1.dstoff == 0x2000));
}

#[test]
fn elements_into_a_window_advance_dstoff_by_their_bytes() {
    for primitive in [Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi] {
        let pins = In { rflag: true, ..elements(primitive, 3, 60, 0x700, 256) };
        let packets = Bench::send(pins, 256, 0).packets();
        let dstoffs: Vec<_> = packets.iter().map(|packet| packet.1.dstoff).collect();
        assert_eq!(dstoffs, [0x2000, 0x20e8, 0x21d0], "{primitive:?}");
        assert!(packets.iter().all(|packet| packet.0.rflag));
    }
}

#[test]
fn total_cut_by_command_ex_ends_within_an_element() {
    let pins = In {
        sizes: Sizes { command: 20, ..Sizes::default() },
        ..elements(Primitive::Rvss, 3, 60, 0x700, 256)
    };
    let packets = Bench::send(pins, 256, 0).packets();
    assert_eq!((packets[0].0.packet_size, packets[0].0.iteration, packets[0].3), (44, 3, 3));
}

#[test]
fn prim_waits_for_the_prefetch_unit_and_requests_once() {
    for (pins, after) in [(rvs(8, 256), Rvs1), (elements(Primitive::Rvsi, 2, 3, 0, 256), Rvss1)] {
        let mut bench = Bench::new(256, 0);
        bench.cycle(In { start: true, prefetch_unit_busy: true, ..pins });
        for _ in 0..3 {
            bench.cycle(In { prefetch_unit_busy: true, ..In::default() });
        }
        assert_eq!((bench.rvs.state, bench.asked.len()), (Wait, 0));
        bench.cycle(In::default());
        assert_eq!((bench.rvs.state, bench.rvs.outputs().vector_load_start), (after, true));
        for _ in 0..50 {
            bench.cycle(In::default());
        }
        assert_eq!((bench.rvs, bench.asked.len()), (Rvs::default(), 1));
    }
}

#[test]
fn rvs1_keeps_the_packet_size_while_the_fifo_is_almost_full() {
    for full in [64, 200, 250] {
        for pins in [rvs(3000, 512), elements(Primitive::Rvss, 5, 90, 96, 512)] {
            let (slow, fast) = (Bench::send(pins, 256, full), Bench::send(pins, 256, 0));
            assert_eq!(slow.lines, fast.lines);
            assert!(slow.states.len() > fast.states.len());
        }
    }
}

#[test]
fn remote_request_uses_the_owners_group_and_is_not_counted() {
    let bench = Bench::send(In { remote: true, wid: true, ..rvs(600, 512) }, 200, 20);
    for (first, ..) in bench.packets() {
        assert_eq!((first.pgid, first.swid, first.dwid, first.dlid), (0x5a, true, true, 3));
    }
    assert_eq!(bench.done, 0);
}

/// An IPUSH with LHSv2 of `total` bytes in both parts together.
fn lhs_v2(total: u32, window: u8, window_lines: u8, mtu: u16) -> In {
    let lhs = In { otype: Primitive::Ipush.code(), lflag: true, dstoff: 0, ..rvs(total, mtu) };
    In { window, sizes: Sizes { window_lines, ..lhs.sizes }, ..lhs }
}

#[test]
fn ipush_counts_dstoff_from_0_and_sets_lflag_only_for_lhs() {
    for lflag in [false, true] {
        let pins = In { lflag, data_awaited: lflag, ..lhs_v2(600, 0, 0, 256) };
        let bench = Bench::send(pins, 256, 0);
        let packets = bench.packets();
        let dstoffs: Vec<_> = packets.iter().map(|packet| packet.1.dstoff).collect();
        assert_eq!(dstoffs, [0, 232, 464]);
        for (first, second, third, _) in packets {
            assert_eq!((first.otype, first.lflag, first.hflag), (0b11000, lflag, true));
            assert_eq!((second.initial_dstoff(), third.unwrap().total_transfer_size), (0, 600));
        }
        assert_eq!((bench.done, bench.asked[0].total), (1, 600));
    }
}

#[test]
fn ipush_without_data_completes_at_once() {
    let mut rvs = Rvs::default();
    rvs.tick(&In { start: true, ..lhs_v2(0, 0, 0, 256) });
    assert_eq!((rvs.outputs().done, rvs.outputs().ipush), (true, true));
    rvs.tick(&In {
        start: true,
        otype: Primitive::Rvs.code(),
        sizes: Sizes { nothing: true, ..Sizes::default() },
        ..In::default()
    });
    assert_eq!((rvs.outputs().done, rvs.outputs().ipush), (true, false));
}

#[test]
fn lhs_v2_sends_window_lines_before_sodimm_data() {
    for wid in [false, true] {
        for (window, window_lines) in [(0, 1), (1, 1), (64, 2), (67, 7), (191, 64)] {
            for rest in [0, 1, 8, 100, 3000] {
                for (mtu, pace, data_awaited) in [(256, 256, false), (2048, 256, true), (512, 90, wid)] {
                    let total = 8 * u32::from(window_lines) + rest;
                    let pins = In { wid, data_awaited, ..lhs_v2(total, window, window_lines, mtu) };
                    let bench = Bench::send(pins, pace, 30);
                    let sent: u32 = bench
                        .packets()
                        .iter()
                        .map(|(first, ..)| u32::from(first.packet_size) - if first.hflag { 24 } else { 16 })
                        .sum();
                    assert_eq!(sent, total, "{window_lines} lines and {rest} bytes at MTU {mtu}");
                    let asked: Vec<_> = bench.asked.iter().map(|load| load.total).collect();
                    assert_eq!(asked, if rest == 0 { vec![] } else { vec![rest] });
                }
            }
        }
    }
}

#[test]
fn lhs_v2_requests_only_its_rest_from_the_prefetch_unit() {
    for (total, asked) in [(64, 0), (80, 1)] {
        let mut bench = Bench::new(256, 0);
        bench.cycle(In { start: true, prefetch_unit_busy: true, ..lhs_v2(total, 0, 8, 256) });
        bench.cycle(In { prefetch_unit_busy: true, ..In::default() });
        for _ in 0..50 {
            bench.cycle(In::default());
        }
        assert_eq!((bench.asked.len(), bench.lines.len()), (asked, 2 + total as usize / 8));
    }
}

#[test]
fn declared_arcs_are_exactly_those_taken() {
    let mut walked = BTreeSet::new();
    for primitive in [Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi] {
        for iteration in [1, 200] {
            for busy in [false, true] {
                let mut bench = Bench::new(100, 40);
                let pins = elements(primitive, 3, iteration, 8, 256);
                bench.cycle(In { start: true, prefetch_unit_busy: busy, ..pins });
                while !bench.rvs.outputs().idle {
                    bench.cycle(In::default());
                }
                bench.states.push(Prim);
                let arcs = bench.states.windows(2).filter(|pair| pair[0] != pair[1]);
                walked.extend(arcs.map(|pair| (pair[0] as u64, pair[1] as u64)));
            }
        }
    }
    assert_eq!(walked, State::TABLE.arcs().collect());
}
