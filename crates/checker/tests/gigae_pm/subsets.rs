//! All 512 subsets of F1 to F9, for a buffer of one place and three messages. What is left of a baseline where a stopped
//! sender has no timers and no ACK starts it again: the strictest reading of the appendix.

use checker::gigae_pm::search::minimal_sets;
use checker::gigae_pm::{Network, Timers, World};

fn enough(network: Network, timers: Timers, window: u16) -> Vec<String> {
    let world = World { network, timers, window, ..World::default() };
    minimal_sets(&world, 200_000).expect("the worlds are small").iter().map(ToString::to_string).collect()
}

#[test]
fn network_without_faults_needs_two_repairs() {
    for window in [2, 3] {
        assert_eq!(enough(Network::FIFO, Timers::Late, window), ["F1,F3", "F3,F6"]);
    }
    assert_eq!(enough(Network::FIFO, Timers::Premature, 2), ["F1,F3,F7", "F3,F6,F8"]);
    assert_eq!(enough(Network::FIFO, Timers::Premature, 3), ["F1,F3,F7", "F3,F6,F7,F8"]);
}

#[test]
fn loss_with_late_timers_needs_four_and_a_wider_window_five() {
    assert_eq!(enough(Network::LOSS, Timers::Late, 2), ["F1,F2,F3,F4"]);
    assert_eq!(enough(Network::LOSS, Timers::Late, 3), ["F1,F2,F3,F4,F7"]);
    assert_eq!(enough(Network::DUPLICATION, Timers::Late, 2), ["F1,F2,F3,F4,F9"]);
}

#[test]
fn loss_and_duplication_need_the_same_six() {
    assert_eq!(enough(Network::DUPLICATION, Timers::Late, 3), ["F1,F2,F3,F4,F7,F9"]);
    assert_eq!(enough(Network::LOSS, Timers::Premature, 2), ["F1,F2,F3,F4,F7,F9"]);
    assert_eq!(enough(Network::DUPLICATION, Timers::Premature, 2), ["F1,F2,F3,F4,F7,F9"]);
}

#[test]
fn wider_window_needs_the_same_six_with_premature_timers() {
    assert_eq!(enough(Network::LOSS, Timers::Premature, 3), ["F1,F2,F3,F4,F7,F9"]);
    assert_eq!(enough(Network::DUPLICATION, Timers::Premature, 3), ["F1,F2,F3,F4,F7,F9"]);
}
