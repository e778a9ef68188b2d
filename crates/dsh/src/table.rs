//! The table of all commands: parser, help and completion use it.

use machine_api::command::{Arguments, CommandInfo};
use machine_api::{Driven, ShellRequest};

use crate::extra::{Extra, ExtraCommand, Extras};

pub use machine_api::command::{Kind, Parameter};

/// The parsed command of a line.
#[derive(Debug)]
pub enum Action<M: Driven> {
    /// A command of this machine.
    Machine(ShellRequest<M::Command>),
    /// A command of all machines.
    Extra(Extra),
}

/// The constructor of a command.
pub enum Build<M: Driven> {
    /// For a command of this machine.
    Machine(fn(&Arguments<'_>) -> ShellRequest<M::Command>),
    /// For a command of all machines.
    Extra(fn(&Arguments<'_>) -> Extra),
}

impl<M: Driven> Clone for Build<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Driven> Copy for Build<M> {}

impl<M: Driven> Build<M> {
    /// The command with these arguments.
    pub fn make(&self, arguments: &Arguments<'_>) -> Action<M> {
        match self {
            Build::Machine(build) => Action::Machine(build(arguments)),
            Build::Extra(build) => Action::Extra(build(arguments)),
        }
    }
}

/// A row of the table.
pub type Entry<M> = CommandInfo<Build<M>>;

/// The machine's own commands.
pub fn manual<M: Driven>() -> impl Iterator<Item = Entry<M>> {
    M::MANUAL.iter().map(|command| command.with(Build::Machine))
}

/// The commands of all machines, and those that the machine adds to its manual.
pub fn others<M: Driven>() -> impl Iterator<Item = Entry<M>> {
    let (node, rest) = Extras::<M>::ALL.split_at(1);
    let extra = |command: &ExtraCommand| command.with(Build::Extra);
    let beside = M::BESIDE.iter().map(|command| command.with(Build::Machine));
    node.iter().map(extra).chain(beside).chain(rest.iter().map(extra))
}

/// All commands: the machine's own first.
pub fn entries<M: Driven>() -> Vec<Entry<M>> {
    manual().chain(others()).collect()
}

/// All names of commands, without repetition.
pub fn command_names<M: Driven>() -> Vec<&'static str> {
    let mut all: Vec<_> = entries::<M>().iter().flat_map(|entry| entry.names).copied().collect();
    all.dedup();
    all
}

/// Syntax of a command.
pub fn usage<M: Driven>(name: &str) -> String {
    let entries = entries::<M>();
    let meant = entries.iter().filter(|entry| entry.names.contains(&name));
    meant.map(Entry::syntax).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use dimmnet2_machine::Dimmnet2;
    use machine_api::command::parse;

    use super::*;

    #[test]
    fn examples_of_every_command_are_commands() {
        let entries = entries::<Dimmnet2>();
        for entry in &entries {
            assert!(!entry.examples.is_empty(), "{} has none", entry.names[0]);
            for example in entry.examples {
                let parsed = parse(example, &entries);
                assert!(matches!(parsed, Ok(Some(_))), "{example}: {:?}", parsed.err());
            }
        }
    }
}
