//! Random valid and malformed packets with random stalls, compared with the oracle.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::bench::{Bench, Knobs, Ring, Trace};
use super::oracle::Oracle;
use super::{PGIDS, lines};
use crate::line::{FIRST, LAST, Line, MIDDLE};
use crate::packet::FirstLine;

/// Arcs taken, as state codes.
#[derive(Default)]
pub struct Arcs {
    pub main: BTreeSet<(u64, u64)>,
    pub writer: BTreeSet<(u64, u64)>,
    pub reader: BTreeSet<(u64, u64)>,
    pub storer: BTreeSet<(u64, u64)>,
    pub status: BTreeSet<(u64, u64)>,
    pub ring: BTreeSet<(u64, u64)>,
    pub head: BTreeSet<(u64, u64)>,
}

impl Arcs {
    fn walk(&mut self, from: Trace, to: Trace) {
        let mut walk = |arcs: fn(&mut Self) -> &mut BTreeSet<(u64, u64)>, from: u8, to: u8| {
            if from != to {
                arcs(self).insert((u64::from(from), u64::from(to)));
            }
        };
        walk(|arcs| &mut arcs.main, from.main as u8, to.main as u8);
        walk(|arcs| &mut arcs.writer, from.writer as u8, to.writer as u8);
        walk(|arcs| &mut arcs.reader, from.reader as u8, to.reader as u8);
        walk(|arcs| &mut arcs.storer, from.storer as u8, to.storer as u8);
        walk(|arcs| &mut arcs.status, from.status as u8, to.status as u8);
        walk(|arcs| &mut arcs.ring, from.ring as u8, to.ring as u8);
        walk(|arcs| &mut arcs.head, from.head as u8, to.head as u8);
    }
}

/// Offsets near the ends of areas, or anywhere.
fn offset() -> impl Strategy<Value = u32> {
    prop_oneof![
        3 => 0u32..0x100,
        2 => 0x1c0u32..0x240,
        1 => 0x7c0u32..0x840,
        1 => 0x7fc0u32..0x8010,
        2 => 0x0fff_ffc0u32..0x1000_0010,
        1 => 0xffff_ffc0u32..=0xffff_ffff,
        1 => any::<u32>(),
    ]
}

/// A first line, mostly valid; Packet Size 0 stands for the correct one.
fn first_line() -> impl Strategy<Value = FirstLine> {
    let otype = prop_oneof![
        8 => Just(0b10100u8),
        5 => 0b10101u8..0b10111,
        3 => 0b10000u8..0b10011,
        6 => 0b11000u8..0b11011,
        1 => 0u8..32,
    ];
    let packet_size = prop_oneof![6 => Just(0u16), 2 => 0u16..64, 1 => 0u16..4096];
    let flags = any::<(bool, bool, bool, bool, bool)>();
    (otype, packet_size, flags, any::<(bool, u16, u8, u8)>(), 0u8..20).prop_map(
        |(
            otype,
            packet_size,
            (dwid, swid, rflag, eflag, lflag),
            (hflag, dlid, dtype, iteration),
            foreign,
        )| {
            let pgid = PGIDS[dwid as usize] ^ u8::from(foreign == 0);
            let heads = otype >> 2 == 0b110 || foreign % 2 == 1;
            let (rflag, lflag) = (rflag && lflag || foreign % 4 == 1, lflag && heads);
            let hflag = hflag || otype != 0b10100 && otype >> 2 != 0b110 && foreign != 3;
            let dtype = dtype & 7;
            // Most IPUSH packets come from four nodes.
            let dlid = if otype >> 2 == 0b110 && dlid % 8 != 0 { dlid >> 8 & 3 } else { dlid };
            FirstLine {
                packet_size,
                otype,
                pgid,
                dwid,
                swid,
                dlid,
                dtype,
                iteration,
                rflag,
                eflag,
                hflag,
                lflag,
            }
        },
    )
}

/// A packet; one in five has a wrong identifier before its last line.
pub fn packet() -> impl Strategy<Value = Vec<Line>> {
    let second = (offset(), offset(), any::<bool>())
        .prop_map(|(to, initial, same)| u64::from(to) << 32 | u64::from(if same { to } else { initial }));
    let rest = prop_oneof![
        4 => prop::collection::vec(any::<u64>(), 0..6),
        2 => prop::collection::vec(any::<u64>(), 0..40),
    ];
    let id = prop_oneof![2 => Just(FIRST), 1 => Just(MIDDLE), 1 => Just(0)];
    let wrong = (0u8..5, any::<prop::sample::Index>(), id);
    // Strides and totals similar to the size of the packet.
    let third =
        prop_oneof![1 => Just(u64::MAX), 2 => Just(0x0000_01ff_0000_00ff), 1 => Just(0xffff_ffff_0000_003f)];
    (first_line(), second, rest, 0u8..30, wrong, third).prop_map(
        |(first, second, rest, short, wrong, third)| {
            let mut words = vec![0, second];
            words.extend(rest);
            if let Some(word) = words.get_mut(2) {
                *word &= third;
            }
            if short == 0 {
                words.truncate(1);
            }
            let right = 8 * words.len() as u16 - (short % 8) as u16;
            let packet_size = if first.packet_size == 0 { right } else { first.packet_size };
            words[0] = FirstLine { packet_size, ..first }.bits();
            let mut packet = lines(&words);
            if let (0, index, id) = wrong
                && packet.len() > 1
            {
                // Often near the beginning, where the head of a message is.
                let at = index.index(if short < 10 { packet.len().min(10) } else { packet.len() } - 1);
                packet[at].id = id;
            }
            packet
        },
    )
}

