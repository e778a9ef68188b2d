//! The commands of a node: registers, NIC memory, messages.

use cluster::Machine;
use gigae_pm::memory_map::{MTU, WORDS};
use machine_api::command::{Kind, Parameter};
use machine_api::console::{Command, destination, registers, send};
use machine_api::{OwnCommand, ShellRequest};

use crate::GigaePm;

/// Commands of this machine alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Reads a word of the aperture, as the kernel or as a user process.
    Read {
        /// Byte address.
        address: u16,
        /// A user process reads, which reaches the window alone.
        user: bool,
    },
    /// Writes a word of the aperture as the kernel.
    Write {
        /// Byte address.
        address: u16,
        /// 32 bits to write.
        value: u32,
    },
    /// Writes a word of NIC memory.
    SetMemory {
        /// Number of the word.
        word: u32,
        /// 32 bits to write.
        value: u32,
    },
}

const fn place(shown: &'static str, most: u64) -> Parameter {
    Parameter::place(shown, Kind::Number(most))
}

const ADDRESS: Parameter = place("[Address]", 0x2fff);
const WORD: Parameter = place("[Word]", WORDS as u64 - 1);
const VALUE: Parameter = place("[Value]", u32::MAX as u64);

/// The commands in the order of their names.
pub const COMMANDS: &[OwnCommand<Command<(), Extra>>] = &[
    OwnCommand::HELP,
    OwnCommand::memory_read(
        "NIC Memory Read",
        &[WORD, place("[Words]", 0x1000)],
        "Reads words of NIC memory through the page register, as the kernel does. Receive descriptors begin at 0, send \
                descriptors at 0x200, control structures of channel 0 at 0x20000, six words for each node.",
        &["mem_read 0x20006 6"],
    ),
    OwnCommand {
        names: &["mem_write"],
        title: "NIC Memory Write",
        parameters: &[WORD, VALUE],
        about: "Writes a word of NIC memory.",
        examples: &["mem_write 0x3ff00 0xcafe"],
        build: |a| {
            ShellRequest::Own(Command::Extra(Extra::SetMemory {
                word: a.u32("[Word]"),
                value: a.u32("[Value]"),
            }))
        },
    },
    OwnCommand::QUIT,
    OwnCommand {
        names: &["read"],
        title: "Read as a User",
        parameters: &[Parameter::place("user", Kind::Literal), ADDRESS],
        about: "Reads a word of the card as a user process. It sees the window, 0x0000 to 0x03ff; other accesses read 0 and are \
                counted.",
        examples: &["read user 0x0c"],
        build: |a| {
            ShellRequest::Own(Command::Extra(Extra::Read {
                address: a.number("[Address]") as u16,
                user: true,
            }))
        },
    },
    OwnCommand {
        names: &["read"],
        title: "Read",
        parameters: &[ADDRESS],
        about: "Reads a word of the card over the PCI bus, as the kernel: the window from 0x0000 on, registers from 0x1000 on, a \
                page of NIC memory from 0x2000 on.",
        examples: &["read 0x1010"],
        build: |a| {
            ShellRequest::Own(Command::Extra(Extra::Read {
                address: a.number("[Address]") as u16,
                user: false,
            }))
        },
    },
    OwnCommand::receive(
        "Takes the oldest message of PM that has arrived, and gives its buffer back to the card.",
    ),
    registers::<GigaePm>(&["reg", "reg Sent", "reg Timeout 20000"]),
    OwnCommand {
        names: &["send"],
        title: "Send",
        parameters: &destination("[Node]", GigaePm::MOST_NODES, MTU as u64),
        about: "Sends a message of PM to another node. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| send(a, ()),
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
            ShellRequest::Own(Command::Extra(Extra::Write { address, value }))
        },
    },
];

#[cfg(test)]
mod tests {
    use machine_api::command::parse;

    use super::*;

    #[test]
    fn commands_are_right() {
        machine_api::console::check::<GigaePm>();
    }

    #[test]
    fn user_reads_by_the_word_in_front() {
        for (line, user) in [("read user 0x0c", true), ("read 0x0c", false)] {
            let (command, arguments) = parse(line, COMMANDS).unwrap().expect("it is a command");
            let read = Command::Extra(Extra::Read { address: 0x0c, user });
            assert!(matches!((command.build)(&arguments), ShellRequest::Own(command) if command == read));
        }
    }
}
