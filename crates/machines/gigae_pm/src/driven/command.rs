//! What is typed for a card: registers, NIC memory, messages.

use gigae_pm::memory_map::{MTU, WORDS};
use gigae_pm::registers::Register;
use lab::command::{Arguments, Kind, Parameter};
use lab::{Asked, OwnCommand};

use crate::GigaePm;
use cluster::Machine;

/// A command on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// All registers that can be read.
    Registers,
    /// Reads a register.
    Register(Register),
    /// Writes one.
    SetRegister(Register, u64),
    /// Reads a word of the aperture, as the kernel or as a user.
    Read {
        /// Byte address.
        address: u16,
        /// As a user process.
        user: bool,
    },
    /// Writes a word of the aperture.
    Write {
        /// Byte address.
        address: u16,
        /// What is written.
        value: u32,
    },
    /// Reads words of NIC memory.
    Memory {
        /// The first word.
        first: u32,
        /// How many.
        words: u32,
    },
    /// Writes one.
    SetMemory {
        /// Which.
        word: u32,
        /// What is written.
        value: u32,
    },
    /// Sends a message of PM.
    Send {
        /// To this node.
        node: u16,
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

const ADDRESS: Parameter = place("[Address]", 0x2fff);
const WORD: Parameter = place("[Word]", WORDS as u64 - 1);
const VALUE: Parameter = place("[Value]", u32::MAX as u64);

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
        title: "NIC Memory Read",
        parameters: &[WORD, place("[Words]", 0x1000)],
        about: "Reads words of NIC memory through the page register, as the kernel does. Receive descriptors begin at 0, send \
                descriptors at 0x200, control structures of channel 0 at 0x20000, six words for each node.",
        examples: &["mem_read 0x20006 6"],
        build: |a| Asked::Own(Command::Memory { first: a.u32("[Word]"), words: a.u32("[Words]") }),
    },
    OwnCommand {
        names: &["mem_write"],
        title: "NIC Memory Write",
        parameters: &[WORD, VALUE],
        about: "Writes a word of NIC memory.",
        examples: &["mem_write 0x3ff00 0xcafe"],
        build: |a| Asked::Own(Command::SetMemory { word: a.u32("[Word]"), value: a.u32("[Value]") }),
    },
    OwnCommand::QUIT,
    OwnCommand {
        names: &["read"],
        title: "Read as a User",
        parameters: &[Parameter::place("user", Kind::Literal), ADDRESS],
        about: "Reads a word of the card as a user process. It sees the window, 0x0000 to 0x03ff; other accesses read 0 and are \
                counted.",
        examples: &["read user 0x0c"],
        build: |a| Asked::Own(Command::Read { address: a.number("[Address]") as u16, user: true }),
    },
    OwnCommand {
        names: &["read"],
        title: "Read",
        parameters: &[ADDRESS],
        about: "Reads a word of the card over the PCI bus, as the kernel: the window from 0x0000 on, registers from 0x1000 on, a \
                page of NIC memory from 0x2000 on.",
        examples: &["read 0x1010"],
        build: |a| Asked::Own(Command::Read { address: a.number("[Address]") as u16, user: false }),
    },
    OwnCommand {
        names: &["recv"],
        title: "Receive",
        parameters: &[],
        about: "Takes the oldest message of PM that has arrived, and gives its buffer back to the card.",
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
        examples: &["reg", "reg Sent", "reg Timeout 20000"],
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
            place("[Node]", GigaePm::MOST_NODES as u64 - 1),
            place("[Size(Byte)]", MTU as u64),
            Parameter::optional("[Value]", Kind::Number(u8::MAX as u64)),
        ],
        about: "Sends a message of PM to another node. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| {
            let (node, bytes) = (a.number("[Node]") as u16, a.number("[Size(Byte)]") as u16);
            Asked::Own(Command::Send { node, bytes, first: a.optional_number("[Value]").unwrap_or(0) as u8 })
        },
    },
    OwnCommand::VERSION,
    OwnCommand {
        names: &["write"],
        title: "Write",
        parameters: &[ADDRESS, VALUE],
        about: "Writes a word of the card over the PCI bus, as the kernel.",
        examples: &["write 0x1020 0x3ffff"],
        build: |a| {
            let (address, value) = (a.number("[Address]") as u16, a.u32("[Value]"));
            Asked::Own(Command::Write { address, value })
        },
    },
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
            ("reg Timeout 7", Command::SetRegister(Register::Timeout, 7)),
        ] {
            assert!(matches!(asked(line), Asked::Own(command) if command == expected), "{line}");
        }
        assert!(
            parse("reg Nothing", MANUAL).unwrap_err().error.to_string().contains("is not one of Control")
        );
    }

    #[test]
    fn user_reads_by_the_word_in_front() {
        let read = |user| Command::Read { address: 0x0c, user };
        assert!(matches!(asked("read user 0x0c"), Asked::Own(command) if command == read(true)));
        assert!(matches!(asked("read 0x0c"), Asked::Own(command) if command == read(false)));
    }
}
