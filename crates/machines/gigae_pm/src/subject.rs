//! The machine with all traits of `lab`.

use hdl::Package;
use lab::{Judge, Subject};

use crate::GigaePm;

impl Subject for GigaePm {
    const NAME: &'static str = "gigae_pm";
    const PACKAGES: &'static [&'static Package] = gigae_pm::tables::PACKAGES;
    const JUDGES: &'static [Judge] = &[
        Judge { package: "pm_protocol", test: None, only: &[] },
        Judge { package: "gigae_pm", test: None, only: &[] },
        Judge { package: "gigae_pm", test: Some("gigae_pm"), only: &[] },
        Judge {
            package: "checker",
            test: Some("checker"),
            // Other protocols in the checker do not use the card's rules.
            only: &["hazards::", "repaired::", "replays::", "subsets::"],
        },
        Judge {
            package: "gigae_pm_machine",
            test: Some("gigae_pm_machine"),
            only: &["channels", "faults", "frames", "recovery", "timing"],
        },
    ];
}
