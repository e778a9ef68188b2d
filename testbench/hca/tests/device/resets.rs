//! After a reset, a used and misused adapter has the registers of a new one. Rows of contexts and packets lie
//! in block RAMs, which a reset does not change (decision 0060).

use cosim::{Lockstep, Simulation};
use hca::Hca;
use hca::clocks::CORE;
use hca::pins::{In, Out};
use hca::traffic::Traffic;
use hdl::{Bits, Model, words_for};

#[test]
fn reset_restores_every_register() {
    // Resets come at any point of a packet, a command or a transfer.
    for seed in 1..12 {
        let mut rtl = hca_rtl::open("hca").expect("the adapter is verilated");
        let mut traffic = Traffic::new(seed);
        let (mut pins_i, mut pins_o) = (vec![0; words_for(In::WIDTH)], vec![0; words_for(Out::WIDTH)]);
        let mut worked = false;
        for _ in 0..40_000 + 9_777 * seed {
            let out = Out::take(&pins_o, 0, Out::WIDTH);
            worked |= out.link.valid;
            let pins = *traffic.pins(CORE, &out);
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, In::WIDTH);
            rtl.step(CORE, &pins_i, &mut pins_o).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(worked, "seed {seed}");
        // Opening resets the device and compares each register with that of a new model.
        let pair = Lockstep::open(Model::new(Hca::default()), Box::new(rtl));
        pair.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
