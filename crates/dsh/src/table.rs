//! The one table of commands, those of the machine and those of all machines: parser, help and completion come from it.

use lab::command::{Arguments, CommandInfo};
use lab::{Asked, Driven};

use crate::extra::{Extra, ExtraCommand, Extras};

pub use lab::command::{Kind, Parameter};

/// What a line asks for: what stands in the machine's own table, or what every machine can do.
#[derive(Debug)]
pub enum Action<M: Driven> {
    /// Of this machine.
    Asked(Asked<M::Command>),
    /// Of all machines.
    Extra(Extra),
}

/// Makes a command of its arguments.
pub enum Build<M: Driven> {
    /// One of this machine.
    Asked(fn(&Arguments<'_>) -> Asked<M::Command>),
    /// One of all machines.
    Extra(fn(&Arguments<'_>) -> Extra),
}

impl<M: Driven> Clone for Build<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Driven> Copy for Build<M> {}

impl<M: Driven> Build<M> {
    /// Makes it.
    pub fn make(&self, arguments: &Arguments<'_>) -> Action<M> {
        match self {
            Build::Asked(build) => Action::Asked(build(arguments)),
            Build::Extra(build) => Action::Extra(build(arguments)),
        }
    }
}

/// A command.
pub type Entry<M> = CommandInfo<Build<M>>;

/// The machine's own commands.
pub fn manual<M: Driven>() -> impl Iterator<Item = Entry<M>> {
    M::MANUAL.iter().map(|command| command.with(Build::Asked))
}

/// The commands of all machines, and what else the machine has.
pub fn others<M: Driven>() -> impl Iterator<Item = Entry<M>> {
    let (node, rest) = Extras::<M>::ALL.split_at(1);
    let extra = |command: &ExtraCommand| command.with(Build::Extra);
    let beside = M::BESIDE.iter().map(|command| command.with(Build::Asked));
    node.iter().map(extra).chain(beside).chain(rest.iter().map(extra))
}

/// All commands: the machine's own first.
pub fn entries<M: Driven>() -> Vec<Entry<M>> {
    manual().chain(others()).collect()
}

/// All names of commands, each once.
pub fn command_names<M: Driven>() -> Vec<&'static str> {
    let mut all: Vec<_> = entries::<M>().iter().flat_map(|entry| entry.names).copied().collect();
    all.dedup();
    all
}

/// How a command is typed.
pub fn usage<M: Driven>(name: &str) -> String {
    let entries = entries::<M>();
    let meant = entries.iter().filter(|entry| entry.names.contains(&name));
    meant.map(Entry::syntax).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use dimmnet2_machine::Dimmnet2;
    use lab::command::parse;

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
