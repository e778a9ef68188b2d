use cluster::Duration;
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::stream::{receive_bytes, send_bytes};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{Cluster, Settings, Stalls};

use crate::stand_in::{board, cluster};

const LIMIT: Duration = Duration::from_us(5_000);
const PROCESS: Process = Process { wid: false, pgid: 5 };

fn peer(node: u16) -> Peer {
    Peer { lid: node + 1, wid: false }
}

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 251) as u8).collect()
}

fn carry(cluster: &mut Cluster, bytes: &[u8]) -> Vec<u8> {
    let sent = bytes.to_vec();
    let sender = cluster.spawn(0, "send", move |host| send_bytes(host, PROCESS, peer(1), sent));
    let receiver = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(0)));
    cluster.run(LIMIT).unwrap();
    sender.take().unwrap().unwrap();
    receiver.take().unwrap().unwrap()
}

#[test]
fn streams_of_every_kind_of_length_arrive() {
    for length in [0, 1, 7, 8, 9, 495, 496, 497, 992, 1984, 1985, 10_000] {
        let bytes = pattern(length);
        assert_eq!(carry(&mut cluster(2), &bytes), bytes, "{length} bytes");
    }
}

#[test]
fn stream_arrives_on_one_cable() {
    let bytes = pattern(5_000);
    assert_eq!(carry(&mut Cluster::back_to_back([board(), board()], &Settings::default()), &bytes), bytes);
}

#[test]
fn sender_waits_for_a_slow_receiver_and_overwrites_nothing() {
    let bytes = pattern(20 * 496);
    let mut cluster = cluster(2);
    let sent = bytes.clone();
    cluster.spawn(0, "send", move |host| send_bytes(host, PROCESS, peer(1), sent));
    let receiver = cluster.spawn(1, "receive", |host| async move {
        host.compute(Duration::from_us(100)).await;
        receive_bytes(host, PROCESS, peer(0)).await
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(receiver.take().unwrap().unwrap(), bytes);
}

#[test]
fn receiver_repeats_its_grant_until_a_late_sender_is_there() {
    let bytes = pattern(3_000);
    let mut cluster = cluster(2);
    let sent = bytes.clone();
    cluster.spawn(0, "send", move |host| async move {
        host.compute(Duration::from_us(100)).await;
        send_bytes(host, PROCESS, peer(1), sent).await
    });
    let receiver = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(0)));
    cluster.run(LIMIT).unwrap();
    assert_eq!(receiver.take().unwrap().unwrap(), bytes);
}

#[test]
fn window_is_not_written_before_its_botf_is_complete() {
    let mut cluster = cluster(2);
    cluster.spawn(1, "receive", |host| Board::initialise(host, PROCESS));
    cluster.spawn(0, "send", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        for number in 1..=3 {
            let destination = Destination::SoDimm(u32::from(number) * 0x40);
            let packet = Packet { peer: peer(1), swid: false, destination, status: false, tag: 0 };
            board.send_packet(2, &packet, &[number; 64]).await.unwrap();
        }
    });
    cluster.run(LIMIT).unwrap();
    cluster.drain(LIMIT).unwrap();
    for number in 1..=3 {
        assert_eq!(cluster.nodes()[1].side().peek_memory(u64::from(number) * 0x40, 64), [number; 64]);
    }
}

#[test]
fn streams_cross_in_a_ring_of_nodes() {
    let mut cluster = cluster(4);
    let mut received = Vec::new();
    for node in 0..4 {
        // Nodes 0 and 2 send, to 1 and 3.
        let (to, from) = (peer(node ^ 1), peer(node ^ 1));
        if node % 2 == 0 {
            let bytes = pattern(2_000 + usize::from(node));
            cluster.spawn(usize::from(node), "send", move |host| send_bytes(host, PROCESS, to, bytes));
        } else {
            received.push(
                cluster.spawn(usize::from(node), "receive", move |host| receive_bytes(host, PROCESS, from)),
            );
        }
    }
    cluster.run(LIMIT).unwrap();
    let received: Vec<_> = received.iter().map(|output| output.take().unwrap().unwrap()).collect();
    assert_eq!(received, [pattern(2_000), pattern(2_002)]);
}

#[test]
fn packet_reaches_remote_memory_past_refresh_and_stalls() {
    let mut cluster = cluster(2);
    for module in cluster.node_mut(1).side_mut().memories_mut() {
        module.set_stalls(Some(Stalls { seed: 3, in_256: 128 }));
    }
    let data = pattern(496);
    let sent = data.clone();
    cluster.spawn(0, "send", move |host| async move {
        host.compute(Duration::from_us(20)).await;
        let mut board = Board::initialise(host, PROCESS).await;
        let destination = Destination::SoDimm(0x1008);
        let packet = Packet { peer: peer(1), swid: false, destination, status: true, tag: 0 };
        board.send_packet(0, &packet, &sent).await.unwrap();
    });
    let status = cluster.spawn(1, "receive", |host| async move {
        Board::initialise(host, PROCESS).await.next_status().await
    });
    cluster.run(LIMIT).unwrap();
    cluster.drain(LIMIT).unwrap();
    let (lower, upper) = status.take().unwrap();
    assert_eq!((lower.sclid, lower.size_list_stride, upper.first_address), (1, 496, 0x1008));
    assert_eq!(cluster.nodes()[1].side().peek_memory(0x1008, 496), data);
    assert_eq!(cluster.switch_counters().unwrap().forwarded, 1);
}
