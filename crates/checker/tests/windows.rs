use checker::core::{Protocol, Verdict, Walk};
use checker::windows::{Hazard, Windows, World, Wrong};

fn check(world: &World) -> Verdict<Wrong> {
    world.check(2_000_000).expect("the worlds of tests are small")
}

#[test]
fn each_left_out_rule_is_found_and_whole_rules_hold() {
    for hazard in Hazard::all() {
        let verdict = check(hazard.world());
        let found = verdict.events_to(hazard.wrong);
        println!("{}: {} states, {found:?}", hazard.name, verdict.states);
        assert!(found.is_some(), "{}: {verdict:?}", hazard.name);
        let repaired = check(&hazard.repaired().unwrap());
        assert!(repaired.holds(), "{}: {:?}", hazard.name, repaired.findings);
    }
}

#[test]
fn nothing_goes_wrong_with_the_rules_of_the_library() {
    for clean in Windows::clean() {
        let verdict = check(&clean.world);
        println!("{}: {} states", clean.name, verdict.states);
        assert!(verdict.holds(), "{}: {:?}", clean.name, verdict.findings);
    }
}
