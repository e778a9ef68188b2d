//! Commands as accesses of the host, and their output.

use std::fmt::Write;

use hdl::{Access as Direction, RegisterInfo};

use super::{Access, AccessOf, Answer, Command, CommandOf, Console, dump};
use crate::driven::{Refusal, Target};

/// Carries out a command and returns its output.
pub fn execute<M: Console>(command: &CommandOf<M>, target: &mut dyn Target<M>) -> Result<String, Refusal> {
    match command {
        Command::Registers => registers(target),
        Command::Register(place) => {
            let info = permitted::<M>(*place, Direction::Write, "written")?;
            match one(target, Access::Read(*place))? {
                Answer::Word(word) => Ok(line::<M>(info, word)),
                answer => unreachable!("a read of a register brings {answer:?}"),
            }
        }
        Command::SetRegister(place, value) => {
            let info = permitted::<M>(*place, Direction::Read, "read")?;
            if value >> info.width != 0 {
                let reason = format!("the value does not fit, {} has {} bits", info.name, info.width);
                return Err(Refusal::Wrong(reason));
            }
            one(target, Access::Write(*place, *value as u32))?;
            Ok(String::new())
        }
        Command::Memory { address, count } => match one(target, Access::ReadMemory(*address, *count))? {
            Answer::Bytes(bytes) => Ok(dump::rows(u64::from(*address) * u64::from(M::MEMORY_UNIT), &bytes)),
            answer => unreachable!("a read of memory brings {answer:?}"),
        },
        Command::Send { to, service, bytes, first } => {
            let message = (0..*bytes).map(|i| first.wrapping_add(i as u8)).collect();
            one(target, Access::Send(*to, service.clone(), message))?;
            Ok(String::new())
        }
        Command::Receive => match one(target, Access::Receive)? {
            Answer::Message(Some((from, data))) => {
                let heading = format!("{} bytes from {}{from}\n", data.len(), M::NODE);
                Ok(heading + &dump::rows(0, &data))
            }
            _ => Ok("nothing has arrived\n".to_string()),
        },
        Command::Extra(extra) => {
            M::check(extra)?;
            Ok(M::show(extra, &one(target, Access::Extra(extra.clone()))?))
        }
    }
}

/// The answer to a single access; a refusal is an error.
fn one<M: Console>(target: &mut dyn Target<M>, access: AccessOf<M>) -> Result<Answer, Refusal> {
    match target.access(&[access])?.swap_remove(0) {
        Answer::Refused(reason) => Err(Refusal::Wrong(reason)),
        answer => Ok(answer),
    }
}

/// Lists all registers that can be read.
fn registers<M: Console>(target: &mut dyn Target<M>) -> Result<String, Refusal> {
    let readable = M::REGISTERS.iter().enumerate().filter(|(_, info)| info.access != Direction::Write);
    let reads: Vec<_> = readable.clone().map(|(place, _)| Access::Read(place)).collect();
    let answers = target.access(&reads)?;
    let lines = readable.zip(answers).map(|((_, info), answer)| match answer {
        Answer::Word(word) => line::<M>(info, word),
        answer => unreachable!("a read of a register brings {answer:?}"),
    });
    Ok(lines.collect())
}

/// A register, unless it has the other direction alone.
fn permitted<M: Console>(place: usize, only: Direction, can: &str) -> Result<&'static RegisterInfo, Refusal> {
    let info = &M::REGISTERS[place];
    if info.access == only {
        return Err(Refusal::Wrong(format!("{} can only be {can}", info.name)));
    }
    Ok(info)
}

fn line<M: Console>(info: &RegisterInfo, word: u32) -> String {
    let ((first, digits), mut text) = (M::REGISTER_ADDRESS, String::new());
    let (address, columns) = (first + info.offset, digits + 2);
    writeln!(text, "{address:#0columns$x} {} = {word:#x}", info.name).expect("text has room");
    text
}
