//! Every block is there twice: a Rust file, an RTL file of the same path, and a line in the list of blocks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Names of the files below a folder with an extension.
fn stems(folder: &Path, extension: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            stems(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.insert(path.file_stem().expect("a file").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn every_module_with_registers_is_verilated_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut modules = BTreeSet::new();
    stems(&root.join("rtl/cenju3"), "sv", &mut modules);
    modules.retain(|name| !name.ends_with("_pkg"));
    let verilated: BTreeSet<_> = cenju3_rtl::blocks().map(str::to_string).collect();
    assert_eq!(modules, verilated);
    let mut models = BTreeSet::new();
    stems(&root.join("crates/cenju3/src"), "rs", &mut models);
    for name in &modules {
        assert!(models.contains(name), "{name} has no model");
    }
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    let ports = cenju3::clocks::CLOCKS.map(|clock| clock.port);
    assert!(cenju3_rtl::clocks().eq(ports), "the RTL has {:?}", cenju3_rtl::clocks().collect::<Vec<_>>());
}
