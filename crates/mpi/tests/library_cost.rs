use mpi::carrier::memory::{Cluster, Settings};
use mpi::programs::{ping, pong};
use mpi::{Costs, LibraryCost, Options};

use cluster::{Duration, Time};

const NS: fn(u64) -> Duration = Duration::from_ns;

/// Time of a round trip of 4 bytes on wires, with one instruction a nanosecond and no cost of copies.
fn round_trip(costs: Costs) -> Duration {
    let mut cluster = Cluster::new(2, Settings { costs, ..Settings::default() }, Options::default());
    let asks = cluster.spawn(0, "ping", |world| async move { ping(&world, 1, 4, 1).await });
    let answers = cluster.spawn(1, "pong", |world| async move { pong(&world, 0, 4, 1).await });
    cluster.run(NS(1_000_000)).expect("both end");
    answers.take().expect("it has ended").unwrap();
    let turns = asks.take().expect("it has ended").unwrap();
    assert!(turns[0].begin < Time::ZERO + NS(1_000));
    turns[0].end - turns[0].begin
}

#[test]
fn counted_instructions_are_on_the_way_of_a_message() {
    let [looks, counted, off] =
        LibraryCost::ALL.map(|cost| round_trip(Costs::of_library(cost, NS(1), NS(0), NS(1))));
    // A way has a call and a packet that is built, and a packet that is received and compared with one entry.
    let way = 486 + 1_310 + 1_310 + 14;
    assert_eq!(counted - off, NS(2 * way));
    assert!(off < looks && looks < off + NS(20), "looks take {looks:?}, nothing {off:?}");
}
