//! Skipping edges while nothing changes gives the same result as executing every edge.

use dimmnet2::Dimmnet2;
use dimmnet2::clocks::{self, CLOCKS};
use dimmnet2::pins::In;
use dimmnet2::traffic::Traffic;
use hdl::{Device, Edges, Instants, MOST_WORDS, Model, Nic, Observed, Probe, Quiet};
use proptest::prelude::*;

fn sample(device: &impl Probe) -> Vec<u64> {
    let mut words = Vec::new();
    hdl::sample(device, &mut words);
    words
}

fn memories(device: &impl Probe) -> Vec<u64> {
    let mut words = Vec::new();
    hdl::memories(device, &mut words);
    words
}

/// Runs a board behind its gate and one ticked on every edge through `instants` instants of traffic; after
/// every `busy` instants, the pins are idle for `idle`. Returns the number of edges that the gate skipped,
/// and the number of network-clock edges that could have been skipped while the board was at work.
fn run(seed: u64, instants: usize, busy: usize, idle: usize) -> (usize, usize) {
    let (mut gated, mut ticked) = (Model::new(Dimmnet2::default()), Dimmnet2::default());
    let mut traffic = Traffic::new(seed);
    let mut kept = Box::new([0; MOST_WORDS]);
    let start = sample(&ticked);
    kept[..start.len()].copy_from_slice(&start);
    let (mut clocks, mut pins) = (Instants::new(&CLOCKS), In::default());
    let (mut rested, mut network_rested) = (0, 0);
    for instant in 0..instants {
        let edges = clocks.next_edges();
        if instant % (busy + idle) < busy {
            pins = *traffic.pins(edges, gated.outputs());
        } else {
            pins.host.enable = false;
            pins.network.rx_valid = false;
            pins.network.tx_ready = true;
            (pins.memory0.ready, pins.memory1.ready) = (true, true);
        }
        let (quiet, before) = (ticked.quiescent(), sample(&ticked));
        if edges == clocks::NETWORK && ticked.resting().meets(edges) && ticked.idle(&pins) {
            network_rested += usize::from(quiet != Quiet::UntilInput);
            let mut walked = ticked.clone();
            walked.edge(edges, &pins);
            assert_eq!(
                sample(&walked),
                before,
                "seed {seed}, instant {instant}: a clock that rests changed a register"
            );
        }
        let rest = quiet == Quiet::UntilInput && ticked.idle(&pins);
        rested += rest as usize;
        gated.edge(edges, &pins).expect("a model never fails");
        ticked.edge(edges, &pins);

        let after = sample(&ticked);
        assert!(!rest || before == after, "seed {seed}, instant {instant}: a board at rest changed");
        assert_eq!(sample(&gated), after, "seed {seed}, instant {instant}");
        assert_eq!(*gated.outputs(), ticked.outputs(), "seed {seed}, instant {instant}");
        gated.resample(edges, hdl::Visibility::Full, &mut kept);
        assert_eq!(kept[..after.len()], after, "seed {seed}, instant {instant}: the sample kept in place");
    }
    assert_eq!(memories(&gated), memories(&ticked), "seed {seed}");
    (rested, network_rested)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gated_board_equals_one_ticked_on_every_edge(
        seed: u64,
        busy in 1usize..2_000,
        idle in 0usize..2_000,
    ) {
        run(seed, 20_000, busy, idle);
    }
}

#[test]
fn board_rests_between_bursts_of_work() {
    let (rested, network_rested) = run(2, 100_000, 400, 3_000);
    assert!(rested > 15_000, "the gate was shut for {rested} edges");
    assert!(network_rested > 300, "the network clock rested for {network_rested} edges of a board at work");
}

#[test]
fn clearing_the_lh_buffer_may_be_skipped() {
    let mut walked = Dimmnet2::default();
    // The board samples its LID and the status of its link.
    let pins = In::default();
    for _ in 0..20 {
        walked.edge(Edges::all(2), &pins);
    }
    let Quiet::For(left) = walked.quiescent() else { panic!("{:?}", walked.quiescent()) };
    assert_eq!(left, 128 - 20);
    let mut slept = walked.clone();
    slept.skip(&[left - 1, 0]);
    for _ in 1..left {
        walked.edge(clocks::CORE, &pins);
    }
    assert_eq!((sample(&slept), slept.quiescent()), (sample(&walked), Quiet::For(1)));
    assert_eq!(memories(&slept), memories(&walked));
    slept.skip(&[1, 0]);
    assert_eq!(slept.quiescent(), Quiet::UntilInput);
}
