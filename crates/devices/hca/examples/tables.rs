//! Writes all generated files of the channel adapter; `make tables` runs it.

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    hdl::emit::write(&root, &hca::tables::files(&root)?)
}
