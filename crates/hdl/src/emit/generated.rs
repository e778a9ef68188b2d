//! The generated files of a device: their contents, whether they are up to date, and writing them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::package;
use crate::Package;

/// Path below the root of the repository, and text.
pub type Generated = (String, String);

/// Folder of what is generated for a device, apart from the modules that are written by hand.
fn folder(device: &str) -> String {
    format!("rtl/{device}/generated")
}

/// Path of a package: `NAME/link/port_pkg` is `rtl/NAME/generated/link/port_pkg.sv`.
fn path_of(device: &str, package: &Package) -> String {
    let path =
        package.path.strip_prefix(device).and_then(|path| path.strip_prefix('/')).unwrap_or(package.path);
    format!("{}/{path}.sv", folder(device))
}

/// SystemVerilog packages, their list in the order in which tools must read them, the positions of pins, and
/// the named register pages of a device.
pub fn files<'a>(
    device: &str,
    packages: &[&Package],
    pages: impl IntoIterator<Item = (&'a str, String)>,
) -> Vec<Generated> {
    let path = |package: &&Package| path_of(device, package);
    let mut files: Vec<_> = packages.iter().map(|package| (path(package), self::package(package))).collect();
    let list = packages.iter().map(|package| path(package) + "\n").collect();
    files.push((folder(device) + "/packages.f", list));
    files.push((format!("{}/{device}_pins.py", folder(device)), super::pins(packages)));
    files.extend(pages.into_iter().map(|(name, text)| (format!("docs/registers/{device}_{name}.md"), text)));
    files
}

/// C header and SystemRDL of a device, for its driver; the host reads and writes words of `word` bits.
pub fn driver_files(device: &str, word: u32, packages: &[&Package]) -> [Generated; 2] {
    let path = |ending| format!("{}/{device}.{ending}", folder(device));
    [(path("h"), super::c_header(device, packages)), (path("rdl"), super::systemrdl(device, word, packages))]
}

/// `rtl/DEVICE/generated/files.f`: all sources of a device, packages first, then the modules found below `root`.
pub fn sources_list(root: &Path, device: &str, packages: &[&Package]) -> io::Result<Generated> {
    let mut modules = Vec::new();
    for folder in ["common", device] {
        gather(root, &Path::new("rtl").join(folder), &mut modules)?;
    }
    modules.sort();
    let mut list: String = packages.iter().map(|package| path_of(device, package) + "\n").collect();
    list.extend(modules.iter().map(|module| format!("{}\n", module.display())));
    Ok((folder(device) + "/files.f", list))
}

/// Modules in a folder and its subfolders, as paths relative to `root`; none if the folder does not exist.
fn gather(root: &Path, folder: &Path, modules: &mut Vec<PathBuf>) -> io::Result<()> {
    if !root.join(folder).is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(root.join(folder))? {
        let name = entry?.file_name();
        let path = folder.join(&name);
        let name = name.to_string_lossy();
        if root.join(&path).is_dir() {
            gather(root, &path, modules)?;
        } else if name.ends_with(".sv") && !name.ends_with("_pkg.sv") {
            modules.push(path);
        }
    }
    Ok(())
}

/// Paths of the files below `root` whose contents differ.
pub fn stale<'a>(root: &Path, files: &'a [Generated]) -> Vec<&'a str> {
    let differs = |(path, text): &&Generated| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text);
    files.iter().filter(differs).map(|(path, _)| path.as_str()).collect()
}

/// Writes the files that are [stale] below `root` and prints their paths.
pub fn write(root: &Path, files: &[Generated]) -> io::Result<()> {
    let stale = stale(root, files);
    for (path, text) in files.iter().filter(|(path, _)| stale.contains(&path.as_str())) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a generated file has a directory"))?;
        fs::write(&file, text)?;
        println!("wrote {path}");
    }
    Ok(())
}
