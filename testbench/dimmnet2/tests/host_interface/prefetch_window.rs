//! Random pins on every cycle, then all words of memory.

use dimmnet2::host_interface::prefetch_window::PrefetchWindow;

#[test]
fn prefetch_window_matches_its_rtl_on_every_cycle() {
    super::walk::<PrefetchWindow>("prefetch_window", |stimulus| stimulus.pins());
}
