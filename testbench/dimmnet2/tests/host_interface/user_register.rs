//! Random pins on every cycle, with offsets that mostly have a register.

use dimmnet2::host_interface::user_register::{In, UserRegisterPage};

#[test]
fn user_register_matches_its_rtl_on_every_cycle() {
    super::walk::<UserRegisterPage>("user_register", |stimulus| In {
        offset: super::offset(stimulus),
        ..stimulus.pins()
    });
}
