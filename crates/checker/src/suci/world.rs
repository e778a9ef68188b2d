//! A world of Suci: its parameters and its state.

use std::rc::Rc;

use ::suci::paper::Repairs;
use ::suci::walk::Walked;
use ::suci::{Instant, Peer, Rules};

use super::wrong::Wrong;

/// Bytes of a full packet with the rules of the paper: the smallest datagram, less its header.
pub const PACKET: usize = DATAGRAM - ::suci::paper::packet::HEADER;
/// Bytes of a datagram.
pub const DATAGRAM: usize = ::suci::modern::packet::LEAST_DATAGRAM;

/// A class of packets that faults select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Packets of any class.
    Any,
    /// Those with data.
    Data,
    /// The first packet with data of a node.
    First,
    /// Acknowledgements.
    Acks,
    /// Acks and Nacks.
    Replies,
    /// Requests to send again.
    Requests,
    /// Answers to these.
    Permits,
    /// Those to node 1.
    PermitsToOne,
}

/// A number of faults for a class of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// Packets that the faults select.
    pub class: Class,
    /// The most faults; [`ALWAYS`] for any number.
    pub most: u8,
}

/// Any number.
pub const ALWAYS: u8 = u8::MAX;

impl Faults {
    /// None.
    pub const NONE: Self = Self::of(Class::Any, 0);
    /// Any, and any number of them.
    pub const ALL: Self = Self::of(Class::Any, ALWAYS);

    /// At most `most` faults for a class.
    pub const fn of(class: Class, most: u8) -> Self {
        Self { class, most }
    }
}

/// Faults of the network, and early time-outs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Packets overtake each other.
    pub reorders: bool,
    /// Packets that may be lost; each is counted once, by the first that it is one of.
    pub loses: [Faults; 2],
    /// Packets that may come twice.
    pub repeats: Faults,
    /// Time-outs and ends of permits that may come while packets are in flight; all others come when there are none.
    pub early: u8,
    /// Packets that fit between two nodes, each way; a step that would send one more cannot happen yet.
    pub room: usize,
}

impl Network {
    /// Each packet comes once, in order.
    pub const FIFO: Self =
        Self { reorders: false, loses: [Faults::NONE; 2], repeats: Faults::NONE, early: 0, room: 3 };
    /// Packets are lost and repeated, and time-outs come when they like.
    pub const BAD: Self =
        Self { loses: [Faults::ALL, Faults::NONE], repeats: Faults::ALL, early: ALWAYS, ..Self::FIFO };
    /// The same in any order.
    pub const WORST: Self = Self { reorders: true, ..Self::BAD };

    /// Loses at most these, and has no other fault.
    pub const fn losing(most: Faults, beside: Faults) -> Self {
        Self { loses: [most, beside], ..Self::FIFO }
    }
}

/// A world to explore. Node 0 receives; it sends to node 1 only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The rules of all nodes.
    pub rules: Rules,
    /// Blocks that each node sends, each as a number of packets.
    pub blocks: Vec<Vec<usize>>,
    /// Its faults.
    pub network: Network,
    /// Packets that a node has memory for, from each of its peers.
    pub window: usize,
    /// Packets that all permits together allow.
    pub budget: usize,
    /// Packets without an Ack that count as congestion.
    pub congested: usize,
    /// Packets that the socket buffer of node 0 holds. If set, more packets in flight at once are a violation.
    pub buffer: Option<usize>,
    /// Blocks are taken in steps of their own, and not as they come.
    pub slow: bool,
    /// When no packet is in flight, applications may ask to send again.
    pub asks: bool,
    /// How often node 1 may be restarted.
    pub restarts: u8,
    /// Begins before the handshake. The paper has none.
    pub strangers: bool,
    /// Only blocks of this node have to arrive.
    pub only: Option<usize>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            blocks: vec![vec![], vec![1, 1]],
            network: Network::FIFO,
            window: 2,
            budget: 4,
            congested: usize::MAX,
            buffer: None,
            slow: false,
            asks: false,
            restarts: 0,
            strangers: false,
            only: None,
        }
    }
}

