//! The protocol of the paper at its edges: one endpoint, whose peer is played by hand.

use std::time::Duration;

use suci::paper::Repairs;
use suci::paper::packet::{HEADER, Header, Kind, parse, put};
use suci::{Config, Dropped, Endpoint, Event, Instant, Peer, Rules, Security, SendError};

use crate::network::address;

/// Epoch of the peer, which is node 2.
const THERE: u16 = 0x0900;
/// Epoch of the endpoint, which is node 1.
const HERE: u16 = 0x0102;
/// Bytes of a full packet.
const PART: usize = 1_200 - HEADER;

fn config(repairs: Repairs) -> Config {
    Config {
        id: 1,
        database: vec![(address(2), 2), (address(3), 3)],
        window: 4 * PART,
        queue: 8 * PART,
        largest_block: 2 * PART,
        ..Config::new(Rules::Paper(repairs), Security::Trusted)
    }
}

/// The endpoint, and the time.
struct Bench {
    node: Endpoint,
    now: Instant,
    peer: Peer,
}

impl Bench {
    /// An endpoint that has not heard its peer.
    fn new(config: Config) -> Self {
        let mut seed = [7; 32];
        seed[..2].copy_from_slice(&HERE.to_be_bytes());
        let mut node = Endpoint::new(config, seed).expect("the configuration is valid");
        let now = Instant::ZERO + Duration::from_secs(1);
        let peer = node.connect(now, address(2)).expect("it is in the database");
        Self { node, now, peer }
    }

    /// An endpoint that knows the epoch of its peer, with nothing to send.
    fn met(config: Config) -> Self {
        let mut bench = Self::new(config);
        bench.hear(&Header { peer_epoch: 0, ..header(Kind::Probe, 0, 0) }, b"");
        assert_eq!(bench.kinds(), [Kind::Ack], "it tells its epoch");
        bench
    }

    /// A packet of the peer arrives.
    fn hear(&mut self, header: &Header, data: &[u8]) {
        let mut bytes = Vec::new();
        put(&mut bytes, header, data);
        self.node.input(self.now, address(2), &bytes);
    }

    /// All packets that leave now.
    fn sent(&mut self) -> Vec<(Header, Vec<u8>)> {
        let mut sent = Vec::new();
        while let Some(transmit) = self.node.poll_transmit(self.now) {
            let (header, data) = parse(transmit.bytes).expect("it is a packet");
            sent.push((header, data.to_vec()));
        }
        sent
    }

    fn kinds(&mut self) -> Vec<Kind> {
        self.sent().into_iter().map(|(header, _)| header.kind).collect()
    }

    fn numbers(&mut self) -> Vec<u32> {
        self.sent().into_iter().map(|(header, _)| header.number).collect()
    }

    /// Queues blocks of these lengths.
    fn queue(&mut self, lengths: &[usize]) {
        for length in lengths {
            self.node.send(self.peer, 0, &vec![1; *length]).expect("the queue has room");
        }
    }

    fn dropped(&self, why: Dropped) -> u64 {
        self.node.counters().dropped(why)
    }

    /// Lengths of the blocks that have come.
    fn blocks(&mut self) -> Vec<usize> {
        let mut blocks = Vec::new();
        while let Some(event) = self.node.poll_event() {
            if let Event::Block { block, .. } = event {
                blocks.push(block.len());
            }
        }
        blocks
    }

    /// Time until the timer of the peer expires.
    fn timer(&self) -> Option<Duration> {
        self.node.poll_timeout().map(|at| at.since(self.now))
    }
}

/// A packet of the peer in its epoch.
fn header(kind: Kind, number: u32, window: usize) -> Header {
    let head = number;
    Header { number, head, to: 1, from: 2, kind, window: window as u32, epoch: THERE, peer_epoch: HERE }
}

/// The header with one bit of a field of 16 bits flipped, for each bit.
fn flips(header: Header, field: fn(&mut Header) -> &mut u16) -> impl Iterator<Item = Header> {
    (0..16).map(move |bit| {
        let mut flipped = header;
        *field(&mut flipped) ^= 1 << bit;
        flipped
    })
}

