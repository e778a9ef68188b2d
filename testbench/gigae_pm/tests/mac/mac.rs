//! The MAC under random frames and random edges of its two clocks, coinciding ones among them.

use cosim::{Lockstep, Stimulus};
use gigae_pm::clocks;
use gigae_pm::mac::Mac;
use gigae_pm::mac::crc32::frame_check_sequence;
use gigae_pm::mac::pins::In;
use hdl::{Model, Nic};

/// A frame of random length, good or not, with the gap behind it.
fn frame(stimulus: &mut Stimulus) -> Vec<Option<u8>> {
    let length = [10, 64, 64, 300, 1514, 1530][stimulus.below(6) as usize];
    let bytes: Vec<u8> = (0..1 + stimulus.below(length)).map(|_| stimulus.word() as u8).collect();
    let mut sequence = frame_check_sequence(&bytes).to_le_bytes();
    sequence[0] ^= u8::from(stimulus.one_in(4));
    let mut wire = [&[0x55; 7][..], &[0xd5], &bytes, &sequence].concat();
    if stimulus.one_in(20) {
        wire.truncate(1 + stimulus.below(12) as usize);
    }
    let gap = if stimulus.one_in(4) { 1 } else { 12 };
    wire.into_iter().map(Some).chain(vec![None; gap]).collect()
}

#[test]
fn mac_matches_its_rtl_and_walks_every_arc() {
    for seed in testbench::seeds() {
        let model = Model::new(Mac::default());
        let rtl = Box::new(testbench_gigae_pm::open("mac").expect("it is verilated"));
        let mut pair = Lockstep::open(model, rtl)
            .unwrap_or_else(|error| panic!("{error}"))
            .replay(seed, testbench::replay(seed, "mac_matches"));
        let mut stimulus = Stimulus::new(seed);
        let (mut arriving, mut inside, mut missed) = (Vec::new().into_iter(), false, 0);
        for step in 0..400_000 {
            // Stretches in which one side is fast, slow or silent.
            let stretch = step / 20_000 % 4;
            let which = stimulus.below(3);
            let edges = [clocks::NETWORK, clocks::CORE, clocks::BOTH][which as usize];
            let mut pins: In = stimulus.pins();
            // A frame is written only where the whole of it fits, as transmit DMA does.
            let out = *pair.outputs();
            pins.transmit_enable &= edges.meets(clocks::CORE) && (inside || out.transmit_free >= 384);
            pins.transmit_word.last = stimulus.one_in(40);
            if pins.transmit_enable {
                inside = !pins.transmit_word.last;
            }
            pins.frame_start &= stretch != 2 && out.receive_word.last || step < 100;
            pins.word_next &= stretch != 2;
            if edges.meets(clocks::NETWORK) {
                let byte = arriving.next().unwrap_or_else(|| {
                    arriving = frame(&mut stimulus).into_iter();
                    None
                });
                pins.network.rx_valid = byte.is_some();
                pins.network.rx_data = byte.unwrap_or(pins.network.rx_data);
                pins.network.rx_error &= stimulus.one_in(1000);
            }
            pair.step(edges, &pins).unwrap_or_else(|error| panic!("{error}"));
            missed = missed.max(pair.model().device().mac_receive.missed);
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        assert!(missed > 0, "the receive FIFO is full at times");
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(pair.coverage().missing(), [""; 0], "{}", pair.coverage());
    }
}
