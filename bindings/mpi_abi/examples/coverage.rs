//! Prints the page of coverage: `cargo run -p mpi_abi --example coverage > docs/mpi-functions.md`.

fn main() {
    print!("{}", mpi_abi::coverage());
}
