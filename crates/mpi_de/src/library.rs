//! Protocol engine of one PE.

use std::collections::VecDeque;

use mpi::Credits;

use crate::message::{Action, Event, Header};
use crate::pool::{Pools, Side};
use crate::rules::Rules;
use crate::{EAGER_LIMIT, units};

/// Number of units of a message that are in flight at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffering {
    /// One unit: the copy and the DMA alternate.
    Serial,
    /// Two units: one is copied while the other is sent.
    Double,
}

/// Time at which a send takes its slot. The paper leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reserve {
    /// The send asks only when it holds a slot.
    BeforeRts,
    /// The slot is taken when the unit may be sent.
    AfterCts,
}

/// Configuration of the library, the same on all PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Repairs of the printed protocol in effect.
    pub rules: Rules,
    /// Number of PEs, 2 to 256.
    pub pes: u16,
    /// Units in flight for each message.
    pub buffering: Buffering,
    /// Time at which a send takes its slot.
    pub reserve: Reserve,
    /// Slots for sending; with the receive slots at most [`crate::SLOTS`].
    pub send_slots: u8,
    /// Slots for receiving.
    pub receive_slots: u8,
    /// With `credits`, messages that each PE of a pair may have in the other's ring. See [`Config::places`].
    pub share: u32,
}

impl Default for Config {
    /// Two PEs with all repairs; a window of 32 slots in two halves (G2 of the specification, a choice of
    /// this project).
    fn default() -> Self {
        Self {
            rules: Rules::REPAIRED,
            pes: 2,
            buffering: Buffering::Double,
            reserve: Reserve::AfterCts,
            send_slots: 16,
            receive_slots: 16,
            share: 2,
        }
    }
}

impl Config {
    /// Size of a PE's message ring so that it never overflows: for each other PE its share and the messages
    /// that return credits.
    pub fn places(&self) -> u32 {
        (u32::from(self.pes) - 1) * (self.share + Credits::tellings(self.share))
    }
}

/// Invalid configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// A side has no slot, or both have more than [`crate::SLOTS`] together.
    Slots,
    /// The share is 0.
    Share,
    /// The number of PEs is not 2 to 256, or this PE is not one of them.
    Pes,
}

impl std::fmt::Display for ConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Slots => "each side needs a slot, and both together have 32 at most",
            Self::Share => "credits need a share of one place at least",
            Self::Pes => "there are 2 to 256 PEs, and this one is one of them",
        })
    }
}

impl std::error::Error for ConfigError {}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sending {
    to: u8,
    request: u16,
    length: u32,
    /// Whether the RTS is queued.
    asked: bool,
    /// Slot taken before the RTS.
    slot: Option<u8>,
    /// Units with a CTS, and units copied into send slots.
    cleared: u32,
    copied: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Receiving {
    from: u8,
    request: u16,
    length: u32,
    accepted: bool,
    /// Units with a CTS, and the slots of those that have not arrived, in order.
    announced: u32,
    slots: VecDeque<u8>,
}

/// A unit whose CTS has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cleared {
    to: u8,
    request: u16,
    unit: u32,
    slot: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Peer {
    credits: Credits,
    /// Messages that wait for a credit, in order (H15).
    waiting: VecDeque<Header>,
}

/// Protocol engine of one PE: [`Library::step`] takes an event and returns the actions it causes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Library {
    config: Config,
    pools: Pools,
    peers: Vec<Peer>,
    sending: Vec<Sending>,
    receiving: Vec<Receiving>,
    cleared: VecDeque<Cleared>,
}

impl Library {
    /// Engine of PE `me`.
    pub fn new(config: Config, me: u8) -> Result<Self, ConfigError> {
        if !(2..=256).contains(&config.pes) || u16::from(me) >= config.pes {
            return Err(ConfigError::Pes);
        }
        let pools = Pools::new(config.send_slots, config.receive_slots, config.rules.two_pools)
            .ok_or(ConfigError::Slots)?;
        let credits = Credits::new(config.share).ok_or(ConfigError::Share)?;
        let peer = Peer { credits, waiting: VecDeque::new() };
        Ok(Self {
            config,
            pools,
            peers: vec![peer; config.pes.into()],
            sending: Vec::new(),
            receiving: Vec::new(),
            cleared: VecDeque::new(),
        })
    }

