use cluster::{Duration, RunError, Waiting};
use dimmnet2::Dimmnet2;
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::stream::{receive_bytes, send_bytes};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use hdl::Model;

use crate::stand_in::{StandIn, board, cluster};

const PROCESS: Process = Process { wid: false, pgid: 5 };

#[test]
fn program_that_never_ends_is_reported_with_what_it_waits_for() {
    let mut cluster = cluster(2);
    // No node sends to node 0: its sender waits for a grant, and node 1 for a stream.
    cluster.spawn(0, "send", |host| send_bytes(host, PROCESS, Peer { lid: 2, wid: false }, vec![1; 10]));
    let error = cluster.run(Duration::from_us(50)).unwrap_err();
    let RunError::Limit { waiting, .. } = &error else { panic!("{error}") };
    assert_eq!(waiting[0].waiting, Waiting::Poll("a grant", 0x2_1000));
    let text = error.to_string();
    assert!(text.starts_with(
        "the limit of 50.000000 us was reached; `send` on node 0 waits for a grant, polling 0x21000 since "
    ));
}

#[test]
fn group_that_differs_never_receives() {
    let mut cluster = cluster(2);
    let other = Process { pgid: 6, ..PROCESS };
    cluster.spawn(0, "send", |host| send_bytes(host, PROCESS, Peer { lid: 2, wid: false }, vec![1; 10]));
    cluster.spawn(1, "receive", move |host| receive_bytes(host, other, Peer { lid: 1, wid: false }));
    let error = cluster.run(Duration::from_us(200)).unwrap_err();
    let RunError::Limit { waiting, .. } = error else { panic!("{error}") };
    assert_eq!(waiting.len(), 2);
}

#[test]
fn program_that_waits_outside_virtual_time_is_stalled() {
    let mut cluster = cluster(1);
    cluster.spawn::<_, ()>(0, "stuck", |_| std::future::pending());
    let error = cluster.run(Duration::from_us(50)).unwrap_err();
    assert!(matches!(error, RunError::Stalled { .. }), "{error}");
}

#[test]
fn device_that_stops_ends_the_run() {
    let failing = Box::new(StandIn::new().failing());
    let mut cluster = Cluster::with_switch(vec![board(), failing], &Settings::default());
    cluster.spawn(1, "initialise", |host| async move {
        Board::initialise(host, PROCESS).await;
    });
    let error = cluster.run(Duration::from_us(50)).unwrap_err();
    // The first beat is on the pins at 210 ns, and the edge that takes it comes 10 ns later.
    assert_eq!(error.to_string(), "the device of node 1 stopped at 0.220000 us: model and RTL differ");
}

#[test]
fn stranger_in_the_ring_of_statuses_is_an_error() {
    let mut cluster = cluster(3);
    // Node 2 expects node 0, but node 1 has heard its grants.
    cluster.spawn(1, "send", |host| send_bytes(host, PROCESS, Peer { lid: 3, wid: false }, vec![1; 10]));
    let output = cluster.spawn(2, "receive", |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        let open =
            dimmnet2_machine::programs::stream::Receiver::open(&mut board, Peer { lid: 2, wid: false });
        open.await.unwrap();
        let mut expects =
            dimmnet2_machine::programs::stream::Receiver::open(&mut board, Peer { lid: 1, wid: false })
                .await
                .unwrap();
        expects.receive(&mut board).await
    });
    cluster.run(Duration::from_us(200)).unwrap();
    let error = output.take().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "a packet of type 0x14 came from CLID 0x002, WID 0, into 0x0");
}

#[test]
fn receiver_that_takes_no_statuses_stops_its_sender() {
    const PACKETS: u64 = 400;
    let model = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    let mut cluster = Cluster::with_switch(vec![model(), model()], &Settings::default());
    cluster.spawn(0, "send", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(20)).await;
        let peer = Peer { lid: 2, wid: false };
        let destination = Destination::SoDimm(0);
        let packet = Packet { peer, swid: false, destination, status: true, tag: 0 };
        for n in 0..PACKETS {
            board.send_packet(n as u8 % 4, &packet, &[n as u8; 496]).await.unwrap();
        }
    });
    let taken = cluster.spawn(1, "sleep", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(2_000)).await;
        for _ in 0..PACKETS {
            board.next_status().await;
        }
    });
    // 63 statuses fill the ring. Later packets wait in boards and switch, until there is room.
    let Err(RunError::Limit { waiting, .. }) = cluster.run(Duration::from_us(1_500)) else {
        panic!("the sender cannot be done")
    };
    assert!(matches!(waiting[0].waiting, Waiting::Poll("a Write Window", _)), "{waiting:?}");
    cluster.run(Duration::from_us(5_000)).unwrap();
    assert!(taken.take().is_some());
}
