//! Where parts meet that are in different processes.

use std::marker::PhantomData;

use cluster::{Crossing, Exchange, ExchangeError, Parcel, Report, Switch, Time};
use rsmpi::request::multiple_scope;
use rsmpi::topology::SimpleCommunicator;
use rsmpi::traits::*;

/// Words that each process tells each other: its report, and how long the parcel is that follows; none follows if there is nothing in
/// it.
const TOLD: usize = 8;

/// The end of one process. Meetings are MPI's collective calls, so each waits for all.
pub(crate) struct Mail<'a, S> {
    world: &'a SimpleCommunicator,
    rank: usize,
    /// To each process, and from each.
    telling: Vec<u64>,
    told: Vec<u64>,
    outgoing: Vec<Vec<u64>>,
    incoming: Vec<Vec<u64>>,
    switch: PhantomData<S>,
}

impl<'a, S: Switch> Mail<'a, S> {
    /// Between all processes.
    pub fn new(world: &'a SimpleCommunicator) -> Self {
        let size = world.size() as usize;
        Mail {
            world,
            rank: world.rank() as usize,
            telling: vec![0; TOLD * size],
            told: vec![0; TOLD * size],
            outgoing: vec![Vec::new(); size],
            incoming: vec![Vec::new(); size],
            switch: PhantomData,
        }
    }

    /// Hands all packed parcels over.
    fn hand_over(&mut self) {
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

impl<S: Switch> Exchange<S::Cargo> for Mail<'_, S> {
    fn parts(&self) -> usize {
        self.outgoing.len()
    }

    fn meet(
        &mut self,
        report: Report,
        mut parcels: Vec<Parcel<S::Cargo>>,
    ) -> Result<(Report, Parcel<S::Cargo>), ExchangeError> {
        // What a part sends to itself does not travel.
        let mut parcel = std::mem::take(&mut parcels[self.rank]);
        let told = self.telling.chunks_exact_mut(TOLD);
        for ((words, parcel), told) in self.outgoing.iter_mut().zip(parcels).zip(told) {
            words.clear();
            parcel.iter().for_each(|crossing| pack::<S>(crossing, words));
            told.copy_from_slice(&tell(&report, words.len()));
        }
        self.world.all_to_all_into(&self.telling[..], &mut self.told[..]);
        let mut all = None;
        for (words, told) in self.incoming.iter_mut().zip(self.told.chunks_exact(TOLD)) {
            let (report, length) = hear(told);
            words.resize(length, 0);
            all = Some(all.map_or(report, |all: Report| all.and(report)));
        }
        self.hand_over();
        for (rank, words) in self.incoming.iter().enumerate() {
            let mut words = words.iter().copied();
            while words.len() > 0 {
                let crossing = unpack::<S>(&mut words);
                parcel.push(crossing.unwrap_or_else(|| panic!("process {rank} sends what no process packs")));
            }
        }
        Ok((all.expect("one process is there at least"), parcel))
    }
}

/// A report as words, and the length of a parcel.
fn tell(report: &Report, length: usize) -> [u64; TOLD] {
    let Report { next, now, done_at, unfinished, hopeful, held, failed } = *report;
    [next.ps(), now.ps(), done_at.ps(), unfinished, hopeful, held, failed, length as u64]
}

/// Back from words.
fn hear(words: &[u64]) -> (Report, usize) {
    let [next, now, done_at, unfinished, hopeful, held, failed, length] = words else {
        unreachable!("that many are told");
    };
    let [next, now, done_at] = [next, now, done_at].map(|time| Time::from_ps(*time));
    let [unfinished, hopeful, held, failed] = [unfinished, hopeful, held, failed].map(|count| *count);
    (Report { next, now, done_at, unfinished, hopeful, held, failed }, *length as usize)
}

/// What crosses a switch as words: both ports in one, the time, the cargo.
fn pack<S: Switch>(crossing: &Crossing<S::Cargo>, words: &mut Vec<u64>) {
    words.extend([u64::from(crossing.from) << 32 | u64::from(crossing.to), crossing.at.ps()]);
    S::pack(&crossing.cargo, words);
}

/// Back from words.
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
    fn report_comes_back_from_its_words() {
        let [next, now, done_at] = [1, 2, 3].map(Time::from_ps);
        let report = Report { next, now, done_at, unfinished: 4, hopeful: 5, held: 6, failed: 7 };
        assert_eq!(hear(&tell(&report, 8)), (report, 8));
        let never = Report { next: Time::END, ..report };
        assert_eq!(hear(&tell(&never, 0)), (never, 0));
    }
}
