//! Verilates DIMMnet-2; a block is added by one line.

fn main() {
    verilate::device("dimmnet2", &[verilate::block("botf", "window_controller/botf")]);
}
