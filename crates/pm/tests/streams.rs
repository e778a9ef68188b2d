use std::future::Future;
use std::pin::Pin;

use cluster::Rates;
use pm::memory::{Cluster, Port, Settings};
use pm::{Endpoint, NodeId, software};
use pm_protocol::Rules;

use crate::CHANNEL;
use crate::monitor::monitored;

/// Messages of a long stream; fewer in a build with debug assertions.
const MANY: u32 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };

/// Message `number` of a stream begins with its number; its length depends on the number.
fn message(node: NodeId, number: u32) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.resize(4 + (number as usize * 7 + usize::from(node.0)) % 60, number as u8);
    bytes
}

async fn sends(mut port: Port, to: NodeId, count: u32) -> u32 {
    let _ = port.open(CHANNEL, 1).await;
    for number in 0..count {
        let bytes = message(port.node(), number);
        port.send(CHANNEL, to, &bytes).await.expect("the other node is there");
    }
    count
}

/// Receives `count` messages of each sender; returns the number of right ones.
async fn receives(mut port: Port, senders: u16, count: u32) -> u32 {
    let _ = port.open(CHANNEL, 1).await;
    let mut next = vec![0; usize::from(senders) + 1];
    let mut right = 0;
    for _ in 0..u32::from(senders) * count {
        let received = port.next(CHANNEL).await;
        let number = &mut next[usize::from(received.sender.0)];
        assert_eq!(*received, message(received.sender, *number), "all once, in order");
        *number += 1;
        right += 1;
        port.put_receive_buffer(received).await;
    }
    // Time for frames in flight: no message may arrive twice.
    for _ in 0..1000 {
        assert_eq!(port.receive(CHANNEL).await, None);
        port.pause().await;
    }
    right
}

type Task = Pin<Box<dyn Future<Output = u32>>>;

/// Node 0 receives, all others send.
fn crowd(cluster: &Cluster, senders: u16, count: u32) -> Vec<Task> {
    let mut tasks: Vec<Task> = vec![Box::pin(receives(cluster.port(NodeId(0)), senders, count))];
    for node in 1..=senders {
        tasks.push(Box::pin(sends(cluster.port(NodeId(node)), NodeId(0), count)));
    }
    tasks
}

fn stream(faults: Rates) -> Cluster {
    let cluster = monitored(2, Settings { faults, lateness: 200, ..Settings::default() });
    let results = cluster.run(100 * u64::from(MANY), crowd(&cluster, 1, MANY)).expect("the stream ends");
    assert_eq!(results, [MANY, MANY]);
    cluster
}

#[test]
fn million_messages_arrive_in_order_at_one_percent_loss() {
    let cluster = stream(Rates { loss: 10_000, ..Rates::default() });
    let traffic = cluster.counters();
    assert!(traffic.lost > u64::from(MANY) / 100, "{traffic:?}");
}

#[test]
fn million_messages_arrive_in_order_at_ten_percent_loss() {
    let cluster = stream(Rates { loss: 100_000, ..Rates::default() });
    let traffic = cluster.counters();
    assert!(traffic.lost > u64::from(MANY) / 10, "{traffic:?}");
}

#[test]
fn million_messages_survive_bursts_duplicates_and_delays() {
    let faults =
        Rates { burst: 5000, burst_length: 20, duplication: 20_000, reordering: 20_000, ..Rates::default() };
    let traffic = stream(faults).counters();
    assert!(traffic.lost > u64::from(MANY) / 20, "{traffic:?}");
    assert!(traffic.repeated > u64::from(MANY) / 50 && traffic.delayed > u64::from(MANY) / 50, "{traffic:?}");
}

#[test]
fn links_without_faults_carry_every_message_once() {
    let cluster = stream(Rates::default());
    assert_eq!(cluster.messages(), u64::from(MANY));
}

#[test]
fn eight_senders_share_three_places() {
    for loss in [0, 50_000] {
        let settings = Settings {
            node: software::Settings { receive_buffers: 3, ..Default::default() },
            faults: Rates {
                burst: loss,
                burst_length: 2,
                duplication: loss,
                reordering: loss,
                ..Rates::default()
            },
            ..Settings::default()
        };
        let cluster = monitored(9, settings);
        let results = cluster.run(2_000_000, crowd(&cluster, 8, 2000)).expect("nobody is forgotten");
        assert_eq!(results, [16_000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000]);
    }
}

#[test]
fn printed_rules_stand_still_at_the_first_loss() {
    let faults = Rates { loss: 10_000, ..Rates::default() };
    let node = software::Settings { rules: Rules::PRINTED, ..Default::default() };
    let settings = Settings { node, faults, ..Settings::default() };
    let cluster = monitored(2, settings);
    let stuck = cluster.run(100_000, crowd(&cluster, 1, 10_000)).unwrap_err();
    assert_eq!(stuck.programs, 2);
    // The last window is retransmitted repeatedly, except for its first message.
    assert!(cluster.counters().lost > 0 && cluster.messages() < 100_000);
}

#[test]
fn same_settings_give_the_same_run() {
    let run = |seed| {
        let faults = Rates {
            burst: 50_000,
            burst_length: 3,
            duplication: 50_000,
            reordering: 50_000,
            ..Rates::default()
        };
        let cluster = monitored(4, Settings { faults, lateness: 40, seed, ..Settings::default() });
        cluster.run(1_000_000, crowd(&cluster, 3, 500)).expect("the run ends");
        (cluster.ticks(), cluster.counters())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn repairs_that_only_save_time_save_it() {
    let cost = |rules, loss, receive_buffers| {
        let faults = Rates { loss, ..Rates::default() };
        let node = software::Settings { rules, receive_buffers, ..Default::default() };
        let settings = Settings { node, faults, ..Settings::default() };
        let cluster = monitored(2, settings);
        cluster.run(1_000_000, crowd(&cluster, 1, 10_000)).expect("slower, but not wrong");
        (cluster.ticks(), cluster.messages())
    };
    let all = Rules::REPAIRED;
    // Hazards H7 and H8: if LOSE is ignored, every loss waits for the timer.
    assert!(2 * cost(all.without(&[5]), 10_000, 21).0 > 3 * cost(all, 10_000, 21).0);
    // H8: after a GO that does not rewind, discarded messages wait for the timer.
    assert!(2 * cost(all.without(&[6]), 10_000, 3).0 > 3 * cost(all, 10_000, 3).0);
    // H17: every frame after a gap makes the sender go back once more.
    assert!(5 * cost(all.without(&[12]), 10_000, 21).1 > 6 * cost(all, 10_000, 21).1);
}
