use checker::exchange::{Places, Verdict, World};
use mpi::Way;

fn check(world: &World) -> Verdict {
    world.check(2_000_000).expect("the worlds of tests are small")
}

#[test]
fn with_credits_all_messages_come_and_no_packet_ever_waits_for_room() {
    for (way, packets) in [(Way::Eager, 1), (Way::Eager, 2), (Way::Rendezvous, 0), (Way::Rendezvous, 2)] {
        for slots in [3, 4] {
            let world = World { way, packets, slots, messages: 2, ..World::default() };
            let verdict = check(&world);
            assert!(verdict.holds(), "{world:?}: {verdict:?}");
            assert!(verdict.states > 100, "{}", verdict.states);
        }
    }
}

#[test]
fn three_ranks_that_flood_each_other_share_the_places_of_a_buffer() {
    let world = World { ranks: 3, slots: 6, messages: 1, ..World::default() };
    let verdict = check(&world);
    assert!(verdict.holds(), "{verdict:?}");
}

#[test]
fn without_credits_two_fill_each_others_buffers_and_nobody_goes_on() {
    let verdict = check(&World { places: Places::Free, slots: 1, messages: 2, ..World::default() });
    let trap = [
        "rank 0 gives eager to rank 1",
        "what rank 0 gives is stored",
        "rank 0 gives eager to rank 1",
        "rank 1 gives eager to rank 0",
        "what rank 1 gives is stored",
        "rank 1 gives eager to rank 0",
    ];
    assert_eq!(verdict.trap.unwrap(), trap);
    assert_eq!((verdict.wrong, verdict.full), (None, None));
}

#[test]
fn rendezvous_alone_does_not_help() {
    let world = World {
        places: Places::Free,
        way: Way::Rendezvous,
        packets: 3,
        slots: 1,
        messages: 1,
        ..World::default()
    };
    assert!(check(&world).trap.is_some());
    // It bounds what is on its way to an envelope and a message; a buffer with room for that is never full.
    assert!(check(&World { slots: 4, ..world }).holds());
}

#[test]
fn without_a_place_kept_for_credits_nobody_can_tell_of_them() {
    let verdict = check(&World { places: Places::Shared, messages: 4, ..World::default() });
    assert_eq!((verdict.wrong, verdict.full), (None, None));
    let trap = verdict.trap.unwrap();
    // Each gives the other three messages before it takes one.
    assert_eq!(trap.iter().filter(|step| step.contains("gives eager")).count(), 6, "{trap:?}");
}
