use cenju3_machine::{Cenju3, Cluster, Port, Ring, Settings};
use cluster::{Duration, Fingerprint, Machine, Time, run};

use crate::{LIMIT, models};

/// Three stages of switches.
const NODES: usize = 40;
/// Messages of each sender: more than a ring has places for.
const COUNT: usize = 100;
const SENDERS: [usize; 4] = [1, 13, 22, 39];

/// Takes messages and returns their senders and first bytes in order. Begins late, when the network is full.
async fn take(port: Port, count: usize) -> Vec<(usize, u8)> {
    port.open(false).await;
    port.host().compute(Duration::from_us(3_000)).await;
    let mut all = Vec::new();
    while all.len() < count {
        match port.look(Ring::Messages).await {
            Some(message) => all.push((message.from, message.data[0])),
            None => port.host().compute(port.host().costs().turn).await,
        }
    }
    all
}

async fn give(port: Port, to: u8, count: usize) {
    port.open(false).await;
    // The receiver's NIF is set up by then.
    port.host().compute(Duration::from_us(20)).await;
    for number in 0..count {
        port.send_message(to, [0; 4], &[number as u8; 100]).await.expect("a message may be sent");
    }
}

/// Four PEs send to PE 0.
fn crowd(threads: usize) -> (Time, Fingerprint, Vec<(usize, u8)>) {
    let begin = |part: &mut Cluster| {
        let here = part.here();
        for node in SENDERS.into_iter().filter(|node| here.contains(node)) {
            part.spawn(node, "gives", |port| give(port, 0, COUNT));
        }
        here.contains(&0).then(|| part.spawn(0, "takes", |port| take(port, COUNT * SENDERS.len())))
    };
    let end = |_: &mut Cluster, taken: Option<cluster::Output<_>>| {
        taken.map(|taken| taken.take().expect("it is done"))
    };
    let nic = |_| Ok(models(1).remove(0));
    let topology = Cenju3::topology(NODES);
    let ran = run::<Cenju3, _, _>(&topology, &Settings::default(), threads, LIMIT, nic, begin, end).unwrap();
    (ran.end, ran.fingerprint, ran.parts.into_iter().flatten().flatten().collect())
}

#[test]
fn full_ring_stalls_the_network_and_no_message_is_lost() {
    let once = crowd(1);
    assert_eq!(once.2.len(), COUNT * SENDERS.len());
    for sender in SENDERS {
        let numbers: Vec<_> = once.2.iter().filter(|(from, _)| *from == sender).map(|(_, n)| *n).collect();
        assert_eq!(numbers, (0..COUNT as u8).collect::<Vec<_>>(), "PE {sender}");
    }
    for threads in [2, 3] {
        assert_eq!(crowd(threads), once, "{threads} threads");
    }
}

#[test]
fn nodes_that_wait_asleep_or_awake_bring_the_same() {
    let run = |skipping| {
        let mut cluster = Cluster::with_switch(models(3), &Settings::default());
        cluster.set_skipping(skipping);
        cluster.spawn(1, "gives", |port| give(port, 0, 70));
        cluster.spawn(2, "gives", |port| give(port, 0, 70));
        let taken = cluster.spawn(0, "takes", |port| take(port, 140));
        cluster.run(LIMIT).unwrap();
        (taken.take(), cluster.fingerprint().unwrap())
    };
    assert_eq!(run(true), run(false));
}
