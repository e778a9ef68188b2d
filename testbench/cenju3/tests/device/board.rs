//! The whole NIF under random traffic, and two of them on a cable.

use cenju3::clocks::CORE;
use cenju3::memory_map::{Kind, SEGMENT_BYTES};
use cenju3::pins::In;
use cenju3::traffic::Traffic;
use cenju3::traffic::element::Entry;
use cenju3::traffic::layout::{SOURCE, WINDOW};
use cenju3::traffic::pair::Pair;
use cenju3::{Cenju3, RESETS};
use cosim::{Lockstep, Stimulus};
use hdl::{Model, Nic};

const CYCLES: usize = 1_500_000;

/// A NIF after reset.
pub fn nif(seed: u64, test: &str) -> Lockstep<Model<Cenju3>> {
    let rtl = cenju3_rtl::open("cenju3").expect("the NIF is verilated");
    let pair = Lockstep::open(Model::new(Cenju3::default()), Box::new(rtl));
    pair.unwrap_or_else(|error| panic!("{error}")).resets(RESETS).replay(seed, testbench::replay(seed, test))
}

#[test]
fn two_nifs_in_lockstep_deliver_transfers_in_order() {
    for seed in testbench::seeds() {
        let mut pair = Pair::new([0, 1].map(|_| nif(seed, "two_nifs")), seed, true);
        let mut random = Stimulus::new(seed);
        let mut sent = [Vec::new(), Vec::new()];
        for i in 0..60 {
            for who in [0, 1] {
                let kind = [Kind::Message0, Kind::Message1, Kind::Dma][random.below(3) as usize];
                let most = if kind == Kind::Dma { 3 * SEGMENT_BYTES } else { 128 };
                let length = 1 + random.below(most.into()) as u32;
                let bytes: Vec<u8> = (0..length).map(|_| random.word() as u8).collect();
                let offset = 1024 * i;
                pair.elements[who].put(SOURCE + offset, &bytes);
                let entry = Entry::new(kind, 1 - who as u8, length, SOURCE + offset, WINDOW + offset);
                let library = [0; 4].map(|_: u64| random.word());
                pair.elements[who].send(i as usize % 2, Entry { library, ..entry });
                sent[who].push((i % 2, kind.code(), bytes, library));
            }
        }
        let ran = pair.run_until(3_000_000, |pair| pair.elements.iter().all(|e| e.arrivals.len() >= 60));
        ran.unwrap_or_else(|error| panic!("{error}")).expect("all arrive");
        for (who, sent) in sent.iter().enumerate() {
            pair.nifs[who].compare_memories().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(pair.elements[1 - who].arrivals.len(), 60);
            // Transfers of one queue keep their order in a ring.
            for (queue, ring) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
                let of_queue: Vec<_> =
                    sent.iter().filter(|s| (s.0, s.1) == (queue, ring)).map(|s| (&s.2, s.3)).collect();
                let arrived = pair.elements[1 - who].arrivals.iter().filter(|a| a.ring == ring);
                let arrived: Vec<_> = arrived
                    .map(|a| (&a.bytes, a.library))
                    .filter(|a| of_queue.iter().any(|s| s.1 == a.1))
                    .collect();
                assert!(arrived == of_queue, "seed {seed}, queue {queue}, ring {ring}");
            }
        }
    }
}

#[test]
fn nif_matches_its_rtl_in_every_cycle_and_walks_every_arc() {
    let mut total = None;
    for seed in testbench::several_seeds() {
        let mut pair = nif(seed, "nif_matches");
        let mut traffic = Traffic::new(seed);
        for _ in 0..CYCLES {
            let pins = *traffic.pins(CORE, pair.outputs());
            pair.step(CORE, &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        let nif = pair.model().device();
        assert!(nif.register_file.status != 0 && nif.register_file.dropped != 0, "the traffic is bad, too");
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        let total = total.get_or_insert_with(|| pair.coverage().clone());
        total.merge(pair.coverage());
    }
    let total = total.expect("there is a seed");
    assert_eq!(total.missing(), [""; 0], "{total}");
}

#[test]
fn pins_of_any_value_end_in_no_difference() {
    for seed in testbench::seeds() {
        let mut pair = nif(seed, "pins_of_any_value");
        let mut random = Stimulus::new(seed);
        for cycle in 0..300_000 {
            let mut pins: In = random.pins();
            // The NIF is enabled at times, and mostly stays so.
            if random.one_in(8) {
                pins.host.address = if cycle % 64 == 0 { 0 } else { (random.below(0x230) as u16) << 2 };
            } else {
                pins.host.enable = false;
            }
            pair.step(CORE, &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
    }
}
