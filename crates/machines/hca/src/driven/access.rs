//! What the kernel and a process of a host do to their adapter.

use std::rc::Rc;

use hca::registers::Register;

use crate::{Arrived, Completion, Port, Service};

/// One access of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads a register.
    Read(Register),
    /// Writes a register.
    Write(Register, u32),
    /// Reads bytes of host memory.
    ReadMemory(u32, u32),
    /// Sets the adapter up.
    Open,
    /// Sends a message.
    Send(usize, Service, Vec<u8>),
    /// Takes completions up to the next message.
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
    /// Verbs do not do it, or a request has failed.
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
            Access::ReadMemory(address, bytes) => Answer::Bytes(host.memory(*address, *bytes as usize)),
            Access::Open => {
                port.open().await;
                Answer::Done
            }
            Access::Send(to, service, bytes) => {
                host.processor().mark("send");
                match port.send(*to, *service, bytes).await {
                    Ok(()) => Answer::Done,
                    Err(error) => Answer::Refused(error.to_string()),
                }
            }
            Access::Receive => receive(&port).await,
        });
    }
    answers
}

async fn receive(port: &Port) -> Answer {
    loop {
        match port.poll().await {
            None => return Answer::Message(None),
            Some(Completion::Sent(_)) => {}
            Some(Completion::Received(message)) => return Answer::Message(Some(message)),
            Some(Completion::Failed(pair, status)) => {
                return Answer::Refused(format!("a request of queue pair {pair} has failed: {status:?}"));
            }
        }
    }
}
