//! The machine with all traits of `machine_api`.

use hdl::Package;
use machine_api::Subject;

use crate::Hca;

impl Subject for Hca {
    const NAME: &'static str = "hca";
    const PACKAGES: &'static [&'static Package] = hca::tables::PACKAGES;
}
