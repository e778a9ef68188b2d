//! Random pins on every cycle, then all words of memory.

use dimmnet2::host_interface::lh_buffer::LhBuffer;

#[test]
fn lh_buffer_matches_its_rtl_on_every_cycle() {
    super::walk::<LhBuffer>("lh_buffer", |stimulus| stimulus.pins());
}
