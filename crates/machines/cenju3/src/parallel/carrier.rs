//! A PE as a carrier of MPI, over messages and DMA of the NIF.

mod transfer;

use std::collections::{BTreeMap, VecDeque};

use machine_api::Wait;
use mpi::carrier::{Carrier, Packet, Received, Sent};
use mpi::{Credits, Envelope, Error, PacketKind};

use super::letter::{self, Letter};
use super::units::{Key, Units};
use crate::deen::StartError;
use crate::fault::Fault;
use crate::layout::UNIT;
use crate::port::{Arrived, Ring};
use crate::settings::PROTOCOL_SWITCH;
use crate::{Host, Port};

/// Headers that a ring holds: one of its places stays free.
const PLACES: usize = 63;

/// The envelope of a message that is not of MPI.
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
    /// A message without a packet has arrived, by which a rank may have got room: a rank that sleeps now could miss it.
    opened: bool,
    /// Credits of places in receive message buffer 0, for each other rank.
    credits: Vec<Credits>,
    /// Units of the own window.
    units: Units,
    /// Units in the windows of receivers by message, and the bytes that have left.
    cleared: BTreeMap<Key, (VecDeque<u8>, u32)>,
    /// Bytes that have arrived, by message.
    come: BTreeMap<Key, u32>,
    /// Messages of the library that wait for a place.
    waiting: VecDeque<(usize, Envelope, Letter)>,
    /// The entries of the last units that left, by their places.
    sent: [Option<u32>; 2],
    next: usize,
    /// Ranks with a refused message, and the reason.
    refused: VecDeque<(usize, Error)>,
}

/// Places that each rank of a pair has at the other. Reports of taken messages need places, too.
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

    /// Sends a message of at most 128 bytes. It needs a place, unless it only reports places.
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

    /// Sends such a message of the library itself. A rank that waits for its contents waits for that rank.
    async fn say_of_itself(&mut self, to: usize, envelope: &Envelope, letter: Letter) {
        if let Err(error) = self.say(to, envelope, letter, &[]).await {
            self.refused.push_back((to, error.into()));
        }
    }

    /// Reports to a rank the messages that were taken.
    async fn tell(&mut self, to: usize) {
        self.say_of_itself(to, &NOTHING, Letter::Taken).await;
    }

    /// While there is nothing else to do: reports to ranks of which half of the places are free and that do not know.
    async fn tell_all(&mut self) {
        for to in 0..self.ranks {
            if self.credits[to].is_to_tell() {
                self.tell(to).await;
            }
        }
    }

    /// Sends the waiting messages to ranks with a place.
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

    /// The packet in a message, if the message is of MPI.
    async fn take_message(&mut self, Arrived { from, library, data, .. }: Arrived) -> Option<Received> {
        let (envelope, letter, taken) = letter::open(&library)?;
        self.credits.get_mut(from)?.hear(taken);
        if letter == Letter::Taken {
            return None;
        }
        self.pe().software().await;
        self.credits[from].took();
        // Other ranks get the report with the next entry to them, or when there is nothing else to do: an answer is
        // usually near.
        if self.credits[from].is_to_tell_at_once() {
            self.tell(from).await;
        }
        let key = (from, envelope.request);
        match letter {
            Letter::Message => {
                let length = if envelope.kind == PacketKind::Eager { envelope.length as usize } else { 0 };
                let packet = Packet::new(envelope, data.get(..length)?.to_vec());
                return Some(Received { from, packet: Some(packet) });
            }
            Letter::Clear => {
                // A message without data has no unit; the number in its answer is none.
                if envelope.length > 0 {
                    self.cleared.insert(key, (data.into(), 0));
                }
                return Some(Received { from, packet: Some(Packet::new(envelope, Vec::new())) });
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
        self.waiting.is_empty() && !self.opened
    }

    fn host(&self) -> mpi::Host {
        self.processor.clone()
    }

    /// Data needs a unit in the other's window, an answer one in the own window; every packet but data needs a place.
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

    async fn send(&mut self, to: usize, Packet { envelope, data }: &Packet) -> Sent {
        if !self.has_room(to, envelope) {
            return Sent::NoRoom;
        }
        let sent = match envelope.kind {
            PacketKind::Eager | PacketKind::Ask => self.say(to, envelope, Letter::Message, data).await,
            PacketKind::Clear => {
                let units = self.units.clear((to, envelope.request), envelope.length);
                self.say(to, envelope, Letter::Clear, &units.expect("there was one")).await
            }
            PacketKind::Data => self.send_unit(to, envelope, data).await,
        };
        sent.map_or_else(|error| Sent::Refused(error.into()), |()| Sent::Yes)
    }

    async fn receive(&mut self) -> Option<Received> {
        self.seen = self.port.deen().count();
        self.say_waiting().await;
        // Messages without a packet of MPI are handled here.
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

    /// Faults that the kernel has found in the NIF's Status. An entry for no other rank, or an unknown packet, may
    /// concern any rank.
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

    /// `event`: the user thread itself waits in `evc_wait` (paper, section 6.2). `interrupt`: a thread of its own waits
    /// and hands over to the user thread.
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
