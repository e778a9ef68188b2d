//! Lists the tours and the block diagrams of all machines: `crates/machines/NAME/tours/*.md` and `NAME/diagram.txt`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let machines = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it")).join("../machines");
    println!("cargo::rerun-if-changed={}", machines.display());
    let mut list = String::from("&[\n");
    let mut diagrams = list.clone();
    for machine in entries(&machines) {
        for tour in entries(&machine.join("tours")) {
            println!("cargo::rerun-if-changed={}", tour.display());
            let name = tour.file_name().expect("it is a file").to_string_lossy().into_owned();
            writeln!(list, "    ({name:?}, include_str!({tour:?})),").expect("text has room");
        }
        let diagram = machine.join("diagram.txt");
        if diagram.is_file() {
            println!("cargo::rerun-if-changed={}", diagram.display());
            let name = machine.file_name().expect("it is a folder").to_string_lossy().into_owned();
            writeln!(diagrams, "    ({name:?}, include_str!({diagram:?})),").expect("text has room");
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR").expect("Cargo sets it"));
    for (file, list) in [("tours.rs", list), ("layouts.rs", diagrams)] {
        fs::write(out.join(file), list + "]\n").expect("the output folder can be written");
    }
}

/// The entries of a folder in the order of their names; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}
