//! Invalid input from the cable or the host, in lockstep: nothing is delivered, nothing hangs, and a counter,
//! status or cause reports it.

use cosim::Lockstep;
use hca::Hca;
use hca::contexts::{Attributes, Kind};
use hca::layout::SendWqe;
use hca::layout::Status;
use hca::pins::HostIn;
use hca::registers::{Doorbell, Register, cause};
use hca::traffic::connection::Connection;
use hca::traffic::datagrams::{COMPLETIONS, Datagrams, KEY, RECEIVE_RING, SEND_RING};
use hca::traffic::pair::Pair;
use hca::traffic::wire::{Faults, bytes, with_icrc};
use hdl::Model;

use crate::board::adapter;

/// QPN of the program on the second host, whose adapter gets the input.
const PEER: u8 = 9;

struct Bench {
    pair: Pair<Lockstep<Model<Hca>>>,
    programs: [Datagrams; 2],
}

impl Bench {
    fn new() -> Self {
        let mut pair = Pair::new([0, 1].map(|_| adapter(1, "bad_input")), 1, Faults::default());
        let programs =
            [(0, 1, 2), (1, 2, PEER)].map(|(i, lid, qpn)| Datagrams::new(&mut pair.hosts[i], lid, qpn));
        let mut bench = Self { pair, programs };
        bench.run(120);
        bench
    }

    /// Runs for a number of microseconds and polls for CQEs.
    fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
        for (program, host) in self.programs.iter_mut().zip(&mut self.pair.hosts) {
            (0..8).for_each(|_| program.poll(host));
        }
    }

    fn device(&self) -> &Hca {
        self.pair.adapters[1].model().device()
    }

    /// A packet that arrives at the second adapter.
    fn arrive(&mut self, packet: &[u8]) {
        self.pair.wires[0].inject_packet(packet);
        self.run(10);
    }

    fn send(&mut self, bytes: &[u8]) {
        self.programs[0].send(&mut self.pair.hosts[0], 2, PEER.into(), bytes, None);
        self.run(20);
    }

    fn causes(&self) -> u16 {
        self.device().events.causes
    }

    /// Datagrams still arrive, and no other packet did.
    fn still_works(&mut self, delivered: usize) {
        assert_eq!(self.programs[1].received.len(), delivered);
        self.send(b"good");
        assert_eq!(self.programs[1].received.last().expect("it has arrived").bytes, b"good");
        assert_eq!(self.programs[1].received.len(), delivered + 1);
        for adapter in &mut self.pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(self.pair.hosts.iter().all(|host| host.strays == 0));
    }
}

/// A datagram of 8 bytes for the second program.
fn datagram() -> Vec<u8> {
    let lrh = [0x00, 0x02, 0x00, 0x02, 0x00, 10, 0x00, 0x01];
    let bth = [0x64, 0x00, 0xff, 0xff, 0, 0, 0, PEER, 0, 0, 0, 0];
    let deth = [0x12, 0x34, 0x56, 0x78, 0, 0, 0, 2];
    [&lrh[..], &bth, &deth, b"contents"].concat()
}

#[test]
fn packet_with_something_wrong_is_dropped_and_counted() {
    let mut bench = Bench::new();
    bench.arrive(&datagram());
    assert_eq!(bench.programs[1].received.len(), 1, "the one with nothing wrong arrives");
    let mut wrong = |at: usize, value: u8| {
        let mut packet = datagram();
        packet[at] = value;
        bench.arrive(&packet);
        let c = bench.device().receive_engine.counts;
        [c.foreign, c.malformed, c.unknown_qp, c.wrong_q_key, c.no_receive]
    };
    assert_eq!(wrong(3, 7), [1, 0, 0, 0, 0], "LID of another port");
    assert_eq!(wrong(0, 0x01), [1, 1, 0, 0, 0], "link version");
    assert_eq!(wrong(1, 0x03), [1, 2, 0, 0, 0], "a global route header");
    assert_eq!(wrong(8, 0x7f), [1, 3, 0, 0, 0], "an operation code that does not exist");
    assert_eq!(wrong(8, 0x11), [1, 4, 0, 0, 0], "an answer with data");
    assert_eq!(wrong(9, 0x01), [1, 5, 0, 0, 0], "transport version");
    assert_eq!(wrong(8, 0x04), [1, 5, 1, 0, 0], "a packet of a connection");
    assert_eq!(wrong(14, 1), [1, 5, 2, 0, 0], "a QPN beyond all");
    assert_eq!(wrong(15, 5), [1, 5, 3, 0, 0], "a QPN of nobody");
    assert_eq!(wrong(23, 0), [1, 5, 3, 1, 0], "Q_Key");
    // More pad bytes than data: an empty datagram.
    let mut packet = datagram();
    packet.truncate(28);
    (packet[5], packet[9]) = (8, 0x30);
    bench.arrive(&packet);
    assert_eq!(bench.device().receive_engine.counts.malformed, 6);
    bench.still_works(1);
}

