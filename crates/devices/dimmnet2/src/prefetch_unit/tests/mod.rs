//! Tests of the Prefetch Unit together with the SO-DIMM interface through which it reads.

mod bench;
mod oracle;

use std::collections::BTreeSet;

use hdl::{Clocked, Quiet, Stimulus};

use self::bench::{Bench, UNTOUCHED, declared, untouched};
use super::pins::{PACKET_LINES, PACKET_ROOM, PACKET_ROOM_TOGETHER, VectorLoad};
use crate::command::SODIMM_COPY;

fn vl(size: u32, srcoff: u32, dstoff: u32) -> VectorLoad {
    VectorLoad { size_list_stride: size, srcoff, dstoff, ..VectorLoad::default() }
}

fn vls(dtype: u8, iteration: u8, stride: u32, srcoff: u32, dstoff: u32) -> VectorLoad {
    VectorLoad { variant: 1, dtype, iteration, ..vl(stride, srcoff, dstoff) }
}

fn vli(dtype: u8, iteration: u8, list: u32, srcoff: u32, dstoff: u32) -> VectorLoad {
    VectorLoad { variant: 2, dtype, iteration, ..vl(list, srcoff, dstoff) }
}

/// Runs a primitive in a bench and compares all windows and the flag with the oracle.
fn check(bench: &mut Bench, load: VectorLoad) -> Vec<u8> {
    let bytes = oracle::data(bench, &load);
    let mut expected = bench.windows;
    let start = (load.dstoff & 0x7fc) as usize;
    expected[load.wid as usize][start..start + bytes.len()].copy_from_slice(&bytes);
    let flags = bench.flags;
    bench.run(load);
    assert!(bench.windows == expected, "{load:?}: {} bytes", bytes.len());
    let mut after = flags;
    if load.dstoff != SODIMM_COPY {
        after[load.wid as usize] |= 0xf << (4 * (load.dstoff >> 9 & 3));
    }
    assert_eq!(bench.flags, after, "{load:?}");
    bytes
}

/// A valid offset, sometimes at the end of the region.
fn random_offset(random: &mut Stimulus, end: u64) -> u32 {
    match random.below(4) {
        0 => 0x1000 + random.below(0x100) as u32,
        1 => (end - random.below(600)) as u32,
        _ => 0x1000 + random.below(1 << 20) as u32,
    }
}

#[test]
fn vl_of_8_bytes_sets_the_flag_19_cycles_after_dispatch() {
    let mut bench = Bench::new(1);
    // Prim, Vl1, Compute, Data, Request, the right, Element, Read; word on the pins in 8, command in 12, data in 14,
    // taken in 15, joined in 16, stored in 17, reported in 18.
    assert_eq!(bench.run(vl(8, 0x100, 0)), 21);
    assert_eq!(bench.complete, Some(19));
}

#[test]
fn vl_of_512_bytes_stores_a_word_in_every_cycle() {
    let mut bench = Bench::new(1);
    assert_eq!(bench.run(vl(512, 0x4000, 0)), 21 + 63);
    assert_eq!((bench.complete, bench.streak), (Some(19 + 63), 64));
}

#[test]
fn vl_copies_between_all_multiples_of_4() {
    let mut bench = Bench::new(2);
    for srcoff in [0, 4, 8, 12] {
        for dstoff in [0, 4, 8, 12, 0x6f4] {
            for size in (1..=24).chain([255, 256, 257]) {
                let bytes = check(&mut bench, vl(size, 0x1000 + srcoff, dstoff));
                assert_eq!(bytes.len() as u32, size.min(512 - dstoff % 512));
            }
        }
    }
}

#[test]
fn vl_ignores_the_low_bits_of_both_offsets() {
    let mut bench = Bench::new(2);
    let bytes = check(&mut bench, vl(16, 0x1003, 0x21));
    assert_eq!(bytes[0], untouched(0x1000));
    assert_eq!(bench.windows[0][0x20], untouched(0x1000));
}

