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
    stems(&root.join("rtl/hca"), "sv", &mut modules);
    // Packages, and combinational cells: they are compared inside the blocks that use them.
    let cells = ["icrc", "mtu_bytes"];
    modules.retain(|name| !name.ends_with("_pkg") && !cells.contains(&name.as_str()));
    let verilated: BTreeSet<_> = hca_rtl::blocks().map(str::to_string).collect();
    assert_eq!(modules, verilated);
    let mut models = BTreeSet::new();
    stems(&root.join("crates/hca/src"), "rs", &mut models);
    for name in &modules {
        // A folder's own block is its mod.rs.
        let folder = root.join("crates/hca/src").join(name).join("mod.rs");
        assert!(models.contains(name) || folder.is_file(), "{name} has no model");
    }
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    let ports = hca::clocks::CLOCKS.map(|clock| clock.port);
    assert!(hca_rtl::clocks().eq(ports), "the RTL has {:?}", hca_rtl::clocks().collect::<Vec<_>>());
}
