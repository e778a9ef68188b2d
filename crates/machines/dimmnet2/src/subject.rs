//! The machine with all traits of `lab`.

use hdl::Package;
use lab::{Judge, Subject};

use crate::Dimmnet2;

impl Subject for Dimmnet2 {
    const NAME: &'static str = "dimmnet2";
    const PACKAGES: &'static [&'static Package] = dimmnet2::tables::PACKAGES;
    const JUDGES: &'static [Judge] = &[
        Judge { package: "dimmnet2", test: None, only: &[] },
        Judge { package: "dimmnet2", test: Some("rest"), only: &[] },
        Judge { package: "dimmnet2", test: Some("noise"), only: &[] },
        Judge { package: "oracle", test: Some("oracle"), only: &[] },
        Judge {
            package: "dimmnet2_machine",
            test: Some("dimmnet2_machine"),
            only: &["latency", "messages", "remote", "failures"],
        },
    ];
}
