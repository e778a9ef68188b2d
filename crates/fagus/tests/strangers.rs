use std::time::Duration;

use fagus::comm::{Comm, Timers};
use fagus::datagram::Datagram;
use fagus::node::Node;
use fagus::reassembly::{self, Reassembly};
use fagus::wire::Message;
use fagus::{Config, Delivery, Stats};
use proptest::prelude::*;

const NOW: Duration = Duration::from_millis(1);

/// A source of packets that drops all answers.
struct Given(Vec<(u16, Vec<u8>)>);

impl Datagram for Given {
    fn send_to(&mut self, _to: u16, _packet: &[u8]) {}

    fn receive_from(&mut self) -> Option<(u16, Vec<u8>)> {
        self.0.pop()
    }
}

fn hears(packets: Vec<(u16, Vec<u8>)>) -> Stats {
    let mut node = Node::new(0, 3, Config::default());
    node.declare("data".into(), 16, 0);
    node.serve(NOW, &mut Given(packets));
    node.stats()
}

fn comm() -> Comm {
    Comm::new(3, Timers { resend: NOW, dead: Duration::from_secs(1) }, 1)
}

/// Packets of a message from node 1.
fn packets(message: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut comm = comm();
    comm.send(0, message);
    let (_, piece) = comm.next(NOW).expect("a piece");
    reassembly::split(1, &piece, reassembly::PACKET).map(|packet| (1, packet)).collect()
}

#[test]
fn message_of_an_unknown_node_is_counted_and_not_answered() {
    let message = Message::Object(0, fagus::protocol::object::Message::Read { request: 1 }).encode();
    let mut node = Node::new(0, 3, Config { delivery: Delivery::Messages, ..Config::default() });
    node.declare("data".into(), 16, 0);
    node.serve(NOW, &mut Given(vec![(3, message.clone())]));
    assert_eq!((node.stats().malformed, node.stats().packets_sent), (1, 0));
    node.serve(NOW, &mut Given(vec![(2, message)]));
    assert_eq!((node.stats().malformed, node.stats().packets_sent), (1, 1));
}

proptest! {
    #[test]
    fn any_packet_is_accepted_or_counted(packet in proptest::collection::vec(any::<u8>(), 0..2100), from in 0u16..5) {
        hears(vec![(from, packet)]);
    }

    #[test]
    fn any_message_is_accepted_or_counted(message in proptest::collection::vec(any::<u8>(), 1..200)) {
        let stats = hears(packets(&message));
        if Message::decode(&message).is_none() {
            prop_assert_eq!(stats.malformed, 1);
        }
    }

    #[test]
    fn mutated_message_is_accepted_or_counted(
        number in 0u32..3, to in any::<u16>(), version in 0u32..4, at in 0usize..20, bit in 0u8..8,
    ) {
        use fagus::protocol::object::Message as Of;
        let message = Of::HandOver { to, request: 1, version, has: None };
        let mut bytes = Message::Object(number, message).encode();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        hears(packets(&bytes));
    }

    #[test]
    fn packets_are_reassembled_in_any_order(
        message in proptest::collection::vec(any::<u8>(), 1..20_000), seed in any::<u64>(),
    ) {
        let mut packets: Vec<_> = reassembly::split(7, &message, reassembly::PACKET).collect();
        prop_assert!(packets.iter().all(|packet| packet.len() <= reassembly::PACKET));
        let count = packets.len();
        packets.sort_by_key(|packet| (u64::from(packet[4]) + 1).wrapping_mul(seed | 1));
        let mut reassembly = Reassembly::new(reassembly::PACKET);
        let whole: Vec<_> = packets.iter().map(|packet| reassembly.hear(NOW, 1, packet).unwrap()).collect();
        prop_assert!(whole[..count - 1].iter().all(Option::is_none));
        prop_assert_eq!(whole[count - 1].as_ref(), Some(&message));
    }
}

#[test]
fn packet_beyond_the_end_of_its_message_is_counted() {
    for packet in [vec![], vec![1, 0, 0, 0, 0], vec![0; 6], [[1, 0, 0, 0, 1, 0, 9].as_slice()].concat()] {
        assert_eq!(hears(vec![(1, packet)]).malformed, 1);
    }
}

