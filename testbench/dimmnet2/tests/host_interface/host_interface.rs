//! Random pins on every cycle, with addresses that mostly lead to an area and rarely to Controller Reset.

use cosim::Stimulus;
use dimmnet2::address::Area;
use dimmnet2::host_interface::HostInterface;
use dimmnet2::host_interface::pins::In;
use dimmnet2::registers::SystemRegister;

fn address(stimulus: &mut Stimulus) -> u32 {
    let area = Area::ALL[stimulus.below(6) as usize];
    let part = area.part(stimulus.one_in(2));
    let offset = match area {
        _ if stimulus.one_in(8) => return stimulus.below(1 << 20) as u32,
        Area::UserRegister | Area::SystemRegister => u32::from(super::offset(stimulus)),
        _ => stimulus.below(area.part_bytes().into()) as u32,
    };
    let reset = Area::SystemRegister.base() + u32::from(SystemRegister::ControllerReset.info().offset);
    if part + offset == reset && !stimulus.one_in(8) { part } else { part + offset }
}

#[test]
fn host_interface_matches_its_rtl_on_every_cycle() {
    super::walk::<HostInterface>("host_interface", |stimulus| {
        let mut pins: In = stimulus.pins();
        pins.host.address = address(stimulus);
        if stimulus.one_in(2) {
            pins.host.byte_enable = 0xffff;
        }
        pins
    });
}
