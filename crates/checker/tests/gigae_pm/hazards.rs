//! An event is a step of one node, of the network or of the host: S1 sends one message, a frame arrives and is answered,
//! a frame is lost, a timer expires, the host frees a place, GO is sent. A trap is counted to where its fate is sealed,
//! which can be some events before everything rests.

use ::gigae_pm::protocol::Rules;
use checker::core::Verdict;
use checker::gigae_pm::{Before, Hazard, Network, Sighting, Timers, World, Wrong, storm};

use super::check;

/// A world of a hazard and what is found in it.
fn explore(name: &str, world: usize) -> (World, Verdict<Wrong>) {
    let world = Hazard::find(name).expect("the hazard has worlds").worlds.swap_remove(world);
    let verdict = check(&world);
    (world, verdict)
}

/// Kind of the trap, and events to it.
fn trapped_after(verdict: &Verdict<Wrong>) -> Option<(Wrong, usize)> {
    verdict.trap().map(|trap| (trap.wrong, trap.events))
}

/// The world does not show the hazard when these repairs are added.
fn repaired_by(world: &World, repairs: &[u32]) {
    let world = World { rules: world.rules.with(repairs), ..world.clone() };
    let verdict = check(&world);
    assert!(verdict.holds(), "{:?}", verdict.findings);
}

#[test]
fn h1_first_lost_message_is_never_sent_again() {
    let (world, verdict) = explore("H1", 0);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 2));
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 2)));
    assert!(verdict.violations().next().is_none());
    repaired_by(&world, &[1, 2]);
    // With a wider window the sender sends what follows, for ever.
    let (world, verdict) = explore("H1", 1);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 3));
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 2)));
    repaired_by(&world, &[1, 2, 7]);
}

#[test]
fn h2_lost_ack_is_never_made_good() {
    let (world, verdict) = explore("H2", 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 3)));
    repaired_by(&world, &[2]);
    // Every ACK of the window must be lost; the host frees its one place in between.
    let (world, verdict) = explore("H2", 1);
    assert_eq!(world.window, 3);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 7)));
    repaired_by(&world, &[2, 7]);
}

#[test]
fn h3_stop_acknowledges_what_was_discarded_without_any_loss() {
    let (world, verdict) = explore("H3", 0);
    assert_eq!(world.rules, Rules::PRINTED);
    assert!(!world.network.loss);
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(6));
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 5)));
    repaired_by(&world, &[1, 3]);
    let (world, verdict) = explore("H3", 1);
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(6));
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 4)));
    repaired_by(&world, &[1, 3]);
}

#[test]
fn h4_lost_go_stops_both_sides() {
    let (world, verdict) = explore("H4", 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 9)));
    assert_eq!(verdict.trap().and_then(|trap| trap.rests), Some(9));
    repaired_by(&world, &[4]);
}

#[test]
fn h5_lost_go_and_nothing_outstanding_stops_for_ever() {
    let (world, verdict) = explore("H5", 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 13)));
    assert!(verdict.violations().next().is_none());
    repaired_by(&world, &[9]);
}

#[test]
fn h6_rewind_race_sends_from_a_freed_buffer() {
    let (world, verdict) = explore("H6", 0);
    assert_eq!(verdict.events_to(Wrong::FreedSent), Some(4));
    assert_eq!(verdict.trap(), None);
    repaired_by(&world, &[7]);
    let (world, verdict) = explore("H6", 1);
    assert_eq!(verdict.events_to(Wrong::FreedSent), Some(11));
    assert_eq!(verdict.trap(), None);
    repaired_by(&world, &[7]);
}

/// The world of a hazard that costs time: nothing is violated in it, but there are such steps.
fn seen(name: &str) -> (World, Sighting) {
    let hazard = Hazard::find(name).expect("the hazard is there");
    assert!(hazard.wrong.is_step() && check(hazard.world()).holds());
    (hazard.world().clone(), steps(hazard.world(), hazard.wrong))
}

fn steps(world: &World, step: Wrong) -> Sighting {
    world.sight(step, 500_000).expect("the worlds of tests are small")
}

/// Events up to the first step of the kind, it included.
fn after(sighting: &Sighting) -> Option<usize> {
    sighting.trace.as_ref().map(|trace| trace.steps.len())
}

#[test]
fn h7_lose_is_never_taken_on_paths_that_keep_order() {
    let (world, ignored) = seen("H7");
    assert_eq!((world.window, ignored.steps, after(&ignored)), (3, 8, Some(5)));
    assert_eq!(steps(&world, Wrong::TakenLose).steps, 0);
    let premature = World { timers: Timers::Premature, ..world.clone() };
    assert_eq!(steps(&premature, Wrong::IgnoredLose).steps, 2748);
    assert_eq!(steps(&premature, Wrong::TakenLose).steps, 0);
    // It is as good as an ACK where a window of three is open and ACK(k) itself was lost; and a rewind only with F5.
    let wide = World { rules: world.rules.with(&[15, 16]), ..world.clone() };
    assert_eq!(steps(&wide, Wrong::TakenLose).steps, 5);
    let repaired = World { rules: world.rules.with(&[5]), ..world };
    assert_eq!(steps(&repaired, Wrong::IgnoredLose).steps, 0);
}

