//! The Configuration Register: every code of every register, then random pins.

use cosim::{BlockPair, Stimulus};
use dimmnet2::host_interface::pins::Configuration;
use dimmnet2::window_controller::configuration_register::{ConfigurationRegister, In};

fn open(seed: u64, test: &str) -> BlockPair<ConfigurationRegister> {
    let rtl = testbench_dimmnet2::open("configuration_register").expect("it is verilated");
    testbench::pair(rtl, seed, test)
}

#[test]
fn configuration_register_decodes_every_code_as_its_rtl() {
    let mut pair = open(0, "configuration_register_decodes");
    for system_code in 0..8 {
        for value in 0..256 {
            let configuration = Configuration { value, system_code, ..Configuration::default() };
            pair.tick(&In { configuration }).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn configuration_register_matches_its_rtl_on_every_cycle() {
    for seed in testbench::seeds() {
        let mut pair = open(seed, "configuration_register_matches");
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..50_000 {
            pair.tick(&stimulus.pins()).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
