use cluster::Duration;
use cluster::Rates;
use gigae_pm::registers::Register;
use gigae_pm_machine::measure::period;
use gigae_pm_machine::tcp::measure::{round_trips, stream};
use gigae_pm_machine::tcp::{ConnectError, StreamError, Tcp, TcpStream};
use gigae_pm_machine::{Cluster, Programs, Settings};
use pm::programs::{message, ping, pong};
use pm::{Endpoint, NodeId};

use super::{CHANNEL, cable, switched};

const PORT: u16 = 7;
const LIMIT: Duration = Duration::from_us(5_000_000);

/// Bytes of a stream.
fn bytes(from: u16, count: usize) -> Vec<u8> {
    message(NodeId(from), 7, count)
}

async fn connect(tcp: &Tcp) -> TcpStream {
    tcp.connect(NodeId(1), PORT).await.expect("somebody listens")
}

async fn accept(tcp: &Tcp) -> TcpStream {
    tcp.listen(PORT, 4).await.expect("the port is free").accept().await
}

/// Sends bytes in pieces of many sizes and closes the sending side.
async fn write_all(stream: &mut TcpStream, bytes: &[u8]) {
    let (mut rest, mut piece) = (bytes, 1);
    while !rest.is_empty() {
        let (now, after) = rest.split_at(piece.min(rest.len()));
        stream.write(now).await.expect("the peer reads");
        (rest, piece) = (after, piece * 5 % 4_093);
    }
    stream.shut_down().await;
}

/// Reads all bytes to the end.
async fn read_all(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let piece = stream.read(3_000).await.expect("the peer writes");
        if piece.is_empty() {
            return all;
        }
        all.extend(piece);
    }
}

/// Sends a stream of `count` bytes there and then back.
fn there_and_back(cluster: &mut Cluster, count: usize) {
    let client = cluster.spawn_tcp(0, "client", move |tcp| async move {
        let mut stream = connect(&tcp).await;
        write_all(&mut stream, &bytes(0, count)).await;
        read_all(&mut stream).await
    });
    let server = cluster.spawn_tcp(1, "server", move |tcp| async move {
        let mut stream = accept(&tcp).await;
        let got = read_all(&mut stream).await;
        write_all(&mut stream, &bytes(1, count)).await;
        got
    });
    cluster.run(LIMIT).expect("both programs end");
    assert!(server.take() == Some(bytes(0, count)), "what the client wrote");
    assert!(client.take() == Some(bytes(1, count)), "what the server wrote");
}

#[test]
fn stream_arrives_whole_and_in_order() {
    for settings in [Settings::default(), Settings::default().essential()] {
        there_and_back(&mut cable(&settings), 100_000);
    }
}

#[test]
fn stream_arrives_whole_and_in_order_whatever_befalls_frames() {
    let mut cluster = switched(2, &Settings::default());
    let faults = Rates {
        loss: 10_000,
        duplication: 20_000,
        reordering: 20_000,
        corruption: 10_000,
        ..Rates::default()
    };
    cluster.set_faults(faults, 3);
    there_and_back(&mut cluster, 60_000);
    let struck = (0..2).map(|node| cluster.link_from(node).faults().counters().struck());
    assert!(struck.sum::<u64>() > 3);
}

#[test]
fn several_connections_share_a_host() {
    let mut cluster = switched(3, &Settings::default());
    let server = cluster.spawn_tcp(1, "server", |tcp| async move {
        let mut listener = tcp.listen(PORT, 4).await.expect("the port is free");
        let mut got = Vec::new();
        for _ in 0..4 {
            let mut stream = listener.accept().await;
            got.push(stream.read_exact(5_000).await.expect("the peer writes"));
        }
        got.sort();
        got
    });
    let clients = [0, 0, 2, 2].map(|node| {
        cluster.spawn_tcp(node, "client", move |tcp| async move {
            let mut stream = connect(&tcp).await;
            stream.write(&bytes(node as u16, 5_000)).await
        })
    });
    cluster.run(LIMIT).expect("all programs end");
    assert!(clients.iter().all(|client| client.take() == Some(Ok(()))));
    let mut sent = [0, 0, 2, 2].map(|node| bytes(node as u16, 5_000)).to_vec();
    sent.sort();
    assert!(server.take() == Some(sent));
}

#[test]
fn messages_of_pm_and_a_stream_pass_each_other_on_one_card() {
    let mut cluster = switched(2, &Settings::default());
    let ping = cluster.spawn(0, "ping", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        ping(&mut port, CHANNEL, NodeId(1), 1_000, 60, |_| ()).await
    });
    let pong = cluster.spawn(1, "pong", |mut port| async move {
        port.open(CHANNEL, 1).await.expect("the channel is free");
        pong(&mut port, CHANNEL, NodeId(0), 1_000, 60).await
    });
    there_and_back(&mut cluster, 50_000);
    assert_eq!((ping.take(), pong.take()), (Some(Ok(())), Some(Ok(()))));
}

