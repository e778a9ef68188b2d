//! Random programs on two boards, each a model and its RTL in lockstep, against the oracle.

use cosim::Lockstep;
use dimmnet2::{Dimmnet2, RESETS};
use dimmnet2_semantics::{Plan, Program, run};
use hdl::Model;
use testbench::seeds;

/// Instants by which the model may be ahead of its RTL.
const LEAD: usize = 256;

fn board(seed: u64) -> Box<Lockstep<Model<Dimmnet2>>> {
    let rtl = dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
    let lockstep = Lockstep::open(Model::new(Dimmnet2::default()), Box::new(rtl));
    let command = testbench::replay(seed / 8, "random_programs");
    Box::new(
        lockstep.unwrap_or_else(|error| panic!("{error}")).resets(RESETS).replay(seed, command).lead(LEAD),
    )
}

#[test]
fn random_programs_leave_what_the_oracle_says_in_lockstep() {
    for seed in seeds().into_iter().flat_map(|seed| 8 * seed..8 * seed + 8) {
        let program = Program::random(seed, 16);
        if let Err(error) = run(&Plan::new(&program), [board(seed), board(seed)]) {
            panic!("seed {}: {error}\n{program:?}", seed / 8);
        }
    }
}
