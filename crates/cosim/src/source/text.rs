//! Search in the text of one source file.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Active;
use super::language::{Language, free_names};

/// The lines of a source file, without comments.
pub(crate) struct Text<'a> {
    lines: Vec<&'a str>,
    language: &'static Language,
}

/// An arm of a `case` or `match`.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// Its lines, counted from 0.
    pub lines: Vec<usize>,
}

impl<'a> Text<'a> {
    pub fn new(text: &'a str, language: &'static Language) -> Self {
        // Unit tests below a block drive it and decide nothing.
        let text = text.split("\n#[cfg(test)]").next().unwrap_or(text);
        let code = |line: &'a str| line.split("//").next().unwrap_or(line).trim_end();
        Self { lines: text.lines().map(code).collect(), language }
    }

    /// The text of a line, without indentation.
    pub fn line(&self, at: usize) -> &'a str {
        self.lines[at].trim_start()
    }

    /// All lines.
    pub fn all(&self) -> Vec<usize> {
        (0..self.lines.len()).collect()
    }

    /// The arm of a state that assigns one of the signals; otherwise the last one, because outputs come first.
    pub fn arm(&self, active: &Active, signals: &[&str]) -> Option<Arm> {
        let of_state = |at: &usize| {
            (self.language.labels)(self.lines[*at]).contains(&active.state)
                && self.selector(*at).is_some_and(|line| (self.language.selects)(line, active.register))
        };
        let arms: Vec<_> = (0..self.lines.len()).filter(of_state).map(|at| self.arm_at(at)).collect();
        let assigns = |arm: &&Arm| signals.iter().any(|name| !self.assignments(name, &arm.lines).is_empty());
        arms.iter().find(assigns).or(arms.last()).cloned()
    }

    fn arm_at(&self, at: usize) -> Arm {
        Arm { lines: self.block(at).collect() }
    }

    /// A line with the lines below it that are indented more.
    fn block(&self, at: usize) -> Range<usize> {
        let inside = |line: &&&str| line.is_empty() || indent(line) > indent(self.lines[at]);
        at..at + 1 + self.lines[at + 1..].iter().take_while(inside).count()
    }

    /// The line above an arm that selects among it and others.
    fn selector(&self, at: usize) -> Option<&str> {
        let above = self.lines[..at].iter().rev();
        above.copied().find(|line| !line.is_empty() && indent(line) < indent(self.lines[at]))
    }

    /// Those of the lines that assign the next value of a register or pin.
    pub fn assignments(&self, signal: &str, lines: &[usize]) -> Vec<usize> {
        lines.iter().copied().filter(|&at| (self.language.assigns)(self.lines[at], signal)).collect()
    }

    /// Names that the lines use, directly or by the definition of another name, each with the lines of its
    /// definition.
    pub fn definitions(&self, lines: &[usize]) -> Vec<(&'a str, Vec<usize>)> {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let (mut found, mut waiting) = (Vec::new(), lines.to_vec());
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for at in waiting {
                for name in free_names(self.lines[at]).filter(|name| !is_known(name)) {
                    if !known.insert(name) {
                        continue;
                    }
                    let defined = (0..self.lines.len()).filter(|at| !lines.contains(at));
                    let defined = defined.filter(|&at| (self.language.defines)(self.lines[at], name));
                    let defined: Vec<_> = defined.collect();
                    if !defined.is_empty() {
                        next.extend(defined.iter().flat_map(|&at| self.block(at)));
                        found.push((name, defined));
                    }
                }
            }
            waiting = next;
        }
        found
    }
}

/// Registers and pins are compared, so a report lists them itself; keywords define nothing.
fn is_known(name: &str) -> bool {
    const OTHERS: [&str; 9] = ["pins", "pins_i", "pins_o", "q", "d", "pub", "let", "mut", "if"];
    name.ends_with("_q") || name.ends_with("_d") || OTHERS.contains(&name)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