#[test]
fn each_bit_of_both_node_numbers_counts() {
    for kind in [Kind::Last, Kind::Probe, Kind::Request] {
        let data: &[u8] = if kind == Kind::Last { b"x" } else { b"" };
        let good = header(kind, 1, 100);
        let to = flips(good, |header| &mut header.to);
        for (count, wrong) in (1..).zip(to.chain(flips(good, |header| &mut header.from))) {
            let mut bench = Bench::met(config(Repairs::ALL));
            bench.hear(&wrong, data);
            assert_eq!(bench.dropped(Dropped::Misdirected), 1, "{kind:?} {count}");
            assert!(bench.sent().is_empty() && bench.blocks().is_empty(), "{kind:?} {count}");
            bench.hear(&good, data);
            assert_eq!(bench.sent().len(), 1, "{kind:?}: the right one is answered");
        }
    }
}

#[test]
fn node_of_the_database_does_not_speak_for_another_one() {
    let mut bench = Bench::met(config(Repairs::ALL));
    let mut bytes = Vec::new();
    put(&mut bytes, &header(Kind::Last, 1, 0), b"x");
    bench.node.input(bench.now, address(3), &bytes);
    assert_eq!((bench.dropped(Dropped::Misdirected), bench.blocks().len()), (1, 0));
}

#[test]
fn packet_for_another_incarnation_is_stale_whatever_bit_differs() {
    for wrong in flips(header(Kind::Last, 1, 0), |header| &mut header.peer_epoch) {
        let mut bench = Bench::met(config(Repairs::ALL));
        bench.hear(&wrong, b"x");
        assert_eq!(bench.dropped(Dropped::Stale), 1, "{wrong:?}");
        assert!(bench.blocks().is_empty(), "{wrong:?}");
        assert_eq!(bench.kinds(), [Kind::Ack], "its sender learns the epoch");
    }
    // An ACK is not answered, and frees nothing.
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.queue(&[10]);
    assert_eq!(bench.numbers(), [1]);
    for wrong in flips(header(Kind::Ack, 1, 4 * PART), |header| &mut header.peer_epoch) {
        bench.hear(&wrong, b"");
    }
    assert_eq!(bench.node.flow(bench.peer).expect("a peer").queued_blocks, 1);
    assert!(bench.sent().is_empty());
    bench.hear(&header(Kind::Ack, 1, 4 * PART), b"");
    assert_eq!(bench.node.flow(bench.peer).expect("a peer").queued_blocks, 0);
}

#[test]
fn incarnation_before_is_stale_and_the_one_before_that_is_new() {
    let mut bench = Bench::met(config(Repairs::ALL));
    let of = |epoch: u16| Header { epoch, ..header(Kind::Last, 1, 0) };
    let restarts = |bench: &mut Bench| {
        let mut count = 0;
        while let Some(event) = bench.node.poll_event() {
            count += usize::from(matches!(event, Event::Restarted { .. }));
        }
        count
    };
    bench.hear(&of(0), b"x");
    assert_eq!((bench.dropped(Dropped::Stale), restarts(&mut bench)), (1, 0), "no epoch");
    bench.hear(&of(THERE + 1), b"x");
    assert_eq!((bench.dropped(Dropped::Stale), restarts(&mut bench)), (1, 1));
    bench.hear(&of(THERE), b"x");
    assert_eq!((bench.dropped(Dropped::Stale), restarts(&mut bench)), (2, 0));
    bench.hear(&of(THERE + 2), b"x");
    bench.hear(&of(THERE), b"x");
    assert_eq!((bench.dropped(Dropped::Stale), restarts(&mut bench)), (2, 2));
}

#[test]
fn restarted_peer_gives_its_permit_back() {
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.hear(&header(Kind::Request, 1, 1_000), b"");
    assert_eq!((bench.kinds(), bench.node.permitted()), (vec![Kind::Permit], 1_000));
    bench.hear(&Header { epoch: THERE + 1, ..header(Kind::Probe, 0, 0) }, b"");
    assert_eq!(bench.node.permitted(), 0);
}

#[test]
fn packets_of_two_blocks_do_not_mix_whatever_bit_differs() {
    // The first packet of a block names itself as its head.
    for bit in 0..32 {
        let mut bench = Bench::met(config(Repairs::ALL));
        bench.hear(&Header { head: 1 ^ 1 << bit, ..header(Kind::Last, 1, 0) }, b"x");
        assert_eq!((bench.dropped(Dropped::Malformed), bench.blocks().len()), (1, 0), "bit {bit}");
    }
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.hear(&header(Kind::Data, 1, 0), b"a");
    assert_eq!(bench.numbers(), [1]);
    for bit in 0..32 {
        bench.hear(&Header { head: 1 ^ 1 << bit, ..header(Kind::Last, 2, 0) }, b"b");
        assert_eq!(bench.dropped(Dropped::Malformed), bit + 1, "bit {bit}");
        assert!(bench.sent().is_empty() && bench.blocks().is_empty(), "bit {bit}");
    }
    bench.hear(&Header { head: 1, ..header(Kind::Last, 2, 0) }, b"b");
    assert_eq!((bench.numbers(), bench.blocks()), (vec![2], vec![2]));
}

