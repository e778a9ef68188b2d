//! The commands that all consoles have, with the texts in which machines differ.

use super::{Command, CommandOf, Console};
use crate::command::{Arguments, Kind, Parameter, parse};
use crate::driven::{OwnCommand, ShellRequest};

/// The name of the parameter for the size of a message.
const SIZE: &str = "[Size(Byte)]";
/// The name of the parameter for the value of the first byte.
const VALUE: &str = "[Value]";

impl<S: 'static, E: 'static> OwnCommand<Command<S, E>> {
    /// `recv`: takes the oldest message.
    pub const fn receive(about: &'static str) -> Self {
        OwnCommand {
            names: &["recv"],
            title: "Receive",
            parameters: &[],
            about,
            examples: &["recv"],
            build: |_| ShellRequest::Own(Command::Receive),
        }
    }

    /// `mem_read`: reads memory; the parameters are `[Address]` or `[Word]`, then the number.
    pub const fn memory_read(
        title: &'static str,
        parameters: &'static [Parameter],
        about: &'static str,
        examples: &'static [&'static str],
    ) -> Self {
        OwnCommand {
            names: &["mem_read"],
            title,
            parameters,
            about,
            examples,
            build: |a| {
                let (address, count) = (a.u32(a.name(0)), a.u32(a.name(1)));
                ShellRequest::Own(Command::Memory { address, count })
            },
        }
    }
}

/// The command `reg` of a machine.
pub const fn registers<M: Console>(examples: &'static [&'static str]) -> OwnCommand<CommandOf<M>> {
    OwnCommand {
        names: &["reg"],
        title: "Registers",
        parameters: const {
            &[
                Parameter::optional("[Register]", Kind::Choice(names::<M>)),
                Parameter::optional(VALUE, Kind::Number(u32::MAX as u64)),
            ]
        },
        about: "Reads or writes a register by its name; without one, lists all.",
        examples,
        build: |a| {
            ShellRequest::Own(match (place::<M>(a), a.optional_number(VALUE)) {
                (None, _) => Command::Registers,
                (Some(place), None) => Command::Register(place),
                (Some(place), Some(value)) => Command::SetRegister(place, value),
            })
        },
    }
}

fn names<M: Console>() -> Vec<&'static str> {
    M::REGISTERS.iter().map(|register| register.name).collect()
}

fn place<M: Console>(a: &Arguments<'_>) -> Option<usize> {
    let name = a.optional_word("[Register]")?;
    M::REGISTERS.iter().position(|register| register.name == name)
}

/// The parameters of a command that sends a message: destination, size, and value of the first byte.
pub const fn destination(name: &'static str, nodes: usize, most_bytes: u64) -> [Parameter; 3] {
    [
        Parameter::place(name, Kind::Number(nodes as u64 - 1)),
        Parameter::place(SIZE, Kind::Number(most_bytes)),
        Parameter::optional(VALUE, Kind::Number(u8::MAX as u64)),
    ]
}

/// The command of a line with the parameters of [`destination`].
pub fn send<S, E>(a: &Arguments<'_>, service: S) -> ShellRequest<Command<S, E>> {
    let (to, bytes) = (a.number(a.name(0)) as u16, a.number(SIZE) as u16);
    ShellRequest::Own(Command::Send {
        to,
        service,
        bytes,
        first: a.optional_number(VALUE).unwrap_or(0) as u8,
    })
}

/// Checks the commands of a machine: all examples are commands, and `reg` lists, reads or writes by its arguments.
///
/// # Panics
///
/// If one of them is wrong.
pub fn check<M: Console>() {
    let built = |line: &str| {
        let (command, arguments) =
            parse(line, M::COMMANDS).expect("the line is right").expect("it has a command");
        (command.build)(&arguments)
    };
    for command in M::COMMANDS {
        assert!(!command.examples.is_empty(), "{} has no example", command.names[0]);
        command.examples.iter().for_each(|example| drop(built(example)));
    }
    let last = M::REGISTERS.len() - 1;
    let name = M::REGISTERS[last].name;
    assert!(matches!(built("reg"), ShellRequest::Own(Command::Registers)));
    assert!(
        matches!(built(&format!("reg {name}")), ShellRequest::Own(Command::Register(place)) if place == last)
    );
    assert!(
        matches!(built(&format!("reg {name} 7")), ShellRequest::Own(Command::SetRegister(place, 7)) if place == last)
    );
    let error = parse("reg Nothing", M::COMMANDS).expect_err("there is no such register").error.to_string();
    assert!(error.contains(&format!("is not one of {}", M::REGISTERS[0].name)), "{error}");
}
