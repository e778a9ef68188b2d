//! Host port under random accesses of kernel and user.

use gigae_pm::host_port::{HostPort, In};
use gigae_pm::memory_map::SEND_DESCRIPTORS;

use testbench_gigae_pm::walk;

#[test]
fn host_port_matches_its_rtl_on_every_cycle() {
    walk::<HostPort>("host_port", 200_000, |stimulus, _| {
        let mut pins: In = stimulus.pins();
        pins.host.enable = !stimulus.one_in(4);
        pins.causes = if stimulus.one_in(4) { pins.causes } else { 0 };
        // Registers that exist, and flags of send descriptors.
        if stimulus.one_in(2) {
            pins.host.address = 0x1000 + 4 * stimulus.below(64) as u16;
            // Delays that pass, and single causes.
            if stimulus.one_in(2) {
                pins.host.wdata = stimulus.below(32) as u32;
            }
        } else if stimulus.one_in(2) {
            pins.host.address =
                0x2000 + (4 * (SEND_DESCRIPTORS & 0x3ff)) as u16 + stimulus.below(0x600) as u16;
            pins.host.wdata = stimulus.below(3) as u32;
        } else if stimulus.one_in(4) {
            // Page 0, where the descriptors are.
            (pins.host.address, pins.host.wdata) = (0x100c, 0);
        }
        pins.host.user = stimulus.one_in(4);
        pins
    });
}
