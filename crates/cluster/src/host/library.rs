//! The time that a host library's own steps take on a processor (decisions 0093, 0103).

use std::cell::Cell;
use std::rc::Rc;

use super::Cpu;
use crate::Duration;

/// Cost of a library's own steps: of all that the accesses of the network interface do not charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryCost {
    /// The few costs of the machine: a look each, which is load, compare and branch, where the library has any.
    #[default]
    Looks,
    /// The instructions of the library's code, each of a given time.
    Counted,
    /// None, to see the network interface alone.
    Off,
}

impl LibraryCost {
    /// Names of the values, in the order of [`LibraryCost::ALL`].
    pub const NAMES: &'static [&'static str] = &["looks", "counted", "off"];
    /// All values.
    pub const ALL: [LibraryCost; 3] = [LibraryCost::Looks, LibraryCost::Counted, LibraryCost::Off];

    /// The value of this name.
    pub fn named(name: &str) -> Option<LibraryCost> {
        let place = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Self::ALL[place])
    }

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Time of a step that takes `looks` by the costs of the machine, if an instruction takes `instruction`.
    pub const fn time(self, looks: Duration, step: LibraryStep, instruction: Duration) -> Duration {
        match self {
            LibraryCost::Looks => looks,
            LibraryCost::Counted => step.time(instruction),
            LibraryCost::Off => Duration::ZERO,
        }
    }
}

/// Instructions of a step of a library, and what they do besides. `ci/library-cost` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryStep {
    /// Instructions of all kinds.
    pub instructions: u64,
    /// Loads among them.
    pub loads: u64,
    /// Stores among them.
    pub stores: u64,
    /// Branches among them.
    pub branches: u64,
}

impl LibraryStep {
    /// Time of the step, if every instruction takes `instruction`.
    pub const fn time(self, instruction: Duration) -> Duration {
        Duration::from_ps(self.instructions * instruction.ps())
    }
}

/// A library on a host: charges its counted steps and adds up their time. Clones share the sum.
#[derive(Clone, Debug, Default)]
pub struct Library {
    cost: LibraryCost,
    instruction: Duration,
    spent: Rc<Cell<Duration>>,
}

impl Library {
    /// A library of this cost, on a processor that needs `instruction` for an instruction.
    pub fn new(cost: LibraryCost, instruction: Duration) -> Self {
        Library { cost, instruction, spent: Rc::default() }
    }

    /// Whether steps take the time of their instructions.
    pub fn is_counted(&self) -> bool {
        self.cost == LibraryCost::Counted
    }

    /// Whether the library takes no time.
    pub fn is_off(&self) -> bool {
        self.cost == LibraryCost::Off
    }

    /// Time of all steps that were charged.
    pub fn spent(&self) -> Duration {
        self.spent.get()
    }

    /// Computes for the instructions of a step, if they are counted.
    pub async fn charge(&self, cpu: &Cpu, step: LibraryStep) {
        self.charge_or(cpu, Duration::ZERO, step).await;
    }

    /// Computes for a step that takes `looks` by the costs of the machine.
    pub async fn charge_or(&self, cpu: &Cpu, looks: Duration, step: LibraryStep) {
        let time = self.take(looks, step);
        if time > Duration::ZERO {
            cpu.compute(time).await;
        }
    }

    /// Time of a step that takes `looks` by the costs of the machine. The caller lets it pass.
    pub fn take(&self, looks: Duration, step: LibraryStep) -> Duration {
        let time = self.cost.time(looks, step, self.instruction);
        self.spent.set(self.spent.get() + time);
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_takes_looks_or_its_instructions_or_nothing() {
        let ns = Duration::from_ns;
        let step = LibraryStep { instructions: 100, loads: 30, stores: 20, branches: 10 };
        let times = LibraryCost::ALL.map(|cost| cost.time(ns(7), step, ns(2)));
        assert_eq!(times, [ns(7), ns(200), Duration::ZERO]);
    }

    #[test]
    fn values_have_their_names() {
        for cost in LibraryCost::ALL {
            assert_eq!(LibraryCost::named(cost.name()), Some(cost));
        }
        assert_eq!(LibraryCost::named("some"), None);
    }
}
