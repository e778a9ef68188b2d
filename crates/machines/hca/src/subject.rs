//! The machine with all traits of `lab`.

use hdl::Package;
use lab::Subject;

use crate::Hca;

impl Subject for Hca {
    const NAME: &'static str = "hca";
    const PACKAGES: &'static [&'static Package] = hca::tables::PACKAGES;
}
