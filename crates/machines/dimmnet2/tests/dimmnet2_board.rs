use cluster::{Duration, Event, Fingerprint, Place, Stages, Time, Watch};
use dimmnet2::address::Area;
use dimmnet2::registers::{UserRegister, WindowStatus};
use dimmnet2::{Dimmnet2, Lower, Primitive, Upper};
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::copy::Target;
use dimmnet2_machine::programs::stream::{receive_bytes, send_bytes};
use dimmnet2_machine::programs::transpose::{SIDE, transpose};
use dimmnet2_machine::programs::vl::{self, Source};
use dimmnet2_machine::programs::{Board, Elements, Listed, Process};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings};
use hdl::Model;

const PROCESS: Process = Process { wid: false, pgid: 5 };
const LIMIT: Duration = Duration::from_us(5_000);

fn model() -> Box<AnyNic> {
    Box::new(Model::new(Dimmnet2::default()))
}

fn cluster() -> Cluster {
    Cluster::with_switch(vec![model(), model()], &Settings::default())
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
    // Long enough for samples within the stream.
    assert_eq!(carry(cluster(), 30_000), carry(ticking, 30_000));
}

/// Half of a round trip of 8 bytes; each side polls for the status and answers.
fn half_round_trip(destination: Destination) -> u64 {
    const TURNS: u8 = 20;
    let mut cluster = cluster();
    let program = move |me: usize| {
        move |host: Host| async move {
            let mut board = Board::initialise(host.clone(), PROCESS).await;
            host.compute(Duration::from_us(if me == 0 { 5 } else { 1 })).await;
            let mut took = Duration::ZERO;
            for turn in 0..TURNS {
                let start = host.now();
                if me == 1 {
                    board.next_status().await;
                }
                board.send_packet(0, &packet(1 - me, destination), &[turn; 8]).await.unwrap();
                if me == 0 {
                    board.next_status().await;
                }
                took = took + (host.now() - start);
                board.wait_window(0).await;
            }
            took
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
        .and_then(|s| s.until("host write", "", sender, is(Event::Mark("image written"))))
        .and_then(|s| s.until("command", "", sender, is(Event::Beat { address: 0x4_0000, write: true })))
        .and_then(|s| s.until("core and SWIF", "", sender, is(Event::TransmitFirst)))
        .and_then(|s| s.until("frame", "", sender, is(Event::TransmitLast)))
        .and_then(|s| s.until("link and switch", "", Place::Switch(1), is(Event::SwitchLastOut)))
        .and_then(|s| s.until("link", "", receiver, is(Event::ReceiveLast)))
        .and_then(|s| s.until("receive", "", receiver, is(Event::Watch("status written"))))
        .and_then(|s| s.until("poll", "", receiver, is(Event::Mark("status seen"))))
        .unwrap();
    let of = |name| stages.stages().iter().find(|stage| stage.name == name).unwrap().duration;
    // LRH, two lines of BTH, two header lines, one of data.
    assert_eq!(of("frame"), Duration::from_ns(5 * 8));
    assert_eq!(of("link and switch"), Duration::from_ns(10 + 385));
    // 0.100 us in the Core Logic (thesis section 6.2), and SWIF.
    assert!(of("core and SWIF") > Duration::from_ns(100) && of("core and SWIF") < Duration::from_ns(200));
    assert_eq!(stages.stages().iter().map(|stage| stage.duration).sum::<Duration>(), stages.total());
}

/// Bytes of SO-DIMM region of each process.
const REGION: u64 = 256 << 20;

/// Fills a Write Window.
async fn fill(board: &Board, window: u8, bytes: &[u8]) {
    board.host().store_wc(Area::WriteWindow.window(board.process().wid, window), bytes).await;
    board.host().sfence().await;
}

#[test]
fn vs_of_512_bytes_stores_a_window_in_sodimm() {
    let bytes: Vec<u8> = (0..512).map(|i| (i * 13 + i / 256) as u8).collect();
    for wid in [false, true] {
        let mut cluster = cluster();
        let data = bytes.clone();
        let stored = cluster.spawn(0, "store", move |host| async move {
            let mut board = Board::initialise(host, Process { wid, pgid: 5 }).await;
            fill(&board, 1, &data).await;
            board.vs(1, 0, 0x3000, 512).await;
            board.wait_store(1).await
        });
        cluster.run(LIMIT).unwrap();
        let complete = WindowStatus { complete: true, ..WindowStatus::default() };
        assert_eq!(stored.take(), Some(Some(complete)));
        let address = u64::from(wid) * REGION + 0x3000;
        assert_eq!(cluster.nodes()[0].side().peek_memory(address, 512), bytes);
        assert_eq!(cluster.nodes()[0].side().peek_memory(u64::from(!wid) * REGION + 0x3000, 512), [0; 512]);
    }
}

#[test]
fn vss_scatters_a_window_and_tells_where_it_was_cut() {
    let mut cluster = cluster();
    let stored = cluster.spawn(0, "store", |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        fill(&board, 2, &(0..=255).collect::<Vec<u8>>()).await;
        board.vss(2, 4, Elements { offset: 0x104, stride: 0x20, dtype: 3, count: 4 }).await;
        let first = board.wait_store(2).await.unwrap();
        // From 16 bytes before the end of the window; the second element lies beyond the region.
        let end = REGION as u32 - 8;
        board.vss(2, 496, Elements { offset: end, stride: 8, dtype: 3, count: 4 }).await;
        (first, board.wait_store(2).await.unwrap())
    });
    cluster.run(LIMIT).unwrap();
    let (first, second) = stored.take().unwrap();
    assert_eq!(first, WindowStatus { complete: true, ..WindowStatus::default() });
    assert_eq!(second, WindowStatus { complete: true, source_clamped: true, destination_clamped: true });
    let memory = |address, length| cluster.nodes()[0].side().peek_memory(address, length);
    for element in 0..4u8 {
        let expected: Vec<u8> = (4 + 8 * element..).take(8).collect();
        assert_eq!(memory(0x104 + 0x20 * u64::from(element), 8), expected);
        assert_eq!(memory(0x10c + 0x20 * u64::from(element), 24), [0; 24]);
    }
    assert_eq!(memory(REGION, 8), [0; 8], "the region of the other process");
}

#[test]
fn command_of_figure_c_7_leads_to_the_status_of_figure_c_12() {
    let mut cluster = cluster();
    let seen = cluster.spawn(0, "shell", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        fill(&board, 2, &[0xab; 512]).await;
        board.vs(0, 0, 0, 8).await;
        board.wait_store(0).await;
        // prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0x400 dst=0x600, word by word.
        host.store_uc(board.user(UserRegister::Command0Upper), 0x0000_0600_0000_0400).await;
        host.store_uc(board.user(UserRegister::Command0Lower), 0x0000_0200_0000_0008).await;
        host.poll("VS", board.user(UserRegister::ControllerStatus), |status| status == 0x832).await;
        let counter = board.user(UserRegister::PrimitiveCounter);
        let two = host.load_uc(counter).await;
        // Figure C.14: one BOTF, one VS.
        host.store_uc(board.user(UserRegister::PrimitiveCounterReset), 1).await;
        board.send_packet(1, &packet(1, Destination::PrefetchWindow(0)), &[7; 8]).await.unwrap();
        board.vs(2, 0, 0x600, 512).await;
        board.wait_window(1).await;
        board.wait_store(2).await;
        (two, host.load_uc(counter).await, host.load_uc(board.user(UserRegister::ModuleState)).await)
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(seen.take(), Some((2 << 20, 0x0010_0001, 0x0000_4222_0002_0001)));
    assert_eq!(cluster.nodes()[0].side().peek_memory(0x600, 512), [0xab; 512]);
}

#[test]
fn vsi_scatters_a_window_where_its_list_says() {
    const PLACES: [u32; 5] = [0x40, 0x1000, 0, 0x9000, 0x44];
    let mut cluster = cluster();
    let stored = cluster.spawn(0, "store", |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        let list: Vec<u8> = PLACES.into_iter().flat_map(u32::to_le_bytes).collect();
        fill(&board, 0, &list).await;
        fill(&board, 1, &(0..=255).collect::<Vec<u8>>()).await;
        board.vs(0, 0, 0x8004, 4 * PLACES.len() as u32).await;
        board.vsi(1, 8, Listed { offset: 0x10_0000, list: 0x8004, dtype: 2, count: 5 }).await;
        let first = board.wait_store(1).await.unwrap();
        // The third element ends beyond the region; the end of the window cuts before the fifth.
        let offset = REGION as u32 - 0x1008;
        board.vsi(1, 480, Listed { offset, list: 0x8004, dtype: 3, count: 5 }).await;
        (first, board.wait_store(1).await.unwrap())
    });
    cluster.run(LIMIT).unwrap();
    let (first, second) = stored.take().unwrap();
    assert_eq!(first, WindowStatus { complete: true, ..WindowStatus::default() });
    // Of 4 elements the second ends with the region, the third lies in it, the fourth does not.
    assert_eq!(second, WindowStatus { complete: true, source_clamped: true, destination_clamped: true });
    let memory = |address, length| cluster.nodes()[0].side().peek_memory(address, length);
    for (element, place) in (0u8..).zip(PLACES) {
        let expected: Vec<u8> = (8 + 4 * element..).take(4).collect();
        assert_eq!(memory(0x10_0000 + u64::from(place), 4), expected, "{place:#x}");
    }
    assert_eq!(memory(0x10_0004, 0x3c), [0; 0x3c]);
    assert_eq!(memory(REGION, 0x8000), [0; 0x8000], "the region of the other process");
}

/// Fills SO-DIMM of WID 0 with `bytes` from `offset` on, makes a copy, and gives the node.
fn copied(offset: u32, bytes: &[u8], from: Source, to: Target) -> Cluster {
    let mut cluster = cluster();
    let parts: Vec<Vec<u8>> = bytes.chunks(512).map(<[u8]>::to_vec).collect();
    cluster.spawn(0, "copy", move |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        for (n, part) in (0u32..).zip(parts) {
            board.wait_store(0).await;
            fill(&board, 0, &part).await;
            board.vs(0, 0, offset + 512 * n, part.len() as u32).await;
        }
        board.wait_store(0).await;
        let status = host.load_uc(board.user(UserRegister::ControllerStatus)).await;
        board.copy(from, to).await;
        // A copy names no window: no bit of it changes.
        assert_eq!(host.load_uc(board.user(UserRegister::ControllerStatus)).await, status);
        assert_eq!(host.load_uc(board.user(UserRegister::PrefetchWindowFlag)).await, 0);
        // The slot is empty again: another VS with no data to take is complete at once.
        let (count, counter) = (
            board.user(UserRegister::PrimitiveCounter),
            host.load_uc(board.user(UserRegister::PrimitiveCounter)).await,
        );
        host.store_uc(board.user(UserRegister::Command0Upper), Upper { srcoff: u32::MAX, dstoff: 0 }.bits())
            .await;
        host.store_uc(board.user(UserRegister::Command0Lower), Lower::new(Primitive::Vs, 64).bits()).await;
        host.poll("a VS", count, |value| value == counter + (1 << 20)).await;
    });
    cluster.run(LIMIT).unwrap_or_else(|error| panic!("{from:?} to {to:?}: {error}"));
    cluster
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = hdl::Stimulus::new(length as u64);
    (0..length).map(|_| random.word() as u8).collect()
}