#[test]
fn wrong_data_lengths_and_unknown_objects_are_counted() {
    use fagus::protocol::object::Message as Of;
    let message = |object, to| Message::Object(object, Of::Supply { to, request: 1, version: 1 });
    assert_eq!(hears(packets(&message(0, 1).encode())).malformed, 0);
    assert_eq!(hears(packets(&message(1, 1).encode())).malformed, 1);
    assert_eq!(hears(packets(&message(0, 3).encode())).malformed, 1);
    let data = Message::Object(0, Of::Data { request: 1, version: 1, data: Default::default() });
    assert_eq!(hears(packets(&data.encode())).malformed, 1);
}

#[test]
fn incomplete_message_is_discarded_by_time_and_by_number() {
    let (old, new) = (vec![1; 5000], vec![2; 5000]);
    let of = |id, message: &[u8]| reassembly::split(id, message, reassembly::PACKET).collect::<Vec<_>>();
    let later = NOW + Duration::from_secs(2);
    // A fast sender has used all numbers before the timeout.
    for (time, between) in [(later, &[][..]), (NOW, &[20_000, 40_000, 60_000])] {
        let mut reassembly = Reassembly::new(reassembly::PACKET);
        assert_eq!(reassembly.hear(NOW, 1, &of(5, &old)[1]), Ok(None));
        for id in between {
            assert_eq!(reassembly.hear(NOW, 1, &of(*id, &[3])[0]), Ok(Some(vec![3])));
        }
        let heard = of(5, &new).into_iter().map(|packet| reassembly.hear(time, 1, &packet).unwrap());
        assert_eq!(heard.collect::<Vec<_>>(), [None, None, Some(new.clone())]);
    }
}

#[test]
fn late_packets_complete_a_message_after_newer_ones() {
    let message = vec![1; 5000];
    let of = |id, message: &[u8]| reassembly::split(id, message, reassembly::PACKET).collect::<Vec<_>>();
    let mut reassembly = Reassembly::new(reassembly::PACKET);
    let packets = of(65_535, &message);
    assert_eq!(reassembly.hear(NOW, 1, &packets[0]), Ok(None));
    // The numbers have wrapped around meanwhile.
    assert_eq!(reassembly.hear(NOW, 1, &of(90, &[3])[0]), Ok(Some(vec![3])));
    assert_eq!(reassembly.hear(NOW, 1, &packets[1]), Ok(None));
    assert_eq!(reassembly.hear(NOW, 1, &packets[2]), Ok(Some(message)));
}

/// Packets of a message with this number.
fn of(id: u16, message: &[u8]) -> Vec<Vec<u8>> {
    reassembly::split(id, message, reassembly::PACKET).collect()
}

#[test]
fn messages_of_different_senders_numbers_and_lengths_do_not_mix() {
    let [one, two] = [1, 2].map(|byte| vec![byte; 5_000]);
    // The same number of two senders.
    let mut reassembly = Reassembly::new(reassembly::PACKET);
    for (packet, other) in of(5, &one)[..2].iter().zip(&of(5, &two)[..2]) {
        assert_eq!(reassembly.hear(NOW, 1, packet), Ok(None));
        assert_eq!(reassembly.hear(NOW, 2, other), Ok(None));
    }
    assert_eq!(reassembly.hear(NOW, 2, &of(5, &two)[2]), Ok(Some(two.clone())));
    assert_eq!(reassembly.hear(NOW, 1, &of(5, &one)[2]), Ok(Some(one.clone())));
    // Any bit of the number.
    for bit in 0..16 {
        let mut reassembly = Reassembly::new(reassembly::PACKET);
        for packet in &of(5 ^ 1 << bit, &two)[..2] {
            assert_eq!(reassembly.hear(NOW, 1, packet), Ok(None));
        }
        let heard: Vec<_> = of(5, &one).iter().map(|packet| reassembly.hear(NOW, 1, packet)).collect();
        assert_eq!(heard, [Ok(None), Ok(None), Ok(Some(one.clone()))], "bit {bit}");
    }
    // A number that is used again for a message of another length with as many packets.
    let mut reassembly = Reassembly::new(reassembly::PACKET);
    for packet in &of(5, &two)[..2] {
        assert_eq!(reassembly.hear(NOW, 1, packet), Ok(None));
    }
    let longer = vec![3; 5_001];
    assert_eq!(reassembly.hear(NOW, 1, &of(5, &longer)[2]), Ok(None));
    assert_eq!(reassembly.hear(NOW, 1, &of(5, &longer)[0]), Ok(None));
    assert_eq!(reassembly.hear(NOW, 1, &of(5, &longer)[0]), Ok(None), "a repeated packet counts once");
    assert_eq!(reassembly.hear(NOW, 1, &of(5, &longer)[1]), Ok(Some(longer)));
}

