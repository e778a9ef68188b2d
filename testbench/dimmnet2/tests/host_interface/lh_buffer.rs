//! Random pins on every cycle, then all words of memory.

use dimmnet2::host_interface::lh_buffer::{In, LhBuffer};

#[test]
fn lh_buffer_matches_its_rtl_on_every_cycle() {
    let (mut advances, mut most) = ([0; 2], 0);
    super::walk::<LhBuffer>("lh_buffer", |stimulus| {
        let mut pins: In = stimulus.pins();
        // So seldom that Tails go round, and that flags are cleared to the last one.
        pins.controller_reset &= stimulus.one_in(500);
        advances = if pins.controller_reset { [0; 2] } else { advances };
        advances[usize::from(pins.wid)] += u32::from(pins.advance);
        most = most.max(advances[0].min(advances[1]));
        pins
    });
    assert!(most > 2 * 64, "both Tails go round twice without a Controller Reset: {most}");
}