#[test]
fn every_pairing_of_a_copy_moves_the_smaller_total() {
    let bytes = noise(3000);
    let contiguous = |size| Source::Contiguous { offset: 0x1004, size };
    let strided = |dtype, count| Source::Strided {
        offset: 0x1000,
        stride: 44,
        elements: vl::Elements { dtype, count },
    };
    // The data that the first half reads, in its order.
    let gathered = |dtype: u32, count: usize| -> Vec<u8> {
        (0..count).flat_map(|k| bytes[44 * k..][..1 << dtype].to_vec()).collect()
    };
    for (from, data) in [
        (contiguous(40), bytes[4..44].to_vec()),
        (contiguous(2000), bytes[4..2004].to_vec()),
        (contiguous(0), vec![]),
        (strided(2, 9), gathered(2, 9)),
        (strided(5, 60), gathered(5, 60)),
    ] {
        for size in [0u32, 8, 512, 1234, 1536] {
            let cluster = copied(0x1000, &bytes, from, Target::Contiguous { offset: 0x8004, size });
            let moved = data.len().min(size as usize);
            let memory = cluster.nodes()[0].side().peek_memory(0x8004, 2048);
            assert!(memory[..moved] == data[..moved], "{from:?} to {size} bytes");
            assert!(memory[moved..].iter().all(|byte| *byte == 0), "{from:?} to {size} bytes");
        }
        for (dtype, count) in [(2u8, 5u8), (3, 90), (4, 255), (7, 20)] {
            let to = Elements { offset: 0x8000, stride: 132, dtype, count };
            let cluster = copied(0x1000, &bytes, from, Target::Strided(to));
            let moved = data.len().min(usize::from(count) << dtype);
            let mut expected = vec![0; 132 * 256];
            for (i, byte) in data[..moved].iter().enumerate() {
                expected[132 * (i >> dtype) + i % (1 << dtype)] = *byte;
            }
            let memory = cluster.nodes()[0].side().peek_memory(0x8000, expected.len());
            assert!(memory == expected, "{from:?} to {to:?}");
        }
    }
}

