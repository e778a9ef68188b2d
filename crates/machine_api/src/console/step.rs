//! Steps of a program as accesses of a console.

use cluster::Machine;
use hdl::{Access as Direction, RegisterInfo};

use super::{Access, AccessOf, Answer, Console};
use crate::step::{Step, StepAnswer, StepResult};

/// Address of a register, by its name in the table.
pub fn register_address<M: Console>(name: &str) -> Option<u32> {
    let register = M::REGISTERS.iter().find(|register| register.name == name)?;
    Some(address::<M>(register))
}

fn address<M: Console>(register: &RegisterInfo) -> u32 {
    u32::from(M::REGISTER_ADDRESS.0) + u32::from(register.offset)
}

/// Carries out a step. `Compute` is the caller's.
pub async fn step<M: Console>(port: &mut M::Port, seat: &M::Seat, step: &Step) -> StepResult {
    match step {
        Step::Load(address) => {
            let place = place::<M>(*address, Direction::Write, "written")?;
            access::<M>(port, seat, Access::Read(place)).await
        }
        Step::Store(address, value) => {
            let place = place::<M>(*address, Direction::Read, "read")?;
            let info = &M::REGISTERS[place];
            let most = u64::MAX >> (64 - info.width);
            if *value > most {
                return Err(format!("{} is 0 to {most:#x}, not {value:#x}", info.name));
            }
            access::<M>(port, seat, Access::Write(place, *value as u32)).await
        }
        Step::Poll(address, accept) => {
            let place = place::<M>(*address, Direction::Write, "written")?;
            loop {
                match access::<M>(port, seat, Access::Read(place)).await? {
                    StepAnswer::Word(word) if !accept.holds(word) => {}
                    answer => return Ok(answer),
                }
            }
        }
        Step::ReadMemory(address, bytes) => {
            let unit = M::MEMORY_UNIT;
            let end = u64::from(*address) + u64::from(*bytes);
            if !address.is_multiple_of(unit) || !bytes.is_multiple_of(unit) {
                return Err(format!("memory is read in units of {unit} bytes"));
            }
            if *bytes > MOST_READ || end > u64::from(M::MEMORY_BYTES) {
                return Err(format!("a read has at most {MOST_READ:#x} bytes, up to {:#x}", M::MEMORY_BYTES));
            }
            access::<M>(port, seat, Access::ReadMemory(address / unit, bytes / unit)).await
        }
        Step::Open => access::<M>(port, seat, Access::Open).await,
        Step::Send(to, data) => {
            if usize::from(*to) >= M::MOST_NODES {
                return Err(format!("a node is 0 to {}, not {to}", M::MOST_NODES - 1));
            }
            if data.len() > M::LONGEST {
                return Err(format!("a message has at most {} bytes, not {}", M::LONGEST, data.len()));
            }
            access::<M>(port, seat, Access::Send(*to, M::SERVICE, data.clone())).await
        }
        Step::Receive => loop {
            match <M as Console>::carry_out(port, seat, &Access::Receive).await {
                Answer::Message(None) => {}
                answer => return result(answer),
            }
        },
        Step::Fence => Ok(StepAnswer::Done),
        Step::LoadBytes(..) | Step::StoreBytes(..) => {
            Err(format!("{} has registers; load and store one value", <M as Machine>::TITLE))
        }
        Step::Compute(_) => unreachable!("the caller computes"),
    }
}

/// Bytes of the longest read of memory.
const MOST_READ: u32 = 0x1000;

async fn access<M: Console>(port: &mut M::Port, seat: &M::Seat, access: AccessOf<M>) -> StepResult {
    result(<M as Console>::carry_out(port, seat, &access).await)
}

fn result(answer: Answer) -> StepResult {
    Ok(match answer {
        Answer::Done | Answer::Message(None) => StepAnswer::Done,
        Answer::Word(word) => StepAnswer::Word(word.into()),
        Answer::Bytes(bytes) => StepAnswer::Bytes(bytes),
        Answer::Message(Some((from, data))) => StepAnswer::Message(from, data),
        Answer::Refused(reason) => return Err(reason),
    })
}

/// Place of the register at an address, unless it has the other direction alone.
fn place<M: Console>(at: u32, only: Direction, can: &str) -> Result<usize, String> {
    let found = M::REGISTERS.iter().position(|register| address::<M>(register) == at);
    let place = found.ok_or_else(|| format!("no register is at {at:#x}"))?;
    let info = &M::REGISTERS[place];
    if info.access == only {
        return Err(format!("{} can only be {can}", info.name));
    }
    Ok(place)
}
