//! `--per-node`: processes on each node of a machine.

use clap::ValueEnum;
use machine_api::{Offer, Parallel, Placement};

use crate::machines::{Name, with_machine};
use crate::{numbers, usage};

/// Name of the option in errors.
pub const OPTION: &str = "--per-node <N>";

/// Processes on each node.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
// Other commands flatten this struct into their own `Args`, and clap's groups need different names.
#[group(skip)]
pub struct Args {
    /// Processes on each node; their number stays the same. With 2, processes 0 and 1 are on node 0, processes 2 and 3 on node 1.
    /// DIMMnet-2 has 1 and 2, the other machines have 1. Default: 1.
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    per_node: Option<usize>,
}

impl Args {
    /// The number, if given.
    pub fn given(self) -> Option<usize> {
        self.per_node
    }

    /// Sets the number.
    pub fn set(&mut self, processes: usize) {
        self.per_node = Some(processes);
    }

    /// Processes on each node.
    pub fn count(self) -> usize {
        self.per_node.unwrap_or(1)
    }

    /// Nodes of this number of processes.
    pub fn placement(self, processes: usize) -> Placement {
        Placement::new(processes, self.count())
    }

    /// The option as typed, preceded by a space.
    pub fn typed(self) -> String {
        self.per_node.map_or(String::new(), |processes| format!(" --per-node {processes}"))
    }

    /// An error if a node of the machine cannot run this number of processes; names the machines that can.
    pub fn check(self, machine: Name) -> anyhow::Result<()> {
        let Some(processes) = self.per_node else { return Ok(()) };
        let offer = offer(machine);
        if offer.has.contains(&processes) {
            return Ok(());
        }
        let has = |machine: &&Name| self::offer(**machine).has.contains(&processes);
        let others = Name::value_variants().iter().filter(has);
        let others: String =
            others.map(|machine| format!("; --machine {} has {processes}", machine.folder())).collect();
        Err(usage::invalid(OPTION, processes, offer.reason(machine.title()) + &others))
    }
}

/// Numbers of processes that a node of a machine can run.
fn offer(machine: Name) -> Offer<usize> {
    with_machine!(machine, M => M::PER_NODE)
}
