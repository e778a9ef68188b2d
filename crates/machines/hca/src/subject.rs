//! The machine with all traits of `lab`.

use hdl::Package;
use lab::{Judge, Subject};

use crate::Hca;

impl Subject for Hca {
    const NAME: &'static str = "hca";
    const PACKAGES: &'static [&'static Package] = hca::tables::PACKAGES;
    const JUDGES: &'static [Judge] = &[
        Judge { package: "hca", test: None, only: &[] },
        Judge { package: "hca", test: Some("hca"), only: &[] },
        Judge { package: "hca_machine", test: Some("hca_machine"), only: &[] },
    ];
}
