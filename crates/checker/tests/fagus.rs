use checker::fagus::{Hazard, Litmus, Network, Verdict, Violation, World};
use fagus::protocol::{Answers, Rules};

fn check(world: &World) -> Verdict {
    world.check(500_000).expect("the worlds of tests are small")
}

fn hazard(name: &str) -> Hazard {
    Hazard::find(name).expect("a hazard")
}

#[test]
fn copy_that_an_invalidation_overtakes_stays_for_good_unless_there_is_order() {
    let trace = [
        "node 1 begins to read x",
        "READ of x from node 1 reaches node 0",
        "node 0 begins to write x",
        "INV of x from node 0 reaches node 1",
        "DATA of x from node 0 reaches node 1",
        "INV-ACK of x from node 1 reaches node 0",
    ];
    let verdict = check(&hazard("H15").world);
    assert_eq!(verdict.violations[0], (Violation::Stale, trace.map(String::from).to_vec()));
}

#[test]
fn copy_that_nobody_asked_for_takes_one_event_less() {
    assert_eq!(check(&hazard("H15-push").world).events_to(Violation::Stale), Some(5));
}

#[test]
fn grant_that_comes_twice_loses_an_update() {
    assert_eq!(check(&hazard("H16").world).events_to(Violation::LostUpdate), Some(10));
}

#[test]
fn taking_grants_only_while_waiting_is_enough_for_two_nodes_and_not_for_three() {
    let two =
        World { rules: Rules { answers: Answers::IfWaiting, ..Rules::REPAIRED }, ..hazard("H16").world };
    assert!(check(&two).holds());
    let verdict = check(&hazard("H16-waiting").world);
    assert_eq!(verdict.events_to(Violation::LostUpdate), Some(15));
    assert_eq!(verdict.events_to(Violation::TwoOwners), Some(16));
}

#[test]
fn owner_that_reads_nothing_but_acknowledgements_waits_for_ever() {
    assert_eq!(check(&hazard("H17").world).events_to(Violation::Trap), Some(2));
}

#[test]
fn with_all_repairs_no_hazard_is_left() {
    for hazard in Hazard::all() {
        for network in [hazard.world.network, Network::FIFO, Network::REORDERING, Network::BAD] {
            let verdict = check(&World { network, ..hazard.repaired() });
            assert!(verdict.holds(), "{} over {network:?}: {verdict:?}", hazard.name);
        }
    }
}

#[test]
fn litmus_tests_hold_over_networks_that_repeat_and_reorder() {
    for litmus in Litmus::all() {
        // Four nodes over a network that repeats have more states than a test has time for.
        let networks = if litmus.name == "IRIW" { &[Network::REORDERING][..] } else { &ALL };
        for network in networks {
            let verdict = check(&litmus.over(*network));
            assert!(verdict.holds(), "{} over {network:?}: {verdict:?}", litmus.name);
            assert!(verdict.states > 40, "{}", verdict.states);
        }
    }
}

#[test]
fn litmus_tests_can_fail() {
    let passing = Litmus::all().swap_remove(0);
    let unordered = World { rules: Rules::PRINTED, cached: false, ..passing.over(Network::REORDERING) };
    assert!(!check(&unordered).holds());
    // An outcome that does occur is found.
    let seen = World { forbidden: Some(|seen| seen[1] == [1, 1]), ..passing.world };
    assert!(check(&seen).events_to(Violation::Forbidden).is_some());
}

const ALL: [Network; 3] = [Network::FIFO, Network::REORDERING, Network::BAD];
