//! The structure that both twins share: the lines under each state, and the conditions in them, in order.

use std::collections::BTreeMap;
use std::ops::Range;

use hdl::StateMachineTable;

use crate::fault::{Assignment, Condition};

/// Language of a twin: it determines how the part of a state and a condition are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A part is `State => {` to `}`; a condition is `if CONDITION {`.
    Rust,
    /// A part is `pkg::State: begin` to `end`; a condition is `if (CONDITION) `.
    SystemVerilog,
}

/// A line of the code that computes the next values of the registers.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// Line number in the file, from 0.
    pub number: usize,
    /// The line with its indentation.
    pub text: &'a str,
    /// The state whose part contains the line; `None` outside the parts of all states.
    pub state: Option<&'static str>,
}

/// Position of a condition in a text.
#[derive(Clone, Debug)]
pub struct Found {
    /// Line number in the file, from 0.
    pub line: usize,
    /// Byte range of the condition within the line.
    pub range: Range<usize>,
    /// The condition's place in the structure of both twins.
    pub at: Condition,
}

/// Lines of the code that computes next values: `always_comb` blocks, or the functions `next` and `apply`.
pub fn next<'a>(
    text: &'a str,
    language: Language,
    machine: Option<&'static StateMachineTable>,
) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut until: Option<String> = None;
    let mut arm: Option<(&'static str, String)> = None;
    for (number, line) in text.lines().enumerate() {
        if line == "#[cfg(test)]" {
            break;
        }
        let indentation = &line[..line.len() - line.trim_start().len()];
        match &until {
            None => {
                until = begins(line.trim_start(), language).then(|| format!("{indentation}{}", end(language)))
            }
            Some(end) if line == end => until = None,
            Some(_) => {
                if let Some((_, last)) = &arm
                    && line.trim_end_matches(',') == last
                {
                    arm = None;
                }
                let state = machine.and_then(|machine| state_of(line.trim(), language, machine));
                let here = state.or(arm.as_ref().map(|(state, _)| *state));
                lines.push(Line { number, text: line, state: here });
                if let Some(state) = state
                    && opens(line, language)
                {
                    arm = Some((state, format!("{indentation}{}", end(language))));
                }
            }
        }
    }
    lines
}

/// Conditions of `if` statements. A condition that continues on another line is skipped, and so is `if let`
/// in Rust.
pub fn conditions(lines: &[Line<'_>], language: Language) -> Vec<Found> {
    let mut next = BTreeMap::new();
    let mut found = Vec::new();
    for line in lines {
        if let Some(range) = condition(line.text, language) {
            let index = next.entry(line.state).or_insert(0);
            let at = Condition { state: line.state, index: *index };
            *index += 1;
            found.push(Found { line: line.number, range, at });
        }
    }
    found
}

/// Assignments of one line to a whole register: `d.x = VALUE;` or `x_d = VALUE;`, with the place of the value.
pub fn assignments(lines: &[Line<'_>], language: Language) -> Vec<(usize, Range<usize>, Assignment)> {
    let mut next = BTreeMap::new();
    let mut found = Vec::new();
    for line in lines {
        let Some((register, range)) = assignment(line.text, language) else { continue };
        let index = next.entry((line.state, register)).or_insert(0);
        found.push((
            line.number,
            range,
            Assignment { register: register.to_string(), state: line.state, index: *index },
        ));
        *index += 1;
    }
    found
}

fn assignment(line: &str, language: Language) -> Option<(&str, Range<usize>)> {
    let start = line.len() - line.trim_start().len();
    let (target, _) = line[start..].split_once(" = ")?;
    let from = start + target.len() + " = ".len();
    let to = line.strip_suffix(';')?.len();
    let register = match language {
        Language::Rust => target.strip_prefix("d.").or_else(|| target.strip_prefix("self."))?,
        Language::SystemVerilog => target.strip_suffix("_d")?,
    };
    let is_whole = register.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_whole && to > from).then_some((register, from..to))
}

fn begins(line: &str, language: Language) -> bool {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    match language {
        Language::Rust => {
            (line.starts_with("fn next(") || line.starts_with("fn apply(")) && line.ends_with('{')
        }
        Language::SystemVerilog => line == "always_comb begin",
    }
}

fn end(language: Language) -> &'static str {
    match language {
        Language::Rust => "}",
        Language::SystemVerilog => "end",
    }
}