#[test]
fn packet_of_wrong_length_or_check_sum_never_reaches_the_engine() {
    let mut bench = Bench::new();
    let good = with_icrc(&datagram());
    for at in 0..good.len() {
        let mut words = good.clone();
        words[at] ^= 0x0100;
        bench.pair.wires[0].inject(&words);
    }
    // Packets shorter and longer than their header, of one word, and of very many.
    bench.pair.wires[0].inject(&good[..3]);
    bench.pair.wires[0].inject(&[&good[..], &[0]].concat());
    bench.pair.wires[0].inject(&good[..1]);
    bench.pair.wires[0].inject(&vec![0x0102_0304_0506_0708; 3_000]);
    bench.run(60);
    let counts = bench.device().link_receive.counts;
    assert_eq!((counts.icrc_errors, counts.length_errors), (good.len() as u16, 4));
    bench.still_works(0);
}

#[test]
fn datagram_without_a_receive_request_is_lost() {
    let mut bench = Bench::new();
    let ready = 1 << RECEIVE_RING.1;
    for _ in 0..ready + 3 {
        bench.pair.wires[0].inject_packet(&datagram());
    }
    // No program polls in between.
    bench.pair.run_until(100_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(bench.device().receive_engine.counts.no_receive, 3);
    (0..4).for_each(|_| bench.run(10));
    bench.still_works(ready);
}

#[test]
fn datagram_without_room_or_key_ends_in_a_status() {
    for (length, key, status) in [(47, KEY, Status::LengthError), (48, KEY ^ 0x1000, Status::ProtectionError)]
    {
        let mut bench = Bench::new();
        let before = bench.pair.hosts[1].load(0x4_0000, 4096);
        // The first WQE of the ring is changed before it is taken.
        bench.pair.hosts[1].put_receive(RECEIVE_RING.0, RECEIVE_RING.1, 0, 0x4_0001, length, key);
        bench.arrive(&datagram());
        bench.run(1);
        assert_eq!(bench.programs[1].errors.len(), 1);
        assert_eq!(bench.programs[1].errors[0].status, status.code());
        assert_eq!(bench.pair.hosts[1].load(0x4_0000, 4096), before, "nothing is written");
        bench.still_works(0);
    }
}

#[test]
fn completion_queue_that_is_full_is_broken_and_says_so() {
    let mut bench = Bench::new();
    let room = 1u16 << COMPLETIONS.1;
    let ready = 1u16 << RECEIVE_RING.1;
    // Receive WQEs are posted again and again, CQEs are not taken.
    for _ in 0..3 {
        let program = &mut bench.programs[1];
        for _ in 0..ready {
            bench.pair.wires[0].inject_packet(&datagram());
        }
        bench.pair.run_until(60_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
        program.posted += ready;
        bench.pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, program.posted, false);
    }
    assert_eq!(bench.device().completion.overflows, 3 * ready - room);
    assert_ne!(bench.causes() & cause::OVERFLOW, 0);
    // The written CQEs are there, and the first place was not overwritten.
    let count = (0..2 * room)
        .take_while(|&i| bench.pair.hosts[1].poll(COMPLETIONS.0, COMPLETIONS.1, i).is_some())
        .count();
    assert_eq!(count, usize::from(room));
}

#[test]
fn doorbell_beyond_its_ring_kills_the_queue_and_nothing_else() {
    let mut bench = Bench::new();
    // The receive queue of the second adapter.
    bench.pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 17, false);
    bench.arrive(&datagram());
    assert!(bench.programs[1].received.is_empty() && bench.causes() & cause::QUEUE_PAIR != 0);
    bench.arrive(&datagram());
    assert_eq!(bench.device().receive_engine.counts.unknown_qp, 1, "it is dead");
    // The send queue of the second adapter.
    bench.pair.hosts[1].ring(Doorbell::SendBell, PEER, (1 << SEND_RING.1) + 1, false);
    bench.run(10);
    bench.pair.hosts[1].ring(Doorbell::SendBell, PEER, 1, false);
    bench.run(10);
    assert!(bench.pair.wires[1].sent.is_empty());
    // The queue works after a new set-up.
    bench.pair.hosts[1].set_pair(PEER, Datagrams::attributes());
    bench.run(60);
    bench.programs[1].posted = 0;
    for count in 0..16 {
        bench.pair.hosts[1].put_receive(
            RECEIVE_RING.0,
            RECEIVE_RING.1,
            count,
            0x4_0001 + 2_305 * u32::from(count),
            2_088,
            KEY,
        );
    }
    bench.pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 16, false);
    bench.run(10);
    bench.programs[1].posted = 16;
    bench.still_works(0);
}

#[test]
fn queue_pair_of_another_service_or_none_takes_no_datagram() {
    for attributes in [Attributes { connected: true, ..Datagrams::attributes() }, Attributes::default()] {
        let mut bench = Bench::new();
        bench.pair.hosts[1].set_pair(PEER, attributes);
        bench.run(60);
        bench.pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 16, false);
        bench.run(10);
        bench.arrive(&datagram());
        assert_eq!(bench.device().receive_engine.counts.unknown_qp, 1);
        assert!(bench.pair.wires[1].sent.is_empty());
        assert!(bench.programs.iter().all(|program| program.received.is_empty()));
    }
}

