use cluster::programs::botf::{Destination, Packet, Peer};
use cluster::programs::stream::{receive_bytes, send_bytes};
use cluster::programs::{Board, Process};
use cluster::{AnyNic, Cluster, Duration, Event, Fingerprint, Host, Place, Stages, Time, Watch};
use dimmnet2::Dimmnet2;
use hdl::Model;

const PROCESS: Process = Process { wid: false, pgid: 5 };
const LIMIT: Duration = Duration::from_us(5_000);

fn model() -> Box<AnyNic> {
    Box::new(Model::new(Dimmnet2::default()))
}

fn cluster() -> Cluster {
    Cluster::with_switch(vec![model(), model()])
}

fn peer(node: usize) -> Peer {
    Peer { lid: node as u16 + 1, wid: false }
}

fn packet(to: usize, destination: Destination) -> Packet {
    Packet { peer: peer(to), swid: false, destination, status: true, tag: 0 }
}

fn carry(mut cluster: Cluster, length: usize) -> (Time, Fingerprint) {
    let bytes: Vec<u8> = (0..length).map(|i| (i * 7 + i / 251) as u8).collect();
    let sent = bytes.clone();
    let sender = cluster.spawn(0, "send", move |host| send_bytes(host, PROCESS, peer(1), sent));
    let receiver = cluster.spawn(1, "receive", |host| receive_bytes(host, PROCESS, peer(0)));
    let end = cluster.run(LIMIT).unwrap_or_else(|error| panic!("{length} bytes: {error}"));
    sender.take().unwrap().unwrap();
    assert!(receiver.take().unwrap().unwrap() == bytes, "{length} bytes");
    (end, cluster.fingerprint().unwrap())
}

#[test]
fn streams_of_every_kind_of_length_arrive() {
    for length in [0, 1, 8, 495, 496, 497, 1985, 20_000] {
        carry(cluster(), length);
    }
}

#[test]
fn skipped_stretches_leave_no_trace() {
    let mut ticking = cluster();
    ticking.set_skipping(false);
    // Long enough for a sample on the way.
    assert_eq!(carry(cluster(), 30_000), carry(ticking, 30_000));
}

/// Half of a round trip of 8 bytes; each side looks for the status and answers.
fn half_round_trip(destination: Destination) -> u64 {
    const TURNS: u8 = 20;
    let mut cluster = cluster();
    let program = move |me: usize| {
        move |host: Host| async move {
            let mut board = Board::initialise(host.clone(), PROCESS).await;
            host.compute(Duration::from_us(if me == 0 { 5 } else { 1 })).await;
            let start = host.now();
            for turn in 0..TURNS {
                if me == 1 {
                    board.next_status().await;
                }
                board.send_packet(turn % 4, &packet(1 - me, destination), &[turn; 8]).await.unwrap();
                if me == 0 {
                    board.next_status().await;
                }
            }
            host.now() - start
        }
    };
    let first = cluster.spawn(0, "first", program(0));
    cluster.spawn(1, "second", program(1));
    cluster.run(LIMIT).unwrap();
    first.take().unwrap().ps() / (2 * u64::from(TURNS))
}

#[test]
fn half_round_trip_is_within_a_tenth_of_the_published_one() {
    // Thesis section 6.2: about 1.76 us into the Prefetch Window, about 1.82 us into SO-DIMM.
    for (destination, published) in
        [(Destination::PrefetchWindow(0), 1_760_000), (Destination::SoDimm(0x100), 1_820_000)]
    {
        let took = half_round_trip(destination);
        let off = took.abs_diff(published);
        assert!(off < published / 10, "{destination:?}: {took} ps, published about {published} ps");
    }
}

#[test]
fn one_way_latency_falls_into_stages_of_the_device() {
    let mut cluster = cluster();
    cluster.observe();
    let path = "core_logic.status_write_unit";
    let watch =
        Watch { mark: "status written", path, name: "next_write0", predicate: Box::new(|w| w[0] != 0) };
    cluster.node_mut(1).watch(watch).unwrap();
    cluster.spawn(0, "send", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        board.send_packet(0, &packet(1, Destination::PrefetchWindow(0)), &[7; 8]).await.unwrap();
    });
    cluster.spawn(1, "receive", |host| async move {
        Board::initialise(host, PROCESS).await.next_status().await;
    });
    cluster.run(LIMIT).unwrap();
    let observations = cluster.observations();
    let (sender, receiver) = (Place::Node(0), Place::Node(1));
    let is = |wanted: Event| move |event: Event| event == wanted;
    let stages = Stages::begin(&observations, sender, is(Event::Mark("window free")))
        .and_then(|s| s.until("host write", sender, is(Event::Mark("image written"))))
        .and_then(|s| s.until("command", sender, is(Event::Beat { address: 0x4_0000, write: true })))
        .and_then(|s| s.until("core and SWIF", sender, is(Event::TransmitFirst)))
        .and_then(|s| s.until("frame", sender, is(Event::TransmitLast)))
        .and_then(|s| s.until("link and switch", Place::Switch(1), is(Event::SwitchLastOut)))
        .and_then(|s| s.until("link", receiver, is(Event::ReceiveLast)))
        .and_then(|s| s.until("receive", receiver, is(Event::Watch("status written"))))
        .and_then(|s| s.until("poll", receiver, is(Event::Mark("status seen"))))
        .unwrap();
    let of = |name| stages.stages().iter().find(|stage| stage.name == name).unwrap().duration;
    // LRH, two lines of BTH, two header lines, one of data.
    assert_eq!(of("frame"), Duration::from_ns(5 * 8));
    assert_eq!(of("link and switch"), Duration::from_ns(10 + 385));
    // 0.100 us in the Core Logic (thesis section 6.2), and SWIF.
    assert!(of("core and SWIF") > Duration::from_ns(100) && of("core and SWIF") < Duration::from_ns(200));
    assert_eq!(stages.stages().iter().map(|stage| stage.duration).sum::<Duration>(), stages.total());
}
