use checker::cenju3::replay::Script;
use checker::cenju3::{Cenju3, Hazard, World, Wrong};
use checker::core::{Clean, NoScript, Protocol, Verdict};
use hdl::Model;
use mpi_de::Rules;

/// States of a world at most.
const LIMIT: usize = 500_000;

fn check(world: &World) -> Verdict<Wrong> {
    world.check(LIMIT).expect("the worlds of tests are small")
}

fn hazard(name: &str) -> Hazard {
    Hazard::find(name).expect("a hazard")
}

#[test]
fn each_hazard_is_found_by_its_shortest_trace() {
    let counts = [
        ("H1", 8),
        ("H2", 8),
        ("H6", 3),
        // In every run.
        ("H9", 0),
        ("H10", 3),
        ("H12", 2),
        ("H13", 2),
        ("H14", 9),
        ("H18", 7),
        ("H19", 2),
        // Order seals it: an RTS is always taken before the CTS behind it.
        ("H19-after", 2),
        ("H19-twice", 6),
        ("H20", 2),
    ];
    assert_eq!(Hazard::all().len(), counts.len());
    for (name, events) in counts {
        let hazard = hazard(name);
        assert_eq!(check(hazard.world()).events_to(hazard.wrong), Some(events), "{name}");
    }
}

#[test]
fn what_mends_a_hazard_is_enough_and_no_less_is() {
    for hazard in Hazard::all() {
        for mended in &hazard.mended {
            let verdict = check(mended);
            let mended = mended.rules();
            assert!(verdict.holds(), "{}, {}: {:?}", hazard.name, mended.name(), verdict.findings);
            // Switches that the world has from the start keep other hazards out.
            let mut kept = hazard.world().rules();
            let kept = kept.switches().map(|(_, on)| *on);
            for mut less in mended.with_one_less() {
                let still = less.switches().map(|(_, on)| *on);
                if kept.iter().zip(still).any(|(kept, still)| *kept && !still) {
                    continue;
                }
                let verdict = check(&hazard.world().under(less));
                assert!(verdict.find(hazard.wrong).is_some(), "{}, {}", hazard.name, less.name());
            }
        }
    }
}

#[test]
fn with_all_repairs_no_hazard_is_left() {
    for hazard in Hazard::all() {
        let verdict = check(&hazard.repaired().unwrap());
        assert!(verdict.holds(), "{}: {:?}", hazard.name, verdict.findings);
    }
    for Clean { name, world, .. } in Cenju3::clean() {
        let verdict = check(&world);
        assert!(verdict.holds(), "{name}: {:?}", verdict.findings);
        assert!(verdict.states > 100, "{name}: {}", verdict.states);
    }
}

#[test]
fn link_is_held_with_fewer_places_than_credits() {
    let World::Exchange(mut world) = hazard("H9").repaired().unwrap() else { panic!("an exchange") };
    world.places = Some(1);
    assert!(check(&World::Exchange(world)).find(Wrong::Held).is_some());
}

#[test]
fn a_progress_thread_that_wakes_by_a_pulse_is_not_enough() {
    let rules = Rules { hands_over: true, ..Rules::PRINTED };
    assert!(check(&hazard("H13").world().under(rules)).find(Wrong::Deadlock).is_some());
}

#[test]
fn three_units_cost_a_receiver_that_computes_four_seconds() {
    let hazard = hazard("H10");
    // One for the RTS, and one for each unit.
    assert_eq!(check(hazard.world()).waited_s, 4);
    assert_eq!(check(&hazard.repaired().unwrap()).waited_s, 0);
}

#[test]
fn the_lost_pulse_is_told_to_its_end() {
    let verdict = check(hazard("H12").world());
    let trace = [
        "the thread looks and finds nothing",
        "a message comes while the thread is awake",
        "the thread calls evc_wait",
    ];
    assert_eq!(verdict.find(Wrong::Deadlock).unwrap().trace(), trace);
}

fn models() -> [Model<cenju3::Cenju3>; 2] {
    [(); 2].map(|()| Model::new(cenju3::Cenju3::default()))
}

#[test]
fn nifs_show_every_hazard_and_bear_it_repaired() {
    let mut prevented = Vec::new();
    for hazard in Hazard::all() {
        let script = match Script::find(hazard.world(), Some(hazard.wrong), LIMIT) {
            Ok(script) => script,
            Err(NoScript::NotOnMachine(_)) => {
                prevented.push(hazard.name);
                continue;
            }
            Err(other) => panic!("{}: {other:?}", hazard.name),
        };
        let replay = script.play(models()).unwrap();
        assert!(replay.agrees_to_the_end(), "{}: {replay:#?}", hazard.name);
        assert!(replay.shows(Some(hazard.wrong)), "{}: {replay:#?}", hazard.name);
        assert!(!replay.shows(None), "{}", hazard.name);
        let repaired = script.under(Rules::REPAIRED).play(models()).unwrap();
        assert!(repaired.shows(None), "{}: {repaired:#?}", hazard.name);
    }
    assert_eq!(prevented, ["H6", "H18", "H20"]);
}

#[test]
fn worlds_of_three_pes_or_without_finding_are_not_played() {
    let circle = Cenju3::clean().into_iter().find(|clean| clean.name == "in a circle").unwrap();
    assert_eq!(
        Script::find(&circle.world, Some(Wrong::Deadlock), LIMIT).unwrap_err(),
        NoScript::NotOnMachine(vec!["a replay takes a world of two PEs"])
    );
    let both = Cenju3::clean().into_iter().find(|clean| clean.name == "mixed").unwrap();
    assert_eq!(Script::find(&both.world, Some(Wrong::Deadlock), LIMIT).unwrap_err(), NoScript::NothingFound);
}
