//! Places in the sources of a block that decide a register or pin, found from their text when a failure is
//! reported.

mod files;
mod language;
mod text;
mod view;

use files::Twin;
pub(crate) use files::module;
use language::{RTL, RUST};
use text::Text;
pub use view::{SourceArm, SourceView, source_views};

/// State of a state machine before the edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<'a> {
    /// Register that holds the state.
    pub register: &'a str,
    /// Name of the state.
    pub state: &'a str,
}

/// Most lines of assignments, and most names, that a place lists.
const LINES: usize = 6;
const NAMES: usize = 24;

/// Longest text of a source line in a report.
const COLUMNS: usize = 110;

/// The places for registers or pins in both languages, as lines of text that begin with `path:line`.
///
/// `type_path` is the Rust type of the block. `signals` are names of registers, or of pins with `pins_o.`;
/// without any of them a place is the arm of a state alone.
pub(crate) fn places(type_path: &str, states: &[Active], signals: &[&str]) -> Vec<String> {
    let twin = Twin::of(type_path);
    let mut places = Vec::new();
    for (sources, language) in [(twin.rust, &RUST), (twin.rtl, &RTL)] {
        let found =
            sources.iter().filter_map(|source| Some((source, Text::new(source.text.as_deref()?, language))));
        let found: Vec<_> =
            found.flat_map(|(source, text)| place(&source.path, &text, states, signals)).collect();
        if found.is_empty() {
            places.extend(sources.first().map(|source| source.path.clone()));
        }
        places.extend(found);
    }
    places
}

/// The line of the parent's RTL that instantiates a block, as `path:line`.
pub(crate) fn instance(parent_type: &str, name: &str) -> Option<String> {
    let twin = Twin::of(parent_type);
    let source = twin.rtl.first()?;
    let line =
        source.text.as_ref()?.lines().position(|line| language::has_word(line, &format!("u_{name}")))?;
    Some(format!("{}:{}", source.path, line + 1))
}

/// The line of the table that declares the arcs from a state, as `path:line`.
pub(crate) fn declaration(type_path: &str, state: &str) -> Option<String> {
    let twin = Twin::of(type_path);
    let source = twin.rust.first()?;
    let declares = |line: &str| line.contains("=> [") && (RUST.labels)(line).contains(&state);
    Some(format!("{}:{}", source.path, source.text.as_ref()?.lines().position(declares)? + 1))
}

/// The arm of the state, the lines that assign the signals, and the names on which these depend.
fn place(path: &str, text: &Text, states: &[Active], signals: &[&str]) -> Vec<String> {
    let assigns = |lines: &[usize]| signals.iter().any(|name| !text.assignments(name, lines).is_empty());
    let arms: Vec<_> =
        states.iter().filter_map(|active| Some((text.arm(active, signals)?, active.state))).collect();
    // The arm of the machine that assigns one of the signals. Registers may also be assigned outside.
    let arm = arms.iter().find(|(arm, _)| assigns(&arm.lines));
    let pins_only = !signals.is_empty() && signals.iter().all(|name| name.starts_with("pins_"));
    let arm = arm.or(arms.first().filter(|_| !pins_only));

    let mut places = Vec::new();
    let mut read = Vec::new();
    if let Some((arm, state)) = arm {
        places.push(format!("{path}:{}: state {state}", arm.lines[0] + 1));
        read.clone_from(&arm.lines);
    }
    let mut assignments: Vec<usize> = Vec::new();
    for name in signals {
        let inside = arm.map_or(Vec::new(), |(arm, _)| text.assignments(name, &arm.lines));
        assignments.extend(if inside.is_empty() { text.assignments(name, &text.all()) } else { inside });
    }
    assignments.sort_unstable();
    assignments.dedup();
    for &line in assignments.iter().take(LINES) {
        let code: String = text.line(line).chars().take(COLUMNS).collect();
        places.push(format!("{path}:{}: {code}", line + 1));
    }
    read.extend(assignments);
    let used = text.definitions(&read);
    if !places.is_empty() && !used.is_empty() {
        let each = |(name, lines): &(&str, Vec<usize>)| format!("{name} {}", numbers(lines));
        let list: Vec<_> = used.iter().take(NAMES).map(each).collect();
        places.push(format!("  uses, each with its line: {}", list.join(", ")));
    }
    places
}

/// Numbers of lines, counted from 1, with ranges: `7/9-12`.
fn numbers(lines: &[usize]) -> String {
    let runs = lines.chunk_by(|line, next| line + 1 == *next);
    let each = |run: &[usize]| match run {
        [one] => format!("{}", one + 1),
        [first, .., last] => format!("{}-{}", first + 1, last + 1),
        [] => String::new(),
    };
    runs.map(each).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests;
