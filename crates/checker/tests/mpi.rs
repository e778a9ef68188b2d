use ::mpi::Way;
use checker::core::{Verdict, Walk};
use checker::mpi::{Places, World, Wrong};

fn check(world: &World) -> Verdict<Wrong> {
    world.check(2_000_000).expect("the worlds of tests are small")
}

#[test]
fn with_credits_all_messages_come_and_no_packet_waits() {
    for (way, packets) in [(Way::Eager, 1), (Way::Eager, 2), (Way::Rendezvous, 0), (Way::Rendezvous, 2)] {
        for slots in [1, 2, 3] {
            let world = World { way, packets, slots, messages: 2, ..World::default() };
            let verdict = check(&world);
            assert!(verdict.holds(), "{world:?}: {verdict:?}");
            assert!(verdict.states > 50, "{}", verdict.states);
        }
    }
}

#[test]
fn three_ranks_share_the_places_of_a_buffer() {
    // Packets of a message are two each: a rank is told of credits before the second.
    for (way, packets, slots) in [(Way::Eager, 2, 2), (Way::Eager, 1, 4), (Way::Rendezvous, 0, 2)] {
        let world = World { ranks: 3, way, packets, slots, messages: 1, ..World::default() };
        let verdict = check(&world);
        assert!(verdict.holds(), "{world:?}: {verdict:?}");
        assert!(verdict.states > 9_000, "{}", verdict.states);
    }
}

#[test]
fn without_credits_two_ranks_fill_each_others_buffers() {
    let verdict = check(&World { places: Places::Free, slots: 1, messages: 2, ..World::default() });
    let trap = [
        "rank 0 gives eager to rank 1",
        "what rank 0 gives is stored",
        "rank 0 gives eager to rank 1",
        "rank 1 gives eager to rank 0",
        "what rank 1 gives is stored",
        "rank 1 gives eager to rank 0",
    ];
    assert_eq!(verdict.find(Wrong::Standstill).unwrap().trace(), trap);
    assert_eq!(verdict.findings.len(), 1);
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
    assert!(check(&world).trap().is_some());
    // At most an envelope and a message are in flight; a buffer with room for these is never full.
    assert!(check(&World { slots: 4, ..world }).holds());
}

#[test]
fn credits_that_need_a_place_themselves_find_none() {
    let verdict = check(&World { places: Places::Shared, slots: 1, ..World::default() });
    let full = [
        "rank 0 gives eager to rank 1",
        "what rank 0 gives is stored",
        "rank 1 gives eager to rank 0",
        "what rank 1 gives is stored",
        "rank 0 takes a packet",
    ];
    assert_eq!(verdict.find(Wrong::Full).unwrap().trace(), full, "rank 0 gives credits then");
}
