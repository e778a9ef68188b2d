//! The decapsulation under random lines: frames for this and other LIDs, cut and endless ones, and silence.

use cosim::{BlockPair, Stimulus};
use dimmnet2::line::{FIRST, Line};
use dimmnet2::swif::decapsulation::{Decapsulation, In};

#[test]
fn decapsulation_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open("decapsulation").expect("it is verilated");
        let mut pair: BlockPair<Decapsulation> = testbench::pair(rtl, seed, "decapsulation_matches");
        let mut stimulus = Stimulus::new(seed);
        let mut closed = 0;
        for cycle in 0..300_000 {
            let mut pins: In = stimulus.pins();
            // In every fourth stretch the link falls silent after a while.
            if cycle / 1000 % 4 == 3 && cycle % 1000 > 300 {
                pins.rx_valid = stimulus.one_in(400);
            }
            if !stimulus.one_in(4) {
                // The LRH's DLID is in its bytes 2 and 3.
                pins.sma_lid = (pins.rx_line.data >> 16) as u16;
                pins.sma_lid = pins.sma_lid.swap_bytes();
            }
            pins.fifo_free = match stimulus.below(8) {
                0 => stimulus.below(8) as u16,
                1 => 512 + stimulus.below(8) as u16,
                2 => 764 + stimulus.below(8) as u16,
                _ => 1024,
            };
            closed += (pair.model().block().gap == u8::MAX) as u32;
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(5_000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
        assert!(closed > 10, "{closed} packets closed");
    }
}

/// Frames without an end that count as foreign, as one without room and as malformed, until each counter has come round and shows its top
/// bit again.
#[test]
fn decapsulation_counts_over_the_whole_width_as_its_rtl_does() {
    let rtl = testbench_dimmnet2::open("decapsulation").expect("it is verilated");
    let mut pair: BlockPair<Decapsulation> = testbench::pair(rtl, 1, "decapsulation_counts");
    let begins = Line { id: FIRST, data: 0 };
    let kinds = [
        In { sma_lid: 1, fifo_free: 1024, ..In::default() },
        In { fifo_free: 0, ..In::default() },
        In { fifo_free: 1024, ..In::default() },
    ];
    for pins in kinds {
        for _ in 0..0x1_8008 {
            let pins = In { rx_valid: true, rx_line: begins, ..pins };
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let q = pair.model().block();
    assert_eq!((q.foreign, q.overflows, q.malformed), (0x8008, 0x8008, 0x8007));
}
