//! Whole sources of a block with the arms of its states, for displays.

use hdl::StateMachineTable;

use super::Active;
use super::files::Twin;
use super::language::{RTL, RUST};
use super::text::Text;

/// A source file of a block.
#[derive(Clone, Debug)]
pub struct SourceView {
    /// Path relative to the root of its repository.
    pub path: String,
    /// The file is RTL; otherwise it is Rust.
    pub is_rtl: bool,
    /// Its text; `None` if the file is not on this computer.
    pub text: Option<String>,
    /// Arms of the next-state function that lie in this file.
    pub arms: Vec<SourceArm>,
}

/// The lines that decide what follows a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceArm {
    /// Register that holds the state.
    pub register: String,
    /// Name of the state.
    pub state: &'static str,
    /// First line, counted from 0.
    pub first: usize,
    /// Number of lines, at least 1.
    pub count: usize,
}

/// The sources of the block with a Rust type, in both languages, Rust first. `machines` are its state registers.
pub fn source_views(type_path: &str, machines: &[(&str, &'static StateMachineTable)]) -> Vec<SourceView> {
    let twin = Twin::of(type_path);
    let mut views = Vec::new();
    for (sources, language, is_rtl) in [(twin.rust, &RUST, false), (twin.rtl, &RTL, true)] {
        for source in sources {
            let mut arms = Vec::new();
            let text = source.text.as_deref().map(|text| Text::new(text, language));
            let states = machines
                .iter()
                .flat_map(|(register, table)| table.states.iter().map(move |state| (*register, state.name)));
            for (register, state) in states {
                let Some(text) = &text else { continue };
                let arm = |state| text.arm(&Active { register, state }, &[register]);
                // The last state of an RTL machine may be its `default`.
                let Some(arm) = arm(state).or_else(|| is_rtl.then(|| arm("default"))?) else { continue };
                // Blank lines below an arm belong to what follows.
                let end = arm.lines.iter().rfind(|line| !text.line(**line).is_empty()).copied();
                let first = arm.lines[0];
                let count = end.unwrap_or(first) + 1 - first;
                arms.push(SourceArm { register: register.to_string(), state, first, count });
            }
            views.push(SourceView { path: source.path, is_rtl, text: source.text, arms });
        }
    }
    views
}