#[test]
fn vl_is_cut_at_the_end_of_the_window() {
    let mut bench = Bench::new(3);
    assert_eq!(check(&mut bench, vl(512, 0, 0x1f8)).len(), 8);
    assert_eq!(check(&mut bench, vl(u32::MAX, 0, 0x600)).len(), 512);
    assert_eq!(bench.windows[0][0x200], UNTOUCHED, "the next window stays as it is");
    assert_eq!(check(&mut bench, vls(7, 255, 0x80, 0, 0x5f0)).len(), 16);
}

#[test]
fn vl_is_cut_at_the_end_of_the_region() {
    for (capacity, end) in [(0, 0x1000_0000u32), (3, 0x8000_0000), (4, 0), (5, 0)] {
        for wid in [false, true] {
            let mut bench = Bench::new(4);
            bench.capacity = capacity;
            let load = vl(64, end.wrapping_sub(20), 0);
            assert_eq!(check(&mut bench, VectorLoad { wid, ..load }).len(), 20, "{capacity} {wid}");
            if end != 0 {
                assert_eq!(check(&mut bench, VectorLoad { wid, srcoff: end, ..load }).len(), 0);
            }
        }
    }
}

#[test]
fn processes_read_their_own_regions_into_their_own_windows() {
    let mut bench = Bench::new(5);
    let own = check(&mut bench, vl(64, 0x40, 0x200));
    let other = check(&mut bench, VectorLoad { wid: true, ..vl(64, 0x40, 0x200) });
    assert_ne!(own, other);
    assert_eq!(other[0], untouched(0x1000_0040));
    assert_eq!(&bench.windows[1][0x200..0x240], &other[..]);
}

#[test]
fn vls_gathers_elements_of_every_size() {
    let mut bench = Bench::new(6);
    for dtype in 0..8 {
        for (stride, srcoff, dstoff) in [(0x1000, 0x10, 0), (4, 0x14, 4), (12, 0x18, 0x3c), (0, 0x1c, 0x204)]
        {
            check(&mut bench, vls(dtype, 7, stride, srcoff, dstoff));
        }
    }
}

#[test]
fn vls_stops_at_the_first_element_beyond_the_region() {
    let mut bench = Bench::new(7);
    let end = 0x1000_0000;
    assert_eq!(check(&mut bench, vls(3, 10, 16, end - 40, 0)).len(), 24);
    assert_eq!(check(&mut bench, vls(3, 10, 16, end - 4, 0)).len(), 0, "an element is not cut");
    // The element after it would be within the region again.
    assert_eq!(check(&mut bench, vls(2, 10, 0xe000_0000, 0, 0)).len(), 4);
}

#[test]
fn vls_stride_counts_modulo_4_gb() {
    let mut bench = Bench::new(8);
    let bytes = check(&mut bench, vls(2, 4, 0u32.wrapping_sub(8), 0x18, 0));
    assert_eq!(bytes.len(), 16);
    assert_eq!(bytes[12], untouched(0));
}

#[test]
fn vli_takes_elements_from_the_offsets_in_the_list() {
    let mut bench = Bench::new(9);
    let offsets = [0x40, 0x1000, 0, 0x44, 0x2_0000, 0x0fff_0000, 4];
    for list in [0x800, 0x804] {
        for dtype in 2..8 {
            bench.list(false, list, &offsets);
            let bytes = check(&mut bench, vli(dtype, 7, list, 0x100, 8));
            assert_eq!(bytes.len(), (7 << dtype).min(504));
            assert_eq!(bytes[1 << dtype], if bytes.len() > 1 << dtype { untouched(0x1100) } else { 0 });
        }
    }
}

#[test]
fn vli_stops_at_the_region_end_and_at_the_list_end() {
    let mut bench = Bench::new(10);
    bench.list(false, 0x800, &[0, 8, 0x1000_0000, 16]);
    assert_eq!(check(&mut bench, vli(3, 4, 0x800, 0, 0)).len(), 16);
    // Only three offsets lie within the region.
    bench.list(false, 0x1000_0000 - 12, &[0, 8, 16]);
    assert_eq!(check(&mut bench, vli(4, 9, 0x1000_0000 - 12, 0, 0)).len(), 48);
    assert_eq!(check(&mut bench, vli(4, 9, 0x1000_0000, 0, 0)).len(), 0);
}

