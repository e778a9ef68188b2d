//! Meeting point of the parts of a cluster that run on several threads.

use std::sync::{Condvar, Mutex, PoisonError};

use super::epoch::{Exchange, ExchangeError, Parcel, Report};

/// Reports and parcels of one meeting.
struct Table<C> {
    reports: Vec<Report>,
    /// Parcels to each part, by each part.
    parcels: Vec<Vec<Parcel<C>>>,
}

/// Two tables, used alternately: parts may still take their parcels from one while others fill the next.
struct Room<C> {
    tables: [Table<C>; 2],
    /// Number of completed meetings, and number of parts that have arrived at the present one.
    meetings: u64,
    present: usize,
    /// A part has failed and will not arrive again.
    broken: bool,
}

/// Meeting point of a fixed number of parts.
pub(crate) struct Meeting<C> {
    parts: usize,
    room: Mutex<Room<C>>,
    all_there: Condvar,
}

impl<C> Meeting<C> {
    pub fn new(parts: usize) -> Self {
        let table = || Table {
            reports: Vec::with_capacity(parts),
            parcels: (0..parts).map(|_| Vec::new()).collect(),
        };
        let room = Room { tables: [table(), table()], meetings: 0, present: 0, broken: false };
        Meeting { parts, room: Mutex::new(room), all_there: Condvar::new() }
    }
}

impl<C> Meeting<C> {
    /// Marks that a part will not arrive again.
    fn break_up(&self) {
        self.room.lock().unwrap_or_else(PoisonError::into_inner).broken = true;
        self.all_there.notify_all();
    }
}

/// The place of one part at all meetings. If its thread panics, the others are informed.
pub(crate) struct Seat<'a, C> {
    pub meeting: &'a Meeting<C>,
    pub part: usize,
}

impl<C> Drop for Seat<'_, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.meeting.break_up();
        }
    }
}

impl<C> Exchange<C> for Seat<'_, C> {
    fn parts(&self) -> usize {
        self.meeting.parts
    }

    fn meet(
        &mut self,
        report: Report,
        parcels: Vec<Parcel<C>>,
    ) -> Result<(Report, Parcel<C>), ExchangeError> {
        let mut room = self.meeting.room.lock().unwrap_or_else(PoisonError::into_inner);
        let meeting = room.meetings;
        let table = &mut room.tables[(meeting % 2) as usize];
        table.reports.push(report);
        for (to, parcel) in table.parcels.iter_mut().zip(parcels) {
            if !parcel.is_empty() {
                to.push(parcel);
            }
        }
        room.present += 1;
        if room.present == self.meeting.parts {
            room.present = 0;
            room.meetings += 1;
            let next = &mut room.tables[((meeting + 1) % 2) as usize];
            next.reports.clear();
            self.meeting.all_there.notify_all();
        }
        while room.meetings == meeting {
            if room.broken {
                return Err(ExchangeError("another part of the cluster is gone".into()));
            }
            room = self.meeting.all_there.wait(room).unwrap_or_else(PoisonError::into_inner);
        }
        let table = &mut room.tables[(meeting % 2) as usize];
        let all = table.reports.iter().copied().reduce(Report::and).expect("everybody has told");
        let mine = std::mem::take(&mut table.parcels[self.part]);
        Ok((all, mine.into_iter().flatten().collect()))
    }
}
