//! Generates `machines.rs` in OUT_DIR for `src/machines/mod.rs`: the entries of devices.toml as a macro and
//! as tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use toml::Spanned;

/// The keys of an entry that memonet uses; `ci/devices` checks the others.
#[derive(Deserialize)]
pub struct Entry {
    summary: String,
    r#type: String,
    tops: Spanned<Vec<String>>,
    clocks: Spanned<toml::Table>,
    judges: Vec<Judge>,
    examples: Vec<String>,
    reports: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judge {
    package: String,
    test: Option<String>,
    #[serde(default)]
    only: Vec<String>,
}

pub fn write() {
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}")));
    let root = folder("CARGO_MANIFEST_DIR").join("../..");
    println!("cargo::rerun-if-changed={}", root.join("devices.toml").display());
    let text =
        fs::read_to_string(root.join("devices.toml")).map_err(|error| format!("devices.toml: {error}"));
    match text.and_then(|text| entries(&root, &text)) {
        Ok(entries) => {
            fs::write(folder("OUT_DIR").join("machines.rs"), source(&entries))
                .expect("OUT_DIR can be written");
        }
        Err(reason) => {
            println!("cargo::error={}", reason.trim_end());
            std::process::exit(1);
        }
    }
}

/// The entries by their names, in the order of the file. An error says the line.
pub fn entries(root: &Path, text: &str) -> Result<Vec<(String, Entry)>, String> {
    // The parser sorts entries, so each is read by itself, from its header to the next one.
    let starts: Vec<_> = text.match_indices("\n[").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut seen = BTreeSet::new();
    let parts = starts.iter().zip(ends).map(|(start, end)| {
        let line = |offset| 1 + text[..start + offset].matches('\n').count();
        let wrong = |offset, reason: &str| format!("devices.toml:{}: {reason}", line(offset));
        let mut part: BTreeMap<String, Entry> = toml::from_str(&text[*start..end])
            .map_err(|error| wrong(error.span().map_or(0, |span| span.start), error.message()))?;
        let (name, entry) = part.pop_first().ok_or_else(|| wrong(0, "an entry begins with [name]"))?;
        if !seen.insert(name.clone()) {
            return Err(wrong(0, &format!("there is an entry [{name}] above")));
        }
        for top in entry.tops.get_ref() {
            let module = format!("rtl/{name}/{top}.sv");
            let rtl = fs::read_to_string(root.join(&module))
                .map_err(|_| wrong(entry.tops.span().start, &format!("there is no module {module}")))?;
            let has = |word: &str| {
                rtl.split(|at: char| !at.is_alphanumeric() && at != '_').any(|other| other == word)
            };
            if let Some(clock) = entry.clocks.get_ref().keys().find(|clock| !has(clock)) {
                return Err(wrong(entry.clocks.span().start, &format!("{module} has no clock `{clock}`")));
            }
        }
        Ok((name, entry))
    });
    parts.collect()
}

pub fn source(entries: &[(String, Entry)]) -> String {
    let devices = entries.iter().map(|(name, entry)| {
        let (alias, summary) = (name.replace('_', "-"), format!("{}.", entry.summary));
        format!("    {{ {name:?}, {alias:?}, {name}, {name}_machine, {}, {summary:?} }}\n", entry.r#type)
    });
    let examples = entries.iter().flat_map(|(name, entry)| {
        entry.examples.iter().map(move |line| format!("    ({name:?}, {line:?}),\n"))
    });
    let reports = entries.iter().flat_map(|(_, entry)| {
        entry.reports.iter().map(|(report, command)| format!("    ({report:?}, {command:?}),\n"))
    });
    let judges = entries.iter().flat_map(|(name, entry)| {
        entry.judges.iter().map(move |Judge { package, test, only }| {
            format!("    ({name:?}, Judge {{ package: {package:?}, test: {test:?}, only: &{only:?} }}),\n")
        })
    });
    format!(
        "/// Calls a macro with these arguments and all devices: feature, alias, module, crate, type, summary.\n\
         macro_rules! each_device {{\n([$($macro:tt)+] $($arguments:tt)*) => {{ $($macro)+! {{ ($($arguments)*)\n{}}} }};\n}}\n\
         pub(crate) use each_device;\n\n\
         /// Examples of machines: `memonet COMMAND ...`.\n\
         const EXAMPLES: &[(&str, &str)] = &[\n{}];\n\n\
         /// Reports, and commands that print them.\n\
         #[cfg(feature = \"schema\")]\n\
         const REPORTS: &[(&str, &str)] = &[\n{}];\n\n\
         /// Devices, and the test programs that judge them, the quickest first.\n\
         #[cfg(feature = \"rtl_tools\")]\n\
         const JUDGES: &[(&str, Judge)] = &[\n{}];\n",
        devices.collect::<String>(),
        examples.collect::<String>(),
        reports.collect::<String>(),
        judges.collect::<String>()
    )
}