fn opens(line: &str, language: Language) -> bool {
    match language {
        Language::Rust => line.ends_with('{'),
        Language::SystemVerilog => line.ends_with("begin"),
    }
}

/// The state whose part begins with this line; the first one if several states share the part.
fn state_of(line: &str, language: Language, machine: &'static StateMachineTable) -> Option<&'static str> {
    let label = match language {
        Language::Rust => line.split_once(" =>")?.0,
        Language::SystemVerilog => line.split_once(": ")?.0,
    };
    let first = label.split([',', '|']).next()?.trim();
    let name = first.rsplit("::").next()?;
    machine.states.iter().map(|state| state.name).find(|state| *state == name)
}

fn condition(line: &str, language: Language) -> Option<Range<usize>> {
    let start = line.len() - line.trim_start().len();
    let word = match language {
        Language::Rust => ["} else if ", "if "],
        Language::SystemVerilog => ["end else if (", "if ("],
    };
    let word = word.into_iter().find(|word| line[start..].starts_with(word))?;
    let from = start + word.len();
    match language {
        Language::Rust => {
            let to = line.strip_suffix(" {")?.len();
            (!line.contains("let ") && to > from).then_some(from..to)
        }
        Language::SystemVerilog => {
            let mut depth = 1;
            let close = line[from..].char_indices().find(|(_, c)| {
                depth += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                depth == 0
            })?;
            Some(from..from + close.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdl::{ArcInfo, StateInfo};

    static MACHINE: StateMachineTable = StateMachineTable {
        name: "State",
        package: "toy_pkg",
        doc: "",
        states: &[
            StateInfo { name: "Idle", doc: "", next: &[ArcInfo::new("Busy")] },
            StateInfo { name: "Busy", doc: "", next: &[ArcInfo::new("Idle")] },
        ],
    };

    const RUST: &str = "\
impl Toy {
    fn next(&self, pins: &In) -> Self {
        if pins.clear {
            d.count = 0;
        }
        match q.state {
            // Idle: waits.
            Idle => {
                if pins.start && !(a || b) {
                    d.state = Busy;
                } else if q.late {
                    d.count = 1;
                }
            }
            Busy => d.state = Idle,
        }
        if let Some(x) = y {
            d.count = x;
        }
        d
    }
}
";

    const SYSTEMVERILOG: &str = "
  always_comb begin
    if (pins_i.clear) count_d = 4'd0;
    unique case (state_q)
      toy_pkg::Idle: begin
        if (pins_i.start && !(a || b)) begin
          state_d = toy_pkg::Busy;
        end else if (late_q) begin
          count_d = 4'd1;
        end
      end
      toy_pkg::Busy: state_d = toy_pkg::Idle;
      default: state_d = toy_pkg::Idle;
    endcase
  end
  if (outside) x;
";

    #[test]
    fn conditions_stand_in_the_same_order_under_the_same_states() {
        let read = |text: &'static str, language| {
            let lines = next(text, language, Some(&MACHINE));
            let all: Vec<&str> = text.lines().collect();
            conditions(&lines, language)
                .into_iter()
                .map(|found| (found.at.state, &all[found.line][found.range]))
                .collect::<Vec<_>>()
        };
        let rust = read(RUST, Language::Rust);
        assert_eq!(
            rust,
            [(None, "pins.clear"), (Some("Idle"), "pins.start && !(a || b)"), (Some("Idle"), "q.late")]
        );
        let other = read(SYSTEMVERILOG, Language::SystemVerilog);
        assert_eq!(
            other,
            [(None, "pins_i.clear"), (Some("Idle"), "pins_i.start && !(a || b)"), (Some("Idle"), "late_q")]
        );
    }

    #[test]
    fn part_of_a_state_may_be_one_line() {
        let lines = next(SYSTEMVERILOG, Language::SystemVerilog, Some(&MACHINE));
        let busy: Vec<_> = lines.iter().filter(|line| line.state == Some("Busy")).collect();
        assert_eq!(busy.len(), 1);
        assert!(busy[0].text.contains("state_d = toy_pkg::Idle"));
    }
}
