use cluster::Duration;
use dimmnet2::Dimmnet2;
use dimmnet2::address::Area;
use dimmnet2_machine::programs::botf::Peer;
use dimmnet2_machine::programs::remote::Memory;
use dimmnet2_machine::programs::vl::{Elements, Source};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Settings};
use hdl::Model;

const LIMIT: Duration = Duration::from_us(5_000);

/// Bytes of SO-DIMM region of each process.
const REGION: u64 = 256 << 20;

/// The two processes: WID 0 of node 0, WID 1 of node 1.
const PROCESSES: [Process; 2] = [Process { wid: false, pgid: 5 }, Process { wid: true, pgid: 5 }];
const PEERS: [Peer; 2] = [Peer { lid: 1, wid: false }, Peer { lid: 2, wid: true }];

fn cluster() -> Cluster {
    let model = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    Cluster::with_switch(vec![model(), model()], &Settings::default())
}

fn noise(length: usize) -> Vec<u8> {
    let mut random = hdl::Stimulus::new(length as u64);
    (0..length).map(|_| random.word() as u8).collect()
}

/// Stores bytes in own SO-DIMM by VS.
async fn store(board: &mut Board, offset: u32, bytes: &[u8]) {
    for (n, part) in (0u32..).zip(bytes.chunks(512)) {
        board.wait_store(0).await;
        let window = Area::WriteWindow.window(board.process().wid, 0);
        board.host().store_wc(window, part).await;
        board.host().sfence().await;
        board.vs(0, 0, offset + 512 * n, part.len() as u32).await;
    }
    board.wait_store(0).await;
}

/// Offsets of 4-byte elements, in no particular order.
fn places(count: u32) -> Vec<u32> {
    (0..count).map(|k| k * 37 % 251 * 24).collect()
}

fn list(count: u32) -> Vec<u8> {
    places(count).into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Offset of element `k` of a side, or of byte `k` of a contiguous one.
fn place(side: Source, k: usize) -> usize {
    match side {
        Source::Contiguous { offset, .. } => offset as usize + k,
        Source::Strided { offset, stride, elements } => {
            offset as usize + (k >> elements.dtype) * stride as usize + k % (1 << elements.dtype)
        }
        Source::Listed { offset, elements, .. } => {
            let offsets = places(elements.count.into());
            (offset + offsets[k >> elements.dtype]) as usize + k % (1 << elements.dtype)
        }
    }
}

/// Offsets of the list on both nodes, of sources and of targets.
const LIST: u32 = 0x7_0004;
const FROM: u32 = 0x1000;
const TO: u32 = 0x2_0000;

fn sides(base: u32, count: u8, dtype: u8) -> [Source; 3] {
    let elements = Elements { dtype, count };
    [
        Source::Contiguous { offset: base + 4, size: u32::from(count) << dtype },
        Source::Strided { offset: base, stride: 44, elements },
        Source::Listed { offset: base, list: LIST, elements },
    ]
}

const SPACE: usize = 0x4000;

/// Both nodes write their lists, and one the data. Node 0 acts; if node 0 has the data, node 1 waits for it.
fn run<F: Future<Output = ()> + 'static>(
    data: &[u8],
    on: usize,
    action: impl FnOnce(Board) -> F + 'static,
) -> Cluster {
    let mut cluster = cluster();
    let data = data.to_vec();
    let fills = move |node: usize, data: Vec<u8>| {
        move |host| async move {
            let mut board = Board::initialise(host, PROCESSES[node]).await;
            store(&mut board, LIST, &list(250)).await;
            if node == on {
                store(&mut board, FROM, &data).await;
            }
            board
        }
    };
    cluster.spawn(0, "first", {
        let fill = fills(0, data.clone());
        move |host: dimmnet2_machine::Host| async move {
            let board = fill(host.clone()).await;
            // The other node is ready by then.
            host.compute(Duration::from_us(100)).await;
            action(board).await;
        }
    });
    cluster.spawn(1, "second", {
        let fill = fills(1, data);
        move |host: dimmnet2_machine::Host| async move {
            let mut board = fill(host).await;
            if on == 0 {
                board.next_status().await;
            }
        }
    });
    cluster.run(LIMIT).unwrap();
    cluster
}

/// The memory of a node from `TO` on, after `length` bytes were moved from one side to the other.
fn expected(data: &[u8], from: Source, to: Source, length: usize) -> Vec<u8> {
    let mut memory = vec![0; SPACE];
    for k in 0..length {
        memory[place(to, k) - TO as usize] = data[place(from, k) - FROM as usize];
    }
    memory
}

