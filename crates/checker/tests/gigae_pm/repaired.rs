use ::gigae_pm::protocol::Rules;
use checker::gigae_pm::{Network, Timers, World};

use super::check;

/// States of one sender with three messages and a buffer for one, over the networks of [`Network::ALL`].
fn one_sender(window: u16, timers: Timers, states: [usize; 5]) {
    for (network, states) in Network::ALL.into_iter().zip(states) {
        let verdict = check(&World { window, timers, network, ..World::default() });
        assert!(verdict.holds(), "{network}: {:?}", verdict.findings);
        assert_eq!(verdict.states, states, "N = {window}, {network}, {timers:?}");
    }
}

#[test]
fn one_sender_window_1_is_safe_and_live() {
    one_sender(1, Timers::Late, [81, 147, 588, 394, 17_924]);
    one_sender(1, Timers::Premature, [1075, 1411, 1417, 21_739, 22_803]);
}

#[test]
fn one_sender_window_2_is_safe_and_live() {
    one_sender(2, Timers::Late, [321, 1018, 9778, 13_774, 156_475]);
    one_sender(2, Timers::Premature, [6790, 21_286, 26_141, 146_642, 178_141]);
}

#[test]
fn one_sender_window_3_is_safe_and_live_with_late_timers() {
    one_sender(3, Timers::Late, [336, 1613, 15_725, 45_884, 229_359]);
}

#[test]
fn one_sender_window_3_is_safe_and_live_with_premature_timers() {
    one_sender(3, Timers::Premature, [9399, 49_640, 67_914, 227_201, 270_815]);
}

#[test]
fn four_messages_and_two_places_are_safe_and_live() {
    let world = World { messages: 4, slots: Some(2), ..World::default() };
    for (network, timers, states) in
        [(Network::LOSS, Timers::Premature, 37_289), (Network::DUPLICATION, Timers::Late, 16_147)]
    {
        let verdict = check(&World { network, timers, ..world.clone() });
        assert!(verdict.holds());
        assert_eq!(verdict.states, states);
    }
}

#[test]
fn transfer_as_a_step_of_its_own_is_safe_and_live() {
    let world = World {
        transfer: true,
        timers: Timers::Premature,
        network: Network::DUPLICATION,
        ..World::default()
    };
    let verdict = check(&world);
    assert!(verdict.holds());
    assert_eq!(verdict.states, 72_774);
}

#[test]
fn two_senders_and_one_place_are_safe_and_live() {
    // Short channels: what one sender does and what the other does go together in every combination.
    let world = World { senders: 2, messages: 2, ..World::default() };
    for (window, network, timers, capacity, states) in [
        (1, Network::DUPLICATION, Timers::Premature, 2, 142_285),
        (1, Network::REORDERING_LOSS, Timers::Late, 2, 18_630),
        (2, Network::FIFO, Timers::Late, 2, 9011),
        (2, Network::LOSS, Timers::Late, 2, 83_368),
        (2, Network::DUPLICATION, Timers::Premature, 1, 172_609),
    ] {
        let verdict = check(&World { window, network, timers, capacity, ..world.clone() });
        assert!(verdict.holds(), "{network}: {:?}", verdict.findings);
        assert_eq!(verdict.states, states, "N = {window}, {network}, {timers:?}");
    }
}

#[test]
fn two_senders_whose_messages_overtake_are_safe_and_live() {
    let world = World { senders: 2, messages: 1, capacity: 2, network: Network::ANY, ..World::default() };
    let verdict = check(&World { timers: Timers::Premature, ..world });
    assert!(verdict.holds());
    assert_eq!(verdict.states, 16_843);
}

#[test]
fn expiry_while_stopped_may_start_again_instead_of_a_probe() {
    let world =
        World { rules: Rules::REPAIRED.without(&[17]), network: Network::DUPLICATION, ..World::default() };
    for timers in [Timers::Late, Timers::Premature] {
        assert!(check(&World { timers, ..world.clone() }).holds());
    }
}
