//! The machine with all traits of `machine_api`.

use hdl::Package;
use machine_api::Subject;

use crate::Cenju3;

impl Subject for Cenju3 {
    const NAME: &'static str = "cenju3";
    const PACKAGES: &'static [&'static Package] = cenju3::tables::PACKAGES;
}
