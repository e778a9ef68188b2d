//! Verilates the NIF of Cenju-3.

fn main() {
    verilate::device("cenju3");
}
