//! What a world is made of.

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

/// What may happen to messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Messages of one node to another overtake each other.
    pub reorders: bool,
    /// So many messages come once more in the whole run.
    pub repeats: u8,
    /// Only grants do.
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

/// How data of an object get from an owner to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// In the message that tells of them.
    Message,
    /// By RDMA WRITE into the other node's region, on the connection of the message behind it: nothing overtakes.
    Behind,
    /// The same, and the message goes another way and may overtake (H12).
    Beside,
    /// The reader fetches a copy by RDMA READ from who owned the object when it asked; no program there knows of it (H13).
    Fetch,
}

/// What programs have read in the end: of each node all values in order.
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
    /// The network.
    pub network: Network,
    /// How data travel.
    pub transfer: Transfer,
    /// What must not be read.
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

/// A message of any part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Said {
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

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packet {
    /// Who sent it.
    pub from: u16,
    /// To whom.
    pub to: u16,
    /// The message.
    pub said: Said,
}

/// Where a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Before its next step.
    Ready,
    /// Within it.
    Waits,
    /// It holds a guard.
    Holds,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    /// Its replicas.
    pub replicas: Vec<Replica<u8>>,
    /// Regions of objects, which adapters read and write: the version and the data that the program has seen or written last, or what came by RDMA.
    pub regions: Vec<(u32, u8)>,
    /// Homes that are here.
    pub homes: Vec<Option<Home>>,
    /// The lock.
    pub holder: lock::Holder,
    /// Barriers.
    pub arrival: barrier::Arrival,
    /// Steps of the program that are done.
    pub done: usize,
    /// Where it is in the next one.
    pub phase: Phase,
    /// What it has read.
    pub seen: Vec<u8>,
}

/// A state of a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The lock at home.
    pub lock: lock::Home,
    /// Barriers at node 0.
    pub barrier: barrier::Home,
    /// What is on its way, in order for each pair of nodes.
    pub channel: Vec<Packet>,
    /// Messages that may still come twice.
    pub repeats: u8,
    /// Writes of each object so far. No node knows this.
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
    /// A message comes; if it is to come once more, a copy stays on its way.
    Arrive {
        /// Which one of those on their way.
        at: usize,
        /// It comes once more.
        again: bool,
    },
}
