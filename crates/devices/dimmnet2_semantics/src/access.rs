//! Which bytes a primitive touches, on whose behalf, and what of it waits for what.

/// A process of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Who {
    /// Number of its node, from 0.
    pub node: usize,
    /// Its WID.
    pub wid: bool,
}

/// A memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its SO-DIMM region.
    SoDimm,
    /// Its four Prefetch Windows.
    PrefetchWindow,
    /// Its LLCM.
    Llcm,
    /// Bits of Prefetch Window Flag, a byte for each window.
    Flag,
    /// The Tail of its LH Buffer, one byte: each head moves it on.
    LhTail,
    /// The condition in Controller Status, one byte.
    Condition,
}

/// A memory and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The process.
    pub who: Who,
    /// The memory.
    pub kind: Kind,
}

/// How far on its way a primitive is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The host writes Lower.
    Kick,
    /// The Window Controller of the issuer executes it.
    Execute,
    /// A node receives a packet from the issuer's node.
    Receive(usize),
    /// The Window Controller of this node executes a remote request.
    Gather(usize),
    /// The issuer's node receives a packet that answers, from this node.
    Reply(usize),
}

/// Part of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Whose primitive it is.
    pub issuer: Who,
    /// Which part.
    pub stage: Stage,
}

/// Bytes that an effect reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The effect.
    pub effect: Effect,
    /// Where.
    pub place: Place,
    /// First byte.
    pub first: u64,
    /// How many.
    pub bytes: u64,
    /// They are written.
    pub write: bool,
}

impl Effect {
    /// Whether the board sees to it that this effect of a primitive is over before `later`, an effect of one issued
    /// after it, begins (decision 0026). What two processes do has no order.
    pub fn precedes(self, later: Effect) -> bool {
        use Stage::*;
        self.issuer == later.issuer
            && match (self.stage, later.stage) {
                // The host itself; then one Window Controller takes one primitive after the other.
                (Kick, _) | (Execute, Execute | Receive(_) | Gather(_) | Reply(_)) => true,
                // One way through the network, one Receive Controller.
                (Receive(a), Receive(b) | Gather(b)) => a == b,
                // It is received before the request that the answer belongs to.
                (Receive(a), Reply(from)) => a == from,
                // Requests are served in order, and so are their answers.
                (Gather(a), Gather(b)) | (Gather(a), Reply(b)) | (Reply(a), Reply(b)) => a == b,
                _ => false,
            }
    }
}

impl Access {
    /// Whether the result depends on which of two accesses is first.
    pub fn meets(&self, other: &Access) -> bool {
        (self.write || other.write)
            && self.place == other.place
            && self.first < other.first + other.bytes
            && other.first < self.first + self.bytes
    }
}