#[test]
fn rvs_of_every_pairing_writes_remote_memory() {
    let data = noise(SPACE);
    for (count, dtype) in [(5, 3), (250, 2), (90, 4)] {
        for from in sides(FROM, count, dtype) {
            for to in sides(TO, count, dtype) {
                let cluster = run(&data, 0, move |board| async move {
                    board.rvs(PEERS[1], from, to, Memory::SoDimm, true).await;
                });
                let memory = cluster.nodes()[1].side().peek_memory(REGION + u64::from(TO), SPACE);
                let length = usize::from(count) << dtype;
                assert!(memory == expected(&data, from, to, length), "{from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn rvl_of_every_pairing_reads_remote_memory() {
    let data = noise(SPACE);
    for (count, dtype) in [(5, 3), (250, 2), (90, 4)] {
        for from in sides(FROM, count, dtype) {
            for to in sides(TO, count, dtype) {
                let cluster = run(&data, 1, move |mut board| async move {
                    let (lower, upper) = board.rvl(PEERS[1], from, to).await;
                    assert_eq!(
                        (lower.sclid, lower.swid, upper.first_address),
                        (2, true, place(to, 0) as u32)
                    );
                });
                let memory = cluster.nodes()[0].side().peek_memory(TO.into(), SPACE);
                let length = usize::from(count) << dtype;
                assert!(memory == expected(&data, from, to, length), "{from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn rvl_into_a_prefetch_window_is_complete_when_its_flag_says_so() {
    let data = noise(SPACE);
    for (count, dtype) in [(3, 2), (100, 2), (4, 7)] {
        for from in sides(FROM, count, dtype) {
            let length = usize::from(count) << dtype;
            let wanted: Vec<u8> = (0..length).map(|k| data[place(from, k) - FROM as usize]).collect();
            run(&data, 1, move |board| async move {
                board.rvl_window(PEERS[1], from, 2).await;
                assert!(board.read_prefetch_window(2, length).await == wanted, "{from:?}");
            });
        }
    }
}

#[test]
fn nine_kilobytes_go_in_five_packets_and_one_status() {
    const BYTES: u32 = 9 << 10;
    let data = noise(BYTES as usize);
    let mut cluster = cluster();
    let sent = data.clone();
    cluster.spawn(0, "send", move |host: dimmnet2_machine::Host| async move {
        let mut board = Board::initialise(host, PROCESSES[0]).await;
        store(&mut board, FROM, &sent).await;
        let side = |offset| Source::Contiguous { offset, size: BYTES };
        board.rvs(PEERS[1], side(FROM), side(TO), Memory::SoDimm, true).await;
    });
    let received = cluster.spawn(1, "receive", |host: dimmnet2_machine::Host| async move {
        let mut board = Board::initialise(host.clone(), PROCESSES[1]).await;
        let (lower, upper) = board.next_status().await;
        let packets = board.user(dimmnet2::registers::UserRegister::PacketCounter);
        let packets = host.load_uc(packets).await;
        (lower.size_list_stride, lower.sclid, upper.first_address, packets)
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(received.take(), Some((BYTES, 1, TO, 5)));
    assert!(cluster.nodes()[1].side().peek_memory(REGION + u64::from(TO), BYTES as usize) == data);
}

#[test]
fn process_of_another_group_can_neither_write_nor_read() {
    let mut cluster = cluster();
    let data = noise(256);
    let secret = data.clone();
    let side = |offset| Source::Contiguous { offset, size: 256 };
    let first = cluster.spawn(0, "stranger", move |host: dimmnet2_machine::Host| async move {
        let mut board = Board::initialise(host.clone(), Process { pgid: 6, ..PROCESSES[0] }).await;
        host.compute(Duration::from_us(100)).await;
        board.rvs(PEERS[1], side(FROM), side(TO), Memory::SoDimm, true).await;
        // The request is sent, and no answer ever comes.
        let status = board.user(dimmnet2::registers::UserRegister::StatusNextWriteAddress);
        let before = host.load_uc(status).await;
        board.rvl_request(PEERS[1], side(FROM), side(TO)).await;
        host.compute(Duration::from_us(100)).await;
        let after = host.load_uc(status).await;
        let none = board.next_status_within(3).await;
        (before == after, none)
    });
    let second = cluster.spawn(1, "owner", move |host: dimmnet2_machine::Host| async move {
        let mut board = Board::initialise(host.clone(), PROCESSES[1]).await;
        store(&mut board, FROM, &secret).await;
        store(&mut board, TO, &secret).await;
        host.compute(Duration::from_us(300)).await;
        let packets = board.user(dimmnet2::registers::UserRegister::PacketCounter);
        (host.load_uc(packets).await, board.next_status_within(3).await)
    });
    cluster.run(LIMIT).unwrap();
    assert_eq!(first.take(), Some((true, None)));
    assert_eq!(second.take(), Some((0, None)));
    assert!(cluster.nodes()[1].side().peek_memory(REGION + u64::from(TO), 256) == data);
    assert_eq!(cluster.nodes()[0].side().peek_memory(TO.into(), 256), [0; 256]);
}
