//! What is between ranks: a machine, or wires in memory.

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::machines::Name;

/// What is between ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Wires of constant delay and bandwidth.
    #[default]
    Memory,
    /// A machine.
    Of(Name),
}

/// All there are.
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
