//! A world of MPI: ranks that send to each other through network interfaces that a full buffer stops.
//!
//! Each rank has messages for every other one and has posted all receives. While it sends a packet it receives none, until the
//! packet is in the receiver's buffer. Sends and receives of the ranks interleave in any order; credits are returned as soon as
//! they are due. [`Sending`], [`Receiving`] and [`Credits`] are the types that the library and its carriers use.
//!
//! ```
//! use checker::core::Walk;
//! use checker::mpi::{Places, World, Wrong};
//!
//! let world = World { places: Places::Free, slots: 1, ..World::default() };
//! let verdict = world.check(100_000).unwrap();
//! let trap = verdict.find(Wrong::Standstill).unwrap();
//! assert_eq!(trap.trace().last(), Some(&"rank 1 gives eager to rank 0"));
//! ```

use std::collections::VecDeque;
use std::convert::Infallible;

use ::mpi::{Credits, PacketKind, Receiving, Sending, Way};
use stateright::Model;

use crate::core::{Exploration, Hazard, Judged, NoScript, OnVisit, Protocol, Scripted, Trap, Walk, kinds};

/// Ranks of a world at most.
const RANKS: usize = 3;

/// The rule by which senders share the places of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Not at all: a rank gives what it has.
    Free,
    /// In advance, among all others; a packet with credits needs a place too.
    Shared,
    /// In advance; credits go in a word that needs no place, as carriers do it.
    Beside,
}

/// A world to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Ranks, two or three.
    pub ranks: usize,
    /// Messages of each rank for each other one.
    pub messages: u8,
    /// Packets of data of a message.
    pub packets: u8,
    /// The protocol of a message: eager or rendezvous.
    pub way: Way,
    /// Packets that the buffer of a rank holds, from all senders together.
    pub slots: u8,
    /// The rule by which they are shared.
    pub places: Places,
}

impl Default for World {
    fn default() -> Self {
        World { ranks: 2, messages: 3, packets: 1, way: Way::Eager, slots: 2, places: Places::Beside }
    }
}

/// The content of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// A packet of the library.
    Packet(PacketKind),
    /// Packets that it has taken in all.
    Credits(u32),
}

/// A packet in flight, or a word next to packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packet {
    from: u8,
    to: u8,
    content: Content,
}

/// The state that a rank keeps of another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Peer {
    /// Messages that have not begun.
    waiting: u8,
    sending: Option<Sending>,
    receiving: Option<Receiving>,
    /// Messages that are to be cleared.
    clears: u8,
    /// Messages that came whole.
    whole: u8,
    credits: Option<Credits>,
}

/// A rank with its buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rank {
    peers: [Peer; RANKS],
    buffer: VecDeque<Packet>,
    /// The packet that it gives away.
    giving: Option<Packet>,
    /// A packet came that no rule allows.
    wrong: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A rank begins to give the next packet for another one away.
    Give(usize, usize),
    /// The packet that a rank gives away is stored in the buffer of its receiver. A word is read at once: reading it late is the same as
    /// sending late.
    Store(usize),
    /// A rank takes the oldest packet out of its buffer. If credits are due then, it gives them away.
    Take(usize),
}

kinds! {
    /// A kind of finding.
    pub enum Wrong {
        Refused = "refused packet": "a packet comes that no rule allows",
        Full = "full buffer": "a packet finds no room, although its place was promised",
        Standstill (trap) = "standstill": "standstill: not all messages can come any more",
    }
}

/// The protocol of the MPI library.
#[derive(Clone, Copy, Debug)]
pub enum Mpi {}

impl Protocol for Mpi {
    type World = World;
    type Wrong = Wrong;
    type Script = Infallible;

    /// Buffers whose places are not shared in advance, or not without places for credits.
    fn hazards() -> Vec<Hazard<Self>> {
        let world = |places| World { places, slots: 1, messages: 4, ..World::default() };
        vec![
            Hazard::new(
                "free",
                "Ranks fill each other's buffers while they give packets away, and none of them takes one.",
                "credits, told in words that need no place",
                Wrong::Standstill,
                world(Places::Free),
            ),
            Hazard::new(
                "shared",
                "The packet that tells of credits needs a place itself, and finds none.",
                "credits, told in words that need no place",
                Wrong::Full,
                world(Places::Shared),
            ),
        ]
    }

