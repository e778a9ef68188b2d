//! The exchange between parts in different processes.

use std::marker::PhantomData;

use crate::{Crossing, Exchange, ExchangeError, Parcel, Report, Switch, Time};
use rsmpi::request::multiple_scope;
use rsmpi::topology::SimpleCommunicator;
use rsmpi::traits::*;

/// Words of a header, which each process sends to each: a report and the length of the parcel that follows. An empty parcel
/// is not sent.
const HEADER: usize = 8;

/// The exchange of one process. A meeting is a collective call of MPI, so each process waits for all.
pub(crate) struct MpiExchange<'a, S> {
    world: &'a SimpleCommunicator,
    rank: usize,
    /// Headers to all processes.
    sent_headers: Vec<u64>,
    /// Headers from all processes.
    received_headers: Vec<u64>,
    outgoing: Vec<Vec<u64>>,
    incoming: Vec<Vec<u64>>,
    switch: PhantomData<S>,
}

impl<'a, S: Switch> MpiExchange<'a, S> {
    /// An exchange between all processes of the communicator.
    pub fn new(world: &'a SimpleCommunicator) -> Self {
        let size = world.size() as usize;
        MpiExchange {
            world,
            rank: world.rank() as usize,
            sent_headers: vec![0; HEADER * size],
            received_headers: vec![0; HEADER * size],
            outgoing: vec![Vec::new(); size],
            incoming: vec![Vec::new(); size],
            switch: PhantomData,
        }
    }

    /// Sends and receives all packed parcels.
    fn exchange_parcels(&mut self) {
        let others = self.outgoing.iter().enumerate().filter(|(_, words)| !words.is_empty());
        let process = |rank| self.world.process_at_rank(rank as i32);
        multiple_scope(self.incoming.len(), |scope, sent| {
            for (rank, words) in others {
                sent.add(process(rank).immediate_send(scope, &words[..]));
            }
            for (rank, words) in self.incoming.iter_mut().enumerate().filter(|(_, words)| !words.is_empty()) {
                process(rank).receive_into(&mut words[..]);
            }
            sent.wait_all(&mut Vec::new());
        });
    }
}

impl<S: Switch> Exchange<S::Cargo> for MpiExchange<'_, S> {
    fn parts(&self) -> usize {
        self.outgoing.len()
    }

    fn meet(
        &mut self,
        report: Report,
        mut parcels: Vec<Parcel<S::Cargo>>,
    ) -> Result<(Report, Parcel<S::Cargo>), ExchangeError> {
        // A parcel to the own part is not packed.
        let mut parcel = std::mem::take(&mut parcels[self.rank]);
        let headers = self.sent_headers.chunks_exact_mut(HEADER);
        for ((words, parcel), header) in self.outgoing.iter_mut().zip(parcels).zip(headers) {
            words.clear();
            parcel.iter().for_each(|crossing| pack::<S>(crossing, words));
            header.copy_from_slice(&encode_header(&report, words.len()));
        }
        self.world.all_to_all_into(&self.sent_headers[..], &mut self.received_headers[..]);
        let mut all = None;
        for (words, header) in self.incoming.iter_mut().zip(self.received_headers.chunks_exact(HEADER)) {
            let (report, length) = decode_header(header);
            words.resize(length, 0);
            all = Some(all.map_or(report, |all: Report| all.and(report)));
        }
        self.exchange_parcels();
        for (rank, words) in self.incoming.iter().enumerate() {
            let mut words = words.iter().copied();
            while words.len() > 0 {
                let crossing = unpack::<S>(&mut words);
                parcel.push(crossing.unwrap_or_else(|| panic!("process {rank} sends an invalid parcel")));
            }
        }
        Ok((all.expect("there is at least one process"), parcel))
    }
}

/// Encodes a report and the length of a parcel.
fn encode_header(report: &Report, length: usize) -> [u64; HEADER] {
    let Report { next, now, done_at, unfinished, hopeful, held, failed } = *report;
    [next.ps(), now.ps(), done_at.ps(), unfinished, hopeful, held, failed, length as u64]
}

/// Decodes a report and the length of a parcel.
fn decode_header(words: &[u64]) -> (Report, usize) {
    let [next, now, done_at, unfinished, hopeful, held, failed, length] = words else {
        unreachable!("a header has these words");
    };
    let [next, now, done_at] = [next, now, done_at].map(|time| Time::from_ps(*time));
    let [unfinished, hopeful, held, failed] = [unfinished, hopeful, held, failed].map(|count| *count);
    (Report { next, now, done_at, unfinished, hopeful, held, failed }, *length as usize)
}

/// Packs a crossing: both ports in one word, the time, the cargo.
fn pack<S: Switch>(crossing: &Crossing<S::Cargo>, words: &mut Vec<u64>) {
    words.extend([u64::from(crossing.from) << 32 | u64::from(crossing.to), crossing.at.ps()]);
    S::pack(&crossing.cargo, words);
}

/// Unpacks a crossing; none if the words are not those of one.
fn unpack<S: Switch>(words: &mut impl Iterator<Item = u64>) -> Option<Crossing<S::Cargo>> {
    let ports = words.next()?;
    let at = Time::from_ps(words.next()?);
    let cargo = S::unpack(words)?;
    Some(Crossing { from: (ports >> 32) as u32, to: ports as u32, at, cargo })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_inverts_encoding() {
        let [next, now, done_at] = [1, 2, 3].map(Time::from_ps);
        let report = Report { next, now, done_at, unfinished: 4, hopeful: 5, held: 6, failed: 7 };
        assert_eq!(decode_header(&encode_header(&report, 8)), (report, 8));
        let never = Report { next: Time::END, ..report };
        assert_eq!(decode_header(&encode_header(&never, 0)), (never, 0));
    }
}