#[test]
fn vli_list_may_fill_the_list_buffer() {
    let mut bench = Bench::new(11);
    let offsets: Vec<u32> = (0..255).map(|k| (k * 0x2468) & 0xff_fffc).collect();
    bench.list(true, 0x10_0000, &offsets);
    let load = VectorLoad { wid: true, ..vli(2, 255, 0x10_0000, 0x40, 0x400) };
    assert_eq!(check(&mut bench, load).len(), 512);
}

#[test]
fn size_zero_sets_all_flag_bits_and_reads_nothing() {
    for load in [vl(0, 0, 0), vls(3, 0, 8, 0, 0), vli(3, 0, 8, 0, 0)] {
        let mut bench = Bench::new(12);
        check(&mut bench, load);
        assert!(!bench.arcs.iter().any(|&(name, ..)| name == "read"));
    }
}

#[test]
fn copy_completes_without_data_and_touches_no_flag() {
    let mut bench = Bench::new(13);
    assert_eq!(bench.run(vl(64, 0, SODIMM_COPY)), 3);
    assert_eq!((bench.flags, bench.arcs.len()), ([0; 2], 0));
}

#[test]
fn flag_reports_untouched_quarters_first_and_others_when_stored() {
    let mut bench = Bench::new(14);
    bench.flags[0] = 0x0fff;
    let mut seen = vec![];
    bench.flags[0] &= !0x0f00;
    bench.tick(Some(vl(0x118, 0, 0x4e8)));
    while !bench.vl.outputs().idle {
        bench.tick(None);
        // A bit is never set before its data is stored.
        for quarter in (0..4).filter(|quarter| bench.flags[0] >> (8 + quarter) & 1 == 1) {
            let bytes = &bench.windows[0][0x400 + 128 * quarter..][..128];
            let touched = [0..0, 0x68..128, 0..128, 0..128][quarter].clone();
            let source = touched.clone().map(|i| untouched((128 * quarter + i) as u64 - 0xe8));
            assert!(quarter == 0 || bytes[touched].iter().copied().eq(source), "quarter {quarter}");
        }
        if seen.last() != Some(&bench.flags[0]) {
            seen.push(bench.flags[0]);
        }
    }
    // Only the first quarter is untouched; 0x4e8 + 0x118 is the end of the window.
    assert_eq!(seen, [0x00ff, 0x01ff, 0x03ff, 0x07ff, 0x0fff]);
}

#[test]
fn random_primitives_match_the_oracle_under_interference() {
    let mut arcs = BTreeSet::new();
    let mut stored = 0;
    for seed in 0..12 {
        let mut random = Stimulus::new(1000 + seed);
        let mut bench = Bench::new(seed);
        bench.capacity = random.below(6) as u8;
        bench.ready = [256, 256, 200, 40][random.below(4) as usize];
        bench.free = [256, 200, 60][random.below(3) as usize];
        for _ in 0..150 {
            // The Write Unit writes where nothing is read, because the oracle has no notion of time.
            bench.writes = random.one_in(2);
            bench.lists = random.one_in(2);
            let end = oracle::region(bench.capacity);
            let (srcoff, list) = (random_offset(&mut random, end), random_offset(&mut random, end));
            let variant = random.below(3) as u8;
            let load = VectorLoad {
                wid: random.one_in(2),
                variant,
                dtype: random.below(8) as u8,
                iteration: random.word() as u8 >> random.below(8),
                size_list_stride: match variant {
                    0 => random.below(600) as u32,
                    1 => [4, 8, random.below(1 << 14) as u32, random.word() as u32][random.below(4) as usize],
                    _ => list,
                },
                srcoff,
                dstoff: if random.one_in(20) { SODIMM_COPY } else { random.word() as u32 },
                ..VectorLoad::default()
            };
            let offsets: Vec<u32> = (0..255).map(|_| random.below(1 << 20) as u32).collect();
            if variant == 2 && u64::from(list) + 1024 < end {
                bench.list(load.wid, list & !3, &offsets);
            }
            stored += check(&mut bench, load).len();
        }
        assert!(bench.written() > 0);
        assert!(bench.lists_read > 10, "{} lists of the Write Unit", bench.lists_read);
        arcs.append(&mut bench.arcs);
    }
    assert!(stored > 100_000, "{stored} bytes");
    // Arcs that only requests for packets take have their own test.
    let packet = |&(name, from, to): &(&str, u64, u64)| {
        name == "read" && (from == 1 || to == 1 || (from, to) == (2, 4))
    };
    assert_eq!(arcs, declared().into_iter().filter(|arc| !packet(arc)).collect());
}

