//! Files that a block needs, packages first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// SystemVerilog files of a device by name; a file contains the module or package with its name.
pub struct Index {
    root: PathBuf,
    files: BTreeMap<String, PathBuf>,
}

impl Index {
    /// All files below `folders` of `root`.
    pub fn new(root: &Path, folders: &[&Path]) -> Self {
        let mut index = Self { root: root.into(), files: BTreeMap::new() };
        for folder in folders {
            index.add(folder);
        }
        index
    }

    fn add(&mut self, folder: &Path) {
        for entry in fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                self.add(&path);
            } else if path.extension().is_some_and(|extension| extension == "sv") {
                let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
                self.files.insert(name, path);
            }
        }
    }

    /// Names of the modules with packed pins, which can be opened, except `top`.
    pub fn blocks(&self, top: &str) -> Vec<String> {
        let names = self.files.keys().filter(|name| *name != top && !name.ends_with("_pkg"));
        names.filter(|name| self.text(name).is_ok_and(|text| text.contains("pins_i"))).cloned().collect()
    }

    /// Text of the module or package with this name.
    pub fn text(&self, name: &str) -> Result<String, String> {
        let path = self.files.get(name).ok_or_else(|| format!("rtl has no file {name}.sv"))?;
        fs::read_to_string(self.root.join(path)).map_err(|error| error.to_string())
    }

    /// The file of module `top` after all files that it refers to, or `None` if there is no such file.
    pub fn of(&self, top: &str) -> Option<Vec<PathBuf>> {
        let mut found = (BTreeSet::new(), Vec::new());
        self.visit(top, &mut found);
        let (_, mut files) = found;
        // Verilator must read a package before its first use.
        files.sort_by_key(|path| !path.to_string_lossy().ends_with("_pkg.sv"));
        (!files.is_empty()).then_some(files)
    }

    fn visit(&self, name: &str, found: &mut (BTreeSet<String>, Vec<PathBuf>)) {
        let Some(path) = self.files.get(name) else { return };
        if !found.0.insert(name.to_string()) {
            return;
        }
        let text = self.text(name).unwrap_or_default();
        for line in text.lines() {
            let code = line.split("//").next().expect("a split has at least one part");
            for word in code.split(|c: char| !c.is_alphanumeric() && c != '_') {
                self.visit(word, found);
            }
        }
        found.1.push(path.clone());
    }
}
