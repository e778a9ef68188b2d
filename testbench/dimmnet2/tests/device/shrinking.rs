//! proptest drives the pins of the whole board.

use dimmnet2::Dimmnet2;
use testbench::shrinking::of_device;

#[test]
fn random_pins_of_the_board_find_no_divergence() {
    let open = || dimmnet2_rtl::open("dimmnet2").expect("the board is verilated");
    if let Some(found) = of_device::<Dimmnet2, _>(open, 40, 20) {
        panic!("{:?}\n{}", found.cycles, found.divergence);
    }
}
