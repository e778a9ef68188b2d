//! A monitor on the wire: judges every unsealed packet of the library's protocol by its rules.
//!
//! It sees which packets leave and which arrive, not the endpoints. Numbers of packets are judged for sealed
//! connections too.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use suci::modern::packet::{Answer, Frame, Packet, next_frame, parse, parse_body, parse_hello};
use suci::modern::ranges::Ranges;
use suci::{Config, Instant};

/// Cost of a block besides its bytes.
const OVERHEAD: u64 = 64;
/// Packets that the sender surely remembers, so that a late acknowledgement counts.
const REMEMBERED: u64 = 100;

/// A packet that arrived.
#[derive(Clone, Copy)]
struct Arrival {
    number: u64,
    time: u32,
    at: Instant,
}

/// Packets in one direction of a connection, by the ID of their receiver.
#[derive(Default)]
struct Way {
    /// ID of the packets in the other direction.
    back: u64,
    /// Sender and receiver.
    nodes: (usize, usize),
    next: u64,
    /// Parts of each packet sent.
    sent: BTreeMap<u64, Vec<(u8, u64, u32)>>,
    /// Parts of acknowledged packets, as far as the sender knows.
    known: BTreeSet<(u8, u64, u32)>,
    parts: BTreeSet<(u8, u64, u32)>,
    /// Blocks of which a part has left, and their cost.
    begun: BTreeSet<(u8, u64)>,
    cost: u64,
    /// Limit of the cost that the sender has heard.
    limit: u64,
    /// Packets that arrived, as far as the receiver remembers them.
    received: Ranges,
    highest: Option<Arrival>,
    marks: u32,
    /// Eliciting packets without an acknowledgement, and the time by which it leaves.
    unanswered: u32,
    due: Option<Instant>,
    /// Arrivals since the last acknowledgement.
    news: bool,
    challenges: Vec<u64>,
    ended: bool,
    /// Last acknowledgement sent by the receiver, with the time of sending.
    said: Option<(Answer, Instant)>,
}

/// Judges the packets of a network. A packet against the rules panics.
pub struct Monitor {
    config: Config,
    on: bool,
    ways: BTreeMap<u64, Way>,
    /// Receive window in the hello of each connection ID.
    windows: BTreeMap<u64, u64>,
    /// No datagram was lost, late or doubled so far.
    faultless: bool,
}

impl Monitor {
    pub fn new(config: &Config) -> Self {
        let on = config.rules == suci::Rules::MODERN;
        let (ways, windows) = (BTreeMap::new(), BTreeMap::new());
        Self { config: config.clone(), on, ways, windows, faultless: true }
    }

    /// For tests that pass packets to endpoints themselves, which the monitor does not see.
    pub fn off(&mut self) {
        self.on = false;
    }

    /// A datagram was lost, delayed or doubled, so that parts may be sent again.
    pub fn fault(&mut self) {
        self.faultless = false;
    }

    /// The node has lost its state.
    pub fn restart(&mut self, node: usize) {
        self.faultless = false;
        self.ways.retain(|_, way| ![way.nodes.0, way.nodes.1].contains(&node));
    }

    fn hello(&mut self, hello: &[u8]) -> Option<u64> {
        let hello = parse_hello(hello).ok()?;
        self.windows.insert(hello.id, hello.window.into());
        Some(hello.id)
    }

    /// A datagram leaves a node.
    pub fn sent(&mut self, now: Instant, bytes: &[u8]) {
        if !self.on {
            return;
        }
        assert!(bytes.len() <= self.config.datagram.max(self.config.largest_datagram), "datagram too long");
        match parse(bytes).expect("an endpoint sends packets") {
            Packet::Initiate { hello, .. } => drop(self.hello(hello)),
            Packet::Retry { .. } => {}
            Packet::Accept { hello, .. } => drop(self.hello(hello)),
            Packet::Data { id, number, body, .. } => self.data_sent(now, id, number, body),
        }
    }

    fn data_sent(&mut self, now: Instant, id: u64, number: u64, body: &[u8]) {
        let Some(way) = self.ways.get_mut(&id) else { return };
        assert!(number >= way.next, "packet number {number} is used again, {} is next", way.next);
        way.next = number + 1;
        let (back, faultless) = (way.back, self.faultless);
        let (_, mut frames) = parse_body(body).expect("a time");
        let mut parts = Vec::new();
        while let Some(frame) = next_frame(&mut frames).expect("an endpoint sends frames") {
            match frame {
                Frame::Part(part, total, bytes) => {
                    let way = self.ways.get_mut(&id).expect("it is there");
                    let key = (part.priority, part.block, part.index);
                    assert!(!way.known.contains(&key), "{key:?} is sent again after its acknowledgement");
                    let again = !way.parts.insert(key);
                    assert!(!(again && faultless), "{key:?} is sent again without a fault");
                    assert!(bytes.len() <= total as usize);
                    if way.begun.insert((part.priority, part.block)) {
                        way.cost += u64::from(total) + OVERHEAD;
                        assert!(way.cost <= way.limit, "{} of {} bytes of window", way.cost, way.limit);
                    }
                    parts.push(key);
                }
                Frame::Ack(answer, ack) => {
                    let ranges: Vec<_> = ack.ranges().collect();
                    self.acknowledgement(now, back, answer, &ranges);
                }
                Frame::Response(question) => {
                    let way = self.ways.get_mut(&back).expect("it is there");
                    let asked = way.challenges.iter().position(|other| *other == question);
                    way.challenges.remove(asked.expect("a challenge is answered once"));
                }
                Frame::Close => self.ways.get_mut(&back).expect("it is there").ended = true,
                Frame::Ping | Frame::Challenge(_) | Frame::Padding => {}
            }
        }
        self.ways.get_mut(&id).expect("it is there").sent.insert(number, parts);
    }

