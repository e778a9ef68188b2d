use cluster::Duration;
use dimmnet2::Dimmnet2;
use dimmnet2::address::Area;
use dimmnet2::registers::{PrimitiveCounter, UserRegister};
use dimmnet2_machine::programs::botf::{Destination, Packet, Peer};
use dimmnet2_machine::programs::messages::{Envelope, Inbox, Ring};
use dimmnet2_machine::programs::vl::{Elements, Source};
use dimmnet2_machine::programs::{Board, Process};
use dimmnet2_machine::{AnyNic, Cluster, Host, Settings};
use hdl::Model;

const PGID: u8 = 5;
const LIMIT: Duration = Duration::from_us(5_000);

/// Three nodes: the last two send to both processes of the first.
fn cluster() -> Cluster {
    let model = || -> Box<AnyNic> { Box::new(Model::new(Dimmnet2::default())) };
    Cluster::with_switch(vec![model(), model(), model()], &Settings::default())
}

fn peer(node: usize, wid: bool) -> Peer {
    Peer { lid: node as u16 + 1, wid }
}

/// The rings that a process of node 0 has for the senders on the other nodes.
fn rings(wid: bool) -> [Ring; 2] {
    [1, 2].map(|node| Ring {
        sender: peer(node, wid),
        entry: 0x800 + 8 * node as u16,
        base: 0x10_0000 + 0x1_0000 * node as u32,
    })
}

/// Message `number` of a sender.
fn message(number: u32, length: usize) -> (Envelope, Vec<u8>) {
    let data = (0..length).map(|i| (number as usize * 31 + i * 7) as u8).collect();
    (Envelope { context: 0xc0de, rank: 2, tag: 0xffff_0000 | number }, data)
}

/// Sends messages by BOTF, from Write Windows in rotation.
async fn send(host: Host, wid: bool, lengths: Vec<usize>, destination: Destination) {
    let mut board = Board::initialise(host.clone(), Process { wid, pgid: PGID }).await;
    host.compute(Duration::from_us(20)).await;
    let packet = Packet { peer: peer(0, wid), swid: wid, destination, status: false, tag: 0 };
    for (number, length) in lengths.into_iter().enumerate() {
        let (envelope, data) = message(number as u32, length);
        let message = match destination {
            Destination::LhBuffer => [&envelope.bits().to_le_bytes()[..], &data].concat(),
            _ => data,
        };
        board.send_packet(number as u8 % 4, &packet, &message).await.unwrap();
    }
}

#[test]
fn heads_come_from_the_lh_buffer_and_the_rest_from_the_ring() {
    for wid in [false, true] {
        // Heads without a rest, with a short and with a long one; more than the LH Buffer holds.
        let lengths: Vec<usize> = (0..150).map(|n| [0, 1, 48, 49, 100, 488][n % 6]).collect();
        let mut cluster = cluster();
        let sent = lengths.clone();
        cluster.spawn(1, "send", move |host| send(host, wid, sent, Destination::LhBuffer));
        let count = lengths.len();
        let received = cluster.spawn(0, "receive", move |host| async move {
            let board = Board::initialise(host.clone(), Process { wid, pgid: PGID }).await;
            let mut inbox = Inbox::open(&board, 1, &rings(wid)).await;
            // All 63 places are taken and one packet waits before the first head is read.
            host.compute(Duration::from_us(200)).await;
            let tail = host.load_uc(board.user(UserRegister::LhBufferNextWriteAddress)).await;
            assert_eq!(tail, 63 * 64);
            let mut messages = vec![];
            for _ in 0..count {
                messages.push(inbox.next_message(&board, 0).await);
            }
            messages
        });
        cluster.run(LIMIT).unwrap();
        let expected: Vec<_> =
            lengths.iter().enumerate().map(|(number, &length)| message(number as u32, length)).collect();
        assert!(received.take().unwrap() == expected, "process {wid}");
    }
}

