//! The two source files of a block, by its Rust type.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file of a block.
#[derive(Debug)]
pub(crate) struct Source {
    /// Path relative to the root of its repository.
    pub path: String,
    /// Its text; `None` if the file is not on this computer.
    pub text: Option<String>,
}

/// The sources of a block in both languages, its main file first.
#[derive(Debug, Default)]
pub(crate) struct Twin {
    pub rust: Vec<Source>,
    pub rtl: Vec<Source>,
}

/// Wrappers of the type of a block.
const WRAPPERS: [&str; 2] = ["cosim::alone::Alone<", "hdl::model::Model<"];

impl Twin {
    /// The sources of the block with a Rust type such as `nic::unit::part::Part`. The path
    /// of its module is that of its files (see docs/architecture.md).
    pub fn of(type_path: &str) -> Self {
        Self::below(&roots(), type_path)
    }

    /// The sources below the first of these folders that has one of them.
    pub fn below(roots: &[PathBuf], type_path: &str) -> Self {
        let parts: Vec<_> = plain(type_path).split("::").collect();
        let [library, modules @ .., _] = &parts[..] else { return Self::default() };
        let path = if modules.is_empty() { "lib".to_string() } else { modules.join("/") };
        let last = modules.last().unwrap_or(library);

        // Blocks of `hdl` are shared by all devices.
        let device = if *library == "hdl" { "common" } else { library };
        let rtl = [format!("rtl/{device}/{path}.sv"), format!("rtl/{device}/{path}/{last}.sv")];
        let folders =
            [format!("crates/devices/{library}/src"), format!("crates/{library}/src"), "src".into()];
        let rust = folders
            .iter()
            .flat_map(|folder| ["", "/mod"].map(|ending| format!("{folder}/{path}{ending}.rs")));
        let rust: Vec<_> = rust.collect();

        for root in roots {
            let owns = |path: &&String| !path.starts_with("src/") || is_crate(root, library);
            let main = |paths: &[String]| paths.iter().filter(owns).find_map(|path| read(root, path));
            let (rust, rtl) = (main(&rust), main(&rtl));
            if rust.is_some() || rtl.is_some() {
                let more = rust.as_ref().map_or(Vec::new(), |rust| parts_of(root, &rust.path));
                return Self { rust: rust.into_iter().chain(more).collect(), rtl: rtl.into_iter().collect() };
            }
        }
        // Both paths were true when the program was built.
        let gone = |path| vec![Source { path, text: None }];
        Self { rust: gone(format!("src/{path}.rs of crate {library}")), rtl: gone(rtl[0].clone()) }
    }
}

/// Files of a block that is written in several: those in the folder with its name, without tests.
fn parts_of(root: &Path, main: &str) -> Vec<Source> {
    let Some(folder) = main.strip_suffix(".rs").filter(|path| !path.ends_with("/mod")) else {
        return Vec::new();
    };
    let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".rs") && name != "tests.rs").collect();
    names.sort();
    names.iter().filter_map(|name| read(root, &format!("{folder}/{name}"))).collect()
}

/// The path of a type without wrappers and parameters.
fn plain(type_path: &str) -> &str {
    let inner = WRAPPERS.iter().find_map(|wrapper| type_path.strip_prefix(wrapper)).unwrap_or(type_path);
    inner.split('<').next().unwrap_or(inner).trim_end_matches('>')
}

/// Name of the RTL module of a block: that of the module with its type.
pub(crate) fn module(type_path: &str) -> &str {
    plain(type_path).rsplit("::").nth(1).unwrap_or(type_path)
}

fn read(root: &Path, path: &str) -> Option<Source> {
    let text = fs::read_to_string(root.join(path)).ok()?;
    Some(Source { path: path.to_string(), text: Some(text) })
}

/// Whether the folder is that of the crate.
fn is_crate(root: &Path, library: &str) -> bool {
    let text = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("name = \""));
    name.is_some_and(|name| name.trim_end_matches('"').replace('-', "_") == library)
}

/// Folders that may hold the sources: the package whose test runs, the present folder, this clone of Memonet.
fn roots() -> Vec<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let starts = [package, std::env::current_dir().ok(), Some(env!("CARGO_MANIFEST_DIR").into())];
    let above = |start: PathBuf| start.ancestors().map(PathBuf::from).collect::<Vec<_>>();
    starts.into_iter().flatten().flat_map(above).collect()
}