/// Runs a request for packets in a bench and compares the lines with the oracle.
fn check_packet(bench: &mut Bench, load: VectorLoad) -> Vec<u64> {
    let load = VectorLoad { to_packet: true, ..load };
    let mut bytes = oracle::packet_data(bench, &load);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let expected: Vec<_> =
        bytes.chunks(8).map(|line| u64::from_le_bytes(line.try_into().expect("8 bytes"))).collect();
    let (windows, flags) = (bench.windows, bench.flags);
    let lines = bench.run_packet(load);
    assert!(lines == expected, "{load:?}: {} lines, expected {}", lines.len(), expected.len());
    assert_eq!((bench.windows, bench.flags), (windows, flags), "no window is touched");
    lines
}

#[test]
fn packet_lines_are_contiguous_and_padded_with_zeros() {
    let mut bench = Bench::new(20);
    for together in [false, true] {
        bench.together = together;
        for srcoff in [0, 4, 7, 8, 12] {
            for total in (1..=40).chain([511, 512, 513, 4072, 9000]) {
                let load = VectorLoad { srcoff: 0x1000 + srcoff, total, ..VectorLoad::default() };
                check_packet(&mut bench, load);
            }
        }
    }
}

#[test]
fn packet_lines_beyond_the_region_are_zeros() {
    for (capacity, end) in [(0, 0x1000_0000u32), (3, 0x8000_0000), (4, 0), (5, 0)] {
        for wid in [false, true] {
            let mut bench = Bench::new(21);
            bench.capacity = capacity;
            bench.together = wid;
            let load = VectorLoad { wid, srcoff: end.wrapping_sub(20), total: 64, ..VectorLoad::default() };
            let lines = check_packet(&mut bench, load);
            assert!(lines[0] != 0 && lines[3..] == [0; 5]);
            // An element is cut, and the next one may lie within the region again.
            let strided = VectorLoad { variant: 1, dtype: 4, iteration: 4, ..load };
            check_packet(&mut bench, VectorLoad { size_list_stride: 0u32.wrapping_sub(8), ..strided });
            let offsets = [0, 8, 16, 0x40].map(|distance: u32| end.wrapping_sub(distance));
            bench.list(wid, 0x800, &offsets);
            let listed = VectorLoad { variant: 2, dtype: 3, iteration: 4, size_list_stride: 0x800, ..load };
            check_packet(&mut bench, VectorLoad { srcoff: 0, total: 32, ..listed });
            // A list that is cut at the end of the region.
            let list = end.wrapping_sub(8);
            check_packet(
                &mut bench,
                VectorLoad { size_list_stride: list, srcoff: 0x100, total: 32, ..listed },
            );
        }
    }
}

#[test]
fn packet_lines_of_255_listed_elements_of_128_bytes() {
    let mut bench = Bench::new(22);
    let offsets: Vec<u32> = (0..255).map(|k| (k * 0x2468) & 0xff_fffc).collect();
    bench.list(true, 0x10_0000, &offsets);
    let load = VectorLoad { wid: true, variant: 2, dtype: 7, iteration: 255, ..VectorLoad::default() };
    let load = VectorLoad { size_list_stride: 0x10_0000, srcoff: 0x40, total: 255 * 128, ..load };
    assert_eq!(check_packet(&mut bench, load).len(), 255 * 16);
}

