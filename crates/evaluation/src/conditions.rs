//! Conditions under which published measurements are reproduced.

use cluster::Duration;
use cluster::host::HostCosts;

/// A detail that a publication leaves open, with the chosen and the alternative reading.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Subject of the choice.
    pub name: &'static str,
    /// Whether it concerns programs or the device.
    pub of: Chosen,
    /// Chosen reading.
    pub ours: &'static str,
    /// Alternative reading that the text permits.
    pub other: &'static str,
    /// Text of the publication.
    pub text: &'static str,
    /// Rows that were considered for the choice.
    pub chosen_by: &'static [&'static str],
}

/// Subject of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The measuring programs. Bands span all combinations, because any of them may be the published one.
    Program,
    /// The device. Bands use the shipped device only.
    Device,
}

/// A combination of choices: the chosen readings, except for those replaced by their alternatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Practice(u8);

impl Practice {
    /// All choices as chosen.
    pub const OURS: Practice = Practice(0);

    /// The same with the alternative of one choice, by its index in the list.
    pub const fn with(self, choice: usize) -> Self {
        Practice(self.0 | 1 << choice)
    }

    /// Whether the alternative of a choice is taken.
    pub const fn is_other(self, choice: usize) -> bool {
        self.0 >> choice & 1 == 1
    }

    /// All combinations of the programs' choices, the chosen one first.
    pub fn programs(choices: &[Choice]) -> impl Iterator<Item = Practice> {
        let device = |place: usize| choices[place].of == Chosen::Device;
        let ours =
            move |practice: &Practice| !(0..choices.len()).any(|at| device(at) && practice.is_other(at));
        (0..1 << choices.len()).map(Practice).filter(ours)
    }

    /// Description: the alternatives taken.
    pub fn says(self, choices: &[Choice]) -> String {
        let others = choices.iter().enumerate().filter(|(place, _)| self.is_other(*place));
        let others: Vec<_> = others.map(|(_, choice)| choice.other).collect();
        if others.is_empty() { "as ours".to_string() } else { others.join(", ") }
    }
}

/// Conditions of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions<C> {
    /// Costs of host accesses.
    pub costs: C,
    /// Combination of choices.
    pub practice: Practice,
    /// Delay of the second node's start. The crystals of two machines drift against each other over thousands
    /// of messages, so a single phase has little meaning.
    pub apart: Duration,
}

impl<C: HostCosts> Default for Conditions<C> {
    fn default() -> Self {
        Conditions { costs: C::default(), practice: Practice::OURS, apart: Duration::ZERO }
    }
}

/// Selection of measurements.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Selects figures, tables and sections by name.
    pub figure: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether curves are restricted to the sizes of rows.
    pub brief: bool,
}

impl Request<'_> {
    /// Whether a figure, table or section is selected.
    pub fn wants(&self, figure: &str) -> bool {
        (self.figure)(figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn choice(of: Chosen, other: &'static str) -> Choice {
        Choice { name: "", of, ours: "", other, text: "", chosen_by: &[] }
    }

    const CHOICES: [Choice; 3] = [
        choice(Chosen::Program, "counter kept"),
        choice(Chosen::Device, "data awaited"),
        choice(Chosen::Program, "whole status"),
    ];

    #[test]
    fn practices_of_programs_are_all_combinations_of_their_choices() {
        let says: Vec<_> = Practice::programs(&CHOICES).map(|practice| practice.says(&CHOICES)).collect();
        assert_eq!(says, ["as ours", "counter kept", "whole status", "counter kept, whole status"]);
        assert_eq!(Practice::programs(&CHOICES).nth(2), Some(Practice::OURS.with(2)));
        assert_eq!(Practice::OURS.with(1).says(&CHOICES), "data awaited");
    }
}
