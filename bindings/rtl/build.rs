//! Names the devices of devices.toml as modules, and verilates them for long runs.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = root.join("devices.toml");
    println!("cargo::rerun-if-changed={}", table.display());
    let text = std::fs::read_to_string(&table).expect("devices.toml is at the root of the workspace");
    let names = text.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
    let names: Vec<_> = names.collect();
    let has = |feature: &str| std::env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some();
    if has("lean") {
        let devices: Vec<_> = names.iter().copied().filter(|name| has(name)).collect();
        verilate::lean(&devices);
    }
    let modules = names.iter().fold(String::new(), |mut modules, name| {
        writeln!(modules, "#[cfg(feature = {name:?})]\npub use {name}_rtl as {name};")
            .expect("a String takes all");
        modules
    });
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("devices.rs"), modules).expect("OUT_DIR can be written");
}
