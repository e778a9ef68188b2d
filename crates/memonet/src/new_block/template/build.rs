//! Generates the SystemVerilog package from the tables and verilates rtl/my_block/my_block.sv.

use std::path::Path;

#[allow(dead_code)]
#[path = "src/my_block.rs"]
mod my_block;

fn main() {
    // The package must exist before Verilator reads the RTL.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packages = [&my_block::PACKAGE];
    let mut files = hdl::emit::files("my_block", &packages, []);
    files.push(hdl::emit::sources_list(root, "my_block", &packages).expect("rtl/ can be read"));
    // `memonet prove --block` tells by it whether the package is older than its table.
    files.push(verilate::table_digests(root, "my_block", &[my_block::PACKAGE.source]).expect("src/ can be read"));
    hdl::emit::write(root, &files).expect("rtl/ can be written");
    println!("cargo::rerun-if-changed=src/my_block.rs");
    verilate::device("my_block");
}
