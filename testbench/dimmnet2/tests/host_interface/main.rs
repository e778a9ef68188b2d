//! The host interface section: its blocks, each alone, and the whole section.

/// Table of AMT entries.
mod amt_address_table;
/// Sends what the host configures.
mod configuration_distribution;
/// The whole section; its file has the name of its twins.
#[allow(clippy::module_inception)]
mod host_interface;
/// Ring of message heads.
mod lh_buffer;
/// Memory that both sides read and write.
mod llcm;
/// Windows that the host reads.
mod prefetch_window;
/// The privileged page.
mod system_register;
/// One process's page.
mod user_register;
/// Windows that the host writes.
mod write_window;

use cosim::Stimulus;
use dimmnet2::registers::{SystemRegister, UserRegister};
use hdl::{Bundle, Clocked, Probe};

const CYCLES: u64 = 100_000;

/// Runs a block in lockstep with its RTL for [`CYCLES`] with the pins that `draw` draws, and
/// compares all memories.
fn walk<B>(block: &str, mut draw: impl FnMut(&mut Stimulus) -> B::In)
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
    B::Out: Bundle,
{
    for seed in testbench::seeds() {
        let rtl = testbench_dimmnet2::open(block).expect("the block is verilated");
        let mut pair = testbench::pair::<B>(rtl, seed, block);
        let mut stimulus = Stimulus::new(seed);
        for _ in 0..CYCLES {
            let pins = draw(&mut stimulus);
            pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
            if stimulus.one_in(1000) {
                pair.reset().unwrap_or_else(|error| panic!("{error}"));
            }
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Offset in a page, mostly that of a register.
fn offset(stimulus: &mut Stimulus) -> u16 {
    let user = UserRegister::ALL;
    let system = SystemRegister::ALL;
    match stimulus.below(8) {
        0 => stimulus.below(0x1000) as u16,
        1..4 => system[stimulus.below(system.len() as u64) as usize].info().offset,
        _ => user[stimulus.below(user.len() as u64) as usize].info().offset,
    }
}
