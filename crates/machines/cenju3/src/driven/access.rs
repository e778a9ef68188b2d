//! What the kernel and a task of a PE do to their NIF.

use std::rc::Rc;

use cenju3::registers::Register;

use crate::{Arrived, Port, Ring};

/// One access of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads a register.
    Read(Register),
    /// Writes a register.
    Write(Register, u32),
    /// Reads bytes of local memory past the cache.
    ReadMemory(u32, u32),
    /// Sets the NIF up.
    Open,
    /// Sends a message of the NIF.
    Send(u8, Vec<u8>),
    /// Takes the oldest message.
    Receive,
}

/// What an access brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing, and nothing is wrong.
    Done,
    /// A register.
    Word(u32),
    /// Bytes of memory.
    Bytes(Vec<u8>),
    /// A message, if one had arrived.
    Message(Option<Arrived>),
    /// The kernel does not do it.
    Refused(String),
}

/// The program of a host that carries accesses out.
pub async fn carry_out(port: Port, accesses: Rc<[Access]>) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(accesses.len());
    for access in accesses.iter() {
        let host = port.host();
        answers.push(match access {
            Access::Read(register) => Answer::Word(host.read_register(*register).await),
            Access::Write(register, value) => {
                host.write_register(*register, *value).await;
                Answer::Done
            }
            Access::ReadMemory(address, bytes) => {
                Answer::Bytes(host.read_uncached(*address, *bytes as usize).await)
            }
            Access::Open => {
                // Nothing interrupts: what Status tells stays for who looks at it.
                port.deen().set_up(host, 0).await;
                Answer::Done
            }
            Access::Send(pe, bytes) => {
                host.processor().mark("send");
                match port.send_message(*pe, [0; 4], bytes).await {
                    Ok(_) => Answer::Done,
                    Err(error) => Answer::Refused(error.to_string()),
                }
            }
            Access::Receive => Answer::Message(port.look(Ring::Messages).await),
        });
    }
    answers
}
