//! Verilates the card of GigaE PM.

fn main() {
    verilate::device("gigae_pm");
}
