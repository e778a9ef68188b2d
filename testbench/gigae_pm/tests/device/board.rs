//! The whole card under random traffic.

use cosim::Lockstep;
use gigae_pm::clocks;
use gigae_pm::traffic::Traffic;
use gigae_pm::traffic::host::Setup;
use gigae_pm::traffic::pair::Pair;
use gigae_pm::traffic::wire::Faults;
use gigae_pm::{GigaePm, RESETS};
use hdl::{Instants, Model, Nic};

const INSTANTS: usize = 3_000_000;

/// A card after reset.
fn card(seed: u64, test: &str) -> Lockstep<Model<GigaePm>> {
    let rtl = gigae_pm_rtl::open("gigae_pm").expect("the card is verilated");
    let pair = Lockstep::open(Model::new(GigaePm::default()), Box::new(rtl));
    pair.unwrap_or_else(|error| panic!("{error}")).resets(RESETS).replay(seed, testbench::replay(seed, test))
}

#[test]
fn two_cards_in_lockstep_deliver_every_message_over_a_bad_cable() {
    for seed in testbench::seeds() {
        let cards = [0, 1].map(|_| card(seed, "two_cards"));
        let faults = Faults { lost: 6, damaged: 15, cut: 15 };
        let mut pair = Pair::new(cards, seed, faults, Setup::pair);
        let message = |i: usize| vec![i as u8; 1 + i * 70];
        for i in 0..20 {
            pair.hosts[0].send((i % 4) as u8, 1, message(i));
            pair.hosts[1].send((i % 4) as u8, 0, message(i));
        }
        let ran =
            pair.run_until(100_000_000_000, |pair| pair.hosts.iter().all(|host| host.deliveries.len() >= 20));
        ran.unwrap_or_else(|error| panic!("{error}")).expect("all arrive within 100 ms");
        for card in &mut pair.cards {
            card.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        }
        for (host, wire) in pair.hosts.iter().zip(&pair.wires) {
            for channel in 0..4 {
                let got = host.deliveries.iter().filter(|d| d.ring == channel as u8).map(|d| d.bytes.clone());
                assert!(got.eq((channel..20).step_by(4).map(message)), "seed {seed}");
            }
            assert!(wire.losses > 0);
        }
    }
}

#[test]
fn card_matches_its_rtl_on_every_edge_and_walks_every_arc() {
    let mut total = None;
    for seed in testbench::several_seeds() {
        let mut pair = card(seed, "card_matches");
        let mut traffic = Traffic::new(seed);
        let mut instants = Instants::new(&clocks::CLOCKS);
        for _ in 0..INSTANTS {
            let edges = instants.next_edges();
            let pins = *traffic.pins(edges, pair.outputs());
            pair.step(edges, &pins).unwrap_or_else(|error| panic!("{error}"));
        }
        pair.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        pair.coverage().check().unwrap_or_else(|error| panic!("{error}"));
        let total = total.get_or_insert_with(|| pair.coverage().clone());
        total.merge(pair.coverage());
    }
    let total = total.expect("there is a seed");
    assert_eq!(total.missing(), [""; 0], "{total}");
}
