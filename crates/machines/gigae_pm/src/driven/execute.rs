//! Commands carried out by accesses of the host.

use std::fmt::Write;

use gigae_pm::registers::Register;
use hdl::Access as Direction;
use lab::{Refusal, Target};
use pm::NodeId;

use super::access::{Access, Answer};
use super::command::Command;
use super::dump;
use crate::GigaePm;
use crate::driver::address;

/// Carries out a command, and returns what it prints.
pub fn execute(command: &Command, target: &mut dyn Target<GigaePm>) -> Result<String, Refusal> {
    match *command {
        Command::Registers => all(target),
        Command::Register(register) => {
            direction(register, Direction::Write, "written")?;
            let word = words(target, Access::Read(address(register)))?[0];
            Ok(line(register, word))
        }
        Command::SetRegister(register, value) => {
            direction(register, Direction::Read, "read")?;
            let width = register.info().width;
            if value >> width != 0 {
                return Err(wrong(format!(
                    "the value does not fit, {} has {width} bits",
                    register.info().name
                )));
            }
            one(target, Access::Write(address(register), value as u32))?;
            Ok(String::new())
        }
        Command::Read { address, user } => {
            whole(address)?;
            let access = if user { Access::ReadAsUser(address) } else { Access::Read(address) };
            let word = words(target, access)?[0];
            Ok(dump::rows(u64::from(address), &word.to_le_bytes()))
        }
        Command::Write { address, value } => {
            whole(address)?;
            one(target, Access::Write(address, value))?;
            Ok(String::new())
        }
        Command::Memory { first, words: count } => {
            let words = words(target, Access::ReadMemory(first, count))?;
            let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            Ok(dump::rows(4 * u64::from(first), &bytes))
        }
        Command::SetMemory { word, value } => {
            one(target, Access::WriteMemory(word, value))?;
            Ok(String::new())
        }
        Command::Send { node, bytes, first } => {
            let message = (0..bytes).map(|i| first.wrapping_add(i as u8)).collect();
            one(target, Access::Send(NodeId(node), message))?;
            Ok(String::new())
        }
        Command::Receive => match one(target, Access::Receive)? {
            Answer::Message(Some((sender, bytes))) => {
                Ok(format!("{} bytes from node{}\n", bytes.len(), sender.0) + &dump::rows(0, &bytes))
            }
            _ => Ok("nothing has arrived\n".to_string()),
        },
    }
}

/// What one access brings, unless PM refuses it.
fn one(target: &mut dyn Target<GigaePm>, access: Access) -> Result<Answer, Refusal> {
    match target.access(&[access])?.swap_remove(0) {
        Answer::Refused(why) => Err(wrong(why)),
        answer => Ok(answer),
    }
}

fn words(target: &mut dyn Target<GigaePm>, access: Access) -> Result<Vec<u32>, Refusal> {
    match one(target, access)? {
        Answer::Words(words) => Ok(words),
        answer => unreachable!("a read brings words, not {answer:?}"),
    }
}

/// All registers that can be read.
fn all(target: &mut dyn Target<GigaePm>) -> Result<String, Refusal> {
    let known = Register::ALL.iter().filter(|register| register.info().access != Direction::Write);
    let reads: Vec<_> = known.clone().map(|register| Access::Read(address(*register))).collect();
    let answers = target.access(&reads)?;
    let shown = known.zip(answers).map(|(register, answer)| match answer {
        Answer::Words(words) => line(*register, words[0]),
        answer => unreachable!("a read brings words, not {answer:?}"),
    });
    Ok(shown.collect())
}

fn line(register: Register, word: u32) -> String {
    let mut text = String::new();
    writeln!(text, "{:#06x} {} = {word:#x}", address(register), register.info().name).expect("text has room");
    text
}

/// Refuses what a register of only the other direction cannot do.
fn direction(register: Register, only: Direction, can: &str) -> Result<(), Refusal> {
    if register.info().access == only {
        return Err(wrong(format!("{} can only be {can}", register.info().name)));
    }
    Ok(())
}

fn whole(address: u16) -> Result<(), Refusal> {
    if address.is_multiple_of(4) {
        Ok(())
    } else {
        Err(wrong(format!("{address:#x} is not a multiple of 4")))
    }
}

fn wrong(why: String) -> Refusal {
    Refusal::Wrong(why)
}
