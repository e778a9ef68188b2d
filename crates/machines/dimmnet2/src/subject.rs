//! The machine with all traits of `machine_api`.

use hdl::Package;
use machine_api::Subject;

use crate::Dimmnet2;

impl Subject for Dimmnet2 {
    const NAME: &'static str = "dimmnet2";
    const PACKAGES: &'static [&'static Package] = dimmnet2::tables::PACKAGES;
}