#[test]
fn full_packet_buffer_does_not_block_the_write_unit() {
    for (together, room) in [(false, PACKET_ROOM), (true, PACKET_ROOM_TOGETHER)] {
        let mut bench = Bench::new(23);
        (bench.network, bench.writes, bench.together) = (0, true, together);
        let load = VectorLoad { to_packet: true, total: 100_000, ..VectorLoad::default() };
        bench.packet.clear();
        let written = bench.stall_packet(load);
        let lines = bench.unit.outputs().packet_lines;
        assert!(lines > room && lines <= PACKET_LINES, "{lines} lines wait, enough for a packet");
        assert!(written > 1000, "{written} words are written meanwhile");
    }
}

#[test]
fn packet_buffer_has_room_for_all_pieces_in_flight() {
    for seed in 0..40 {
        let mut bench = Bench::new(seed);
        let mut random = Stimulus::new(seed);
        (bench.together, bench.ready) = (true, [256, 200][seed as usize % 2]);
        // A part begins at every fill level around the limit: one line more than there is room for, one less,
        // and so on.
        bench.network = 1 + random.below(200);
        let load = VectorLoad { srcoff: 8 * random.below(4) as u32, total: 30_000, ..VectorLoad::default() };
        check_packet(&mut bench, load);
    }
}

#[test]
fn packet_lines_read_together_arrive_two_per_cycle() {
    let load = |srcoff, total| VectorLoad { to_packet: true, srcoff, total, ..VectorLoad::default() };
    for (srcoff, singles) in [(0x4000, 0), (0x4008, 2)] {
        let grew = [false, true].map(|together| {
            let mut bench = Bench::new(25);
            bench.together = together;
            bench.fill_packet(load(srcoff, 2048))
        });
        // A part of 256 words: one or two per cycle, except for the word before the first one of SO-DIMM1 and
        // for the last.
        let [alone, both] = grew.map(|grew| grew.into_iter().filter(|&lines| lines != 0).collect::<Vec<_>>());
        assert_eq!(alone, [1; 256]);
        let pairs = (256 - singles) / 2;
        assert_eq!(both.iter().filter(|&&lines| lines == 2).count(), pairs, "from {srcoff:#x}");
        assert_eq!(both.len(), pairs + singles);
    }
}

#[test]
fn packet_lines_read_together_have_no_gap_and_no_extra_delay() {
    let load = VectorLoad { to_packet: true, srcoff: 0x4000, total: 2048, ..VectorLoad::default() };
    let times = [false, true].map(|together| {
        let mut bench = Bench::new(26);
        bench.together = together;
        let grew = bench.fill_packet(load);
        let first = grew.iter().position(|&lines| lines != 0).unwrap();
        (first, grew.iter().rposition(|&lines| lines != 0).unwrap() - first + 1, grew.len())
    });
    let [(first, alone, all), (also, both, sum)] = times;
    assert_eq!((first, alone, both), (also, 256, 128), "cycles until the first line, and to the last");
    assert_eq!(all - sum, 128);
}

#[test]
fn only_contiguous_data_at_whole_lines_is_read_together() {
    let vector = VectorLoad { variant: 1, iteration: 16, size_list_stride: 0x100, ..VectorLoad::default() };
    for (dtype, srcoff, pairs) in
        [(2, 0, 0), (3, 0, 0), (4, 0, 16), (4, 8, 0), (5, 8, 16), (5, 4, 0), (7, 0, 128)]
    {
        let mut bench = Bench::new(27);
        bench.together = true;
        let load = VectorLoad { to_packet: true, dtype, srcoff, total: 16 << dtype, ..vector };
        let grew = bench.fill_packet(load);
        assert_eq!(
            grew.iter().filter(|&&lines| lines == 2).count(),
            pairs,
            "{} bytes from {srcoff}",
            1 << dtype
        );
    }
}

