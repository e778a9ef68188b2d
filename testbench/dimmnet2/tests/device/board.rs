//! The whole board against its RTL, with random traffic on all its pins.

use cosim::Lockstep;
use dimmnet2::clocks::CLOCKS;
use dimmnet2::traffic::Traffic;
use dimmnet2::{Dimmnet2, RESETS};
use hdl::{Instants, Model, Nic};
use testbench::several_seeds;

fn board(seed: u64) -> Lockstep<Model<Dimmnet2>> {
    let rtl = dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
    let model = Model::new(Dimmnet2::default());
    let lockstep = Lockstep::open(model, Box::new(rtl)).unwrap_or_else(|error| panic!("{error}"));
    let command =
        format!("memonet lockstep --cycles {{cycle}} --seed {seed} --waves waveforms/out --from {{from}}");
    lockstep.resets(RESETS).replay(seed, command)
}

#[test]
fn board_matches_its_rtl_on_every_edge_and_walks_every_arc() {
    let mut walked: Option<cosim::Coverage> = None;
    for seed in several_seeds() {
        let mut lockstep = board(seed);
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&CLOCKS);
        for _ in 0..600_000 {
            let edges = instants.next_edges();
            let out = *lockstep.outputs();
            lockstep.step(edges, traffic.pins(edges, &out)).unwrap_or_else(|error| panic!("{error}"));
        }
        lockstep.compare_memories().unwrap_or_else(|divergence| panic!("{divergence}"));
        lockstep.coverage().check().unwrap_or_else(|illegal| panic!("seed {seed}: {illegal}"));
        match &mut walked {
            None => walked = Some(lockstep.coverage().clone()),
            Some(walked) => walked.merge(lockstep.coverage()),
        }
    }
    let missing = walked.map(|coverage| coverage.missing()).unwrap_or_default();
    assert_eq!(missing, [""; 0], "not walked");
}
