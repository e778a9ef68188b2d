use cenju3::Cenju3;
use cenju3::clocks::CORE;
use cenju3::pins::In;
use cenju3::traffic::Traffic;
use hdl::{Device, Model, Nic, Observed, Quiet, Stimulus};

/// Registers, pins and the state of memory ports.
fn look(nif: &Cenju3) -> Vec<u64> {
    let mut words = Vec::new();
    nif.sample(&mut words);
    words
}

#[test]
fn skipped_edges_equal_simulated_ones_while_quiescent() {
    let (mut bounded, mut unbounded) = (0, 0);
    for seed in 0..40 {
        let (mut nif, mut traffic) = (Model::new(Cenju3::default()), Traffic::new(seed));
        let mut random = Stimulus::new(seed);
        for _ in 0..20_000 {
            let pins = *traffic.pins(CORE, nif.outputs());
            nif.edge(CORE, &pins).unwrap();
            let most = match nif.device().quiescent() {
                Quiet::Busy => continue,
                Quiet::For(cycles) => {
                    bounded += 1;
                    cycles
                }
                Quiet::UntilInput => {
                    unbounded += 1;
                    200
                }
            };
            let count = 1 + random.below(most);
            let (mut walked, mut skipped) = (nif.device().clone(), nif.device().clone());
            // The network may be ready; memory answers only requests.
            let idle = In { transmit_ready: random.one_in(2), new_rom: random.one_in(2), ..In::default() };
            (0..count).for_each(|_| walked.edge(CORE, &idle));
            skipped.skip(&[count]);
            assert_eq!(look(&walked), look(&skipped), "{count} of {most} edges");
        }
    }
    assert!(bounded > 30 && unbounded > 300, "{bounded}, {unbounded}");
}
