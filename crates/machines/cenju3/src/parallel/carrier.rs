//! A PE as a carrier of MPI: sends and takes what the NIF brings.

mod transfer;

use std::collections::{BTreeMap, VecDeque};

use lab::Wait;
use mpi::carrier::{Carrier, Packet, Sent};
use mpi::{Credits, Envelope, Error, PacketKind};

use super::letter::{self, Letter};
use super::units::{Key, Units};
use crate::deen::StartError;
use crate::fault::Fault;
use crate::layout::UNIT;
use crate::port::{Arrived, Ring};
use crate::{Host, Port};

/// Messages of this length and longer go by DMA, after the receiver has said where (paper, section 5.1).
pub const PROTOCOL_SWITCH: usize = mpi_de::EAGER_LIMIT as usize;

/// Headers that a ring holds: one of its places stays free.
const PLACES: usize = 63;

/// The envelope of what is no message of MPI.
const NOTHING: Envelope =
    Envelope { context: 0, rank: 0, tag: 0, length: 0, request: 0, kind: PacketKind::Eager };

/// The carrier of a rank. Rank and PE have the same number.
pub struct MpiDe {
    port: Port,
    processor: mpi::Host,
    ranks: usize,
    wait: Wait,
    /// Events before the last look.
    seen: u64,
    /// Something came that is no packet, by which one may have room that had none: who sleeps now would sleep too long.
    opened: bool,
    /// Places in receive message buffer 0 that this rank and each other one have of each other.
    credits: Vec<Credits>,
    /// The own window.
    units: Units,
    /// Units in the windows of others that messages to them have, and bytes that have left of each.
    cleared: BTreeMap<Key, (VecDeque<u8>, u32)>,
    /// Bytes that have come of each message.
    come: BTreeMap<Key, u32>,
    /// What is to be said that found no place.
    waiting: VecDeque<(usize, Envelope, Letter)>,
    /// The entries of the last units that left, by the place from which they did.
    sent: [Option<u32>; 2],
    next: usize,
    /// Ranks to which something was refused, and why.
    refused: VecDeque<(usize, Error)>,
}

/// Places that a pair has of each other. Messages that only tell what was taken need places, too.
fn share(ranks: usize) -> Option<u32> {
    Credits::share_of((PLACES / (ranks - 1).max(1)) as u32)
}

impl MpiDe {
    /// Sets the NIF up.
    pub async fn open(port: Port, processor: mpi::Host, ranks: usize, wait: Wait) -> MpiDe {
        port.open(wait != Wait::Poll).await;
        let credits = share(ranks).and_then(Credits::new).expect("a rank has a place at each other one");
        MpiDe {
            port,
            processor,
            ranks,
            wait,
            seen: 0,
            opened: false,
            credits: vec![credits; ranks],
            units: Units::default(),
            cleared: BTreeMap::new(),
            come: BTreeMap::new(),
            waiting: VecDeque::new(),
            sent: [None; 2],
            next: 0,
            refused: VecDeque::new(),
        }
    }

    fn pe(&self) -> &Host {
        self.port.host()
    }

    /// Sends a message of at most 128 bytes, which needs a place unless it only tells of places.
    async fn say(
        &mut self,
        to: usize,
        envelope: &Envelope,
        letter: Letter,
        data: &[u8],
    ) -> Result<(), StartError> {
        self.pe().software().await;
        let taken = self.credits[to].tell();
        if letter != Letter::Taken {
            self.credits[to].sent();
        }
        let library = letter::pack(envelope, letter, taken);
        self.port.send_message(to as u8, library, data).await?;
        Ok(())
    }

    /// Sends such a message of the library itself. Who waits for what it tells waits for that rank.
    async fn say_of_itself(&mut self, to: usize, envelope: &Envelope, letter: Letter) {
        if let Err(error) = self.say(to, envelope, letter, &[]).await {
            self.refused.push_back((to, error.into()));
        }
    }

    /// Tells a rank how much was taken of it.
    async fn tell(&mut self, to: usize) {
        self.say_of_itself(to, &NOTHING, Letter::Taken).await;
    }

    /// Nothing else is to be done: those of whom half of the places are free again, and who do not know, are told.
    async fn tell_all(&mut self) {
        for to in 0..self.ranks {
            if self.credits[to].is_to_tell() {
                self.tell(to).await;
            }
        }
    }

    /// Says what had to wait, to those who have a place now.
    async fn say_waiting(&mut self) {
        for _ in 0..self.waiting.len() {
            let Some((to, envelope, letter)) = self.waiting.pop_front() else { return };
            if self.credits[to].may_send() {
                self.say_of_itself(to, &envelope, letter).await;
            } else {
                self.waiting.push_back((to, envelope, letter));
            }
        }
    }

