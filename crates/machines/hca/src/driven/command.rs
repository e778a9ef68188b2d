//! The commands of a host: registers, memory, messages.

use std::convert::Infallible;

use cluster::Machine;
use machine_api::OwnCommand;
use machine_api::command::{Kind, Parameter};
use machine_api::console::{Command, destination, registers, send};

use crate::bus::MEMORY_BYTES;
use crate::{Hca, LONGEST_DATAGRAM, Service};

const DESTINATION: &[Parameter] = &destination("[Host]", Hca::MOST_NODES, LONGEST_DATAGRAM as u64);

/// The commands in the order of their names.
pub const COMMANDS: &[OwnCommand<Command<Service, Infallible>>] = &[
    OwnCommand::HELP,
    OwnCommand {
        names: &["datagram"],
        title: "Datagram",
        parameters: DESTINATION,
        about: "Sends a datagram to another host, which may be lost. Its bytes count up from the value, from 0 without one.",
        examples: &["datagram 1 64"],
        build: |a| send(a, Service::Datagram),
    },
    OwnCommand::memory_read(
        "Memory Read",
        &[
            Parameter::place("[Address]", Kind::Number(MEMORY_BYTES as u64 - 1)),
            Parameter::place("[Bytes]", Kind::Number(0x1000)),
        ],
        "Reads host memory. Completions are at 0x100000, a queue pair each 0x400000 from 0x1000000 on: its send ring, its receive ring 0x1000 behind, \
         what it sends 0x10000 behind, and what it received 0x200000 behind.",
        &["mem_read 0x100000 32"],
    ),
    OwnCommand::QUIT,
    OwnCommand::receive("Takes completions, up to that of the next message."),
    registers::<Hca>(&["reg", "reg Sent", "reg InterruptEnable 0"]),
    OwnCommand {
        names: &["send"],
        title: "Send",
        parameters: DESTINATION,
        about: "Sends a message to another host by their connection. Its bytes count up from the value, from 0 without one.",
        examples: &["send 1 64", "send 1 4 0xa0"],
        build: |a| send(a, Service::Connection),
    },
    OwnCommand::VERSION,
];

#[cfg(test)]
mod tests {
    #[test]
    fn commands_are_right() {
        machine_api::console::check::<crate::Hca>();
    }
}
