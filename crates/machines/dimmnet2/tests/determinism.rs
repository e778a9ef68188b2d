use cluster::{Duration, Fingerprint, Time};
use dimmnet2_machine::programs::Process;
use dimmnet2_machine::programs::botf::Peer;
use dimmnet2_machine::programs::stream::{receive_bytes, send_bytes};
use dimmnet2_machine::{AnyNic, Cluster, Settings, Stalls};

use crate::stand_in::{StandIn, cluster};

const LIMIT: Duration = Duration::from_us(5_000);
const PROCESS: Process = Process { wid: false, pgid: 9 };

/// The visible results of a run.
type Seen = (Time, Fingerprint, Vec<cluster::Observation>);

/// Two streams through one switch, with a pause longer than the distance of two samples.
fn run(mut cluster: Cluster, bytes: usize) -> Seen {
    cluster.observe();
    for node in 0..cluster.nodes().len() {
        for (seed, module) in cluster.node_mut(node).side_mut().memories_mut().iter_mut().enumerate() {
            module.set_stalls(Some(Stalls { seed: seed as u64, in_256: 128 }));
        }
    }
    for (from, to) in [(0, 1), (3, 2)] {
        let data: Vec<u8> = (0..bytes).map(|i| (i * 3 + from) as u8).collect();
        let (sender, receiver) =
            (Peer { lid: from as u16 + 1, wid: false }, Peer { lid: to as u16 + 1, wid: false });
        cluster.spawn(from, "send", move |host| async move {
            host.compute(Duration::from_us(250 + from as u64)).await;
            send_bytes(host, PROCESS, receiver, data).await.unwrap();
        });
        cluster.spawn(to, "receive", move |host| async move {
            let received = receive_bytes(host.clone(), PROCESS, sender).await.unwrap();
            assert_eq!(received.len(), bytes);
            host.compute(Duration::from_ps(130_000_003)).await;
        });
    }
    let end = cluster.run(LIMIT).unwrap();
    let fingerprint = cluster.fingerprint().unwrap();
    (end, fingerprint, cluster.observations())
}

#[test]
fn same_run_twice_has_the_same_fingerprint_and_the_same_events() {
    assert_eq!(run(cluster(4), 3_000), run(cluster(4), 3_000));
}

#[test]
fn skipped_stretches_leave_no_trace() {
    let skipped = run(cluster(4), 1_000);
    let mut ticking = cluster(4);
    ticking.set_skipping(false);
    assert_eq!(skipped, run(ticking, 1_000));
    let busy = || Box::new(StandIn::new().always_busy()) as Box<AnyNic>;
    assert_eq!(
        skipped,
        run(Cluster::with_switch((0..4).map(|_| busy()).collect(), &Settings::default()), 1_000)
    );
}

#[test]
fn one_byte_more_changes_the_fingerprint() {
    assert_ne!(run(cluster(4), 1_000).1, run(cluster(4), 1_001).1);
}

#[test]
fn fingerprint_can_be_taken_on_the_way_without_changing_it() {
    let idle = |stops: &[u64]| {
        let mut cluster = cluster(2);
        for stop in stops {
            cluster.run_until(Time::from_ps(*stop)).unwrap();
            cluster.fingerprint().unwrap();
        }
        cluster.run_until(Time::from_ps(350_000_007)).unwrap();
        cluster.fingerprint().unwrap()
    };
    assert_eq!(idle(&[]), idle(&[1, 59_000, 100_000_000, 234_567_891]));
}

#[test]
fn idle_cluster_costs_next_to_nothing() {
    let mut cluster = cluster(8);
    let start = std::time::Instant::now();
    // A second of virtual time: 800 million core edges, 10,000 samples of each board.
    cluster.run_until(Time::from_ps(1_000_000_000_000)).unwrap();
    assert!(start.elapsed().as_secs() < 10, "took {:?}", start.elapsed());
}
