//! What is typed for a PE: registers, local memory, messages.

use cenju3::memory_map::SLOT_BYTES;
use cenju3::registers::Register;
use cluster::Machine;
use lab::command::{Arguments, Kind, Parameter};
use lab::{Asked, OwnCommand};

use crate::Cenju3;
use crate::layout::MEMORY;

/// A command on a PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// All registers.
    Registers,
    /// Reads a register.
    Register(Register),
    /// Writes one.
    SetRegister(Register, u64),
    /// Reads local memory past the cache.
    Memory {
        /// The first byte.
        address: u32,
        /// How many.
        bytes: u32,
    },
    /// Sends a message.
    Send {
        /// To this PE.
        pe: u8,
        /// So long.
        bytes: u8,
        /// Its first byte; each is greater by one than the one before.
        first: u8,
    },
    /// Takes a message.
    Receive,
}

const fn place(shown: &'static str, most: u64) -> Parameter {
    Parameter::place(shown, Kind::Number(most))
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
        names: &["mem_read"],
        title: "Local Memory Read",
        parameters: &[place("[Address]", MEMORY as u64 - 1), place("[Bytes]", 0x1000)],
        about: "Reads local memory past the cache. Send queues are at 0x100000 and 0x101000, headers of message buffer 0 at 0x102000, the window \
                of 256 KB at 0x200000.",
        examples: &["mem_read 0x102000 64"],
        build: |a| Asked::Own(Command::Memory { address: a.u32("[Address]"), bytes: a.u32("[Bytes]") }),
    },
    OwnCommand::QUIT,
    OwnCommand {
        names: &["recv"],
        title: "Receive",
        parameters: &[],
        about: "Takes the oldest message out of message buffer 0.",
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
        examples: &["reg", "reg Status", "reg InterruptEnable 0"],
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
        parameters: &[
            place("[PE]", Cenju3::MOST_NODES as u64 - 1),
            place("[Size(Byte)]", SLOT_BYTES as u64),
            Parameter::optional("[Value]", Kind::Number(u8::MAX as u64)),
        ],
        about: "Sends a message of the NIF to another PE. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| {
            let (pe, bytes) = (a.number("[PE]") as u8, a.number("[Size(Byte)]") as u8);
            Asked::Own(Command::Send { pe, bytes, first: a.optional_number("[Value]").unwrap_or(0) as u8 })
        },
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
            ("reg Status", Command::Register(Register::Status)),
            ("reg Pe 7", Command::SetRegister(Register::Pe, 7)),
        ] {
            assert!(matches!(asked(line), Asked::Own(command) if command == expected), "{line}");
        }
        assert!(parse("reg Nothing", MANUAL).is_err());
    }
}