impl World {
    /// The same world with other rules. With our own, time goes on, and a network with unlimited faults has no last state: there each
    /// fault happens once.
    pub fn under(&self, rules: Rules) -> Self {
        let mut world = Self { rules, ..self.clone() };
        if rules == Rules::MODERN {
            let once = |most: &mut u8| *most = (*most).min(1);
            world.network.loses.iter_mut().for_each(|faults| once(&mut faults.most));
            once(&mut world.network.repeats.most);
            once(&mut world.network.early);
        }
        world
    }

    /// Repairs of the paper's rules; none if they are our own.
    pub fn repairs(&self) -> Option<Repairs> {
        match self.rules {
            Rules::Paper(repairs) => Some(repairs),
            Rules::Modern => None,
        }
    }

    /// Name of the rules: printed, repaired, modern, or which repairs there are.
    pub fn rules_name(&self) -> String {
        match self.repairs() {
            None => "modern".into(),
            Some(Repairs::NONE) => "printed".into(),
            Some(Repairs::ALL) => "repaired".into(),
            Some(repairs) => format!("printed, {}", repairs.names().collect::<Vec<_>>().join(", ")),
        }
    }

    /// Whether all nodes have one clock, which goes on only to the next time-out: packets of our own rules carry times, and a permit ends
    /// at both ends. Otherwise each node has its own clock, which no other knows, and time can be taken out.
    pub fn has_common_clock(&self) -> bool {
        self.repairs().is_none_or(|repairs| repairs.permits && self.counts_permits())
    }

    /// Whether permits are counted: it makes states differ, and is of use only where they are asked for.
    pub fn counts_permits(&self) -> bool {
        self.congested != usize::MAX
    }

    /// All nodes, by number.
    pub fn nodes(&self) -> std::ops::Range<usize> {
        0..self.blocks.len()
    }

    /// The receiver of a node's blocks.
    pub fn receiver(&self, node: usize) -> usize {
        usize::from(node == 0)
    }

    /// Bytes of a block of `packets` packets.
    pub fn length(&self, packets: usize) -> usize {
        // A part of our own is shorter, and a block costs more than its bytes.
        packets * if self.rules == Rules::MODERN { PACKET - 64 } else { PACKET }
    }
}

pub type Packet = Rc<[u8]>;

/// An endpoint, and the judge's view of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Node {
    pub endpoint: Walked,
    /// Its handles of its peers.
    pub peers: Vec<Option<Peer>>,
    /// Blocks of its plan that it has given to the endpoint.
    pub begun: u8,
    /// Of these, the ones that were refused as too large.
    pub refused: u8,
    /// Blocks of its plan that were given up by a restart: those before this one.
    pub since: u8,
    /// Number of the next block of each node's plan that its application is to get.
    pub taken: Vec<u8>,
    /// Bytes that it was permitted to send again and has not.
    pub allowance: i32,
    /// Number of the last request that was permitted, and the bytes.
    pub permitted: (u32, i32),
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub nodes: Vec<Rc<Node>>,
    /// Packets in flight, from each node to each other one.
    pub wires: Vec<Vec<Packet>>,
    /// Time at each node.
    pub clocks: Vec<Instant>,
    /// Faults that may still happen.
    pub left: FaultBudget,
    /// How often node 1 was restarted.
    pub restarts: u8,
    /// A violation in a block.
    pub wrong: Option<Wrong>,
}

/// Faults that may still happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaultBudget {
    /// Packets that may be lost.
    pub losses: [u8; 2],
    /// Packets that may come twice.
    pub repeats: u8,
    /// Time-outs that may be early.
    pub early: u8,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// An application sends its next block.
    Send(usize),
    /// An application takes a block.
    Take(usize),
    /// An application asks to send again.
    Ask(usize),
    /// A packet arrives: from, to, and its place among those on the way.
    Arrive(usize, usize, usize),
    /// The same, and it will come once more.
    Repeat(usize, usize, usize),
    /// It is lost.
    Lose(usize, usize, usize),
    /// The next time-out of a node, with packets in flight or without.
    TimeOut(usize),
    /// So much time passes that all permits expire.
    Expire,
    /// Node 1 is restarted.
    Restart,
}
