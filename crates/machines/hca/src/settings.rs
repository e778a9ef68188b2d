//! Settings of hosts before they are switched on, and the choices of a run.

use cluster::Duration;
use cluster::host::LibraryCost;
use mpi::carrier::OneSided;

use crate::cost::Costs;

/// The bus of the adapter, with cycles of the standards (PCI 2.2, PCI-X 1.0).
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
    /// Values of `--bus`, in the order of [`Bus::ALL`].
    pub const NAMES: &'static [&'static str] = &["pci-x", "pci-66", "pci-33"];
    /// Every bus.
    pub const ALL: [Bus; 3] = [Bus::PciX, Bus::Pci66, Bus::Pci33];

    /// Time of a word of 8 bytes.
    pub const fn word(self) -> Duration {
        match self {
            Bus::PciX => Duration::from_ps(7_500),
            Bus::Pci66 => Duration::from_ps(15_000),
            Bus::Pci33 => Duration::from_ps(60_000),
        }
    }

    /// Length of its clock in clocks of PCI-X.
    pub const fn clocks(self) -> u64 {
        match self {
            Bus::PciX => 1,
            Bus::Pci66 => 2,
            Bus::Pci33 => 4,
        }
    }

    /// Value of `--bus`.
    pub const fn name(self) -> &'static str {
        Bus::NAMES[self as usize]
    }
}

/// The settings of all hosts of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Bus between host and adapter.
    pub bus: Bus,
    /// Path of one-sided accesses of MPI.
    pub one_sided: OneSided,
    /// Cost of the steps of the MPI library.
    pub library: LibraryCost,
    /// Cost of the steps of the verbs library, for programs that call it themselves.
    pub verbs_library: LibraryCost,
    /// Costs of accesses.
    pub costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            bus: Bus::default(),
            one_sided: OneSided::default(),
            library: LibraryCost::default(),
            verbs_library: LibraryCost::default(),
            costs: Costs::PUBLISHED,
        }
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
