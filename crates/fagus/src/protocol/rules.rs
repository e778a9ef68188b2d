//! What is printed, and what repairs it.

/// Which answers of an owner a node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answers {
    /// All that come.
    Any,
    /// Those that come while it waits for one of the kind.
    IfWaiting,
    /// Those that carry the number of the request that it waits for.
    Numbered,
}

/// Rules of objects. The paper prints no messages (sections 3 and 5.2): what is called printed here is the plain reading, without anything that
/// datagrams make necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Order and versions (H15): a write waits at home until the copies that were asked for before it have come, and a node
    /// remembers the newest version that it was told of, and takes nothing older.
    pub versions: bool,
    /// Which answers are taken (H16).
    pub answers: Answers,
    /// An owner that waits for copies to be invalidated puts requests aside (H17). Otherwise it reads nothing but those acknowledgements.
    pub aside: bool,
}

impl Rules {
    /// The plain reading of the paper.
    pub const PRINTED: Rules = Rules { versions: false, answers: Answers::Any, aside: false };
    /// With all repairs; what runs.
    pub const REPAIRED: Rules = Rules { versions: true, answers: Answers::Numbered, aside: true };
}