#[test]
fn packet_lines_arrive_at_nearly_one_per_cycle() {
    for (together, percent) in [(false, 109), (true, 101)] {
        let mut bench = Bench::new(24);
        bench.together = together;
        let start = bench.cycle;
        let load = VectorLoad { total: 65536, ..VectorLoad::default() };
        let lines = check_packet(&mut bench, load).len() as u64;
        let cycles = bench.cycle - start;
        assert!(cycles < lines * percent / 100, "{lines} lines in {cycles} cycles");
    }
}

#[test]
fn random_packet_requests_match_the_oracle_under_stalls() {
    let mut arcs = BTreeSet::new();
    for seed in 0..12 {
        let mut random = Stimulus::new(2000 + seed);
        let mut bench = Bench::new(seed);
        bench.capacity = random.below(6) as u8;
        bench.ready = [256, 256, 200, 40][random.below(4) as usize];
        bench.network = [256, 200, 60][random.below(3) as usize];
        for _ in 0..40 {
            (bench.writes, bench.together) = (random.one_in(2), random.one_in(2));
            let end = oracle::region(bench.capacity);
            let (srcoff, list) = (random_offset(&mut random, end), random_offset(&mut random, end));
            let variant = random.below(3) as u8;
            let (dtype, iteration) = (random.below(8) as u8, 1 + random.below(255) as u8);
            let elements = u64::from(iteration) << dtype;
            let load = VectorLoad {
                wid: random.one_in(2),
                variant,
                dtype,
                iteration,
                size_list_stride: match variant {
                    1 => [4, 8, random.below(1 << 14) as u32, random.word() as u32][random.below(4) as usize],
                    _ => list,
                },
                srcoff,
                total: 1 + random.below(if variant == 0 { 12_000 } else { elements }) as u32,
                ..VectorLoad::default()
            };
            let offsets: Vec<u32> = (0..255).map(|_| random.below(1 << 20) as u32).collect();
            if variant == 2 && u64::from(list) + 1024 < end {
                bench.list(load.wid, list & !3, &offsets);
            }
            check_packet(&mut bench, load);
        }
        arcs.append(&mut bench.arcs);
    }
    let named = |arcs: &BTreeSet<(&'static str, u64, u64)>| {
        arcs.iter().copied().filter(|&(name, ..)| name == "read").collect::<BTreeSet<_>>()
    };
    let ends_early = ("read", 3, 5);
    assert!(named(&arcs).iter().all(|&arc| arc != ends_early), "no run for packets ends early");
    assert_eq!(&named(&arcs) | &BTreeSet::from([ends_early]), named(&declared()));
}

#[test]
fn write_unit_waits_for_one_run_at_most() {
    let mut bench = Bench::new(15);
    bench.writes = true;
    for k in 0..50 {
        check(&mut bench, vl(512, 0x1000 * k, 0));
    }
    assert!(bench.written() > 300, "{} words", bench.written());
}

#[test]
fn quiescent_unit_is_not_changed_by_ticks() {
    let mut bench = Bench::new(16);
    check(&mut bench, vls(2, 9, 16, 4, 4));
    let mut ticking = bench.unit.clone();
    for _ in 0..4 {
        bench.tick(None);
    }
    assert_eq!(bench.unit.quiescent(), Quiet::UntilInput);
    ticking.clone_from(&bench.unit);
    // The parts separately, without the early return of the composite.
    let idle = super::pu_write::In { ended: true, ..Default::default() };
    ticking.pu_ctl.tick(&super::pu_ctl::In { read_idle: true, write_idle: true, ..Default::default() });
    ticking.pu_read.tick(&super::pu_read::In::default());
    ticking.pu_write.tick(&idle);
    assert_eq!((ticking.pu_ctl, ticking.pu_read), (bench.unit.pu_ctl, bench.unit.pu_read));
    assert_eq!(ticking.pu_write.q, bench.unit.pu_write.q);
}
