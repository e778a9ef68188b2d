//! Every module of a device exists twice, under the same path, and is verilated.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::assertions::root;

/// Files below `folder` that end in `ending`, as paths from there without it.
fn files(folder: &Path, ending: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(visited) = folders.pop() {
        for entry in fs::read_dir(visited).expect("the folder is part of the workspace") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).expect("it is below the folder").to_str().expect("ASCII");
            found.extend(name.strip_suffix(ending).map(String::from));
        }
    }
    found
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

/// Checks the device whose test verilates the blocks `alone`. Modules that are not verilated alone are named in
/// `not_alone`, with the reason.
///
/// # Panics
/// If a module or a block has no twin, or if a module is not verilated.
pub fn check(device: &str, alone: impl Iterator<Item = &'static str>, not_alone: &[(&str, &str)]) {
    let rtl = files(&root().join("rtl").join(device), ".sv");
    let modules: BTreeSet<_> = rtl.iter().filter(|path| !path.ends_with("_pkg")).collect();
    assert!(modules.len() > 10, "{modules:?}");
    let source = root().join("crates/devices").join(device).join("src");
    let rust = files(&source, ".rs");

    let name = |path: &str| path.rsplit('/').next().expect("a path has a last part").to_string();
    let mut twins = BTreeSet::new();
    for module in &modules {
        match twin(module, &rust) {
            Some(path) => twins.extend([path]),
            // A cell of the RTL may be a function in Rust.
            None if not_alone.iter().any(|(cell, _)| *cell == name(module)) => {}
            None => panic!("rtl/{device}/{module}.sv has no twin in Rust"),
        }
    }
    for path in &rust {
        let text = fs::read_to_string(source.join(format!("{path}.rs"))).expect("it was just found");
        // Blocks of unit tests stand for the surroundings.
        let is_block = text.contains("\nimpl Clocked for ") && !path.split('/').any(|part| part == "tests");
        assert!(
            !is_block || twins.contains(path),
            "crates/devices/{device}/src/{path}.rs has no twin in RTL"
        );
    }

    let mut expected: BTreeSet<_> = modules.into_iter().map(|path| name(path)).collect();
    assert!(expected.remove(device), "rtl/{device} has no {device}.sv");
    for (module, reason) in not_alone {
        assert!(expected.remove(*module), "{module} is not a module: {reason}");
    }
    assert_eq!(alone.map(String::from).collect::<BTreeSet<_>>(), expected);
}
