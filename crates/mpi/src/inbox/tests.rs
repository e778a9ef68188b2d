use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;
use crate::envelope::{Envelope, Kind};
use crate::matching::{Source, Tag};
use crate::outbox::{Address, Outbox};
use crate::protocol::Way;

const ROOM: usize = 10;
const ANY: Pattern = Pattern { source: Source::Any, tag: Tag::Any };
const DEAD: Error = Error::Unreachable(1);

fn tagged(tag: u32) -> Pattern {
    Pattern { source: Source::Any, tag: Tag::Is(tag) }
}

/// Process 0, which receives, and processes 1 and 2, which send to it over links in order.
struct Pair {
    outboxes: [Outbox; 2],
    inbox: Inbox,
    /// Packets in flight to process 0, by sender, and to each sender.
    there: [VecDeque<Packet>; 2],
    back: VecDeque<(usize, u32, u32)>,
}

impl Pair {
    fn new() -> Pair {
        Pair {
            outboxes: [1, 2].map(|own| Outbox::new(own, ROOM)),
            inbox: Inbox::default(),
            there: Default::default(),
            back: VecDeque::new(),
        }
    }

    fn send(&mut self, from: usize, way: Way, tag: u32, bytes: Vec<u8>) -> Rc<Place> {
        let address = Address { to: 0, context: 0, rank: from, tag };
        self.outboxes[from - 1].send(way, address, bytes).unwrap()
    }

    /// The next packet of a sender leaves, if its kind has room.
    fn leave(&mut self, from: usize, room: impl Fn(Kind) -> bool) -> bool {
        let outbox = &mut self.outboxes[from - 1];
        let Some(next) = outbox.next(|_, envelope| room(envelope.kind)) else { return false };
        self.there[from - 1].push_back(next.packet.clone());
        outbox.left(next);
        true
    }

    /// The next packet of a sender arrives.
    fn arrive(&mut self, from: usize) -> bool {
        let Some(packet) = self.there[from - 1].pop_front() else { return false };
        let envelope = packet.envelope;
        let key = (from, envelope.request);
        let outcome = match envelope.kind {
            Kind::Eager | Kind::Ask => self.inbox.begin(key, packet),
            Kind::Data => self.inbox.data(key, packet.data),
            Kind::Clear => panic!("a sender clears nothing"),
        };
        self.follow(outcome.expect("no rule is broken"));
        true
    }

    fn follow(&mut self, outcome: Outcome) {
        self.back.extend(outcome.clear.map(|((to, request), length)| (to, request, length)));
    }

    fn clear(&mut self) -> bool {
        let Some((to, request, _)) = self.back.pop_front() else { return false };
        self.outboxes[to - 1].cleared(0, request).expect("it has asked");
        true
    }

    fn receive(&mut self, pattern: Pattern, most: usize) -> Rc<Place> {
        let from = match pattern.source {
            Source::Any => None,
            Source::Rank(rank) => Some(rank),
        };
        let (place, outcome) = self.inbox.receive(0, pattern, most, from);
        self.follow(outcome);
        place
    }

    fn settle(&mut self) {
        while self.clear() || (1..3).any(|from| self.leave(from, |_| true) || self.arrive(from)) {}
    }
}

fn bytes(place: &Place) -> Option<Vec<u8>> {
    place.take().map(|end| end.unwrap().bytes)
}

