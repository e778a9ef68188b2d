//! Random pins on every cycle, with offsets that mostly have a register.

use dimmnet2::host_interface::configuration_distribution::{ConfigurationDistribution, In};

#[test]
fn configuration_distribution_matches_its_rtl_on_every_cycle() {
    super::walk::<ConfigurationDistribution>("configuration_distribution", |stimulus| In {
        offset: super::offset(stimulus),
        ..stimulus.pins()
    });
}
