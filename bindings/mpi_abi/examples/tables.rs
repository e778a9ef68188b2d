//! Writes the files that are generated from the table: `cargo run -p mpi_abi --example tables`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::write(root.join("bindings/mpi_abi/include/mpi.h"), mpi_abi::header())?;
    std::fs::write(root.join("bindings/mpi_abi/include/mpif.h"), mpi_abi::fortran_header())?;
    std::fs::write(root.join("bindings/mpi_abi/include/mpi.f90"), mpi_abi::fortran_module())?;
    std::fs::write(root.join("crates/processes/src/mpi/functions.txt"), mpi_abi::names())?;
    std::fs::write(root.join("docs/mpi-functions.md"), mpi_abi::coverage())
}
