//! Registers after a reset equal those of a fresh board, whatever the board did before: all
//! registers after a reset by the pin, and after Controller Reset all except those that a decision
//! excludes. Memory contents survive both.

use std::collections::BTreeSet;
use std::ops::Range;

use cosim::{Lockstep, Simulation};
use dimmnet2::clocks::{CLOCKS, CORE};
use dimmnet2::pins::{HostIn, In, Out};
use dimmnet2::registers::SystemRegister;
use dimmnet2::traffic::Traffic;
use dimmnet2::{Dimmnet2, RESETS};
use hdl::{Bits, Instants, Model, Nic, Signal, SignalRole, words_for};

use crate::bench::system;

/// Registers that survive Controller Reset: output registers of memories, SO-DIMM Init and its
/// users, and the decoder (decision 0007).
const STAYS: &[&str] = &[
    "core_logic.host_interface.write_window.",
    "core_logic.host_interface.prefetch_window.",
    "core_logic.host_interface.llcm.",
    "core_logic.host_interface.lh_buffer.even.",
    "core_logic.host_interface.lh_buffer.odd.",
    "core_logic.host_interface.amt_address_table.",
    "core_logic.host_interface.system_register.",
    "core_logic.host_interface.read_source",
    "sodimm_interface.sodimm0.enabled",
    "sodimm_interface.sodimm1.enabled",
];

/// Blocks that are almost always in their reset state: one sends a value for a cycle, one is the
/// reset itself, and of the LH Buffer the host reads little.
const SELDOM: &[&str] = &[
    "core_logic.host_interface.configuration_distribution",
    "core_logic.host_interface.lh_buffer.even",
    "core_logic.host_interface.lh_buffer.odd",
    "swif.controller_reset_sync",
];

fn board(seed: u64) -> Lockstep<Model<Dimmnet2>> {
    let rtl = dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
    let lockstep = Lockstep::open(Model::new(Dimmnet2::default()), Box::new(rtl));
    lockstep
        .unwrap_or_else(|error| panic!("{error}"))
        .resets(RESETS)
        .replay(seed, "cargo test -p testbench_dimmnet2 --test device resets")
}

/// Registers of a board, with their names.
fn registers(signals: &[Signal], board: &Dimmnet2) -> Vec<(String, Vec<u64>)> {
    let mut sample = Vec::new();
    hdl::sample(board, &mut sample);
    let registers = signals.iter().filter(|signal| matches!(signal.role, SignalRole::Register(_)));
    registers
        .map(|signal| (format!("{}.{}", signal.block, signal.name), signal.words(&sample).to_vec()))
        .collect()
}

/// A Controller Reset without host and link, including its consequences: the LH Buffer clears 128
/// flags.
fn controller_reset(board: &mut impl Nic<In = In>, instants: &mut Instants) {
    let address = system(SystemRegister::ControllerReset);
    let mut pins = In { host: HostIn { address, enable: true, ..HostIn::default() }, ..In::default() };
    for _ in 0..1_000 {
        let edges = instants.next_edges();
        board.edge(edges, &pins).unwrap_or_else(|error| panic!("{error}"));
        if edges.meets(CORE) {
            pins.host = HostIn::default();
        }
    }
}

#[test]
fn registers_after_any_reset_are_those_of_a_fresh_board() {
    for seed in 1..6 {
        let mut rtl = dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&CLOCKS);
        let (mut pins_i, mut pins_o) = (vec![0; words_for(In::WIDTH)], vec![0; words_for(Out::WIDTH)]);
        let mut worked = false;
        for _ in 0..40_000 + 9_777 * seed {
            let out = Out::take(&pins_o, 0, Out::WIDTH);
            worked |= out.network.tx_valid;
            let edges = instants.next_edges();
            pins_i.fill(0);
            traffic.pins(edges, &out).put(&mut pins_i, 0, In::WIDTH);
            rtl.step(edges, &pins_i, &mut pins_o).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(worked, "seed {seed}");
        // Opening resets the pair and compares each register with that of a new model.
        let pair = Lockstep::open(Model::new(Dimmnet2::default()), Box::new(rtl));
        pair.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// Resets boards during random traffic, one per seed, at any point of a packet, a command or a
/// status. Returns the blocks that were not in their reset state before.
fn dirty_blocks<N: Nic<In = In, Out = Out>>(
    open: impl Fn(u64) -> N,
    device: impl Fn(&N) -> &Dimmnet2,
    seeds: Range<u64>,
) -> BTreeSet<String> {
    let (signals, expected) = fresh();
    let mut dirty = BTreeSet::new();
    for seed in seeds {
        let mut board = open(seed);
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&CLOCKS);
        for _ in 0..20_000 + 1_777 * seed {
            let edges = instants.next_edges();
            let out = *board.outputs();
            board.edge(edges, traffic.pins(edges, &out)).unwrap_or_else(|error| panic!("{error}"));
        }
        let before = registers(&signals, device(&board));
        let changed = before.iter().zip(&expected).filter(|(before, fresh)| before != fresh);
        dirty.extend(changed.map(|((name, _), _)| block(name)));
        controller_reset(&mut board, &mut instants);
        for ((name, found), (_, fresh)) in registers(&signals, device(&board)).iter().zip(&expected) {
            let stays = STAYS.iter().any(|path| name.starts_with(path));
            assert!(stays || found == fresh, "seed {seed}: Controller Reset leaves {name}: {found:x?}");
        }
    }
    dirty
}

/// Signals of a fresh board, and its registers after a Controller Reset.
fn fresh() -> (Vec<Signal>, Vec<(String, Vec<u64>)>) {
    let mut board = Model::new(Dimmnet2::default());
    controller_reset(&mut board, &mut Instants::new(&CLOCKS));
    let signals = hdl::signals(board.device());
    let registers = registers(&signals, board.device());
    (signals, registers)
}

/// Path of the block that holds a register.
fn block(register: &str) -> String {
    register.rsplit_once('.').expect("a register is in a block").0.to_string()
}

#[test]
fn controller_reset_leaves_nothing_but_what_stays() {
    // The model alone covers each block at work; the boards in lockstep show that the RTL behaves
    // the same.
    let dirty = dirty_blocks(|_| Model::new(Dimmnet2::default()), Model::device, 1..21);
    dirty_blocks(board, |board| board.model().device(), 1..5);
    // A block that was always in its reset state proves nothing.
    let all: BTreeSet<_> = fresh().1.iter().map(|(name, _)| block(name)).collect();
    let clean = all.difference(&dirty).filter(|block| !SELDOM.contains(&block.as_str()));
    assert_eq!(clean.collect::<Vec<_>>(), [""; 0], "they were never anything else");
}
