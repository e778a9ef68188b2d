use cluster::{Duration, Fingerprint, RunError, Time, Topology, Waiting, run};
use dimmnet2::Dimmnet2;
use dimmnet2::address::Area;
use dimmnet2::registers::UserRegister;
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::vl::Source;
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings, lid};
use hdl::Model;

const LIMIT: Duration = Duration::from_us(5_000);

/// Time at which all boards are initialised.
const READY: Time = Time::from_ps(50_000_000);

/// Bytes of SO-DIMM region of each process.
const REGION: u64 = 256 << 20;

const SLOTS: [bool; 2] = [false, true];

fn cluster(nodes: usize) -> Cluster {
    let model = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    Cluster::with_switch((0..nodes).map(|_| model()).collect(), &Settings::default())
}

/// The board of a user's process, at the time at which all have theirs.
async fn board(host: Host, process: Process) -> Board {
    let board = Board::initialise(host, process).await.as_user();
    board.host().compute(READY - board.host().now()).await;
    board
}

fn peer(node: usize, wid: bool) -> Peer {
    Peer { lid: lid(node), wid }
}

/// The byte that a process sends, which also places it at the receiver.
fn byte(node: usize, wid: bool) -> u8 {
    2 * node as u8 + u8::from(wid) + 1
}

/// Sends 100 bytes to each of these processes and waits for as many messages; returns the senders' LIDs and slots.
async fn exchange(mut board: Board, peers: Vec<Peer>, count: usize) -> Vec<(u16, bool)> {
    let own = byte(board.host().node(), board.process().wid);
    for (number, peer) in peers.into_iter().enumerate() {
        let destination = Destination::SoDimm(0x1000 * u32::from(own));
        let packet = Packet { peer, swid: board.process().wid, destination, status: true, tag: 0 };
        board.send_packet((number % 4) as u8, &packet, &[own; 100]).await.unwrap();
    }
    let mut senders = Vec::new();
    for _ in 0..count {
        let (lower, _) = board.next_status().await;
        senders.push((lower.sclid, lower.swid));
    }
    senders.sort();
    senders
}

#[test]
fn two_processes_of_a_board_exchange_with_two_of_another() {
    let mut cluster = cluster(2);
    let all: Vec<(usize, bool)> = [0, 1].into_iter().flat_map(|node| SLOTS.map(|wid| (node, wid))).collect();
    let ends: Vec<_> = all
        .iter()
        .map(|&(node, wid)| {
            let others = all.iter().filter(|other| **other != (node, wid));
            let peers: Vec<_> = others.map(|&(node, wid)| peer(node, wid)).collect();
            cluster.spawn(node, "exchange", move |host| async move {
                exchange(board(host, Process { wid, pgid: 5 }).await, peers, 3).await
            })
        })
        .collect();
    cluster.run(LIMIT).unwrap();
    for (&(node, wid), end) in all.iter().zip(ends) {
        let others: Vec<_> = all.iter().filter(|other| **other != (node, wid)).collect();
        let senders: Vec<_> = others.iter().map(|(node, wid)| (*node as u16 + 1, *wid)).collect();
        assert_eq!(end.take(), Some(senders), "node {node}, slot {wid}");
        for &&(from, slot) in &others {
            let at = REGION * u64::from(wid) + 0x1000 * u64::from(byte(from, slot));
            let here = cluster.nodes()[node].side().peek_memory(at, 101);
            assert_eq!(here, [&[byte(from, slot); 100][..], &[0]].concat());
        }
    }
}

/// 32 boards with two processes each, of which every one sends to its mate and to both processes of the next board.
fn crowd(threads: usize) -> (Time, Fingerprint) {
    const NODES: usize = 32;
    let begin = |part: &mut Cluster| {
        for (node, wid) in part.here().flat_map(|node| SLOTS.map(|wid| (node, wid))) {
            let next = (node + 1) % NODES;
            let peers = vec![peer(node, !wid), peer(next, false), peer(next, true)];
            part.spawn(node, "exchange", move |host| async move {
                exchange(board(host, Process { wid, pgid: 5 }).await, peers, 3).await;
            });
        }
    };
    let nic = |_| Ok(Box::new(Model::new(Dimmnet2::default())) as _);
    let ran = run(&Topology::star(NODES), &Settings::default(), threads, LIMIT, nic, begin, |_, ()| ());
    let ran = ran.unwrap();
    assert_eq!(ran.parts.len(), threads);
    (ran.end, ran.fingerprint)
}

#[test]
fn two_processes_of_each_board_are_alike_on_one_and_two_threads() {
    assert_eq!(crowd(1), crowd(2));
}

/// Counts what has reached a process: a status, the Packet Counter, and Tail of the LH Buffer.
async fn reached(mut board: Board, until: Duration) -> (bool, u64, u64) {
    board.host().compute(until).await;
    let status = board.next_status_within(3).await.is_some();
    let register = async |register| board.host().load_uc(board.user(register)).await;
    (
        status,
        register(UserRegister::PacketCounter).await,
        register(UserRegister::LhBufferNextWriteAddress).await,
    )
}

