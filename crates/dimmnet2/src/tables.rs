//! Every generated file of the device.

use hdl::Package;

/// The generated SystemVerilog packages, in an order in which each uses only earlier ones.
pub const PACKAGES: &[&Package] = &[&crate::line::PACKAGE, &crate::window_controller::botf::PACKAGE];
