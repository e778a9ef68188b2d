//! Generates `blocks.rs` in OUT_DIR: the blocks of all devices, one for each `impl Clocked for` in their sources, and
//! the names of their modules.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::machines;

/// Writes `blocks!` with the machine, name and type of every block, `testbenches!` with the packages of their RTL, and
/// `MODULES`. The devices are those of devices.toml.
pub fn write() {
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    let (mut text, mut names) = (String::from("blocks! {\n"), Vec::new());
    let root = folder("CARGO_MANIFEST_DIR").join("../..");
    let text_of =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let devices =
        machines::entries(&root, &text_of(&root.join("devices.toml"))).expect("machines::write has read it");
    let devices: Vec<_> = devices.into_iter().map(|(device, _)| device).collect();
    for device in &devices {
        modules(&root.join("rtl").join(device), &mut names);
        let sources = root.join("crates/devices").join(device).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        let mut blocks = Vec::new();
        collect(&sources, device, &mut blocks);
        blocks.sort();
        writeln!(text, "    {device:?} {{").expect("text has room");
        for (name, path) in blocks {
            writeln!(text, "        {name:?} {path};").expect("text has room");
        }
        text += "    }\n";
    }
    text += "}\n\ntestbenches! {\n";
    let manifest = text_of(&folder("CARGO_MANIFEST_DIR").join("Cargo.toml"));
    for device in devices.iter().filter(|device| manifest.contains(&format!("\ntestbench_{device} ="))) {
        writeln!(text, "    {device:?} testbench_{device};").expect("text has room");
    }
    names.sort();
    writeln!(text, "}}\n\n/// Modules of the RTL.\nconst MODULES: &[&str] = &{names:?};")
        .expect("text has room");
    fs::write(folder("OUT_DIR").join("blocks.rs"), text).expect("OUT_DIR can be written");
}

/// Adds the names of the modules below a folder.
fn modules(folder: &Path, names: &mut Vec<String>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for path in fs::read_dir(folder).expect("the RTL can be read").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            modules(&path, names);
        } else if path.extension().is_some_and(|end| end == "sv") {
            names.push(path.file_stem().expect("it has a name").to_string_lossy().into_owned());
        }
    }
}

/// Adds the blocks below a folder with the module `module`.
fn collect(folder: &Path, module: &str, blocks: &mut Vec<(String, String)>) {
    let own = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
    for entry in fs::read_dir(folder).expect("the sources can be read").flatten() {
        let path = entry.path();
        let stem = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{module}::{stem}"), blocks);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("the sources can be read");
            let Some(name) = block(&text) else { continue };
            // A file with the name of its folder is private to it.
            let (block, module) = match stem.as_str() {
                "mod" => (own.clone(), module.to_string()),
                stem if stem == own => (own.clone(), module.to_string()),
                stem => (stem.to_string(), format!("{module}::{stem}")),
            };
            blocks.push((block, format!("{}::{name}", device_crate(&module))));
        }
    }
}

/// The path of a module from the names of this package's dependencies.
fn device_crate(module: &str) -> String {
    match module.split_once("::") {
        Some((device, rest)) => format!("{device}_device::{rest}"),
        None => format!("{module}_device"),
    }
}

/// The type of the block that a source defines.
fn block(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("\nimpl Clocked for ")?;
    rest.split([' ', '{']).next()
}
