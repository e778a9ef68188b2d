//! The Prefetch Unit under random requests, with SO-DIMMs that answer when they like.

use cosim::{BlockPair, Stimulus};
use dimmnet2::command::SODIMM_COPY;
use dimmnet2::prefetch_unit::PrefetchUnit;
use dimmnet2::prefetch_unit::pins::In;
use hdl::Nic;

#[test]
fn prefetch_unit_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("prefetch_unit").expect("it is verilated");
        let mut pair: BlockPair<PrefetchUnit> = testbench::pair(rtl, seed, "prefetch_unit_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut rested, mut list_row) = (false, 0);
        let (mut words, mut done, mut chunks, mut full, mut pairs) = (0, 0, 0, 0, 0);
        for cycle in 0..200_000 {
            let mut pins: In = stimulus.pins();
            let load = &mut pins.vector_load;
            pins.vector_load_start = stimulus.one_in(4);
            if stimulus.one_in(3) {
                load.dstoff = SODIMM_COPY;
            }
            load.to_packet = stimulus.one_in(4);
            load.total = match stimulus.below(4) {
                0 => 3000 + stimulus.below(4000) as u32,
                _ => stimulus.below(600) as u32,
            };
            // A reader of packets that stops now and then for longer than the buffer takes to fill.
            pins.packet_next = cycle / 4000 % 2 == 0;
            pins.capacity = 0;
            pins.read_together = cycle / 8000 % 2 == 1;
            for offset in [&mut load.srcoff, &mut load.size_list_stride] {
                if !stimulus.one_in(4) {
                    *offset &= 0x3ff;
                }
            }
            *load = load.measured(pins.capacity);
            // Lists keep the unit busy too.
            pins.list_request.request &= stimulus.one_in(32);
            // The VS module asks for a chunk while the unit is free.
            let copies = &mut pins.copy_request;
            copies.request &= !pair.outputs().busy && stimulus.one_in(8);
            copies.end_copy = stimulus.one_in(500);
            if copies.request {
                pins.vector_load_start = false;
            }
            if !stimulus.one_in(4) {
                // Offsets of a list that lie in the region.
                pins.data.data0 &= 0x03ff_ffff_03ff_ffff;
                pins.data.data1 &= 0x03ff_ffff_03ff_ffff;
            }
            let slow = cycle / 2000 % 3 == 2;
            pins.sodimm_almost_full &= slow;
            pins.data.empty0 &= slow || stimulus.one_in(4);
            pins.data.empty1 &= slow || stimulus.one_in(4);
            pins.prefetch_window_free |= !slow;
            let out = *pair.outputs();
            // The list that was read is taken row by row, each of them named a cycle before, while the list service rests.
            pins.list_read_enable &= !out.busy && rested;
            rested = !out.busy;
            let row = std::mem::replace(&mut list_row, pins.list_row);
            if pins.list_read_enable {
                pins.list_row = row;
                list_row = row;
            }
            words += (out.prefetch_window_byte_enable != 0 && pins.prefetch_window_free) as u32;
            done += (out.flag.quarters == 0xf) as u32;
            chunks += (out.copy_chunk.bytes != 0 && out.copy_chunk.ready) as u32;
            full += (out.packet_lines > 744) as u32;
            pairs += (out.read.enable && out.read.pair) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        assert!(words > 5_000 && done > 200, "{words} words, {done} transfers");
        assert!(chunks > 100, "{chunks} chunks of copies");
        assert!(full > 100, "no room for a part of a run: {full} cycles");
        assert!(pairs > 500, "{pairs} pairs");
    }
}
