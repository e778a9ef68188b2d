//! The protocol as printed, and its repairs.

/// Check of answers from an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answers {
    /// All answers are accepted.
    Any,
    /// Answers are accepted while the node waits for one of their kind.
    IfWaiting,
    /// Answers are accepted if they carry the number of the pending request.
    Numbered,
}

/// Rules of objects. The paper prints no messages (sections 3 and 5.2). The rules called printed are its
/// plain reading, without the additions that datagrams make necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Order and versions (H15): a write waits at home until all copies requested before it have arrived, and
    /// a node ignores versions older than the newest it knows.
    pub versions: bool,
    /// Check of answers (H16).
    pub answers: Answers,
    /// An owner that waits for invalidations defers requests (H17). Otherwise it accepts only
    /// acknowledgements meanwhile.
    pub aside: bool,
}

impl Rules {
    /// The plain reading of the paper.
    pub const PRINTED: Rules = Rules { versions: false, answers: Answers::Any, aside: false };
    /// The rules with all repairs, which programs use.
    pub const REPAIRED: Rules = Rules { versions: true, answers: Answers::Numbered, aside: true };
}
