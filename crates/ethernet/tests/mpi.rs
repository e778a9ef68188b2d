use std::collections::VecDeque;

use cluster::Time;
use ethernet::{Host as _, OverTcp, Tcp};
use mpi::carrier::{Carrier, Packet, Received, Sent, Wait};
use mpi::{Envelope, Host, PacketKind};

use super::network::{Hosts, Port, at};

const ENVELOPE: Envelope =
    Envelope { context: 0, rank: 0, tag: 0, length: 0, request: 0, kind: PacketKind::Eager };

fn packet(data: &[u8]) -> Packet {
    Packet::new(ENVELOPE, data.to_vec())
}

/// Sender and data of a packet.
fn content(received: Received) -> (usize, Vec<u8>) {
    (received.from, received.packet.expect("it is of MPI").data.into_vec())
}

async fn open(tcp: Tcp<Port>, ranks: usize, wait: Wait) -> OverTcp<Port> {
    let host = Host::new(tcp.host().processor().clone(), mpi::Costs::FREE);
    OverTcp::open(tcp, ranks, wait, host).await
}

/// A rank, and packets that have arrived while it sent.
struct Rank {
    carrier: OverTcp<Port>,
    come: VecDeque<Received>,
}

impl Rank {
    async fn open(tcp: Tcp<Port>, ranks: usize, wait: Wait) -> Self {
        Rank { carrier: open(tcp, ranks, wait).await, come: VecDeque::new() }
    }

    async fn look(&mut self) {
        match self.carrier.receive().await {
            Some(received) => self.come.push_back(received),
            None => self.carrier.pause().await,
        }
    }

    async fn receive(&mut self) -> (usize, Vec<u8>) {
        while self.come.is_empty() {
            self.look().await;
        }
        content(self.come.pop_front().expect("there is one"))
    }