    fn repaired(hazard: &Hazard<Self>) -> Option<World> {
        Some(World { places: Places::Beside, ..hazard.world().clone() })
    }

    fn walk(world: &World, limit: usize, on_visit: OnVisit<'_>) -> Judged<Wrong> {
        Ok(Exploration::new(world, limit, on_visit)?.verdict())
    }

    fn script(_: &World, _: Option<Wrong>, _: usize) -> Scripted<Infallible> {
        Err(NoScript::NotOnMachine(vec!["carriers of the library keep their credits beside packets"]))
    }
}

impl Walk for World {
    type Wrong = Wrong;

    const TELLS_REST: bool = false;

    fn wrong(&self, state: &Vec<Rank>) -> Vec<Wrong> {
        let refused = state.iter().any(|rank| rank.wrong).then_some(Wrong::Refused);
        let full = (self.places != Places::Free && self.is_full(state)).then_some(Wrong::Full);
        refused.into_iter().chain(full).collect()
    }

    /// All messages have come, and nothing is left of them.
    fn is_complete(&self, state: &Vec<Rank>) -> bool {
        let done = |peer: &Peer| {
            peer.whole == self.messages && peer.waiting == 0 && peer.sending.is_none() && peer.clears == 0
        };
        state
            .iter()
            .enumerate()
            .all(|(me, rank)| rank.giving.is_none() && self.others(me).all(|other| done(&rank.peers[other])))
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Standstill
    }

    fn happens(&self, _: &Vec<Rank>, action: Action, after: &Vec<Rank>) -> String {
        words(action, after)
    }
}

impl World {
    /// A packet finds no room.
    fn is_full(&self, state: &[Rank]) -> bool {
        state.iter().filter_map(|rank| rank.giving).any(|packet| !self.has_room(state, packet))
    }

    /// The packet is a word with credits, outside the buffers.
    fn is_word(&self, packet: Packet) -> bool {
        self.places == Places::Beside && matches!(packet.content, Content::Credits(_))
    }

    /// The receiver's buffer can take the packet.
    fn has_room(&self, state: &[Rank], packet: Packet) -> bool {
        self.is_word(packet) || state[usize::from(packet.to)].buffer.len() < usize::from(self.slots)
    }

    fn others(&self, me: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.ranks).filter(move |other| *other != me)
    }

    /// The next packet of a rank for another one, and what it keeps then. Answers go before messages.
    fn next(&self, peer: &Peer) -> Option<(PacketKind, Peer)> {
        let mut then = *peer;
        if peer.clears > 0 {
            then.clears -= 1;
            return Some((PacketKind::Clear, then));
        }
        let length = usize::from(self.packets);
        let sending = match peer.sending {
            None if peer.waiting == 0 => return None,
            None => {
                then.waiting -= 1;
                Sending::begin(self.way, length)
            }
            Some(sending) => sending,
        };
        let (leaving, sending) = sending.next(length, 1)?;
        then.sending = (sending != Sending::Done).then_some(sending);
        Some((leaving.kind, then))
    }

    /// A rank takes a packet.
    fn take(&self, rank: &mut Rank, packet: Packet) {
        let peer = &mut rank.peers[usize::from(packet.from)];
        let kind = match (packet.content, &mut peer.credits) {
            (Content::Packet(kind), None) => kind,
            (Content::Packet(kind), Some(credits)) => {
                credits.took();
                kind
            }
            (Content::Credits(taken), credits) => {
                return credits.iter_mut().for_each(|credits| credits.hear(taken));
            }
        };
        let length = usize::from(self.packets);
        let accepted = match (kind, peer.receiving) {
            (PacketKind::Clear, _) => {
                let cleared = peer.sending.and_then(Sending::cleared);
                peer.sending = cleared.filter(|sending| *sending != Sending::Done);
                cleared.is_some()
            }
            (PacketKind::Data, receiving) => {
                let then = receiving.and_then(|receiving| receiving.data(1));
                peer.receiving = then;
                then.is_some()
            }
            (PacketKind::Eager, None) => {
                peer.receiving = Receiving::begin(PacketKind::Eager, length, length.min(1));
                peer.receiving.is_some()
            }
            (PacketKind::Ask, None) => {
                let asked = Receiving::begin(PacketKind::Ask, length, 0).map(Receiving::wanted);
                peer.receiving = asked.map(|(then, _)| then);
                peer.clears += u8::from(asked.is_some_and(|(_, tell)| tell));
                asked.is_some()
            }
            _ => false,
        };
        if peer.receiving == Some(Receiving::Whole) {
            peer.receiving = None;
            peer.whole += 1;
        }
        rank.wrong |= !accepted;
    }
}