    /// Handles an event. Unknown PEs and headers that violate the protocol are refused and change nothing.
    pub fn step(&mut self, event: Event) -> Vec<Action> {
        let mut out = Vec::new();
        match event {
            Event::Send { to, request, length } => {
                if usize::from(to) < self.peers.len() {
                    self.send(to, request, length, &mut out);
                }
            }
            Event::Accept { from, request } => {
                if let Some(receiving) = self.receiving(from, request) {
                    receiving.accepted = true;
                }
            }
            Event::Arrived { from, header } => {
                if !self.arrived(from, header, &mut out) {
                    return vec![Action::Refuse { from, header }];
                }
            }
            Event::Sent { slot } => {
                if self.config.rules.positions {
                    self.pools.give(slot);
                }
            }
        }
        self.ask();
        self.announce(&mut out);
        self.transfer(&mut out);
        self.leave(&mut out);
        out
    }

    /// Free and used slots of the MPI buffers.
    pub fn pools(&self) -> Pools {
        self.pools
    }

    /// Whether no message is pending. Credits not yet returned do not count.
    pub fn is_idle(&self) -> bool {
        let waiting = |peer: &Peer| !peer.waiting.is_empty();
        self.sending.is_empty()
            && self.receiving.is_empty()
            && self.pools.all_free()
            && !self.peers.iter().any(waiting)
    }

    fn receiving(&mut self, from: u8, request: u16) -> Option<&mut Receiving> {
        self.receiving.iter_mut().find(|other| (other.from, other.request) == (from, request))
    }

    fn send(&mut self, to: u8, request: u16, length: u32, out: &mut Vec<Action>) {
        if length < EAGER_LIMIT {
            self.peers[usize::from(to)].waiting.push_back(Header::Eager { request, length });
            out.push(Action::Complete { request });
        } else {
            self.sending.push(Sending {
                to,
                request,
                length,
                asked: false,
                slot: None,
                cleared: 0,
                copied: 0,
            });
        }
    }

    /// Handles a received header. Returns false if it violates the protocol.
    fn arrived(&mut self, from: u8, header: Header, out: &mut Vec<Action>) -> bool {
        let Some(peer) = self.peers.get_mut(usize::from(from)) else { return false };
        match header {
            Header::Eager { request, length } => out.push(Action::Deliver { from, request, length }),
            Header::Rts { request, length } => {
                if length < EAGER_LIMIT || self.receiving(from, request).is_some() {
                    return false;
                }
                let new = Receiving {
                    from,
                    request,
                    length,
                    accepted: false,
                    announced: 0,
                    slots: VecDeque::new(),
                };
                self.receiving.push(new);
                out.push(Action::Offer { from, request, length });
            }
            Header::Cts { request, unit, slot } => {
                let is =
                    |other: &&mut Sending| (other.to, other.request, other.cleared) == (from, request, unit);
                let Some(sending) = self.sending.iter_mut().find(is) else { return false };
                if unit >= units(sending.length) {
                    return false;
                }
                sending.cleared += 1;
                self.cleared.push_back(Cleared { to: from, request, unit, slot });
            }
            Header::Data { request, unit, slot } => {
                let replaces = self.config.rules.replace_after;
                let Some(receiving) = self.receiving(from, request) else { return false };
                let next = receiving.announced - receiving.slots.len() as u32;
                if unit != next || receiving.slots.front() != Some(&slot) {
                    return false;
                }
                receiving.slots.pop_front();
                let whole = unit + 1 == units(receiving.length);
                if replaces {
                    out.push(Action::ReplaceLines { slot });
                }
                out.push(Action::CopyOut { from, request, unit, slot });
                self.pools.give(slot);
                if whole {
                    self.receiving.retain(|other| (other.from, other.request) != (from, request));
                    out.push(Action::Received { from, request });
                }
            }
            Header::Credits { taken } => peer.credits.hear(taken),
        }
        if self.config.rules.credits && header.is_counted() {
            self.tell(from, out);
        }
        true
    }