#[test]
fn connection_to_nobody_is_an_error() {
    let mut cluster = switched(3, &Settings::default());
    // A host without any program of TCP/IP is not up; one whose programs do not listen refuses.
    let silent = cluster.spawn_tcp(1, "silent", |tcp| async move {
        tcp.host().processor().compute(Duration::from_us(500)).await;
    });
    let client = cluster.spawn_tcp(0, "client", |tcp| async move {
        let mut errors = Vec::new();
        for (node, port) in [(0, 7), (3, 7), (1, 0), (1, 7)] {
            errors.push(tcp.connect(NodeId(node), port).await.err());
        }
        errors
    });
    cluster.run(LIMIT).expect("both programs end");
    assert_eq!(silent.take(), Some(()));
    let errors = [
        ConnectError::NoSuchNode(0),
        ConnectError::NoSuchNode(3),
        ConnectError::NoSuchPort,
        ConnectError::Refused,
    ];
    assert_eq!(client.take(), Some(errors.map(Some).to_vec()));
}

#[test]
fn connection_to_a_host_that_is_down_times_out() {
    let mut cluster = cable(&Settings::default());
    let client =
        cluster.spawn_tcp(0, "client", |tcp| async move { tcp.connect(NodeId(1), PORT).await.err() });
    cluster.run(LIMIT).expect("the program ends");
    assert_eq!(client.take(), Some(Some(ConnectError::Refused)));
}

#[test]
fn stream_whose_reader_goes_ends_for_the_writer() {
    let mut cluster = cable(&Settings::default());
    let writer = cluster.spawn_tcp(0, "writer", |tcp| async move {
        let mut stream = connect(&tcp).await;
        loop {
            if let Err(error) = stream.write(&[1; 1_000]).await {
                return error;
            }
        }
    });
    cluster.spawn_tcp(1, "reader", |tcp| async move {
        let mut stream = accept(&tcp).await;
        stream.read_exact(10_000).await.expect("the peer writes");
    });
    cluster.run(LIMIT).expect("both programs end");
    assert_eq!(writer.take(), Some(StreamError::Closed));
}

fn close(ours: f64, published: f64, percent: f64) {
    let error = 100.0 * (ours / published - 1.0);
    assert!(error.abs() < percent, "{ours}, the paper measured {published}: {error:+.1} %");
}

#[test]
fn round_trips_are_the_published_ones() {
    let trip = |settings: Settings, size| {
        period(&round_trips(&mut switched(2, &settings), size, 60).expect("both programs end"))
    };
    close(trip(Settings::default(), 4), 131.4, 1.0);
    close(trip(Settings::default().essential(), 4), 414.0, 1.0);
    close(trip(Settings::default().essential(), 1_280), 400.0, 5.0);
}

#[test]
fn bandwidth_of_1280_bytes_is_the_published_one() {
    let time = stream(&mut switched(2, &Settings::default().essential()), 1_280, 200, 1_500)
        .expect("both programs end");
    close(1_280.0 * 1_500.0 / (time.ps() as f64 / 1e6), 33.0, 5.0);
}

#[test]
fn frames_that_come_together_interrupt_once() {
    let mut cluster = switched(2, &Settings::default().essential());
    stream(&mut cluster, 1_280, 0, 200).expect("both programs end");
    let counters = cluster.spawn_kernel(1, "counters", |host, driver| async move {
        driver.register(&host, Register::Discarded).await
    });
    cluster.run(LIMIT).expect("the program ends");
    assert_eq!(counters.take(), Some(0), "the ring has room for what comes in a delay");
}

#[test]
fn same_streams_have_the_same_fingerprint_and_others_have_not() {
    let fingerprint = |count| {
        let mut cluster = switched(2, &Settings::default().essential());
        there_and_back(&mut cluster, count);
        cluster.fingerprint().unwrap()
    };
    assert_eq!(fingerprint(3_000), fingerprint(3_000));
    assert_ne!(fingerprint(3_000), fingerprint(3_001));
}

#[test]
fn skipped_stretches_leave_no_trace() {
    let run = |settings, skipping| {
        let mut cluster = switched(2, &settings);
        cluster.set_skipping(skipping);
        cluster.observe();
        there_and_back(&mut cluster, 20_000);
        (cluster.now(), cluster.fingerprint().unwrap(), cluster.observations())
    };
    for settings in [Settings::default(), Settings::default().essential()] {
        let (skipped, walked) = (run(settings, true), run(settings, false));
        let differs = skipped.2.iter().zip(&walked.2).find(|(a, b)| a != b);
        assert!(skipped == walked, "{:?} and {:?}; {differs:?}", skipped.0, walked.0);
    }
}
