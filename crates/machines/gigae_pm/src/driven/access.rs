//! Accesses of the kernel and of a user process to their card.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gigae_pm::registers::Register;
use machine_api::console::{Access, Answer};
use pm::{Channel, Endpoint, NodeId, Received};

use super::command::Extra;
use crate::Port;
use crate::driver::address;
use crate::port::Contexts;

/// The channel that a shell opens on all nodes, and its session.
const CHANNEL: Channel = Channel::new(0).expect("there are four");
const SESSION: u16 = 1;

/// State of PM's library between one command and the next.
#[derive(Clone, Default)]
pub struct Seat {
    contexts: Rc<RefCell<Contexts>>,
    /// A program uses the library.
    taken: Rc<Cell<bool>>,
}

/// Calls of PM's library wait for one that is in progress.
pub async fn carry_out(port: &mut Port, seat: &Seat, access: &Access<(), Extra>) -> Answer {
    let host = port.host().clone();
    match access {
        Access::Read(place) => Answer::Word(host.read(address(Register::ALL[*place])).await),
        Access::Write(place, word) => {
            port.driver().write(&host, address(Register::ALL[*place]), *word).await;
            Answer::Done
        }
        Access::ReadMemory(first, words) => {
            let words = port.driver().memory(&host, *first, *words).await;
            Answer::Bytes(words.into_iter().flat_map(u32::to_le_bytes).collect())
        }
        Access::Extra(Extra::Read { address, user: false }) => Answer::Word(host.read(*address).await),
        Access::Extra(Extra::Read { address, user: true }) => {
            Answer::Word(host.read_window(u32::from(*address) / 4).await)
        }
        Access::Extra(Extra::Write { address, value }) => {
            port.driver().write(&host, *address, *value).await;
            Answer::Done
        }
        Access::Extra(Extra::SetMemory { word, value }) => {
            port.driver().set_memory(&host, *word, *value).await;
            Answer::Done
        }
        Access::Open | Access::Send(..) | Access::Receive => {
            // A program that a break point interrupted keeps the library until it ends.
            while seat.taken.replace(true) {
                port.pause().await;
            }
            port.swap_contexts(&mut seat.contexts.borrow_mut());
            let answer = call(port, access).await;
            port.swap_contexts(&mut seat.contexts.borrow_mut());
            seat.taken.set(false);
            answer
        }
    }
}

/// A call of PM's library.
async fn call(port: &mut Port, access: &Access<(), Extra>) -> Answer {
    match access {
        Access::Open => done(port.open(CHANNEL, SESSION).await),
        Access::Send(to, (), data) => match port.get_send_buffer(CHANNEL, data.len()).await {
            Ok(mut buffer) => {
                buffer.copy_from_slice(data);
                done(port.send_message(buffer, NodeId(*to)).await)
            }
            Err(error) => Answer::Refused(error.to_string()),
        },
        _ => Answer::Message(match port.receive(CHANNEL).await {
            Some(message) => Some(take(port, message).await),
            None => None,
        }),
    }
}

/// Copies a message and gives its buffer back.
async fn take(port: &mut Port, message: Received) -> (u16, Vec<u8>) {
    let taken = (message.sender.0, message.to_vec());
    port.put_receive_buffer(message).await;
    taken
}

fn done(result: Result<(), impl ToString>) -> Answer {
    result.map_or_else(|error| Answer::Refused(error.to_string()), |()| Answer::Done)
}
