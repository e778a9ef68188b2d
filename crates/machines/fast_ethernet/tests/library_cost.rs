//! The cost of Suci's own steps.

use cluster::host::LibraryCost;
use cluster::{AnyNic, Duration};
use fast_ethernet_machine::card::FastEthernetCard;
use fast_ethernet_machine::cost::Costs;
use fast_ethernet_machine::library_cost::{MODERN, PAPER, Steps};
use fast_ethernet_machine::programs::over_suci::{self, Setup};
use fast_ethernet_machine::programs::{Outcome, Program};
use fast_ethernet_machine::{Cluster, FastEthernet, Settings};
use hdl::Model;
use suci::Rules;

const ROUNDS: u32 = 5;

/// Messages of 4 bytes back and forth between two hosts.
fn ping_pong(rules: Rules, library: LibraryCost) -> Outcome {
    let card = || Box::new(Model::new(FastEthernetCard::default())) as Box<AnyNic<FastEthernet>>;
    let mut cluster =
        Cluster::with_switch(vec![card(), card()], &Settings { library, ..Settings::default() });
    let setup = Setup { rules, permits: true, seed: 1, asleep: Duration::ZERO };
    over_suci::run(&mut cluster, Program::PingPong, 4, ROUNDS, setup).unwrap()
}

#[test]
fn steps_take_the_instructions_of_the_table() {
    let Costs { turn, instruction, .. } = Costs::PUBLISHED;
    for (rules, Steps { send, sent, received, take }) in [(Rules::MODERN, MODERN), (Rules::REPAIRED, PAPER)] {
        let [looks, counted, off] = LibraryCost::ALL.map(|cost| ping_pong(rules, cost));
        assert_eq!(off.library, Duration::ZERO);
        let datagrams = |run: &Outcome| run.counters.sent + run.counters.received;
        assert_eq!(looks.library, turn * datagrams(&looks));
        // Each host greets the other first.
        let blocks = 2 * u64::from(ROUNDS) + 2;
        let instructions = blocks * (send.instructions + take.instructions)
            + counted.counters.sent * sent.instructions
            + counted.counters.received * received.instructions;
        assert_eq!(counted.library, instruction * instructions);
        assert!(off.elapsed < looks.elapsed && looks.elapsed < counted.elapsed);
        assert_eq!(ping_pong(rules, LibraryCost::Counted).fingerprint, counted.fingerprint);
    }
}
