use cluster::{Duration, Fingerprint, Rates, SwitchCounters, Time, Topology, run};
use dimmnet2::Dimmnet2;
use dimmnet2_machine::programs::botf::Peer;
use dimmnet2_machine::programs::remote::Memory;
use dimmnet2_machine::programs::vl::Source;
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{Cluster, Settings};
use hdl::Model;

const NODES: usize = 48;
const PROCESS: Process = Process { wid: false, pgid: 5 };

/// Nodes that send to node 0.
struct Scene {
    senders: &'static [usize],
    settings: Settings,
    /// Frames of a million that the link to node 0 loses.
    loss: u32,
    /// Time at which the program of node 0 ends.
    receiver: Duration,
}

/// End, fingerprint, and counters of links and switch ports.
type Seen = (Time, Fingerprint, Vec<(Duration, SwitchCounters)>);

impl Scene {
    fn on<F: Future<Output = ()> + 'static>(&self, threads: usize, sender: fn(Board) -> F) -> Seen {
        let begin = |part: &mut Cluster| {
            let (here, receiver) = (part.here(), self.receiver);
            if here.contains(&0) {
                part.link_to_mut(0).faults_mut().strike(Rates { loss: self.loss, ..Rates::default() }, 1);
                part.spawn(0, "receiver", move |host| async move {
                    Board::initialise(host.clone(), PROCESS).await;
                    host.compute(receiver).await;
                });
            }
            for node in self.senders.iter().filter(|node| here.contains(node)) {
                part.spawn(*node, "sender", move |host| async move {
                    sender(Board::initialise(host, PROCESS).await).await;
                });
            }
        };
        let end = |part: &mut Cluster, ()| {
            let busy: Vec<_> = part.here().map(|node| part.link_to(node).busy()).collect();
            busy.into_iter().zip(part.port_counters()).collect::<Vec<_>>()
        };
        let (topology, limit) = (Topology::star(NODES), Duration::from_us(10_000));
        let nic = |_| Ok(Box::new(Model::new(Dimmnet2::default())) as _);
        let ran = run(&topology, &self.settings, threads, limit, nic, begin, end).unwrap();
        assert_eq!(ran.parts.len(), threads);
        (ran.end, ran.fingerprint, ran.parts.concat())
    }
}

/// Issues an RVS of `size` bytes.
async fn issue(board: &Board, size: u32) {
    let side = Source::Contiguous { offset: 0x1000, size };
    board.issue_rvs(Peer { lid: 1, wid: false }, side, side, Memory::SoDimm, false).await;
}

/// Sends many times the capacity of a switch input, and does not wait for the end.
async fn much(board: Board) {
    issue(&board, 48 << 10).await;
}

#[test]
fn crowd_before_one_port_is_the_same_on_any_number_of_threads() {
    for loss in [0, 300_000] {
        let receiver = Duration::from_us(60);
        let scene = Scene { senders: &[1, 17, 20, 40, 47], settings: Settings::default(), loss, receiver };
        let once = scene.on(1, much);
        assert!(once.2[0].1.waited > Duration::from_us(1_000), "frames wait for the port of node 0");
        for threads in [2, 3] {
            assert_eq!(scene.on(threads, much), once, "{loss} in a million are lost, {threads} threads");
        }
    }
}

#[test]
fn run_that_ends_within_a_frame_is_alike_on_all_threads() {
    let receiver = Duration::from_us(4);
    let scene = Scene { senders: &[40], settings: Settings::default(), loss: 0, receiver };
    assert_eq!(scene.on(2, much), scene.on(1, much));
}

/// Sends a frame that is longer than an epoch from time to time.
async fn now_and_then(board: Board) {
    for _ in 0..10 {
        issue(&board, 1 << 10).await;
        board.host().compute(Duration::from_us(6)).await;
    }
}

#[test]
fn room_is_returned_in_time_without_other_events() {
    let settings = Settings::without_retransmission();
    let scene = Scene { senders: &[40], settings, loss: 1_000_000, receiver: Duration::ZERO };
    assert_eq!(scene.on(2, now_and_then), scene.on(1, now_and_then));
}