#[test]
fn malformed_packet_breaks_its_connection() {
    // A middle packet without a first one; a first packet that is not full.
    for kind in [0x01, 0x00] {
        let mut bench = Bench::new();
        let attributes =
            Attributes { connected: true, peer_lid: 1, peer: 2, mtu: 1, ..Datagrams::attributes() };
        bench.pair.hosts[1].set_pair(PEER, attributes);
        bench.run(60);
        bench.pair.hosts[1].ring(Doorbell::ReceiveBell, PEER, 16, false);
        bench.run(10);
        let lrh = [0x00, 0x02, 0x00, 0x02, 0x00, 8, 0x00, 0x01];
        let bth = [kind, 0x00, 0xff, 0xff, 0, 0, 0, PEER, 0x80, 0, 0, 0];
        let packet = [&lrh[..], &bth, b"contents"].concat();
        bench.arrive(&packet);
        assert!(bench.programs[1].received.is_empty() && bench.causes() & cause::QUEUE_PAIR != 0);
        // The answer is a NAK, invalid request; packets after it are dropped.
        let answer = bytes(&bench.pair.wires[1].sent[0]).expect("its length is right");
        assert_eq!((answer[8], answer[20]), (0x11, 0x61));
        bench.arrive(&packet);
        assert_eq!(bench.device().receive_engine.counts.unknown_qp, 1);
        assert_eq!(bench.pair.wires[1].sent.len(), 1);
    }
}

#[test]
fn request_whose_length_changes_under_way_is_refused() {
    let mut pair = Pair::new([0, 1].map(|_| adapter(1, "request_whose")), 1, Faults::default());
    let mut programs = [(0, 1, 2, 2, 9), (1, 2, 9, 1, 2)].map(|(i, lid, qpn, peer_lid, peer)| {
        Connection::new(&mut pair.hosts[i], lid, qpn, Connection::attributes(peer_lid, peer))
    });
    pair.run_until(250_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    // Without a receive WQE at the peer, the request is outstanding when its owner makes it longer.
    programs[0].send(&mut pair.hosts[0], b"a message", None);
    pair.run_until(5_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    let wqe = SendWqe { length: 100_000, ..programs[0].request(0) };
    pair.hosts[0].put_send(SEND_RING.0, SEND_RING.1, 0, &SendWqe { address: 0x1_0003, ..wqe });
    pair.run_until(300_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    programs[0].poll(&mut pair.hosts[0]);
    assert_eq!(programs[0].errors[0].status, Status::LengthError.code());
}

#[test]
fn low_bits_of_the_base_of_a_receive_ring_do_not_count() {
    let mut bench = Bench::new();
    let attributes = Attributes { receive_base: RECEIVE_RING.0 | 5, ..Datagrams::attributes() };
    bench.programs[1] = Datagrams::with(&mut bench.pair.hosts[1], 2, PEER, attributes);
    bench.run(120);
    bench.still_works(0);
}

#[test]
fn access_that_is_not_allowed_does_nothing_and_is_counted() {
    let mut bench = Bench::new();
    let user = HostIn { user: true, ..HostIn::default() };
    let command =
        |kind: Kind, row| HostIn { address: 0x10, wdata: kind.word(row), write: true, ..HostIn::default() };
    let refused = [
        // A user at registers; addresses without a register; doorbells of queues and commands of rows that do
        // not exist.
        HostIn { address: 0, wdata: 0, write: true, ..user },
        HostIn { address: 0x10, wdata: 0x1000, write: true, ..user },
        HostIn { address: 0x0c, ..user },
        HostIn { address: 0x2000, write: true, ..HostIn::default() },
        HostIn { address: 0x1010, ..user },
        HostIn { address: 0x1014, wdata: 0x0001_0001, write: true, ..user },
        HostIn { address: 0x1028, wdata: 0x0001_0004, write: true, ..user },
        command(Kind::SharedQueue, 4),
        command(Kind::Limit, 0x404),
        command(Kind::Group, 64),
        HostIn { address: 0x10, wdata: 0x9000, write: true, ..HostIn::default() },
        HostIn { address: 0x10, wdata: 0xf000, write: true, ..HostIn::default() },
        command(Kind::Completion, 256),
        command(Kind::Pair, 256),
        command(Kind::Report, 0x800),
    ];
    for access in refused {
        bench.pair.hosts[1].access(access);
    }
    bench.run(400);
    assert_eq!(usize::from(bench.device().host_port.refused), refused.len());
    assert_ne!(bench.causes() & cause::ACCESS, 0);
    bench.pair.hosts[1].write_register(Register::InterruptCause, 0x1ff);
    bench.run(1);
    assert_eq!(bench.causes(), 0);
    bench.still_works(0);
}
