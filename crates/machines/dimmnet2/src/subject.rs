//! The machine with all traits of `lab`.

use hdl::Package;
use lab::Subject;

use crate::Dimmnet2;

impl Subject for Dimmnet2 {
    const NAME: &'static str = "dimmnet2";
    const PACKAGES: &'static [&'static Package] = dimmnet2::tables::PACKAGES;
}
