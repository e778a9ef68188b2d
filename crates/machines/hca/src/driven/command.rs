//! What is typed for a host: registers, memory, messages.

use cluster::Machine;
use hca::registers::Register;
use lab::command::{Arguments, Kind, Parameter};
use lab::{Asked, OwnCommand};

use crate::bus::MEMORY_BYTES;
use crate::{Hca, LONGEST_DATAGRAM, Service};

/// A command on a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// All registers.
    Registers,
    /// Reads a register.
    Register(Register),
    /// Writes one.
    SetRegister(Register, u64),
    /// Reads host memory.
    Memory {
        /// The first byte.
        address: u32,
        /// How many.
        bytes: u32,
    },
    /// Sends a message.
    Send {
        /// To this host.
        to: u8,
        /// By a connection, or as a datagram.
        service: Service,
        /// So long.
        bytes: u16,
        /// Its first byte; each is greater by one than the one before.
        first: u8,
    },
    /// Takes a message.
    Receive,
}

const fn place(shown: &'static str, most: u64) -> Parameter {
    Parameter::place(shown, Kind::Number(most))
}

/// To whom, how much, and from which value on.
const SENDING: &[Parameter] = &[
    place("[Host]", Hca::MOST_NODES as u64 - 1),
    place("[Size(Byte)]", LONGEST_DATAGRAM as u64),
    Parameter::optional("[Value]", Kind::Number(u8::MAX as u64)),
];

fn sending(a: &Arguments<'_>, service: Service) -> Asked<Command> {
    let (to, bytes) = (a.number("[Host]") as u8, a.number("[Size(Byte)]") as u16);
    let first = a.optional_number("[Value]").unwrap_or(0) as u8;
    Asked::Own(Command::Send { to, service, bytes, first })
}

/// Names of all registers.
fn registers() -> Vec<&'static str> {
    Register::ALL.iter().map(|register| register.info().name).collect()
}

fn register(a: &Arguments<'_>) -> Option<Register> {
    let name = a.optional_word("[Register]")?;
    Register::ALL.iter().copied().find(|register| register.info().name == name)
}

/// The commands.
pub const MANUAL: &[OwnCommand<Command>] = &[
    OwnCommand::HELP,
    OwnCommand {
        names: &["datagram"],
        title: "Datagram",
        parameters: SENDING,
        about: "Sends a datagram to another host, which may be lost. Its bytes count up from the value, from 0 without one.",
        examples: &["datagram 1 64"],
        build: |a| sending(a, Service::Datagram),
    },
    OwnCommand {
        names: &["mem_read"],
        title: "Memory Read",
        parameters: &[place("[Address]", MEMORY_BYTES as u64 - 1), place("[Bytes]", 0x1000)],
        about: "Reads host memory. Completions are at 0x100000, a queue pair each 0x400000 from 0x1000000 on: its send ring, its receive ring 0x1000 behind, \
                what it sends 0x10000 behind, and what it received 0x200000 behind.",
        examples: &["mem_read 0x100000 32"],
        build: |a| Asked::Own(Command::Memory { address: a.u32("[Address]"), bytes: a.u32("[Bytes]") }),
    },
    OwnCommand::QUIT,
    OwnCommand {
        names: &["recv"],
        title: "Receive",
        parameters: &[],
        about: "Takes completions, up to that of the next message.",
        examples: &["recv"],
        build: |_| Asked::Own(Command::Receive),
    },
    OwnCommand {
        names: &["reg"],
        title: "Registers",
        parameters: &[
            Parameter::optional("[Register]", Kind::Choice(registers)),
            Parameter::optional("[Value]", Kind::Number(u32::MAX as u64)),
        ],
        about: "Reads or writes a register by its name; without one, lists all.",
        examples: &["reg", "reg Sent", "reg InterruptEnable 0"],
        build: |a| {
            Asked::Own(match (register(a), a.optional_number("[Value]")) {
                (None, _) => Command::Registers,
                (Some(register), None) => Command::Register(register),
                (Some(register), Some(value)) => Command::SetRegister(register, value),
            })
        },
    },
    OwnCommand {
        names: &["send"],
        title: "Send",
        parameters: SENDING,
        about: "Sends a message to another host by their connection. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| sending(a, Service::Connection),
    },
    OwnCommand::VERSION,
];

#[cfg(test)]
mod tests {
    use lab::command::parse;

    use super::*;

    fn asked(line: &str) -> Asked<Command> {
        let (command, arguments) = parse(line, MANUAL).unwrap().expect("it is a command");
        (command.build)(&arguments)
    }

    #[test]
    fn examples_are_commands() {
        for command in MANUAL {
            assert!(!command.examples.is_empty(), "{} has none", command.names[0]);
            command.examples.iter().for_each(|example| drop(asked(example)));
        }
    }

    #[test]
    fn register_is_listed_read_or_written_by_what_is_given() {
        for (line, expected) in [
            ("reg", Command::Registers),
            ("reg Sent", Command::Register(Register::Sent)),
            ("reg Lid 7", Command::SetRegister(Register::Lid, 7)),
        ] {
            assert!(matches!(asked(line), Asked::Own(command) if command == expected), "{line}");
        }
        assert!(parse("reg Nothing", MANUAL).is_err());
    }
}
