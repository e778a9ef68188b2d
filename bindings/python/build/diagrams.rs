//! Generates `diagrams.rs` in OUT_DIR: the drawings of docs/diagrams by name.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// Writes a table of names and drawings.
pub fn write() {
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    let drawings = folder("CARGO_MANIFEST_DIR").join("../../docs/diagrams");
    println!("cargo::rerun-if-changed={}", drawings.display());
    let mut files: Vec<_> = fs::read_dir(&drawings).expect("the folder can be read").flatten().collect();
    files.sort_by_key(|file| file.path());
    let mut text = String::from("&[\n");
    for path in
        files.iter().map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "svg"))
    {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        writeln!(text, "    ({name:?}, include_str!({path:?})),").expect("text has room");
    }
    fs::write(folder("OUT_DIR").join("diagrams.rs"), text + "]\n").expect("OUT_DIR can be written");
}
