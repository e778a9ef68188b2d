use cluster::{Duration, Rates, Topology, TopologyError};
use gigae_pm::memory_map::control_structure;
use gigae_pm::protocol::Control;
use gigae_pm_machine::{Cluster, Settings};
use pm::programs::{Wrong, sink, source};
use pm::{Endpoint, NodeId};

use super::{CHANNEL, switched};

/// Nodes of table 3 of the paper.
const NODES: u16 = 1000;
const COUNT: u32 = 12;
const SESSION: u16 = 0xabc;

/// The control structures of the channel in the memory of a card.
fn structures(cluster: &Cluster, node: usize) -> Vec<Control> {
    let mut memory = Vec::new();
    // NIC memory is the card's first memory.
    cluster.nodes()[node].nic().memories(&mut memory);
    let words = |peer| control_structure(CHANNEL.number() as u8, peer) as usize;
    let structure = |peer| Control::from_words(std::array::from_fn(|i| memory[words(peer) + i] as u32));
    (0..NODES).map(structure).collect()
}

#[test]
fn last_of_a_thousand_nodes_exchange_messages_over_bad_wires() {
    let mut cluster = switched(NODES.into(), &Settings::default());
    cluster.set_faults(Rates { loss: 50_000, ..Rates::default() }, 1);
    // Each of these sends to the next; the others are switched on and silent.
    let ring = [0, NODES - 2, NODES - 1];
    let ends: Vec<_> = (0..3)
        .map(|i| {
            let (from, to) = (NodeId(ring[(i + 2) % 3]), NodeId(ring[(i + 1) % 3]));
            cluster.spawn(ring[i].into(), "program", move |mut port| async move {
                port.open(CHANNEL, SESSION).await.expect("the channel is free");
                source(&mut port, CHANNEL, to, COUNT, |_| 100).await?;
                sink(&mut port, CHANNEL, from, COUNT, |_| 100, |_| ()).await
            })
        })
        .collect();
    cluster.run(Duration::from_us(1_000_000)).expect("all programs end");
    for end in ends {
        assert_eq!(end.take(), Some(Ok::<(), Wrong>(())));
    }
    assert!(ring.iter().any(|&node| cluster.link_from(node.into()).faults().counters().lost > 0));
    for i in 0..3 {
        let (from, to) = (ring[(i + 2) % 3], ring[(i + 1) % 3]);
        for (peer, structure) in (0..NODES).zip(structures(&cluster, ring[i].into())) {
            let received = if peer == from { COUNT } else { 0 };
            let sent = if peer == to { COUNT } else { 0 };
            assert_eq!(
                (structure.epoch, structure.received, structure.highest),
                (SESSION, received, sent),
                "node {} of {peer}",
                ring[i]
            );
        }
    }
}

#[test]
fn last_of_1024_nodes_is_reached_and_one_more_is_refused() {
    const LAST: u16 = 1023;
    let mut cluster = switched(usize::from(LAST) + 1, &Settings::default());
    let ends = [(0, LAST), (LAST, 0)].map(|(node, other)| {
        cluster.spawn(node.into(), "program", move |mut port| async move {
            port.open(CHANNEL, SESSION).await.expect("the channel is free");
            source(&mut port, CHANNEL, NodeId(other), COUNT, |_| 100).await?;
            sink(&mut port, CHANNEL, NodeId(other), COUNT, |_| 100, |_| ()).await
        })
    });
    cluster.run(Duration::from_us(10_000)).expect("both programs end");
    for end in ends {
        assert_eq!(end.take(), Some(Ok::<(), Wrong>(())));
    }
    let refused = Cluster::new(Topology::star(1025), Vec::new(), &Settings::default()).err();
    assert_eq!(refused, Some(TopologyError::TooMany { machine: "GigaE PM", most: 1024, nodes: 1025 }));
}
