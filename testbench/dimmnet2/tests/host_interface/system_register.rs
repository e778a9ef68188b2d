//! Random pins on every cycle, with offsets that mostly have a register.

use dimmnet2::host_interface::system_register::{In, SystemRegisterPage};

#[test]
fn system_register_matches_its_rtl_on_every_cycle() {
    super::walk::<SystemRegisterPage>("system_register", |stimulus| In {
        offset: super::offset(stimulus),
        ..stimulus.pins()
    });
}
