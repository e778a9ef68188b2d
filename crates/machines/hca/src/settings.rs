//! How hosts are set up before they are switched on, and what of it a run can choose.

use cluster::Duration;

use crate::cost::Costs;

/// The bus of the adapter. What a word of 8 bytes takes on it; cycles are those of the standards (PCI 2.2, PCI-X 1.0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bus {
    /// PCI-X, 64 bits at 133 MHz: faster than the adapter's own clock of 125 MHz, so a word a cycle.
    #[default]
    PciX,
    /// PCI, 64 bits at 66 MHz, as the paper on Fagus prints it (section 4.1).
    Pci66,
    /// PCI, 32 bits at 33 MHz, as most boards with the paper's chipset had it.
    Pci33,
}

impl Bus {
    /// As it is typed, in the order of [`Bus::ALL`].
    pub const NAMES: &'static [&'static str] = &["pci-x", "pci-66", "pci-33"];
    /// All there are.
    pub const ALL: [Bus; 3] = [Bus::PciX, Bus::Pci66, Bus::Pci33];

    /// For how long a word of 8 bytes occupies it.
    pub const fn word(self) -> Duration {
        match self {
            Bus::PciX => Duration::from_ps(7_500),
            Bus::Pci66 => Duration::from_ps(15_000),
            Bus::Pci33 => Duration::from_ps(60_000),
        }
    }

    /// How many times as long a clock of it is as one of PCI-X.
    pub const fn clocks(self) -> u64 {
        match self {
            Bus::PciX => 1,
            Bus::Pci66 => 2,
            Bus::Pci33 => 4,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        Bus::NAMES[self as usize]
    }
}

/// The settings of all hosts of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The bus.
    pub bus: Bus,
    /// What accesses cost.
    pub costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { bus: Bus::default(), costs: Costs::PUBLISHED }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bus_is_found_by_its_name() {
        assert_eq!(Bus::ALL.map(Bus::name), Bus::NAMES);
        assert!(Bus::ALL.map(Bus::word).is_sorted());
    }
}