#[test]
fn input_queue_is_filled_to_its_last_byte_and_not_beyond() {
    for over in [0, 1] {
        let mut bench = Bench::met(config(Repairs::ALL));
        for number in 1..4 {
            bench.hear(&header(Kind::Last, number, 0), &[1; PART]);
        }
        let answers = bench.sent();
        assert_eq!(answers.last().map(|(header, _)| header.window), Some(PART as u32));
        bench.hear(&header(Kind::Last, 4, 0), &[1]);
        assert_eq!(bench.numbers(), [4]);
        bench.hear(&header(Kind::Last, 5, 0), &vec![1; PART - 1 + over]);
        let answers: Vec<_> =
            bench.sent().iter().map(|(header, _)| (header.kind, header.number, header.window)).collect();
        let (kind, window) = if over == 0 { (Kind::Ack, 0) } else { (Kind::Nack, PART as u32 - 1) };
        assert_eq!(answers, [(kind, 5, window)]);
        assert_eq!(bench.dropped(Dropped::NoRoom), over as u64);
        assert_eq!(bench.blocks().len(), 5 - over);
    }
}

#[test]
fn window_is_filled_to_its_last_byte_and_not_beyond() {
    for short in [0, 1] {
        let mut bench = Bench::met(config(Repairs::ALL));
        bench.hear(&header(Kind::Ack, 0, 300 - short), b"");
        bench.queue(&[100, 100, 100, 100]);
        let packets = if short == 0 { vec![1, 2, 3] } else { vec![1, 2] };
        assert_eq!(bench.numbers(), packets);
        // Each ACK opens the window for as much as it frees.
        bench.hear(&header(Kind::Ack, 1, 300 - short), b"");
        assert_eq!(bench.numbers(), [packets.len() as u32 + 1]);
    }
    // A packet that the window never admits is not sent, and its sender asks.
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.hear(&header(Kind::Ack, 0, 99), b"");
    bench.queue(&[100]);
    assert!(bench.sent().is_empty() && bench.timer().is_some());
    bench.hear(&header(Kind::Ack, 0, 100), b"");
    assert_eq!(bench.numbers(), [1]);
}

#[test]
fn output_queue_is_filled_to_its_last_byte_and_not_beyond() {
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.queue(&[2 * PART; 3]);
    assert!(matches!(bench.node.send(bench.peer, 0, &vec![1; 2 * PART + 1]), Err(SendError::Full { .. })));
    bench.queue(&[2 * PART]);
    assert!(matches!(bench.node.send(bench.peer, 0, &[1]), Err(SendError::Full { .. })));
    assert_eq!(bench.node.flow(bench.peer).expect("a peer").room, 0);
    // Writable is told once, when half of the queue is free again.
    assert_eq!(bench.numbers(), [1, 2, 3, 4]);
    let mut writable = Vec::new();
    for number in [1, 2, 3, 4] {
        bench.hear(&header(Kind::Ack, number, 4 * PART), b"");
        while let Some(event) = bench.node.poll_event() {
            writable.extend(matches!(event, Event::Writable { .. }).then_some(number));
        }
    }
    assert_eq!(writable, [4]);
}

#[test]
fn progress_restarts_the_timer_and_forgets_the_expiries_before() {
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.queue(&[100, 100]);
    assert_eq!(bench.numbers(), [1, 2]);
    let first = bench.timer().expect("two packets are in flight");
    // Two expiries double the time twice. Both packets are sent again, so their ACKs measure nothing.
    for (expiries, times) in [(1, 2), (2, 4)] {
        bench.now = bench.now + bench.timer().expect("it runs");
        assert_eq!(bench.numbers(), [1, 2], "after {expiries} expiries");
        assert_eq!(bench.timer(), Some(first * times), "after {expiries} expiries");
    }
    bench.now = bench.now + first;
    assert_eq!((bench.sent().len(), bench.timer()), (0, Some(first * 3)), "time alone restarts nothing");
    bench.hear(&header(Kind::Ack, 1, 4 * PART), b"");
    assert_eq!((bench.sent().len(), bench.timer()), (0, Some(first)));
    // An ACK of the same number again is no progress.
    bench.now = bench.now + first / 2;
    bench.hear(&header(Kind::Ack, 1, 4 * PART), b"");
    assert_eq!((bench.sent().len(), bench.timer()), (0, Some(first / 2)));
    bench.hear(&header(Kind::Ack, 2, 4 * PART), b"");
    assert_eq!((bench.sent().len(), bench.timer()), (0, None), "nothing is in flight");
}

