//! Under which conditions what was published is measured again.

use cluster::Duration;
use cluster::host::HostCosts;

/// Something that a publication leaves open, where we chose one way and could have chosen another.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What is chosen.
    pub name: &'static str,
    /// What we chose.
    pub ours: &'static str,
    /// What else the text allows.
    pub other: &'static str,
    /// What the text says.
    pub text: &'static str,
    /// Rows that were looked at when it was chosen.
    pub chosen_by: &'static [&'static str],
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

    /// Every way to make so many choices, ours first.
    pub fn all(choices: usize) -> impl Iterator<Item = Practice> {
        (0..1 << choices).map(Practice)
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

    const CHOICES: [Choice; 2] = [
        Choice { name: "counter", ours: "read", other: "counter kept", text: "", chosen_by: &[] },
        Choice { name: "status", ours: "half", other: "whole status", text: "", chosen_by: &[] },
    ];

    #[test]
    fn practices_are_all_ways_to_choose() {
        let says: Vec<_> = Practice::all(2).map(|practice| practice.says(&CHOICES)).collect();
        assert_eq!(says, ["as ours", "counter kept", "whole status", "counter kept, whole status"]);
        assert_eq!(Practice::all(2).nth(2), Some(Practice::OURS.with(1)));
    }
}
