//! The Write Unit under random pins: right, room and idle of the SO-DIMM interface come and go.

use cosim::{BlockPair, Stimulus};
use dimmnet2::write_unit::WriteUnit;
use dimmnet2::write_unit::pins::In;
use hdl::Nic;

#[test]
fn write_unit_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("write_unit").expect("it is verilated");
        let mut pair: BlockPair<WriteUnit> = testbench::pair(rtl, seed, "write_unit_matches");
        let mut stimulus = Stimulus::new(seed);
        let (mut done, mut cut, mut broken) = (0, 0, 0);
        let (mut stored, mut store_cut, mut strided) = (0, 0, 0);
        let (mut moved, mut refused) = (0, 0);
        let mut capacity = 0;
        for _ in 0..400_000 {
            let mut pins: In = stimulus.pins();
            if stimulus.one_in(500) {
                capacity = stimulus.below(8) as u8;
            }
            pins.capacity = capacity;
            pins.write_request = super::request(&mut stimulus, capacity);
            pins.line = super::line(&mut stimulus);
            pins.vector_store = super::store(&mut stimulus, capacity);
            pins.write_request.start = stimulus.one_in(16);
            pins.ring_request = super::ring_request(&mut stimulus);
            pins.llcm_rdata = super::amt_entry(&mut stimulus);
            let out = *pair.outputs();
            // The Receive Controller starts one packet at a time.
            pins.ring_request.start &= out.ring_state == 0 && !pins.write_request.start;
            pins.write_request.start &= out.ring_state == 0;
            moved += (out.llcm_byte_enable != 0) as u32;
            refused += (out.done && out.refused) as u32;
            let store = out.vector_store_status;
            stored += store.done as u32;
            store_cut += (store.done && store.overrun) as u32;
            done += out.done as u32;
            strided += (out.stride_state != 0 && !store.storing) as u32;
            cut += (out.done && out.overrun) as u32;
            broken += (out.done && out.broken) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        let seen = [done, cut, broken, stored, store_cut, strided, moved, refused];
        assert!(
            seen.iter().all(|&count| count > 50),
            "whole, cut, broken and refused packets, stores and Tails are seen: {seen:?}"
        );
    }
}
