use checker::core::{Protocol, Verdict, Walk};
use checker::hca::{Defect, Hazard, Hca, Request, World, Wrong};

fn check(world: &World) -> Verdict<Wrong> {
    world.check(500_000).expect("the worlds of tests are small")
}

#[test]
fn each_rule_left_out_is_found_by_its_shortest_trace() {
    let counts = [
        ("H1", 6),
        ("H2", 6),
        ("H3", 9),
        ("H4", 14),
        ("H5", 13),
        ("H6", 9),
        ("H7", 16),
        ("H8", 4),
        ("H9", 13),
        ("H10", 11),
        // In every run.
        ("H11", 0),
        ("H12", 5),
        ("H13", 20),
        ("H14", 32),
        ("H15", 3),
        ("H16", 6),
        ("H17", 6),
        ("H18", 9),
        ("H19", 5),
        ("H20", 5),
        ("H21", 19),
        ("H22", 10),
        ("H23", 8),
    ];
    let found = Hazard::all().into_iter().map(|hazard| {
        let events = check(hazard.world()).events_to(hazard.wrong);
        (hazard.name, events.unwrap_or_else(|| panic!("{}", hazard.name)))
    });
    assert_eq!(found.collect::<Vec<_>>(), counts);
}

#[test]
fn rules_of_the_adapter_hold() {
    for hazard in Hazard::all() {
        let verdict = check(&hazard.repaired().expect("the adapter has the rule"));
        assert!(verdict.holds(), "{}: {:?}", hazard.name, verdict.findings);
    }
    for clean in Hca::clean() {
        let verdict = check(&clean.world);
        assert!(verdict.holds(), "{}: {:?}", clean.name, verdict.findings);
        assert!(verdict.states > 20, "{}: {}", clean.name, verdict.states);
    }
}

#[test]
fn send_without_faults_has_one_trace() {
    let verdict = check(&World::default());
    // It leaves, arrives, is acknowledged, and the ACK arrives.
    assert_eq!((verdict.states, verdict.holds()), (5, true));
}

#[test]
fn dead_peer_costs_one_attempt_and_all_retries() {
    for retries in [0, 1, 3] {
        let world = World { dead: true, retries, ..World::default() };
        let verdict = check(&world);
        assert!(verdict.holds());
        // Each attempt is sent and arrives; the last deadline passes, and the receive WQE is flushed.
        assert_eq!(verdict.states, 2 * (usize::from(retries) + 1) + 3, "{retries} retries");
    }
}

#[test]
fn early_completion_is_told_step_by_step() {
    let verdict = check(Hazard::find("h8").expect("a hazard").world());
    let trace = [
        "QP 0 sends packet 1 of SEND 1 (PSN fffffe)",
        "packet 1 of SEND 1 (PSN fffffe) reaches QP 1",
        "QP 1 sends RNR NAK (PSN fffffe)",
        "RNR NAK (PSN fffffe) reaches QP 0; request 1 is complete",
    ];
    assert_eq!(verdict.find(Wrong::Unexecuted).expect("it is found").trace(), trace);
}

#[test]
fn write_that_is_executed_twice_has_no_effect() {
    let requests = [vec![Request::Write(1), Request::Read(1)], Vec::new()];
    let world = World { requests, losses: 1, defect: Some(Defect::TakesDuplicates), ..World::default() };
    assert_eq!(check(&world).events_to(Wrong::Duplicate), None);
    assert_eq!(check(&world).events_to(Wrong::WrongData), None);
}
