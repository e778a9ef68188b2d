//! Writes every generated file of GigaE PM; `make tables` runs it.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, text) in gigae_pm::tables::files() {
        let file = root.join(&path);
        if fs::read_to_string(&file).ok().as_ref() == Some(&text) {
            continue;
        }
        fs::create_dir_all(file.parent().expect("a generated file has a directory"))?;
        fs::write(&file, text)?;
        println!("wrote {path}");
    }
    Ok(())
}