/// Arbitrary lines that end with a last line.
fn noise() -> impl Strategy<Value = Vec<Line>> {
    let line = (any::<u64>(), prop_oneof![Just(FIRST), Just(MIDDLE), Just(0)]);
    prop::collection::vec(line, 1..12).prop_map(|lines| {
        let mut packet: Vec<_> = lines.into_iter().map(|(data, id)| Line { data, id }).collect();
        packet.last_mut().expect("there is one").id = LAST;
        packet
    })
}

/// Gives LIDs 0 to 3 rings, nearly full and near their ends; one is shared and one lies outside the region.
/// Entry 0 serves all other senders.
fn rings(bench: &mut Bench, oracle: &mut Oracle, seed: u64) {
    oracle.area_size = [1 + (seed % 7) as u16, (seed / 7 % 3) as u16];
    for wid in [false, true] {
        bench.configure_area(wid, oracle.area_size[wid as usize]);
        for (word, tail) in [(0, 0x20_fff8), (0x600, 0x40_ffe8), (0x601, 0x7f_0000), (0x602, 0xf000_0000)] {
            let free = 8 * (seed >> 8 & 0x1f) as u32 + 8;
            let size = crate::write_unit::ring::ring_bytes(oracle.area_size[wid as usize]).max(8);
            let head = tail & !(size - 1) | tail.wrapping_add(free) & (size - 1);
            bench.set_entry(wid, word, head, tail);
            bench.consumes.push((wid, word));
        }
    }
    for (lid, word) in [(0, 0x600), (1, 0x601), (2, 0x601), (3, 0x602)] {
        for swid in [false, true] {
            bench.give_entry(lid, swid, word);
        }
    }
    oracle.amt = bench.amt().to_vec();
    oracle.llcm.clone_from(&bench.llcm);
}

/// Receives the packets with stalls and compares the result with the oracle.
fn check(packets: &[Vec<Line>], capacity: u8, seed: u64, mut each: impl FnMut(Trace)) {
    let mut bench = Bench::new(Knobs { capacity, depth: 8, seed, ..Default::default() });
    let mut oracle = Oracle::new(capacity);
    for wid in [false, true] {
        bench.configure_ring(Ring { wid, initial: 0x400, size: 1, reads: true });
    }
    rings(&mut bench, &mut oracle, seed);
    for packet in packets {
        oracle.receive(packet);
        bench.send(packet.clone());
        let mut cycles = 0;
        while !bench.at_rest() {
            each(bench.cycle());
            cycles += 1;
            // With these stalls, a word takes 8 cycles on average, and a header and a status some dozens.
            assert!(cycles < 8000 + 40 * packet.len(), "stuck in {:?} at {packet:x?}", bench.main());
        }
        each(bench.cycle());
    }
    // Heads belong to the host, which moves them during the run.
    for &(wid, word) in &bench.consumes {
        let head = (wid as usize) << 15 | usize::from(word) << 3 | 4;
        oracle.llcm[head..head + 4].copy_from_slice(&bench.llcm[head..head + 4]);
    }
    assert_eq!(bench.all_memory(), &oracle.memory);
    assert!(bench.windows == oracle.windows, "Prefetch Windows differ");
    assert!(bench.llcm == oracle.llcm, "LLCM differs");
    let statuses: Vec<_> = bench.statuses.iter().map(|&(wid, _, upper, lower)| (wid, upper, lower)).collect();
    assert_eq!(statuses, oracle.statuses);
    let entries: Vec<_> = bench
        .entries
        .iter()
        .zip(&oracle.entries)
        .map(|(entry, expected)| {
            let data =
                entry.lines[2..].iter().flat_map(|line| line.to_le_bytes()).take(expected.4.len()).collect();
            (entry.wid, entry.number, entry.lines[0], entry.lines[1], data)
        })
        .collect();
    assert_eq!(entries, oracle.entries);
    assert_eq!(bench.entries.len(), oracle.entries.len());
    for wid in [false, true] {
        let slots = bench.statuses.iter().filter(|status| status.0 == wid).map(|status| status.1);
        assert!(slots.zip((0..4).cycle()).all(|(slot, n)| slot == 0x400 + 16 * n));
    }
    assert_eq!(bench.remotes, oracle.remotes);
    assert_eq!(bench.conditions, oracle.conditions);
    assert_eq!(bench.flags, oracle.flags, "Prefetch Window Flag");
    assert_eq!((bench.received, bench.overruns), (oracle.received, oracle.overruns));
}

/// The arcs taken by 2000 packets.
pub fn arcs() -> Arcs {
    let mut runner = TestRunner::deterministic();
    let mut arcs = Arcs::default();
    for seed in 1..=10_000 {
        let packet = packet().new_tree(&mut runner).expect("a packet can be made").current();
        let mut last = None;
        check(&[packet], 0, seed, |now| {
            if let Some(last) = last.replace(now) {
                arcs.walk(last, now);
            }
        });
    }
    arcs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn packets_match_the_oracle(
        packets in prop::collection::vec(packet(), 1..8),
        capacity in 0u8..6,
        seed in any::<u64>(),
    ) {
        check(&packets, capacity, seed, |_| {});
    }

    #[test]
    fn noise_matches_the_oracle(packets in prop::collection::vec(noise(), 1..8), seed in any::<u64>()) {
        check(&packets, 0, seed, |_| {});
    }
}
