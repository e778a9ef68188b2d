//! Under which conditions what was published is measured again.

use cluster::Duration;
use cluster::host::HostCosts;

/// Something that a publication leaves open, where we chose one way and could have chosen another.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What is chosen.
    pub name: &'static str,
    /// Whose choice it is.
    pub of: Chosen,
    /// What we chose.
    pub ours: &'static str,
    /// What else the text allows.
    pub other: &'static str,
    /// What the text says.
    pub text: &'static str,
    /// Rows that were looked at when it was chosen.
    pub chosen_by: &'static [&'static str],
}

/// Who does what was chosen, one way or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The programs that measure. Any of them could have been the published one: bands span them.
    Program,
    /// The device. Bands are of the one that we ship.
    Device,
}

/// What was chosen of all that is open: ours, but for those choices that are taken the other way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Practice(u8);

impl Practice {
    /// All choices as we made them.
    pub const OURS: Practice = Practice(0);

    /// The same with one choice, by its place in the list, taken the other way.
    pub const fn with(self, choice: usize) -> Self {
        Practice(self.0 | 1 << choice)
    }

    /// Whether a choice is taken the other way.
    pub const fn is_other(self, choice: usize) -> bool {
        self.0 >> choice & 1 == 1
    }

    /// Every way to make the choices of programs, ours first.
    pub fn programs(choices: &[Choice]) -> impl Iterator<Item = Practice> {
        let device = |place: usize| choices[place].of == Chosen::Device;
        let ours =
            move |practice: &Practice| !(0..choices.len()).any(|at| device(at) && practice.is_other(at));
        (0..1 << choices.len()).map(Practice).filter(ours)
    }

    /// In words: what is taken the other way.
    pub fn says(self, choices: &[Choice]) -> String {
        let others = choices.iter().enumerate().filter(|(place, _)| self.is_other(*place));
        let others: Vec<_> = others.map(|(_, choice)| choice.other).collect();
        if others.is_empty() { "as ours".to_string() } else { others.join(", ") }
    }
}

/// Under which conditions what was published is measured again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions<C> {
    /// What accesses cost the hosts.
    pub costs: C,
    /// What was chosen of all that is open.
    pub practice: Practice,
    /// By how much later than the other one the second node begins. Two machines have two crystals: over thousands of messages they
    /// stand to each other in every way, so one way alone means little.
    pub apart: Duration,
}

impl<C: HostCosts> Default for Conditions<C> {
    fn default() -> Self {
        Conditions { costs: C::default(), practice: Practice::OURS, apart: Duration::ZERO }
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Figures, tables and sections.
    pub figure: &'a (dyn Fn(&str) -> bool + Sync),
    /// Only those sizes that rows hang on, not whole curves.
    pub brief: bool,
}

impl Request<'_> {
    /// Whether a figure, table or section is asked for.
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
    fn practices_of_programs_are_all_ways_to_choose_what_is_theirs() {
        let says: Vec<_> = Practice::programs(&CHOICES).map(|practice| practice.says(&CHOICES)).collect();
        assert_eq!(says, ["as ours", "counter kept", "whole status", "counter kept, whole status"]);
        assert_eq!(Practice::programs(&CHOICES).nth(2), Some(Practice::OURS.with(2)));
        assert_eq!(Practice::OURS.with(1).says(&CHOICES), "data awaited");
    }
}
