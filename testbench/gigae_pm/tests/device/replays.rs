//! Failures of the printed rules, replayed on cards in lockstep: the model of the protocol, the
//! model of the card and its RTL agree.

use checker::{NoScript, Script, hazard};
use cosim::Lockstep;
use gigae_pm::protocol::Rules;
use gigae_pm::{GigaePm, RESETS};
use hdl::Model;

const LIMIT: usize = 500_000;

/// Plays a script on cards in lockstep; memories are compared when it is over.
fn play(script: &Script) -> checker::Replay {
    let card = |_| {
        let rtl = gigae_pm_rtl::open("gigae_pm").expect("the card is verilated");
        let pair = Lockstep::open(Model::new(GigaePm::default()), Box::new(rtl));
        let pair = pair.unwrap_or_else(|error| panic!("{error}"));
        pair.resets(RESETS).replay(0, "cargo test -p testbench_gigae_pm --test device replays")
    };
    script.play((0..script.cards()).map(card).collect()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_hazard_that_a_card_can_show_is_shown_in_lockstep() {
    let mut shown = Vec::new();
    for hazard in hazard::all() {
        // The other worlds of a hazard run on the model only, in crates/checker.
        let script = match Script::find(&hazard.worlds[0], hazard.witness.as_ref(), LIMIT) {
            Ok(script) => script,
            Err(NoScript::NotOnCard(_)) => continue,
            Err(error) => panic!("{}: {error:?}", hazard.name),
        };
        let replay = play(&script);
        assert!(replay.shows(script.finding), "{}: {:?}", hazard.name, replay.ending);
        shown.push(hazard.name);
    }
    let expected =
        ["H1", "H2", "H3", "H4", "H5", "H7", "H8", "H9", "H10", "H14", "H15", "H17", "H18", "H20", "H21"];
    assert_eq!(shown, expected);
}

#[test]
fn repaired_cards_bear_the_same_in_lockstep() {
    for name in ["H3", "H5", "H14", "H21"] {
        let world = &hazard::find(name).expect("the hazard is there").worlds[0];
        let script = Script::find(world, None, LIMIT).expect("a card can show it").under(Rules::REPAIRED);
        let replay = play(&script);
        assert!(replay.shows(None), "{name}: {:?}", replay.ending);
    }
}
