//! Every block is there twice, under the same path, and is verilated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Blocks that are not verilated alone, with the reason.
const NOT_ALONE: &[(&str, &str)] = &[(
    "core_logic",
    "wires between its children, and the board is little more: it would cost the same again",
)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Files below `folder` that end in `ending`, as paths from there without it.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the folder is part of the workspace") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() { visit(&path, found) } else { found.push(path) }
        }
    }
    let mut found = Vec::new();
    visit(folder, &mut found);
    let name = |path: &PathBuf| {
        path.strip_prefix(folder).unwrap().to_str().unwrap().strip_suffix(ending).map(String::from)
    };
    found.iter().filter_map(name).collect()
}

/// Paths of the RTL modules of the device.
fn modules() -> BTreeSet<String> {
    files(&root().join("rtl/dimmnet2"), ".sv").into_iter().filter(|path| !path.ends_with("_pkg")).collect()
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

/// The Rust file of an RTL module: the same path; `a/a.sv` may be `a/mod.rs`.
fn twin(module: &str, rust: &BTreeSet<String>) -> Option<String> {
    if rust.contains(module) {
        return Some(module.to_string());
    }
    let (folder, name) = module.rsplit_once('/')?;
    let path = format!("{folder}/mod");
    (folder.rsplit('/').next() == Some(name) && rust.contains(&path)).then_some(path)
}

#[test]
fn every_module_and_every_block_has_a_twin_of_the_same_path() {
    let source = root().join("crates/dimmnet2/src");
    let rust = files(&source, ".rs");
    let modules = modules();
    assert!(modules.len() > 20, "{modules:?}");
    let mut twins = BTreeSet::new();
    for module in &modules {
        let path = twin(module, &rust);
        twins.insert(path.unwrap_or_else(|| panic!("rtl/dimmnet2/{module}.sv has no twin in Rust")));
    }
    for path in &rust {
        let text = fs::read_to_string(source.join(format!("{path}.rs"))).expect("it was just found");
        // Tests have blocks of their own, which stand for the surroundings.
        let is_block = text.contains("\nimpl Clocked for ") && !path.split('/').any(|part| part == "tests");
        assert!(!is_block || twins.contains(path), "crates/dimmnet2/src/{path}.rs has no twin in RTL");
    }
}

#[test]
fn every_module_is_verilated_on_its_own() {
    let verilated: BTreeSet<_> = dimmnet2_rtl::blocks().collect();
    let modules = modules();
    let mut expected: BTreeSet<_> = modules.iter().map(|path| name(path)).collect();
    for module in &modules {
        let path = root().join(format!("rtl/dimmnet2/{module}.sv"));
        let text = fs::read_to_string(path).expect("it was just found");
        assert!(text.contains(" pins_i") && text.contains(" pins_o"), "{module} has packed pins");
    }
    for (module, reason) in NOT_ALONE {
        assert!(expected.remove(module), "{module} is no module any more: {reason}");
    }
    assert_eq!(verilated, expected);
}

#[test]
fn clocks_of_the_table_are_the_clock_ports_of_the_rtl() {
    let ports = dimmnet2::clocks::CLOCKS.map(|clock| clock.port);
    assert!(dimmnet2_rtl::clocks().eq(ports), "the RTL has {:?}", dimmnet2_rtl::clocks().collect::<Vec<_>>());
}
