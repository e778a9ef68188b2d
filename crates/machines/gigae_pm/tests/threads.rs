use cluster::{Duration, Fingerprint, Rates, SwitchCounters, Time, Topology, run};
use gigae_pm_machine::{GigaePm, Settings};
use pm::programs::source;
use pm::{Endpoint, NodeId};

use super::{CHANNEL, card};

const NODES: usize = 48;
const SENDERS: [u16; 4] = [1, 17, 34, 47];
const COUNT: u32 = 12;

/// End of the last program, fingerprint, and counters of links and switch ports.
type Seen = (Time, Fingerprint, Vec<(Duration, SwitchCounters)>);

/// Streams of some nodes to node 0, over faulty links.
fn crowd(threads: usize) -> Seen {
    let begin = |part: &mut cluster::Cluster<GigaePm>| {
        let each = 20_000;
        let rates =
            Rates { loss: each, duplication: each, reordering: each, corruption: each, ..Rates::default() };
        part.set_faults(rates, 1);
        let here = part.here();
        for node in SENDERS.into_iter().filter(|node| here.contains(&usize::from(*node))) {
            part.spawn(node.into(), "source", |mut port| async move {
                port.open(CHANNEL, 1).await.expect("the channel is free");
                source(&mut port, CHANNEL, NodeId(0), COUNT, |_| 1400).await.expect("the receiver is there");
            });
        }
        if here.contains(&0) {
            part.spawn(0, "sink", |mut port| async move {
                port.open(CHANNEL, 1).await.expect("the channel is free");
                for _ in 0..COUNT * SENDERS.len() as u32 {
                    let message = port.next(CHANNEL).await;
                    port.put_receive_buffer(message).await;
                }
            });
        }
    };
    let end = |part: &mut cluster::Cluster<GigaePm>, ()| {
        let busy: Vec<_> = part.here().map(|node| part.link_to(node).busy()).collect();
        busy.into_iter().zip(part.port_counters()).collect::<Vec<_>>()
    };
    let settings = Settings { timeout: Duration::from_us(300), ..Settings::default() };
    let limit = Duration::from_us(1_000_000);
    let ran = run(&Topology::star(NODES), &settings, threads, limit, |_| Ok(card()), begin, end).unwrap();
    assert_eq!(ran.parts.len(), threads);
    (ran.end, ran.fingerprint, ran.parts.concat())
}

#[test]
fn crowd_before_one_port_is_the_same_on_any_number_of_threads() {
    let once = crowd(1);
    assert!(once.2[0].1.deepest > 1, "frames wait for the port of node 0");
    for threads in [2, 3] {
        assert_eq!(crowd(threads), once, "{threads} threads");
    }
}
