//! `memonet new-block`: a small working block as a starting point.

mod reserved;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context, ensure};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

use crate::document::Head;
use crate::output::{self, Outcome};
use crate::usage;

/// Create a crate for a block of your own: model and RTL.
///
/// The crate contains a small block with model, RTL, lockstep test, proof and fuzz target, which all pass. It
/// is written to the new folder NAME, inside or outside of Memonet. Its licence is MIT or Apache-2.0.
/// docs/own-block.md is the tutorial.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet new-block my_timer
  memonet new-block my_timer --memonet ~/src/memonet
  cd my_timer && cargo test")]
pub struct Args {
    /// Name of the block and the folder: lower-case letters, digits and `_`.
    name: String,
    /// Parent folder; default: the current folder.
    #[arg(long = "in", value_name = "FOLDER", default_value = ".")]
    place: PathBuf,
    /// Folder of the Memonet sources; default: the sources of this program.
    #[arg(long, value_name = "FOLDER")]
    memonet: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Files of the template; `my_block` and `MyBlock` stand for the name.
const TEMPLATE: [(&str, &str); 12] = [
    (".gitignore", include_str!("template/gitignore")),
    ("Cargo.toml", include_str!("template/Cargo.toml")),
    ("README.md", include_str!("template/README.md")),
    ("build.rs", include_str!("template/build.rs")),
    ("formal/my_block.sv", include_str!("template/formal/my_block.sv")),
    ("fuzz/Cargo.toml", include_str!("template/fuzz/Cargo.toml")),
    ("fuzz/fuzz_targets/pins.rs", include_str!("template/fuzz/fuzz_targets/pins.rs")),
    ("rtl/my_block/my_block.sv", include_str!("template/rtl/my_block/my_block.sv")),
    ("src/lib.rs", include_str!("template/src/lib.rs")),
    ("src/my_block.rs", include_str!("template/src/my_block.rs")),
    ("tests/lockstep.rs", include_str!("template/tests/lockstep.rs")),
    ("tests/pins.rs", include_str!("template/tests/pins.rs")),
];

/// Writes the crate and prints the report.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    let name = args.name.as_str();
    if let Err(reason) = check(name) {
        return Err(usage::invalid("<NAME>", name, reason));
    }
    let memonet = args.memonet.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let memonet = fs::canonicalize(&memonet).with_context(|| memonet.display().to_string())?;
    ensure!(
        memonet.join("bindings/verilate/Cargo.toml").is_file(),
        "{} is not a clone of Memonet; name one with --memonet FOLDER",
        memonet.display()
    );
    let folder = args.place.join(name);
    ensure!(!folder.exists(), "{} exists already; nothing was written", folder.display());

    let mut files: BTreeMap<String, String> =
        TEMPLATE.iter().map(|(path, text)| (named(path, name), named(text, name))).collect();
    let manifest = files.get_mut("Cargo.toml").expect("the template has one");
    *manifest = manifest.replace("MEMONET", &toml_text(&memonet)?);
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files
            .insert(licence.to_string(), fs::read_to_string(memonet.join(licence)).with_context(|| licence)?);
    }
    write(&args.place, &folder, &files)?;
    let report = Report { head: Head::new("new_block"), folder, memonet, files: files.into_keys().collect() };
    output::print(&report, args.json)?;
    Ok(Outcome::Success)
}

/// Writes all files, or none if there is an error.
fn write(place: &Path, folder: &Path, files: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let work = tempfile::Builder::new()
        .prefix(".new-block-")
        .tempdir_in(place)
        .with_context(|| format!("creating a folder in {}", place.display()))?;
    for (path, text) in files {
        let file = work.path().join(path);
        fs::create_dir_all(file.parent().expect("it has a folder"))?;
        fs::write(&file, text).with_context(|| format!("writing {path}"))?;
    }
    let work = work.keep();
    // Temporary folders are private; the block's folder has the usual permissions.
    #[cfg(unix)]
    fs::set_permissions(&work, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(&work, folder)
        .inspect_err(|_| drop(fs::remove_dir_all(&work)))
        .with_context(|| folder.display().to_string())
}

/// Checks that a name is valid in Rust, C++ and SystemVerilog.
fn check(name: &str) -> Result<(), String> {
    let letters = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let good = letters
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('_')
        && !name.contains("__");
    if !good || name.len() > 40 {
        return Err("a name has at most 40 lower-case letters, digits and single `_`".to_string());
    }
    if let Some(reason) = reserved::reason(name) {
        return Err(format!("`{name}` is {reason}; choose another name, such as {name}_unit"));
    }
    if name.ends_with("_pkg") {
        return Err("names that end in _pkg are those of generated packages; choose another name".to_string());
    }
    Ok(())
}

/// Inserts the name of the block into a text.
fn named(text: &str, name: &str) -> String {
    let camel: String = name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    text.replace("my_block", name).replace("MyBlock", &camel)
}

/// Checks that a path can be written into a TOML string.
fn toml_text(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    ensure!(!text.contains(['"', '\\']), "{text} cannot be written into a Cargo.toml");
    Ok(text.to_string())
}

/// Report of `memonet new-block`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    /// Folder of the block.
    #[serde(serialize_with = "crate::shell_words::path")]
    folder: PathBuf,
    /// Folder of the Memonet sources that it depends on.
    #[serde(serialize_with = "crate::shell_words::path")]
    memonet: PathBuf,
    /// Files that were written.
    files: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { folder, memonet, files, .. } = self;
        let folder = folder.display();
        writeln!(f, "wrote {} files into {folder}, on the crates of {}", files.len(), memonet.display())?;
        write!(f, "now type: cd {folder} && cargo test")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_in_three_languages() {
        for good in [
            "timer",
            "my_timer",
            "dma2",
            "uart",
            "arbiter",
            "crc32",
            "counter",
            "router",
            "queue",
            "bridge",
            "mac",
            "class_unit",
            "tri_state",
            "main_memory",
            "test_unit",
            "raw",
            "safe",
            "string_table",
            "com10",
            "x",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for word in [
            "always_comb",
            "interface",
            "endmodule",
            "checker",
            "class",
            "enum",
            "union",
            "type",
            "reg",
            "tri",
            "self",
            "super",
            "crate",
            "match",
            "async",
            "namespace",
            "template",
            "core",
            "std",
            "main",
            "build",
            "hdl",
            "cosim",
        ] {
            let error = check(word).unwrap_err();
            assert!(error.starts_with(&format!("`{word}` is ")), "{error}");
            let (_, other) = error.rsplit_once(' ').unwrap();
            assert_eq!(check(other), Ok(()), "the name that the error proposes");
        }
        for bad in
            ["", "2nd", "Timer", "my-timer", "_x", "x_", "a__b", "module", "x_pkg", "../x", &"a".repeat(41)]
        {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert_eq!(named("my_block MyBlock", "my_timer"), "my_timer MyTimer");
    }
}