    /// Records that a message was removed from the ring, and returns credits when half of the share is free.
    fn tell(&mut self, from: u8, out: &mut Vec<Action>) {
        let credits = &mut self.peers[usize::from(from)].credits;
        credits.took();
        if credits.is_to_tell() {
            let header = Header::Credits { taken: credits.tell() };
            out.push(Action::Post { to: from, header, source: None });
        }
    }

    /// Queues the RTS of sends that have not asked, if they hold the slot that they need.
    fn ask(&mut self) {
        for sending in self.sending.iter_mut().filter(|sending| !sending.asked) {
            if self.config.reserve == Reserve::BeforeRts {
                sending.slot = self.pools.take(Side::Send);
                if sending.slot.is_none() {
                    break;
                }
            }
            sending.asked = true;
            let header = Header::Rts { request: sending.request, length: sending.length };
            self.peers[usize::from(sending.to)].waiting.push_back(header);
        }
    }

    /// Assigns slots to units of accepted messages, in order, and sends their CTS.
    fn announce(&mut self, out: &mut Vec<Action>) {
        let most = match self.config.buffering {
            Buffering::Serial => 1,
            Buffering::Double => 2,
        };
        for receiving in self.receiving.iter_mut().filter(|receiving| receiving.accepted) {
            while receiving.announced < units(receiving.length) && receiving.slots.len() < most {
                let Some(slot) = self.pools.take(Side::Receive) else { return };
                if self.config.rules.replace_before {
                    out.push(Action::ReplaceLines { slot });
                }
                let header = Header::Cts { request: receiving.request, unit: receiving.announced, slot };
                self.peers[usize::from(receiving.from)].waiting.push_back(header);
                receiving.announced += 1;
                receiving.slots.push_back(slot);
            }
        }
    }

    /// Copies units with a CTS into send slots and posts their DMA.
    fn transfer(&mut self, out: &mut Vec<Action>) {
        while let Some(Cleared { to, request, unit, slot }) = self.cleared.front().copied() {
            let is = |other: &&mut Sending| (other.to, other.request) == (to, request);
            let Some(sending) = self.sending.iter_mut().find(is) else {
                self.cleared.pop_front();
                continue;
            };
            let held = sending.slot.take();
            let Some(source) = held.or_else(|| self.pools.take(Side::Send)) else { return };
            self.cleared.pop_front();
            out.push(Action::CopyIn { request, unit, slot: source });
            // The copied unit lies in the cache. Replacing its lines writes it to memory, where the NIF reads
            // it.
            out.push(Action::ReplaceLines { slot: source });
            let header = Header::Data { request, unit, slot };
            out.push(Action::Post { to, header, source: Some(source) });
            sending.copied += 1;
            if sending.copied == units(sending.length) {
                self.sending.retain(|other| (other.to, other.request) != (to, request));
                out.push(Action::Complete { request });
            }
            if !self.config.rules.positions {
                self.pools.give(source);
            }
        }
    }

    /// Posts waiting messages as far as credits allow.
    fn leave(&mut self, out: &mut Vec<Action>) {
        for (to, peer) in self.peers.iter_mut().enumerate() {
            // Without credits no message is counted, so there is always one left.
            while peer.credits.may_send() {
                let Some(header) = peer.waiting.pop_front() else { break };
                if self.config.rules.credits {
                    peer.credits.sent();
                }
                out.push(Action::Post { to: to as u8, header, source: None });
            }
        }
    }
}

#[cfg(test)]
mod tests;
