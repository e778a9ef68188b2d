//! Verilates the channel adapter.

fn main() {
    verilate::device("hca");
}
