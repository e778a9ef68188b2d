//! Viewer layouts: which signals GTKWave shows when a waveform is opened.
//!
//! A layout is generated from the signal list of the device at hand, so it only has names that exist.

use std::fmt::Write;

use crate::{Format, Scope, Variable, variables};

/// Signals of one block that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Heading in the viewer, in the words of the papers.
    pub title: &'static str,
    /// Path of the block below the device.
    pub block: &'static str,
    /// Names to show, in this order. A name that ends in `.` stands for all fields of that bundle.
    pub names: &'static [&'static str],
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
    /// Picks signals from each scope in turn. What a scope does not have is left out.
    pub fn new(scopes: &[Scope], picks: &[Pick]) -> Self {
        let variables = variables(scopes);
        let mut groups = Vec::new();
        for (index, scope) in scopes.iter().enumerate() {
            for pick in picks {
                let here = |v: &&Variable| v.scope == index && v.block == pick.block;
                let wanted = |name: &'static str| {
                    let matches = move |v: &&Variable| {
                        v.name == name || name.ends_with('.') && v.name.starts_with(name)
                    };
                    variables.iter().filter(here).filter(matches).cloned()
                };
                let variables: Vec<_> = pick.names.iter().flat_map(|name| wanted(name)).collect();
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

    /// The layout as a GTKWave save file for a waveform of that format.
    pub fn gtkw(&self, format: Format) -> String {
        let mut text = String::from("[timestart] 0\n[sst_expanded] 1\n");
        for Group { title, variables } in &self.groups {
            writeln!(text, "{COMMENT}\n-{title}").expect("writing to a string succeeds");
            for variable in variables {
                let flags = match variable {
                    Variable { machine: Some(_), .. } if format == Format::Fst => STATE,
                    Variable { machine: Some(_), .. } => BINARY,
                    Variable { width: 1, .. } => BINARY,
                    _ => HEXADECIMAL,
                };
                let name = variable.gtkwave_name(format);
                writeln!(text, "{flags}\n{name}").expect("writing to a string succeeds");
            }
        }
        text
    }
}

// Trace flags of GTKWave, in hexadecimal; all are right-justified.
const COMMENT: &str = "@200";
const HEXADECIMAL: &str = "@22";
const BINARY: &str = "@28";
/// Binary, with the names of the file's enumeration table in place of the codes.
const STATE: &str = "@100000028";

/// What to look at first in DIMMnet-2: the way of a BOTF from the host port to the memory of the other node.
pub const DIMMNET2: &[Pick] = &[
    Pick { title: "Host Interface", block: "host_interface", names: &["state", "pins_i.", "pins_o."] },
    Pick { title: "Request FIFO", block: "window_controller.request_fifo", names: &["pins_i.", "pins_o."] },
    Pick {
        title: "Request Acceptor",
        block: "window_controller.request_acceptor",
        names: &["state", "pins_o."],
    },
    Pick {
        title: "Request Executor",
        block: "window_controller.request_executor",
        names: &["state", "pins_o."],
    },
    Pick { title: "BOTF", block: "window_controller.botf", names: &["state", "pins_o."] },
    Pick {
        title: "SWIF Encapsulation",
        block: "swif.encapsulation",
        names: &["state", "pins_i.", "pins_o."],
    },
    Pick {
        title: "SWIF Decapsulation",
        block: "swif.decapsulation",
        names: &["state", "pins_i.", "pins_o."],
    },
    Pick { title: "Receive Controller", block: "receive_controller", names: &["state", "pins_o."] },
    Pick { title: "Write Unit", block: "write_unit", names: &["state", "pins_o."] },
    Pick { title: "Status Write Unit", block: "status_write_unit", names: &["state", "pins_o."] },
    Pick { title: "SO-DIMM Interface", block: "sodimm_interface", names: &["state", "pins_i.", "pins_o."] },
];
