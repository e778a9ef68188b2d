//! Messages of 128 bytes and more: units of 8 KB between user's buffers, MPI's buffers, and the windows of receivers.

use cenju3::memory_map::Kind;
use mpi::Envelope;
use mpi::carrier::{Packet, Received};

use super::super::letter::{self, Letter};
use super::MpiDe;
use crate::deen::{Sending, StartError};
use crate::layout::{self, UNIT, WINDOW};
use crate::port::Arrived;
use crate::settings::Buffering;

impl MpiDe {
    /// Sends a unit of a message by DMA to the unit that its receiver has named. Copies the data to a place from which
    /// the unit before the last was read; then replaces its lines, or has the kernel flush them, and starts.
    pub(super) async fn send_unit(
        &mut self,
        to: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> Result<(), StartError> {
        let key = (to, envelope.request);
        let (units, left) = self.cleared.get_mut(&key).expect("data leaves when it has a unit");
        let unit = units.pop_front().expect("data leaves when it has a unit");
        let offset = *left;
        *left += data.len() as u32;
        if *left >= envelope.length {
            self.cleared.remove(&key);
        }
        let place = self.next;
        let places = if self.port.settings().buffering == Buffering::Double { 2 } else { 1 };
        self.next = (place + 1) % places;
        if let Some(number) = self.sent[place] {
            while !self.port.deen().was_read(self.pe(), number).await {
                self.pe().compute(self.pe().costs().turn).await;
            }
        }
        let source = layout::send(place as u32);
        let copy = self.port.settings().copy;
        if copy {
            self.touch_user(offset, data.len()).await;
            self.pe().write(source, data).await;
        } else {
            self.pe().place(source, data);
        }
        let sending = Sending {
            kind: Kind::Dma,
            pe: to as u8,
            source,
            bytes: data.len() as u32,
            destination: layout::window(unit.into()),
            library: letter::pack(envelope, Letter::Unit(unit), self.credits[to].tell()),
            cached: copy,
        };
        self.sent[place] = Some(self.port.send(&sending).await?);
        Ok(())
    }

    /// Takes a unit out of the window. Its lines are replaced after the header arrived and before the first read, so
    /// none is stale (hazard H2); no program writes them, so none is dirty (hazard H1).
    async fn take_unit(&mut self, from: usize, envelope: &Envelope, unit: u8, bytes: u32) -> Vec<u8> {
        let key = (from, envelope.request);
        let at = layout::window(unit.into());
        let data = if self.port.settings().copy {
            self.pe().replace(at, bytes).await;
            let data = self.pe().read(at, bytes as usize).await;
            let offset = self.come.get(&key).copied().unwrap_or(0);
            self.write_user(layout::RECEIVE + offset, &data).await;
            data
        } else {
            self.pe().placed(at, bytes as usize)
        };
        let come = self.come.entry(key).or_default();
        *come += bytes;
        if *come >= envelope.length {
            self.come.remove(&key);
        }
        if self.units.emptied(key, unit) {
            self.waiting.push_back((from, *envelope, Letter::More(unit)));
            self.say_waiting().await;
        }
        data
    }

    /// Reads the program's buffer, which lies outside of the simulation: its lines come into the cache.
    async fn touch_user(&self, offset: u32, length: usize) {
        for (at, range) in self.pages(offset, length) {
            self.pe().read(at, range.len()).await;
        }
    }

    /// Writes the program's buffer.
    async fn write_user(&self, offset: u32, data: &[u8]) {
        for (at, range) in self.pages(offset, data.len()) {
            self.pe().write(at, &data[range]).await;
        }
    }

    /// The parts of a user's buffer in one page frame each.
    fn pages(&self, first: u32, length: usize) -> Vec<(u32, std::ops::Range<usize>)> {
        let mut parts = Vec::new();
        let mut done = 0;
        while done < length {
            let at = first.wrapping_add(done as u32);
            let here = (layout::PAGE - at % layout::PAGE) as usize;
            let end = length.min(done + here);
            parts.push((self.pe().user(at), done..end));
            done = end;
        }
        parts
    }

    /// Handles a header of DMA.
    pub(super) async fn take_dma(
        &mut self,
        Arrived { from, bytes, address, library, .. }: Arrived,
    ) -> Option<Received> {
        let (envelope, letter, taken) = letter::open(&library)?;
        self.credits.get_mut(from)?.hear(taken);
        let Letter::Unit(unit) = letter else { return None };
        debug_assert_eq!(address, WINDOW + u32::from(unit) * UNIT, "it went where it was sent to");
        let data = self.take_unit(from, &envelope, unit, bytes).await;
        Some(Received { from, packet: Some(Packet::new(envelope, data)) })
    }
}
