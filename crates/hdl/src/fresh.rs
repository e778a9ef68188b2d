//! Reset test: a reset must return every register of a block to its initial value.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{Bundle, Clocked, Probe, Signal, SignalRole, Stimulus};

/// Registers of a block before and after resets during random work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Worked {
    /// Registers that differ from those of a new block after a reset.
    pub left: BTreeSet<String>,
    /// Registers that differed from those of a new block before a reset, so that the reset was tested on
    /// them.
    pub touched: BTreeSet<String>,
}

/// Registers of a block that no reset has been tested on yet.
#[derive(Clone, Debug)]
pub struct Unmet {
    waiting: Vec<Signal>,
    new: Vec<u64>,
    now: Vec<u64>,
}

impl Unmet {
    /// All registers of a new block.
    pub fn of(new: &impl Probe) -> Self {
        let registers = crate::signals(new).into_iter();
        let mut words = Vec::new();
        crate::sample(new, &mut words);
        Unmet {
            waiting: registers.filter(|signal| matches!(signal.role, SignalRole::Register(_))).collect(),
            new: words,
            now: Vec::new(),
        }
    }

    /// Whether a reset now would be tested on one of them, because it differs from that of a new block; such
    /// registers are removed. Some registers differ rarely and for one cycle only, so resets at random times
    /// would miss them.
    pub fn meets(&mut self, block: &impl Probe) -> bool {
        if self.waiting.is_empty() {
            return false;
        }
        self.now.clear();
        crate::sample(block, &mut self.now);
        let before = self.waiting.len();
        self.waiting.retain(|register| register.words(&self.new) == register.words(&self.now));
        self.waiting.len() < before
    }
}

/// Drives a block with random pins and resets it repeatedly. Memories keep their contents and are not
/// examined.
pub fn worked<B>(seed: u64) -> Worked
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
{
    const CYCLES: u64 = 30_000;
    /// Resets happen early in an operation of a register, and long after.
    const REST: u64 = 500;
    let (mut block, new) = (B::default(), B::default());
    let mut stimulus = Stimulus::new(seed);
    let mut unmet = Unmet::of(&new);
    let mut worked = Worked::default();
    for _ in 0..CYCLES {
        block.tick(&stimulus.pins());
        if unmet.meets(&block) || stimulus.one_in(REST) {
            worked.touched.extend(different(&block, &new));
            block.reset();
            worked.left.extend(different(&block, &new));
        }
    }
    worked
}

/// Runs the reset test on a block and returns its name.
///
/// # Panics
/// If a reset leaves a register changed, or no register had changed.
pub fn reset<B>(name: &str) -> String
where
    B: Clocked + Probe + Default,
    B::In: Bundle,
{
    let seen = worked::<B>(1);
    assert_eq!(seen.left, BTreeSet::new(), "a reset of {name} leaves them");
    assert!(!seen.touched.is_empty(), "{name} has not worked");
    name.to_string()
}

/// Runs the reset test on blocks; returns the names of their types, as [`blocks`](crate::fresh::blocks) lists
/// them.
#[macro_export]
macro_rules! reset {
    ($($block:ident;)*) => {
        ::std::collections::BTreeSet::from([$($crate::fresh::reset::<$block>(stringify!($block))),*])
    };
}

/// Names of the registers in which two blocks differ.
fn different<B: Probe>(block: &B, other: &B) -> Vec<String> {
    let [mut words, mut others] = [Vec::new(), Vec::new()];
    crate::sample(block, &mut words);
    crate::sample(other, &mut others);
    let registers = crate::signals(block).into_iter();
    registers
        .filter(|signal| matches!(signal.role, SignalRole::Register(_)))
        .filter(|signal| signal.words(&words) != signal.words(&others))
        .map(|signal| format!("{}.{}", signal.block, signal.name).trim_start_matches('.').to_string())
        .collect()
}

/// Names of the types of all blocks below a folder of sources. Blocks of tests are excluded: they model the
/// environment.
pub fn blocks(source: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(source).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "tests") {
                found.append(&mut blocks(&path));
            }
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            let named = text.lines().filter_map(|line| line.strip_prefix("impl Clocked for "));
            found.extend(named.map(|name| name.trim_end_matches(" {").to_string()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quiet, Visitor};

    crate::bundle! {
        /// A number.
        struct In in fresh_pkg {
            /// Any number.
            number: u8,
        }
    }

    /// A block with three registers: the reset forgets one, and the pins do not reach another.
    #[derive(Clone, Debug, Default)]
    struct Forgetful {
        kept: u8,
        reset: u8,
        constant: u8,
    }

    impl Clocked for Forgetful {
        type In = In;
        type Out = In;

        fn outputs(&self) -> In {
            In { number: self.reset }
        }

        fn tick(&mut self, pins: &In) {
            (self.kept, self.reset) = (pins.number, pins.number);
        }

        fn reset(&mut self) {
            self.reset = 0;
        }

        fn quiescent(&self) -> Quiet {
            Quiet::Busy
        }
    }

    impl Probe for Forgetful {
        fn probe(&self, visitor: &mut impl Visitor) {
            visitor.register("kept", 8, self.kept);
            visitor.register("reset", 8, self.reset);
            visitor.register("constant", 8, self.constant);
        }
    }

    #[test]
    fn reset_test_reports_kept_and_touched_registers() {
        let Worked { left, touched } = worked::<Forgetful>(1);
        assert_eq!(left, BTreeSet::from(["kept".to_string()]));
        assert_eq!(touched, BTreeSet::from(["kept", "reset"].map(String::from)));
    }
}
