//! Writes every generated file of GigaE PM; `make tables` runs it.

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    hdl::emit::write(&root, &gigae_pm::tables::files(&root)?)
}
