//! Commands carried out by accesses of the host.

use std::fmt::Write;

use hca::registers::Register;
use hdl::Access as Direction;
use lab::{Refusal, Target};

use super::access::{Access, Answer};
use super::command::Command;
use super::dump;
use crate::Hca;

/// Carries out a command, and returns what it prints.
pub fn execute(command: &Command, target: &mut dyn Target<Hca>) -> Result<String, Refusal> {
    match *command {
        Command::Registers => {
            let reads: Vec<_> = Register::ALL.iter().map(|register| Access::Read(*register)).collect();
            let answers = target.access(&reads)?;
            let lines = Register::ALL.iter().zip(answers).map(|(register, answer)| match answer {
                Answer::Word(word) => line(*register, word),
                answer => unreachable!("a read brings a word, not {answer:?}"),
            });
            Ok(lines.collect())
        }
        Command::Register(register) => match one(target, Access::Read(register))? {
            Answer::Word(word) => Ok(line(register, word)),
            answer => unreachable!("a read brings a word, not {answer:?}"),
        },
        Command::SetRegister(register, value) => {
            let info = register.info();
            if info.access == Direction::Read {
                return Err(wrong(format!("{} can only be read", info.name)));
            }
            if value >> info.width != 0 {
                return Err(wrong(format!("the value does not fit, {} has {} bits", info.name, info.width)));
            }
            one(target, Access::Write(register, value as u32))?;
            Ok(String::new())
        }
        Command::Memory { address, bytes } => match one(target, Access::ReadMemory(address, bytes))? {
            Answer::Bytes(bytes) => Ok(dump::rows(address.into(), &bytes)),
            answer => unreachable!("a read brings bytes, not {answer:?}"),
        },
        Command::Send { to, service, bytes, first } => {
            let message = (0..bytes).map(|i| first.wrapping_add(i as u8)).collect();
            one(target, Access::Send(to.into(), service, message))?;
            Ok(String::new())
        }
        Command::Receive => match one(target, Access::Receive)? {
            Answer::Message(Some(message)) => {
                let text = format!("{} bytes from host {}\n", message.data.len(), message.from);
                Ok(text + &dump::rows(0, &message.data))
            }
            _ => Ok("nothing has arrived\n".to_string()),
        },
    }
}

/// What one access brings, unless verbs refuse it.
fn one(target: &mut dyn Target<Hca>, access: Access) -> Result<Answer, Refusal> {
    match target.access(&[access])?.swap_remove(0) {
        Answer::Refused(why) => Err(wrong(why)),
        answer => Ok(answer),
    }
}

fn line(register: Register, word: u32) -> String {
    let (info, mut text) = (register.info(), String::new());
    writeln!(text, "{:#05x} {} = {word:#x}", info.offset, info.name).expect("text has room");
    text
}

fn wrong(why: String) -> Refusal {
    Refusal::Wrong(why)
}
