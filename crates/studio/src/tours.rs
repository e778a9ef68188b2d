//! Tours: Markdown files whose steps are lines of the shell.
//!
//! A tour begins with `# Title` and a line ``Machine: `NAME`.``. Each `## Step` has text, a line
//! ``Look: `node0.block` `` that selects a block, and fenced lines of the shell. A fence `dsh back` goes back to the
//! beginning of its lines afterwards; lines in a fence `dsh fails` end with an error.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// A guided run on one machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Tour {
    /// Text of the first heading.
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
    /// Text of its heading.
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
    /// Command with its arguments.
    pub line: String,
    /// Time goes back to the beginning of the line afterwards.
    pub back: bool,
    /// The line ends with an error.
    pub fails: bool,
}

/// The tours of this program, for all machines: file name and text.
pub const TOURS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tours.rs"));

impl Tour {
    /// Reads a tour; an error names the line.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut tour =
            Tour { title: String::new(), machine: String::new(), text: String::new(), steps: Vec::new() };
        let (mut fence, mut paragraph) = (None, String::new());
        for (number, line) in text.lines().enumerate() {
            let read = match fence {
                Some(_) if line.trim() == "```" => {
                    fence = None;
                    Ok(())
                }
                Some((back, fails)) => tour.shell_line(line.trim(), back, fails),
                None => tour.text_line(line, &mut fence, &mut paragraph),
            };
            read.map_err(|why| format!("{name}:{}: {why}", number + 1))?;
        }
        tour.end_paragraph(&mut paragraph);
        let of_machine = tour.text.strip_prefix("Machine: `").and_then(|rest| rest.split_once("`."));
        let Some((machine, text)) = of_machine else {
            return Err(format!("{name}: the first paragraph begins with the machine: Machine: `NAME`."));
        };
        (tour.machine, tour.text) = (machine.to_string(), text.trim().to_string());
        match (fence, tour.title.is_empty() || tour.steps.is_empty()) {
            (Some(_), _) => Err(format!("{name}: the last fence has no end")),
            (_, true) => Err(format!("{name}: a tour has a title, # and text, and steps, ## and text")),
            _ => Ok(tour),
        }
    }

    /// Reads a line within a fence.
    fn shell_line(&mut self, line: &str, back: bool, fails: bool) -> Result<(), &'static str> {
        let step = self.steps.last_mut();
        let step = step.ok_or("lines of the shell belong to a step; write ## and a title before them")?;
        if !line.is_empty() {
            step.lines.push(Line { line: line.to_string(), back, fails });
        }
        Ok(())
    }

    /// Reads a line outside fences; one that opens a fence sets whether its lines go back, and whether they fail.
    fn text_line(
        &mut self,
        line: &str,
        fence: &mut Option<(bool, bool)>,
        paragraph: &mut String,
    ) -> Result<(), &'static str> {
        let ends = line.starts_with(['#', '`']) || line.starts_with("Look: ") || line.trim().is_empty();
        if !ends {
            *paragraph += if paragraph.is_empty() { "" } else { " " };
            *paragraph += line.trim();
            return Ok(());
        }
        self.end_paragraph(paragraph);
        if let Some(title) = line.strip_prefix("## ") {
            self.steps.push(Step { title: title.trim().to_string(), ..Step::default() });
        } else if let Some(title) = line.strip_prefix("# ") {
            self.title = title.trim().to_string();
        } else if let Some(kind) = line.strip_prefix("```") {
            *fence = match kind.trim() {
                "dsh" => Some((false, false)),
                "dsh back" => Some((true, false)),
                "dsh fails" => Some((false, true)),
                _ => return Err("a fence is `dsh`, `dsh back` or `dsh fails`"),
            };
        } else if let Some(place) = line.strip_prefix("Look: ") {
            let parts =
                place.trim().trim_matches('`').strip_prefix("node").and_then(|rest| rest.split_once('.'));
            let found = parts.and_then(|(node, block)| Some((node.parse().ok()?, block)));
            let (node, block) = found.ok_or("a place is a node and a block: Look: `node0.swif`")?;
            let step =
                self.steps.last_mut().ok_or("Look belongs to a step; write ## and a title before it")?;
            (step.node, step.block) = (node, Some(block.to_string()));
        }
        Ok(())
    }

    fn end_paragraph(&mut self, paragraph: &mut String) {
        let text = std::mem::take(paragraph);
        match self.steps.last_mut() {
            _ if text.is_empty() => {}
            Some(step) => step.text.push(text),
            None => self.text = text,
        }
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
