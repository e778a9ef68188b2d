//! Accesses of a primitive: the bytes it touches, on behalf of which process, and the order of its effects.

/// A process of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Number of the node, from 0.
    pub node: usize,
    /// WID on that node.
    pub wid: bool,
}

/// A memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its SO-DIMM region.
    SoDimm,
    /// Its four Prefetch Windows.
    PrefetchWindow,
    /// Its LLCM, the ring of statuses excepted.
    Llcm,
    /// Prefetch Window Flag, one byte per window.
    Flag,
    /// Tail of its LH Buffer, one byte: each head advances it.
    LhTail,
    /// Receive condition in Controller Status, one byte.
    Condition,
}

/// A memory of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Process that owns the memory.
    pub who: Who,
    /// Kind of the memory.
    pub kind: Kind,
}

/// Progress of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The host writes Command Lower.
    Kick,
    /// The issuer's Window Controller executes the primitive.
    Execute,
    /// A node receives a packet from the issuer's node.
    Receive(usize),
    /// The Window Controller of this node executes a remote request.
    Gather(usize),
    /// The issuer's node receives a reply packet from this node.
    Reply(usize),
}

/// One stage of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Process that issued the primitive.
    pub issuer: Who,
    /// Stage in which the effect happens.
    pub stage: Stage,
}

/// Bytes that an effect reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Effect that causes the access.
    pub effect: Effect,
    /// Memory that is accessed.
    pub place: Place,
    /// Offset of the first byte in the memory.
    pub first: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// The bytes are written; otherwise they are read.
    pub write: bool,
}

impl Effect {
    /// Whether the board guarantees that this effect completes before `later`, an effect of a primitive
    /// issued afterwards, begins (decision 0026). Effects of different processes are not ordered.
    pub fn precedes(self, later: Effect) -> bool {
        use Stage::*;
        self.issuer == later.issuer
            && match (self.stage, later.stage) {
                // The host writes in order, and each Window Controller executes one primitive after another.
                (Kick, _) | (Execute, Execute | Receive(_) | Gather(_) | Reply(_)) => true,
                // One path through the network, one Receive Controller.
                (Receive(a), Receive(b) | Gather(b)) => a == b,
                // The packet is received before the request to which the reply belongs.
                (Receive(a), Reply(from)) => a == from,
                // Requests are served in order, and so are their replies.
                (Gather(a), Gather(b)) | (Gather(a), Reply(b)) | (Reply(a), Reply(b)) => a == b,
                _ => false,
            }
    }
}

impl Access {
    /// Whether the result depends on the order of two accesses.
    pub fn meets(&self, other: &Access) -> bool {
        (self.write || other.write)
            && self.place == other.place
            && self.first < other.first + other.bytes
            && other.first < self.first + self.bytes
    }
}