/// Sends packets to a process and asks for its memory; returns whether an answer came.
async fn reach(mut board: Board, peer: Peer, destinations: &[Destination]) -> bool {
    for (number, &destination) in destinations.iter().enumerate() {
        let packet = Packet { peer, swid: board.process().wid, destination, status: true, tag: 0 };
        board.send_packet((number % 4) as u8, &packet, &[7; 40]).await.unwrap();
    }
    let side = |offset| Source::Contiguous { offset, size: 64 };
    board.issue_rvl(peer, side(0x2000), side(0x3000)).await;
    board.host().compute(Duration::from_us(50)).await;
    board.next_status_within(3).await.is_some()
}

/// Every place to which a packet can go.
const EVERYWHERE: [Destination; 5] = [
    Destination::SoDimm(0x1000),
    Destination::PrefetchWindow(0),
    Destination::Llcm(0x800),
    Destination::LhBuffer,
    Destination::Ring,
];

#[test]
fn process_of_another_group_reaches_no_slot() {
    let (mut cluster, group) = (cluster(2), |wid, pgid| Process { wid, pgid });
    // Slot 0 of node 0 is in a group of its own; both others try.
    let owner = cluster.spawn(0, "owner", move |host| async move {
        reached(board(host, group(false, 3)).await, Duration::from_us(100)).await
    });
    let mate = cluster.spawn(0, "mate", move |host| async move {
        reach(board(host, group(true, 8)).await, peer(0, false), &EVERYWHERE).await
    });
    let stranger = cluster.spawn(1, "stranger", move |host| async move {
        reach(board(host, group(false, 8)).await, peer(0, false), &EVERYWHERE).await
    });
    cluster.node_mut(0).side_mut().poke_memory(0x2000, &[9; 64]);
    cluster.run(LIMIT).unwrap();
    assert_eq!(owner.take(), Some((false, 0, 0)), "nothing arrives");
    assert_eq!((mate.take(), stranger.take()), (Some(false), Some(false)), "no answer comes");
    let memory = |node: usize, at| cluster.nodes()[node].side().peek_memory(at, 64);
    assert_eq!(memory(0, 0x1000), [0; 64]);
    assert_eq!((memory(0, REGION + 0x3000), memory(1, 0x3000)), (vec![0; 64], vec![0; 64]));
}

#[test]
fn process_of_the_same_group_reaches_its_mate() {
    let (mut cluster, group) = (cluster(1), |wid| Process { wid, pgid: 3 });
    let owner = cluster.spawn(0, "owner", move |host| async move {
        reached(board(host, group(false)).await, Duration::from_us(100)).await
    });
    let mate = cluster.spawn(0, "mate", move |host| async move {
        reach(board(host, group(true)).await, peer(0, false), &[Destination::SoDimm(0x1000)]).await
    });
    cluster.node_mut(0).side_mut().poke_memory(0x2000, &[9; 64]);
    cluster.run(LIMIT).unwrap();
    assert_eq!((owner.take(), mate.take()), (Some((true, 2, 0)), Some(true)), "a packet and a request");
    let memory = |at| cluster.nodes()[0].side().peek_memory(at, 64);
    assert_eq!((memory(REGION + 0x3000), &memory(0x1000)[..40]), (vec![9; 64], &[7; 40][..]));
}

#[test]
fn process_ends_at_every_page_of_the_other_slot() {
    for (own, area) in SLOTS.into_iter().flat_map(|own| Area::ALL.map(|area| (own, area))) {
        let address = area.part(!own);
        let mut cluster = cluster(1);
        cluster.spawn(0, "intruder", move |host| async move {
            let board = board(host, Process { wid: own, pgid: 5 }).await;
            if area != Area::SystemRegister {
                // Its own page is there.
                board.host().load_uc(area.part(own)).await;
            }
            board.host().load_uc(address).await;
            unreachable!("slot {own} reads {area:?} of the other slot");
        });
        let other = cluster.spawn(0, "owner", move |host| async move {
            board(host, Process { wid: !own, pgid: 5 }).await.host().now()
        });
        let Err(RunError::Stalled { waiting, .. }) = cluster.run(LIMIT) else { panic!("{area:?}") };
        assert_eq!(waiting[0].waiting, Waiting::PageFault(address), "{area:?}");
        assert!(waiting.len() == 1 && other.take().is_some(), "the other process goes on");
    }
}

#[test]
fn two_processes_share_the_memory_bus() {
    let alone = reads(&[false]);
    let [first, second] = reads(&SLOTS)[..] else { panic!("two programs ran") };
    assert!(first > alone[0] || second > alone[0], "an access waits for the other process");
    assert!(first < alone[0] * 2 && second < alone[0] * 2, "most of a read is not on the bus");
}

/// Time of 100 uncachable reads by each of these processes of one board.
fn reads(slots: &[bool]) -> Vec<Duration> {
    let mut cluster = cluster(1);
    let times: Vec<_> = slots
        .iter()
        .map(|&wid| {
            cluster.spawn(0, "reads", move |host| async move {
                let board = board(host, Process { wid, pgid: 5 }).await;
                let begin = board.host().now();
                for _ in 0..100 {
                    board.host().load_uc(board.llcm(0)).await;
                }
                board.host().now() - begin
            })
        })
        .collect();
    cluster.run(LIMIT).unwrap();
    times.into_iter().map(|time| time.take().unwrap()).collect()
}
