use hca::Hca;
use hca::clocks::CORE;
use hca::pins::{In, LinkIn};
use hca::traffic::Traffic;
use hdl::{Device, Model, Nic, Observed, Quiet, Stimulus};

fn look(adapter: &Hca) -> Vec<u64> {
    let mut words = Vec::new();
    adapter.sample(&mut words);
    words
}

#[test]
fn skipped_edges_equal_simulated_ones_while_quiescent() {
    let (mut bounded, mut waiting, mut at_rest) = (0, 0, 0);
    for seed in 0..6 {
        let (mut adapter, mut traffic) = (Model::new(Hca::default()), Traffic::new(seed));
        let mut random = Stimulus::new(seed);
        for _ in 0..100_000 {
            let pins = *traffic.pins(CORE, adapter.outputs());
            adapter.edge(CORE, &pins).unwrap();
            let most = match adapter.device().quiescent() {
                Quiet::Busy => continue,
                _ if !random.one_in(20) => continue,
                Quiet::For(cycles) => {
                    bounded += 1;
                    cycles
                }
                Quiet::UntilInput if adapter.device().outputs().bus.request => {
                    waiting += 1;
                    200
                }
                Quiet::UntilInput => {
                    at_rest += 1;
                    200
                }
            };
            let count = 1 + random.below(most);
            let (mut walked, mut skipped) = (adapter.device().clone(), adapter.device().clone());
            let link = LinkIn { transmit_ready: random.one_in(2), ..LinkIn::default() };
            let idle = In { link, ..In::default() };
            assert!(walked.idle(&idle));
            (0..count).for_each(|_| walked.edge(CORE, &idle));
            skipped.skip(&[count]);
            assert_eq!(look(&walked), look(&skipped), "{count} of {most} edges");
        }
    }
    assert!(bounded > 300 && waiting > 300 && at_rest > 300, "{bounded}, {waiting}, {at_rest}");
}
