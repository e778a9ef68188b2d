//! After a reset, a used NIF has the registers of a new one. Words of memories keep their values.

use cenju3::Cenju3;
use cenju3::clocks::CORE;
use cenju3::pins::{In, Out};
use cenju3::traffic::Traffic;
use cosim::{Lockstep, Simulation};
use hdl::{Bits, Model, words_for};

#[test]
fn reset_restores_every_register() {
    for seed in 1..12 {
        let mut rtl = cenju3_rtl::open("cenju3").expect("the NIF is verilated");
        let mut traffic = Traffic::new(seed);
        let (mut pins_i, mut pins_o) = (vec![0; words_for(In::WIDTH)], vec![0; words_for(Out::WIDTH)]);
        let mut worked = false;
        for _ in 0..40_000 + 9_777 * seed {
            let out = Out::take(&pins_o, 0, Out::WIDTH);
            worked |= out.transmit_valid;
            let pins = *traffic.pins(CORE, &out);
            pins_i.fill(0);
            pins.put(&mut pins_i, 0, In::WIDTH);
            rtl.step(CORE, &pins_i, &mut pins_o).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(worked, "seed {seed}");
        // Opening resets the device and compares each register with that of a new model.
        let pair = Lockstep::open(Model::new(Cenju3::default()), Box::new(rtl));
        pair.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
