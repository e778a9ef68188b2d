//! Viewer layouts: the signals that GTKWave shows when it opens a waveform.
//!
//! A layout is generated from the signal list of the device, so it contains only existing names.

use std::fmt::Write;
use std::ops::Range;

use crate::{Format, Scope, Variable, differs, variables};

/// A set of related signals.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Heading in the viewer, in the terms of the papers.
    pub title: &'static str,
    /// Path of a block below the device, and the names to show of it, in this order. A name that ends in `.`
    /// selects all fields of that bundle.
    pub signals: &'static [(&'static str, &'static [&'static str])],
}

/// Signals under one heading.
#[derive(Clone, Debug)]
pub struct Group {
    /// Heading in the viewer, with the board.
    pub title: String,
    /// The group shows several sides, so every label names its side.
    pub several: bool,
    /// Variables in the order of the viewer.
    pub variables: Vec<Variable>,
}

/// The signals to show, in groups.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Groups, top to bottom.
    pub groups: Vec<Group>,
}

impl Layout {
    /// Selects signals. All scopes of a board, for example `node0`, `node0.model` and `node0.rtl`, form one
    /// group per pick. A group has each signal of every side in turn, followed by the difference flag of the
    /// block. Signals that a scope lacks are left out.
    pub fn new(scopes: &[Scope], picks: &[Pick]) -> Self {
        let all = variables(scopes);
        let mut groups = Vec::new();
        for pick in picks {
            for together in together(scopes) {
                let mut variables = Vec::new();
                for (block, names) in pick.signals {
                    let of_block: Vec<_> =
                        all.iter().filter(|v| together.contains(&v.scope) && v.block == *block).collect();
                    let before = variables.len();
                    for name in *names {
                        let bundle = |v: &Variable| name.ends_with('.') && v.name.starts_with(name);
                        let found = of_block.iter().copied().filter(|v| v.name == *name || bundle(v));
                        variables.extend(in_turn(found.collect()));
                    }
                    if variables.len() > before {
                        let differs = of_block.into_iter().filter(|v| v.name == differs::NAME);
                        variables.extend(differs.cloned());
                    }
                }
                if !variables.is_empty() {
                    let several =
                        scopes[together.clone()].iter().filter(|scope| scope.name.contains('.')).count() > 1;
                    let title = format!("{} {}", whose(scopes[together.start].name), pick.title);
                    groups.push(Group { title, several, variables });
                }
            }
        }
        Self { groups }
    }

    /// All variables of all groups.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.groups.iter().flat_map(|group| &group.variables)
    }

    /// The layout as a GTKWave save file for a waveform of this format, opened on the section `view`.
    pub fn gtkw(&self, format: Format, view: View) -> String {
        let mut text = String::new();
        let mut line =
            |args: std::fmt::Arguments| writeln!(text, "{args}").expect("writing to a string succeeds");
        line(format_args!("[timestart] {}", view.start_ps));
        line(format_args!("[size] 1600 1000\n[signals_width] 480\n[sst_width] 200\n[sst_expanded] 1"));
        line(format_args!("*-{:.3} {}", (view.length_ps.max(1) as f64 / FRAMES).log2(), view.start_ps));
        for Group { title, several, variables } in &self.groups {
            line(format_args!("{GROUP}\n-{title}"));
            for variable in variables {
                let flags = match variable {
                    Variable { machine: Some(_), .. } if format == Format::Fst => STATE,
                    Variable { machine: Some(_), .. } => BINARY,
                    Variable { width: 1, .. } => BINARY,
                    _ => HEXADECIMAL,
                };
                let name = variable.gtkwave_name(format);
                line(format_args!("{flags}\n+{{{}}} {name}", label(variable, *several)));
            }
            line(format_args!("{GROUP_END}\n-group_end"));
        }
        text
    }
}

/// The section of a waveform that is shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Start in picoseconds.
    pub start_ps: u64,
    /// Length in picoseconds.
    pub length_ps: u64,
}

/// Ranges of neighbouring scopes of the same board, the first part of their names.
fn together(scopes: &[Scope]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (index, scope) in scopes.iter().enumerate() {
        match all.last_mut() {
            Some(last) if whose(scope.name) == whose(scopes[last.start].name) => last.end = index + 1,
            _ => all.push(index..index + 1),
        }
    }
    all
}

/// First part of a scope's name: the board.
fn whose(scope: &str) -> &str {
    scope.split('.').next().unwrap_or(scope)
}

/// Each variable of the first side, followed by those of the same name on other sides.
fn in_turn(mut variables: Vec<&Variable>) -> Vec<Variable> {
    let mut names = Vec::new();
    for variable in &variables {
        if !names.contains(&&variable.name) {
            names.push(&variable.name);
        }
    }
    variables.sort_by_key(|variable| names.iter().position(|name| **name == variable.name));
    variables.into_iter().cloned().collect()
}

/// Label of a variable in the viewer: block and name, because many variables are called `state`; then its
/// side, unless the sides share it. GTKWave shows only the text after the last dot, so the label has none.
fn label(variable: &Variable, several: bool) -> String {
    let block = variable.block.rsplit('.').next().unwrap_or_default();
    let label = [block, &variable.name].join("/").trim_start_matches('/').replace('.', "/");
    match variable.scope_name.rsplit_once('.') {
        Some((_, side)) if several && side != differs::NAME => format!("{label}/{side}"),
        _ => label,
    }
}

/// GTKWave's zoom is a power of two of time per frame of 200 pixels; five frames fit into a window of 1600
/// pixels next to names and tree.
const FRAMES: f64 = 5.0;

// Trace flags of GTKWave, in hexadecimal; all traces are right-justified.
/// Start of an open, foldable group, and its end.
const GROUP: &str = "@800200";
const GROUP_END: &str = "@1000200";
const HEXADECIMAL: &str = "@22";
const BINARY: &str = "@28";
/// Binary, with the names of the file's enumeration table instead of codes.
const STATE: &str = "@100000028";
