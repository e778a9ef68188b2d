use std::env;

use cluster::{Duration, Event, Fault, Fingerprint, Rates, Time};
use dimmnet2::Dimmnet2;
use dimmnet2::registers::SystemRegister;
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::messages::{Inbox, Ring};
use dimmnet2_machine::programs::stream::{receive_bytes, send_bytes};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Settings, TransportCounters};
use hdl::{Model, Stimulus};

const PROCESS: Process = Process { wid: false, pgid: 5 };
const LIMIT: Duration = Duration::from_us(1_000_000);

/// Schedules of random faults; `FAULT_SCHEDULES` asks for more.
fn schedules() -> u64 {
    env::var("FAULT_SCHEDULES").map_or(40, |count| count.parse().expect("FAULT_SCHEDULES is a number"))
}

fn model() -> Box<AnyNic> {
    Box::new(Model::new(Dimmnet2::default()))
}

fn cluster(nodes: usize) -> Cluster {
    Cluster::with_switch((0..nodes).map(|_| model()).collect(), &Settings::default())
}

fn peer(node: u16) -> Peer {
    Peer { lid: node + 1, wid: false }
}

fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Carries a stream from host 0 to host 1, and checks that no byte follows it.
fn carry(cluster: &mut Cluster, length: usize) -> (Time, Fingerprint) {
    let bytes = pattern(length);
    let sent = bytes.clone();
    cluster.spawn(0, "send", move |host| send_bytes(host, PROCESS, peer(1), sent));
    let received = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(0)));
    let end = cluster.run(LIMIT).unwrap_or_else(|error| panic!("{length} bytes: {error}"));
    assert!(received.take().unwrap().unwrap() == bytes, "{length} bytes");
    (end, cluster.fingerprint().unwrap())
}

fn counters(cluster: &Cluster, node: usize) -> TransportCounters {
    cluster.nodes()[node].side().transport().counters()
}

#[test]
fn retransmission_costs_no_picosecond_where_nothing_is_lost() {
    let with = carry(&mut cluster(2), 20_000);
    assert_eq!(
        with,
        carry(&mut Cluster::with_switch(vec![model(), model()], &Settings::without_retransmission()), 20_000)
    );
}

#[test]
fn streams_come_whole_and_in_order_over_random_faults() {
    let mut struck = 0;
    for seed in 0..schedules() {
        let mut random = Stimulus::new(seed);
        let mut cluster = cluster(2);
        for link in cluster.links_mut() {
            let rates = Rates::one_in(3 + random.below(20) as u32);
            link.faults_mut().strike(rates, random.word());
        }
        carry(&mut cluster, random.below(3_000) as usize);
        cluster.drain(LIMIT).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        for (to, from) in [(0, 1), (1, 0)] {
            assert_eq!(counters(&cluster, to).received, counters(&cluster, from).sent, "seed {seed}");
        }
        struck += cluster.links_mut().iter().map(|link| link.faults().struck().len()).sum::<usize>();
    }
    assert!(struck as u64 > schedules(), "{struck} frames were struck");
}

