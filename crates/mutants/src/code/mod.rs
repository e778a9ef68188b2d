//! Mutants of Rust code that has no twin: libraries, protocols and bindings.
//!
//! [`sites`] finds the faults with a full parser of Rust. [`plant`] writes any number of them into the text of a
//! file, each guarded by its number, so that one build holds all faults of a package (mutant schemata). The
//! environment variable [`crate::rust::VARIABLE`] selects the active one.

mod fault;
mod places;
mod plant;
mod site;
mod sites;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::{fs, io};

pub use fault::{CodeFault, CodeOperator};
pub use plant::{Planting, plant};
pub use site::Site;
pub use sites::sites;

/// Text to append to the `lib.rs` of a package with faults: the function that says which one is active.
pub const MODULE: &str = include_str!("active.rs.txt");

/// A source file of a package.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name of its module: the path below `src` without `.rs`.
    pub name: String,
    /// Path relative to the root of the repository.
    pub path: PathBuf,
    /// Complete text of the file.
    pub text: String,
}

impl SourceFile {
    /// The source files of the package in `folder`, except tests and the modules in `except`, in the order of
    /// their names.
    pub fn all(root: &Path, folder: &Path, except: &[String]) -> io::Result<Vec<Self>> {
        let source = folder.join("src");
        let mut files = Vec::new();
        let mut folders = vec![root.join(&source)];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next)? {
                let path = entry?.path();
                let below = path.strip_prefix(root.join(&source)).unwrap_or(&path);
                let name = below.with_extension("").display().to_string();
                let is_excluded =
                    |except: &String| name == *except || name.starts_with(&format!("{except}/"));
                if name == "tests" || name.ends_with("/tests") || except.iter().any(is_excluded) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    files.push(SourceFile {
                        text: fs::read_to_string(&path)?,
                        path: source.join(below),
                        name,
                    });
                }
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }
}