#[test]
fn copy_ends_with_the_region_at_either_end() {
    let bytes = noise(600);
    let end = REGION as u32;
    // 600 bytes before the end: what lies beyond is not read.
    let from = Source::Contiguous { offset: end - 600, size: 4096 };
    let cluster = copied(end - 600, &bytes, from, Target::Contiguous { offset: 0x100, size: 4096 });
    assert_eq!(cluster.nodes()[0].side().peek_memory(0x100, 700), [&bytes[..], &[0; 100]].concat());
    let from = Source::Contiguous { offset: 0x1000, size: 600 };
    let to = Target::Contiguous { offset: end - 520, size: 600 };
    let cluster = copied(0x1000, &bytes, from, to);
    assert_eq!(cluster.nodes()[0].side().peek_memory(REGION - 520, 600), [&bytes[..520], &[0; 80]].concat());
}

#[test]
fn parked_copies_of_both_processes_let_everything_else_pass() {
    let mut cluster = cluster();
    let data = noise(1024);
    let [first, second] = [0, 512].map(|at| data[at..at + 512].to_vec());
    let sent = data[..496].to_vec();
    for (wid, bytes) in [(false, first.clone()), (true, second.clone())] {
        let sent = sent.clone();
        cluster.spawn(0, "copy", move |host| async move {
            let process = Process { wid, pgid: 5 };
            let mut board = Board::initialise(host.clone(), process).await;
            host.compute(Duration::from_us(5)).await;
            fill(&board, 0, &bytes).await;
            board.vs(0, 0, 0x1000, 512).await;
            board.wait_store(0).await;
            // Two VS wait; the later one replaces the earlier.
            for srcoff in [0x9000, 0x1000] {
                let upper = Upper { srcoff, dstoff: u32::MAX };
                host.store_uc(board.user(UserRegister::Command0Upper), upper.bits()).await;
                host.store_uc(board.user(UserRegister::Command0Lower), Lower::new(Primitive::Vl, 512).bits())
                    .await;
            }
            // VL, VLI, VSI and BOTF of both processes run meanwhile.
            board.vl(1, Source::Contiguous { offset: 0x1000, size: 512 }).await;
            assert_eq!(board.read_prefetch_window(1, 512).await, bytes);
            fill(&board, 2, &[0; 64]).await;
            board.vs(2, 0, 0x2000, 64).await;
            board.wait_store(2).await;
            let elements = vl::Elements { dtype: 3, count: 4 };
            board.vl(2, Source::Listed { offset: 0x1000, list: 0x2000, elements }).await;
            board.vsi(0, 0, Listed { offset: 0x3000, list: 0x2000, dtype: 2, count: 3 }).await;
            board.wait_store(0).await;
            board
                .send_packet(3, &packet(1, Destination::SoDimm(0x100 + 0x1000 * u32::from(wid))), &sent)
                .await
                .unwrap();
            board.wait_window(3).await;
            host.compute(Duration::from_us(20)).await;
            let upper = Upper { srcoff: u32::MAX, dstoff: 0x8000 };
            host.store_uc(board.user(UserRegister::Command1Upper), upper.bits()).await;
            host.store_uc(board.user(UserRegister::Command1Lower), Lower::new(Primitive::Vs, 4000).bits())
                .await;
            let counter = board.user(UserRegister::PrimitiveCounter);
            let counts = 1 | 4 << 10 | 4 << 20;
            host.poll("all of them", counter, |value| value == counts).await;
        });
    }
    cluster.run(LIMIT).unwrap();
    for (region, bytes) in [(0, first), (REGION, second)] {
        assert_eq!(
            cluster.nodes()[0].side().peek_memory(region + 0x8000, 600),
            [&bytes[..], &[0; 88]].concat()
        );
    }
}

