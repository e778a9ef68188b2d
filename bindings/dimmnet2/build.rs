//! Verilates DIMMnet-2.

fn main() {
    verilate::device("dimmnet2");
}
