use cluster::{LinkCounters, Rates};
use mpi::programs::all;
use mpi::{Communicator, Error, Host, Options, Source, Tag};
use pm::carrier::OverPm;
use pm::memory::Settings;
use pm::{Channel, NodeId};

use crate::monitor::monitored;

const CHANNEL: Channel = Channel::new(1).unwrap();

/// Runs all programs on `ranks` nodes with these faults.
fn run(ranks: u16, faults: Rates, options: &Options) -> LinkCounters {
    let cluster = monitored(ranks, Settings { faults, ..Settings::default() });
    let programs = (0..ranks).map(|rank| {
        let port = cluster.port(NodeId(rank));
        async move {
            let carrier = OverPm::open(port, CHANNEL, 1, ranks.into(), Host::timeless()).await.unwrap();
            let world = Communicator::world(carrier, options.clone());
            all(&world, &[0, 1, 1444, 1445, 9_000], 3).await
        }
    });
    let ends = cluster.run(10_000_000, programs).expect("the programs end");
    assert_eq!(ends, vec![Ok(()); ranks.into()]);
    cluster.counters()
}

#[test]
fn all_programs_run_over_pm_on_one_to_nine_nodes() {
    for ranks in 1..=9 {
        run(ranks, Rates::default(), &Options::default());
    }
}

#[test]
fn all_programs_run_over_lossy_duplicating_reordering_wires() {
    let faults =
        Rates { burst: 20_000, burst_length: 2, duplication: 10_000, reordering: 10_000, ..Rates::default() };
    for (ranks, eager) in [(2, 1 << 14), (5, 1 << 14), (9, 1 << 14), (3, 0)] {
        let options = Options { eager, ..Options::default() };
        let traffic = run(ranks, faults, &options);
        assert!(traffic.lost > 0 && traffic.repeated > 0 && traffic.delayed > 0);
    }
}

#[test]
fn silent_process_is_an_error_of_all_that_wait_for_it() {
    // Node 1 never opens the channel.
    let node = pm::software::Settings { limit: 5, ..Default::default() };
    let cluster = monitored(2, Settings { node, ..Settings::default() });
    let port = cluster.port(NodeId(0));
    let program = async move {
        let carrier = OverPm::open(port, CHANNEL, 1, 2, Host::timeless()).await.unwrap();
        let world = Communicator::world(carrier, Options::default());
        let receive = world.ireceive(Source::Rank(1), Tag::Any, 4).await.unwrap();
        let error = loop {
            if let Err(error) = world.send(1, 0, b"anybody?").await {
                break error;
            }
        };
        let later = world.receive(Source::Rank(1), Tag::Is(3), 4).await;
        [error, receive.wait().await.unwrap_err(), later.unwrap_err(), world.barrier().await.unwrap_err()]
    };
    assert_eq!(cluster.run(100_000, [program]), Ok(vec![[Error::Unreachable(1); 4]]));
}
