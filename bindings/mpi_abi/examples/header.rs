//! Prints `mpi.h`: `cargo run -p mpi_abi --example header > bindings/mpi_abi/include/mpi.h`.

fn main() {
    print!("{}", mpi_abi::header());
}
