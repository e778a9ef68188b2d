//! Writes the state diagrams of all devices; run by `make diagrams`.

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    diagrams::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}
