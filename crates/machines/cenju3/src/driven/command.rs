//! The commands of a PE: registers, local memory, messages.

use std::convert::Infallible;

use cenju3::memory_map::SLOT_BYTES;
use cluster::Machine;
use machine_api::OwnCommand;
use machine_api::command::{Kind, Parameter};
use machine_api::console::{Command, destination, registers, send};

use crate::Cenju3;
use crate::layout::MEMORY;

/// The commands in the order of their names.
pub const COMMANDS: &[OwnCommand<Command<(), Infallible>>] = &[
    OwnCommand::HELP,
    OwnCommand::memory_read(
        "Local Memory Read",
        &[
            Parameter::place("[Address]", Kind::Number(MEMORY as u64 - 1)),
            Parameter::place("[Bytes]", Kind::Number(0x1000)),
        ],
        "Reads local memory past the cache. Send queues are at 0x100000 and 0x101000, headers of message buffer 0 at 0x102000, the window \
         of 256 KB at 0x200000.",
        &["mem_read 0x102000 64"],
    ),
    OwnCommand::QUIT,
    OwnCommand::receive("Takes the oldest message out of message buffer 0."),
    registers::<Cenju3>(&["reg", "reg Status", "reg InterruptEnable 0"]),
    OwnCommand {
        names: &["send"],
        title: "Send",
        parameters: &destination("[PE]", Cenju3::MOST_NODES, SLOT_BYTES as u64),
        about: "Sends a message of the NIF to another PE. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| send(a, ()),
    },
    OwnCommand::VERSION,
];

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_right() {
        machine_api::console::check::<crate::Cenju3>();
    }
}
