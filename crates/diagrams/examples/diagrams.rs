//! Writes the state diagrams of all devices; `make diagrams` runs it.

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    diagrams::write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}
