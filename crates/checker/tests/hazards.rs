//! An event is a step of one node, of the network or of the host: S1 sends one message, a frame arrives and is answered,
//! a frame is lost, a timer expires, the host frees a place, GO is sent. A trap is counted to where its fate is sealed,
//! which can be some events before everything rests.

use checker::{Network, Trap, Verdict, Violation, World, hazard};
use gigae_pm::protocol::Rules;

use crate::check;

/// A world of a hazard and what is found in it.
fn explore(name: &str, world: usize) -> (World, Verdict) {
    let world = hazard::find(name).expect("the hazard has worlds").worlds.swap_remove(world);
    let verdict = check(&world);
    (world, verdict)
}

/// The world does not show the hazard when these repairs are added.
fn repaired_by(world: &World, repairs: &[u32]) {
    let world = World { rules: world.rules.with(repairs), ..world.clone() };
    let verdict = check(&world);
    assert!(verdict.holds(), "{:?} {:?}", verdict.violations, verdict.trap);
}

#[test]
fn h1_first_lost_message_is_never_sent_again() {
    let (world, verdict) = explore("H1", 0);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 2));
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 2)));
    assert!(verdict.violations.is_empty());
    repaired_by(&world, &[1, 2]);
    // With a wider window the sender sends what follows, for ever.
    let (world, verdict) = explore("H1", 1);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 3));
    assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 2)));
    repaired_by(&world, &[1, 2, 7]);
}

#[test]
fn h2_lost_ack_is_never_made_good() {
    let (world, verdict) = explore("H2", 0);
    assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 3)));
    repaired_by(&world, &[2]);
    // Every ACK of the window must be lost; the host frees its one place in between.
    let (world, verdict) = explore("H2", 1);
    assert_eq!(world.window, 3);
    assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 7)));
    repaired_by(&world, &[2, 7]);
}

#[test]
fn h3_stop_acknowledges_what_was_discarded_without_any_loss() {
    let (world, verdict) = explore("H3", 0);
    assert_eq!(world.rules, Rules::PRINTED);
    assert!(!world.network.loss);
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(6));
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 5)));
    repaired_by(&world, &[1, 3]);
    let (world, verdict) = explore("H3", 1);
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(6));
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 4)));
    repaired_by(&world, &[1, 3]);
}

#[test]
fn h4_lost_go_stops_both_sides() {
    let (world, verdict) = explore("H4", 0);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 9)));
    assert_eq!(verdict.rests_after(), Some(9));
    repaired_by(&world, &[4]);
}

#[test]
fn h5_lost_go_and_nothing_outstanding_stops_for_ever() {
    let (world, verdict) = explore("H5", 0);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 13)));
    assert!(verdict.violations.is_empty());
    repaired_by(&world, &[9]);
}

#[test]
fn h6_rewind_race_sends_from_a_freed_buffer() {
    let (world, verdict) = explore("H6", 0);
    assert_eq!(verdict.events_to(Violation::FreedSent), Some(4));
    assert_eq!(verdict.trap, None);
    repaired_by(&world, &[7]);
    let (world, verdict) = explore("H6", 1);
    assert_eq!(verdict.events_to(Violation::FreedSent), Some(11));
    assert_eq!(verdict.trap, None);
    repaired_by(&world, &[7]);
}

#[test]
fn h9_loss_of_the_last_message_is_seen_by_the_timer_only() {
    let (world, verdict) = explore("H9", 0);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 9)));
    assert!(verdict.violations.is_empty());
    repaired_by(&world, &[1]);
}

#[test]
fn h10_window_of_one_sends_nothing() {
    let (world, verdict) = explore("H10", 0);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 1));
    assert_eq!((verdict.states, verdict.trapped_after()), (1, Some((Trap::Deadlock, 0))));
    repaired_by(&world, &[15, 16]);
}

#[test]
fn h10_mixed_bounds_ignore_the_ack_that_is_needed() {
    for (case, events) in [(1, 0), (2, 6), (3, 10)] {
        let (world, verdict) = explore("H10", case);
        assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, events)), "N = {}", world.window);
        repaired_by(&world, &[16]);
        // Both strict, as printed, is right too, but for N = 1: the window is one less than N.
        let strict = check(&World { rules: world.rules.without(&[15]), ..world.clone() });
        assert_eq!(strict.holds(), world.window > 1);
    }
}

#[test]
fn h12_numbers_that_wrap_too_soon_repeat_a_message() {
    for (case, modulus, events) in [(0, 2, 9), (1, 3, 13)] {
        let (world, verdict) = explore("H12", case);
        // With strict bounds N - 1 messages are sent without an ACK, and N numbers are enough for them.
        assert_eq!((world.modulus, u32::from(world.window)), (Some(modulus), modulus + 1));
        assert_eq!(verdict.events_to(Violation::Duplicate), Some(events));
        let enough = check(&World { modulus: Some(modulus + 1), ..world });
        assert!(enough.holds());
    }
}