#[test]
fn one_acknowledgement_leaves_for_packets_that_come_at_once() {
    for (repairs, numbers) in [(Repairs::ALL, vec![3]), (Repairs::NONE, vec![1, 2, 3])] {
        let mut bench = Bench::new(config(repairs));
        let epochs = if repairs.epochs { (THERE, HERE) } else { (0, 0) };
        let of = |number| Header { epoch: epochs.0, peer_epoch: epochs.1, ..header(Kind::Last, number, 0) };
        for number in 1..4 {
            bench.hear(&of(number), b"x");
        }
        let sent = bench.sent();
        assert!(sent.iter().all(|(header, _)| header.kind == Kind::Ack));
        assert_eq!(sent.iter().map(|(header, _)| header.number).collect::<Vec<_>>(), numbers);
    }
    // A NACK and a permit that wait are no acknowledgements: both leave.
    let mut bench = Bench::met(config(Repairs::ALL));
    bench.hear(&header(Kind::Last, 1, 0), b"x");
    bench.hear(&header(Kind::Last, 3, 0), b"x");
    bench.hear(&header(Kind::Request, 1, 10), b"");
    bench.hear(&header(Kind::Last, 2, 0), b"x");
    let sent: Vec<_> = bench.sent().iter().map(|(header, _)| (header.kind, header.number)).collect();
    assert_eq!(sent, [(Kind::Nack, 2), (Kind::Permit, 1), (Kind::Ack, 2)]);
}

#[test]
fn permit_counts_in_its_time_and_for_its_request_alone() {
    for (late, number, resent) in
        [(-1i64, 1, true), (0, 1, false), (1, 1, false), (-1, 0, false), (-1, 2, false)]
    {
        let mut bench = Bench::met(Config { congested: 2, ..config(Repairs::ALL) });
        bench.queue(&[100, 100, 100]);
        assert_eq!(bench.numbers(), [1, 2, 3]);
        bench.node.retransmit(bench.peer);
        let sent = bench.sent();
        let [(request, _)] = &sent[..] else { panic!("a request alone: {sent:?}") };
        assert_eq!((request.kind, request.number, request.window), (Kind::Request, 1, 300));
        let patience = i64::from(request.head) + late;
        bench.now = bench.now + Duration::from_micros(patience as u64);
        bench.hear(&header(Kind::Permit, number, 200), b"");
        let stale = bench.dropped(Dropped::Stale);
        assert_eq!(stale, u64::from(late >= 0), "{late}");
        let data: Vec<_> = bench
            .sent()
            .iter()
            .filter(|(_, data)| !data.is_empty())
            .map(|(header, _)| header.number)
            .collect();
        // Two packets have exactly the permitted bytes.
        let permitted = data.starts_with(&[1, 2]) && data.len() == 2;
        assert_eq!(permitted, resent, "{late} {number}: {data:?}");
    }
}

#[test]
fn permit_is_spent_to_its_last_byte() {
    for (bytes, numbers) in
        [(99, vec![]), (100, vec![1]), (199, vec![1]), (200, vec![1, 2]), (300, vec![1, 2, 3])]
    {
        let mut bench = Bench::met(Config { congested: 3, ..config(Repairs::ALL) });
        bench.queue(&[100, 100, 100]);
        assert_eq!(bench.numbers(), [1, 2, 3]);
        bench.node.retransmit(bench.peer);
        assert_eq!(bench.kinds(), [Kind::Request]);
        bench.hear(&header(Kind::Permit, 1, bytes), b"");
        assert_eq!(bench.numbers(), numbers, "{bytes}");
    }
}

#[test]
fn sender_asks_from_the_configured_number_of_packets_on() {
    for (congested, kinds) in [(3, vec![Kind::Request]), (4, vec![Kind::Last; 3])] {
        let mut bench = Bench::met(Config { congested, ..config(Repairs::ALL) });
        bench.queue(&[100, 100, 100]);
        assert_eq!(bench.numbers(), [1, 2, 3]);
        bench.node.retransmit(bench.peer);
        assert_eq!(bench.kinds(), kinds, "{congested}");
    }
}