#[test]
fn incomplete_message_is_kept_up_to_its_last_moment() {
    let message = vec![1; 5_000];
    let patience = Duration::from_secs(1);
    let completes = |reassembly: &mut Reassembly, time: Duration, id: u16| {
        of(id, &message)[1..].iter().map(|packet| reassembly.hear(time, 1, packet).unwrap()).last().unwrap()
    };
    let begun = |id: u16| {
        let mut reassembly = Reassembly::new(reassembly::PACKET);
        assert_eq!(reassembly.hear(NOW, 1, &of(id, &message)[0]), Ok(None));
        reassembly
    };
    let last = NOW + patience - Duration::from_nanos(1);
    assert_eq!(completes(&mut begun(5), last, 5), Some(message.clone()));
    assert_eq!(completes(&mut begun(5), last + Duration::from_nanos(1), 5), None);
    // By number: a quarter of all numbers later it is gone. The number that began it is the newest one then.
    for (later, whole) in [((1 << 14) - 1, true), (1 << 14, false), ((1 << 14) + 1, false)] {
        let mut reassembly = begun(5);
        let newest = of(5 + later, b"x");
        assert_eq!(reassembly.hear(NOW, 1, &newest[0]), Ok(Some(b"x".to_vec())));
        assert_eq!(completes(&mut reassembly, NOW, 5), whole.then(|| message.clone()), "{later} later");
        // Numbers of another sender do not matter.
        let mut reassembly = begun(5);
        reassembly.hear(NOW, 2, &of(5 + later, b"x")[0]).unwrap();
        assert_eq!(
            completes(&mut reassembly, NOW, 5),
            Some(message.clone()),
            "{later} later at another sender"
        );
    }
}

#[test]
fn sixty_four_messages_of_a_sender_may_be_incomplete() {
    let message = vec![1; 5_000];
    for (begun, oldest_is_kept) in [(64, true), (65, false)] {
        let mut reassembly = Reassembly::new(reassembly::PACKET);
        for id in 0..begun {
            // All but one packet of each, one nanosecond after another.
            let time = NOW + Duration::from_nanos(id.into());
            for packet in &of(id, &message)[..2] {
                assert_eq!(reassembly.hear(time, 1, packet), Ok(None));
            }
        }
        // Packets of the last one do not displace any other than the oldest.
        assert_eq!(reassembly.hear(NOW, 1, &of(begun - 1, &message)[2]).unwrap(), Some(message.clone()));
        let oldest = reassembly.hear(NOW, 1, &of(0, &message)[2]).unwrap();
        assert_eq!(oldest.is_some(), oldest_is_kept, "{begun} begun");
    }
}

#[test]
fn message_has_at_most_sixty_four_packets() {
    let mut reassembly = Reassembly::new(reassembly::LEAST);
    let payload = reassembly::LEAST - reassembly::HEADER;
    for (packets, fits) in [(64, true), (65, false)] {
        let message = vec![1; payload * packets];
        let mut heard =
            reassembly::split(7, &message, reassembly::LEAST).map(|packet| reassembly.hear(NOW, 1, &packet));
        assert_eq!(heard.all(|heard| heard.is_ok()), fits, "{packets} packets");
    }
}
