//! A world of packets: its parameters and its state.

use std::collections::VecDeque;

use ::fagus::reassembly::{Ids, Reassembly};

use super::super::wrong::Wrong;

/// Bytes of a message in a packet. Real packets have more; headers are as on a cable.
pub const PAYLOAD: usize = 2;

/// How packets become messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receive {
    /// As printed: in the ring (H3, H4).
    Ring,
    /// Each is copied out of its slot when its completion is pulled.
    Records,
}

/// A world to explore.
#[derive(Clone, Debug)]
pub struct World {
    /// How packets become messages.
    pub receive: Receive,
    /// A slot has room for the Global Route Header, which the adapter writes in front of a packet (H1).
    pub room: bool,
    /// Slots for packets.
    pub slots: usize,
    /// Most packets of a sender that have left and whose slot is not posted again (H6).
    pub window: usize,
    /// Numbers of messages (H5).
    pub ids: Ids,
    /// Bytes of each sender's messages.
    pub messages: Vec<Vec<usize>>,
    /// How often a message is sent again.
    pub again: u8,
    /// Packets that the cable loses at most.
    pub losses: u8,
}

/// One event; of the sender with that number, but for `Pull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The sender divides its next message into packets.
    Send(usize),
    /// The same message once more.
    Again(usize),
    /// A packet leaves.
    Leave(usize),
    /// A packet is lost.
    Lose(usize),
    /// A packet comes.
    Arrive(usize),
    /// The library pulls a completion.
    Pull,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sender {
    pub(super) done: usize,
    pub(super) sends: bool,
    pub(super) again: u8,
    pub(super) id: u16,
    pub(super) packets: VecDeque<Vec<u8>>,
    pub(super) cable: VecDeque<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) senders: Vec<Sender>,
    /// Sender and bytes of the packet in each slot.
    pub(super) slots: Vec<Option<(u16, Vec<u8>)>>,
    /// Slots whose packet the library has taken before its completion.
    pub(super) received: Vec<bool>,
    /// Slots for packets that come, in order.
    pub(super) posted: VecDeque<usize>,
    /// Slots whose completion is not pulled, in order.
    pub(super) completed: VecDeque<usize>,
    pub(super) records: Reassembly,
    pub(super) losses: u8,
    pub(super) wrong: Option<Wrong>,
}

impl World {
    /// With all repairs.
    pub fn repaired(&self) -> World {
        World {
            receive: Receive::Records,
            room: true,
            window: self.window.min(self.slots / self.messages.len()),
            ids: Ids { forget: Some(self.ids.count / 2), ..self.ids },
            ..self.clone()
        }
    }
}
