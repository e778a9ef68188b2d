//! Multicast groups in lockstep: each queue pair of a group gets a datagram once.

use cosim::Lockstep;
use hca::Hca;
use hca::contexts::Attributes;
use hca::layout::{GRH_BYTES, MULTICAST_LIDS, MULTICAST_PAIR, PacketKind};
use hca::numbers::Numbers;
use hca::traffic::datagrams::{COMPLETIONS, Datagrams, Q_KEY};
use hca::traffic::packet::Packet;
use hca::traffic::pair::Pair;
use hca::traffic::wire::Faults;
use hdl::Model;

use crate::board::adapter;

/// The group, and its queue pairs: two share their buffers, and one has none.
const GROUP: u8 = 3;
const PAIRS: [u8; 2] = [4, 73];
const POOR: u8 = 255;

struct Bench {
    pair: Pair<Lockstep<Model<Hca>>>,
    programs: [Datagrams; 2],
}

impl Bench {
    fn new() -> Self {
        let mut pair = Pair::new([0, 1].map(|_| adapter(1, "groups")), 1, Faults::default());
        let shared = Attributes { shared: true, shared_queue: 2, ..Datagrams::attributes() };
        let first = Datagrams::new(&mut pair.hosts[0], 1, 2);
        let host = &mut pair.hosts[1];
        let second = Datagrams::with(host, 2, PAIRS[0], shared);
        host.set_pair(PAIRS[1], shared);
        host.set_pair(POOR, Datagrams::attributes());
        host.set_group(GROUP, &PAIRS.into_iter().chain([POOR]).collect());
        let mut bench = Self { pair, programs: [first, second] };
        bench.run(350);
        bench
    }

    fn run(&mut self, us: u64) {
        self.pair.run_until(us * 1_000_000, |_| false).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Packets dropped by the second adapter: for other ports, for no queue pair, with a wrong Q_Key, without a WQE.
    fn dropped(&self) -> [u16; 4] {
        let counts = self.pair.adapters[1].model().device().receive_engine.counts;
        [counts.foreign, counts.unknown_qp, counts.wrong_q_key, counts.no_receive]
    }

    fn inject(&mut self, lid: u16, pair: u32, change: impl Fn(Packet) -> Packet) {
        let packet = Packet::new(PacketKind::DatagramSend, (1, lid), pair, 0).datagram(Q_KEY, 2);
        self.pair.wires[0].inject_packet(&change(packet.data(b"to some")).bytes());
        self.run(15);
    }

    /// Queue pair, source and bytes of each CQE of the second adapter.
    fn received(&self) -> Vec<(u8, u32, u32)> {
        let host = &self.pair.hosts[1];
        let cqe = |count| host.poll(COMPLETIONS.0, COMPLETIONS.1, count);
        (0..32).map_while(cqe).map(|cqe| (cqe.pair, cqe.source, cqe.bytes - GRH_BYTES)).collect()
    }

    fn finish(&mut self) {
        for adapter in &mut self.pair.adapters {
            adapter.compare_memories().unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(self.pair.hosts.iter().all(|host| host.strays == 0));
    }
}

#[test]
fn datagram_goes_to_each_queue_pair_of_its_group() {
    let mut bench = Bench::new();
    for text in [&b"to all"[..], b"again"] {
        let lid = MULTICAST_LIDS | u16::from(GROUP);
        bench.programs[0].send(&mut bench.pair.hosts[0], lid, MULTICAST_PAIR, text, None);
        bench.run(20);
    }
    let [one, other] = PAIRS;
    assert_eq!(bench.received(), [(one, 2, 6), (other, 2, 6), (one, 2, 5), (other, 2, 5)]);
    assert_eq!(bench.dropped(), [0, 0, 0, 2]);
    (0..4).for_each(|_| bench.programs[1].poll(&mut bench.pair.hosts[1]));
    let texts: Vec<_> = bench.programs[1].received.iter().map(|datagram| &datagram.bytes[..]).collect();
    assert_eq!(texts, [&b"to all"[..], b"to all", b"again", b"again"]);
    bench.finish();
}

#[test]
fn packets_that_no_group_takes_are_counted() {
    let mut bench = Bench::new();
    let group = MULTICAST_LIDS | u16::from(GROUP);
    // Another group, no group, one of 16, and a port.
    bench.inject(group + 1, MULTICAST_PAIR, |packet| packet);
    bench.inject(group | 0x10, MULTICAST_PAIR, |packet| packet);
    assert_eq!(bench.dropped(), [2, 0, 0, 0]);
    bench.inject(2, MULTICAST_PAIR, |packet| packet);
    // Neither a queue pair of the group nor a connection gets a packet by the LID of the group.
    bench.inject(group, PAIRS[0].into(), |packet| packet);
    bench.inject(group, MULTICAST_PAIR, |packet| Packet {
        kind: PacketKind::SendOnly.code(),
        extension: vec![],
        ..packet
    });
    assert_eq!(bench.dropped(), [2, 3, 0, 0]);
    // A wrong Q_Key concerns each of them.
    bench.inject(group, MULTICAST_PAIR, |packet| packet.datagram(Q_KEY ^ 1, 2));
    assert_eq!(bench.dropped(), [2, 3, 3, 0]);
    // A queue pair that is not set up, between others.
    let members = [PAIRS[0], 7, PAIRS[1]].into_iter().collect();
    bench.pair.hosts[1].set_group(GROUP, &members);
    bench.run(150);
    bench.inject(group, MULTICAST_PAIR, |packet| packet);
    assert_eq!(bench.dropped(), [2, 4, 3, 0]);
    assert_eq!(bench.received(), [(PAIRS[0], 2, 7), (PAIRS[1], 2, 7)]);
    bench.pair.hosts[1].set_group(GROUP, &Numbers::default());
    bench.run(150);
    bench.inject(group, MULTICAST_PAIR, |packet| packet);
    assert_eq!(bench.dropped(), [3, 4, 3, 0]);
    bench.finish();
}
