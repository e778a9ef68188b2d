//! State diagrams: the state machines of all devices as drawings for `docs/machines`, generated from the
//! tables of the devices.
//!
//! A page for each device shows each machine with the conditions of its states and its other registers.
//! Graphviz lays out the drawings. They are committed with their descriptions, so that outdated drawings are
//! detected without Graphviz.

mod dot;
mod machines;
mod page;

use std::path::Path;
use std::{fs, io};

use hdl::emit::{self, Generated};
use machines::DeviceMachine;

/// Output folder, relative to the root of the repository.
pub const FOLDER: &str = "docs/machines";

/// State machines of all devices.
fn devices() -> [(&'static str, &'static str, Vec<DeviceMachine>); 4] {
    let dimmnet2 = machines::machines(dimmnet2::tables::PACKAGES, &dimmnet2::Dimmnet2::default());
    let gigae_pm = machines::machines(gigae_pm::tables::PACKAGES, &gigae_pm::GigaePm::default());
    let hca = machines::machines(hca::tables::PACKAGES, &hca::Hca::default());
    let cenju3 = machines::machines(cenju3::tables::PACKAGES, &cenju3::Cenju3::default());
    [
        ("dimmnet2", "DIMMnet-2", dimmnet2),
        ("gigae_pm", "GigaE PM", gigae_pm),
        ("cenju3", "the NIF of Cenju-3", cenju3),
        ("hca", "the channel adapter", hca),
    ]
}

/// Pages by path.
pub fn pages() -> Vec<Generated> {
    let page = |(device, title, machines): (&str, &str, Vec<DeviceMachine>)| {
        (format!("{FOLDER}/{device}.md"), page::page(device, title, &machines))
    };
    devices().map(page).into()
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

/// Paths of outdated pages and drawings below `root`.
pub fn stale(root: &Path) -> Vec<String> {
    let pages = pages();
    let stale = emit::stale(root, &pages).into_iter().map(String::from);
    let drawings = drawings().into_iter();
    let old = drawings.filter(|(path, description)| !is_drawn(root, path, description)).map(|(path, _)| path);
    stale.chain(old).collect()
}

fn is_drawn(root: &Path, path: &str, description: &str) -> bool {
    fs::read_to_string(root.join(path)).is_ok_and(|svg| dot::is_of(&svg, description))
}

/// Writes [stale] pages and drawings below `root`, and prints their paths.
pub fn write(root: &Path) -> io::Result<()> {
    emit::write(root, &pages())?;
    for (path, description) in drawings() {
        if !is_drawn(root, &path, &description) {
            fs::write(root.join(&path), dot::draw(&description)?)?;
            println!("wrote {path}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn committed_diagrams_are_up_to_date() {
        let stale = stale(root());
        assert!(stale.is_empty(), "run `make diagrams` and commit: {}", stale.join(", "));
    }

    #[test]
    fn folder_has_exactly_the_diagrams_of_all_machines() {
        let all: BTreeSet<_> = pages().into_iter().chain(drawings()).map(|(path, _)| path).collect();
        let there = fs::read_dir(root().join(FOLDER)).unwrap();
        let there: BTreeSet<_> =
            there.map(|file| format!("{FOLDER}/{}", file.unwrap().file_name().to_str().unwrap())).collect();
        assert_eq!(there, all);
        // Every machine whose arcs lockstep counts, and the two of the protocol.
        assert_eq!(drawings().len(), 52);
    }

    #[test]
    fn drawing_with_other_arcs_is_stale() {
        let drawings = drawings();
        let svg = fs::read_to_string(root().join(&drawings[0].0)).unwrap();
        assert!(dot::is_of(&svg, &drawings[0].1));
        assert!(!dot::is_of(&svg, &drawings[1].1));
    }
}