#[test]
fn eager_message_does_not_overtake_a_rendezvous_of_its_tag() {
    for (tags, first_eager) in [([5, 5], false), ([5, 6], false), ([5, 5], true)] {
        let mut pair = Pair::new();
        let ways = if first_eager { [Way::Eager, Way::Rendezvous] } else { [Way::Rendezvous, Way::Eager] };
        // Both are queued before anything leaves; requests have no room for a while.
        for ((way, tag), byte) in ways.into_iter().zip(tags).zip(1..) {
            pair.send(1, way, tag, vec![byte; 25]);
        }
        while pair.leave(1, |kind| kind != Kind::Ask) {}
        while pair.arrive(1) {}
        assert_eq!(pair.inbox.probe(0, ANY).is_some(), first_eager, "what follows a request waits for it");
        let places = [pair.receive(ANY, 25), pair.receive(ANY, 25)];
        pair.settle();
        assert_eq!(places.each_ref().map(|place| bytes(place)), [Some(vec![1; 25]), Some(vec![2; 25])]);
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Send(usize, bool, u32, usize),
    Leave(usize, bool),
    Arrive(usize),
    Clear,
    Receive(u32, Option<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (1..3usize, any::<bool>(), 0..3u32, 0..35usize)
            .prop_map(|(from, eager, tag, length)| Step::Send(from, eager, tag, length)),
        (1..3usize, any::<bool>()).prop_map(|(from, asks)| Step::Leave(from, asks)),
        (1..3usize).prop_map(Step::Arrive),
        Just(Step::Clear),
        (0..3u32, prop::option::of(1..3usize)).prop_map(|(tag, from)| Step::Receive(tag, from)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Messages of one sender and tag come in the order of their sends, whatever their protocols, lengths and
    /// the order of progress.
    #[test]
    fn messages_of_a_sender_and_tag_do_not_overtake(steps in prop::collection::vec(step(), 0..120)) {
        let mut pair = Pair::new();
        let mut sent: Vec<(usize, u32, Vec<u8>)> = Vec::new();
        let mut receives: Vec<(u32, Option<usize>, Rc<Place>)> = Vec::new();
        for step in steps {
            match step {
                Step::Send(from, eager, tag, length) => {
                    let mut bytes = vec![sent.len() as u8];
                    bytes.resize(1 + length, from as u8);
                    let way = if eager { Way::Eager } else { Way::Rendezvous };
                    pair.send(from, way, tag, bytes.clone());
                    sent.push((from, tag, bytes));
                }
                Step::Leave(from, asks) => drop(pair.leave(from, |kind| asks || kind != Kind::Ask)),
                Step::Arrive(from) => drop(pair.arrive(from)),
                Step::Clear => drop(pair.clear()),
                Step::Receive(tag, from) => {
                    let source = from.map_or(Source::Any, Source::Rank);
                    receives.push((tag, from, pair.receive(Pattern { source, tag: Tag::Is(tag) }, 100)));
                }
            }
        }
        pair.settle();
        // Receives of all that is left.
        for (from, tag, _) in &sent {
            let pattern = Pattern { source: Source::Rank(*from), tag: Tag::Is(*tag) };
            receives.push((*tag, Some(*from), pair.receive(pattern, 100)));
        }
        pair.settle();
        let mut came: Vec<(usize, u32, Vec<u8>)> = Vec::new();
        for (tag, from, place) in &receives {
            let Some(end) = place.take() else { continue };
            let end = end.unwrap();
            prop_assert_eq!(end.status.tag, *tag);
            prop_assert!(from.is_none_or(|from| from == end.status.source));
            came.push((end.status.source, *tag, end.bytes));
        }
        prop_assert_eq!(came.len(), sent.len(), "every message came once");
        for (from, tag) in (1..3).flat_map(|from| (0..3).map(move |tag| (from, tag))) {
            let of = |list: &[(usize, u32, Vec<u8>)]| -> Vec<Vec<u8>> {
                list.iter().filter(|(f, t, _)| (*f, *t) == (from, tag)).map(|(.., bytes)| bytes.clone()).collect()
            };
            // Receives of one pattern are ordered; those of any source may take from either sender.
            if receives.iter().all(|(_, from, _)| from.is_some()) {
                prop_assert_eq!(of(&came), of(&sent));
            } else {
                let sorted = |mut list: Vec<Vec<u8>>| { list.sort(); list };
                prop_assert_eq!(sorted(of(&came)), sorted(of(&sent)));
            }
        }
    }
}

#[test]
fn message_that_fills_the_buffer_exactly_is_whole() {
    for way in [Way::Eager, Way::Rendezvous] {
        for (most, fits) in [(24, false), (25, true), (26, true)] {
            let mut pair = Pair::new();
            pair.send(1, way, 0, vec![7; 25]);
            let place = pair.receive(ANY, most);
            pair.settle();
            let end = place.take().expect("it has come");
            assert_eq!(end.is_ok(), fits, "{way:?}: 25 bytes into {most}");
            if !fits {
                assert_eq!(end, Err(Error::Truncated { bytes: 25, most }));
            }
        }
    }
}

#[test]
fn message_that_begins_twice_and_data_of_no_message_are_refused() {
    let mut inbox = Inbox::default();
    let begins = |kind, request, data: &[u8]| {
        let envelope = Envelope { context: 0, rank: 1, tag: 0, length: 20, request, kind };
        Packet::new(envelope, data.to_vec())
    };
    for (kind, data) in [(Kind::Eager, &[1; 10][..]), (Kind::Ask, &[])] {
        let request = kind as u32;
        assert!(inbox.begin((1, request), begins(kind, request, data)).is_some());
        for (kind, data) in [(Kind::Eager, &[2; 10][..]), (Kind::Ask, &[])] {
            assert!(inbox.begin((1, request), begins(kind, request, data)).is_none(), "{kind:?} again");
        }
    }
    // A message is named by sender and number; each bit of both counts.
    let data = || Data::from(vec![3; 10]);
    for bit in 0..32 {
        assert!(inbox.data((1, 1 ^ 1 << bit), data()).is_none(), "bit {bit}");
        assert!(inbox.data((1 ^ 1 << bit, 1), data()).is_none(), "bit {bit} of the sender");
    }
    assert!(inbox.data((1, 1), data()).is_some());
    let (place, _) = inbox.receive(0, ANY, 20, None);
    assert_eq!(bytes(&place), Some([[1; 10], [3; 10]].concat()));
    assert!(inbox.data((1, 1), data()).is_none(), "it has come whole");
}

#[test]
fn clear_counts_once_from_the_receiver_alone() {
    let mut pair = Pair::new();
    let places = [0, 25].map(|length| pair.send(1, Way::Rendezvous, 0, vec![1; length]));
    let outbox = &mut pair.outboxes[0];
    assert_eq!(outbox.cleared(0, 0), None, "it has not asked yet");
    for _ in 0..2 {
        let next = outbox.next(|_, _| true).unwrap();
        outbox.left(next);
    }
    for (from, request) in [(1, 0), (2, 0), (1, 1), (2, 1), (0, 2), (0, 1 << 31), (0, u32::MAX)] {
        assert_eq!(outbox.cleared(from, request), None, "process {from}, message {request}");
    }
    assert!(outbox.next(|_, _| true).is_none(), "nothing may leave");
    // A message without data ends with its clearance.
    assert_eq!(outbox.cleared(0, 0), Some(()));
    assert_eq!(places.each_ref().map(|place| place.is_filled()), [true, false]);
    assert_eq!((outbox.cleared(0, 0), outbox.cleared(0, 1), outbox.cleared(0, 1)), (None, Some(()), None));
    let mut left = Vec::new();
    while let Some(next) = outbox.next(|_, _| true) {
        left.push(next.packet.data.len());
        outbox.left(next);
    }
    assert_eq!((left, places[1].is_filled()), (vec![10, 10, 5], true));
}

#[test]
fn receivers_are_served_in_turn() {
    let mut outbox = Outbox::new(0, ROOM);
    for to in [1, 2, 3] {
        let address = Address { to, context: 0, rank: 0, tag: 0 };
        outbox.send(Way::Eager, address, vec![0; 25]).unwrap();
    }
    let turns = std::iter::from_fn(|| {
        let next = outbox.next(|_, _| true)?;
        let to = next.to;
        outbox.left(next);
        Some(to)
    });
    assert_eq!(turns.collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3, 1, 2, 3]);
}

#[test]
fn death_fails_what_depends_on_the_dead_alone() {
    let mut pair = Pair::new();
    let [dead, alive, any] = [Source::Rank(1), Source::Rank(2), Source::Any]
        .map(|source| pair.receive(Pattern { source, tag: Tag::Is(9) }, 25));
    // Of each sender one message has come whole, one in part and one has only asked.
    for from in [1, 2] {
        pair.send(from, Way::Eager, 1, vec![from as u8; 5]);
        pair.send(from, Way::Eager, 2, vec![from as u8; 25]);
        pair.leave(from, |_| true);
        pair.leave(from, |_| true);
        pair.arrive(from);
        pair.arrive(from);
    }
    pair.inbox.bury(1, DEAD);
    assert_eq!(dead.take(), Some(Err(DEAD)));
    assert!(!alive.is_filled() && !any.is_filled());
    assert_eq!(pair.inbox.waiting().count(), 2);
    // The lost message is not found any more, the whole one is.
    assert_eq!(pair.inbox.probe(0, tagged(2)).map(|status| status.source), Some(2));
    let from_dead = Pattern { source: Source::Rank(1), tag: Tag::Any };
    assert_eq!(pair.inbox.probe(0, from_dead).map(|status| status.tag), Some(1));
    let whole = pair.receive(from_dead, 25);
    assert_eq!(bytes(&whole), Some(vec![1; 5]));
    let rest = pair.receive(tagged(2), 25);
    while pair.leave(2, |_| true) || pair.arrive(2) {}
    assert_eq!(bytes(&rest), Some(vec![2; 25]));

    // At the sender: messages for the dead fail, those for others stay.
    let mut outbox = Outbox::new(0, ROOM);
    let mut places = Vec::new();
    for to in [1, 2] {
        for way in [Way::Rendezvous, Way::Eager] {
            let address = Address { to, context: 0, rank: 0, tag: 0 };
            places.push(outbox.send(way, address, vec![0; 5]).unwrap());
            if way == Way::Rendezvous {
                let next = outbox.next(|other, _| other == to).unwrap();
                outbox.left(next);
            }
        }
    }
    outbox.bury(1, DEAD);
    let filled: Vec<_> = places.iter().map(|place| place.is_filled()).collect();
    assert_eq!(filled, [true, true, false, false]);
    assert_eq!((outbox.cleared(1, 0), outbox.cleared(2, 2)), (None, Some(())));
}

#[test]
fn numbers_of_messages_are_all_different() {
    let mut pair = Pair::new();
    let mut numbers = std::collections::BTreeSet::new();
    for number in 0..100u32 {
        pair.send(1, if number % 2 == 0 { Way::Eager } else { Way::Rendezvous }, 0, vec![1]);
        pair.leave(1, |_| true);
        let packet = pair.there[0].pop_front().unwrap();
        assert!(numbers.insert(packet.envelope.request), "message {number}");
    }
}