#[test]
fn each_sender_fills_its_own_ring_and_waits_for_room() {
    // 150 messages of 496 bytes are more than a ring of 64 KB.
    const COUNT: usize = 150;
    let mut cluster = cluster();
    for node in [1, 2] {
        cluster.spawn(node, "send", move |host| send(host, false, vec![496; COUNT], Destination::Ring));
    }
    let received = cluster.spawn(0, "receive", |host| async move {
        let board = Board::initialise(host.clone(), Process { wid: false, pgid: PGID }).await;
        let mut inbox = Inbox::open(&board, 1, &rings(false)).await;
        // Without statuses, Tail shows the arrivals: the first ring fills up, and then no packet passes.
        host.compute(Duration::from_us(400)).await;
        let packets = host.load_uc(board.user(UserRegister::PacketCounter)).await;
        let mut messages = [vec![], vec![]];
        for _ in 0..COUNT {
            for ring in [0, 1] {
                let entry = rings(false)[ring].entry;
                let empty = |word: u64| (word >> 32) as u32 == word as u32;
                host.poll("a message", board.llcm(entry.into()), |word| !empty(word)).await;
                messages[ring].push(inbox.take(&board, ring, 496).await);
            }
        }
        (packets, messages)
    });
    cluster.run(LIMIT).unwrap();
    let (packets, messages) = received.take().unwrap();
    // 132 messages of 496 bytes leave less than 496 bytes free.
    assert!((132..=264).contains(&packets), "{packets} packets fit");
    for messages in messages {
        let expected: Vec<_> = (0..COUNT).map(|number| message(number as u32, 496).1).collect();
        assert!(messages == expected);
    }
}

/// Stores bytes in own SO-DIMM by VS.
async fn store(board: &mut Board, offset: u32, bytes: &[u8]) {
    for (n, part) in (0u32..).zip(bytes.chunks(512)) {
        board.wait_store(0).await;
        board.host().store_wc(Area::WriteWindow.window(board.process().wid, 0), part).await;
        board.host().sfence().await;
        board.vs(0, 0, offset + 512 * n, part.len() as u32).await;
    }
    board.wait_store(0).await;
}

/// Node 1 pushes messages, then node 0 reads its statuses and its messages.
fn push<S, R, T: 'static>(
    wid: bool,
    sender: impl FnOnce(Board) -> S + 'static,
    receiver: impl FnOnce(Board, Inbox) -> R + 'static,
) -> T
where
    S: Future<Output = ()> + 'static,
    R: Future<Output = T> + 'static,
{
    let process = Process { wid, pgid: PGID };
    let mut cluster = cluster();
    cluster.spawn(1, "send", move |host: Host| async move {
        let board = Board::initialise(host.clone(), process).await;
        host.compute(Duration::from_us(20)).await;
        sender(board).await;
    });
    let received = cluster.spawn(0, "receive", move |host| async move {
        let board = Board::initialise(host, process).await;
        let inbox = Inbox::open(&board, 1, &rings(wid)).await;
        receiver(board, inbox).await
    });
    cluster.run(Duration::from_us(20_000)).unwrap();
    received.take().unwrap()
}

#[test]
fn ipush_puts_a_message_into_the_ring_and_its_status_says_where() {
    const LENGTHS: [usize; 6] = [1, 8, 2032, 2033, 5000, 12];
    for wid in [false, true] {
        let sender = move |mut board: Board| async move {
            for (number, length) in LENGTHS.into_iter().enumerate() {
                store(&mut board, 0x4000, &message(number as u32, length).1).await;
                let from = Source::Contiguous { offset: 0x4000, size: length as u32 };
                board.ipush(peer(0, wid), from, true).await;
            }
        };
        let receiver = |mut board: Board, mut inbox: Inbox| async move {
            let mut messages = vec![];
            for length in LENGTHS {
                let (lower, upper) = board.next_status().await;
                messages.push((lower, upper.first_address, inbox.take(&board, 0, length).await));
            }
            let packets = board.host().load_uc(board.user(UserRegister::PacketCounter)).await;
            (messages, packets, board.next_status_within(20).await)
        };
        let (messages, packets, more) = push(wid, sender, receiver);
        let mut place = rings(wid)[0].base;
        for (number, (lower, first_address, data)) in messages.into_iter().enumerate() {
            let length = LENGTHS[number];
            // One status for a message, however many packets it took.
            assert_eq!((lower.size_list_stride as usize, lower.otype), (length, 0b11000));
            assert_eq!((lower.swid, lower.sclid, first_address), (wid, 2, place));
            assert!(data == message(number as u32, length).1, "{length} bytes");
            place += length.next_multiple_of(8) as u32;
        }
        assert_eq!((packets, more), (1 + 1 + 1 + 2 + 3 + 1, None));
    }
}

