//! The machine with all traits of `lab`.

use hdl::Package;
use lab::Subject;

use crate::Cenju3;

impl Subject for Cenju3 {
    const NAME: &'static str = "cenju3";
    const PACKAGES: &'static [&'static Package] = cenju3::tables::PACKAGES;
}
