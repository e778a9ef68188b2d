//! Costs of the library's own steps on a processor (decision 0093).

use cluster::Duration;

use crate::host::Costs;

/// Cost of the library's own steps, of all that no carrier charges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryCost {
    /// A look each: load, compare and branch.
    #[default]
    Looks,
    /// The instructions of this library's code, each of a given time.
    Counted,
    /// None, to see the network interface alone.
    Off,
}

impl LibraryCost {
    /// Names of the values, in the order of [`LibraryCost::ALL`].
    pub const NAMES: &'static [&'static str] = &["looks", "counted", "off"];
    /// All values.
    pub const ALL: [LibraryCost; 3] = [LibraryCost::Looks, LibraryCost::Counted, LibraryCost::Off];

    /// Costs of steps on a processor that needs `instruction` for an instruction, and the other two times for a look
    /// and for a word that is copied.
    pub const fn costs(self, look: Duration, word: Duration, instruction: Duration) -> Costs {
        match self {
            LibraryCost::Looks => Costs::of_looks(look, word),
            LibraryCost::Counted => Costs {
                look,
                word,
                call: CALL.time(instruction),
                build: PACKET.time(instruction),
                sent: Duration::ZERO,
                received: PACKET.time(instruction),
                entry: ENTRY.time(instruction),
            },
            LibraryCost::Off => Costs { look, ..Costs::FREE },
        }
    }
}

/// Instructions of a step, and what they do besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Instructions of all kinds.
    pub instructions: u64,
    /// Loads among them.
    pub loads: u64,
    /// Stores among them.
    pub stores: u64,
    /// Branches among them.
    pub branches: u64,
}

impl Step {
    /// Time of the step, if every instruction takes `instruction`.
    pub const fn time(self, instruction: Duration) -> Duration {
        Duration::from_ps(self.instructions * instruction.ps())
    }
}

/// A send or receive call, as `ci/library-cost` counts it; so are the others.
pub const CALL: Step = Step { instructions: 486, loads: 130, stores: 145, branches: 40 };

/// A packet that is sent or received.
pub const PACKET: Step = Step { instructions: 1_310, loads: 482, stores: 452, branches: 96 };

/// An entry of a list that is compared with an envelope.
pub const ENTRY: Step = Step { instructions: 14, loads: 4, stores: 1, branches: 5 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_leaves_only_looks_in_vain() {
        let ns = Duration::from_ns;
        let [looks, counted, off] = LibraryCost::ALL.map(|cost| cost.costs(ns(3), ns(5), ns(1)));
        assert_eq!(looks, Costs::of_looks(ns(3), ns(5)));
        assert_eq!((counted.call, counted.build, counted.received), (ns(486), ns(1_310), ns(1_310)));
        assert_eq!((counted.look, counted.word, counted.entry), (ns(3), ns(5), ns(14)));
        assert_eq!(off, Costs { look: ns(3), ..Costs::FREE });
    }
}
