//! A stream of messages of 64 bytes for each kind of fault, of which all must arrive once and in order.
//!
//! ```
//! RECOVERY_MESSAGES=1000000 cargo test --release -p gigae_pm_machine recovery -- --nocapture
//! ```

use std::env;
use std::time::Instant;

use cluster::Rates;
use cluster::{Duration, Fingerprint, Time};
use gigae_pm_machine::{Cluster, Settings};
use pm::programs::{sink, source};
use pm::{Endpoint, NodeId};

use super::{CHANNEL, cable, switched};

/// Bytes of a message.
const SIZE: usize = 64;

/// Messages of a stream; `RECOVERY_MESSAGES` asks for more.
fn messages() -> u32 {
    env::var("RECOVERY_MESSAGES").map_or(300, |count| count.parse().expect("RECOVERY_MESSAGES is a number"))
}

/// Carries a stream from node 0 to node 1 over links with these faults in both directions; returns its time.
fn carry(cluster: &mut Cluster, faults: Rates, count: u32) -> Duration {
    cluster.set_faults(faults, 1);
    let sent = cluster.spawn(0, "source", move |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        source(&mut port, CHANNEL, NodeId(1), count, |_| SIZE).await
    });
    let received = cluster.spawn(1, "sink", move |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        let begin = port.host().processor().now();
        sink(&mut port, CHANNEL, NodeId(0), count, |_| SIZE, |_| ()).await?;
        Ok::<_, pm::programs::Wrong>(port.host().processor().now() - begin)
    });
    // A hundred timeouts per message count as a standstill.
    cluster.run(Duration::from_us(100_000 * u64::from(count))).expect("both programs end");
    assert_eq!(sent.take(), Some(Ok(())));
    received.take().expect("the program is done").expect("every message is the right one")
}

/// Carries a stream, checks that faults were injected, and prints its time.
fn recovers(name: &str, faults: Rates) {
    let count = messages();
    let mut cluster = cable(&Settings::default());
    let start = Instant::now();
    let took = carry(&mut cluster, faults, count);
    let counters = cluster.link_from(0).faults().counters();
    let struck = counters.struck();
    assert!((struck > 0) == (faults != Rates::default()), "{counters:?}");
    let goodput = f64::from(count) * SIZE as f64 / (took.ps() as f64 / 1e6);
    println!(
        "{name}: {count} messages of {SIZE} bytes, {:.3} s of virtual time, {goodput:.2} MB/s, {} frames, {struck} struck, \
         {:.0} s",
        took.ps() as f64 / 1e12,
        counters.frames,
        start.elapsed().as_secs_f64(),
    );
}

#[test]
fn recovery_of_a_stream_that_needs_none() {
    recovers("no fault", Rates::default());
}

#[test]
fn recovery_where_a_hundredth_is_lost() {
    recovers("loss of 1 %", Rates { loss: 10_000, ..Rates::default() });
}

#[test]
fn recovery_where_a_tenth_is_lost() {
    recovers("loss of 10 %", Rates { loss: 100_000, ..Rates::default() });
}

#[test]
fn recovery_where_more_than_a_window_is_lost_at_once() {
    recovers("bursts of 12, 1 %", Rates { burst: 10_000, burst_length: 12, ..Rates::default() });
}

#[test]
fn recovery_where_a_tenth_comes_twice() {
    recovers("duplication of 10 %", Rates { duplication: 100_000, ..Rates::default() });
}

#[test]
fn recovery_where_a_tenth_is_overtaken() {
    recovers("reordering of 10 %", Rates { reordering: 100_000, ..Rates::default() });
}

#[test]
fn recovery_where_a_tenth_is_damaged() {
    recovers("damage of 10 %", Rates { corruption: 100_000, ..Rates::default() });
}

#[test]
fn recovery_where_all_of_it_happens() {
    recovers("all of it", every_fault());
}

fn every_fault() -> Rates {
    Rates {
        loss: 20_000,
        duplication: 30_000,
        reordering: 30_000,
        corruption: 20_000,
        burst: 5_000,
        burst_length: 12,
        ..Rates::default()
    }
}

#[test]
fn skipped_stretches_leave_no_trace() {
    let run = |mut cluster: Cluster, skipping| -> (Duration, Time, Fingerprint, _) {
        cluster.set_skipping(skipping);
        cluster.observe();
        let took = carry(&mut cluster, every_fault(), 150);
        (took, cluster.now(), cluster.fingerprint().unwrap(), cluster.observations())
    };
    for nodes in [2, 3] {
        let cluster =
            || if nodes == 2 { cable(&Settings::default()) } else { switched(nodes, &Settings::default()) };
        let (skipped, walked) = (run(cluster(), true), run(cluster(), false));
        assert!(skipped == walked, "{nodes} nodes: {:?} and {:?}", skipped.1, walked.1);
    }
}
