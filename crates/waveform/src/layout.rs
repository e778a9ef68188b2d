//! Viewer layouts: which signals GTKWave shows when a waveform is opened.
//!
//! A layout is generated from the signal list of the device at hand, so it only has names that exist.

use std::fmt::Write;

use crate::{Format, Scope, Variable, variables};

/// Signals that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Heading in the viewer, in the words of the papers.
    pub title: &'static str,
    /// Path of a block below the device, and names to show of it, in this order. A name that ends in `.` stands
    /// for all fields of that bundle.
    pub signals: &'static [(&'static str, &'static [&'static str])],
}

/// Signals under one heading.
#[derive(Clone, Debug)]
pub struct Group {
    /// Heading in the viewer, with the scope.
    pub title: String,
    /// What to show.
    pub variables: Vec<Variable>,
}

/// A list of signals to show, in groups.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Groups, top to bottom.
    pub groups: Vec<Group>,
}

impl Layout {
    /// Picks signals, and each pick from every scope in turn, so that model and RTL lie side by side. What a
    /// scope does not have is left out.
    pub fn new(scopes: &[Scope], picks: &[Pick]) -> Self {
        let all = variables(scopes);
        let mut groups = Vec::new();
        for pick in picks {
            for (index, scope) in scopes.iter().enumerate() {
                let wanted = |(block, name): (&'static str, &'static str)| {
                    all.iter().filter(move |v| {
                        let bundle = name.ends_with('.') && v.name.starts_with(name);
                        v.scope == index && v.block == block && (v.name == name || bundle)
                    })
                };
                let names =
                    pick.signals.iter().flat_map(|(block, names)| names.iter().map(|name| (*block, *name)));
                let variables: Vec<_> = names.flat_map(wanted).cloned().collect();
                if !variables.is_empty() {
                    groups.push(Group { title: format!("{} {}", scope.name, pick.title), variables });
                }
            }
        }
        Self { groups }
    }

    /// All signals shown.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.groups.iter().flat_map(|group| &group.variables)
    }

    /// The layout as a GTKWave save file for a waveform of that format, opened on that stretch of it.
    pub fn gtkw(&self, format: Format, view: View) -> String {
        let mut text = String::new();
        let mut line =
            |args: std::fmt::Arguments| writeln!(text, "{args}").expect("writing to a string succeeds");
        line(format_args!("[timestart] {}", view.start_ps));
        line(format_args!("[size] 1600 1000\n[signals_width] 480\n[sst_width] 200\n[sst_expanded] 1"));
        line(format_args!("*-{:.3} {}", (view.length_ps.max(1) as f64 / FRAMES).log2(), view.start_ps));
        for Group { title, variables } in &self.groups {
            line(format_args!("{GROUP}\n-{title}"));
            for variable in variables {
                let flags = match variable {
                    Variable { machine: Some(_), .. } if format == Format::Fst => STATE,
                    Variable { machine: Some(_), .. } => BINARY,
                    Variable { width: 1, .. } => BINARY,
                    _ => HEXADECIMAL,
                };
                let name = variable.gtkwave_name(format);
                line(format_args!("{flags}\n+{{{}}} {name}", label(variable)));
            }
            line(format_args!("{GROUP_END}\n-group_end"));
        }
        text
    }
}

/// The stretch of a waveform that is seen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it begins, in picoseconds.
    pub start_ps: u64,
    /// How long it is.
    pub length_ps: u64,
}

/// A variable as the viewer labels it: its block's own name and its name there, since a dozen are called `state`.
/// GTKWave shows what follows the last dot, so there is none.
fn label(variable: &Variable) -> String {
    let block = variable.block.rsplit('.').next().unwrap_or_default();
    [block, &variable.name].join("/").trim_start_matches('/').replace('.', "/")
}

/// GTKWave's zoom is a power of two of time per frame of 200 pixels; so many fit into a window of 1600 pixels
/// beside names and tree.
const FRAMES: f64 = 5.0;

// Trace flags of GTKWave, in hexadecimal; all are right-justified.
/// A group that is open and can be folded, and its end.
const GROUP: &str = "@800200";
const GROUP_END: &str = "@1000200";
const HEXADECIMAL: &str = "@22";
const BINARY: &str = "@28";
/// Binary, with the names of the file's enumeration table in place of the codes.
const STATE: &str = "@100000028";
