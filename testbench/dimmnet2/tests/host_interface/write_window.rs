//! Random pins on every cycle, then all words of memory.

use dimmnet2::host_interface::write_window::WriteWindow;

#[test]
fn write_window_matches_its_rtl_on_every_cycle() {
    super::walk::<WriteWindow>("write_window", |stimulus| stimulus.pins());
}
