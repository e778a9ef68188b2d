use std::collections::BTreeSet;

use cluster::{Duration, Topology, TopologyError};
use dimmnet2::Dimmnet2;
use dimmnet2::address::{clid_to_lid, lid_to_clid};
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::remote::Memory;
use dimmnet2_machine::programs::vl::Source;
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Settings, lid};
use hdl::Model;

const PROCESS: Process = Process { wid: false, pgid: 5 };
const LIMIT: Duration = Duration::from_us(1_000);

/// Bytes of each transfer, and offsets: destination of BOTF, source of RVS, destination of RVS.
const BYTES: usize = 64;
const BY_BOTF: u32 = 0x1000;
const OWN: u32 = 0x2000;
const BY_RVS: u32 = 0x3000;

fn cluster(nodes: usize) -> Cluster {
    let board = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    Cluster::with_switch((0..nodes).map(|_| board()).collect(), &Settings::default())
}

/// Node n has CLID n + 1, the LID of that CLID on its pins, and no other node has that LID.
fn check_lids(cluster: &Cluster) {
    let mut lids = BTreeSet::new();
    for (n, node) in cluster.nodes().iter().enumerate() {
        let clid = n as u16 + 1;
        let own = node.pins().network.sma_lid;
        assert_eq!((own, own, lid_to_clid(own)), (clid_to_lid(clid), lid(n), clid), "node {n}");
        assert!(lids.insert(own), "node {n} is not alone with LID {own:#06x}");
    }
}

/// Data for a node, different for each node and primitive.
fn data(node: usize, seed: u64) -> Vec<u8> {
    let mut random = hdl::Stimulus::new(seed << 32 | node as u64);
    (0..BYTES).map(|_| random.word() as u8).collect()
}

/// Sends from one node to others, by BOTF and by RVS, and checks the data there.
fn check_transfers(cluster: &mut Cluster, from: usize, targets: &'static [usize]) {
    cluster.node_mut(from).side_mut().poke_memory(OWN.into(), &data(from, 2));
    cluster.spawn(from, "sends", move |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        assert_eq!(board.lid(), lid(from));
        host.compute(Duration::from_us(5)).await;
        for &target in targets {
            let peer = Peer { lid: lid(target), wid: false };
            let destination = Destination::SoDimm(BY_BOTF);
            let packet = Packet { peer, swid: false, destination, status: true, tag: 0 };
            board.send_packet(0, &packet, &data(target, 1)).await.expect("it fits");
            let side = |offset| Source::Contiguous { offset, size: BYTES as u32 };
            board.rvs(peer, side(OWN), side(BY_RVS), Memory::SoDimm, true).await;
        }
    });
    let senders: Vec<_> = targets
        .iter()
        .map(|&target| {
            cluster.spawn(target, "receives", |host| async move {
                let mut board = Board::initialise(host, PROCESS).await;
                [board.next_status().await.0.sclid, board.next_status().await.0.sclid]
            })
        })
        .collect();
    cluster.run(LIMIT).unwrap();
    for sender in senders {
        assert_eq!(sender.take(), Some([from as u16 + 1; 2]));
    }
    for (n, node) in cluster.nodes().iter().enumerate() {
        let there = |offset: u32| node.side().peek_memory(offset.into(), BYTES);
        if targets.contains(&n) {
            assert!((there(BY_BOTF), there(BY_RVS)) == (data(n, 1), data(from, 2)), "node {n}");
        } else {
            assert!((there(BY_BOTF), there(BY_RVS)) == (vec![0; BYTES], vec![0; BYTES]), "node {n}");
        }
    }
}

#[test]
fn lids_beyond_255_belong_to_clids() {
    for nodes in [255, 256] {
        check_lids(&cluster(nodes));
    }
    assert_eq!([254, 255, 256].map(lid), [0x00ff, 0x1000, 0x1001]);
}

#[test]
fn botf_and_rvs_come_to_the_right_of_257_nodes() {
    let mut cluster = cluster(257);
    check_lids(&cluster);
    check_transfers(&mut cluster, 3, &[254, 255, 256]);
}

#[test]
fn botf_and_rvs_come_to_the_last_of_3071_nodes() {
    let mut cluster = cluster(3071);
    check_lids(&cluster);
    check_transfers(&mut cluster, 254, &[255, 3070]);
}

#[test]
fn node_3072_is_refused() {
    let refused = Cluster::new(Topology::star(3072), Vec::new(), &Settings::default()).err();
    assert_eq!(refused, Some(TopologyError::TooMany { machine: "DIMMnet-2", most: 3071, nodes: 3072 }));
    assert_eq!(refused.unwrap().to_string(), "DIMMnet-2 has addresses for 3071 nodes, not for 3072");
}