#[test]
fn packets_are_stored_between_the_chunks_of_a_copy() {
    let mut cluster = cluster();
    cluster.spawn(1, "push", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        for turn in 0..40u8 {
            let packet = packet(0, Destination::SoDimm(0x10_0000 + 0x200 * u32::from(turn)));
            let packet = Packet { status: false, ..packet };
            board.send_packet(turn % 4, &packet, &[turn; 496]).await.unwrap();
        }
    });
    let data = noise(512);
    let (part, counts) = (
        data.clone(),
        cluster.spawn(0, "copy", {
            let data = data.clone();
            move |host| async move {
                let mut board = Board::initialise(host.clone(), PROCESS).await;
                fill(&board, 0, &data).await;
                for n in 0..32 {
                    board.vs(0, 0, 0x1_0000 + 512 * n, 512).await;
                }
                let (from, to) = (
                    Source::Contiguous { offset: 0x1_0000, size: 0x4000 },
                    Target::Contiguous { offset: 0x2_0004, size: 0x4000 },
                );
                let counter = board.user(UserRegister::PacketCounter);
                board.wait_store(0).await;
                let before = host.load_uc(counter).await;
                board.copy(from, to).await;
                (before, host.load_uc(counter).await)
            }
        }),
    );
    cluster.run(LIMIT).unwrap();
    let (before, after) = counts.take().unwrap();
    assert!(after > before + 10, "{before} packets before the copy, {after} after it");
    let memory = cluster.nodes()[0].side().peek_memory(0x2_0004, 0x4000);
    assert!(memory.chunks(512).all(|chunk| chunk == part));
}