impl Model for World {
    type State = Vec<Rank>;
    type Action = Action;

    fn init_states(&self) -> Vec<Vec<Rank>> {
        assert!((2..=RANKS).contains(&self.ranks), "two ranks or three");
        let shared =
            || Credits::of_slots(self.slots.into(), self.ranks).expect("a place for each other rank");
        let credits = (self.places != Places::Free).then(shared);
        let rank = |me| {
            let mut rank = Rank::default();
            for other in self.others(me) {
                rank.peers[other] = Peer { waiting: self.messages, credits, ..Peer::default() };
            }
            rank
        };
        vec![(0..self.ranks).map(rank).collect()]
    }

    fn actions(&self, state: &Vec<Rank>, actions: &mut Vec<Action>) {
        for (me, rank) in state.iter().enumerate() {
            if let Some(packet) = rank.giving {
                if self.has_room(state, packet) {
                    actions.push(Action::Store(me));
                }
                continue;
            }
            for other in self.others(me) {
                let peer = &rank.peers[other];
                if peer.credits.is_none_or(|credits| credits.may_send()) && self.next(peer).is_some() {
                    actions.push(Action::Give(me, other));
                }
            }
            if !rank.buffer.is_empty() {
                actions.push(Action::Take(me));
            }
        }
    }

    fn next_state(&self, state: &Vec<Rank>, action: Action) -> Option<Vec<Rank>> {
        let mut state = state.clone();
        match action {
            Action::Give(me, other) => {
                let peer = &mut state[me].peers[other];
                let (kind, then) = self.next(peer)?;
                *peer = then;
                if let Some(credits) = &mut peer.credits {
                    credits.sent();
                }
                let content = Content::Packet(kind);
                state[me].giving = Some(Packet { from: me as u8, to: other as u8, content });
            }
            Action::Store(me) => {
                let packet = state[me].giving.take()?;
                let receiver = &mut state[usize::from(packet.to)];
                match self.is_word(packet) {
                    true => self.take(receiver, packet),
                    false => receiver.buffer.push_back(packet),
                }
            }
            Action::Take(me) => {
                let packet = state[me].buffer.pop_front()?;
                self.take(&mut state[me], packet);
                let credits = &mut state[me].peers[usize::from(packet.from)].credits;
                if let Some(credits) = credits.as_mut().filter(|credits| credits.is_to_tell()) {
                    let content = Content::Credits(credits.tell());
                    state[me].giving = Some(Packet { from: me as u8, to: packet.from, content });
                }
            }
        }
        Some(state)
    }
}

fn words(action: Action, after: &[Rank]) -> String {
    let name = |content| match content {
        Content::Packet(PacketKind::Eager) => "eager",
        Content::Packet(PacketKind::Ask) => "ask",
        Content::Packet(PacketKind::Clear) => "clear",
        Content::Packet(PacketKind::Data) => "data",
        Content::Credits(_) => "credits",
    };
    match action {
        Action::Give(me, other) => {
            let what = after[me].giving.map_or("nothing", |packet| name(packet.content));
            format!("rank {me} gives {what} to rank {other}")
        }
        Action::Store(me) => format!("what rank {me} gives is stored"),
        Action::Take(me) => format!("rank {me} takes a packet"),
    }
}