#[test]
fn h12_reordering_lets_an_old_ack_pass_for_a_new_one() {
    let (world, verdict) = explore("H12", 2);
    assert_eq!(world.modulus, Some(4));
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(9));
    assert!(check(&World { modulus: None, ..world }).holds());
}

#[test]
fn h12_numbers_of_32_bits_wrap_unnoticed() {
    let world = World { network: Network::LOSS, ..World::default() };
    let across = World { base: u32::MAX - 1, ..world.clone() };
    let (from_zero, across) = (check(&world), check(&across));
    assert!(from_zero.holds() && across.holds());
    assert_eq!(from_zero.states, across.states);
}

#[test]
fn h13_copy_during_the_transfer_is_delivered_again() {
    let (world, verdict) = explore("H13", 0);
    assert_eq!(verdict.events_to(Violation::Duplicate), Some(5));
    // Both transfers count, and the next message passes for an old one.
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(12));
    repaired_by(&world, &[10]);
}

#[test]
fn h14_go_to_one_of_two_senders_is_lost() {
    let (world, verdict) = explore("H14", 0);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 8)));
    repaired_by(&world, &[4]);
}

#[test]
fn h14_go_to_one_of_two_stopped_senders_needs_no_loss() {
    let (world, verdict) = explore("H14", 1);
    assert!(!world.network.loss);
    // The last of the events is the STOP that no GO will follow.
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 7)));
    repaired_by(&world, &[14]);
    repaired_by(&world, &[4]);
}

#[test]
fn h14_timers_while_stopped_make_up_for_any_bookkeeping() {
    for repairs in [&[4][..], &[4, 13], &[4, 13, 14]] {
        for network in [Network::FIFO, Network::LOSS, Network::DUPLICATION] {
            let world = hazard::find("H14").expect("it has worlds").worlds.swap_remove(0);
            repaired_by(&World { network, ..world }, repairs);
        }
    }
}

#[test]
fn h15_restarted_sender_loses_its_first_messages() {
    let (_, verdict) = explore("H15", 0);
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(3));
    // ACK(3) is out of bounds; and without F2 there is no answer at all.
    for case in [1, 2] {
        let (_, verdict) = explore("H15", case);
        assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 0)));
        assert!(verdict.violations.is_empty());
    }
}

#[test]
fn h15_restarted_receiver_asks_for_lost_messages_without_end() {
    let (_, verdict) = explore("H15", 3);
    assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 0)));
    assert!(verdict.violations.is_empty());
}

#[test]
fn h15_epoch_keeps_an_old_ack_out() {
    let (world, verdict) = explore("H15", 4);
    assert_eq!(verdict.events_to(Violation::SilentLoss), Some(1));
    repaired_by(&world, &[11]);
    // If only one side begins a new session, nothing passes: no progress, but no loss either.
    let (world, _) = explore("H15", 0);
    let verdict = check(&World { rules: Rules::REPAIRED, ..world });
    assert!(verdict.violations.is_empty());
    assert_eq!(verdict.trapped_after(), Some((Trap::Livelock, 0)));
}

#[test]
fn h18_go_overtakes_stop() {
    let (world, verdict) = explore("H18", 0);
    assert!(world.network.reordering && !world.network.loss && !world.network.duplication);
    // Sealed when GO arrives first; STOP is the ninth event.
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 8)));
    assert_eq!(verdict.rests_after(), Some(9));
    repaired_by(&world, &[4]);
}

#[test]
fn h18_timer_alone_does_not_help_once_all_is_acknowledged() {
    // With duplication: two more events until the copy is accepted and its ACK arrives, and one for the host.
    let (world, verdict) = explore("H18", 1);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 9)));
    assert_eq!(verdict.rests_after(), Some(12));
    repaired_by(&world, &[9]);
    let (world, verdict) = explore("H18", 2);
    assert_eq!(verdict.trapped_after(), Some((Trap::Deadlock, 13)));
    repaired_by(&world, &[9]);
}

#[test]
fn every_hazard_is_gone_with_all_repairs() {
    for hazard in hazard::all() {
        for world in &hazard.worlds {
            // What no rule can repair: numbers that are too short, and one side that starts anew alone.
            if world.modulus.is_some() || matches!(hazard.name, "H15") {
                continue;
            }
            let world = World { rules: Rules::REPAIRED, ..world.clone() };
            assert!(check(&world).holds(), "{}", hazard.name);
        }
    }
}
