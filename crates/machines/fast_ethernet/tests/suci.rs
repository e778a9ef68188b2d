//! Suci over the modelled hosts.

use cluster::{Duration, Rates};
use fast_ethernet_machine::programs::over_suci::{Setup, run};
use fast_ethernet_machine::programs::{Outcome, Program};
use suci::Rules;

use crate::hosts;

fn setup(rules: Rules, permits: bool) -> Setup {
    Setup { rules, permits, seed: 1, asleep: Duration::ZERO }
}

fn play(nodes: usize, program: Program, size: usize, setup: Setup, loss: u32) -> Outcome {
    let mut cluster = hosts(nodes);
    cluster.set_faults(Rates { loss, ..Rates::default() }, setup.seed);
    run(&mut cluster, program, size, program.rounds(size), setup).unwrap()
}

#[test]
fn all_programs_end_with_all_rules_on_good_wires() {
    for rules in [Rules::PRINTED, Rules::REPAIRED, Rules::MODERN] {
        for program in [Program::PingPong, Program::Burst, Program::Gather, Program::Broadcast] {
            for size in [4, 3_000] {
                let outcome = play(5, program, size, setup(rules, true), 0);
                assert!(outcome.megabytes_per_second() > 0.0, "{rules:?} {program:?} {size}");
            }
        }
    }
}

#[test]
fn repaired_and_modern_rules_bear_wires_that_lose() {
    for rules in [Rules::REPAIRED, Rules::MODERN] {
        let outcome = play(4, Program::Gather, 65_536, setup(rules, true), 50_000);
        let counters = outcome.counters;
        assert!(counters.lost_on_wires > 0 && counters.again > 0, "{rules:?}: {counters:?}");
    }
}

#[test]
fn printed_rules_come_to_a_standstill_on_wires_that_lose() {
    let mut cluster = hosts(2);
    cluster.set_faults(Rates { loss: 100_000, ..Rates::default() }, 1);
    assert!(run(&mut cluster, Program::Burst, 65_536, 8, setup(Rules::PRINTED, true)).is_err());
}

#[test]
fn forty_senders_with_permits_fill_the_link_without_drops() {
    let outcome = play(41, Program::Gather, 65_536, setup(Rules::MODERN, true), 0);
    let counters = outcome.counters;
    let dropped = counters.dropped_by_kernels + counters.dropped_by_switch + counters.dropped_by_cards;
    assert_eq!((dropped, counters.again), (0, 0));
    assert!(outcome.percent_of_link() > 90.0, "{} %", outcome.percent_of_link());
    let without = play(41, Program::Gather, 65_536, setup(Rules::MODERN, false), 0);
    assert!(without.counters.dropped_by_switch > 0, "{:?}", without.counters);
}

#[test]
fn a_run_has_one_fingerprint_and_another_seed_another() {
    let of = |seed| {
        let setup = Setup { seed, ..setup(Rules::MODERN, true) };
        play(3, Program::Broadcast, 20_000, setup, 10_000).fingerprint
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}
