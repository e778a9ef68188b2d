//! State diagrams: the state machines of all devices as drawings for `docs/diagrams`, generated from the
//! tables of the devices.
//!
//! A page for each device shows each machine with the conditions of its states and its other registers.
//! Graphviz lays out the drawings. They are committed with their descriptions, so that outdated drawings are
//! detected without Graphviz.

mod dot;
mod page;
#[cfg(test)]
mod source;
mod state_machines;

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::ValueEnum;
use hdl::emit::Generated;
use machine_api::Subject;
use state_machines::DeviceMachine;

use crate::machines::{Name, with_machine};
use crate::output::{self, Outcome};
use crate::yosys;

/// Draw the state machines of all devices for docs/diagrams.
///
/// Needs Graphviz for drawings that have changed. Exit code 1 if --check finds one that is not up to date.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  memonet diagrams\n  memonet diagrams --check")]
pub struct Args {
    /// Write nothing; list the pages and drawings that are not up to date.
    #[arg(long)]
    check: bool,
}

/// Writes the outdated pages and drawings, or lists them.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let root = yosys::built();
    let activity = machine_api::activity("diagrams");
    let stale = stale(&root);
    drop(activity);
    for (path, text) in &stale {
        if args.check {
            output::line(path)?;
            continue;
        }
        let text = match path.ends_with(".svg") {
            true => dot::draw(text).context("running dot; `ci/install diagrams` installs Graphviz")?,
            false => text.clone(),
        };
        output::write(&root.join(path), text.as_bytes())?;
        output::line(&format!("wrote {path}"))?;
    }
    Ok((stale.is_empty() || !args.check).into())
}

/// Output folder, relative to the root of the repository.
pub const FOLDER: &str = "docs/diagrams";

/// A device: name, title, state machines.
type Device = (&'static str, &'static str, Vec<DeviceMachine>);

/// State machines of all devices of this build.
fn devices() -> Vec<Device> {
    let device = |name: &Name| {
        let machines = with_machine!(*name, M => {
            state_machines::machines(M::PACKAGES, &<M as cluster::Machine>::Device::default())
        });
        (name.folder(), name.title(), machines)
    };
    Name::value_variants().iter().map(device).collect()
}

/// Pages by path.
pub fn pages() -> Vec<Generated> {
    let page = |(device, title, machines): Device| {
        (format!("{FOLDER}/{device}.md"), page::page(device, title, &machines))
    };
    devices().into_iter().map(page).collect()
}

/// Descriptions of the drawings, by the path of the drawing.
pub fn drawings() -> Vec<Generated> {
    let drawings = devices().into_iter().flat_map(|(device, _, machines)| {
        let drawing = |machine: DeviceMachine| (path(device, &machine.name), dot::describe(machine.table));
        machines.into_iter().map(drawing).collect::<Vec<_>>()
    });
    drawings.collect()
}

/// Path of the drawing of a machine.
fn path(device: &str, machine: &str) -> String {
    format!("{FOLDER}/{device}_{machine}.svg")
}

/// Outdated pages with their text, and outdated drawings with their description, by paths below `root`.
fn stale(root: &Path) -> Vec<Generated> {
    let is_current =
        |(path, text): &Generated| fs::read_to_string(root.join(path)).is_ok_and(|old| old == *text);
    let pages = pages().into_iter().filter(|page| !is_current(page));
    let drawings = drawings().into_iter();
    pages.chain(drawings.filter(|(path, description)| !is_drawn(root, path, description))).collect()
}

fn is_drawn(root: &Path, path: &str, description: &str) -> bool {
    fs::read_to_string(root.join(path)).is_ok_and(|svg| dot::is_of(&svg, description))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hdl::StateInfo;

    use super::source::{Source, States};
    use super::*;

    /// Most characters of a condition, so that a label has at most two lines.
    const MOST: usize = 42;

    /// Calls `check` with every state of all devices, and its name for messages.
    fn each_state(mut check: impl FnMut(&DeviceMachine, &'static StateInfo, String)) {
        for (device, _, machines) in devices() {
            for machine in &machines {
                for state in machine.table.states {
                    check(machine, state, format!("{device} {}, state {}", machine.name, state.name));
                }
            }
        }
    }

    #[test]
    fn every_choice_between_arcs_states_its_conditions() {
        each_state(|_, state, name| {
            let conditions: Vec<_> = state.next.iter().filter_map(|arc| arc.condition).collect();
            let expected = if state.next.len() > 1 { state.next.len() } else { 0 };
            assert_eq!(conditions.len(), expected, "{name}: an arc has a condition where another one leaves");
            let distinct: BTreeSet<_> = conditions.iter().collect();
            assert_eq!(distinct.len(), conditions.len(), "{name}: two arcs have the same condition");
            for condition in conditions {
                assert!(condition.chars().count() <= MOST, "{name}: too long for a label: {condition}");
            }
        });
    }

    /// The state machines of the protocol have no function of the next state: rules write them into the control
    /// structure of a peer. Their own tests compare the arcs taken with the table.
    const WITHOUT_SOURCE: [&str; 2] = ["sending", "receiving"];

    #[test]
    fn source_of_each_state_enters_exactly_the_states_of_the_table() {
        each_state(|machine, state, name| {
            let source =
                Source::read(&yosys::built().join(machine.source)).expect("the source can be parsed");
            let after = source.after(machine.table, state.name);
            let declared: States = state.next.iter().map(|arc| arc.to.to_string()).collect();
            match WITHOUT_SOURCE.contains(&machine.name.as_str()) {
                true => assert_eq!(after, None, "{name} has a function of the next state"),
                false => assert_eq!(after, Some(declared), "{name}: source and table"),
            }
        });
    }

    #[test]
    fn committed_diagrams_are_up_to_date() {
        let stale: Vec<_> = stale(&yosys::built()).into_iter().map(|(path, _)| path).collect();
        assert!(stale.is_empty(), "run `make diagrams` and commit: {}", stale.join(", "));
    }

    #[test]
    fn folder_has_exactly_the_diagrams_of_all_machines() {
        let all: BTreeSet<_> = pages().into_iter().chain(drawings()).map(|(path, _)| path).collect();
        let there = fs::read_dir(yosys::built().join(FOLDER)).unwrap();
        let there: BTreeSet<_> =
            there.map(|file| format!("{FOLDER}/{}", file.unwrap().file_name().to_str().unwrap())).collect();
        assert_eq!(there, all);
        // Every state machine that lockstep covers, and the two of the protocol.
        assert_eq!(drawings().len(), 53);
    }

    #[test]
    fn drawing_with_other_arcs_is_stale() {
        let drawings = drawings();
        let svg = fs::read_to_string(yosys::built().join(&drawings[0].0)).unwrap();
        assert!(dot::is_of(&svg, &drawings[0].1));
        assert!(!dot::is_of(&svg, &drawings[1].1));
    }
}
