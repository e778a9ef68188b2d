use checker::core::{Elsewhere, Protocol, Verdict, Walk};
use checker::suci::{Class, Clean, Faults, Hazard, Network, Script, Suci, World, Wrong};
use suci::Rules;
use suci::paper::Repairs;

fn check(world: &World) -> Verdict<Wrong> {
    world.check(100_000).expect("the worlds of tests are small")
}

fn holds(name: &str, world: &World) -> usize {
    let verdict = check(world);
    let found: Vec<_> = verdict.findings.iter().map(|finding| (finding.wrong, finding.events)).collect();
    assert!(verdict.holds(), "{name}, {:?}: {found:?}", world.rules);
    verdict.states
}

#[test]
fn each_hazard_is_found_by_its_shortest_trace() {
    let expected = [
        ("H1", 2),
        ("H1-ack", 3),
        ("H2", 2),
        ("H3", 5),
        ("H4", 3),
        ("H5", 2),
        ("H6", 8),
        ("H8", 3),
        ("H8-update", 5),
        ("H9", 4),
        ("H10", 1),
        ("H11", 4),
        ("H12", 2),
        ("H16", 5),
        ("H17", 6),
        ("H18", 2),
        ("H19", 9),
        ("H20", 6),
        ("H21", 4),
    ];
    let found = Hazard::all().into_iter().map(|hazard| {
        (
            hazard.name,
            check(hazard.world()).events_to(hazard.wrong).unwrap_or_else(|| panic!("{}", hazard.name)),
        )
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
    for Elsewhere { name, .. } in Suci::ELSEWHERE {
        assert!(Hazard::find(name).is_none(), "{name}");
    }
}

#[test]
fn each_hazard_is_gone_with_its_repair_and_with_our_own_rules() {
    for hazard in Hazard::all() {
        for mended in &hazard.mended {
            assert_eq!(check(mended).events_to(hazard.wrong), None, "{}", hazard.name);
        }
        if let Some(repaired) = hazard.repaired() {
            holds(hazard.name, &repaired);
        }
        holds(hazard.name, &hazard.modern());
    }
}

#[test]
fn what_only_our_own_rules_mend_goes_wrong_with_all_repairs_too() {
    for hazard in Hazard::all().iter().filter(|hazard| hazard.repaired().is_none()) {
        let repaired = check(&hazard.world().under(Rules::REPAIRED));
        assert!(repaired.events_to(hazard.wrong).is_some(), "{}", hazard.name);
    }
}

#[test]
fn repaired_nothing_goes_wrong_whatever_a_network_does() {
    let states: usize = Clean::repaired().iter().map(|clean| holds(clean.name, &clean.world)).sum();
    assert!(states > 20_000, "{states}");
}

#[test]
fn our_own_rules_bear_one_of_each_fault() {
    let states: usize = Clean::modern().iter().map(|clean| holds(clean.name, &clean.world)).sum();
    assert!(states > 10_000, "{states}");
}

#[test]
#[ignore = "takes minutes; make soak runs it"]
fn larger_worlds_hold_too() {
    for clean in Clean::large() {
        let verdict = clean.world.check(3_000_000).expect("a few gigabytes are there");
        println!("{}: {} states", clean.name, verdict.states);
        assert!(verdict.holds(), "{}", clean.name);
    }
}

/// Leaves a repair out of all of them.
type Leaving = fn(&mut Repairs);

#[test]
fn seven_of_eleven_repairs_are_needed_and_four_only_save_time() {
    let needed: [(&str, Leaving); 7] = [
        ("timer", |repairs| repairs.timer = false),
        ("limit", |repairs| repairs.limit = false),
        ("probe", |repairs| repairs.probe = false),
        ("refuse", |repairs| repairs.refuse = false),
        ("count_whole", |repairs| repairs.count_whole = false),
        ("permits", |repairs| repairs.permits = false),
        ("epochs", |repairs| repairs.epochs = false),
    ];
    let spared: [(&str, Leaving); 4] = [
        ("go_back", |repairs| repairs.go_back = false),
        ("cumulative", |repairs| repairs.cumulative = false),
        ("answer_old", |repairs| repairs.answer_old = false),
        ("pace", |repairs| repairs.pace = false),
    ];
    let without = |leave: Leaving| {
        let mut repairs = Repairs::ALL;
        leave(&mut repairs);
        let hazards = Hazard::all().into_iter().filter_map(|hazard| hazard.repaired());
        let hazards = hazards.filter(|world| world.nodes().len() == 2);
        let clean = Clean::repaired().into_iter().filter(|clean| ["tight", "restart"].contains(&clean.name));
        let worlds = hazards.chain(clean.map(|clean| clean.world));
        worlds.map(move |world| world.under(Rules::Paper(repairs)))
    };
    for (name, leave) in needed {
        let fails = without(leave).any(|world| world.check(30_000).is_ok_and(|verdict| !verdict.holds()));
        assert!(fails, "{name}");
    }
    for (name, leave) in spared {
        without(leave).for_each(|world| {
            holds(name, &world);
        });
    }
}

#[test]
fn a_block_that_is_lost_without_a_trace_is_found() {
    // The walk itself can fail: a network that loses what a receiver has acknowledged does not exist, a restarted receiver does.
    let world = World {
        restarts: 1,
        network: Network::losing(Faults::of(Class::Any, 1), Faults::NONE),
        ..World::default().under(Rules::PRINTED)
    };
    assert!(check(&world).events_to(Wrong::SilentLoss).is_some());
}

fn script(hazard: &Hazard) -> Script {
    Script::find(hazard.world(), Some(hazard.wrong), 100_000).expect("a hazard is found")
}

#[test]
fn endpoints_with_clocks_play_every_hazard() {
    for hazard in Hazard::all() {
        let replay = script(&hazard).play();
        assert!(replay.agrees(), "{}: {:?}", hazard.name, replay.steps);
        assert!(replay.shows(Some(hazard.wrong)), "{}: {:?}", hazard.name, replay.ending);
    }
}

#[test]
fn endpoints_with_repaired_rules_bear_every_hazard() {
    for hazard in Hazard::all() {
        let script = script(&hazard);
        for world in [hazard.repaired(), Some(hazard.modern())].into_iter().flatten() {
            let replay = script.clone().under(world).play();
            assert!(replay.shows(None), "{}: {:?}", hazard.name, replay.ending);
        }
    }
}

#[test]
fn a_story_is_told_in_words() {
    let replay = script(&Hazard::find("h20").unwrap()).play();
    let happens: Vec<_> = replay.steps.into_iter().map(|step| step.happens).collect();
    let words = [
        "node 1 sends block 1: packet 1",
        "packet 1 from node 1 is lost",
        "node 1 asks to send again: a request to send 576 bytes again",
        "a request to send 576 bytes again from node 1 reaches node 0: a permit for 576 bytes",
        "a permit for 576 bytes from node 0 reaches node 1, and will once more: packet 1",
        "a permit for 576 bytes from node 0 reaches node 1: packet 1",
    ];
    assert_eq!(happens, words);
}
