//! Tours: Markdown files whose steps are lines of the shell.
//!
//! A tour begins with `# Title` and a line ``Machine: `NAME`.``. Each `## Step` has text, a line
//! ``Look: `node0.block` `` that selects a block, and fenced lines of the shell. A fence `dsh back` goes back to the
//! beginning of its lines afterwards; lines in a fence `dsh fails` end with an error.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::hello::Structure;

/// A tour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Tour {
    /// Title.
    pub title: String,
    /// Machine on which it takes place.
    pub machine: String,
    /// First paragraph.
    pub text: String,
    /// Steps in order.
    pub steps: Vec<Step>,
}

/// A step of a tour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Step {
    /// Title.
    pub title: String,
    /// Text, one string for each paragraph.
    pub text: Vec<String>,
    /// Node of the block.
    pub node: usize,
    /// Path of the block that is selected; none leaves the selection as it is.
    pub block: Option<String>,
    /// Lines of the shell.
    pub lines: Vec<Line>,
}

/// A line of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Line {
    /// The line.
    pub line: String,
    /// Time goes back to the beginning of the line afterwards.
    pub back: bool,
    /// The line ends with an error.
    pub fails: bool,
}

/// The tours of this program: file name and text.
pub const TOURS: [(&str, &str); 5] = [
    ("dimmnet2.md", include_str!("../tours/dimmnet2.md")),
    ("gigae_pm.md", include_str!("../tours/gigae_pm.md")),
    ("cenju3.md", include_str!("../tours/cenju3.md")),
    ("hca.md", include_str!("../tours/hca.md")),
    ("lockstep.md", include_str!("../tours/lockstep.md")),
];

impl Tour {
    /// Reads a tour; an error names the line.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut tour =
            Tour { title: String::new(), machine: String::new(), text: String::new(), steps: Vec::new() };
        let mut fence: Option<(bool, bool)> = None;
        let mut paragraph = String::new();
        for (number, line) in text.lines().enumerate() {
            let wrong = |why: &str| Err(format!("{name}:{}: {why}", number + 1));
            if let Some((back, fails)) = fence {
                match (line.trim(), tour.steps.last_mut()) {
                    ("```", _) => fence = None,
                    ("", _) => {}
                    (line, Some(step)) => step.lines.push(Line { line: line.to_string(), back, fails }),
                    (_, None) => {
                        return wrong(
                            "lines of the shell belong to a step; write ## and a title before them",
                        );
                    }
                }
                continue;
            }
            let special =
                line.starts_with(['#', '`']) || line.starts_with("Look: ") || line.trim().is_empty();
            if special {
                tour.end_paragraph(&mut paragraph);
            }
            if let Some(title) = line.strip_prefix("## ") {
                tour.steps.push(Step { title: title.trim().to_string(), ..Step::default() });
            } else if let Some(title) = line.strip_prefix("# ") {
                tour.title = title.trim().to_string();
            } else if let Some(kind) = line.strip_prefix("```") {
                fence = match kind.trim() {
                    "dsh" => Some((false, false)),
                    "dsh back" => Some((true, false)),
                    "dsh fails" => Some((false, true)),
                    _ => return wrong("a fence is `dsh`, `dsh back` or `dsh fails`"),
                };
            } else if let Some(place) = line.strip_prefix("Look: ") {
                let place = place.trim().trim_matches('`');
                let parts = place.strip_prefix("node").and_then(|rest| rest.split_once('.'));
                let found = parts.and_then(|(node, block)| Some((node.parse().ok()?, block)));
                match (found, tour.steps.last_mut()) {
                    (Some((node, block)), Some(step)) => {
                        (step.node, step.block) = (node, Some(block.to_string()))
                    }
                    (None, _) => return wrong("a place is a node and a block: Look: `node0.swif`"),
                    (_, None) => return wrong("Look belongs to a step; write ## and a title before it"),
                }
            } else if !special {
                paragraph += if paragraph.is_empty() { "" } else { " " };
                paragraph += line.trim();
            }
        }
        tour.end_paragraph(&mut paragraph);
        let of_machine = tour.text.strip_prefix("Machine: `").and_then(|rest| rest.split_once("`."));
        let Some((machine, text)) = of_machine else {
            return Err(format!("{name}: the first paragraph begins with the machine: Machine: `hca`."));
        };
        (tour.machine, tour.text) = (machine.to_string(), text.trim().to_string());
        match (fence, tour.title.is_empty() || tour.steps.is_empty()) {
            (Some(_), _) => Err(format!("{name}: the last fence has no end")),
            (_, true) => Err(format!("{name}: a tour has a title, # and text, and steps, ## and text")),
            _ => Ok(tour),
        }
    }

    fn end_paragraph(&mut self, paragraph: &mut String) {
        let text = std::mem::take(paragraph);
        match self.steps.last_mut() {
            _ if text.is_empty() => {}
            Some(step) => step.text.push(text),
            None => self.text = text,
        }
    }

    /// Checks the blocks of a tour of this machine.
    pub(crate) fn check(&self, name: &str, nodes: usize, structure: &Structure) -> Result<(), String> {
        for Step { title, node, block, .. } in &self.steps {
            if let Some(block) = block
                && structure.sources(block).is_none()
            {
                return Err(format!("{name}: step {title}: the device has no block {block}"));
            }
            if *node >= nodes {
                return Err(format!("{name}: step {title}: there is no node {node}; --nodes gives more"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tour_has_steps_with_text_places_and_lines() {
        let text = "# T\n\nMachine: `hca`. A b\nc.\n\n## One\n\nText\nmore.\n\nAgain.\n\nLook: `node1.swif.x`\n\n```dsh back\nsend 1 8\n```\n";
        let tour = Tour::parse("t.md", text).unwrap();
        assert_eq!((tour.title.as_str(), tour.machine.as_str(), tour.text.as_str()), ("T", "hca", "A b c."));
        let line = Line { line: "send 1 8".into(), back: true, fails: false };
        let step = Step {
            title: "One".into(),
            text: vec!["Text more.".into(), "Again.".into()],
            node: 1,
            block: Some("swif.x".into()),
            lines: vec![line],
        };
        assert_eq!(tour.steps, [step]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, part) in [
            ("# T\n\nMachine: `hca`.\n\n```dsh\nrun 1\n```", "t.md:6: lines of the shell belong to a step"),
            ("# T\n\nMachine: `hca`.\n\n## S\n```c\n", "t.md:6: a fence is"),
            ("# T\n\nMachine: `hca`.\n\n## S\nLook: here\n", "t.md:6: a place is"),
            ("# T\n\nMachine: `hca`.\n\n## S\n```dsh\nrun 1\n", "no end"),
            ("# T\n\nNothing.\n\n## S\n", "begins with the machine"),
            ("# T\n\nMachine: `hca`.\n", "a tour has a title"),
        ] {
            let error = Tour::parse("t.md", text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
