//! What the kernel and a user process of a host do to their card.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use pm::{Channel, Endpoint, NodeId, Received};

use crate::Port;
use crate::port::Contexts;

/// The channel that a shell opens on all nodes, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

/// One access of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads a word of the card's aperture, as the kernel.
    Read(u16),
    /// Reads one as a user process, which may only look into the window.
    ReadAsUser(u16),
    /// Writes a word of the aperture, as the kernel.
    Write(u16, u32),
    /// Reads so many words of NIC memory through the page register.
    ReadMemory(u32, u32),
    /// Writes a word of NIC memory.
    WriteMemory(u32, u32),
    /// Opens the channel.
    Open,
    /// Sends a message of PM.
    Send(NodeId, Vec<u8>),
    /// Takes the oldest message and gives its buffer back.
    Receive,
}

/// What an access brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing, and nothing is wrong.
    Done,
    /// Words that were read.
    Words(Vec<u32>),
    /// A message and who sent it, if one had arrived.
    Message(Option<(NodeId, Vec<u8>)>),
    /// PM does not do it.
    Refused(String),
}

/// What PM's library knows of the open channel between one command and the next.
#[derive(Clone, Default)]
pub struct Seat {
    contexts: Rc<RefCell<Contexts>>,
    /// A program has it.
    taken: Rc<Cell<bool>>,
}

/// The program of a host that carries accesses out.
pub async fn carry_out(mut port: Port, seat: Seat, accesses: Rc<[Access]>) -> Vec<Answer> {
    let mut answers = Vec::with_capacity(accesses.len());
    for access in accesses.iter() {
        let host = port.host().clone();
        answers.push(match access {
            Access::Read(address) => Answer::Words(vec![host.read(*address).await]),
            Access::ReadAsUser(address) => {
                Answer::Words(vec![host.read_window(u32::from(*address) / 4).await])
            }
            Access::Write(address, word) => {
                port.driver().write(&host, *address, *word).await;
                Answer::Done
            }
            Access::ReadMemory(first, words) => {
                Answer::Words(port.driver().memory(&host, *first, *words).await)
            }
            Access::WriteMemory(word, value) => {
                port.driver().set_memory(&host, *word, *value).await;
                Answer::Done
            }
            Access::Open | Access::Send(..) | Access::Receive => {
                // A program that a break point left under way has the library until it is done.
                while seat.taken.replace(true) {
                    port.pause().await;
                }
                port.swap_contexts(&mut seat.contexts.borrow_mut());
                let answer = call(&mut port, access).await;
                port.swap_contexts(&mut seat.contexts.borrow_mut());
                seat.taken.set(false);
                answer
            }
        });
    }
    answers
}

/// A call of PM's library.
async fn call(port: &mut Port, access: &Access) -> Answer {
    match access {
        Access::Open => done(port.open(CHANNEL, SESSION).await),
        Access::Send(to, bytes) => match port.get_send_buffer(CHANNEL, bytes.len()).await {
            Ok(mut buffer) => {
                buffer.copy_from_slice(bytes);
                done(port.send_message(buffer, *to).await)
            }
            Err(error) => Answer::Refused(error.to_string()),
        },
        _ => Answer::Message(match port.receive(CHANNEL).await {
            Some(message) => Some(taken(port, message).await),
            None => None,
        }),
    }
}

async fn taken(port: &mut Port, message: Received) -> (NodeId, Vec<u8>) {
    let taken = (message.sender, message.to_vec());
    port.put_receive_buffer(message).await;
    taken
}

fn done(result: Result<(), impl ToString>) -> Answer {
    result.map_or_else(|error| Answer::Refused(error.to_string()), |()| Answer::Done)
}