    /// What a message brings to MPI, if it is for it.
    async fn take_message(&mut self, Arrived { from, library, data, .. }: Arrived) -> Option<Packet> {
        let (envelope, letter, taken) = letter::open(&library)?;
        self.credits.get_mut(from)?.hear(taken);
        if letter == Letter::Taken {
            return None;
        }
        self.pe().software().await;
        self.credits[from].took();
        // Others hear of it by the next entry to them, or when there is nothing else to do: an answer is mostly near.
        if self.credits[from].is_to_tell_at_once() {
            self.tell(from).await;
        }
        let key = (from, envelope.request);
        match letter {
            Letter::Message => {
                let length = if envelope.kind == PacketKind::Eager { envelope.length as usize } else { 0 };
                let bytes = [&envelope.to_bytes()[..], data.get(..length)?].concat();
                return Some(Packet { from, bytes });
            }
            Letter::Clear => {
                // A message without data has no unit; what its answer carries is no number of one.
                if envelope.length > 0 {
                    self.cleared.insert(key, (data.into(), 0));
                }
                return Some(Packet { from, bytes: envelope.to_bytes().to_vec() });
            }
            Letter::More(unit) => self.cleared.get_mut(&key)?.0.push_back(unit),
            Letter::Unit(_) | Letter::Taken => {}
        }
        None
    }
}

impl Carrier for MpiDe {
    fn rank(&self) -> usize {
        self.pe().processor().node()
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + UNIT as usize
    }

    fn most_eager(&self) -> usize {
        PROTOCOL_SWITCH - 1
    }

    fn looks_alike(&self) -> bool {
        self.waiting.is_empty()
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// Data needs a unit in the other's window, an answer one in the own; all but data needs a place.
    fn has_room(&mut self, to: usize, envelope: &Envelope) -> bool {
        let may_send = self.credits[to].may_send();
        match envelope.kind {
            PacketKind::Data => {
                self.cleared.get(&(to, envelope.request)).is_some_and(|(units, _)| !units.is_empty())
            }
            PacketKind::Clear => may_send && (envelope.length == 0 || self.units.any()),
            PacketKind::Eager | PacketKind::Ask => may_send,
        }
    }

    async fn send(&mut self, to: usize, packet: &[u8]) -> Sent {
        let (envelope, data) = Envelope::split(packet).expect("the library sends packets of MPI");
        if !self.has_room(to, &envelope) {
            return Sent::NoRoom;
        }
        let sent = match envelope.kind {
            PacketKind::Eager | PacketKind::Ask => self.say(to, &envelope, Letter::Message, data).await,
            PacketKind::Clear => {
                let units = self.units.clear((to, envelope.request), envelope.length);
                self.say(to, &envelope, Letter::Clear, &units.expect("there was one")).await
            }
            PacketKind::Data => self.send_unit(to, &envelope, data).await,
        };
        sent.map_or_else(|error| Sent::Refused(error.into()), |()| Sent::Yes)
    }

    async fn receive(&mut self) -> Option<Packet> {
        self.seen = self.port.deen().count();
        self.say_waiting().await;
        // What is no packet of MPI is taken on the way.
        loop {
            if let Some(message) = self.port.look(Ring::Messages).await {
                if let Some(packet) = self.take_message(message).await {
                    return Some(packet);
                }
                self.opened = true;
                continue;
            }
            let Some(arrived) = self.port.look(Ring::Dma).await else {
                self.tell_all().await;
                return None;
            };
            if let Some(packet) = self.take_dma(arrived).await {
                return Some(packet);
            }
            self.opened = true;
        }
    }

    /// What the kernel has found in the NIF's Status. An entry that was for no other rank, or a packet that nobody knows, could be anybody's.
    fn refused(&mut self) -> Option<(usize, Error)> {
        while let Some(fault) = self.port.deen().fault() {
            let error = fault.error(self.ranks);
            let own = self.rank();
            let others = (0..self.ranks).filter(|rank| *rank != own);
            match fault {
                Fault::Entry { pe, .. } if usize::from(pe) < self.ranks && usize::from(pe) != own => {
                    self.refused.push_back((pe.into(), error));
                }
                _ => self.refused.extend(others.map(|rank| (rank, error))),
            }
        }
        self.refused.pop_front()
    }

    /// `event`: the user thread itself waits in `evc_wait` (paper, section 6.2). `interrupt`: a thread of its own does, and hands over to the user thread.
    async fn pause(&mut self) {
        if std::mem::take(&mut self.opened) {
            return;
        }
        match self.wait {
            Wait::Poll => self.pe().compute(self.pe().costs().turn).await,
            Wait::Event => self.port.deen().evc_wait(self.pe(), self.seen).await,
            Wait::Interrupt => {
                self.port.deen().evc_wait(self.pe(), self.seen).await;
                self.pe().compute(self.pe().costs().hand_over).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ring_has_room_for_all_that_may_be_on_its_way() {
        for ranks in 2..=super::super::MOST_RANKS {
            let share = share(ranks).expect("each pair has a place");
            assert!((share + Credits::tellings(share)) as usize * (ranks - 1) <= PLACES, "{ranks} ranks");
        }
        assert_eq!(share(super::super::MOST_RANKS + 1), None, "then a ring is too short");
    }
}
