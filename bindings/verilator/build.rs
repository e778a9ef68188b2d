//! Compiles Verilator's runtime once for all devices, and a header that their blocks share.

fn main() {
    verilate::runtime();
}
