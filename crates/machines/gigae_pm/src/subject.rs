//! The machine as commands know it.

use hdl::Package;
use machine_api::Subject;

use crate::GigaePm;

impl Subject for GigaePm {
    const NAME: &'static str = "gigae_pm";
    const PACKAGES: &'static [&'static Package] = gigae_pm::tables::PACKAGES;
}
