//! Random pins on every cycle, then all words of memory.

use dimmnet2::host_interface::llcm::Llcm;

#[test]
fn llcm_matches_its_rtl_on_every_cycle() {
    super::walk::<Llcm>("llcm", |stimulus| stimulus.pins());
}
