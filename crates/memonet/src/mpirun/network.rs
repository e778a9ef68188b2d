//! The network between ranks: a machine, or ideal wires in memory.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use machine_api::{CarrierChoice, Parallel, Unmet, Wanted, Working};

use crate::carrier_options;
use crate::machines::{Name, with_machine};
use crate::{per_node, usage};

/// The network between ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Wires of constant delay and bandwidth.
    #[default]
    Memory,
    /// The network of a machine.
    Of(Name),
}

/// Processes at most, on any machine: this computer has to run them.
const MOST_RANKS: usize = 1024;

impl Network {
    /// Name for the user: `GigaE PM`.
    pub fn title(self) -> &'static str {
        match self {
            Network::Memory => "wires of constant delay",
            Network::Of(machine) => machine.title(),
        }
    }

    /// The network of a machine, or wires in memory without one.
    pub fn of(machine: Option<Name>) -> Self {
        machine.map_or(Network::Memory, Network::Of)
    }

    /// The machine; `None` for wires in memory.
    pub fn machine(self) -> Option<Name> {
        match self {
            Network::Memory => None,
            Network::Of(machine) => Some(machine),
        }
    }

    /// Value of `--machine`: the name of a machine, or `memory`.
    pub fn name(self) -> String {
        self.to_possible_value().expect("no value is hidden").get_name().to_owned()
    }

    /// Whether its frames can be captured.
    pub fn has_frames(self) -> bool {
        match self {
            Network::Memory => false,
            Network::Of(machine) => with_machine!(machine, M => M::FRAMES.is_some()),
        }
    }

    /// Ranks at most, with the carrier that these options select.
    pub fn most_ranks(self, wanted: Wanted<'_>) -> Result<usize, Unmet> {
        match self {
            Network::Memory => Ok(MOST_RANKS),
            Network::Of(machine) => with_machine!(machine, M => {
                Ok(MOST_RANKS.min(CarrierChoice::<M>::find(M::CARRIERS, wanted)?.carrier.most_ranks))
            }),
        }
    }

    /// An error if a node of the network cannot run this number of ranks.
    pub fn check_per_node(self, ranks: per_node::Args) -> anyhow::Result<()> {
        match self {
            Network::Memory if ranks.given().is_some() => {
                Err(usage::conflict(per_node::OPTION, "--machine memory"))
            }
            Network::Memory => Ok(()),
            Network::Of(machine) => ranks.check(machine),
        }
    }

    /// An error if the machine does not support a setting, or its value.
    pub fn check_settings(self, options: &carrier_options::Args) -> anyhow::Result<()> {
        match self {
            Network::Memory => Ok(()),
            Network::Of(machine) => with_machine!(machine, M => options.settings::<M>().map(|_| ())),
        }
    }

    /// The name, unless it is that of the default carrier.
    pub fn other_carrier(self, name: Option<&str>) -> Option<&str> {
        let Network::Of(machine) = self else { return None };
        name.filter(|name| with_machine!(machine, M => M::CARRIERS[0].name != *name))
    }
}

/// All networks, in the order of `--help`.
static ALL: LazyLock<Vec<Network>> = LazyLock::new(|| {
    let machines = Name::value_variants().iter().copied().map(Network::Of);
    [Network::Memory].into_iter().chain(machines).collect()
});

impl ValueEnum for Network {
    fn value_variants<'a>() -> &'a [Self] {
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Network::Memory => Some(
                PossibleValue::new("memory").help("Wires of constant delay and bandwidth: 10 us, 125 MB/s"),
            ),
            Network::Of(machine) => machine.to_possible_value(),
        }
    }
}
