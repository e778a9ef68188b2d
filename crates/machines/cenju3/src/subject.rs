//! The machine with all traits of `lab`.

use hdl::Package;
use lab::{Judge, Subject};

use crate::Cenju3;

impl Subject for Cenju3 {
    const NAME: &'static str = "cenju3";
    const PACKAGES: &'static [&'static Package] = cenju3::tables::PACKAGES;
    const JUDGES: &'static [Judge] = &[
        Judge { package: "cenju3", test: None, only: &[] },
        Judge { package: "cenju3", test: Some("cenju3"), only: &[] },
        Judge { package: "cenju3_machine", test: Some("cenju3_machine"), only: &[] },
    ];
}