#[test]
fn h8_go_leaves_what_was_discarded_to_the_timer() {
    let (world, passed) = seen("H8");
    assert_eq!((passed.steps, after(&passed)), (10, Some(9)));
    let repaired = World { rules: world.rules.with(&[6]), ..world };
    assert_eq!(steps(&repaired, Wrong::GoForTheNext).steps, 0);
}

#[test]
fn h9_loss_of_the_last_message_is_seen_by_the_timer_only() {
    let (world, verdict) = explore("H9", 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 9)));
    assert!(verdict.violations().next().is_none());
    repaired_by(&world, &[1]);
}

#[test]
fn h10_window_of_one_sends_nothing() {
    let (world, verdict) = explore("H10", 0);
    assert_eq!((world.rules, world.window), (Rules::PRINTED, 1));
    assert_eq!((verdict.states, trapped_after(&verdict)), (1, Some((Wrong::Deadlock, 0))));
    repaired_by(&world, &[15, 16]);
}

#[test]
fn h10_mixed_bounds_ignore_the_ack_that_is_needed() {
    for (case, events) in [(1, 0), (2, 6), (3, 10)] {
        let (world, verdict) = explore("H10", case);
        assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, events)), "N = {}", world.window);
        repaired_by(&world, &[16]);
        // Both strict, as printed, is right too, but for N = 1: the window is one less than N.
        let strict = check(&World { rules: world.rules.without(&[15]), ..world.clone() });
        assert_eq!(strict.holds(), world.window > 1);
    }
}

#[test]
fn h11_literal_free_loses_what_is_still_on_its_way() {
    let (world, verdict) = explore("H11", 0);
    // All repairs apply: no rule helps against taking a sentence for something else.
    assert_eq!(world.rules, Rules::REPAIRED);
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(4));
    assert_eq!(trapped_after(&verdict).map(|(_, events)| events), Some(5));
    assert!(check(&World { misreading: None, ..world }).holds());
}

#[test]
fn h12_numbers_that_wrap_too_soon_repeat_a_message() {
    for (case, modulus, events) in [(0, 2, 9), (1, 3, 13)] {
        let (world, verdict) = explore("H12", case);
        // With strict bounds N - 1 messages are sent without an ACK, and N numbers are enough for them.
        assert_eq!((world.modulus, u32::from(world.window)), (Some(modulus), modulus + 1));
        assert_eq!(verdict.events_to(Wrong::Duplicate), Some(events));
        let enough = check(&World { modulus: Some(modulus + 1), ..world });
        assert!(enough.holds());
    }
}

#[test]
fn h12_reordering_lets_an_old_ack_pass_for_a_new_one() {
    let (world, verdict) = explore("H12", 2);
    assert_eq!(world.modulus, Some(4));
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(9));
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
    assert_eq!(verdict.events_to(Wrong::Duplicate), Some(5));
    // Both transfers count, and the next message passes for an old one.
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(12));
    repaired_by(&world, &[10]);
}

#[test]
fn h14_go_to_one_of_two_senders_is_lost() {
    let (world, verdict) = explore("H14", 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 8)));
    repaired_by(&world, &[4]);
}

#[test]
fn h14_go_to_one_of_two_stopped_senders_needs_no_loss() {
    let (world, verdict) = explore("H14", 1);
    assert!(!world.network.loss);
    // The last of the events is the STOP that no GO will follow.
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 7)));
    repaired_by(&world, &[14]);
    repaired_by(&world, &[4]);
}

#[test]
fn h14_timers_while_stopped_make_up_for_any_bookkeeping() {
    for repairs in [&[4][..], &[4, 13], &[4, 13, 14]] {
        for network in [Network::FIFO, Network::LOSS, Network::DUPLICATION] {
            let world = Hazard::find("H14").expect("it has worlds").worlds.swap_remove(0);
            repaired_by(&World { network, ..world }, repairs);
        }
    }
}

#[test]
fn h15_restarted_sender_loses_its_first_messages() {
    let (_, verdict) = explore("H15", 0);
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(3));
    // ACK(3) is out of bounds; and without F2 there is no answer at all.
    for case in [1, 2] {
        let (_, verdict) = explore("H15", case);
        assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 0)));
        assert!(verdict.violations().next().is_none());
    }
}

#[test]
fn h15_restarted_receiver_asks_for_lost_messages_without_end() {
    let (_, verdict) = explore("H15", 3);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 0)));
    assert!(verdict.violations().next().is_none());
}

#[test]
fn h15_epoch_keeps_an_old_ack_out() {
    let (world, verdict) = explore("H15", 4);
    assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(1));
    repaired_by(&world, &[11]);
    // If only one side begins a new session, nothing passes: no progress, but no loss either.
    let (world, _) = explore("H15", 0);
    let verdict = check(&World { rules: Rules::REPAIRED, ..world });
    assert!(verdict.violations().next().is_none());
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 0)));
}

