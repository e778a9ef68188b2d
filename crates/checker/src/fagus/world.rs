//! A world of shared memory: its parameters and its state.

use ::fagus::protocol::object::{Home, Message, Replica};
use ::fagus::protocol::{Rules, barrier, lock};

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Take a read guard of an object, and drop it in a step of its own.
    Read(usize),
    /// Take a write guard, add one, and drop it in a step of its own.
    Write(usize),
    /// Give another node a copy.
    Push(usize, u16),
    /// Take the lock.
    Lock,
    /// Give it back.
    Unlock,
    /// Meet all others.
    Barrier,
}

/// Faults of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Messages of one node to another overtake each other.
    pub reorders: bool,
    /// Messages that arrive twice in the whole run, at most.
    pub repeats: u8,
    /// Only grants arrive twice.
    pub grants_only: bool,
}

impl Network {
    /// Each message comes once, those of one node to another in order.
    pub const FIFO: Network = Network { reorders: false, repeats: 0, grants_only: false };
    /// Each message comes once.
    pub const REORDERING: Network = Network { reorders: true, ..Network::FIFO };
    /// One message comes twice, in any order.
    pub const BAD: Network = Network { reorders: true, repeats: 1, grants_only: false };
}

/// The path of an object's data from its owner to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// In the protocol's own message.
    Message,
    /// By RDMA WRITE into the other node's region, on the connection of the message behind it: nothing overtakes.
    Behind,
    /// The same, and the message goes another way and may overtake (H12).
    Beside,
    /// The reader fetches a copy by RDMA READ from who owned the object when it asked; no program there knows of it (H13).
    Fetch,
}

/// The values that each node's program has read, in order.
pub type Outcome = Vec<Vec<u8>>;

/// A world to explore.
#[derive(Clone, Debug)]
pub struct World {
    /// Rules of objects.
    pub rules: Rules,
    /// The program of each node.
    pub programs: Vec<Vec<Op>>,
    /// Objects; the home of object `i` is node `i` modulo the nodes, or the one that is said.
    pub objects: usize,
    /// Home of all objects and of the lock.
    pub home: Option<u16>,
    /// All nodes have copies from the beginning.
    pub cached: bool,
    /// Its faults.
    pub network: Network,
    /// The path of data.
    pub transfer: Transfer,
    /// The outcome that must not occur.
    pub forbidden: Option<fn(&Outcome) -> bool>,
}

impl Default for World {
    fn default() -> Self {
        World {
            rules: Rules::REPAIRED,
            programs: Vec::new(),
            objects: 1,
            home: None,
            cached: false,
            network: Network::FIFO,
            transfer: Transfer::Message,
            forbidden: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// About an object.
    Object(usize, Message<u8>),
    /// About the lock.
    Lock(lock::Message),
    /// About a barrier.
    Barrier(barrier::Message),
    /// RDMA WRITE of an object's region: the data.
    Region(usize, u8),
    /// RDMA READ of an object's region, for a request.
    Fetch(usize, u32),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packet {
    pub from: u16,
    pub to: u16,
    pub body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Before its next step.
    Ready,
    /// Within it.
    Waits,
    /// It holds a guard.
    Holds,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub replicas: Vec<Replica<u8>>,
    /// The region of each object, which adapters read and write: version and data, from the program or by RDMA.
    pub regions: Vec<(u32, u8)>,
    /// The homes at this node, by object.
    pub homes: Vec<Option<Home>>,
    pub holder: lock::Holder,
    pub arrival: barrier::Arrival,
    /// Steps of the program that are done.
    pub done: usize,
    pub phase: Phase,
    pub seen: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub nodes: Vec<Node>,
    pub lock: lock::Home,
    /// The home of all barriers, at node 0.
    pub barrier: barrier::Home,
    /// Messages in flight, in order for each pair of nodes.
    pub channel: Vec<Packet>,
    pub repeats: u8,
    /// Writes of each object so far; known to the judge only.
    pub written: Vec<u8>,
    /// A writer saw something else than the last write.
    pub lost: bool,
    /// Barriers that were passed before all had come.
    pub early: bool,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The program of a node takes its next step.
    Begin(usize),
    /// It drops its guard.
    End(usize),
    Arrive {
        /// Its index in `channel`.
        at: usize,
        /// A copy stays in flight.
        again: bool,
    },
}