#[test]
fn transpose_made_on_the_board_is_that_of_the_matrix() {
    for (wid, seed) in [(false, 1), (true, 2)] {
        let mut cluster = cluster();
        let mut random = hdl::Stimulus::new(seed);
        let side = SIDE as usize;
        let matrix: Vec<u32> = (0..side * side).map(|_| random.word() as u32).collect();
        let expected: Vec<u32> = (0..side * side).map(|at| matrix[at % side * side + at / side]).collect();
        let program =
            cluster.spawn(0, "transpose", move |host| transpose(host, Process { wid, pgid: 5 }, matrix));
        cluster.run(LIMIT).unwrap();
        assert!(program.take().unwrap().matrix == expected);
    }
}

/// Node 0 pushes `packets` into SO-DIMM of node 1, the last one with a status; then node 1 runs `program`.
fn pushed<F, T>(packets: Vec<(u32, Vec<u8>)>, program: impl FnOnce(Board) -> F + 'static) -> T
where
    F: Future<Output = T> + 'static,
    T: 'static,
{
    let mut cluster = cluster();
    cluster.spawn(0, "push", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        let last = packets.len() - 1;
        for (n, (offset, data)) in packets.into_iter().enumerate() {
            let packet = Packet { status: n == last, ..packet(1, Destination::SoDimm(offset)) };
            board.send_packet(n as u8 % 4, &packet, &data).await.unwrap();
        }
    });
    let output = cluster.spawn(1, "load", |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        board.next_status().await;
        program(board).await
    });
    cluster.run(LIMIT).unwrap();
    output.take().unwrap()
}

#[test]
fn vl_brings_what_was_pushed_into_the_prefetch_window() {
    for (length, offset) in [(8, 0x100), (496, 0x1000), (77, 0x2004), (300, 0x0fff_fe00)] {
        let data: Vec<u8> = (0..length).map(|i| (i * 13 + 5) as u8).collect();
        let loaded = pushed(vec![(offset, data.clone())], move |board| async move {
            board.vl(2, Source::Contiguous { offset, size: length }).await;
            board.read_prefetch_window(2, length as usize).await
        });
        assert_eq!(loaded, data, "{length} bytes from {offset:#x}");
    }
}