    /// Judges an acknowledgement of the packets with this ID.
    fn acknowledgement(&mut self, now: Instant, id: u64, answer: Answer, ranges: &[(u64, u64)]) {
        let quarter = self.config.window as u64 / 4;
        let way = self.ways.get_mut(&id).expect("it is there");
        let highest = way.highest.expect("a packet has arrived");
        assert_eq!(ranges[0].1, highest.number, "the highest number that arrived");
        assert_eq!(answer.echo, highest.time, "the time of the highest packet");
        assert_eq!(Duration::from_micros(answer.held.into()).as_micros(), now.since(highest.at).as_micros());
        assert_eq!(answer.marked, way.marks, "packets with a mark");
        assert!(ranges.iter().copied().eq(way.received.descending()), "all packets that arrived");
        if let Some((before, then)) = way.said {
            assert!(answer.limit >= before.limit && answer.permit >= before.permit);
            let grown = answer.limit - before.limit >= quarter;
            assert!(way.news || grown, "an acknowledgement says nothing new");
            let end = |answer: &Answer, at: Instant| at + Duration::from_micros(answer.life.into());
            let (end, before_end) = (end(&answer, now), end(&before, then));
            assert!(
                answer.permit != before.permit
                    || answer.life == 0
                    || end <= before_end + Duration::from_micros(1),
                "a permit lives longer than it was given for"
            );
        }
        way.said = Some((answer, now));
        (way.unanswered, way.due, way.news) = (0, None, false);
    }

    /// Begins a connection: the caller with this ID has got the Accept. `from` and `to` are the nodes.
    fn accepted(&mut self, (from, to): (usize, usize), id: u64, hello: &[u8]) {
        let Some(other) = self.hello(hello).filter(|_| !self.ways.contains_key(&id)) else { return };
        // It may end earlier connections of these nodes without a packet.
        for way in self.ways.values_mut() {
            way.ended |= way.nodes == (from, to) || way.nodes == (to, from);
        }
        let way = |back, nodes, own: u64| Way {
            back,
            nodes,
            limit: self.windows.get(&own).copied().unwrap_or(u64::MAX),
            ..Way::default()
        };
        let ways = [(id, way(other, (from, to), id)), (other, way(id, (to, from), other))];
        self.ways.extend(ways);
    }

    /// A datagram arrives at node `to` from the address that node `from` has had since the handshake.
    pub fn arrives(&mut self, now: Instant, nodes: (usize, usize), bytes: &[u8], marked: bool) {
        if !self.on {
            return;
        }
        match parse(bytes) {
            Ok(Packet::Accept { id, hello }) => self.accepted(nodes, id, hello),
            Ok(Packet::Data { id, number, body, .. }) => self.data_arrives(now, id, number, body, marked),
            _ => {}
        }
    }

    fn data_arrives(&mut self, now: Instant, id: u64, number: u64, body: &[u8], marked: bool) {
        let delay = self.config.ack_delay;
        let Some(way) = self.ways.get_mut(&id) else { return };
        // A packet below the closed gaps counts as received, so it is dropped.
        if !way.received.insert(number) || way.ended {
            return;
        }
        let (time, mut frames) = parse_body(body).expect("a time");
        let in_order = way.highest.map_or(number == 0, |highest| number == highest.number + 1);
        if way.highest.is_none_or(|highest| number > highest.number) {
            way.highest = Some(Arrival { number, time, at: now });
        }
        way.marks += u32::from(marked);
        way.news = true;
        let back = way.back;
        let (mut eliciting, mut at_once) = (false, !in_order);
        while let Ok(Some(frame)) = next_frame(&mut frames) {
            match frame {
                Frame::Ping => (eliciting, at_once) = (true, true),
                Frame::Challenge(question) => {
                    (eliciting, at_once) = (true, true);
                    self.ways.get_mut(&id).expect("it is there").challenges.push(question);
                }
                Frame::Part(..) => eliciting = true,
                Frame::Close => {
                    for id in [id, back] {
                        self.ways.get_mut(&id).expect("it is there").ended = true;
                    }
                }
                Frame::Ack(answer, ack) => {
                    let way = self.ways.get_mut(&back).expect("it is there");
                    way.limit = way.limit.max(answer.limit);
                    let remembered = way.next.saturating_sub(REMEMBERED);
                    for (low, high) in ack.ranges().filter(|(_, high)| *high >= remembered) {
                        let parts = way.sent.range(low.max(remembered)..=high).flat_map(|(_, parts)| parts);
                        way.known.extend(parts);
                    }
                }
                Frame::Response(_) | Frame::Padding => {}
            }
        }
        let way = self.ways.get_mut(&id).expect("it is there");
        if eliciting {
            way.unanswered += 1;
            let due = if at_once || way.unanswered > 1 { now } else { now + delay };
            way.due = Some(way.due.map_or(due, |other| other.min(due)));
        }
    }

    /// All nodes have sent what they send at this time.
    pub fn settled(&self, now: Instant) {
        let late = |way: &Way| !way.ended && way.due.is_some_and(|due| due <= now);
        assert!(!self.on || !self.ways.values().any(late), "an acknowledgement is late at {now:?}");
    }
}
