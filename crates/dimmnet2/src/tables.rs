//! Every generated file of the device.

use hdl::Package;

/// The generated SystemVerilog packages, in an order in which each uses only earlier ones.
pub const PACKAGES: &[&Package] = &[
    &crate::line::PACKAGE,
    &crate::request::PACKAGE,
    &crate::pins::PACKAGE,
    &crate::host_interface::pins::PACKAGE,
    &crate::window_controller::pins::PACKAGE,
    &crate::window_controller::botf::PACKAGE,
    &crate::receive_controller::pins::PACKAGE,
    &crate::write_unit::pins::PACKAGE,
    &crate::sodimm_interface::pins::PACKAGE,
    &crate::swif::pins::PACKAGE,
];
