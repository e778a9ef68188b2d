use cluster::{Duration, Event, Place, Stages, Watch, WatchError};
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::{Board, Process};

use crate::stand_in::{COMMAND_CYCLES, cluster};

const PROCESS: Process = Process { wid: false, pgid: 5 };

#[test]
fn one_way_latency_is_the_sum_of_its_stages() {
    let mut cluster = cluster(2);
    cluster.observe();
    let watch = |mark, name| Watch { mark, path: "core", name, predicate: Box::new(|words| words[0] != 0) };
    cluster.node_mut(0).watch(watch("command in", "countdown")).unwrap();
    cluster.node_mut(1).watch(watch("status written", "status_tail")).unwrap();
    cluster.spawn(0, "send", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        host.mark("start");
        let peer = Peer { lid: 2, wid: false };
        let destination = Destination::PrefetchWindow(0);
        let packet = Packet { peer, swid: false, destination, status: true, tag: 0 };
        board.send_packet(0, &packet, &[7; 8]).await.unwrap();
    });
    cluster.spawn(1, "receive", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        board.next_status().await;
        assert_eq!(board.read_prefetch_window(0, 8).await, [7; 8]);
    });
    cluster.run(Duration::from_us(100)).unwrap();

    let observations = cluster.observations();
    let (sender, receiver) = (Place::Node(0), Place::Node(1));
    let is = |wanted: Event| move |event: Event| event == wanted;
    let stages = Stages::begin(&observations, sender, is(Event::Mark("start")))
        .and_then(|s| s.until("host write", "", sender, is(Event::Mark("image written"))))
        .and_then(|s| s.until("command", "", sender, is(Event::Beat { address: 0x4_0000, write: true })))
        .and_then(|s| s.until("accept", "", sender, is(Event::Watch("command in"))))
        .and_then(|s| s.until("core", "", sender, is(Event::TransmitFirst)))
        .and_then(|s| s.until("frame", "", sender, is(Event::TransmitLast)))
        .and_then(|s| s.until("link and switch", "", Place::Switch(1), is(Event::SwitchLastOut)))
        .and_then(|s| s.until("link", "", receiver, is(Event::ReceiveLast)))
        .and_then(|s| s.until("receive", "", receiver, is(Event::Watch("status written"))))
        .and_then(|s| s.until("poll", "", receiver, is(Event::Mark("status seen"))))
        .and_then(|s| s.until("status", "", receiver, is(Event::Mark("status read"))))
        .and_then(|s| s.until("data", "", receiver, is(Event::Mark("data read"))))
        .unwrap();
    let of = |name| stages.stages().iter().find(|stage| stage.name == name).unwrap().duration;
    assert_eq!(stages.stages().iter().map(|stage| stage.duration).sum::<Duration>(), stages.total());
    assert_eq!(of("accept"), Duration::ZERO);
    assert!(of("core") >= Duration::from_ns(COMMAND_CYCLES * 10));
    // A frame of four lines: LRH, two header lines, one of data. The line taken last leaves the switch after the
    // flight on the cable and the cut-through.
    assert_eq!(of("frame"), Duration::from_ns(3 * 8));
    assert_eq!(of("link and switch"), Duration::from_ns(10 + 385));
    assert!(of("link") >= Duration::from_ns(8 + 10) && of("link") <= Duration::from_ns(8 + 10 + 16));
    assert!(of("poll") >= Duration::from_ns(80) && of("poll") <= Duration::from_ns(2 * 191));
}

#[test]
fn watch_of_an_unknown_signal_is_an_error() {
    let mut cluster = cluster(1);
    let watch = Watch { mark: "x", path: "core.nowhere", name: "state", predicate: Box::new(|_| true) };
    let error = cluster.node_mut(0).watch(watch).unwrap_err();
    assert_eq!(error, WatchError::UnknownSignal("core.nowhere.state".to_string()));
}