/// Injects a fault into the first frame of a link, and sends packets with 24 bytes of data from node 0 to node 1.
fn strike(link: usize, fault: Fault, packets: u32) -> Cluster {
    let mut cluster = cluster(2);
    cluster.node_mut(0).observe();
    cluster.links_mut()[link].faults_mut().add(fault);
    cluster.spawn(0, "send", |host| async move {
        host.compute(Duration::from_us(5)).await;
        let mut board = Board::initialise(host, PROCESS).await;
        for number in 0..packets {
            let destination = Destination::SoDimm(24 * number);
            let packet = Packet { peer: peer(1), swid: false, destination, status: true, tag: 0 };
            board.send_packet(number as u8, &packet, &pattern(24)).await.unwrap();
        }
    });
    let statuses = cluster.spawn(1, "receive", move |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        let mut addresses = vec![];
        while let Some((_, upper)) = board.next_status_within(2_000).await {
            addresses.push(upper.first_address);
        }
        addresses
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(statuses.take().unwrap(), (0..packets).map(|number| 24 * number).collect::<Vec<_>>());
    for number in 0..packets {
        assert_eq!(cluster.nodes()[1].side().peek_memory(24 * u64::from(number), 24), pattern(24));
    }
    assert_eq!(cluster.links_mut()[link].faults().struck(), [fault]);
    cluster
}

#[test]
fn packet_that_a_fault_struck_is_sent_again_after_the_timeout() {
    for fault in [Fault::Drop, Fault::Cut(3), Fault::Corrupt(3 * 64 + 9)] {
        for link in [0, 3] {
            let cluster = strike(link, fault, 1);
            let time = |event| {
                let observed = cluster.nodes()[0].observations();
                observed.iter().find(|o| o.event == event).unwrap_or_else(|| panic!("{event:?}")).time
            };
            // The timeout counts from the end of the frame to the next edge of the network clock.
            let waited = time(Event::TransmitAgain) - time(Event::TransmitLast);
            assert!((65_536..65_560).contains(&(waited.ps() / 1_000)), "{waited}");
            let expected = TransportCounters { sent: 1, resent: 1, timeouts: 1, ..Default::default() };
            assert_eq!(counters(&cluster, 0), expected);
        }
    }
}

#[test]
fn packet_whose_acknowledge_is_lost_is_not_received_twice() {
    for link in [1, 2] {
        let cluster = strike(link, Fault::Drop, 1);
        assert_eq!(counters(&cluster, 1), TransportCounters { received: 1, again: 1, ..Default::default() });
    }
}

#[test]
fn missing_packet_is_asked_for_when_the_next_one_comes() {
    let cluster = strike(0, Fault::Drop, 3);
    // All three frames, because the third had left when the first was reported missing.
    assert_eq!(counters(&cluster, 0), TransportCounters { sent: 3, resent: 3, ..Default::default() });
    assert_eq!(counters(&cluster, 1), TransportCounters { received: 3, early: 2, ..Default::default() });
}

#[test]
fn board_is_told_of_a_silent_peer_and_of_its_return() {
    let mut cluster = cluster(2);
    cluster.links_mut()[0].faults_mut().strike(Rates { loss: 1_000_000, ..Rates::default() }, 0);
    cluster.spawn(0, "send", |host| send_bytes(host, PROCESS, peer(1), pattern(8)));
    let received = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(0)));
    let status = |cluster: &mut Cluster| {
        let status = cluster.spawn(0, "look", |host| async move {
            host.load_uc(Board::system(SystemRegister::SmaLid)).await >> 16 & 3
        });
        let soon = cluster.now() + Duration::from_us(10);
        cluster.run_until(soon).unwrap();
        status.take().unwrap()
    };
    assert_eq!(status(&mut cluster), 0b11);
    cluster.run_until(Time::ZERO + Duration::from_us(10_000)).unwrap();
    assert_eq!(status(&mut cluster), 0b01);
    assert!(counters(&cluster, 0).timeouts > 7);
    cluster.links_mut()[0].faults_mut().clear();
    cluster.run(LIMIT).unwrap();
    assert_eq!(received.take().unwrap().unwrap(), pattern(8));
    assert_eq!(status(&mut cluster), 0b11);
}

#[test]
fn frame_that_controller_reset_cuts_leaves_the_switch_free() {
    let mut cluster = cluster(3);
    // The reset falls into the frame of a long packet.
    cluster.node_mut(0).observe();
    cluster.spawn(0, "send", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        let packet =
            Packet { peer: peer(1), swid: false, destination: Destination::SoDimm(0), status: false, tag: 0 };
        board.send_packet(0, &packet, &pattern(496)).await.unwrap();
    });
    while !cluster.nodes()[0].observations().iter().any(|o| o.event == Event::TransmitFirst) {
        assert!(cluster.step(Time::ZERO + LIMIT).unwrap());
    }
    cluster.spawn(0, "reset", |host| async move {
        host.store_uc(Board::system(SystemRegister::ControllerReset), 1).await;
    });
    let soon = cluster.now() + Duration::from_us(3);
    cluster.run_until(soon).unwrap();
    let observed = cluster.nodes()[0].observations();
    assert!(!observed.iter().any(|o| o.event == Event::TransmitLast), "the frame was cut");
    cluster.spawn(2, "send", |host| send_bytes(host, PROCESS, peer(1), pattern(100)));
    let received = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(2)));
    cluster.run(LIMIT).unwrap();
    assert_eq!(received.take().unwrap().unwrap(), pattern(100));
}

#[test]
fn messages_wait_in_the_network_for_a_receiver_with_a_full_ring() {
    const MESSAGES: usize = 400;
    let message = |number: usize| -> Vec<u8> { (0..488).map(|i| (number * 31 + i * 7) as u8).collect() };
    let mut cluster = cluster(2);
    cluster.spawn(0, "send", move |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(20)).await;
        let packet =
            Packet { peer: peer(1), swid: false, destination: Destination::Ring, status: false, tag: 0 };
        for number in 0..MESSAGES {
            board.send_packet(number as u8 % 4, &packet, &message(number)).await.unwrap();
        }
    });
    let received = cluster.spawn(1, "receive", move |host| async move {
        let board = Board::initialise(host.clone(), PROCESS).await;
        let ring = Ring { sender: peer(0), entry: 0x808, base: 0x10_0000 };
        let mut inbox = Inbox::open(&board, 1, &[ring]).await;
        host.compute(Duration::from_us(20_000)).await;
        let mut messages = vec![];
        for _ in 0..MESSAGES {
            messages.push(inbox.take(&board, 0, 488).await);
        }
        messages
    });
    cluster.run(LIMIT).unwrap();
    let expected: Vec<_> = (0..MESSAGES).map(message).collect();
    assert!(received.take().unwrap() == expected);
    assert!(counters(&cluster, 0).timeouts > 0, "some waited longer than the timeout");
}