#[test]
fn h16_timers_of_two_messages_skip_the_first() {
    let (world, forward) = seen("H16");
    assert_eq!((forward.steps, after(&forward)), (234, Some(4)));
    let repaired = World { rules: world.rules.with(&[8]), ..world };
    assert_eq!(steps(&repaired, Wrong::TimerForward).steps, 0);
}

#[test]
fn h17_every_frame_after_a_gap_rewinds_again() {
    let (world, again) = seen("H17");
    assert_eq!((again.steps, after(&again)), (1381, Some(9)));
    let repaired = World { rules: Rules::REPAIRED, ..world };
    assert_eq!(steps(&repaired, Wrong::SecondRewind).steps, 0);
}

#[test]
fn h17_one_loss_costs_a_window_with_f12_and_nearly_two_without() {
    for window in [8, 16, 32, 64] {
        let extra = |rules| storm::extra_frames(rules, window);
        assert_eq!(extra(Rules::REPAIRED), Some(window.into()));
        assert_eq!(extra(Rules::REPAIRED.without(&[12])), Some(2 * u32::from(window) - 2));
        // Nothing but a timer makes it good if LOSE is ignored.
        assert_eq!(extra(Rules::REPAIRED.without(&[5])), None);
    }
}

#[test]
fn h18_go_overtakes_stop() {
    let (world, verdict) = explore("H18", 0);
    assert!(world.network.reordering && !world.network.loss && !world.network.duplication);
    // Sealed when GO arrives first; STOP is the ninth event.
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 8)));
    assert_eq!(verdict.trap().and_then(|trap| trap.rests), Some(9));
    repaired_by(&world, &[4]);
}

#[test]
fn h18_timer_alone_does_not_help_once_all_is_acknowledged() {
    // With duplication: two more events until the copy is accepted and its ACK arrives, and one for the host.
    let (world, verdict) = explore("H18", 1);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 9)));
    assert_eq!(verdict.trap().and_then(|trap| trap.rests), Some(12));
    repaired_by(&world, &[9]);
    let (world, verdict) = explore("H18", 2);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 13)));
    repaired_by(&world, &[9]);
}

#[test]
fn h19_two_nodes_that_stop_each_other_cannot_say_go() {
    let (world, verdict) = explore("H19", 0);
    assert!(world.mutual && !world.network.loss && world.rules == Rules::REPAIRED);
    assert!(verdict.violations().next().is_none());
    // Each has sent two messages, which are accepted and discarded, and has heard ACK and STOP: 2 * 6 events.
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 12)));
    assert!(check(&World { misreading: None, ..world }).holds());
}

#[test]
fn h20_dead_peer_is_sent_to_for_ever_or_reported() {
    let (world, verdict) = explore("H20", 0);
    assert!(world.deaf && world.limit == 0);
    assert_eq!(trapped_after(&verdict), Some((Wrong::Livelock, 0)));
    // Each attempt is sent, arrives at a dead node, and its timer expires.
    for limit in [1, 2, 3] {
        let world = World { limit, ..world.clone() };
        assert!(check(&world).holds());
        assert_eq!(after(&steps(&world, Wrong::Report)), Some(3 * usize::from(limit)));
    }
    // Any frame from the peer begins the count anew, so a peer that lives is reported after losses in a row only.
    let lossy = World { deaf: false, limit: 3, network: Network::LOSS, ..world };
    assert_eq!(after(&steps(&lossy, Wrong::Report)), Some(9));
    assert_eq!(steps(&World { network: Network::FIFO, ..lossy }, Wrong::Report).steps, 0);
}

#[test]
fn h21_ack_of_what_was_never_sent_frees_what_nobody_has() {
    for case in [0, 1] {
        let (_, verdict) = explore("H21", case);
        assert_eq!(verdict.events_to(Wrong::SilentLoss), Some(1), "case {case}");
        assert_eq!(trapped_after(&verdict), Some((Wrong::Deadlock, 0)), "case {case}");
    }
    let (world, _) = explore("H21", 1);
    repaired_by(&world, &[18]);
    // Whatever else happens to frames, and whatever a stranger names of what is never sent.
    for number in 4..7 {
        for network in [Network::FIFO, Network::LOSS, Network::DUPLICATION, Network::REORDERING] {
            for window in [2, 3] {
                let world = World { window, network, before: Before::Forged(number), ..World::default() };
                assert!(check(&world).holds(), "ACK({number}), {network:?}, window {window}");
            }
        }
    }
}

#[test]
fn every_hazard_is_gone_with_all_repairs() {
    for hazard in Hazard::all() {
        for world in &hazard.worlds {
            // No rule repairs numbers that are too short, misreadings, one side that starts anew alone, and a dead peer.
            let beyond_rules = world.modulus.is_some() || world.misreading.is_some();
            if beyond_rules || matches!(hazard.name, "H15" | "H20") {
                continue;
            }
            let world = World { rules: Rules::REPAIRED, ..world.clone() };
            assert!(check(&world).holds(), "{}", hazard.name);
        }
    }
}
