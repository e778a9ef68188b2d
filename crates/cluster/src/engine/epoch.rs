//! Parts of a cluster that run concurrently, epoch by epoch.
//!
//! An event in one part affects another part one lookahead later at the earliest. All parts therefore execute
//! an epoch of at most that length independently; then they meet and exchange crossings of switches.
//!
//! A run ends with the last of its programs, and no later event may happen in any part. A part whose programs
//! are finished therefore stops within the epoch, and executes the rest of it only when another part is known
//! to be unfinished. This takes a second meeting, unless the epoch has no further events.

use thiserror::Error;

use super::cluster::{CargoOf, Cluster};
use super::error::RunError;
use crate::fabric::{Crossing, Switch};
use crate::machine::Machine;
use crate::{Duration, Time};

/// Report of a part to all others at a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Time of the next event, in the part or caused by its crossings.
    pub next: Time,
    /// Time of its last event.
    pub now: Time,
    /// Time at which its last program finished.
    pub done_at: Time,
    /// Number of nodes with unfinished programs.
    pub unfinished: u64,
    /// Number of nodes with programs that can continue.
    pub hopeful: u64,
    /// Number of parts that stopped within the epoch.
    pub held: u64,
    /// Number of parts that failed.
    pub failed: u64,
}

impl Report {
    /// Report of a part that could not start.
    pub(crate) const FAILED: Report = Report {
        next: Time::END,
        now: Time::ZERO,
        done_at: Time::ZERO,
        unfinished: 0,
        hopeful: 0,
        held: 0,
        failed: 1,
    };

    /// Combined report of two parts.
    pub fn and(self, other: Report) -> Report {
        Report {
            next: self.next.min(other.next),
            now: self.now.max(other.now),
            done_at: self.done_at.max(other.done_at),
            unfinished: self.unfinished + other.unfinished,
            hopeful: self.hopeful + other.hopeful,
            held: self.held + other.held,
            failed: self.failed + other.failed,
        }
    }
}

/// Crossings from one part to another.
pub type Parcel<C> = Vec<Crossing<C>>;

/// Error that prevents parts from meeting.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExchangeError(pub String);

/// Meeting point of the parts of a cluster.
pub trait Exchange<C> {
    /// Number of parts.
    fn parts(&self) -> usize;

    /// Sends a report to all parts and a parcel to each; returns the combined report and the crossings
    /// received. All parts must call this equally often. Crossings between two parts keep their order.
    fn meet(&mut self, report: Report, parcels: Vec<Parcel<C>>)
    -> Result<(Report, Parcel<C>), ExchangeError>;
}

/// Runs a part until the programs of all parts are finished, for at most `limit`; returns the time at which
/// the last one finished. `owner` names the part of each port.
pub(crate) fn run_part<M: Machine>(
    part: &mut Cluster<M>,
    owner: &[usize],
    exchange: &mut impl Exchange<CargoOf<M>>,
    limit: Duration,
) -> Result<Time, RunError> {
    let lookahead = <M::Switch as Switch>::lookahead(&M::SWITCH);
    let limit = part.now() + limit;
    part.set_leaping(true)?;
    let mut failure = None;
    let (mut horizon, mut held) = (Time::ZERO, false);
    loop {
        let all = meet(part, owner, exchange, held, failure.is_some())?;
        if all.failed > 0 {
            return Err(
                failure.unwrap_or_else(|| RunError::Elsewhere("another part of the run failed".into()))
            );
        }
        if all.unfinished == 0 {
            let went = part.proceed(Time::from_ps(all.done_at.ps() + 1), false);
            part.set_now(all.done_at);
            let went = went.and_then(|()| part.set_leaping(false));
            // Pending crossings are delivered, so that counters do not depend on the number of parts.
            meet(part, owner, exchange, false, went.is_err())?;
            return went.map(|()| all.done_at);
        }
        let went = if all.held > 0 {
            // Another part is unfinished: the rest of the epoch is executed.
            if std::mem::take(&mut held) { part.proceed(horizon, false) } else { Ok(()) }
        } else if all.hopeful == 0 {
            return Err(RunError::Stalled { time: all.now, waiting: part.report() });
        } else if all.next > limit {
            part.set_now(limit);
            part.set_leaping(false)?;
            return Err(RunError::Limit { limit, waiting: part.report() });
        } else {
            horizon = (all.next + lookahead).min(Time::from_ps(limit.ps() + 1));
            let went = part.proceed(horizon, true);
            held = part.unfinished() == 0 && part.next() < horizon;
            went
        };
        failure = went.err();
    }
}

/// Sends the report and crossings of a part, and returns the combined report.
fn meet<M: Machine>(
    part: &mut Cluster<M>,
    owner: &[usize],
    exchange: &mut impl Exchange<CargoOf<M>>,
    held: bool,
    failed: bool,
) -> Result<Report, RunError> {
    let mut parcels: Vec<_> = (0..exchange.parts()).map(|_| Parcel::new()).collect();
    let mut next = part.next();
    for crossing in part.outbox.drain(..) {
        next = next.min(crossing.at);
        parcels[owner[crossing.to as usize]].push(crossing);
    }
    let report = Report {
        next,
        now: part.now(),
        done_at: part.done_at(),
        unfinished: part.unfinished() as u64,
        hopeful: part.hopeful() as u64,
        held: u64::from(held),
        failed: u64::from(failed),
    };
    let met = exchange.meet(report, parcels);
    let (all, parcel) = met.map_err(|error| RunError::Elsewhere(error.to_string()))?;
    part.take(parcel);
    Ok(all)
}
