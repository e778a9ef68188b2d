//! Writes the generated header: `cargo run -p suci_c --example tables`.

fn main() -> std::io::Result<()> {
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/include/suci.h"), suci_c::header())
}