    async fn send(&mut self, to: usize, data: &[u8]) {
        let packet = packet(data);
        loop {
            match self.carrier.send(to, &packet).await {
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
                    assert_eq!(carrier.send(own, &packet(b"x")).await, Sent::Unreachable(own));
                    let others = [(own + 1) % 3, (own + 2) % 3];
                    for to in others {
                        rank.send(to, &vec![own as u8; 100 + own]).await;
                    }
                    let mut come = [rank.receive().await, rank.receive().await];
                    come.sort();
                    let mut expected = others.map(|from| (from, vec![from as u8; 100 + from]));
                    expected.sort();
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
        let most = |carrier: &OverTcp<Port>| vec![7; carrier.most_bytes() - Envelope::BYTES];
        let sender = hosts.tcp(1, move |tcp| async move {
            let mut rank = Rank::open(tcp, 2, wait).await;
            let (data, envelope) = (most(&rank.carrier), ENVELOPE);
            let mut sent = 0;
            while rank.carrier.send(0, &packet(&data)).await == Sent::Yes {
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
            rank.send(0, &data).await;
            sent + 1
        });
        let receiver = hosts.tcp(0, move |tcp| async move {
            let mut rank = Rank::open(tcp, 2, wait).await;
            rank.sleep_until(at(50_000.0)).await;
            let mut count = 0;
            loop {
                assert_eq!(rank.receive().await, (1, most(&rank.carrier)));
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

#[test]
fn ranks_are_read_in_rotation() {
    let mut hosts = Hosts::new(3);
    for own in [1, 2] {
        hosts.tcp(own, move |tcp| async move {
            let mut rank = Rank::open(tcp, 3, Wait::Poll).await;
            for number in 0..3 {
                rank.send(0, &[own as u8, number]).await;
            }
            rank.sleep_until(at(900_000.0)).await;
        });
    }
    let receiver = hosts.tcp(0, |tcp| async move {
        let mut rank = Rank::open(tcp, 3, Wait::Poll).await;
        // The streams are accepted before their packets are read.
        rank.sleep_until(at(100_000.0)).await;
        let mut from = Vec::new();
        while from.len() < 6 {
            let (sender, data) = rank.receive().await;
            from.push((sender, data[1]));
        }
        from
    });
    hosts.run();
    assert_eq!(receiver.take().unwrap(), [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2), (2, 2)]);
}

#[test]
fn rank_that_cannot_be_reached_is_lost_after_ten_attempts() {
    let mut hosts = Hosts::new(2);
    let rank = hosts.tcp(1, |tcp| async move {
        let mut rank = Rank::open(tcp, 2, Wait::Poll).await;
        let opened = rank.carrier.host().now();
        assert_eq!((rank.carrier.lost(), rank.carrier.lost()), (Some(0), None));
        assert!(rank.carrier.has_room(0, &ENVELOPE), "a send reports the reason");
        assert_eq!(rank.carrier.send(0, &packet(b"x")).await, Sent::Unreachable(0));
        opened
    });
    hosts.run();
    // Each attempt is refused at once and followed by 1 ms. The first begins 40 us after the start.
    let opened = rank.take().unwrap();
    assert!(opened > at(10_040.0) && opened < at(12_000.0), "{opened}");
    assert_eq!(hosts.cable.count(1), 10);
    assert_eq!(hosts.cable.sent()[0].time, at(40.0 + 10.0 + 20.0));
}

#[test]
fn silent_rank_is_given_up_after_a_minute() {
    for silence in [30, 70] {
        let mut hosts = Hosts::new(2);
        let cable = hosts.cable.clone();
        let sender = hosts.tcp(1, move |tcp| async move {
            let mut rank = Rank::open(tcp, 2, Wait::Poll).await;
            rank.sleep_until(at(10_000.0)).await;
            cable.lose(0, usize::MAX);
            rank.send(0, b"x").await;
            rank.sleep_until(at(f64::from(silence) * 1e6)).await;
            cable.lose(0, 0);
            rank.sleep_until(at(f64::from(silence) * 1e6 + 15e6)).await;
            rank.carrier.send(0, &packet(b"y")).await
        });
        let receiver = hosts.tcp(0, |tcp| async move {
            let mut rank = Rank::open(tcp, 2, Wait::Event).await;
            let (_, first) = rank.receive().await;
            rank.sleep_until(at(100e6)).await;
            first
        });
        hosts.run_until(at(110e6));
        assert_eq!(receiver.take(), Some(b"x".to_vec()));
        let expected = if silence < 60 { Sent::Yes } else { Sent::Unreachable(0) };
        assert_eq!(sender.take(), Some(expected), "{silence} s");
    }
}

#[test]
fn rank_that_resets_its_stream_is_lost() {
    let mut hosts = Hosts::new(3);
    for own in [1, 2] {
        hosts.tcp(own, move |tcp| async move {
            let mut rank = Rank::open(tcp, 3, Wait::Poll).await;
            rank.sleep_until(at(100_000.0)).await;
            // Rank 2 leaves a packet unread, so that its stream is reset.
            while own == 1 && rank.come.is_empty() {
                rank.look().await;
            }
            drop(rank);
        });
    }
    let observer = hosts.tcp(0, |tcp| async move {
        let mut rank = Rank::open(tcp, 3, Wait::Poll).await;
        rank.sleep_until(at(50_000.0)).await;
        assert_eq!(rank.carrier.receive().await, None);
        for to in [1, 2] {
            assert_eq!(rank.carrier.send(to, &packet(b"x")).await, Sent::Yes);
        }
        rank.sleep_until(at(200_000.0)).await;
        let mut lost = Vec::new();
        for _ in 0..10 {
            assert_eq!(rank.carrier.receive().await, None);
            lost.extend(rank.carrier.lost());
        }
        assert_eq!(rank.carrier.send(1, &packet(b"y")).await, Sent::Unreachable(1));
        lost
    });
    hosts.run();
    assert_eq!(observer.take(), Some(vec![2]));
}

#[test]
fn packets_may_fill_a_buffer_to_the_last_byte() {
    let mut hosts = Hosts::new(2);
    let cable = hosts.cable.clone();
    let sender = hosts.tcp(1, move |tcp| async move {
        let mut rank = Rank::open(tcp, 2, Wait::Poll).await;
        // Nothing is acknowledged any more, so all bytes stay in the buffer.
        cable.lose(1, usize::MAX);
        let half = vec![1; ethernet::SEND_BYTES / 2 - 4 - Envelope::BYTES];
        let mut results = Vec::new();
        for data in [&half[..], &half, b""] {
            results.push(rank.carrier.send(0, &packet(data)).await);
        }
        results
    });
    hosts.tcp(0, |tcp| async move {
        let rank = Rank::open(tcp, 2, Wait::Poll).await;
        rank.sleep_until(at(900_000.0)).await;
    });
    hosts.run_until(at(500_000.0));
    assert_eq!(sender.take(), Some(vec![Sent::Yes, Sent::Yes, Sent::NoRoom]));
}
