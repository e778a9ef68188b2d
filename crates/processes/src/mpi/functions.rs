//! Functions of MPI that a rank may be in, by their names.

/// One a line; `make tables` writes them out of the table of `bindings/mpi_abi`.
const NAMES: &str = include_str!("functions.txt");

/// All of them, in the order of the table.
pub fn functions() -> impl Iterator<Item = &'static str> {
    NAMES.lines()
}