#[test]
fn vls_brings_a_column_and_vli_what_its_list_names() {
    // A matrix of 8 rows of 16 words of 4 bytes, and a list of places in it.
    let matrix: Vec<u8> = (0..128u32).flat_map(|word| (word << 8 | 0x5a).to_le_bytes()).collect();
    let words = |bytes: &[u8]| -> Vec<u32> {
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()) >> 8).collect()
    };
    let places = [5u32, 127, 0, 64, 64];
    let list = places.iter().flat_map(|place| (4 * place).to_le_bytes()).collect();
    let packets = vec![(0x4000, matrix[..256].to_vec()), (0x4100, matrix[256..].to_vec()), (0x8004, list)];
    let (column, listed) = pushed(packets, |board| async move {
        let elements = |count| vl::Elements { dtype: 2, count };
        board.vl(0, Source::Strided { offset: 0x4000 + 12, stride: 64, elements: elements(8) }).await;
        let column = board.read_prefetch_window(0, 32).await;
        board.vl(1, Source::Listed { offset: 0x4000, list: 0x8004, elements: elements(5) }).await;
        (column, board.read_prefetch_window(1, 20).await)
    });
    assert_eq!(words(&column), [3, 19, 35, 51, 67, 83, 99, 115]);
    assert_eq!(words(&listed), places);
}

#[test]
fn vl_is_right_while_packets_arrive_in_both_memories() {
    const TURNS: usize = 60;
    let mut cluster = cluster();
    for memory in cluster.node_mut(1).side_mut().memories_mut() {
        memory.set_stalls(Some(dimmnet2_machine::Stalls { seed: 3, in_256: 60 }));
    }
    let data: Vec<u8> = (0..496).map(|i| (i * 31) as u8).collect();
    let pushed = data.clone();
    cluster.spawn(0, "push", |host| async move {
        let mut board = Board::initialise(host.clone(), PROCESS).await;
        host.compute(Duration::from_us(5)).await;
        let first = packet(1, Destination::SoDimm(0x100));
        board.send_packet(0, &first, &pushed).await.unwrap();
        for turn in 0..TURNS {
            let destination =
                if turn % 2 == 0 { Destination::PrefetchWindow(0) } else { Destination::SoDimm(0x10_0000) };
            let packet = Packet { status: false, ..packet(1, destination) };
            board.send_packet(turn as u8 % 4, &packet, &[turn as u8; 496]).await.unwrap();
        }
    });
    let output = cluster.spawn(1, "load", |host| async move {
        let mut board = Board::initialise(host, PROCESS).await;
        board.next_status().await;
        let mut loads = vec![];
        for turn in 0..TURNS as u32 {
            let offset = 0x100 + 4 * (turn % 8);
            board.vl(1, Source::Contiguous { offset, size: 400 }).await;
            loads.push((turn % 8, board.read_prefetch_window(1, 400).await));
        }
        loads
    });
    cluster.run(LIMIT).unwrap();
    for (turn, load) in output.take().unwrap() {
        assert!(load == data[4 * turn as usize..][..400], "turn {turn}");
    }
    assert_eq!(cluster.nodes()[1].side().peek_memory(0x10_0000, 496), [TURNS as u8 - 1; 496]);
}

#[test]
fn chunk_of_a_copy_takes_161_cycles() {
    let took = |chunks: u32| {
        let mut cluster = cluster();
        let took = cluster.spawn(0, "copy", move |host| async move {
            let mut board = Board::initialise(host.clone(), PROCESS).await;
            let size = 512 * chunks;
            let begin = host.now();
            let from = Source::Contiguous { offset: 0, size };
            board.copy(from, Target::Contiguous { offset: 0x10_0000, size }).await;
            host.now() - begin
        });
        cluster.run(LIMIT).unwrap();
        took.take().unwrap().ps()
    };
    // Polls are 189 ns apart; the mean over 1,000 chunks is exact enough.
    assert_eq!((took(1010) - took(10)).div_ceil(10_000_000), 161);
}