#[test]
fn message_cut_by_its_sender_has_a_status_for_each_packet() {
    let sender = |mut board: Board| async move {
        store(&mut board, 0, &message(0, 5000).1).await;
        for (offset, size) in [(0, 2032), (2032, 2032), (4064, 936)] {
            board.ipush(peer(0, false), Source::Contiguous { offset, size }, true).await;
        }
        let counter = board.host().load_uc(board.user(UserRegister::PrimitiveCounter)).await;
        let counter = PrimitiveCounter::from_bits(counter);
        assert_eq!((counter.ipush, counter.rvs, counter.rvl), (3, 0, 0));
    };
    let receiver = |mut board: Board, mut inbox: Inbox| async move {
        let mut sizes = vec![];
        while sizes.len() < 3 {
            sizes.push(board.next_status().await.0.size_list_stride);
        }
        (sizes, inbox.take(&board, 0, 5000).await)
    };
    let (sizes, data) = push(false, sender, receiver);
    assert_eq!(sizes, [2032, 2032, 936]);
    assert!(data == message(0, 5000).1);
}

#[test]
fn ipush_gathers_elements_by_command_ex() {
    let sender = |mut board: Board| async move {
        store(&mut board, 0x1000, &message(0, 4096).1).await;
        let elements = Elements { dtype: 4, count: 100 };
        board.ipush(peer(0, false), Source::Strided { offset: 0x1000, stride: 40, elements }, true).await;
    };
    let receiver = |mut board: Board, mut inbox: Inbox| async move {
        board.next_status().await;
        inbox.take(&board, 0, 1600).await
    };
    let (_, data) = message(0, 4096);
    let expected: Vec<u8> = data.chunks(40).take(100).flat_map(|element| &element[..16]).copied().collect();
    assert!(push(false, sender, receiver) == expected);
}

#[test]
fn ipush_into_a_full_ring_waits_until_the_host_has_read() {
    const COUNT: u32 = 30;
    let sender = |mut board: Board| async move {
        for number in 0..COUNT {
            store(&mut board, 0, &message(number, 4000).1).await;
            board.ipush(peer(0, false), Source::Contiguous { offset: 0, size: 4000 }, true).await;
        }
    };
    let receiver = |mut board: Board, mut inbox: Inbox| async move {
        board.host().compute(Duration::from_us(1_000)).await;
        let packets = board.host().load_uc(board.user(UserRegister::PacketCounter)).await;
        let mut messages = vec![];
        for _ in 0..COUNT {
            board.next_status().await;
            messages.push(inbox.take(&board, 0, 4000).await);
        }
        (packets, messages)
    };
    let (packets, messages) = push(false, sender, receiver);
    // 16 messages of 4000 bytes are 64000; of the next one, 1536 bytes are free for the first 2024.
    assert_eq!(packets, 2 * 16);
    let expected: Vec<_> = (0..COUNT).map(|number| message(number, 4000).1).collect();
    assert!(messages == expected);
}

#[test]
fn lhs_splits_messages_between_lh_buffer_and_ring() {
    const LENGTHS: [usize; 8] = [0, 1, 48, 49, 500, 2024, 2025, 6000];
    for wid in [false, true] {
        for version in [1, 2] {
            let sender = move |mut board: Board| async move {
                for (number, length) in LENGTHS.into_iter().enumerate() {
                    let (envelope, data) = message(number as u32, length);
                    store(&mut board, 0x100, &[&envelope.bits().to_le_bytes()[..], &data].concat()).await;
                    let size = length as u32;
                    if version == 1 {
                        let from = Source::Contiguous { offset: 0x100, size: 8 + size };
                        board.lhs_v1(peer(0, wid), from, true).await;
                    } else {
                        let from = Source::Contiguous { offset: 0x108, size };
                        board.lhs_v2(peer(0, wid), number as u8 % 4, envelope, from, true).await;
                    }
                }
            };
            let receiver = |mut board: Board, mut inbox: Inbox| async move {
                let mut messages = vec![];
                for _ in LENGTHS {
                    // All packets of the message are stored.
                    let (lower, _) = board.next_status().await;
                    let message = inbox.next_message(&board, 0).await;
                    messages.push((message, lower.size_list_stride as usize));
                }
                messages
            };
            let expected: Vec<_> = LENGTHS
                .into_iter()
                .enumerate()
                .map(|(number, length)| (message(number as u32, length), 8 + length))
                .collect();
            assert!(push(wid, sender, receiver) == expected, "LHSv{version} of process {wid}");
        }
    }
}
