use checker::core::{Verdict, Walk};
use checker::fagus::{AnyWorld, Hazard, Litmus, Network, Op, Transfer, World, Wrong};
use fagus::protocol::{Answers, Rules};

fn check(world: &World) -> Verdict<Wrong> {
    world.check(500_000).expect("the worlds of tests are small")
}

fn hazard(name: &str) -> Verdict<Wrong> {
    Hazard::find(name).expect("a hazard").world().check(500_000).expect("the worlds of hazards are small")
}

fn objects(name: &str) -> World {
    match Hazard::find(name).expect("a hazard").world().clone() {
        AnyWorld::Objects(world) => world,
        AnyWorld::Packets(_) => panic!("{name} is about packets"),
    }
}

#[test]
fn copy_behind_its_invalidation_stays_stale() {
    let trace = [
        "node 1 begins to read x",
        "READ of x from node 1 reaches node 0",
        "node 0 begins to write x",
        "INV of x from node 0 reaches node 1",
        "DATA of x from node 0 reaches node 1",
        "INV-ACK of x from node 1 reaches node 0",
    ];
    let verdict = hazard("H15");
    assert_eq!(verdict.findings[0].wrong, Wrong::Stale);
    assert_eq!(verdict.findings[0].trace(), trace);
}

#[test]
fn copy_that_nobody_asked_for_takes_one_event_less() {
    assert_eq!(hazard("H15-push").events_to(Wrong::Stale), Some(5));
}

#[test]
fn grant_that_comes_twice_loses_an_update() {
    assert_eq!(hazard("H16").events_to(Wrong::LostUpdate), Some(10));
}

#[test]
fn grants_only_while_waiting_suffice_for_two_nodes_not_three() {
    let two = World { rules: Rules { answers: Answers::IfWaiting, ..Rules::REPAIRED }, ..objects("H16") };
    assert!(check(&two).holds());
    let verdict = hazard("H16-waiting");
    assert_eq!(verdict.events_to(Wrong::LostUpdate), Some(15));
    assert_eq!(verdict.events_to(Wrong::TwoOwners), Some(16));
}

#[test]
fn owner_that_reads_nothing_but_acknowledgements_waits_for_ever() {
    assert_eq!(hazard("H17").events_to(Wrong::Trap), Some(2));
}

#[test]
fn packet_with_route_header_never_fits_its_slot() {
    let trace = [
        "node 0 divides message 1",
        "packet 0 of message 1 (m_ID 0) leaves node 0",
        "packet 0 of message 1 (m_ID 0) from node 0 comes for slot 0",
    ];
    let verdict = hazard("H1");
    assert_eq!(verdict.findings.len(), 1);
    assert_eq!(verdict.find(Wrong::TooLong).unwrap().trace(), trace);
}

#[test]
fn library_that_waits_for_a_lost_packet_waits_for_ever() {
    let verdict = hazard("H3");
    assert!(verdict.events_to(Wrong::Trap).is_some_and(|events| events <= 7), "{verdict:?}");
}

#[test]
fn old_packets_complete_messages_that_have_their_number() {
    for name in ["H4", "H5"] {
        let verdict = hazard(name);
        assert!(verdict.events_to(Wrong::Mixed).is_some(), "{name}: {verdict:?}");
    }
}

#[test]
fn slots_are_too_few_when_two_send_at_once() {
    assert!(hazard("H6").events_to(Wrong::Overrun).is_some());
}

#[test]
fn message_that_overtakes_the_data_loses_an_update() {
    assert!(hazard("H12").events_to(Wrong::LostUpdate).is_some());
}

#[test]
fn copy_that_the_owner_does_not_know_of_stays_for_good() {
    assert!(hazard("H13").events_to(Wrong::Stale).is_some());
}

#[test]
fn with_all_repairs_no_hazard_is_left() {
    for hazard in Hazard::all() {
        match hazard.repaired().unwrap() {
            AnyWorld::Packets(world) => {
                let verdict = world.check(500_000).expect("a small world");
                assert!(verdict.holds(), "{}: {verdict:?}", hazard.name);
            }
            AnyWorld::Objects(world) => {
                // RDMA needs a connection, which loses, repeats and reorders nothing.
                let over = if world.transfer == Transfer::Behind { &ALL[..1] } else { &ALL };
                for network in over.iter().chain([&world.network]).copied() {
                    let verdict = check(&World { network, ..world.clone() });
                    assert!(verdict.holds(), "{} over {network:?}: {verdict:?}", hazard.name);
                }
            }
        }
    }
}

#[test]
fn litmus_tests_hold_where_data_go_by_rdma_before_their_message() {
    for litmus in Litmus::all() {
        let verdict = check(&World { transfer: Transfer::Behind, ..litmus.over(Network::FIFO) });
        assert!(verdict.holds(), "{}: {verdict:?}", litmus.name);
    }
    let overtaken = |litmus: &Litmus| World { transfer: Transfer::Beside, ..litmus.over(Network::FIFO) };
    assert!(Litmus::all().iter().any(|litmus| !check(&overtaken(litmus)).holds()));
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
    assert!(check(&seen).events_to(Wrong::Forbidden).is_some());
}

/// A world of one object at node 0, over a network that repeats one message and reorders all.
fn bad(programs: Vec<Vec<Op>>) -> World {
    World { programs, network: Network::BAD, ..World::default() }
}

#[test]
fn late_push_to_a_former_owner_brings_nothing_back() {
    use Op::{Push, Read, Write};
    let programs = [
        vec![vec![Push(0, 1)], vec![Write(0), Read(0)], vec![Write(0)]],
        vec![vec![Write(0), Push(0, 1), Write(0)], vec![Write(0), Read(0)]],
        vec![vec![Push(0, 1), Read(0)], vec![Read(0), Write(0)], vec![Write(0)]],
    ];
    for programs in programs {
        let verdict = check(&bad(programs.clone()));
        assert!(verdict.holds(), "{programs:?}: {verdict:?}");
        assert!(verdict.states > 300, "{}", verdict.states);
    }
}

#[test]
fn done_that_comes_twice_ends_no_later_read_and_no_later_write() {
    use Op::{Read, Write};
    let programs = [
        vec![vec![Write(0)], vec![Read(0), Read(0)], vec![Write(0)]],
        vec![vec![Read(0)], vec![Write(0), Write(0)], vec![Write(0)]],
    ];
    for programs in programs {
        let verdict = check(&bad(programs.clone()));
        assert!(verdict.holds(), "{programs:?}: {verdict:?}");
        assert!(verdict.states > 1_000, "{}", verdict.states);
    }
}

const ALL: [Network; 3] = [Network::FIFO, Network::REORDERING, Network::BAD];
