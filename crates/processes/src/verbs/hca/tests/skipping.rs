//! A program waits alike whether the simulation skips the polls of its waits or executes them.

use cluster::{Fingerprint, Time};

use super::edges::{datagram, overflow};
use super::*;

/// Events of completions in a loop, polls, and interrupts: instants at which the program went on, and the run's end.
fn waits(turn: Duration, skipping: bool) -> (Vec<Time>, Time, Fingerprint) {
    let mut settings = Settings::default();
    settings.costs.turn = turn;
    let mut cluster = cluster(&settings);
    cluster.set_skipping(skipping);
    let work = async move |adapter: &mut Adapter| {
        let mut instants = Vec::new();
        let mut carried_out = async |adapter: &mut Adapter, calls: Vec<Call>| {
            for call in calls {
                let answers = carry_out(adapter, vec![call]).await;
                assert!(answers[0].is_ok(), "{answers:?}");
                instants.push(adapter.program_time());
            }
        };
        carried_out(adapter, objects().into_iter().chain(steps()).collect()).await;
        for round in 0..20 {
            // Completions fall into all parts of a poll.
            adapter.host().compute(Duration::from_ps(20_000_123 + 1_009 * round)).await;
            let wait = vec![Call::RequestNotification(0), datagram(None), Call::WaitForEvent(vec![0])];
            carried_out(adapter, wait).await;
            carried_out(adapter, vec![Call::Poll { queue: 0, most: 4 }; 3]).await;
        }
        for queue in 1..4 {
            carried_out(adapter, overflow(queue, queue + 2)).await;
        }
        instants
    };
    let (instants, _) = on_cluster(&mut cluster, vec![0; BYTES], work);
    (instants, cluster.now(), cluster.fingerprint().unwrap())
}

#[test]
fn skipped_polls_of_completions_and_interrupts_leave_no_trace() {
    // The second is no multiple of a cycle, and cycles are no multiples of it.
    for turn in [10_000, 9_871].map(Duration::from_ps) {
        assert_eq!(waits(turn, true), waits(turn, false), "{turn:?}");
    }
}
