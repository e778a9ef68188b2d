use std::collections::VecDeque;

use cluster::Time;
use ethernet::{Host as _, OverTcp, Tcp};
use mpi::carrier::{Carrier, Packet, Sent, Wait};
use mpi::{Envelope, Host, PacketKind};

use super::network::{Hosts, Port, at};

const ENVELOPE: Envelope =
    Envelope { context: 0, rank: 0, tag: 0, length: 0, request: 0, kind: PacketKind::Eager };

async fn open(tcp: Tcp<Port>, ranks: usize, wait: Wait) -> OverTcp<Port> {
    let host = Host::new(tcp.host().processor().clone(), mpi::Costs::FREE);
    OverTcp::open(tcp, ranks, wait, host).await
}

/// A rank, and packets that have arrived while it sent.
struct Rank {
    carrier: OverTcp<Port>,
    come: VecDeque<Packet>,
}

impl Rank {
    async fn open(tcp: Tcp<Port>, ranks: usize, wait: Wait) -> Self {
        Rank { carrier: open(tcp, ranks, wait).await, come: VecDeque::new() }
    }

    async fn look(&mut self) {
        match self.carrier.receive().await {
            Some(packet) => self.come.push_back(packet),
            None => self.carrier.pause().await,
        }
    }

    async fn receive(&mut self) -> Packet {
        while self.come.is_empty() {
            self.look().await;
        }
        self.come.pop_front().expect("there is one")
    }

    async fn send(&mut self, to: usize, packet: &[u8]) {
        loop {
            match self.carrier.send(to, packet).await {
                Sent::Yes => return,
                Sent::NoRoom => self.look().await,
                other => panic!("{other:?}"),
            }
        }
    }

    async fn sleep_until(&self, time: Time) {
        let host = self.carrier.host();
        host.compute(time - host.now()).await;
    }
}

#[test]
fn packets_of_all_ranks_arrive_whole_however_a_rank_waits() {
    for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
        let mut hosts = Hosts::new(3);
        let programs: Vec<_> = (0..3)
            .map(|own| {
                hosts.tcp(own, move |tcp| async move {
                    let mut rank = Rank::open(tcp, 3, wait).await;
                    let carrier = &mut rank.carrier;
                    assert_eq!((carrier.rank(), carrier.ranks(), carrier.lost()), (own, 3, None));
                    let others = [(own + 1) % 3, (own + 2) % 3];
                    for to in others {
                        rank.send(to, &vec![own as u8; 100 + own]).await;
                    }
                    let mut come = [rank.receive().await, rank.receive().await];
                    come.sort_by_key(|packet| packet.from);
                    let packet = |from: usize| Packet { from, bytes: vec![from as u8; 100 + from] };
                    let mut expected = others.map(packet);
                    expected.sort_by_key(|packet| packet.from);
                    assert_eq!(come, expected);
                    rank.sleep_until(at(100_000.0)).await;
                })
            })
            .collect();
        hosts.run();
        assert!(programs.iter().all(|program| program.take().is_some()), "{wait:?}");
    }
}

/// A packet that does not fit into the send buffer of a stream waits for its room, to the byte.
#[test]
fn packet_waits_for_exactly_its_room() {
    for wait in [Wait::Poll, Wait::Event, Wait::Interrupt] {
        let mut hosts = Hosts::new(2);
        let most = |carrier: &OverTcp<Port>| vec![7; carrier.most_bytes()];
        let sender = hosts.tcp(1, move |tcp| async move {
            let mut rank = Rank::open(tcp, 2, wait).await;
            let (packet, envelope) = (most(&rank.carrier), ENVELOPE);
            let mut sent = 0;
            while rank.carrier.send(0, &packet).await == Sent::Yes {
                sent += 1;
                assert!(rank.carrier.has_room(0, &envelope));
            }
            assert!(!rank.carrier.has_room(0, &envelope), "the last one did not fit");
            assert_eq!(rank.carrier.receive().await, None);
            assert!(!rank.carrier.has_room(0, &envelope));
            while !rank.carrier.has_room(0, &envelope) {
                rank.look().await;
            }
            assert!(rank.carrier.host().now() > at(50_000.0), "the other rank has read");
            rank.send(0, &packet).await;
            sent + 1
        });
        let receiver = hosts.tcp(0, move |tcp| async move {
            let mut rank = Rank::open(tcp, 2, wait).await;
            rank.sleep_until(at(50_000.0)).await;
            let mut count = 0;
            loop {
                let packet = rank.receive().await;
                assert_eq!((packet.from, packet.bytes), (1, most(&rank.carrier)));
                count += 1;
                if count == 6 {
                    rank.sleep_until(at(900_000.0)).await;
                    return count;
                }
            }
        });
        hosts.run();
        assert_eq!((sender.take(), receiver.take()), (Some(6), Some(6)), "{wait:?}");
    }
}
